// --on=xrt submits the files of a design through XRT; here a library stands in for it that says what
// is called, and whose kernel copies its first buffer.
// UNSUPPORTED: sanitize
// RUN: rm -rf %t.d && airlite-compile %S/../../examples/npu_designs/passthrough.mlir --target=npu1 \
// RUN:   -o %t.d
// RUN: airlite-run --on=xrt %t.d --xrt $(dirname %{airlite-run})/libairlite_fake_xrt.so \
// RUN:   --init=random:1 --output 0=%t.in.npy --output 1=%t.out.npy | FileCheck %s
// CHECK: device 0
// CHECK-NEXT: xclbin
// CHECK-NEXT: register
// CHECK-NEXT: context 5A 1
// CHECK-NEXT: kernel MLIR_AIE
// CHECK-NEXT: buffer of [[BYTES:[0-9]+]] bytes, cacheable, group 1
// CHECK-NEXT: sync to [[BYTES]]
// CHECK-NEXT: argument 0 is 3, 8 bytes
// CHECK-NEXT: argument 1 is a buffer
// CHECK-NEXT: argument 2 is {{[0-9]+}}, 4 bytes
// CHECK-NEXT: buffer of [[SIZE:[0-9]+]] bytes, host only, group 0
// CHECK-NEXT: sync to [[SIZE]]
// CHECK-NEXT: argument 3 is a buffer
// CHECK: argument 4 is a buffer
// CHECK-NEXT: sync from
// CHECK: device 0 closed
// RUN: cmp %t.in.npy %t.out.npy

// RUN: not env FAKE_XRT_NO_DEVICE=1 airlite-run --on=xrt %t.d --init=zero \
// RUN:   --xrt $(dirname %{airlite-run})/libairlite_fake_xrt.so 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: XRT: no such device '0'
// RUN: not env FAKE_XRT_HANGS=1 airlite-run --on=xrt %t.d --init=zero \
// RUN:   --xrt $(dirname %{airlite-run})/libairlite_fake_xrt.so 2>&1 | FileCheck %s --check-prefix=HANGS
// HANGS: error: the NPU did not complete the run in 60 s: state 1 of the command
// RUN: not airlite-run --on=xrt %t.d --init=zero --xrt /nowhere/libxrt_coreutil.so 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// MISSING: error: there is no XRT on this machine (/nowhere/libxrt_coreutil.so), use --on=sim
// RUN: not airlite-run --on=xrt %t.d --init=zero --xrt libm.so.6 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: 'libm.so.6' has no xrt::device(unsigned): XRT 2.16 or later with the plug-in for NPUs is needed, use --on=sim
// RUN: not airlite-run --on=xrt %t.d --init=zero --stats 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: error: --reverse-tiles, --sanitize, --cycles, --stats, --profile, --sim-timing, --trace, --record and --view need --on=sim
