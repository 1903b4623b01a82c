// Bytes that are not bundles are shown as bytes with the reason; the rest is disassembled.
// RUN: airlite-inspect --asm %s -o %t
// RUN: not airlite-inspect --disasm %t -o %t.s 2>&1 | FileCheck %s --check-prefix=ERR
// RUN: FileCheck %s < %t.s
// RUN: airlite-inspect --asm %t.s -o %t.again && cmp %t %t.again

  nop
  .byte 0x19, 0x00, 0x00, 0xf8
  done
// CHECK: nop {{.*}}// 0000: 0100
// CHECK: .byte 0x19, 0x00 {{.*}}// 0002: no format of 4 bytes has the bits 190000f8
// ERR: error: at 0x0002: no format of 4 bytes has the bits 190000f8
