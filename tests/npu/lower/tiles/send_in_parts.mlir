// Sums leave a core part by part: the first and the last product of a loop become loops over parts.
// RUN: airlite-opt %s --aie-send-in-parts --split-input-file | FileCheck %s

// The DMA sends the sums: four descriptors in a ring, and a lock that counts parts. Rounds of two products begin with
// the second one. What arrives for the epilogue comes before the last product, which the epilogue follows part by part.
// CHECK-LABEL: aie.device(npu1) @sent
// CHECK: %[[FREE:.*]] = aie.lock({{.*}}, 0) {init = 4 : i32}
// CHECK: %[[FULL:.*]] = aie.lock({{.*}}, 1) {init = 0 : i32}
// CHECK: aie.dma_start(MM2S, 0, ^bb1
// CHECK-NEXT: ^bb1:
// CHECK: aie.use_lock(%[[FULL]], AcquireGreaterEqual
// CHECK-NEXT: offset = 0 len = 1024
// CHECK: aie.use_lock(%[[FREE]], Release
// CHECK-NEXT: aie.next_bd ^bb3
// CHECK: ^bb3:
// CHECK: aie.use_lock(%[[FULL]], AcquireGreaterEqual
// CHECK-NEXT: offset = 1024 len = 1024
// CHECK: aie.use_lock(%[[FREE]], Release
// CHECK-NEXT: aie.next_bd ^bb4
// CHECK: offset = 2048 len = 1024
// CHECK: aie.next_bd ^bb5
// CHECK: offset = 3072 len = 1024
// CHECK: aie.next_bd ^bb1
// CHECK: aie.core
// CHECK: aie.use_lock(%[[FACTORS:.*]], AcquireGreaterEqual
// CHECK: scf.for %[[PART:.*]] = %{{.*}} to %c4
// CHECK-NEXT: aie.use_lock(%[[FREE]], AcquireGreaterEqual
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %c2
// CHECK: %[[B:.*]] = memref.subview %b[%[[FIRST]], 0, 0, 0] [2, 8, 8, 8] [1, 1, 1, 1]
// CHECK: %[[SUMS:.*]] = memref.subview %sums[%[[FIRST]], 0, 0, 0] [2, 16, 4, 8] [1, 1, 1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[SUMS]]
// CHECK: linalg.generic {{.*}} ins(%a, %[[B]] {{.*}} outs(%[[SUMS]]
// CHECK: aie.use_lock({{.*}}, Release
// CHECK: scf.for %{{.*}} = %{{.*}} to %c7
// CHECK: linalg.generic {{.*}} ins(%a, %b {{.*}} outs(%sums
// CHECK: linalg.generic {{.*}} ins(%a, %b {{.*}} outs(%sums
// CHECK: aie.use_lock(%[[FACTORS]], AcquireGreaterEqual
// CHECK: aie.get_stream
// CHECK: scf.for %{{.*}} to %c4
// CHECK: linalg.generic {{.*}} ins(%a, %{{.*}} outs(%[[SUMS:subview.*]] :
// CHECK: memref.subview %bias[%{{.*}}, 0] [2, 8] [1, 1]
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "parallel"]
// CHECK: aie.use_lock(%[[FULL]], Release
// CHECK: aie.use_lock({{.*}}, Release
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
#turned = affine_map<(m, n, r, t) -> (n, m, r, t)>
#columns = affine_map<(m, n, r, t) -> (n, t)>
aie.device(npu1) @sent {
  %tile = aie.tile(0, 2)
  %free = aie.lock(%tile, 0) {init = 1 : i32}
  %full = aie.lock(%tile, 1) {init = 0 : i32}
  %have = aie.lock(%tile, 2) {init = 0 : i32}
  %want = aie.lock(%tile, 3) {init = 1 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<8x16x4x8xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<8x8x8x8xi8, 2 : i32>
  %bias = aie.buffer(%tile) {sym_name = "bias"} : memref<8x8xi32, 2 : i32>
  %sums = aie.buffer(%tile) {sym_name = "sums"} : memref<8x16x4x8xi32, 2 : i32>
  %mem = aie.mem(%tile) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%full, AcquireGreaterEqual)
    aie.dma_bd(%sums : memref<8x16x4x8xi32, 2 : i32> offset = 0 len = 4096)
    aie.use_lock(%free, Release)
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    aie.use_lock(%free, AcquireGreaterEqual)
    linalg.fill ins(%zero : i32) outs(%sums : memref<8x16x4x8xi32, 2 : i32>)
    scf.for %i = %c0 to %c8 step %c1 {
      aie.use_lock(%have, AcquireGreaterEqual)
      linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x16x4x8xi8, 2 : i32>, memref<8x8x8x8xi8, 2 : i32>) outs(%sums : memref<8x16x4x8xi32, 2 : i32>) {
      ^bb0(%x: i8, %y: i8, %o: i32):
        %0 = arith.extsi %x : i8 to i32
        %1 = arith.extsi %y : i8 to i32
        %2 = arith.muli %0, %1 : i32
        %3 = arith.addi %o, %2 : i32
        linalg.yield %3 : i32
      }
      aie.use_lock(%want, Release)
      aie.use_lock(%have, AcquireGreaterEqual)
      linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x16x4x8xi8, 2 : i32>, memref<8x8x8x8xi8, 2 : i32>) outs(%sums : memref<8x16x4x8xi32, 2 : i32>) {
      ^bb0(%x: i8, %y: i8, %o: i32):
        %0 = arith.extsi %x : i8 to i32
        %1 = arith.extsi %y : i8 to i32
        %2 = arith.muli %0, %1 : i32
        %3 = arith.addi %o, %2 : i32
        linalg.yield %3 : i32
      }
      aie.use_lock(%want, Release)
    }
    %word = aie.get_stream(%zero : i32) : i32
    memref.store %word, %bias[%c0, %c0] : memref<8x8xi32, 2 : i32>
    linalg.generic {indexing_maps = [#columns, #turned], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : memref<8x8xi32, 2 : i32>) outs(%sums : memref<8x16x4x8xi32, 2 : i32>) {
    ^bb0(%x: i32, %o: i32):
      %0 = arith.addi %o, %x : i32
      linalg.yield %0 : i32
    }
    aie.use_lock(%full, Release)
    aie.end
  }
}

