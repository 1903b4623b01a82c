// RUN: airlite-opt %s --air-align-rows | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-align-rows{bytes=64}' | FileCheck %s --check-prefix=WIDE
// RUN: airlite-opt %s --pipeline='air-align-rows{l1-bytes=4000}' | FileCheck %s --check-prefix=TIGHT
// RUN: airlite-opt %s --air-align-rows --check-each --emit=none
// RUN: not airlite-opt %s --pipeline='air-align-rows{bytes=6}' 2>&1 | FileCheck %s --check-prefix=ERR
// ERR: error: air-align-rows: expected 'bytes' to be a multiple of 4

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#turned = affine_map<(i, j) -> (j, i)>
#line = affine_map<(i) -> (i)>
air.channel @in [1]
air.channel @bias [1]
air.channel @out [1]
air.channel @flat [1]
air.channel @bytes [1]

// Rows of 60 that each row adds the same to, and that are summed up: all three buffers get rows of 64, the sums stay.
// CHECK-LABEL: func.func @rows
// CHECK: %[[X:.*]] = memref.alloc() : memref<8x64xbf16, 2>
// CHECK: memref.alloc() : memref<64xbf16, 2>
// CHECK: %{{.*}}, %[[Y:.*]] = air.execute -> (memref<8x64xbf16, 2>)
// CHECK: memref.alloc() : memref<8xbf16, 2>
// CHECK: air.channel.get @in[] (%[[X]][%c0{{.*}}, %c0{{.*}}] [%c8{{.*}}, %c60{{.*}}] [%c64{{.*}}, %c1{{.*}}]) : (memref<8x64xbf16, 2>)
// CHECK: air.channel.get @bias[] (%{{.*}}[%c0{{.*}}] [%c60{{.*}}] [%c1{{.*}}]) : (memref<64xbf16, 2>)
// CHECK: linalg.generic {{.*}} outs(%[[Y]] : memref<8x64xbf16, 2>)
// CHECK: %[[VIEW:.*]] = memref.subview %[[Y]][0, 0] [8, 60] [1, 1] : memref<8x64xbf16, 2> to memref<8x60xbf16, strided<[64, 1]>, 2>
// CHECK: linalg.generic {{.*}} ins(%[[VIEW]]
// CHECK: air.channel.put @out[] (%[[Y]][%c0{{.*}}, %c0{{.*}}] [%c8{{.*}}, %c60{{.*}}] [%c64{{.*}}, %c1{{.*}}])
// WIDE-LABEL: func.func @rows
// WIDE: memref.alloc() : memref<8x64xbf16, 2>
// TIGHT-LABEL: func.func @rows
// TIGHT: memref.alloc() : memref<8x64xbf16, 2>
func.func @rows(%a: memref<8x60xbf16>, %b: memref<60xbf16>, %c: memref<8x60xbf16>, %d: memref<8xbf16>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c, %ld = %d) : memref<8x60xbf16>, memref<60xbf16>, memref<8x60xbf16>, memref<8xbf16> {
    %0 = air.channel.put async @in[] (%la[] [] []) : (memref<8x60xbf16>)
    %1 = air.channel.put async @bias[] (%lb[] [] []) : (memref<60xbf16>)
    %2 = air.channel.get async @out[] (%lc[] [] []) : (memref<8x60xbf16>)
    %3 = air.channel.get async @flat[] (%ld[] [] []) : (memref<8xbf16>)
    %4 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %one) {
        %zero = arith.constant 0.0 : bf16
        %x = memref.alloc() : memref<8x60xbf16, 2>
        %w = memref.alloc() : memref<60xbf16, 2>
        %t, %y = air.execute -> (memref<8x60xbf16, 2>) {
          %made = memref.alloc() : memref<8x60xbf16, 2>
          air.execute_terminator %made : memref<8x60xbf16, 2>
        }
        %s = memref.alloc() : memref<8xbf16, 2>
        air.channel.get @in[] (%x[] [] []) : (memref<8x60xbf16, 2>)
        air.channel.get @bias[] (%w[] [] []) : (memref<60xbf16, 2>)
        linalg.generic {indexing_maps = [#both, #column, #both], iterator_types = ["parallel", "parallel"]}
            ins(%x, %w : memref<8x60xbf16, 2>, memref<60xbf16, 2>) outs(%y : memref<8x60xbf16, 2>) {
        ^bb0(%p: bf16, %q: bf16, %o: bf16):
          %r = arith.addf %p, %q : bf16
          linalg.yield %r : bf16
        }
        linalg.fill ins(%zero : bf16) outs(%s : memref<8xbf16, 2>)
        linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
            ins(%y : memref<8x60xbf16, 2>) outs(%s : memref<8xbf16, 2>) {
        ^bb0(%p: bf16, %o: bf16):
          %r = arith.addf %o, %p : bf16
          linalg.yield %r : bf16
        }
        air.channel.put @out[] (%y[] [] []) : (memref<8x60xbf16, 2>)
        air.channel.put @flat[] (%s[] [] []) : (memref<8xbf16, 2>)
        memref.dealloc %x : memref<8x60xbf16, 2>
      }
    }
  }
  return
}

