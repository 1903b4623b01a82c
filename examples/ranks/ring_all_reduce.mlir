// All-reduce in a ring: each of four ranks has 16 numbers (a row of %in), and in the end all of them
// have the four rows' sum (each its row of %out). A rank sends to its neighbour only, 6 times 4 numbers:
// first each part of the sum grows on its way round the ring, then the finished parts go round.
//
//   airlite-run ring_all_reduce.mlir --on=interp --init=random:1 --output 1=sums.npy
module {
  air.channel @ring [4]

  func.func @main(%in: memref<4x16xi32>, %out: memref<4x16xi32>) {
    %c4 = arith.constant 4 : index
    air.rank (%r) in (%n = %c4) args(%from = %in, %to = %out) : memref<4x16xi32>, memref<4x16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4_0 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %own = memref.alloc() : memref<16xi32>
      %got = memref.alloc() : memref<4xi32>
      air.dma_memcpy_nd (%own[] [] [], %from[%r, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32>, memref<4x16xi32>)
      %after = arith.addi %r, %c1 : index
      %next = arith.remui %after, %n : index

      // Step s: part r - s is sent, part r - s - 1 comes and is added.
      scf.for %s = %c0 to %c3 step %c1 {
        %here = arith.addi %r, %n : index
        %k = arith.subi %here, %s : index
        %mine = arith.remui %k, %n : index
        %k1 = arith.subi %k, %c1 : index
        %theirs = arith.remui %k1, %n : index
        %sendAt = arith.muli %mine, %c4_0 : index
        %takeAt = arith.muli %theirs, %c4_0 : index
        %sent = air.channel.put async @ring[%next] (%own[%sendAt] [%c4_0] [%c1]) : (memref<16xi32>)
        air.channel.get @ring[%r] (%got[] [] []) : (memref<4xi32>)
        air.wait_all [%sent]
        scf.for %i = %c0 to %c4_0 step %c1 {
          %at = arith.addi %takeAt, %i : index
          %a = memref.load %own[%at] : memref<16xi32>
          %b = memref.load %got[%i] : memref<4xi32>
          %sum = arith.addi %a, %b : i32
          memref.store %sum, %own[%at] : memref<16xi32>
        }
      }

      // Rank r has part r + 1 of the sum. Step s: part r + 1 - s is sent, part r - s comes.
      scf.for %s = %c0 to %c3 step %c1 {
        %here = arith.addi %r, %n : index
        %k = arith.subi %here, %s : index
        %k1 = arith.addi %k, %c1 : index
        %mine = arith.remui %k1, %n : index
        %theirs = arith.remui %k, %n : index
        %sendAt = arith.muli %mine, %c4_0 : index
        %takeAt = arith.muli %theirs, %c4_0 : index
        %sent = air.channel.put async @ring[%next] (%own[%sendAt] [%c4_0] [%c1]) : (memref<16xi32>)
        air.channel.get @ring[%r] (%own[%takeAt] [%c4_0] [%c1]) : (memref<16xi32>)
        air.wait_all [%sent]
      }
      air.dma_memcpy_nd (%to[%r, %c0] [%c1, %c16] [%c16, %c1], %own[] [] []) : (memref<4x16xi32>, memref<16xi32>)
    }
    return
  }

  // The same without ranks.
  func.func @one_device(%in: memref<4x16xi32>, %out: memref<4x16xi32>) {
    %zero = arith.constant 0 : i32
    %sum = memref.alloc() : memref<16xi32>
    linalg.fill ins(%zero : i32) outs(%sum : memref<16xi32>)
    linalg.reduce ins(%in : memref<4x16xi32>) outs(%sum : memref<16xi32>) dimensions = [0]
      (%a: i32, %s: i32) {
        %t = arith.addi %a, %s : i32
        linalg.yield %t : i32
      }
    linalg.broadcast ins(%sum : memref<16xi32>) outs(%out : memref<4x16xi32>) dimensions = [0]
    return
  }
}
