// A design of an NPU's tiles becomes the files that a driver loads: no recipe, all or nothing.
// RUN: airlite-compile %s --target=npu1 -o %t.out --report=resources --emit=images,config,floorplan.svg \
// RUN:   | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --input-file=%t.out/copy.config.txt --check-prefix=CONFIG
// RUN: FileCheck %s --input-file=%t.out/copy.resources.json --check-prefix=JSON
// RUN: FileCheck %s --input-file=%t.out/copy.floorplan.svg --check-prefix=SVG
// RUN: FileCheck %s --input-file=%t.out/copy.locations.txt --check-prefix=PLACES
// RUN: FileCheck %s --input-file=%t.out/manifest.json --check-prefix=MANIFEST
// RUN: airlite-inspect %t.out/copy.xclbin | FileCheck %s --check-prefix=XCLBIN
// RUN: airlite-inspect --diff %t.out/copy.xclbin %t.out/copy.cdo
// RUN: airlite-inspect --diff %t.out/copy.pdi %t.out/copy.cdo

// TABLE: design copy on npu1
// TABLE-NEXT: tile   kind    buffers
// TABLE-NEXT: (0,0)  shim          0           -        -   0/16   0/16   1/2   1/2
// TABLE-NEXT: (0,1)  memory        1  256/524288        -   2/64   2/48   1/6   1/6
// TABLE: in: DMA0 of (0,0) -> DMA0 of (0,1)
// TABLE-NEXT: by (0,0) NORTH{{[0-5]}} (0,1)
// TABLE: tokens of (0,0): CTRL0 of (0,0) -> SOUTH0 of (0,0)
// TABLE-NEXT: by inside (0,0)

// CONFIG: array copy on npu1
// CONFIG: bd 0: Buffer_Length=64

// JSON: "format": "airlite-npu-resources"
// JSON: {"tile": [0, 1], "kind": "memory", "memory_bytes": {"used": 256, "there": 524288}
// JSON: "buffers": [{"name": "buf", "offset": 0, "bytes": 256}]
// JSON: {"name": "in", "source": {"tile": [0, 0], "port": "DMA0"}

// SVG: <svg xmlns
// SVG: <title>buf: 256 bytes at 0x0</title>
// SVG: >MM2S 0</text>

// PLACES: config 0x001A0000 words=8 file={{.*}}compile_npu_design.mlir line=[[#]] column=5

// MANIFEST: "format": "airlite-npu-manifest"
// MANIFEST: "element_type": "i32"
// MANIFEST-NEXT: "shape": [
// MANIFEST-NEXT: 256
// MANIFEST: "scratch": []
// MANIFEST: "xclbin": "copy.xclbin"
// MANIFEST-NEXT: "instructions": "copy.insts.bin"

// XCLBIN: xclbin
// XCLBIN: blockwrite (0,1)+DMA_BD0_0 {
// XCLBIN: Lock_Acq_Enable=1
aie.device(npu1) @copy {
  %mem = aie.logical_tile<MemTile>(?, ?)
  %shim = aie.logical_tile<ShimNOCTile>(?, ?)
  %free = aie.lock(%mem) {init = 1 : i32}
  %full = aie.lock(%mem) {init = 0 : i32}
  %buf = aie.buffer(%mem) {sym_name = "buf"} : memref<64xi32>
  aie.memtile_dma(%mem) {
    aie.dma_start(S2MM, 0, ^in, ^next)
  ^in:
    aie.use_lock(%free, AcquireGreaterEqual)
    aie.dma_bd(%buf : memref<64xi32>)
    aie.use_lock(%full, Release)
    aie.next_bd ^in
  ^next:
    aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    aie.use_lock(%full, AcquireGreaterEqual)
    aie.dma_bd(%buf : memref<64xi32>)
    aie.use_lock(%free, Release)
    aie.next_bd ^out
  ^end:
    aie.end
  }
  aie.flow(%shim, DMA : 0, %mem, DMA : 0)
  aie.flow(%mem, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @run(%arg0: memref<256xi32>, %arg1: memref<256xi32>) {
  }
}
