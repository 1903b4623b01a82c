// Two layers, y = relu(x w1) w2, spread over four ranks: each has 8 of the 32 hidden units, that is 8 columns
// of w1 and 8 rows of w2. What a rank makes of its units is a part of the sum for all of y. It lies in
// symmetric memory, so that the others can read it: rank r adds rows 2r and 2r + 1 of all parts. A word
// through @ready says that a part is finished.
//
//   airlite-run sharded_mlp.mlir --on=interp --init=random:1 --output 3=y.npy
module {
  air.channel @ready [4, 4]

  func.func @main(%x: memref<8x16xi32>, %w1: memref<16x32xi32>, %w2: memref<32x16xi32>, %y: memref<8x16xi32>) {
    %c4 = arith.constant 4 : index
    %bases = memref.alloc() : memref<4xindex>
    air.rank (%r) in (%n = %c4) args(%gx = %x, %gw1 = %w1, %gw2 = %w2, %gy = %y, %t = %bases) : memref<8x16xi32>, memref<16x32xi32>, memref<32x16xi32>, memref<8x16xi32>, memref<4xindex> {
      %zero = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %part = memref.alloc() {air.symmetric} : memref<8x16xi32>
      %in = memref.alloc() : memref<8x16xi32>
      %up = memref.alloc() : memref<16x8xi32>
      %down = memref.alloc() : memref<8x16xi32>
      %hidden = memref.alloc() : memref<8x8xi32>
      %word = memref.alloc() : memref<1xi32>
      %heard = memref.alloc() : memref<1xi32>
      %sum = memref.alloc() : memref<2x16xi32>
      %at = arith.muli %r, %c8 : index
      air.dma_memcpy_nd (%in[] [] [], %gx[] [] []) : (memref<8x16xi32>, memref<8x16xi32>)
      air.dma_memcpy_nd (%up[] [] [], %gw1[%c0, %at] [%c16, %c8] [%c32, %c1]) : (memref<16x8xi32>, memref<16x32xi32>)
      air.dma_memcpy_nd (%down[] [] [], %gw2[%at, %c0] [%c8, %c16] [%c16, %c1]) : (memref<8x16xi32>, memref<32x16xi32>)

      linalg.fill ins(%zero : i32) outs(%hidden : memref<8x8xi32>)
      linalg.matmul ins(%in, %up : memref<8x16xi32>, memref<16x8xi32>) outs(%hidden : memref<8x8xi32>)
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c8 step %c1 {
          %h = memref.load %hidden[%i, %j] : memref<8x8xi32>
          %relu = arith.maxsi %h, %zero : i32
          memref.store %relu, %hidden[%i, %j] : memref<8x8xi32>
        }
      }
      linalg.fill ins(%zero : i32) outs(%part : memref<8x16xi32>)
      linalg.matmul ins(%hidden, %down : memref<8x8xi32>, memref<8x16xi32>) outs(%part : memref<8x16xi32>)

      memref.store %zero, %word[%c0] : memref<1xi32>
      %none = air.wait_all async
      %told = scf.for %other = %c0 to %n step %c1 iter_args(%before = %none) -> (!air.async.token) {
        %put = air.channel.put async @ready[%r, %other] (%word[] [] []) : (memref<1xi32>)
        %both = air.wait_all async [%before, %put]
        scf.yield %both : !air.async.token
      }
      linalg.fill ins(%zero : i32) outs(%sum : memref<2x16xi32>)
      %row = arith.muli %r, %c2 : index
      scf.for %other = %c0 to %n step %c1 {
        air.channel.get @ready[%other, %r] (%heard[] [] []) : (memref<1xi32>)
        %theirs = air.translate %part, %r, %other, %t : memref<8x16xi32>, memref<4xindex>
        scf.for %i = %c0 to %c2 step %c1 {
          %rowAt = arith.addi %row, %i : index
          scf.for %j = %c0 to %c16 step %c1 {
            %a = memref.load %theirs[%rowAt, %j] : memref<8x16xi32>
            %b = memref.load %sum[%i, %j] : memref<2x16xi32>
            %added = arith.addi %a, %b : i32
            memref.store %added, %sum[%i, %j] : memref<2x16xi32>
          }
        }
      }
      air.wait_all [%told]
      air.dma_memcpy_nd (%gy[%row, %c0] [%c2, %c16] [%c16, %c1], %sum[] [] []) : (memref<8x16xi32>, memref<2x16xi32>)
    }
    return
  }

  // The same without ranks.
  func.func @one_device(%x: memref<8x16xi32>, %w1: memref<16x32xi32>, %w2: memref<32x16xi32>, %y: memref<8x16xi32>) {
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %hidden = memref.alloc() : memref<8x32xi32>
    linalg.fill ins(%zero : i32) outs(%hidden : memref<8x32xi32>)
    linalg.matmul ins(%x, %w1 : memref<8x16xi32>, memref<16x32xi32>) outs(%hidden : memref<8x32xi32>)
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %h = memref.load %hidden[%i, %j] : memref<8x32xi32>
        %relu = arith.maxsi %h, %zero : i32
        memref.store %relu, %hidden[%i, %j] : memref<8x32xi32>
      }
    }
    linalg.fill ins(%zero : i32) outs(%y : memref<8x16xi32>)
    linalg.matmul ins(%hidden, %w2 : memref<8x32xi32>, memref<32x16xi32>) outs(%y : memref<8x16xi32>)
    return
  }
}
