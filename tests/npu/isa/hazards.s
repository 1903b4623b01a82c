// What breaks the rules of the pipeline, at its line.
// RUN: not airlite-inspect --check-hazards %s 2>&1 | FileCheck %s
// RUN: airlite-inspect --asm %s -o %t
// RUN: not airlite-inspect --check-hazards %t 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not airlite-inspect --check-hazards --reads-in-flight %s 2>&1 | FileCheck %s --check-prefix=READS

  lda r1, [p0], #4
  add r2, r1, r3
// READS: hazards.s:[[#@LINE-1]]:1: error: r1 is read while a write to it is under way: 'lda r1, [p0], #4', 1 cycle later, 'add r2, r1, r3', 6 cycles short [read-in-flight]
  add r1, r2, r3
// CHECK: hazards.s:[[#@LINE-1]]:1: error: r1 keeps what the first of two instructions writes: 'lda r1, [p0], #4', 2 cycles later, 'add r1, r2, r3', 5 cycles short [write-after-write]
// CHECK: hazards.s:[[#@LINE-5]]:1: note: the first of the two
// BYTES: error: at 0x0008: r1 keeps what the first of two instructions writes
// BYTES: note: the first of the two is at 0x0000
  rel #49, r4
// CHECK: hazards.s:[[#@LINE-1]]:1: error: a memory access too shortly before a lock: 'lda r1, [p0], #4', 3 cycles later, 'rel #49, r4', 1 cycle short [lock-distance]
  done
