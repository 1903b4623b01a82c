// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-part=128 least-row=16 request=32' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-part=128 least-row=16 request=16' --check-each | FileCheck %s --check-prefix=SHORT

// What is kept in L2 is split along its rows even where these are short. Rows of 16 bytes are less than a request of 32 bytes
// of the memory of the host: two cores share a part, whose rows have 32 bytes. Two transfers fill it, with half of the rows
// each, cut between two steps of the cores.
// CHECK: air.channel @[[IN:.*]] [4, 1]
// CHECK-LABEL: func.func @kept
// CHECK: air.channel.put @[[IN]][%c0{{.*}} [%c8, %c32] [%c64,
// CHECK: air.channel.put @[[IN]][%c1{{.*}} (%{{.*}}[%c8{{.*}} [%c8{{.*}}, %c32] [%c64,
// CHECK: air.channel.put @[[IN]][%c2
// CHECK: air.channel.put @[[IN]][%c3
// CHECK: air.segment
// CHECK: %[[FIRST:.*]] = memref.alloc() {air.kept} : memref<16x32xi8, 1>
// CHECK: %[[SECOND:.*]] = memref.alloc() {air.kept} : memref<16x32xi8, 1>
// CHECK: air.channel.get @[[IN]]{{.*}} (%[[FIRST]]
// CHECK: air.channel.get @[[IN]]{{.*}} (%[[FIRST]]
// CHECK: air.channel.get @[[IN]]{{.*}} (%[[SECOND]]
// CHECK: air.channel.get @[[IN]]{{.*}} (%[[SECOND]]
// CHECK: air.channel.put {{.*}}@c[{{.*}}] (%[[FIRST]][%{{.*}}, 0] [4, 16] [32, 1])
// CHECK: air.channel.put {{.*}}@c[{{.*}}] (%[[FIRST]][%{{.*}}, 16] [4, 16] [32, 1])
// CHECK: air.channel.put {{.*}}@c[{{.*}}] (%[[SECOND]][%{{.*}}, 0] [4, 16] [32, 1])
// CHECK: air.channel.put {{.*}}@c[{{.*}}] (%[[SECOND]][%{{.*}}, 16] [4, 16] [32, 1])
// SHORT-COUNT-4: memref.alloc() {air.kept} : memref<16x16xi8, 1>
air.channel @in [1]
air.channel @c [4]
func.func @kept(%b: memref<16x64xi8>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%nx=%one) args(%l3=%b) : memref<16x64xi8> {
    air.channel.put @in[] (%l3[] [] []) : (memref<16x64xi8>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %l2 = memref.alloc() {air.kept} : memref<16x64xi8, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<16x64xi8, 1>)
      scf.for %i = %c0 to %c2 step %c1 {
        scf.for %k = %c0 to %c16 step %c4 {
          air.channel.put @c[%c0] (%l2[%k, 0] [4, 16] [64, 1]) : (memref<16x64xi8, 1>)
        }
        scf.for %k = %c0 to %c16 step %c4 {
          air.channel.put @c[%c1] (%l2[%k, 16] [4, 16] [64, 1]) : (memref<16x64xi8, 1>)
        }
        scf.for %k = %c0 to %c16 step %c4 {
          air.channel.put @c[%c2] (%l2[%k, 32] [4, 16] [64, 1]) : (memref<16x64xi8, 1>)
        }
        scf.for %k = %c0 to %c16 step %c4 {
          air.channel.put @c[%c3] (%l2[%k, 48] [4, 16] [64, 1]) : (memref<16x64xi8, 1>)
        }
      }
      memref.dealloc %l2 : memref<16x64xi8, 1>
      %four = arith.constant 4 : index
      air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%four) {
        %a0 = arith.constant 0 : index
        %a1 = arith.constant 1 : index
        %a8 = arith.constant 8 : index
        scf.for %i = %a0 to %a8 step %a1 {
          %l1 = memref.alloc() : memref<4x16xi8, 2>
          air.channel.get @c[%ty] (%l1[] [] []) : (memref<4x16xi8, 2>)
          memref.dealloc %l1 : memref<4x16xi8, 2>
        }
      }
    }
  }
  return
}

// What comes in turns as well: each of two transfers brings half of the rows of a turn.
// CHECK: air.channel @[[TURNS:.*]] [4, 1]
// CHECK-LABEL: func.func @turns
// CHECK: scf.for
// CHECK: air.channel.put @[[TURNS]][%c0{{.*}} (%{{.*}}[%{{.*}}, %{{.*}}] [%c8{{.*}}, %c32{{.*}}] [%c64
// CHECK: air.channel.put @[[TURNS]][%c1
// CHECK: air.channel.put @[[TURNS]][%c2
// CHECK: air.channel.put @[[TURNS]][%c3
// CHECK: air.segment
// CHECK-COUNT-2: memref.alloc() : memref<64x32xi8, 1>
// SHORT-LABEL: func.func @turns
// SHORT-COUNT-4: memref.alloc() : memref<64x16xi8, 1>
air.channel @in_turns [1]
air.channel @d [4]
func.func @turns(%b: memref<64x64xi8>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%nx=%one) args(%l3=%b) : memref<64x64xi8> {
    %h0 = arith.constant 0 : index
    %h16 = arith.constant 16 : index
    %h64 = arith.constant 64 : index
    scf.for %k = %h0 to %h64 step %h16 {
      air.channel.put @in_turns[] (%l3[%k, 0] [16, 64] [64, 1]) : (memref<64x64xi8>)
    }
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %l2 = memref.alloc() : memref<64x64xi8, 1>
      scf.for %k = %c0 to %c64 step %c16 {
        air.channel.get @in_turns[] (%l2[%k, 0] [16, 64] [64, 1]) : (memref<64x64xi8, 1>)
      }
      scf.for %k = %c0 to %c64 step %c4 {
        air.channel.put @d[%c0] (%l2[%k, 0] [4, 16] [64, 1]) : (memref<64x64xi8, 1>)
      }
      scf.for %k = %c0 to %c64 step %c4 {
        air.channel.put @d[%c1] (%l2[%k, 16] [4, 16] [64, 1]) : (memref<64x64xi8, 1>)
      }
      scf.for %k = %c0 to %c64 step %c4 {
        air.channel.put @d[%c2] (%l2[%k, 32] [4, 16] [64, 1]) : (memref<64x64xi8, 1>)
      }
      scf.for %k = %c0 to %c64 step %c4 {
        air.channel.put @d[%c3] (%l2[%k, 48] [4, 16] [64, 1]) : (memref<64x64xi8, 1>)
      }
      memref.dealloc %l2 : memref<64x64xi8, 1>
      %four = arith.constant 4 : index
      air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%four) {
        %a0 = arith.constant 0 : index
        %a1 = arith.constant 1 : index
        %a16 = arith.constant 16 : index
        scf.for %i = %a0 to %a16 step %a1 {
          %l1 = memref.alloc() : memref<4x16xi8, 2>
          air.channel.get @d[%ty] (%l1[] [] []) : (memref<4x16xi8, 2>)
          memref.dealloc %l1 : memref<4x16xi8, 2>
        }
      }
    }
  }
  return
}
