// Mistakes have a place and a caret.
// RUN: not airlite-inspect --asm %s -o %t 2>&1 | FileCheck %s
// RUN: not airlite-inspect --asm --disasm %s 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not airlite-inspect %s 2>&1 | FileCheck %s --check-prefix=NONE
// USAGE: airlite-inspect: error: --asm and --disasm are two jobs
// NONE: airlite-inspect: error: {{.*}}errors.s: at byte 0x0 no format that airlite knows

  vmax r0, r1, r2 ; VLDAA wl0, [p0], m1
// CHECK: errors.s:[[#@LINE-1]]:3: error: unknown instruction 'vmax'; did you mean 'vmac'?
// CHECK-NEXT: vmax r0, r1, r2
// CHECK-NEXT: {{^}}  ^~~~{{$}}
  VLDAA wl0, [p0], m1
// CHECK: errors.s:[[#@LINE-1]]:3: error: unknown instruction 'VLDAA'; did you mean 'vlda'?
	lda r1, [p0, #2] ; nops
// CHECK: errors.s:[[#@LINE-1]]:15: error: expected one of dj0-dj7; or multiples of 4 from -128 to 124
// CHECK: {{^}}	             ^~{{$}}
  add r1, r2, r3 ; add r4, r5, r6
// CHECK: errors.s:[[#@LINE-1]]:3: error: two instructions for slot alu
  j #nowhere
// CHECK: errors.s:[[#@LINE-1]]:3: error: undefined symbol 'nowhere'
