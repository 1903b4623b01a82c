// The simulated NPU, from files that a driver would load.
// RUN: airlite-inspect --assemble %S/Inputs/npu_passthrough.txt -o %t.pdi
// RUN: airlite-inspect --assemble %S/Inputs/npu_passthrough_stream.txt -o %t.insts.bin
// RUN: airlite-run --on=sim %t.pdi %t.insts.bin --init=random:1 --shape 0=256xi32 \
// RUN:   --shape 1=256xi32 --output 0=%t.in.npy --output 1=%t.out.npy
// RUN: cmp %t.in.npy %t.out.npy
// RUN: airlite-run --on=sim %t.pdi %t.insts.bin --input 0=%t.in.npy --expect 1=%t.in.npy \
// RUN:   --reverse-tiles -v 2>&1 | FileCheck %s
// CHECK: cycles on the simulated npu1
// CHECK: 256 elements, all with the same bits

// A folder with a manifest: arguments have names.
// RUN: rm -rf %t.d && mkdir %t.d && cp %t.pdi %t.d/d.pdi && cp %t.insts.bin %t.d/d.insts.bin
// RUN: cp %S/Inputs/npu_passthrough_manifest.json %t.d/manifest.json
// RUN: cp %S/Inputs/npu_passthrough_locations.txt %t.d/d.locations.txt
// RUN: airlite-run --on=sim %t.d --input from=%t.in.npy --expect to=%t.in.npy \
// RUN:   | FileCheck %s --check-prefix=NAMED
// RUN: airlite-run --on=sim %t.d/manifest.json --input 0=%t.in.npy --expect 1=%t.in.npy \
// RUN:   | FileCheck %s --check-prefix=NAMED
// NAMED: argument 1 is as expected
// RUN: not airlite-run --on=sim %t.d --input form=%t.in.npy 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected --input=N=..., with N the number of the argument, got 'form={{.*}}'
// RUN: sed -e 's/"version": 1/"version": 2/' %t.d/manifest.json > %t.d/new.json
// RUN: not airlite-run --on=sim %t.d/new.json 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: '{{.*}}new.json': expected "version": 1
// RUN: sed -e 's/"shape": \[256\]/"shape": [256, -1]/' %t.d/manifest.json > %t.d/new.json
// RUN: not airlite-run --on=sim %t.d/new.json 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: new.json': argument 0: "shape": expected sizes, found -1
// RUN: sed -e 's/"device"/"devise"/' %t.d/manifest.json > %t.d/new.json
// RUN: not airlite-run --on=sim %t.d/new.json 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: new.json': there is no entry "devise"
// RUN: sed -e 's/"d.pdi"/"..\/d.pdi"/' %t.d/manifest.json > %t.d/new.json
// RUN: not airlite-run --on=sim %t.d/new.json 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: new.json': run 0: "xclbin": expected the name of a file beside the manifest

// One task fewer sends than the host waits for: who waits for whom, and the lines that say so.
// RUN: sed -e 's/Start_BD_ID=1 Repeat_Count=3/Start_BD_ID=1 Repeat_Count=1/' \
// RUN:   %S/Inputs/npu_passthrough.txt > %t.short.txt
// RUN: airlite-inspect --assemble %t.short.txt -o %t.d/d.pdi
// RUN: not airlite-run --on=sim %t.d --input from=%t.in.npy --expect to=%t.in.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HANG
// HANG: error: the design hangs after {{[0-9]+}} cycles: each waits for the next
// HANG-NEXT: the stream waits for a token of (0,0) S2MM 0
// HANG-NEXT: step of the host copy.mlir:33:3
// HANG-NEXT: (0,0) S2MM 0 BD 0 waits for 128 more words from its stream
// HANG-NEXT: descriptor of copy.mlir:30:3
// HANG-NEXT: (0,1) MM2S 0 has no task: nothing starts it

// A lock that nobody fills: the receiver waits for the sender, and the sender for the receiver.
// RUN: sed -e 's/0x8141FF40/0x8140FF40/' %S/Inputs/npu_passthrough.txt > %t.lock.txt
// RUN: airlite-inspect --assemble %t.lock.txt -o %t.d/d.pdi
// RUN: not airlite-run --on=sim %t.d --input from=%t.in.npy --expect to=%t.in.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOCK
// LOCK: (0,1) MM2S 0 BD 1 waits for lock 1 of (0,1): it holds 0, needs at least 1
// LOCK-NEXT: descriptor of copy.mlir:17:5

// Nobody says that the buffer is empty: each of the two waits for the other.
// RUN: sed -e 's/Lock0_value Lock_value=1/Lock0_value Lock_value=0/' \
// RUN:   %S/Inputs/npu_passthrough.txt > %t.circle.txt
// RUN: airlite-inspect --assemble %t.circle.txt -o %t.d/d.pdi
// RUN: not airlite-run --on=sim %t.d --input from=%t.in.npy --expect to=%t.in.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CIRCLE
// CIRCLE: cycles: these wait for each other in a circle
// CIRCLE: the circle:
// CIRCLE-NEXT: (0,1) MM2S 0 BD 1 waits for lock 1 of (0,1): it holds 0, needs at least 1
// CIRCLE-NEXT: descriptor of copy.mlir:17:5
// CIRCLE-NEXT: (0,1) S2MM 0 BD 0 waits for lock 0 of (0,1): it holds 0, needs at least 1
// CIRCLE-NEXT: descriptor of copy.mlir:12:5
// CIRCLE-NEXT: all that waits

// A buffer that is too short is found where the descriptor leaves it.
// RUN: not airlite-run --on=sim %t.pdi %t.insts.bin --init=zero --shape 0=255xi32 \
// RUN:   --shape 1=256xi32 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: error: the design faults after {{[0-9]+}} cycles: tile (0,0), cycle {{[0-9]+}}: MM2S 0: BD 1 leaves its memory

// RUN: not airlite-run --on=sim %t.pdi %t.insts.bin --init=zero --shape 0=256xi32 \
// RUN:   --shape 1=256xi32 --cycles=500 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: the design is not done after 500 cycles
// RUN: not airlite-run --on=sim %t.pdi 2>&1 | FileCheck %s --check-prefix=STREAM
// STREAM: needs an instruction stream: airlite-run --on=sim IMAGE INSTS.bin
// RUN: not airlite-run --on=sim %t.pdi %t.pdi 2>&1 | FileCheck %s --check-prefix=NOSTREAM
// NOSTREAM: is not an instruction stream
// RUN: not airlite-run --on=sim %t.pdi %t.insts.bin --input 1=%t.in.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPEN
// OPEN: error: argument 0: give --input or --shape, such as --shape 0=4x8xi32: there is no manifest
