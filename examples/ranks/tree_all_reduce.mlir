// All-reduce in a tree: each of four ranks has 16 numbers (a row of %in), and in the end all of them
// have the four rows' sum (each its row of %out). The sums go up: first 1 to 0 and 3 to 2, then 2 to
// 0. Then rank 0's sum goes down the same way. That is 2 log2(4) steps of 16 numbers, where the ring
// takes 6 of 4: fewer steps, more data.
//
//   airlite-run tree_all_reduce.mlir --on=interp --init=random:1 --output 1=sums.npy
module {
  air.channel @up [4]
  air.channel @down [4]

  func.func @main(%in: memref<4x16xi32>, %out: memref<4x16xi32>) {
    %c4 = arith.constant 4 : index
    air.rank (%r) in (%n = %c4) args(%from = %in, %to = %out) : memref<4x16xi32>, memref<4x16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %own = memref.alloc() : memref<16xi32>
      %got = memref.alloc() : memref<16xi32>
      air.dma_memcpy_nd (%own[] [] [], %from[%r, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32>, memref<4x16xi32>)

      // Step s, with pairs 2^s apart: the lower one takes what the other one has.
      scf.for %s = %c0 to %c2 step %c1 {
        %apart = arith.shli %c1, %s : index
        %span = arith.shli %c2, %s : index
        %place = arith.remui %r, %span : index
        %isLower = arith.cmpi eq, %place, %c0 : index
        %isUpper = arith.cmpi eq, %place, %apart : index
        scf.if %isUpper {
          air.channel.put @up[%r] (%own[] [] []) : (memref<16xi32>)
        }
        scf.if %isLower {
          %other = arith.addi %r, %apart : index
          air.channel.get @up[%other] (%got[] [] []) : (memref<16xi32>)
          scf.for %i = %c0 to %c16 step %c1 {
            %a = memref.load %own[%i] : memref<16xi32>
            %b = memref.load %got[%i] : memref<16xi32>
            %sum = arith.addi %a, %b : i32
            memref.store %sum, %own[%i] : memref<16xi32>
          }
        }
      }

      // The same pairs from the top: the upper one takes the sum.
      scf.for %s = %c0 to %c2 step %c1 {
        %k = arith.subi %c1, %s : index
        %apart = arith.shli %c1, %k : index
        %span = arith.shli %c2, %k : index
        %place = arith.remui %r, %span : index
        %isLower = arith.cmpi eq, %place, %c0 : index
        %isUpper = arith.cmpi eq, %place, %apart : index
        scf.if %isLower {
          %other = arith.addi %r, %apart : index
          air.channel.put @down[%other] (%own[] [] []) : (memref<16xi32>)
        }
        scf.if %isUpper {
          air.channel.get @down[%r] (%own[] [] []) : (memref<16xi32>)
        }
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
