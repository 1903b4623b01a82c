// What breaks the rules of AIE2P's pipeline: its ports, its latencies, its part words and locks.
// RUN: not airlite-inspect --check-hazards --device=npu2 %s 2>&1 | FileCheck %s

  st.s8 r1, [p4], m2
  inv r2.flt2fx, s3, r1.fx2flt, s2 ; vmax_lt.8 x0, r17:r16, x1, x2, vaddsign0
  mov r1, #-512 ; movx r2, #1023
// CHECK: hazards_aie2p.s:[[#@LINE-1]]:1: error: r1 is read in cycle 7 and has been overwritten by then: 'st.s8 r1, [p4], m2', 2 cycles later, 'mov r1, #-512', 4 cycles short [write-after-read]
// CHECK: hazards_aie2p.s:[[#@LINE-2]]:1: error: r2 keeps what the first of two instructions writes: 'inv r2.flt2fx, s3, r1.fx2flt, s2', 1 cycle later, 'movx r2, #1023', 3 cycles short [write-after-write]
// CHECK: hazards_aie2p.s:[[#@LINE-3]]:1: error: both hold L_WM_PORT in cycle 2: 'vmax_lt.8 x0, r17:r16, x1, x2, vaddsign0', 1 cycle later, 'mov r1, #-512', 1 cycle short [resource]
  nop
  nop
  nop
  nop
  nop
  acq #48, r3
// CHECK: hazards_aie2p.s:[[#@LINE-1]]:1: error: a memory access too shortly before a lock: 'st.s8 r1, [p4], m2', 8 cycles later, 'acq #48, r3', 2 cycles short [lock-distance]
  rel #48, r3
// CHECK: hazards_aie2p.s:[[#@LINE-1]]:1: error: both hold LCKREQ in cycle {{.*}} [resource]
