// Programs on the simulated NPU: compiled in memory, run by their bytes, compared with the
// interpreter over several seeds, and with the tiles stepped in the other order.
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/passthrough.mlir --init=random:1 \
// RUN:   --compare=interp 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/transpose.mlir --init=random:2 \
// RUN:   --compare=interp 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/transpose.mlir --init=random:3 \
// RUN:   --compare=interp --reverse-tiles 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/broadcast.mlir --init=random:4 \
// RUN:   --compare=interp --stats --trace=%t.json 2>&1 | FileCheck %s --check-prefixes=STATS,TWO
// STATS: {{[0-9]+}} cycles
// STATS: ({{[0-9]}},2) core: runs {{[0-9.]+}}%
// STATS: (0,0) S2MM 0: busy {{[0-9.]+}}%, {{[0-9]+}} words
// TWO: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/broadcast.mlir --init=random:4 \
// RUN:   --compare=interp --reverse-tiles 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/vector_add.mlir --init=random:5 \
// RUN:   --compare=interp 2>&1 | FileCheck %s --check-prefix=THREE
// THREE: 3 arguments are as in the interpreter, bit by bit

// The trace is JSON with the tracks of cores and channels.
// RUN: python3 -c "import json, sys; print(len(json.load(open(sys.argv[1]))['traceEvents']) > 50)" \
// RUN:   %t.json | FileCheck %s --check-prefix=TRACE
// RUN: FileCheck %s --check-prefix=EVENTS --input-file=%t.json
// TRACE: True
// EVENTS-DAG: "name":"thread_name",{{.*}}"name":"core"
// EVENTS-DAG: "name":"waits for lock","cat":"stall"

// The same from files, in two steps.
// RUN: rm -rf %t.d && airlite-compile %S/../../examples/npu_designs/transpose.mlir --target=npu1 \
// RUN:   -o %t.d
// RUN: airlite-run --on=sim %t.d --init=random:7 --output arg1=%t.out.npy
// RUN: airlite-run --on=interp %S/../../examples/npu_designs/transpose.mlir --init=random:7 \
// RUN:   --expect 1=%t.out.npy | FileCheck %s --check-prefix=SAME
// SAME: with the same bits

// RUN: not airlite-run --on=sim %t.d --init=zero --compare=interp 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BYTES
// BYTES: error: --compare, --exact, --float-blocks, --tuned and --target need the program: a design is bytes alone
// RUN: not airlite-run --on=interp %s --stats 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: error: an instruction stream, --reverse-tiles, --sanitize, --cycles, --stats, --profile, --sim-timing, --trace, --record and --view need --on=sim or --on=model
