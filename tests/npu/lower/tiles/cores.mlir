// RUN: airlite-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// Tiles in the order of the herd, the last core first. Ids are constants, conditionals on them
// decided; a copy is a loop.
// CHECK-LABEL: aie.device(npu1) @h {
// CHECK-NEXT: %[[T00:.*]] = aie.tile(0, 2)
// CHECK-NEXT: %[[T10:.*]] = aie.tile(1, 2)
// CHECK-NEXT: aie.buffer(%[[T10]]) {sym_name = "buf1"} : memref<8xi32, 2>
// CHECK-NEXT: aie.buffer(%[[T10]]) {sym_name = "out_1_0"} : memref<8xi32, 2>
// CHECK-NEXT: %[[B:.*]] = aie.buffer(%[[T00]]) {sym_name = "buf0"} : memref<8xi32, 2>
// CHECK-NEXT: aie.buffer(%[[T00]]) {sym_name = "out_0_0"} : memref<8xi32, 2>
// CHECK-NEXT: aie.core(%[[T10]]) {
// CHECK-NEXT: cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK: cf.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NOT: scf.if
// CHECK: arith.constant 7 : i32
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %buf1
// CHECK-NOT: air.
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c8 step
// CHECK-NEXT: %[[E:.*]] = memref.load %buf1[%[[I]]]
// CHECK-NEXT: memref.store %[[E]], %out_1_0[%[[I]]]
// CHECK: aie.end
// CHECK-NEXT: } {air.herd_local_id = array<i64: 1, 0>, air.herd_name = "h", air.herd_size = array<i64: 2, 1>}
// CHECK: aie.core(%[[T00]]) {
// CHECK-NOT: arith.constant 7 : i32
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK: aie.end
// CHECK: airrt.module_metadata
// CHECK-NEXT: airrt.segment_metadata attributes {sym_name = "h"}{
// CHECK-NEXT: airrt.herd_metadata {loc_x = 0 : i64, loc_y = 2 : i64, size_x = 2 : i64, size_y = 1 : i64, sym_name = "h"}
// CHECK-LABEL: func.func @f
// CHECK: air.herd @h
func.func @f() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : i32
    %c9 = arith.constant 9 : i32
    %tok, %in = air.execute -> (memref<8xi32, 2>) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.execute_terminator %m : memref<8xi32, 2>
    }
    %out = memref.alloc() {sym_name = "out"} : memref<8xi32, 2>
    %first = arith.cmpi eq, %x, %c0 : index
    %t2 = air.wait_all async [%tok]
    scf.if %first {
      memref.store %c9, %in[%c0] : memref<8xi32, 2>
    } else {
      memref.store %c7, %in[%x] : memref<8xi32, 2>
    }
    memref.copy %in, %out : memref<8xi32, 2> to memref<8xi32, 2>
    memref.dealloc %out : memref<8xi32, 2>
  }
  return
}

// -----

// affine.if and scf.index_switch are decided, too; loops over tokens carry none.
// CHECK-LABEL: aie.device(npu1) @seg {
// CHECK: aie.core
// CHECK-NOT: affine.if
// CHECK-NOT: index_switch
// CHECK-NOT: token
// CHECK: arith.constant 20 : i32
// CHECK: scf.for
// CHECK: memref.store
// CHECK: aie.end
// CHECK: aie.core
// CHECK: arith.constant 10 : i32
// CHECK: aie.end
#isFirst = affine_set<()[s0] : (s0 == 0)>
func.func @g() {
  air.segment @seg {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) attributes {x_loc = 1 : i64, y_loc = 3 : i64} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1_0 = arith.constant 1 : index
      %m = memref.alloc() : memref<4xi32, 2>
      %v = scf.index_switch %x -> i32
      case 0 {
        %a = arith.constant 10 : i32
        scf.yield %a : i32
      }
      default {
        %a = arith.constant 20 : i32
        scf.yield %a : i32
      }
      affine.if #isFirst()[%x] {
        memref.store %v, %m[%c1_0] : memref<4xi32, 2>
      }
      %t = air.wait_all async
      %e = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%a = %t) -> (!air.async.token) {
        %d = air.execute [%a] {
          memref.store %v, %m[%i] : memref<4xi32, 2>
        }
        scf.yield %d : !air.async.token
      }
      memref.dealloc %m : memref<4xi32, 2>
    }
  }
  return
}