// Two elements of bytes, and one of 32 bits beside them: the narrow ones say how long rows become.
// CHECK-LABEL: func.func @widths
// CHECK: memref.alloc() : memref<4x64xi8, 2>
// CHECK: memref.alloc() : memref<4x64xi32, 2>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<4x64xi8, 2>, memref<4xi32, 2>) outs(%{{.*}} : memref<4x64xi32, 2>)
// WIDE-LABEL: func.func @widths
// WIDE: memref.alloc() : memref<4x64xi8, 2>
// TIGHT-LABEL: func.func @widths
// TIGHT: memref.alloc() : memref<4x36xi8, 2>
func.func @widths() {
  %one = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %one) {
    %x = memref.alloc() : memref<4x36xi8, 2>
    %s = memref.alloc() : memref<4xi32, 2>
    %y = memref.alloc() : memref<4x36xi32, 2>
    %full = memref.alloc() : memref<800xi32, 2>
    linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
        ins(%x, %s : memref<4x36xi8, 2>, memref<4xi32, 2>) outs(%y : memref<4x36xi32, 2>) {
    ^bb0(%p: i8, %q: i32, %o: i32):
      %e = arith.extsi %p : i8 to i32
      %r = arith.addi %e, %q : i32
      linalg.yield %r : i32
    }
  }
  return
}

// Nothing happens to: rows that ops see as one, short rows of odd bytes, turned rows, quotients, buffers that are only partly moved.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: memref.alloc() : memref<8x60xi32, 2>
// CHECK: memref.alloc() : memref<8x29xi8, 2>
// CHECK-NOT: x64x
func.func @others() {
  %one = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %one) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c60 = arith.constant 60 : index
    %a = memref.alloc() : memref<8x60xi32, 2>
    %b = memref.alloc() : memref<8x60xi32, 2>
    %d = memref.alloc() : memref<8x60xi32, 2>
    %f = memref.alloc() : memref<8x60xi32, 2>
    %c = memref.alloc() : memref<8x29xi8, 2>
    %s = memref.alloc() : memref<8xi32, 2>
    %w = memref.alloc() : memref<8xi8, 2>
    %t = memref.alloc() : memref<60x8xi32, 2>
    linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<8x60xi32, 2>) outs(%a : memref<8x60xi32, 2>) {
    ^bb0(%p: i32, %o: i32):
      %r = arith.addi %p, %o : i32
      linalg.yield %r : i32
    }
    linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
        ins(%b, %s : memref<8x60xi32, 2>, memref<8xi32, 2>) outs(%b : memref<8x60xi32, 2>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %r = arith.divsi %p, %q : i32
      linalg.yield %r : i32
    }
    linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
        ins(%c : memref<8x29xi8, 2>) outs(%w : memref<8xi8, 2>) {
    ^bb0(%p: i8, %o: i8):
      %r = arith.addi %p, %o : i8
      linalg.yield %r : i8
    }
    linalg.generic {indexing_maps = [#both, #turned], iterator_types = ["parallel", "parallel"]}
        ins(%d : memref<8x60xi32, 2>) outs(%t : memref<60x8xi32, 2>) {
    ^bb0(%p: i32, %o: i32):
      linalg.yield %p : i32
    }
    linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
        ins(%f : memref<8x60xi32, 2>) outs(%s : memref<8xi32, 2>) {
    ^bb0(%p: i32, %o: i32):
      %r = arith.addi %p, %o : i32
      linalg.yield %r : i32
    }
    air.channel.put @bytes[] (%f[%c0] [%c60] [%c1]) : (memref<8x60xi32, 2>)
  }
  return
}

