// The kernels of a GPU beside the interpreter, on the same arguments: integers have to have its bits, floats too with --exact; else they
// may differ by what is usual for their type, or by what is asked for. Of a program with one function it needs no name.
// REQUIRES: gpu
// RUN: airlite-run %s --function=floats --target=gfx942 --init=random:1 --compare=interp | FileCheck %s --check-prefix=FLOATS
// FLOATS: argument 0 is as in the interpreter: 1024 elements, all with the same bits
// FLOATS: argument 2 is as in the interpreter: 256 elements, {{[0-9]+}} with other bits, largest difference {{[0-9.]+}}e-0{{[5-9]}}
// RUN: airlite-run %s --function=floats --target=gfx942 --exact --init=random:1 --compare=interp | FileCheck %s --check-prefix=EXACT
// EXACT: argument 2 is as in the interpreter: 256 elements, all with the same bits
// RUN: not airlite-run %s --function=floats --target=gfx942 --init=random:1 --compare=interp --expect-atol=1e-9 2>&1 | FileCheck %s --check-prefix=CLOSER
// CLOSER: error: argument 2 differs at [{{[0-9]+, [0-9]+}}]: got {{.*}}, expected {{.*}} ({{[0-9]+}} of 256 elements differ): expected is what the interpreter computes
// RUN: airlite-run %s --function=numbers --target=gfx1100 --order=reverse --init=random:1 --compare=interp | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: result 0 is as in the interpreter: 64 elements, all with the same bits
//
// RUN: not airlite-run %s --target=gfx942 --init=random:1 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: error: there is no function 'main' with a body; --function names one of 'floats', 'numbers'
// RUN: (airlite-run %s --on=interp --function=floats --init=random:1 --compare=interp; test $? = 2) 2>&1 | FileCheck %s --check-prefix=ITSELF
// ITSELF: error: --compare needs --on=host, hip or sim: the interpreter would agree with itself
func.func @floats(%a: memref<16x64xf32>, %b: memref<64x16xf32>, %c: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x64xf32>, memref<64x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
func.func @numbers(%a: tensor<64xi32>) -> tensor<64xi32> {
  %empty = tensor.empty() : tensor<64xi32>
  %sum = linalg.add ins(%a, %a : tensor<64xi32>, tensor<64xi32>) outs(%empty : tensor<64xi32>) -> tensor<64xi32>
  return %sum : tensor<64xi32>
}
