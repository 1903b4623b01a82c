// What begins or ends inside of words of 4 bytes, or leaves elements out, is read and written by cores as boxes (air-views-in-words); what
// shares words with it stays.
//
// RUN: airlite-run %s --target=npu1 --on=sim --function=concat --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --target=npu1 --on=sim --function=insert --compare=interp --init=random:2 | FileCheck %s
// RUN: airlite-run %s --target=npu2 --on=sim --function=inner --compare=interp --init=random:3 | FileCheck %s
// RUN: airlite-run %s --target=npu1 --on=sim --function=every_second --compare=interp --init=random:4 | FileCheck %s
// RUN: airlite-run %s --target=npu2 --on=sim --function=padded --compare=interp --init=random:5 | FileCheck %s
// RUN: airlite-run %s --target=npu1 --on=sim --function=in_place --compare=interp --init=random:6 | FileCheck %s
// RUN: airlite-run %s --target=npu1 --on=sim --function=within --compare=interp --init=random:7 | FileCheck %s
// RUN: airlite-run %s --target=npu1 --on=sim --function=batches --compare=interp --init=random:8 | FileCheck %s
// CHECK: as in the interpreter, bit by bit

// Short runs, which are parts of one vector.
func.func @concat(%a: tensor<300x7xi8>, %b: tensor<300x8xi8>) -> tensor<300x15xi8> {
  %c = tensor.concat dim(1) %a, %b : (tensor<300x7xi8>, tensor<300x8xi8>) -> tensor<300x15xi8>
  return %c : tensor<300x15xi8>
}

// Elements around the box are those of the argument.
func.func @insert(%a: tensor<24x33xbf16>, %b: tensor<27x41xbf16>) -> tensor<27x41xbf16> {
  %c = tensor.insert_slice %a into %b[2, 5] [24, 33] [1, 1] : tensor<24x33xbf16> into tensor<27x41xbf16>
  return %c : tensor<27x41xbf16>
}

func.func @inner(%a: tensor<40x62x3xi8>) -> tensor<38x60x3xi8> {
  %c = tensor.extract_slice %a[1, 1, 0] [38, 60, 3] [1, 1, 1] : tensor<40x62x3xi8> to tensor<38x60x3xi8>
  return %c : tensor<38x60x3xi8>
}

func.func @every_second(%a: tensor<32x64xi8>) -> tensor<32x32xi8> {
  %e = tensor.empty() : tensor<32x32xi8>
  %s = tensor.extract_slice %a[0, 1] [32, 32] [1, 2] : tensor<32x64xi8> to tensor<32x32xi8>
  %c = linalg.add ins(%s, %s : tensor<32x32xi8>, tensor<32x32xi8>) outs(%e : tensor<32x32xi8>) -> tensor<32x32xi8>
  return %c : tensor<32x32xi8>
}

// More than one core has room for, with a constant around.
func.func @padded(%a: tensor<3x64x100xbf16>) -> tensor<3x66x102xbf16> {
  %z = arith.constant 1.5 : bf16
  %c = tensor.pad %a low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : bf16
  } : tensor<3x64x100xbf16> to tensor<3x66x102xbf16>
  return %c : tensor<3x66x102xbf16>
}

// What an op goes on with is brought in, too.
func.func @in_place(%a: memref<9x5xi16>, %b: memref<12x11xi16>) {
  %v = memref.subview %b[1, 3] [9, 5] [1, 1] : memref<12x11xi16> to memref<9x5xi16, strided<[11, 1], offset: 14>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<9x5xi16>) outs(%v : memref<9x5xi16, strided<[11, 1], offset: 14>>) {
  ^bb0(%x: i16, %y: i16):
    %s = arith.addi %x, %y : i16
    linalg.yield %s : i16
  }
  return
}

// From and to one buffer.
func.func @within(%b: memref<12x11xi8>) {
  %v = memref.subview %b[1, 3] [5, 5] [1, 1] : memref<12x11xi8> to memref<5x5xi8, strided<[11, 1], offset: 14>>
  %w = memref.subview %b[3, 4] [5, 5] [1, 1] : memref<12x11xi8> to memref<5x5xi8, strided<[11, 1], offset: 37>>
  memref.copy %v, %w : memref<5x5xi8, strided<[11, 1], offset: 14>> to memref<5x5xi8, strided<[11, 1], offset: 37>>
  return
}

// Rows of two matrices have no room together.
func.func @batches(%a: tensor<2x300x66xi8>, %b: tensor<2x300x68xi8>) -> tensor<2x300x68xi8> {
  %c = tensor.insert_slice %a into %b[0, 0, 1] [2, 300, 66] [1, 1, 1] : tensor<2x300x66xi8> into tensor<2x300x68xi8>
  return %c : tensor<2x300x68xi8>
}
