// RUN: airlite-opt %s --air-split-launch-for-padding=pad-location=source | FileCheck %s --check-prefix=SOURCE
// RUN: airlite-opt %s --air-split-launch-for-padding=use-dma-memcpy=true | FileCheck %s --check-prefix=SOURCE
// RUN: airlite-opt %s --air-split-launch-for-padding | FileCheck %s --check-prefix=MEMTILE

// Three tiles of four, of which ten rows and nine columns are there: the last row of tiles holds two
// rows, the last column one. Ids stay those of the whole launch.
// SOURCE-LABEL: func.func @both
// SOURCE: air.launch ({{.*}}) in (%{{.*}}=%c2{{[_0-9]*}}, %{{.*}}=%c2{{[_0-9]*}})
// SOURCE: air.segment @s_interior
// SOURCE: air.dma_memcpy_nd ({{.*}}) {id = 1 : i32}
// SOURCE: air.launch ({{.*}}) in (%{{.*}}=%c1{{[_0-9]*}}, %{{.*}}=%c2{{[_0-9]*}})
// SOURCE: %[[LAST:.*]] = arith.constant 2 : index
// SOURCE: air.segment @s_m_boundary args(%{{.*}}=%[[LAST]],
// SOURCE: air.dma_memcpy_nd ({{.*}} [2, 4] [12, 1]) {id = 1 : i32, pad_after = array<i32: 2, 0>, pad_before = array<i32: 0, 0>}
// SOURCE: air.launch ({{.*}}) in (%{{.*}}=%c2{{[_0-9]*}}, %{{.*}}=%c1{{[_0-9]*}})
// SOURCE: air.segment @s_n_boundary
// SOURCE: air.dma_memcpy_nd ({{.*}} [4, 1] [12, 1]) {id = 1 : i32, pad_after = array<i32: 0, 3>, pad_before = array<i32: 0, 0>}
// SOURCE: air.segment @s_corner
// SOURCE: air.dma_memcpy_nd ({{.*}} [2, 1] [12, 1]) {id = 1 : i32, pad_after = array<i32: 2, 3>, pad_before = array<i32: 0, 0>}
// SOURCE: return

// The copy into L2 is shortened on both sides, the one out of it gets the zeros.
// MEMTILE-LABEL: func.func @both
// MEMTILE: air.segment @s_m_boundary
// MEMTILE: air.dma_memcpy_nd (%{{.*}}[%{{.*}}, %{{.*}}] [%c2{{[_0-9]*}}, %c4{{[_0-9]*}}] [%c4{{[_0-9]*}}, %c1{{[_0-9]*}}], {{.*}} [2, 4] [12, 1]) {id = 1 : i32}
// MEMTILE: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}, %{{.*}}] [%c2{{[_0-9]*}}, %c4{{[_0-9]*}}] [%c4{{[_0-9]*}}, %c1{{[_0-9]*}}]) {id = 2 : i32, pad_after = array<i32: 2, 0>, pad_before = array<i32: 0, 0>}
// MEMTILE: air.segment @s_n_boundary
// MEMTILE: air.segment @s_corner
// MEMTILE: return
func.func @both(%m: memref<12x12xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%i, %j) in (%si = %c3, %sj = %c3) args(%all = %m) : memref<12x12xi32> attributes {air.actual_sizes = array<i64: 10, 9>} {
    air.segment @s args(%x = %i, %y = %j, %data = %all) : index, index, memref<12x12xi32> {
      %c4 = arith.constant 4 : index
      %row = arith.muli %x, %c4 : index
      %column = arith.muli %y, %c4 : index
      %l2 = memref.alloc() : memref<4x4xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %data[%row, %column] [4, 4] [12, 1]) {id = 1 : i32} : (memref<4x4xi32, 1>, memref<12x12xi32>)
      %l1 = memref.alloc() : memref<4x4xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %l2[] [] []) {id = 2 : i32} : (memref<4x4xi32, 2>, memref<4x4xi32, 1>)
      memref.dealloc %l1 : memref<4x4xi32, 2>
      memref.dealloc %l2 : memref<4x4xi32, 1>
    }
  }
  return
}

// Two shims of four rows each make a tile of eight; thirteen rows leave five for the last: four for
// the first shim and one for the second. Each part has channels of its own; who waits for the launch
// waits for both parts.
// MEMTILE: air.channel @in_interior [2]
// MEMTILE: air.channel @in_m_boundary [2]
// MEMTILE-LABEL: func.func @shims
// MEMTILE: air.launch async
// MEMTILE-COUNT-2: air.channel.put {{.*}} @in_interior
// MEMTILE: %[[SECOND:.*]] = air.launch async
// MEMTILE: air.channel.put {{.*}} @in_m_boundary[%c0{{[_0-9]*}}] (%{{.*}} [4, 2] [2, 1])
// MEMTILE: air.channel.put {{.*}} @in_m_boundary[%c1{{[_0-9]*}}] (%{{.*}} [1, 2] [2, 1])
// MEMTILE: air.channel.get {{.*}} @in_m_boundary[%c0{{[_0-9]*}}] (%{{.*}}[] [] [])
// MEMTILE: air.channel.get {{.*}} @in_m_boundary[%c1{{[_0-9]*}}] (%{{.*}} [%c1{{[_0-9]*}}, %c2{{[_0-9]*}}] [%c2{{[_0-9]*}}, %c1{{[_0-9]*}}])
// In blocks of two rows: the one row is in the first of two blocks.
// MEMTILE: air.channel.put {{.*}} @out_m_boundary[] (%{{.*}} [1, 2, 2] [4, 2, 1]) {pad_after = array<i32: 1, 0, 0>
// MEMTILE: air.wait_all async [%{{.*}}, %[[SECOND]]]

// SOURCE-LABEL: func.func @shims
// SOURCE: air.channel.put {{.*}} @in_m_boundary[%c1{{[_0-9]*}}] (%{{.*}} [1, 2] [2, 1]) {pad_after = array<i32: 3, 0>
// SOURCE: air.channel.get {{.*}} @in_m_boundary[%c1{{[_0-9]*}}] (%{{.*}}[] [] [])
// SOURCE: return
air.channel @in [2]
air.channel @out []
func.func @shims(%m: memref<16x2xi32>) {
  %c2 = arith.constant 2 : index
  %t = air.launch async (%i) in (%si = %c2) args(%all = %m) : memref<16x2xi32> attributes {air.actual_sizes = array<i64: 13>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %row = arith.muli %i, %c8 : index
    %next = arith.addi %row, %c4 : index
    %t0 = air.channel.put async @in[%c0] (%all[%row, 0] [4, 2] [2, 1]) : (memref<16x2xi32>)
    %t1 = air.channel.put async @in[%c1] (%all[%next, 0] [4, 2] [2, 1]) : (memref<16x2xi32>)
    air.segment @t {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %a = memref.alloc() : memref<4x2xi32, 1>
      %b = memref.alloc() : memref<4x2xi32, 1>
      %g0 = air.channel.get async @in[%zero] (%a[] [] []) : (memref<4x2xi32, 1>)
      %g1 = air.channel.get async @in[%one] (%b[] [] []) : (memref<4x2xi32, 1>)
      %p1 = air.channel.put async [%g1] @out[] (%b[0, 0, 0] [2, 2, 2] [4, 2, 1]) : (memref<4x2xi32, 1>)
      %e0 = air.execute [%g0] {
        memref.dealloc %a : memref<4x2xi32, 1>
      }
      %e1 = air.execute [%p1] {
        memref.dealloc %b : memref<4x2xi32, 1>
      }
    }
  }
  air.wait_all [%t]
  return
}
