module {
  aie.device(npu1) @main_0 {
    %tile_0_2 = aie.tile(0, 2)
    %logical_mem = aie.logical_tile<MemTile>(?, ?)
    %logical_shim_noc = aie.logical_tile<ShimNOCTile>(?, ?)
    %lock = aie.lock(%logical_mem, 0) {init = 0 : i32}
    %lock_0 = aie.lock(%logical_mem, 1) {init = 1 : i32}
    %lock_1 = aie.lock(%logical_mem, 2) {init = 0 : i32}
    %lock_2 = aie.lock(%logical_mem, 3) {init = 1 : i32}
    %lock_3 = aie.lock(%logical_mem, 4) {init = 0 : i32}
    %lock_4 = aie.lock(%logical_mem, 5) {init = 1 : i32}
    %lock_5 = aie.lock(%logical_mem, 6) {init = 0 : i32}
    %lock_6 = aie.lock(%logical_mem, 7) {init = 1 : i32}
    %lock_7 = aie.lock(%logical_mem, 8) {init = 0 : i32}
    %lock_8 = aie.lock(%logical_mem, 9) {init = 1 : i32}
    %lock_9 = aie.lock(%logical_mem, 10) {init = 0 : i32}
    %lock_10 = aie.lock(%logical_mem, 11) {init = 1 : i32}
    %lock_11 = aie.lock(%logical_mem, 12) {init = 0 : i32}
    %lock_12 = aie.lock(%logical_mem, 13) {init = 1 : i32}
    %l2_buf0 = aie.buffer(%logical_mem) {sym_name = "l2_buf0"} : memref<1x8x7x3xi8, 1 : i32>
    %lock_13 = aie.lock(%logical_mem, 14) {init = 0 : i32}
    %lock_14 = aie.lock(%logical_mem, 15) {init = 1 : i32}
    %lock_15 = aie.lock(%logical_mem, 16) {init = 0 : i32}
    %lock_16 = aie.lock(%logical_mem, 17) {init = 1 : i32}
    %lock_17 = aie.lock(%logical_mem, 18) {init = 0 : i32}
    %lock_18 = aie.lock(%logical_mem, 19) {init = 1 : i32}
    %lock_19 = aie.lock(%logical_mem, 20) {init = 0 : i32}
    %lock_20 = aie.lock(%logical_mem, 21) {init = 1 : i32}
    %lock_21 = aie.lock(%logical_mem, 22) {init = 0 : i32}
    %lock_22 = aie.lock(%logical_mem, 23) {init = 1 : i32}
    %lock_23 = aie.lock(%logical_mem, 24) {init = 0 : i32}
    %lock_24 = aie.lock(%logical_mem, 25) {init = 1 : i32}
    %lock_25 = aie.lock(%logical_mem, 26) {init = 0 : i32}
    %lock_26 = aie.lock(%logical_mem, 27) {init = 1 : i32}
    %l2_buf1 = aie.buffer(%logical_mem) {sym_name = "l2_buf1"} : memref<5x1x3x4xi8, 1 : i32>
    %lock_27 = aie.lock(%logical_mem, 28) {init = 0 : i32}
    %lock_28 = aie.lock(%logical_mem, 29) {init = 1 : i32}
    %lock_29 = aie.lock(%logical_mem, 30) {init = 0 : i32}
    %lock_30 = aie.lock(%logical_mem, 31) {init = 1 : i32}
    %lock_31 = aie.lock(%logical_mem, 32) {init = 0 : i32}
    %lock_32 = aie.lock(%logical_mem, 33) {init = 1 : i32}
    %lock_33 = aie.lock(%logical_mem, 34) {init = 0 : i32}
    %lock_34 = aie.lock(%logical_mem, 35) {init = 1 : i32}
    %lock_35 = aie.lock(%logical_mem, 36) {init = 0 : i32}
    %lock_36 = aie.lock(%logical_mem, 37) {init = 1 : i32}
    %l2_buf2 = aie.buffer(%logical_mem) {sym_name = "l2_buf2"} : memref<1x4x7x4xi32, 1 : i32>
    %lock_0_2 = aie.lock(%tile_0_2, 0) {init = 0 : i32}
    %lock_0_2_37 = aie.lock(%tile_0_2, 1) {init = 1 : i32}
    %lock_0_2_38 = aie.lock(%tile_0_2, 2) {init = 0 : i32}
    %lock_0_2_39 = aie.lock(%tile_0_2, 3) {init = 1 : i32}
    %lock_0_2_40 = aie.lock(%tile_0_2, 4) {init = 0 : i32}
    %lock_0_2_41 = aie.lock(%tile_0_2, 5) {init = 1 : i32}
    %buf0 = aie.buffer(%tile_0_2) {sym_name = "buf0"} : memref<1x4x7x4xi32, 2 : i32>
    %buf1 = aie.buffer(%tile_0_2) {sym_name = "buf1"} : memref<1x8x7x3xi8, 2 : i32>
    %buf2 = aie.buffer(%tile_0_2) {sym_name = "buf2"} : memref<5x1x3x4xi8, 2 : i32>
    %mem_0_2 = aie.mem(%tile_0_2) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb3)
    ^bb1:
      %c1_i32 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2, AcquireGreaterEqual, %c1_i32)
      aie.dma_bd(%buf0 : memref<1x4x7x4xi32, 2 : i32> offset = 0 len = 112) {task_id = 0 : i32}
      %c1_i32_42 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_37, Release, %c1_i32_42)
      aie.next_bd ^bb1
    ^bb2:
      aie.end
    ^bb3:
      %1 = aie.dma_start(S2MM, 0, ^bb4, ^bb5)
    ^bb4:
      %c1_i32_43 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_39, AcquireGreaterEqual, %c1_i32_43)
      aie.dma_bd(%buf1 : memref<1x8x7x3xi8, 2 : i32> offset = 0 len = 168) {task_id = 0 : i32}
      %c1_i32_44 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_38, Release, %c1_i32_44)
      aie.next_bd ^bb4
    ^bb5:
      %2 = aie.dma_start(S2MM, 1, ^bb6, ^bb2)
    ^bb6:
      %c1_i32_45 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_41, AcquireGreaterEqual, %c1_i32_45)
      aie.dma_bd(%buf2 : memref<5x1x3x4xi8, 2 : i32> offset = 0 len = 60) {task_id = 0 : i32}
      %c1_i32_46 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_40, Release, %c1_i32_46)
      aie.next_bd ^bb6
    }
    %core_0_2 = aie.core(%tile_0_2) {
      cf.br ^bb1
    ^bb1:
      %c0 = arith.constant 0 : index
      %c0_42 = arith.constant 0 : index
      cf.br ^bb2
    ^bb2:
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_37, AcquireGreaterEqual, %c1_i32)
      linalg.fill ins(%c0_i32 : i32) outs(%buf0 : memref<1x4x7x4xi32, 2 : i32>)
      %c1_i32_43 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_38, AcquireGreaterEqual, %c1_i32_43)
      %c1_i32_44 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_40, AcquireGreaterEqual, %c1_i32_44)
      linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%buf1, %buf2 : memref<1x8x7x3xi8, 2 : i32>, memref<5x1x3x4xi8, 2 : i32>) outs(%buf0 : memref<1x4x7x4xi32, 2 : i32>)
      %c1_i32_45 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_41, Release, %c1_i32_45)
      %c1_i32_46 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2_39, Release, %c1_i32_46)
      %c1_i32_47 = arith.constant 1 : i32
      aie.use_lock(%lock_0_2, Release, %c1_i32_47)
      cf.br ^bb1
    } {air.herd_local_id = array<i64: 0, 0>, air.herd_name = "herd_0", air.herd_size = array<i64: 1, 1>}
    air.channel @channel_2 [1, 1]
    air.channel @channel_3 [1, 1]
    air.channel @channel_4 [1, 1]
    aie.flow(%logical_shim_noc, DMA : 0, %logical_mem, DMA : 0)
    aie.flow(%logical_shim_noc, DMA : 1, %logical_mem, DMA : 1)
    aie.flow(%logical_mem, DMA : 0, %tile_0_2, DMA : 0)
    aie.flow(%logical_mem, DMA : 1, %tile_0_2, DMA : 1)
    aie.flow(%tile_0_2, DMA : 0, %logical_mem, DMA : 2)
    aie.flow(%logical_mem, DMA : 2, %logical_shim_noc, DMA : 0)
    %memtile_dma = aie.memtile_dma(%logical_mem) {
      %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb9)
    ^bb1:
      %c1_i32 = arith.constant 1 : i32
      aie.use_lock(%lock, AcquireGreaterEqual, %c1_i32)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 0 len = 24) {task_id = 0 : i32}
      %c1_i32_42 = arith.constant 1 : i32
      aie.use_lock(%lock_0, Release, %c1_i32_42)
      aie.next_bd ^bb2
    ^bb2:
      %c1_i32_43 = arith.constant 1 : i32
      aie.use_lock(%lock_1, AcquireGreaterEqual, %c1_i32_43)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 24 len = 24) {task_id = 0 : i32}
      %c1_i32_44 = arith.constant 1 : i32
      aie.use_lock(%lock_2, Release, %c1_i32_44)
      aie.next_bd ^bb3
    ^bb3:
      %c1_i32_45 = arith.constant 1 : i32
      aie.use_lock(%lock_3, AcquireGreaterEqual, %c1_i32_45)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 48 len = 24) {task_id = 0 : i32}
      %c1_i32_46 = arith.constant 1 : i32
      aie.use_lock(%lock_4, Release, %c1_i32_46)
      aie.next_bd ^bb4
    ^bb4:
      %c1_i32_47 = arith.constant 1 : i32
      aie.use_lock(%lock_5, AcquireGreaterEqual, %c1_i32_47)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 72 len = 24) {task_id = 0 : i32}
      %c1_i32_48 = arith.constant 1 : i32
      aie.use_lock(%lock_6, Release, %c1_i32_48)
      aie.next_bd ^bb5
    ^bb5:
      %c1_i32_49 = arith.constant 1 : i32
      aie.use_lock(%lock_7, AcquireGreaterEqual, %c1_i32_49)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 96 len = 24) {task_id = 0 : i32}
      %c1_i32_50 = arith.constant 1 : i32
      aie.use_lock(%lock_8, Release, %c1_i32_50)
      aie.next_bd ^bb6
    ^bb6:
      %c1_i32_51 = arith.constant 1 : i32
      aie.use_lock(%lock_9, AcquireGreaterEqual, %c1_i32_51)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 120 len = 24) {task_id = 0 : i32}
      %c1_i32_52 = arith.constant 1 : i32
      aie.use_lock(%lock_10, Release, %c1_i32_52)
      aie.next_bd ^bb7
    ^bb7:
      %c1_i32_53 = arith.constant 1 : i32
      aie.use_lock(%lock_11, AcquireGreaterEqual, %c1_i32_53)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 144 len = 24) {task_id = 0 : i32}
      %c1_i32_54 = arith.constant 1 : i32
      aie.use_lock(%lock_12, Release, %c1_i32_54)
      aie.next_bd ^bb1
    ^bb8:
      aie.end
    ^bb9:
      %1 = aie.dma_start(MM2S, 1, ^bb10, ^bb17)
    ^bb10:
      %c1_i32_55 = arith.constant 1 : i32
      aie.use_lock(%lock_13, AcquireGreaterEqual, %c1_i32_55)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 0 len = 8) {task_id = 0 : i32}
      %c1_i32_56 = arith.constant 1 : i32
      aie.use_lock(%lock_14, Release, %c1_i32_56)
      aie.next_bd ^bb11
    ^bb11:
      %c1_i32_57 = arith.constant 1 : i32
      aie.use_lock(%lock_15, AcquireGreaterEqual, %c1_i32_57)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 8 len = 8) {task_id = 0 : i32}
      %c1_i32_58 = arith.constant 1 : i32
      aie.use_lock(%lock_16, Release, %c1_i32_58)
      aie.next_bd ^bb12
    ^bb12:
      %c1_i32_59 = arith.constant 1 : i32
      aie.use_lock(%lock_17, AcquireGreaterEqual, %c1_i32_59)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 16 len = 8) {task_id = 0 : i32}
      %c1_i32_60 = arith.constant 1 : i32
      aie.use_lock(%lock_18, Release, %c1_i32_60)
      aie.next_bd ^bb13
    ^bb13:
      %c1_i32_61 = arith.constant 1 : i32
      aie.use_lock(%lock_19, AcquireGreaterEqual, %c1_i32_61)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 24 len = 8) {task_id = 0 : i32}
      %c1_i32_62 = arith.constant 1 : i32
      aie.use_lock(%lock_20, Release, %c1_i32_62)
      aie.next_bd ^bb14
    ^bb14:
      %c1_i32_63 = arith.constant 1 : i32
      aie.use_lock(%lock_21, AcquireGreaterEqual, %c1_i32_63)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 32 len = 8) {task_id = 0 : i32}
      %c1_i32_64 = arith.constant 1 : i32
      aie.use_lock(%lock_22, Release, %c1_i32_64)
      aie.next_bd ^bb15
    ^bb15:
      %c1_i32_65 = arith.constant 1 : i32
      aie.use_lock(%lock_23, AcquireGreaterEqual, %c1_i32_65)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 40 len = 8) {task_id = 0 : i32}
      %c1_i32_66 = arith.constant 1 : i32
      aie.use_lock(%lock_24, Release, %c1_i32_66)
      aie.next_bd ^bb16
    ^bb16:
      %c1_i32_67 = arith.constant 1 : i32
      aie.use_lock(%lock_25, AcquireGreaterEqual, %c1_i32_67)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 48 len = 12) {task_id = 0 : i32}
      %c1_i32_68 = arith.constant 1 : i32
      aie.use_lock(%lock_26, Release, %c1_i32_68)
      aie.next_bd ^bb10
    ^bb17:
      %2 = aie.dma_start(MM2S, 2, ^bb18, ^bb23)
    ^bb18:
      %c1_i32_69 = arith.constant 1 : i32
      aie.use_lock(%lock_27, AcquireGreaterEqual, %c1_i32_69)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 0 len = 22) {task_id = 0 : i32}
      %c1_i32_70 = arith.constant 1 : i32
      aie.use_lock(%lock_28, Release, %c1_i32_70)
      aie.next_bd ^bb19
    ^bb19:
      %c1_i32_71 = arith.constant 1 : i32
      aie.use_lock(%lock_29, AcquireGreaterEqual, %c1_i32_71)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 22 len = 22) {task_id = 0 : i32}
      %c1_i32_72 = arith.constant 1 : i32
      aie.use_lock(%lock_30, Release, %c1_i32_72)
      aie.next_bd ^bb20
    ^bb20:
      %c1_i32_73 = arith.constant 1 : i32
      aie.use_lock(%lock_31, AcquireGreaterEqual, %c1_i32_73)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 44 len = 22) {task_id = 0 : i32}
      %c1_i32_74 = arith.constant 1 : i32
      aie.use_lock(%lock_32, Release, %c1_i32_74)
      aie.next_bd ^bb21
    ^bb21:
      %c1_i32_75 = arith.constant 1 : i32
      aie.use_lock(%lock_33, AcquireGreaterEqual, %c1_i32_75)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 66 len = 22) {task_id = 0 : i32}
      %c1_i32_76 = arith.constant 1 : i32
      aie.use_lock(%lock_34, Release, %c1_i32_76)
      aie.next_bd ^bb22
    ^bb22:
      %c1_i32_77 = arith.constant 1 : i32
      aie.use_lock(%lock_35, AcquireGreaterEqual, %c1_i32_77)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 88 len = 24) {task_id = 0 : i32}
      %c1_i32_78 = arith.constant 1 : i32
      aie.use_lock(%lock_36, Release, %c1_i32_78)
      aie.next_bd ^bb18
    ^bb23:
      %3 = aie.dma_start(S2MM, 0, ^bb24, ^bb31)
    ^bb24:
      %c1_i32_79 = arith.constant 1 : i32
      aie.use_lock(%lock_0, AcquireGreaterEqual, %c1_i32_79)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 0 len = 24) {task_id = 0 : i32}
      %c1_i32_80 = arith.constant 1 : i32
      aie.use_lock(%lock, Release, %c1_i32_80)
      aie.next_bd ^bb25
    ^bb25:
      %c1_i32_81 = arith.constant 1 : i32
      aie.use_lock(%lock_2, AcquireGreaterEqual, %c1_i32_81)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 24 len = 24) {task_id = 0 : i32}
      %c1_i32_82 = arith.constant 1 : i32
      aie.use_lock(%lock_1, Release, %c1_i32_82)
      aie.next_bd ^bb26
    ^bb26:
      %c1_i32_83 = arith.constant 1 : i32
      aie.use_lock(%lock_4, AcquireGreaterEqual, %c1_i32_83)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 48 len = 24) {task_id = 0 : i32}
      %c1_i32_84 = arith.constant 1 : i32
      aie.use_lock(%lock_3, Release, %c1_i32_84)
      aie.next_bd ^bb27
    ^bb27:
      %c1_i32_85 = arith.constant 1 : i32
      aie.use_lock(%lock_6, AcquireGreaterEqual, %c1_i32_85)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 72 len = 24) {task_id = 0 : i32}
      %c1_i32_86 = arith.constant 1 : i32
      aie.use_lock(%lock_5, Release, %c1_i32_86)
      aie.next_bd ^bb28
    ^bb28:
      %c1_i32_87 = arith.constant 1 : i32
      aie.use_lock(%lock_8, AcquireGreaterEqual, %c1_i32_87)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 96 len = 24) {task_id = 0 : i32}
      %c1_i32_88 = arith.constant 1 : i32
      aie.use_lock(%lock_7, Release, %c1_i32_88)
      aie.next_bd ^bb29
    ^bb29:
      %c1_i32_89 = arith.constant 1 : i32
      aie.use_lock(%lock_10, AcquireGreaterEqual, %c1_i32_89)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 120 len = 24) {task_id = 0 : i32}
      %c1_i32_90 = arith.constant 1 : i32
      aie.use_lock(%lock_9, Release, %c1_i32_90)
      aie.next_bd ^bb30
    ^bb30:
      %c1_i32_91 = arith.constant 1 : i32
      aie.use_lock(%lock_12, AcquireGreaterEqual, %c1_i32_91)
      aie.dma_bd(%l2_buf0 : memref<1x8x7x3xi8, 1 : i32> offset = 144 len = 24) {task_id = 0 : i32}
      %c1_i32_92 = arith.constant 1 : i32
      aie.use_lock(%lock_11, Release, %c1_i32_92)
      aie.next_bd ^bb24
    ^bb31:
      %4 = aie.dma_start(S2MM, 1, ^bb32, ^bb39)
    ^bb32:
      %c1_i32_93 = arith.constant 1 : i32
      aie.use_lock(%lock_14, AcquireGreaterEqual, %c1_i32_93)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 0 len = 8) {task_id = 0 : i32}
      %c1_i32_94 = arith.constant 1 : i32
      aie.use_lock(%lock_13, Release, %c1_i32_94)
      aie.next_bd ^bb33
    ^bb33:
      %c1_i32_95 = arith.constant 1 : i32
      aie.use_lock(%lock_16, AcquireGreaterEqual, %c1_i32_95)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 8 len = 8) {task_id = 0 : i32}
      %c1_i32_96 = arith.constant 1 : i32
      aie.use_lock(%lock_15, Release, %c1_i32_96)
      aie.next_bd ^bb34
    ^bb34:
      %c1_i32_97 = arith.constant 1 : i32
      aie.use_lock(%lock_18, AcquireGreaterEqual, %c1_i32_97)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 16 len = 8) {task_id = 0 : i32}
      %c1_i32_98 = arith.constant 1 : i32
      aie.use_lock(%lock_17, Release, %c1_i32_98)
      aie.next_bd ^bb35
    ^bb35:
      %c1_i32_99 = arith.constant 1 : i32
      aie.use_lock(%lock_20, AcquireGreaterEqual, %c1_i32_99)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 24 len = 8) {task_id = 0 : i32}
      %c1_i32_100 = arith.constant 1 : i32
      aie.use_lock(%lock_19, Release, %c1_i32_100)
      aie.next_bd ^bb36
    ^bb36:
      %c1_i32_101 = arith.constant 1 : i32
      aie.use_lock(%lock_22, AcquireGreaterEqual, %c1_i32_101)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 32 len = 8) {task_id = 0 : i32}
      %c1_i32_102 = arith.constant 1 : i32
      aie.use_lock(%lock_21, Release, %c1_i32_102)
      aie.next_bd ^bb37
    ^bb37:
      %c1_i32_103 = arith.constant 1 : i32
      aie.use_lock(%lock_24, AcquireGreaterEqual, %c1_i32_103)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 40 len = 8) {task_id = 0 : i32}
      %c1_i32_104 = arith.constant 1 : i32
      aie.use_lock(%lock_23, Release, %c1_i32_104)
      aie.next_bd ^bb38
    ^bb38:
      %c1_i32_105 = arith.constant 1 : i32
      aie.use_lock(%lock_26, AcquireGreaterEqual, %c1_i32_105)
      aie.dma_bd(%l2_buf1 : memref<5x1x3x4xi8, 1 : i32> offset = 48 len = 12) {task_id = 0 : i32}
      %c1_i32_106 = arith.constant 1 : i32
      aie.use_lock(%lock_25, Release, %c1_i32_106)
      aie.next_bd ^bb32
    ^bb39:
      %5 = aie.dma_start(S2MM, 2, ^bb40, ^bb8)
    ^bb40:
      %c1_i32_107 = arith.constant 1 : i32
      aie.use_lock(%lock_28, AcquireGreaterEqual, %c1_i32_107)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 0 len = 22) {task_id = 0 : i32}
      %c1_i32_108 = arith.constant 1 : i32
      aie.use_lock(%lock_27, Release, %c1_i32_108)
      aie.next_bd ^bb41
    ^bb41:
      %c1_i32_109 = arith.constant 1 : i32
      aie.use_lock(%lock_30, AcquireGreaterEqual, %c1_i32_109)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 22 len = 22) {task_id = 0 : i32}
      %c1_i32_110 = arith.constant 1 : i32
      aie.use_lock(%lock_29, Release, %c1_i32_110)
      aie.next_bd ^bb42
    ^bb42:
      %c1_i32_111 = arith.constant 1 : i32
      aie.use_lock(%lock_32, AcquireGreaterEqual, %c1_i32_111)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 44 len = 22) {task_id = 0 : i32}
      %c1_i32_112 = arith.constant 1 : i32
      aie.use_lock(%lock_31, Release, %c1_i32_112)
      aie.next_bd ^bb43
    ^bb43:
      %c1_i32_113 = arith.constant 1 : i32
      aie.use_lock(%lock_34, AcquireGreaterEqual, %c1_i32_113)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 66 len = 22) {task_id = 0 : i32}
      %c1_i32_114 = arith.constant 1 : i32
      aie.use_lock(%lock_33, Release, %c1_i32_114)
      aie.next_bd ^bb44
    ^bb44:
      %c1_i32_115 = arith.constant 1 : i32
      aie.use_lock(%lock_36, AcquireGreaterEqual, %c1_i32_115)
      aie.dma_bd(%l2_buf2 : memref<1x4x7x4xi32, 1 : i32> offset = 88 len = 24) {task_id = 0 : i32}
      %c1_i32_116 = arith.constant 1 : i32
      aie.use_lock(%lock_35, Release, %c1_i32_116)
      aie.next_bd ^bb40
    }
    aie.shim_dma_allocation @air_channel_5(%logical_shim_noc, S2MM, 0)
    aie.shim_dma_allocation @air_channel_0(%logical_shim_noc, MM2S, 0)
    aie.shim_dma_allocation @air_channel_1(%logical_shim_noc, MM2S, 1)
    aie.runtime_sequence @main(%arg0: memref<1x8x7x3xi8>, %arg1: memref<5x1x3x4xi8>, %arg2: memref<1x4x7x4xi32>) {
      %0 = aiex.dma_configure_task_for @air_channel_0 {
        aie.dma_bd(%arg0 : memref<1x8x7x3xi8> offset = 0 len = 168 sizes = [168] strides = [1])
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%0)
      %1 = aiex.dma_configure_task_for @air_channel_1 {
        aie.dma_bd(%arg1 : memref<5x1x3x4xi8> offset = 0 len = 60 sizes = [60] strides = [1])
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%1)
      %2 = aiex.dma_configure_task_for @air_channel_5 {
        aie.dma_bd(%arg2 : memref<1x4x7x4xi32> offset = 0 len = 112 sizes = [112] strides = [1])
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%2)
      aiex.dma_await_task(%0)
      aiex.dma_await_task(%1)
      aiex.dma_await_task(%2)
    }
  }
  air.channel @channel_0 []
  air.channel @channel_1 []
  air.channel @channel_2 [1, 1]
  air.channel @channel_3 [1, 1]
  air.channel @channel_4 [1, 1]
  air.channel @channel_5 []
  airrt.module_metadata{
    airrt.segment_metadata attributes {sym_name = "main_0"}{
      airrt.herd_metadata {loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "herd_0"}
    }
  }
}
