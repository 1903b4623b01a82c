// RUN: airlite-opt %s --air-place-herds='num-rows=2 num-cols=2' --split-input-file --verify-diagnostics --remarks

// Herds that do not fit are named, and the pass continues.
// expected-error@+1 {{No valid placement found.}}
air.segment {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @fits tile (%x, %y) in (%a=%c2, %b=%c1) {
  }
  // expected-error@+1 {{'air.herd' op Unplaced herd: tall, 1x2 cores on a grid of 2x2}}
  air.herd @tall tile (%x, %y) in (%a=%c1, %b=%c2) {
  }
}

// -----

air.segment {
  %c1 = arith.constant 1 : index
  // expected-warning@+1 {{ignoring user-pinned x_loc/y_loc (2, 0) on air.herd 'far': position is outside the segment (segment anchor (0, 0), extent 2x2)}}
  air.herd @far tile (%x, %y) in (%a=%c1, %b=%c1) attributes {x_loc = 2 : i64, y_loc = 0 : i64} {
  }
  air.herd @one tile (%x, %y) in (%a=%c1, %b=%c1) attributes {x_loc = 1 : i64, y_loc = 1 : i64} {
  }
  // expected-warning@+1 {{on air.herd 'two': position overlaps a previously-pinned herd}}
  air.herd @two tile (%x, %y) in (%a=%c1, %b=%c1) attributes {x_loc = 1 : i64, y_loc = 1 : i64} {
  }
}

// -----

// A wide consumer belongs below its producer, where the grid ends.
air.channel @c [1] {channel_type = "npu_cascade"}
air.segment {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @from tile (%x, %y) in (%a=%c2, %b=%c1) attributes {x_loc = 0 : i64, y_loc = 0 : i64} {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.put @c[%c0] (%m[] [] []) : (memref<8xi32, 2>)
  }
  // expected-remark@+1 {{no place next to herd 'from', with which it shares a cascade}}
  air.herd @to tile (%x, %y) in (%a=%c2, %b=%c1) {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.get @c[%c0] (%m[] [] []) : (memref<8xi32, 2>)
  }
}

// -----

air.segment {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xi32, 2>
  air.herd @a tile (%x, %y) in (%p=%c1, %q=%c1) args(%n=%m) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 0 : i64} {
  }
  // expected-remark@+1 {{no place next to herd 'a', with which it shares L1 memory}}
  air.herd @b tile (%x, %y) in (%p=%c1, %q=%c1) args(%n=%m) : memref<8xi32, 2> attributes {x_loc = 1 : i64, y_loc = 1 : i64} {
  }
}

// -----

%c1 = arith.constant 1 : index
// expected-remark@+1 {{has a place already}}
air.herd @a tile (%x, %y) in (%p=%c1, %q=%c1) attributes {x_loc = 0 : i64, y_loc = 0 : i64} {
}
