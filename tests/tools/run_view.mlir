// --record writes what a run did as data, --view the page that shows it: of programs, of designs as
// files, of several runs, and of a run that does not finish.
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/two_launches.mlir --init=random:1 \
// RUN:   --record=%t.json --view=%t.html
// RUN: python3 %S/Inputs/check_record.py %t.json | FileCheck %s --check-prefix=RUNS
// RUNS: run 0: finished, {{[1-9][0-9]*}} cycles
// RUNS-NEXT: kinds: channel core host lock
// RUNS-NEXT: every track lasts as long as the run
// RUNS-NEXT: statistics agree with the tracks
// RUNS-NEXT: places are lines of the program: True
// RUNS-NEXT: products:
// RUNS-NEXT: flows: True, buffers: True
// RUNS-NEXT: run 1: finished, {{[1-9][0-9]*}} cycles
// RUN: FileCheck %s --check-prefix=PAGE --input-file=%t.html
// PAGE: <!DOCTYPE html>
// PAGE: <script type="application/json" id="record">{"format":"airlite-run-record","version":1,
// PAGE: two_launches.mlir

// Of bytes alone the streams are known; buffers and names are where they were compiled with
// --report=resources.
// RUN: rm -rf %t.d && airlite-compile %S/../../examples/npu_designs/matmul_one_core.mlir --target=npu1 -o %t.d
// RUN: airlite-run --on=sim %t.d --record=%t.files.json
// RUN: python3 %S/Inputs/check_record.py %t.files.json | FileCheck %s --check-prefix=FILES
// FILES: flows: True, buffers: False
// RUN: airlite-compile %S/../../examples/npu_designs/matmul_one_core.mlir --target=npu1 -o %t.d --report=resources
// RUN: airlite-run --on=sim %t.d --init=random:1 --record=%t.files.json
// RUN: python3 %S/Inputs/check_record.py %t.files.json | FileCheck %s --check-prefix=MORE
// MORE: flows: True, buffers: True

// The matrix units count the products of a product: 64 * 64 * 64, and those of tiles that overlap twice.
// RUN: airlite-run --on=sim %S/../../examples/npu/matmul_i8.mlir --record=%t.products.json
// RUN: python3 %S/Inputs/check_record.py %t.products.json | FileCheck %s --check-prefix=PRODUCTS
// PRODUCTS: products: {{262144|294912}}, at most 256 in an instruction

// A run that is cut off is recorded, and the tool fails.
// RUN: not airlite-run --on=sim %S/../../examples/npu_designs/matmul_one_core.mlir --init=random:1 \
// RUN:   --cycles=5000 --record=%t.cut.json 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: the design is not done after 5000 cycles
// RUN: python3 %S/Inputs/check_record.py %t.cut.json | FileCheck %s --check-prefix=CUTOFF
// CUTOFF: run 0: out of cycles, 5000 cycles

// The simulator alone has this data.
// RUN: not airlite-run --on=interp %S/../../examples/npu_designs/two_launches.mlir --view=%t.html 2>&1 \
// RUN:   | FileCheck %s --check-prefix=INTERP
// INTERP: error: {{.*}}--view{{.*}}need --on=sim
// RUN: not airlite-run --on=xrt %t.d --record=%t.json 2>&1 | FileCheck %s --check-prefix=XRT
// XRT: error: {{.*}}--record and --view need --on=sim
// RUN: not airlite-run --on=sim %t.d --init=zero --view=%t.d/none/out.html 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: error: {{.*}}none/out.html