// -----

// A loop makes results: its rounds make the last product of their part first.
// CHECK-LABEL: aie.device(npu1) @results
// CHECK: aie.core
// CHECK: aie.use_lock({{.*}}, AcquireGreaterEqual
// CHECK-NEXT: linalg.fill {{.*}} outs(%sums
// CHECK-NEXT: linalg.generic {{.*}} outs(%sums
// CHECK: scf.for %{{.*}} to %c6
// CHECK: linalg.generic {{.*}} outs(%sums
// CHECK: aie.use_lock(%{{.*}}, AcquireGreaterEqual
// CHECK: scf.for %[[PART:.*]] = %{{.*}} to %c4
// CHECK: linalg.generic {{.*}} outs(%subview{{.*}} : memref<8x16x4x4xf32
// CHECK: %[[MOVED:.*]] = arith.muli %[[PART]], %c32
// CHECK: %[[AT:.*]] = arith.addi %[[MOVED]], %c0
// CHECK: affine.apply #{{.*}}(%[[AT]])
// CHECK: aie.use_lock(%{{.*}}, AcquireGreaterEqual
// CHECK: arith.truncf
// CHECK: aie.use_lock(%{{.*}}, Release
// CHECK: }
// CHECK: aie.use_lock(%{{.*}}, Release
// CHECK-NEXT: aie.end
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
#all = affine_map<(n, m, r, t) -> (n, m, r, t)>
aie.device(npu1) @results {
  %tile = aie.tile(0, 2)
  %free = aie.lock(%tile, 0) {init = 1 : i32}
  %full = aie.lock(%tile, 1) {init = 0 : i32}
  %have = aie.lock(%tile, 2) {init = 0 : i32}
  %want = aie.lock(%tile, 3) {init = 1 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<4x16x4x8xbf16, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<32x4x8x4xbf16, 2 : i32>
  %sums = aie.buffer(%tile) {sym_name = "sums"} : memref<32x16x4x4xf32, 2 : i32>
  %out = aie.buffer(%tile) {sym_name = "out"} : memref<8x16x4x4xbf16, 2 : i32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%sums : memref<32x16x4x4xf32, 2 : i32>)
    scf.for %i = %c0 to %c8 step %c1 {
      aie.use_lock(%have, AcquireGreaterEqual)
      linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64} ins(%a, %b : memref<4x16x4x8xbf16, 2 : i32>, memref<32x4x8x4xbf16, 2 : i32>) outs(%sums : memref<32x16x4x4xf32, 2 : i32>) {
      ^bb0(%x: bf16, %y: bf16, %o: f32):
        %0 = arith.extf %x : bf16 to f32
        %1 = arith.extf %y : bf16 to f32
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.addf %o, %2 : f32
        linalg.yield %3 : f32
      }
      aie.use_lock(%want, Release)
    }
    scf.for %i = %c0 to %c128 step %c32 {
      %at = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)
      %part = memref.subview %sums[%at, 0, 0, 0] [8, 16, 4, 4] [1, 1, 1, 1] : memref<32x16x4x4xf32, 2 : i32> to memref<8x16x4x4xf32, strided<[256, 16, 4, 1], offset: ?>, 2 : i32>
      aie.use_lock(%free, AcquireGreaterEqual)
      linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%part : memref<8x16x4x4xf32, strided<[256, 16, 4, 1], offset: ?>, 2 : i32>) outs(%out : memref<8x16x4x4xbf16, 2 : i32>) {
      ^bb0(%x: f32, %o: bf16):
        %0 = arith.truncf %x : f32 to bf16
        linalg.yield %0 : bf16
      }
      aie.use_lock(%full, Release)
    }
    aie.end
  }
}

