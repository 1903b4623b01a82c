// RUN: airlite-opt %s --air-collapse-herd=max-col-size=4 --verify-diagnostics --remarks

func.func @sizes(%n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // expected-remark@+1 {{the herd is not of two constant sizes}}
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %n) {
  }
  // expected-remark@+1 {{the herd has one column}}
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c4) {
  }
  // expected-remark@+1 {{too many cores for a column}}
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c4) {
  }
  // expected-remark@+1 {{the herd has a place}}
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
  }
  return
}

func.func @broadcast(%m: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{a broadcast names cores by their ids}}
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%all = %m) : memref<8xi32> {
    %own = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%own[] [] [], %all[] [] []) {broadcast_pattern = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 1 >= 0, s0 >= 0, -s0 >= 0)>} : (memref<8xi32, 2>, memref<8xi32>)
    memref.dealloc %own : memref<8xi32, 2>
  }
  return
}

air.channel @line [1, 2] {channel_type = "npu_cascade"}

// The herd that does not use the cascade has neighbours in the segment as well.
func.func @cascade() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    // expected-remark@+1 {{cascade channels join neighbours}}
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c2) {
      %c0 = arith.constant 0 : index
      %own = memref.alloc() : memref<8xi32, 2>
      air.channel.put @line[%c0, %y] (%own[] [] []) : (memref<8xi32, 2>)
      air.channel.get @line[%c0, %y] (%own[] [] []) : (memref<8xi32, 2>)
      memref.dealloc %own : memref<8xi32, 2>
    }
    // expected-remark@+1 {{cascade channels join neighbours}}
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c2) {
    }
  }
  return
}
