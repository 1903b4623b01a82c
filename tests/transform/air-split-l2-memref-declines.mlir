// RUN: airlite-opt %s --air-split-l2-memref=tiles-per-l2-tile=1 --verify-diagnostics --remarks | FileCheck %s
// RUN: not airlite-opt %s --air-split-l2-memref=max-launch-channels-mm2s=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NEGATIVE: error: options of air-split-l2-memref must not be negative

air.channel @in0 [1]
air.channel @to0 [1, 2]
// CHECK-LABEL: func.func @stays
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @stays(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in0[%c0] (%m[] [] []) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{not split: it has air.no_split}}
      %buf = memref.alloc() {air.no_split} : memref<8x8xi32, 1>
      %fill = air.channel.get async @in0[%c0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to0[%c0, %c0] (%buf[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to0[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to0[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}

air.channel @in1 [1]
air.channel @to1 [1, 2]
// CHECK-LABEL: func.func @placed
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @placed(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in1[%c0] (%m[] [] []) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{not split: it has a memory tile}}
      %buf = memref.alloc() {air.memtile_col = 0 : i32} : memref<8x8xi32, 1>
      %fill = air.channel.get async @in1[%c0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to1[%c0, %c0] (%buf[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to1[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to1[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}

air.channel @in2 [1]
air.channel @to2 [1, 2]
// CHECK-LABEL: func.func @used
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @used(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in2[%c0] (%m[] [] []) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{it is used by more than channels and a dealloc}}
      %buf = memref.alloc() : memref<8x8xi32, 1>
      %fill = air.channel.get async @in2[%c0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to2[%c0, %c0] (%buf[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to2[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %l = memref.load %buf[%c0, %c0] : memref<8x8xi32, 1>
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to2[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}

air.channel @in3 [1]
air.channel @to3 [1, 2]
// CHECK-LABEL: func.func @unknown
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @unknown(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in3[%c0] (%m[] [] []) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{an access to it is not a box of its coordinates}}
      %buf = memref.alloc() : memref<8x8xi32, 1>
      %fill = air.channel.get async @in3[%c0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to3[%c0, %c0] (%buf[%v, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to3[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to3[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}

air.channel @in4 [1]
air.channel @to4 [1, 2]
// CHECK-LABEL: func.func @lists
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @lists(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in4[%c0] (%m[0] [32] [1]) : (memref<8x8xi32>)
    %p1 = air.channel.put async [%p] @in4[%c0] (%m[32] [32] [1]) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{channel @in4 has an end that cannot be split in the same way}}
      %buf = memref.alloc() : memref<8x8xi32, 1>
      %fill = air.channel.get async @in4[%c0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to4[%c0, %c0] (%buf[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to4[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to4[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}

air.channel @in5 [1]
air.channel @to5 [1, 2]
// CHECK-LABEL: func.func @more
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @more(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in5[%c0] (%m[] [] []) : (memref<8x8xi32>)
    %q = air.channel.get async @in5[%c0] (%n[] [] []) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{channel @in5 is used by other buffers, too}}
      %buf = memref.alloc() : memref<8x8xi32, 1>
      %fill = air.channel.get async @in5[%c0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to5[%c0, %c0] (%buf[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to5[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to5[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}

air.channel @in6 [1, 1] {broadcast_shape = [1, 2]}
air.channel @to6 [1, 2]
// CHECK-LABEL: func.func @wide
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @wide(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in6[%c0, %c0] (%m[] [] []) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{channel @in6 is a broadcast}}
      %buf = memref.alloc() : memref<8x8xi32, 1>
      %fill = air.channel.get async @in6[%c0, %c0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to6[%c0, %c0] (%buf[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to6[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to6[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}

air.channel @in7 [2]
air.channel @to7 [1, 2]
// CHECK-LABEL: func.func @place
// CHECK: memref.alloc() {{.*}}: memref<8x8xi32, 1>
func.func @place(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %z: index) {
  %c1_l = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1_l) args(%m=%a, %n=%b, %w=%z) : memref<8x8xi32>, memref<8x8xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in7[%w] (%m[] [] []) : (memref<8x8xi32>)
    air.segment @s args(%v=%w) : index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      // expected-remark@+1 {{channel @in7 has indices that are not constant}}
      %buf = memref.alloc() : memref<8x8xi32, 1>
      %fill = air.channel.get async @in7[%v] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %p0 = air.channel.put async [%fill] @to7[%c0, %c0] (%buf[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %p1 = air.channel.put async [%fill] @to7[%c0, %c1] (%buf[0, 4] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      air.herd @h tile (%tx, %ty) in (%hx=%c1, %hy=%c2) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @to7[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      memref.dealloc %buf : memref<8x8xi32, 1>
    }
  }
  return
}
