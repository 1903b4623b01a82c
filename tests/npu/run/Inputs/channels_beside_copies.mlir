// A launch whose cores copy three operands, which takes more DMA channels than a core has, beside one with channels.
air.channel @in []
air.channel @out []
func.func @f(%a: memref<2x8xi32>, %b: memref<2x8xi32>, %c: memref<2x8xi32>, %d: memref<2x8xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c, %ld = %d) : memref<2x8xi32>, memref<2x8xi32>, memref<2x8xi32>, memref<2x8xi32> {
    air.segment @copies args(%sa = %la, %sb = %lb, %sc = %lc, %sd = %ld) : memref<2x8xi32>, memref<2x8xi32>, memref<2x8xi32>, memref<2x8xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @copies tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%ha = %sa, %hb = %sb, %hc = %sc, %hd = %sd) : memref<2x8xi32>, memref<2x8xi32>, memref<2x8xi32>, memref<2x8xi32> {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %p = memref.alloc() : memref<8xi32, 2>
        %q = memref.alloc() : memref<8xi32, 2>
        %r = memref.alloc() : memref<8xi32, 2>
        air.dma_memcpy_nd (%p[] [] [], %ha[%x, %c0] [%one, %c8] [%c8, %one]) : (memref<8xi32, 2>, memref<2x8xi32>)
        air.dma_memcpy_nd (%q[] [] [], %hb[%x, %c0] [%one, %c8] [%c8, %one]) : (memref<8xi32, 2>, memref<2x8xi32>)
        air.dma_memcpy_nd (%r[] [] [], %hc[%x, %c0] [%one, %c8] [%c8, %one]) : (memref<8xi32, 2>, memref<2x8xi32>)
        affine.for %i = 0 to 8 {
          %u = affine.load %p[%i] : memref<8xi32, 2>
          %v = affine.load %q[%i] : memref<8xi32, 2>
          %w = affine.load %r[%i] : memref<8xi32, 2>
          %s = arith.muli %u, %v : i32
          %t = arith.addi %s, %w : i32
          affine.store %t, %p[%i] : memref<8xi32, 2>
        }
        air.dma_memcpy_nd (%hd[%x, %c0] [%one, %c8] [%c8, %one], %p[] [] []) : (memref<2x8xi32>, memref<8xi32, 2>)
      }
    }
  }
  air.launch () in () args(%la = %a, %lb = %b) : memref<2x8xi32>, memref<2x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %0 = air.channel.put async @in[] (%la[%c0, %c0] [%c1, %c8] [%c8, %c1]) : (memref<2x8xi32>)
    %1 = air.channel.put async [%0] @in[] (%la[%c1, %c0] [%c1, %c8] [%c8, %c1]) : (memref<2x8xi32>)
    %2 = air.channel.get async @out[] (%lb[] [] []) : (memref<2x8xi32>)
    air.segment @turns {
      %one = arith.constant 1 : index
      air.herd @turns tile (%x, %y) in (%sx = %one, %sy = %one) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        scf.for %i = %h0 to %h2 step %h1 {
          %p = memref.alloc() : memref<8xi32, 2>
          air.channel.get @in[] (%p[] [] []) : (memref<8xi32, 2>)
          air.channel.put @out[] (%p[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %p : memref<8xi32, 2>
        }
      }
    }
  }
  return
}
