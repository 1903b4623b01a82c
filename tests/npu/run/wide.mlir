// Numbers of 64 bits in a core: arithmetic on i64, f64 that is only moved. scripts/prove_npu.py --wide does it with
// random programs.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-opt %S/Inputs/doubles.mlir
// RUN: not airlite-compile %S/Inputs/doubles.mlir --target=npu1 -o %t 2>&1 | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: doubles.mlir:2:3: error: 'linalg.add' op not supported on the NPU: arithmetic on f64
func.func @main(%a: memref<64xi64>, %c: memref<64xf64>) {
  %one = arith.constant 1 : index
  air.launch (%lx) in (%ls = %one) args(%la = %a, %lc = %c) : memref<64xi64>, memref<64xf64> {
    air.segment @segment args(%sa = %la, %sc = %lc) : memref<64xi64>, memref<64xf64> {
      %single = arith.constant 1 : index
      air.herd @herd tile(%x, %y) in (%nx = %single, %ny = %single) args(%ha = %sa, %hc = %sc) : memref<64xi64>, memref<64xf64> {
        %numbers = memref.alloc() : memref<64xi64, 2 : i32>
        %bits = memref.alloc() : memref<64xf64, 2 : i32>
        air.dma_memcpy_nd (%numbers[] [] [], %ha[] [] []) : (memref<64xi64, 2 : i32>, memref<64xi64>)
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %half = arith.constant 0.5 : f64
        %first = arith.constant 4294967296 : i64
        %last = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %first) -> (i64) {
          %n = memref.load %numbers[%i] : memref<64xi64, 2 : i32>
          %wide = arith.index_cast %i : index to i64
          %product = arith.muli %n, %sum : i64
          %divisor = arith.ori %wide, %first : i64
          %quotient = arith.divsi %product, %divisor : i64
          %shifted = arith.shrsi %quotient, %wide : i64
          %less = arith.cmpi slt, %shifted, %n : i64
          %next = scf.if %less -> (i64) {
            %u = func.call @mix(%shifted, %sum) : (i64, i64) -> i64
            scf.yield %u : i64
          } else {
            scf.yield %shifted : i64
          }
          %near = arith.sitofp %next : i64 to f32
          %rough = arith.uitofp %n : i64 to bf16
          %rough32 = arith.extf %rough : bf16 to f32
          %tiny = arith.constant 1.0e-3 : f32
          %less2 = arith.mulf %near, %tiny : f32
          %less3 = arith.mulf %rough32, %tiny : f32
          %back = arith.fptosi %less2 : f32 to i64
          %back3 = arith.fptosi %less3 : f32 to i64
          %mixed = arith.xori %back, %back3 : i64
          %f = arith.bitcast %mixed : i64 to f64
          %g = arith.select %less, %f, %half : f64
          memref.store %g, %bits[%i] : memref<64xf64, 2 : i32>
          scf.yield %next : i64
        }
        %end = arith.bitcast %last : i64 to f64
        memref.store %end, %bits[%c1] : memref<64xf64, 2 : i32>
        air.dma_memcpy_nd (%hc[] [] [], %bits[] [] []) : (memref<64xf64>, memref<64xf64, 2 : i32>)
        memref.dealloc %numbers : memref<64xi64, 2 : i32>
        memref.dealloc %bits : memref<64xf64, 2 : i32>
      }
    }
  }
  return
}
func.func private @mix(%x: i64, %y: i64) -> i64 {
  %k = arith.constant 13 : i64
  %t = arith.shli %x, %k : i64
  %u = arith.xori %t, %y : i64
  return %u : i64
}
