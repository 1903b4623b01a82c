// A program through bytes and back: labels, alignment, data, every kind of operand.
// RUN: airlite-inspect --asm %s -o %t && airlite-inspect --disasm %t | FileCheck %s
// RUN: airlite-inspect --disasm %t -o %t.s && airlite-inspect --asm %t.s -o %t.again && cmp %t %t.again

  movxm p0, #0x70400 ; mova r0, #7
  VLDA wl0, [P0], #32                   // letters may be large
  vlda.3d.ups.s32.s16 bml3, s1, [p2], d3
  padds.2d [p1], d5
  st.s8 r1, [p0], m2
  vaddmac cm1, cm1, cm2, x0, x3, r17
  vextract.s64 r19:r18, x0, r16
  mov r1, #-512 ; movx r2, #1023 ; nopv
  mov.cph.nb ms, m1, #3, #2, r4, r28
  acq.cond #63, r5, r26
  divs r1, r31, r2, r3
  j #end
  nop
  nop
  nop
  nop
  nop ; movxm r4, #-1                   // the slot nop makes eight bytes of six
.align 16
end:
  done
  jl #end+16
  nops ; nopb ; nopx ; nopm

// CHECK: mova r0, #7 ; movxm p0, #459776
// CHECK-SAME: // 0000: bb10001ac0010008e000
// CHECK-NEXT: vlda wl0, [p0], #32
// CHECK-NEXT: vlda.3d.ups.s32.s16 bml3, s1, [p2], d3
// CHECK: movx r2, #1023 ; mov r1, #-512 ; nopv
// CHECK: j #L0050
// CHECK: movxm r4, #-1 ; nop {{.*}}4390ff87fcff3f00
// CHECK-NEXT: nop {{.*}}// 004e: 0100
// CHECK-NEXT: {{^}}L0050:{{$}}
// CHECK-NEXT: done