// -----

// Left as they are: a loop of results from the last part to the first, sums that leave in packets, small ones.
// CHECK-LABEL: aie.device(npu1) @backwards
// CHECK: aie.core
// CHECK: linalg.fill
// CHECK-NEXT: scf.for %{{.*}} to %c8
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
#all = affine_map<(n, m, r, t) -> (n, m, r, t)>
aie.device(npu1) @backwards {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<8x16x4x8xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<8x8x8x8xi8, 2 : i32>
  %sums = aie.buffer(%tile) {sym_name = "sums"} : memref<8x16x4x8xi32, 2 : i32>
  %out = aie.buffer(%tile) {sym_name = "out"} : memref<2x16x4x8xi8, 2 : i32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    linalg.fill ins(%zero : i32) outs(%sums : memref<8x16x4x8xi32, 2 : i32>)
    scf.for %i = %c0 to %c8 step %c1 {
      linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x16x4x8xi8, 2 : i32>, memref<8x8x8x8xi8, 2 : i32>) outs(%sums : memref<8x16x4x8xi32, 2 : i32>) {
      ^bb0(%x: i8, %y: i8, %o: i32):
        %0 = arith.extsi %x : i8 to i32
        %1 = arith.extsi %y : i8 to i32
        %2 = arith.muli %0, %1 : i32
        %3 = arith.addi %o, %2 : i32
        linalg.yield %3 : i32
      }
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %at = affine.apply affine_map<(d0) -> (d0 * -2 + 6)>(%i)
      %part = memref.subview %sums[%at, 0, 0, 0] [2, 16, 4, 8] [1, 1, 1, 1] : memref<8x16x4x8xi32, 2 : i32> to memref<2x16x4x8xi32, strided<[512, 32, 8, 1], offset: ?>, 2 : i32>
      linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%part : memref<2x16x4x8xi32, strided<[512, 32, 8, 1], offset: ?>, 2 : i32>) outs(%out : memref<2x16x4x8xi8, 2 : i32>) {
      ^bb0(%x: i32, %o: i8):
        %0 = arith.trunci %x : i32 to i8
        linalg.yield %0 : i8
      }
    }
    aie.end
  }
}

