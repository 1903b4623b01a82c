// RUN: airlite-opt %s --air-group-host-places=groups=2 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// Two places of four are a group: what comes goes on to them once it is all there, and what they send is gathered.
// CHECK-LABEL: func.func @four
// CHECK: air.segment
// CHECK: memref.alloc() : memref<2x8xi32, 1
// CHECK: %[[A:.*]] = scf.for
// CHECK: air.channel.get async {{.*}}@o[%c0
// CHECK: %[[B:.*]] = scf.for
// CHECK: air.channel.get async {{.*}}@o[%c1
// CHECK: %[[AB:.*]] = air.wait_all async [%[[A]], %[[B]]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[AB]])
// CHECK: air.channel.put async {{.*}}@[[OUT:channel_[0-9]+]][%c0
// CHECK: air.channel.get async {{.*}}@[[IN:channel_[0-9]+]][%c0
// CHECK: air.herd
// CHECK: air.channel.put {{.*}}@[[IN]][%c0
// CHECK: air.channel.put {{.*}}@[[IN]][%c0
// CHECK: air.channel.put {{.*}}@[[IN]][%c1
// CHECK: air.channel.put {{.*}}@[[IN]][%c1
// CHECK: scf.for
// CHECK: air.channel.get {{.*}}@[[OUT]][%c0
// CHECK: air.channel.get {{.*}}@[[OUT]][%c1
air.channel @i [4]
air.channel @o [4]
func.func @four(%a: memref<4x8xi32>, %b: memref<8x8xi32>) {
  air.launch () in () args(%u=%a, %v=%b) : memref<4x8xi32>, memref<8x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %s = air.wait_all async
    %t = air.segment @s async {
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      air.herd @h tile(%tx, %ty) in (%hx=%d1, %hy=%d4) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e2 = arith.constant 2 : index
        %own = memref.alloc() : memref<8xi32, 2>
        air.channel.get @i[%ty] (%own[] [] []) : (memref<8xi32, 2>)
        scf.for %r = %e0 to %e2 step %e1 {
          air.channel.put @o[%ty] (%own[] [] []) : (memref<8xi32, 2>)
        }
        memref.dealloc %own : memref<8xi32, 2>
      }
    }
    scf.parallel (%p) = (%c0) to (%c4) step (%c1) {
      air.channel.put @i[%p] (%u[%p, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xi32>)
      scf.reduce
    }
    scf.for %r = %c0 to %c2 step %c1 {
      %r2 = arith.addi %r, %c2 : index
      %r4 = arith.addi %r, %c4 : index
      %r6 = arith.addi %r, %c6 : index
      air.channel.get @o[%c0] (%v[%r, %c0] [%c1, %c8] [%c8, %c1]) : (memref<8x8xi32>)
      air.channel.get @o[%c2] (%v[%r4, %c0] [%c1, %c8] [%c8, %c1]) : (memref<8x8xi32>)
      air.channel.get @o[%c1] (%v[%r2, %c0] [%c1, %c8] [%c8, %c1]) : (memref<8x8xi32>)
      air.channel.get @o[%c3] (%v[%r6, %c0] [%c1, %c8] [%c8, %c1]) : (memref<8x8xi32>)
    }
  }
  return
}

// REMARK: [[@LINE+1]]:1: remark: [air-group-host-places] stays: something in a parallel loop of the host blocks, or it has too many iterations
air.channel @inputs [3]
// REMARK: [[@LINE+1]]:1: remark: [air-group-host-places] stays: something in a parallel loop of the host blocks, or it has too many iterations
air.channel @both [3]
// REMARK: [[@LINE+1]]:1: remark: [air-group-host-places] stays: its transfers have several sizes, or a size is not constant
air.channel @sizes [3]
// REMARK: [[@LINE+1]]:1: remark: [air-group-host-places] stays: it is a broadcast, a cascade or of packets with headers, or holds several transfers
air.channel @wide [3, 1] {broadcast_shape = [3, 2]}
func.func @declined(%a: memref<8xi32>, %b: memref<3x8xi32>) {
  %l = air.launch async () in () args(%u=%a, %v=%b) : memref<8xi32>, memref<3x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    scf.parallel (%p) = (%c0) to (%c3) step (%c1) {
      air.channel.put @inputs[%p] (%u[] [] []) : (memref<8xi32>)
      air.channel.get @both[%p] (%v[%p, %c0] [%c1, %c8] [%c8, %c1]) : (memref<3x8xi32>)
      scf.reduce
    }
    air.channel.put @sizes[%c0] (%u[] [] []) : (memref<8xi32>)
    air.channel.put @sizes[%c1] (%u[%c0] [%c3] [%c1]) : (memref<8xi32>)
    air.channel.put @sizes[%c2] (%u[] [] []) : (memref<8xi32>)
    scf.for %r = %c0 to %c3 step %c1 {
      air.channel.put @wide[%c0, %c0] (%u[] [] []) : (memref<8xi32>)
    }
    air.segment @t {
      %d2 = arith.constant 2 : index
      %d3 = arith.constant 3 : index
      air.herd @g tile(%tx, %ty) in (%hx=%d3, %hy=%d2) {
        %own = memref.alloc() : memref<8xi32, 2>
        air.channel.get @inputs[%tx] (%own[] [] []) : (memref<8xi32, 2>)
        air.channel.put @both[%tx] (%own[] [] []) : (memref<8xi32, 2>)
        air.channel.get @sizes[%tx] (%own[] [] []) : (memref<8xi32, 2>)
        air.channel.get @wide[%tx, %ty] (%own[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %own : memref<8xi32, 2>
      }
    }
  }
  return
}