// -----

// Scalars stand in a buffer that the host fills, a word each.
// CHECK: aie.device(npu1) @r {
// CHECK: %[[RTP:.*]] = aie.buffer(%{{.*}}) {sym_name = "__air_herd_rtp_0_2"} : memref<3xi32>
// CHECK: %[[A:.*]] = memref.load %[[RTP]][%c0]
// CHECK: %[[I:.*]] = arith.index_cast %[[A]] : i32 to index
// CHECK: %[[B:.*]] = memref.load %[[RTP]][%c1]
// CHECK: %[[F:.*]] = arith.bitcast %[[B]] : i32 to f32
// CHECK: %[[C:.*]] = memref.load %[[RTP]][%c2]
// CHECK: %[[N:.*]] = arith.trunci %[[C]] : i32 to i16
// CHECK: arith.bitcast %[[N]] : i16 to bf16
// CHECK: memref.store %[[F]], %{{.*}}[%[[I]]]
func.func @scalars(%n: index, %f: f32, %h: bf16) {
  %c1 = arith.constant 1 : index
  air.herd @r tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%i = %n, %v = %f, %w = %h) : index, f32, bf16 {
    %m = memref.alloc() : memref<8xf32, 2>
    %k = memref.alloc() : memref<8xbf16, 2>
    memref.store %v, %m[%i] : memref<8xf32, 2>
    memref.store %w, %k[%i] : memref<8xbf16, 2>
  }
  return
}

// -----

// Two herds on one core follow each other, and share the L1 memory of the segment. What a core
// calls is declared on plain memory.
// CHECK-LABEL: aie.device(npu1) @two {
// CHECK: %[[B:.*]] = aie.buffer
// CHECK-NOT: aie.buffer
// CHECK: aie.core
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK: cf.br ^bb3
// CHECK-NEXT: ^bb3:
// CHECK: cf.br ^bb4
// CHECK-NEXT: ^bb4:
// CHECK: %[[V:.*]] = memref.subview %[[B]]
// CHECK-NEXT: %[[P:.*]] = memref.cast %[[V]]
// CHECK-NEXT: %[[Q:.*]] = memref.cast %[[P]]
// CHECK-NEXT: call @kernel(%[[Q]]) : (memref<4xi32, 2>) -> ()
// CHECK: aie.end
// CHECK: link_with = "kernel.o"
// CHECK: func.func private @kernel(memref<4xi32, 2>) attributes {link_with = "kernel.o", llvm.emit_c_interface}
func.func private @kernel(memref<4xi32, strided<[1], offset: 4>, 2>)
func.func @t() {
  air.segment @two {
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.herd @a tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%l = %m) : memref<8xi32, 2> attributes {link_with = "kernel.o"} {
      %c5 = arith.constant 5 : i32
      memref.store %c5, %l[%x] : memref<8xi32, 2>
    }
    air.herd @b tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%l = %m) : memref<8xi32, 2> {
      %v = memref.subview %l[4] [4] [1] : memref<8xi32, 2> to memref<4xi32, strided<[1], offset: 4>, 2>
      func.call @kernel(%v) : (memref<4xi32, strided<[1], offset: 4>, 2>) -> ()
    }
  }
  return
}

// -----

// A device is a symbol of the module, a segment is none.
// CHECK: aie.device(npu1) @taken_0 {
// CHECK: func.func @taken
// CHECK: air.segment @taken_0
func.func @taken() {
  air.segment @taken {
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    }
  }
  return
}
