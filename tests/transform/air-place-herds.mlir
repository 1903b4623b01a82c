// RUN: airlite-opt %s --air-place-herds='num-rows=4 num-cols=4 row-anchor=2 col-anchor=1' | FileCheck %s

air.channel @line [1] {channel_type = "npu_cascade"}
air.channel @wide [3, 1] {channel_type = "npu_cascade"}
air.channel @tall [1, 3] {channel_type = "npu_cascade"}
air.channel @left [1] {channel_type = "npu_cascade"}
air.channel @right [1] {channel_type = "npu_cascade"}
air.channel @stream [1]

// The largest first, each at the first free cell from the anchor.
// CHECK-LABEL: func.func @by_area
// CHECK: air.segment {{.*}}attributes {x_loc = 1 : i64, x_size = 4 : i64, y_loc = 2 : i64, y_size = 4 : i64}
// CHECK: air.herd @small {{.*}}x_loc = 4 : i64, y_loc = 2 : i64
// CHECK: air.herd @large {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK: air.herd @flat {{.*}}x_loc = 1 : i64, y_loc = 4 : i64
func.func @by_area() {
  air.segment {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    air.herd @small tile (%x, %y) in (%a=%c1, %b=%c1) {
    }
    air.herd @large tile (%x, %y) in (%a=%c3, %b=%c2) {
    }
    air.herd @flat tile (%x) in (%a=%c3) {
    }
  }
  return
}

// Attributes of the segment win over options.
// CHECK-LABEL: func.func @own_grid
// CHECK: x_loc = 7 : i64, x_size = 1 : i64, y_loc = 5 : i64, y_size = 2 : i64
// CHECK: air.herd tile {{.*}}x_loc = 7 : i64, y_loc = 5 : i64
// CHECK: air.herd tile {{.*}}x_loc = 7 : i64, y_loc = 6 : i64
func.func @own_grid() {
  air.segment attributes {x_loc = 7 : i64, x_size = 1 : i64, y_loc = 5 : i64, y_size = 2 : i64} {
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%a=%c1, %b=%c1) {
    }
    air.herd tile (%x, %y) in (%a=%c1, %b=%c1) {
    }
  }
  return
}

// Herds of one name are the same cores; the place is that of the larger one.
// CHECK-LABEL: func.func @phases
// CHECK: air.herd @other {{.*}}x_loc = 3 : i64, y_loc = 2 : i64
// CHECK: air.herd @phase {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK: air.herd @phase {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
func.func @phases() {
  air.segment {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd @other tile (%x, %y) in (%a=%c1, %b=%c1) {
    }
    air.herd @phase tile (%x, %y) in (%a=%c1, %b=%c1) {
    }
    air.herd @phase tile (%x, %y) in (%a=%c2, %b=%c1) {
    }
  }
  return
}

// A pinned herd is in nobody's way.
// CHECK-LABEL: func.func @pinned
// CHECK: air.herd @free {{.*}}x_loc = 2 : i64, y_loc = 2 : i64
// CHECK: air.herd @pin {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
func.func @pinned() {
  air.segment {
    %c1 = arith.constant 1 : index
    air.herd @free tile (%x, %y) in (%a=%c1, %b=%c1) {
    }
    air.herd @pin tile (%x, %y) in (%a=%c1, %b=%c1) attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
    }
  }
  return
}

