// RUN: airlite-opt %s --air-join-window-rows | FileCheck %s
// RUN: airlite-opt %s --air-join-window-rows --check-each --emit=none
// RUN: airlite-opt %s --pipeline='air-join-window-rows{l1-bytes=1280}' --remarks 2>&1 | FileCheck %s --check-prefix=ROOM

// Rows of results become as long as those of the image: element i needs the image from element i on. 4 rows of 32 elements but for
// the two after the last row are 126, in whole vectors 128; the window ends 2 * 32 + 2 elements further.
// CHECK: #[[IMAGE:.*]] = affine_map<(d0, d1, d2) -> (d1 * 32 + d0 + d2)>
// CHECK-LABEL: func.func @filter
// CHECK: %[[IN:.*]] = memref.alloc() : memref<194xi32, 2>
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<128xi32, 2>
// CHECK: air.channel.get @image[] (%[[IN]][%c0{{.*}}] [%c192{{.*}}] [%c1{{.*}}])
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[OUT]] : memref<128xi32, 2>)
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], {{.*}}], iterator_types = ["parallel", "reduction", "reduction"]}
// CHECK-SAME: outs(%[[OUT]] : memref<128xi32, 2>)
// CHECK: air.channel.put @results[] (%[[OUT]][%c0{{.*}}, %c0{{.*}}] [%c4{{.*}}, %c30{{.*}}] [%c32{{.*}}, %c1{{.*}}])
// ROOM: remark: [air-join-window-rows] its rows stay apart: there is no room for one long row
air.channel @image [1]
air.channel @weights [1]
air.channel @results [1]
func.func @filter(%a: memref<6x32xi32>, %b: memref<3x3xi32>, %c: memref<4x30xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<6x32xi32>, memref<3x3xi32>, memref<4x30xi32> {
    air.channel.put @image[] (%la[] [] []) : (memref<6x32xi32>)
    air.channel.put @weights[] (%lb[] [] []) : (memref<3x3xi32>)
    air.segment {
      %c1 = arith.constant 1 : index
      air.herd tile(%x, %y) in (%sx = %c1, %sy = %c1) {
        %zero = arith.constant 0 : i32
        %in = memref.alloc() : memref<6x32xi32, 2>
        %w = memref.alloc() : memref<3x3xi32, 2>
        %out = memref.alloc() : memref<4x30xi32, 2>
        air.channel.get @image[] (%in[] [] []) : (memref<6x32xi32, 2>)
        air.channel.get @weights[] (%w[] [] []) : (memref<3x3xi32, 2>)
        linalg.fill ins(%zero : i32) outs(%out : memref<4x30xi32, 2>)
        linalg.conv_2d ins(%in, %w : memref<6x32xi32, 2>, memref<3x3xi32, 2>) outs(%out : memref<4x30xi32, 2>)
        air.channel.put @results[] (%out[] [] []) : (memref<4x30xi32, 2>)
        memref.dealloc %in : memref<6x32xi32, 2>
        memref.dealloc %w : memref<3x3xi32, 2>
        memref.dealloc %out : memref<4x30xi32, 2>
      }
    }
    air.channel.get @results[] (%lc[] [] []) : (memref<4x30xi32>)
  }
  return
}

