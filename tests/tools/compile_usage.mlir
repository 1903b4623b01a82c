// Wrong usage of airlite-compile is exit code 2, a wrong program is 1; neither writes a file.
// REQUIRES: gpu
// RUN: airlite-compile --list-targets | FileCheck %s --check-prefix=LIST
// LIST: gfx90a
// LIST-NEXT: gfx942
// LIST-NEXT: gfx1100
// LIST-NEXT: gfx1201
// LIST-NEXT: npu1
// RUN: (airlite-compile %s --target=npu1 -o %t.out; test $? = 1) 2>&1 | FileCheck %s --check-prefix=NPU
// NPU: error: there is no segment or herd to compile
// RUN: (airlite-compile %s --target=npu1 --emit=hsaco -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NPUEMIT
// NPUEMIT: error: --emit=hsaco is not for npu1: it has images (the default), air, aie, config
// RUN: (airlite-compile %s --target=gfx942 --emit=config -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GPUEMIT
// GPUEMIT: error: --emit=config is for npu1
// RUN: (airlite-compile %s --target=gfx942 --report=resources -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GPUREPORT
// GPUREPORT: error: --report=resources is for npu1
// RUN: (airlite-compile %s --target=npu1 --report=kernel -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NPUREPORT
// NPUREPORT: error: --report=kernel is for GPUs; an NPU has --report=plan and --report=resources
// RUN: (airlite-compile %s --target=npu1 --emit=air --pipeline=air-npo -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RECIPE
// RECIPE: error: unknown pass 'air-npo'; did you mean 'air-npu'?
// RUN: (airlite-compile %s --target=gfx943 -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU
// CPU: airlite-compile: error: {{.*}}gfx943{{.*}}gfx942
// RUN: (airlite-compile %s -o %t.out; test $? = 2) 2>&1 | FileCheck %s --check-prefix=NOTARGET
// NOTARGET: error: no --target given, see --list-targets
// RUN: (airlite-compile %s --target=gfx942; test $? = 2) 2>&1 | FileCheck %s --check-prefix=NODIR
// NODIR: error: no folder for the files given: -o DIR
// RUN: (airlite-compile %s --traget=gfx942 -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// OPTION: error: unknown option '--traget=gfx942'; did you mean 'target'?
// RUN: (airlite-compile %s --target=gfx942 --emit=exe -o %t.out; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMIT
// EMIT: error: --emit: exe not in
// RUN: (airlite-compile %t.missing --target=gfx942 -o %t.out; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot read '{{.*}}.missing': No such file or directory
// RUN: (airlite-compile %s --target=gfx942 -o %t.out; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: there is no air.launch to compile
// RUN: test ! -e %t.out
func.func @main() {
  return
}