// Rows of 61 bf16 come in a buffer of their own, and go in one; what waited for them waits for the copy.
// CHECK-LABEL: func.func @odd
// CHECK: %[[PACKED:.*]] = memref.alloc() : memref<528xbf16, 2>
// CHECK: %[[ROWS:.*]] = memref.alloc() : memref<8x64xbf16, 2>
// CHECK: %[[GET:.*]] = air.channel.get async @in[] (%[[PACKED]][%c0{{.*}}] [%c488{{.*}}] [%c1{{.*}}]) : (memref<528xbf16, 2>)
// CHECK: %[[COPIED:.*]] = air.execute [%[[GET]]] {
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8{{.*}} step %c1
// CHECK: %[[FIRST:.*]] = arith.muli %[[I]], %c61
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK: %[[AT:.*]] = arith.addi %[[J]], %[[FIRST]]
// CHECK: %[[PART:.*]] = vector.load %[[PACKED]][%[[AT]]]
// CHECK: vector.store %[[PART]], %[[ROWS]][%[[I]], %[[J]]]
// CHECK: %[[SUMS:.*]] = air.execute [%[[COPIED]]] {
// CHECK: linalg.generic
// CHECK: %[[BACK:.*]] = air.execute [%[[SUMS]]] {
// CHECK: vector.load %[[ROWS]]
// CHECK: vector.store %{{.*}}, %[[PACKED]]
// CHECK: air.channel.put async [%[[BACK]]] @out[] (%[[PACKED]][%c0{{.*}}] [%c488{{.*}}] [%c1{{.*}}])
// CHECK: memref.dealloc %[[ROWS]]
// CHECK: memref.dealloc %[[PACKED]]
func.func @odd() {
  %one = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %one) {
    %x = memref.alloc() : memref<8x61xbf16, 2>
    %s = memref.alloc() : memref<8xbf16, 2>
    %0 = air.channel.get async @in[] (%x[] [] []) : (memref<8x61xbf16, 2>)
    %1 = air.execute [%0] {
      linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
          ins(%x : memref<8x61xbf16, 2>) outs(%s : memref<8xbf16, 2>) {
      ^bb0(%p: bf16, %o: bf16):
        %r = arith.addf %o, %p : bf16
        linalg.yield %r : bf16
      }
      air.execute_terminator
    }
    %2 = air.channel.put async [%1] @out[] (%x[] [] []) : (memref<8x61xbf16, 2>)
    %3 = air.execute [%2] {
      memref.dealloc %x : memref<8x61xbf16, 2>
      air.execute_terminator
    }
  }
  return
}

// Dimensions that still lie together are one.
// CHECK-LABEL: func.func @cube
// CHECK: air.channel.get @in[] (%{{.*}}[%c0{{.*}}, %c0{{.*}}] [%c8{{.*}}, %c60{{.*}}] [%c64{{.*}}, %c1{{.*}}]) : (memref<2x4x64xf32, 2>)
func.func @cube() {
  %one = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %one) {
    %x = memref.alloc() : memref<2x4x60xf32, 2>
    %s = memref.alloc() : memref<2x4xf32, 2>
    air.channel.get @in[] (%x[] [] []) : (memref<2x4x60xf32, 2>)
    linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : memref<2x4x60xf32, 2>) outs(%s : memref<2x4xf32, 2>) {
    ^bb0(%p: f32, %o: f32):
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    }
  }
  return
}

// All rows together are not whole words: nothing may follow them, so vectors copy what two of them reach from inside of a row.
// CHECK-LABEL: func.func @odd_rows
// CHECK: %[[packed:.*]] = memref.alloc() : memref<183xbf16, 2>
// CHECK: air.channel.get @in[] (%[[packed]][] [] []) : (memref<183xbf16, 2>)
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK: vector.load %[[packed]]
// CHECK: memref.subview %{{.*}}[0, 32] [3, 29] [1, 1] : memref<3x64xbf16, 2>
// CHECK: memref.subview %{{.*}}[0, 32] [3, 29] [1, 1] : memref<3x61xbf16, 2>
// CHECK: linalg.copy
func.func @odd_rows() {
  %one = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %one) {
    %x = memref.alloc() : memref<3x61xbf16, 2>
    %s = memref.alloc() : memref<3xf32, 2>
    air.channel.get @in[] (%x[] [] []) : (memref<3x61xbf16, 2>)
    linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<3x61xbf16, 2>) outs(%s : memref<3xf32, 2>) {
    ^bb0(%p: bf16, %o: f32):
      %q = arith.extf %p : bf16 to f32
      %r = arith.addf %q, %o : f32
      linalg.yield %r : f32
    }
  }
  return
}