// Single cores go east, wide herds south, tall herds east; who has no link comes last.
// CHECK-LABEL: func.func @cascade_single
// CHECK: air.herd @big {{.*}}x_loc = 1 : i64, y_loc = 3 : i64
// CHECK: air.herd @to {{.*}}x_loc = 2 : i64, y_loc = 2 : i64
// CHECK: air.herd @from {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
func.func @cascade_single() {
  air.segment {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    air.herd @big tile (%x, %y) in (%a=%c3, %b=%c1) {
    }
    air.herd @to tile (%x, %y) in (%a=%c1, %b=%c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.get @line[%x] (%m[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @from tile (%x, %y) in (%a=%c1, %b=%c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.put @line[%x] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// CHECK-LABEL: func.func @cascade_wide
// CHECK: air.herd @from {{.*}}x_loc = 1 : i64, y_loc = 3 : i64
// CHECK: air.herd @to {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
func.func @cascade_wide() {
  air.segment {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    air.herd @from tile (%x, %y) in (%a=%c3, %b=%c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.put @wide[%x, %y] (%m[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @to tile (%x, %y) in (%a=%c3, %b=%c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.get @wide[%x, %y] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// CHECK-LABEL: func.func @cascade_tall
// CHECK: air.herd @from {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK: air.herd @to {{.*}}x_loc = 2 : i64, y_loc = 2 : i64
func.func @cascade_tall() {
  air.segment {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    air.herd @from tile (%x, %y) in (%a=%c1, %b=%c3) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.put @tall[%x, %y] (%m[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @to tile (%x, %y) in (%a=%c1, %b=%c3) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.get @tall[%x, %y] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// One producer north of the join, the other west of it.
// CHECK-LABEL: func.func @join
// CHECK: air.herd @a {{.*}}x_loc = 2 : i64, y_loc = 4 : i64
// CHECK: air.herd @b {{.*}}x_loc = 1 : i64, y_loc = 3 : i64
// CHECK: air.herd @sum {{.*}}x_loc = 2 : i64, y_loc = 3 : i64
func.func @join() {
  air.segment {
    %c1 = arith.constant 1 : index
    air.herd @a tile (%x, %y) in (%p=%c1, %q=%c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.put @left[%x] (%m[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @b tile (%x, %y) in (%p=%c1, %q=%c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.put @right[%x] (%m[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @sum tile (%x, %y) in (%p=%c1, %q=%c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.channel.get @left[%x] (%m[] [] []) : (memref<8xi32, 2>)
      air.channel.get @right[%x] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// Herds that share an L1 buffer touch; L2 buffers and streams do not matter.
// CHECK-LABEL: func.func @shared_l1
// CHECK: air.herd @between {{.*}}x_loc = 1 : i64, y_loc = 3 : i64
// CHECK: air.herd @first {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK: air.herd @second {{.*}}x_loc = 2 : i64, y_loc = 2 : i64
func.func @shared_l1() {
  air.segment {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %l1 = memref.alloc() : memref<8xi32, 2>
    %l2 = memref.alloc() : memref<8xi32, 1>
    air.herd @between tile (%x, %y) in (%a=%c4, %b=%c1) args(%m=%l2) : memref<8xi32, 1> {
      air.channel.put @stream[%x] (%m[] [] []) : (memref<8xi32, 1>)
    }
    air.herd @first tile (%x, %y) in (%a=%c1, %b=%c1) args(%m=%l1) : memref<8xi32, 2> {
    }
    air.herd @second tile (%x, %y) in (%a=%c1, %b=%c1) args(%m=%l1, %n=%l2) : memref<8xi32, 2>, memref<8xi32, 1> {
      air.channel.get @stream[%x] (%n[] [] []) : (memref<8xi32, 1>)
    }
  }
  return
}

// Herds outside of segments: each on its own, unless it has a place.
// CHECK-LABEL: func.func @alone
// CHECK: air.herd @one {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK: air.herd @two {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK: air.herd @three {{.*}}x_loc = 9 : i64, y_loc = 9 : i64
func.func @alone() {
  %c2 = arith.constant 2 : index
  air.herd @one tile (%x, %y) in (%a=%c2, %b=%c2) {
  }
  air.herd @two tile (%x, %y) in (%a=%c2, %b=%c2) {
  }
  air.herd @three tile (%x, %y) in (%a=%c2, %b=%c2) attributes {x_loc = 9 : i64, y_loc = 9 : i64} {
  }
  return
}

// Three herds have memory that the last of them transfers: all are on its core. Where nobody does, they
// are side by side.
// CHECK-LABEL: func.func @shared_by_three
// CHECK: air.herd @init {{.*}}x_loc = [[X:[0-9]+]] : i64, y_loc = [[Y:[0-9]+]] : i64
// CHECK: air.herd @work {{.*}}x_loc = [[X]] : i64, y_loc = [[Y]] : i64
// CHECK: air.herd @end {{.*}}x_loc = [[X]] : i64, y_loc = [[Y]] : i64
func.func @shared_by_three(%m: memref<8xi32>) {
  air.segment @s args(%h = %m) : memref<8xi32> {
    %c1 = arith.constant 1 : index
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.herd @init tile (%x, %y) in (%a = %c1, %b = %c1) args(%o = %l1) : memref<8xi32, 2> {
    }
    air.herd @work tile (%x, %y) in (%a = %c1, %b = %c1) args(%o = %l1) : memref<8xi32, 2> {
    }
    air.herd @end tile (%x, %y) in (%a = %c1, %b = %c1) args(%o = %l1, %n = %h) : memref<8xi32, 2>, memref<8xi32> {
      air.dma_memcpy_nd (%n[] [] [], %o[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
    }
  }
  return
}
