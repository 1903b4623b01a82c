// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-row=8 request=8' --check-each | FileCheck %s --check-prefix=COLUMNS
// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-row=8 request=16' --check-each | FileCheck %s --check-prefix=ROWS

// Four cores make a matrix that is sent on. Where a request of the memory of the host is as long as the rows of a core, each part
// is a column of them, in which the tile of a core is contiguous; where it is longer, a row of them.
// COLUMNS-COUNT-2: memref.alloc() : memref<8x8xi8, 1>
// COLUMNS: air.channel.get @tile{{.*}}[0, 0] [4, 8] [8, 1])
// ROWS-COUNT-2: memref.alloc() : memref<4x16xi8, 1>
// ROWS: air.channel.get @tile{{.*}}[0, 0] [4, 8] [16, 1])
// ROWS: air.channel.get @tile{{.*}}[0, 8] [4, 8] [16, 1])
air.channel @tile [2, 2]
air.channel @out []
func.func @sent_on(%c: memref<8x16xi8>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%nx=%one) args(%l3=%c) : memref<8x16xi8> {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %two = arith.constant 2 : index
      %l2 = memref.alloc() : memref<8x16xi8, 1>
      air.herd @h tile (%tx, %ty) in (%sx=%two, %sy=%two) {
        %l1 = memref.alloc() : memref<4x8xi8, 2>
        %z = arith.constant 7 : i8
        linalg.fill ins(%z : i8) outs(%l1 : memref<4x8xi8, 2>)
        air.channel.put @tile[%tx, %ty] (%l1[] [] []) : (memref<4x8xi8, 2>)
        memref.dealloc %l1 : memref<4x8xi8, 2>
      }
      air.channel.get @tile[%c0, %c0] (%l2[0, 0] [4, 8] [16, 1]) : (memref<8x16xi8, 1>)
      air.channel.get @tile[%c0, %c1] (%l2[0, 8] [4, 8] [16, 1]) : (memref<8x16xi8, 1>)
      air.channel.get @tile[%c1, %c0] (%l2[4, 0] [4, 8] [16, 1]) : (memref<8x16xi8, 1>)
      air.channel.get @tile[%c1, %c1] (%l2[4, 8] [4, 8] [16, 1]) : (memref<8x16xi8, 1>)
      air.channel.put @out[] (%l2[] [] []) : (memref<8x16xi8, 1>)
      memref.dealloc %l2 : memref<8x16xi8, 1>
    }
    air.channel.get @out[] (%l3[] [] []) : (memref<8x16xi8>)
  }
  return
}
