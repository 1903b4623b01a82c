// A program of AIE2P through bytes, an object and an executable, and back.
// RUN: airlite-inspect --asm --device=npu2 %s -o %t && airlite-inspect --disasm --device=npu2 %t | FileCheck %s
// RUN: airlite-inspect --disasm --device=npu2 %t -o %t.s && airlite-inspect --asm --device=npu2 %t.s -o %t.again && cmp %t %t.again
// RUN: airlite-inspect --asm -c --device=npu2 %s -o %t.o && airlite-inspect --disasm %t.o | FileCheck %s --check-prefix=OBJECT
// RUN: airlite-inspect --link %t.o -o %t.elf && airlite-inspect --disasm %t.elf | FileCheck %s --check-prefix=LINKED
// RUN: not airlite-inspect --disasm --device=npu1 %t.elf 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: airlite-inspect --check-hazards --device=npu2 %s
// RUN: airlite-inspect --check-hazards %t.elf
// OTHER: airlite-inspect: error: {{.*}}.elf: compiled for aie2p cores, 'npu1' has aie2

  movxm p0, #0x70400 ; mova r0, #7
  VLDA x0, [P0], #64                    // letters may be large
  vlda.3d.ups.2x bmll3, s1, upssign1, [p2], d3
  vlda.pop.576.3d ex1, [p1, lf1, r25, d2]
  padds.2d [p1], d5
  st.s8 r4, [p4], m2
  vaddmac dm1, dm1, dm2, x0, x3, r17
  vaddmac.f dm1, dm1, scd[r31++], x0, x3, r17
  inv r2.flt2fx, s3, r1.fx2flt, s2 ; vmax_lt.8 x0, r17:r16, x1, x2, vaddsign0
  nop
  mov r1, #-512 ; movx r3, #1023 ; nopv
  paddxm [sp], #-128
  divs r1, r31, r2, r3
  j #end
  nop
  nop
  nop
  nop
  nop
.align 16
end:
  done
  nops ; nopb ; nopx ; nopm

// CHECK: mova r0, #7 ; movxm p0, #459776
// CHECK-NEXT: vlda x0, [p0], #64
// CHECK-NEXT: vlda.3d.ups.2x bmll3, s1, upssign1, [p2], d3
// CHECK-NEXT: vlda.pop.576.3d ex1, [p1, lf1, r25, d2]
// CHECK: vaddmac.f dm1, dm1, scd[r31++], x0, x3, r17
// CHECK-NEXT: inv r2.flt2fx, s3, r1.fx2flt, s2 ; vmax_lt.8 x0, r17:r16, x1, x2, vaddsign0
// CHECK: movx r3, #1023 ; mov r1, #-512 ; nopv
// CHECK: j #L[[END:[0-9a-f]+]]
// CHECK: {{^}}L[[END]]:{{$}}
// CHECK-NEXT: done
// OBJECT: j #end {{.*}}R_AIE_1 end
// OBJECT: {{^}}end:{{$}}
// LINKED: // executable, entry 0x0
// LINKED: j #end
// LINKED: {{^}}end:{{$}}
