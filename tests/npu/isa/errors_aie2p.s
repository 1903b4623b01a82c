// What AIE2P lacks, and what its objects cannot say.
// RUN: not airlite-inspect --asm --device=npu2 %s -o %t 2>&1 | FileCheck %s
// RUN: echo "  .word there" > %t.s && not airlite-inspect --asm -c --device=npu2 %t.s -o %t 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not airlite-inspect --asm --device=xcvc1902 %s -o %t 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not airlite-inspect --asm --device=npu7 %s -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// WORD: 1:9: error: not supported: the relocation of a data word in objects of aie2p is not known, and 'there' is not defined
// OLD: airlite-inspect: error: not supported: the instructions of cores of 'xcvc1902'
// NONE: airlite-inspect: error: there is no device 'npu7'

  vldb.compr.peek x0, [p0]
// CHECK: errors_aie2p.s:[[#@LINE-1]]:3: error: unknown instruction 'vldb.compr.peek'
  paddb [sp], #32
// CHECK: errors_aie2p.s:[[#@LINE-1]]:10: error: expected one of p0-p7
  vlda.pop.576 ex0, [p0, lf1, r24]
// CHECK: errors_aie2p.s:[[#@LINE-1]]:26: error: expected lf0
  vmul dm5, x0, x1, r0
// CHECK: errors_aie2p.s:[[#@LINE-1]]:8: error: expected one of dm0-dm4
  inv r0.fx2flt, s3, r1
// CHECK: errors_aie2p.s:[[#@LINE-1]]:7: error: expected
  mac r0, r1, r2, r3
// CHECK: errors_aie2p.s:[[#@LINE-1]]:11: error: expected r0, which this instruction names twice
  lda r1, [sp, #4]
// CHECK: errors_aie2p.s:[[#@LINE-1]]:16: error: expected multiples of 4 from -2048 to -4
