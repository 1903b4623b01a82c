// A product whose factors are spread over four ranks: rank r has 8 rows of A and 8 columns of B, and
// makes the same 8 columns of C. The parts of A go round a ring; a rank multiplies the part that it has
// while that is on its way to the next one.
//
//   airlite-run all_gather_matmul.mlir --on=interp --init=random:1 --output 2=c.npy
module {
  air.channel @ring [4]

  func.func @main(%a: memref<32x16xi32>, %b: memref<16x32xi32>, %c: memref<32x32xi32>) {
    %c4 = arith.constant 4 : index
    air.rank (%r) in (%n = %c4) args(%ga = %a, %gb = %b, %gc = %c) : memref<32x16xi32>, memref<16x32xi32>, memref<32x32xi32> {
      %zero = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %rows = memref.alloc() : memref<8x16xi32>
      %come = memref.alloc() : memref<8x16xi32>
      %columns = memref.alloc() : memref<16x8xi32>
      %tile = memref.alloc() : memref<8x8xi32>
      %at = arith.muli %r, %c8 : index
      air.dma_memcpy_nd (%rows[] [] [], %ga[%at, %c0] [%c8, %c16] [%c16, %c1]) : (memref<8x16xi32>, memref<32x16xi32>)
      air.dma_memcpy_nd (%columns[] [] [], %gb[%c0, %at] [%c16, %c8] [%c32, %c1]) : (memref<16x8xi32>, memref<16x32xi32>)
      %after = arith.addi %r, %c1 : index
      %next = arith.remui %after, %n : index
      %here = arith.addi %r, %n : index

      // Step s: the part of rank r - s is here.
      scf.for %s = %c0 to %n step %c1 {
        %k = arith.subi %here, %s : index
        %part = arith.remui %k, %n : index
        %isLast = arith.cmpi eq, %s, %c3 : index
        %ready = air.wait_all async
        %sent = scf.if %isLast -> (!air.async.token) {
          scf.yield %ready : !air.async.token
        } else {
          %put = air.channel.put async [%ready] @ring[%next] (%rows[] [] []) : (memref<8x16xi32>)
          scf.yield %put : !air.async.token
        }
        linalg.fill ins(%zero : i32) outs(%tile : memref<8x8xi32>)
        linalg.matmul ins(%rows, %columns : memref<8x16xi32>, memref<16x8xi32>) outs(%tile : memref<8x8xi32>)
        %rowAt = arith.muli %part, %c8 : index
        air.dma_memcpy_nd (%gc[%rowAt, %at] [%c8, %c8] [%c32, %c1], %tile[] [] []) : (memref<32x32xi32>, memref<8x8xi32>)
        scf.if %isLast {
        } else {
          air.channel.get @ring[%r] (%come[] [] []) : (memref<8x16xi32>)
          air.wait_all [%sent]
          memref.copy %come, %rows : memref<8x16xi32> to memref<8x16xi32>
        }
      }
    }
    return
  }

  // The same without ranks.
  func.func @one_device(%a: memref<32x16xi32>, %b: memref<16x32xi32>, %c: memref<32x32xi32>) {
    %zero = arith.constant 0 : i32
    linalg.fill ins(%zero : i32) outs(%c : memref<32x32xi32>)
    linalg.matmul ins(%a, %b : memref<32x16xi32>, memref<16x32xi32>) outs(%c : memref<32x32xi32>)
    return
  }
}