// Images beside each other: each begins where a vector does. Bytes of which one image is whole words are moved so.
// CHECK-LABEL: func.func @pooling
// CHECK: memref.alloc() : memref<1x2x192xi8, 2>
// CHECK: memref.alloc() : memref<1x2x128xi8, 2>
// CHECK: air.channel.get @images[] (%{{.*}}[%c0{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c144{{.*}}] [%c192{{.*}}, %c1{{.*}}])
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK: air.channel.put @largest[] (%{{.*}}[%c0{{.*}}, %c0{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c4{{.*}}, %c20{{.*}}] [%c128{{.*}}, %c24{{.*}}, %c1{{.*}}])
air.channel @images [1]
air.channel @largest [1]
func.func @pooling(%a: memref<1x2x6x24xi8>, %c: memref<1x2x4x20xi8>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<1x2x6x24xi8>, memref<1x2x4x20xi8> {
    air.channel.put @images[] (%la[] [] []) : (memref<1x2x6x24xi8>)
    air.segment {
      %c1 = arith.constant 1 : index
      air.herd tile(%x, %y) in (%sx = %c1, %sy = %c1) {
        %zero = arith.constant 0 : i8
        %in = memref.alloc() : memref<1x2x6x24xi8, 2>
        %w = memref.alloc() : memref<3x5xi8, 2>
        %out = memref.alloc() : memref<1x2x4x20xi8, 2>
        air.channel.get @images[] (%in[] [] []) : (memref<1x2x6x24xi8, 2>)
        linalg.fill ins(%zero : i8) outs(%out : memref<1x2x4x20xi8, 2>)
        linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
            ins(%in, %w : memref<1x2x6x24xi8, 2>, memref<3x5xi8, 2>) outs(%out : memref<1x2x4x20xi8, 2>)
        air.channel.put @largest[] (%out[] [] []) : (memref<1x2x4x20xi8, 2>)
      }
    }
    air.channel.get @largest[] (%lc[] [] []) : (memref<1x2x4x20xi8>)
  }
  return
}

// An image that is no whole words comes as it is, and no element after it is computed.
// CHECK-LABEL: func.func @odd
// CHECK: memref.alloc() : memref<77xi8, 2>
// CHECK: memref.alloc() : memref<53xi32, 2>
// CHECK: air.channel.get @bytes[] (%{{.*}}[] [] [])
air.channel @bytes [1]
air.channel @sums [1]
func.func @odd(%a: memref<7x11xi8>, %c: memref<5x9xi32>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<7x11xi8>, memref<5x9xi32> {
    air.channel.put @bytes[] (%la[] [] []) : (memref<7x11xi8>)
    air.segment {
      %c1 = arith.constant 1 : index
      air.herd tile(%x, %y) in (%sx = %c1, %sy = %c1) {
        %one = arith.constant 1 : i8
        %zero = arith.constant 0 : i32
        %in = memref.alloc() : memref<7x11xi8, 2>
        %w = memref.alloc() : memref<3x3xi8, 2>
        %out = memref.alloc() : memref<5x9xi32, 2>
        air.channel.get @bytes[] (%in[] [] []) : (memref<7x11xi8, 2>)
        linalg.fill ins(%one : i8) outs(%w : memref<3x3xi8, 2>)
        linalg.fill ins(%zero : i32) outs(%out : memref<5x9xi32, 2>)
        linalg.conv_2d ins(%in, %w : memref<7x11xi8, 2>, memref<3x3xi8, 2>) outs(%out : memref<5x9xi32, 2>)
        air.channel.put @sums[] (%out[] [] []) : (memref<5x9xi32, 2>)
      }
    }
    air.channel.get @sums[] (%lc[] [] []) : (memref<5x9xi32>)
  }
  return
}

// Stays: results that something else reads, a window that moves by three, divisions, which may fail for elements that nobody needs.
// CHECK-LABEL: func.func @stays
// CHECK: linalg.conv_2d ins(%{{.*}} : memref<6x32xi32, 2>
// CHECK: linalg.pooling_nchw_sum
// CHECK: ins(%{{.*}} : memref<6x32xi32, 2>, memref<3x3xi32, 2>) outs(%{{.*}} : memref<4x30xi32, 2>) {
#image = affine_map<(a, b, c, d) -> (a + c, b + d)>
#window = affine_map<(a, b, c, d) -> (c, d)>
#result = affine_map<(a, b, c, d) -> (a, b)>
func.func @stays() {
  %c1 = arith.constant 1 : index
  air.herd tile(%x, %y) in (%sx = %c1, %sy = %c1) {
    %two = arith.constant 2 : i32
    %in = memref.alloc() : memref<6x32xi32, 2>
    %w = memref.alloc() : memref<3x3xi32, 2>
    %out = memref.alloc() : memref<4x30xi32, 2>
    linalg.fill ins(%two : i32) outs(%in : memref<6x32xi32, 2>)
    linalg.fill ins(%two : i32) outs(%w : memref<3x3xi32, 2>)
    linalg.fill ins(%two : i32) outs(%out : memref<4x30xi32, 2>)
    linalg.conv_2d ins(%in, %w : memref<6x32xi32, 2>, memref<3x3xi32, 2>) outs(%out : memref<4x30xi32, 2>)
    %first = memref.load %out[%x, %x] : memref<4x30xi32, 2>
    %images = memref.alloc() : memref<1x2x6x32xi32, 2>
    %half = memref.alloc() : memref<1x2x2x10xi32, 2>
    linalg.fill ins(%first : i32) outs(%images : memref<1x2x6x32xi32, 2>)
    linalg.fill ins(%two : i32) outs(%half : memref<1x2x2x10xi32, 2>)
    linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<3> : tensor<2xi64>}
        ins(%images, %w : memref<1x2x6x32xi32, 2>, memref<3x3xi32, 2>) outs(%half : memref<1x2x2x10xi32, 2>)
    %quotients = memref.alloc() : memref<4x30xi32, 2>
    linalg.fill ins(%two : i32) outs(%quotients : memref<4x30xi32, 2>)
    linalg.generic {indexing_maps = [#image, #window, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
        ins(%in, %w : memref<6x32xi32, 2>, memref<3x3xi32, 2>) outs(%quotients : memref<4x30xi32, 2>) {
    ^bb0(%a: i32, %b: i32, %s: i32):
      %q = arith.divsi %b, %a : i32
      %t = arith.addi %s, %q : i32
      linalg.yield %t : i32
    }
  }
  return
}

// Windows that move by two: images one after the other, with memory after the last one, and rows of results of whole vectors.
// CHECK-LABEL: func.func @steps
// CHECK: air.channel.get @planes[] (%{{.*}}[%c0{{.*}}] [%c434{{.*}}] [%c1{{.*}}]) : (memref<448xi16, 2>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : memref<448xi16, 2>, memref<3x3xi16, 2>) outs(%{{.*}} : memref<1x2x3x16xi16, 2>)
// CHECK: air.channel.put @quarters[] (%{{.*}}[%c0{{.*}}, %c0{{.*}}] [%c6{{.*}}, %c14{{.*}}] [%c16{{.*}}, %c1{{.*}}]) : (memref<1x2x3x16xi16, 2>)
air.channel @planes []
air.channel @quarters []
func.func @steps(%a: memref<1x2x7x31xi16>, %c: memref<1x2x3x14xi16>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<1x2x7x31xi16>, memref<1x2x3x14xi16> {
    air.channel.put @planes[] (%la[] [] []) : (memref<1x2x7x31xi16>)
    air.segment {
      %c1 = arith.constant 1 : index
      air.herd tile(%x, %y) in (%sx = %c1, %sy = %c1) {
        %least = arith.constant -32768 : i16
        %in = memref.alloc() : memref<1x2x7x31xi16, 2>
        %w = memref.alloc() : memref<3x3xi16, 2>
        %out = memref.alloc() : memref<1x2x3x14xi16, 2>
        air.channel.get @planes[] (%in[] [] []) : (memref<1x2x7x31xi16, 2>)
        linalg.fill ins(%least : i16) outs(%out : memref<1x2x3x14xi16, 2>)
        linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
            ins(%in, %w : memref<1x2x7x31xi16, 2>, memref<3x3xi16, 2>) outs(%out : memref<1x2x3x14xi16, 2>)
        air.channel.put @quarters[] (%out[] [] []) : (memref<1x2x3x14xi16, 2>)
      }
    }
    air.channel.get @quarters[] (%lc[] [] []) : (memref<1x2x3x14xi16>)
  }
  return
}
