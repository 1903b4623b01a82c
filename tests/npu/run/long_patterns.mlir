// What one descriptor of a core cannot say, and more transfers than a tile has descriptors or locks for.
// RUN: airlite-run %s --on=sim --function=four_dims --init=random:1 --compare=interp | FileCheck %s
// RUN: airlite-run %s --on=sim --function=four_dims_get --init=random:1 --compare=interp | FileCheck %s
// RUN: airlite-run %s --on=sim --function=changes --init=random:1 --compare=interp | FileCheck %s
// RUN: airlite-run %s --on=sim --function=many_descriptors --init=random:1 --compare=interp | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit

air.channel @a [1]
air.channel @o [1]

// A core sends in an order of four dimensions: a descriptor of a core has three.
func.func @four_dims(%a0: memref<1024xi32>, %a1: memref<1024xi32>) {
  air.launch () in () args(%l0=%a0, %l1=%a1) : memref<1024xi32>, memref<1024xi32> {
    %tok1 = air.channel.put async @a[] (%l0[] [] []) : (memref<1024xi32>)
    %tok2 = air.channel.get async @o[] (%l1[] [] []) : (memref<1024xi32>)
    air.segment @four_dims_s {
      %one = arith.constant 1 : index
      air.herd @four_dims_h tile (%x, %y) in (%sx=%one, %sy=%one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %c128 = arith.constant 128 : index
        %c256 = arith.constant 256 : index
        %c512 = arith.constant 512 : index
        %A = memref.alloc() : memref<1024xi32, 2>
        air.channel.get @a[] (%A[] [] []) : (memref<1024xi32, 2>)
        air.channel.put @o[] (%A[%c0, %c0, %c0, %c0] [%c4, %c16, %c2, %c8] [%c256, %c8, %c128, %c1]) : (memref<1024xi32, 2>)
      }
    }
  }
  return
}

// Five dimensions of a core that gets.
func.func @four_dims_get(%a0: memref<1024xi32>, %a1: memref<1024xi32>) {
  air.launch () in () args(%l0=%a0, %l1=%a1) : memref<1024xi32>, memref<1024xi32> {
    %tok1 = air.channel.put async @a[] (%l0[] [] []) : (memref<1024xi32>)
    %tok2 = air.channel.get async @o[] (%l1[] [] []) : (memref<1024xi32>)
    air.segment @four_dims_get_s {
      %one = arith.constant 1 : index
      air.herd @four_dims_get_h tile (%x, %y) in (%sx=%one, %sy=%one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %c128 = arith.constant 128 : index
        %c256 = arith.constant 256 : index
        %A = memref.alloc() : memref<1024xi32, 2>
        air.channel.get @a[] (%A[%c0, %c0, %c0, %c0, %c0] [%c4, %c4, %c2, %c4, %c8] [%c256, %c8, %c128, %c32, %c1]) : (memref<1024xi32, 2>)
        air.channel.put @o[] (%A[] [] []) : (memref<1024xi32, 2>)
      }
    }
  }
  return
}

// Where a get fills changes from run to run, and nothing waits for it where it stands.
func.func @changes(%a0: memref<8x16xi32>, %a1: memref<8x16xi32>) {
  air.launch () in () args(%l0=%a0, %l1=%a1) : memref<8x16xi32>, memref<8x16xi32> {
    %tok1 = air.channel.put async @a[] (%l0[] [] []) : (memref<8x16xi32>)
    %tok2 = air.channel.get async @o[] (%l1[] [] []) : (memref<8x16xi32>)
    air.segment @changes_s {
      %one = arith.constant 1 : index
      air.herd @changes_h tile (%x, %y) in (%sx=%one, %sy=%one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c7 = arith.constant 7 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %A = memref.alloc() : memref<8x16xi32, 2>
        %w = air.wait_all async
        %e = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %w) -> (!air.async.token) {
          %sq = arith.muli %i, %i : index
          %q = arith.addi %sq, %i : index
          %q2 = arith.divui %q, %c2 : index
          %r = arith.remui %q2, %c8 : index
          %g = air.channel.get async [%t] @a[] (%A[%r, %c0] [%c1, %c16] [%c16, %c1]) : (memref<8x16xi32, 2>)
          scf.yield %g : !air.async.token
        }
        %p = air.channel.put async [%e] @o[] (%A[] [] []) : (memref<8x16xi32, 2>)
        air.wait_all [%p]
      }
    }
  }
  return
}

// More transfers than the tile of a core has descriptors or locks.
func.func @many_descriptors(%a0: memref<20x16xi32>, %a1: memref<20x16xi32>) {
  air.launch () in () args(%l0=%a0, %l1=%a1) : memref<20x16xi32>, memref<20x16xi32> {
    %tok1 = air.channel.put async @a[] (%l0[] [] []) : (memref<20x16xi32>)
    %tok2 = air.channel.get async @o[] (%l1[] [] []) : (memref<20x16xi32>)
    air.segment @many_descriptors_s {
      %one = arith.constant 1 : index
      air.herd @many_descriptors_h tile (%x, %y) in (%sx=%one, %sy=%one) {
        %A = memref.alloc() : memref<20x16xi32, 2>
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %k0 = arith.constant 0 : index
        air.channel.get @a[] (%A[%k0, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k1 = arith.constant 7 : index
        air.channel.get @a[] (%A[%k1, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k2 = arith.constant 14 : index
        air.channel.get @a[] (%A[%k2, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k3 = arith.constant 1 : index
        air.channel.get @a[] (%A[%k3, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k4 = arith.constant 8 : index
        air.channel.get @a[] (%A[%k4, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k5 = arith.constant 15 : index
        air.channel.get @a[] (%A[%k5, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k6 = arith.constant 2 : index
        air.channel.get @a[] (%A[%k6, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k7 = arith.constant 9 : index
        air.channel.get @a[] (%A[%k7, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k8 = arith.constant 16 : index
        air.channel.get @a[] (%A[%k8, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k9 = arith.constant 3 : index
        air.channel.get @a[] (%A[%k9, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k10 = arith.constant 10 : index
        air.channel.get @a[] (%A[%k10, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k11 = arith.constant 17 : index
        air.channel.get @a[] (%A[%k11, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k12 = arith.constant 4 : index
        air.channel.get @a[] (%A[%k12, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k13 = arith.constant 11 : index
        air.channel.get @a[] (%A[%k13, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k14 = arith.constant 18 : index
        air.channel.get @a[] (%A[%k14, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k15 = arith.constant 5 : index
        air.channel.get @a[] (%A[%k15, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k16 = arith.constant 12 : index
        air.channel.get @a[] (%A[%k16, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k17 = arith.constant 19 : index
        air.channel.get @a[] (%A[%k17, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k18 = arith.constant 6 : index
        air.channel.get @a[] (%A[%k18, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        %k19 = arith.constant 13 : index
        air.channel.get @a[] (%A[%k19, %c0] [%c1, %c16] [%c16, %c1]) : (memref<20x16xi32, 2>)
        air.channel.put @o[] (%A[] [] []) : (memref<20x16xi32, 2>)
      }
    }
  }
  return
}