// -----

// CHECK-LABEL: aie.device(npu1) @in_packets
// CHECK: aie.lock({{.*}}) {init = 1 : i32}
// CHECK-NOT: len = 1024
// CHECK-LABEL: aie.device(npu1) @small
// CHECK: aie.lock({{.*}}) {init = 1 : i32}
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
aie.device(npu1) @in_packets {
  %tile = aie.tile(0, 2)
  %free = aie.lock(%tile, 0) {init = 1 : i32}
  %full = aie.lock(%tile, 1) {init = 0 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<8x16x4x8xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<8x8x8x8xi8, 2 : i32>
  %sums = aie.buffer(%tile) {sym_name = "sums"} : memref<8x16x4x8xi32, 2 : i32>
  %mem = aie.mem(%tile) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%full, AcquireGreaterEqual)
    aie.dma_bd(%sums : memref<8x16x4x8xi32, 2 : i32> offset = 0 len = 4096) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
    aie.use_lock(%free, Release)
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    aie.use_lock(%free, AcquireGreaterEqual)
    linalg.fill ins(%zero : i32) outs(%sums : memref<8x16x4x8xi32, 2 : i32>)
    scf.for %i = %c0 to %c8 step %c1 {
      linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x16x4x8xi8, 2 : i32>, memref<8x8x8x8xi8, 2 : i32>) outs(%sums : memref<8x16x4x8xi32, 2 : i32>) {
      ^bb0(%x: i8, %y: i8, %o: i32):
        %0 = arith.extsi %x : i8 to i32
        %1 = arith.extsi %y : i8 to i32
        %2 = arith.muli %0, %1 : i32
        %3 = arith.addi %o, %2 : i32
        linalg.yield %3 : i32
      }
    }
    aie.use_lock(%full, Release)
    aie.end
  }
}
aie.device(npu1) @small {
  %tile = aie.tile(0, 2)
  %free = aie.lock(%tile, 0) {init = 1 : i32}
  %full = aie.lock(%tile, 1) {init = 0 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<2x4x4x8xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<2x2x8x8xi8, 2 : i32>
  %sums = aie.buffer(%tile) {sym_name = "sums"} : memref<2x4x4x8xi32, 2 : i32>
  %mem = aie.mem(%tile) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.use_lock(%full, AcquireGreaterEqual)
    aie.dma_bd(%sums : memref<2x4x4x8xi32, 2 : i32> offset = 0 len = 256)
    aie.use_lock(%free, Release)
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    aie.use_lock(%free, AcquireGreaterEqual)
    linalg.fill ins(%zero : i32) outs(%sums : memref<2x4x4x8xi32, 2 : i32>)
    scf.for %i = %c0 to %c8 step %c1 {
      linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<2x4x4x8xi8, 2 : i32>, memref<2x2x8x8xi8, 2 : i32>) outs(%sums : memref<2x4x4x8xi32, 2 : i32>) {
      ^bb0(%x: i8, %y: i8, %o: i32):
        %0 = arith.extsi %x : i8 to i32
        %1 = arith.extsi %y : i8 to i32
        %2 = arith.muli %0, %1 : i32
        %3 = arith.addi %o, %2 : i32
        linalg.yield %3 : i32
      }
    }
    aie.use_lock(%full, Release)
    aie.end
  }
}
