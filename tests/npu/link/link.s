// Two objects from two sources, shown, linked, shown again.
// RUN: airlite-inspect --asm -c %s -o %t.main.o
// RUN: airlite-inspect --asm -c %S/Inputs/kernel.s -o %t.kernel.o
// RUN: airlite-inspect %t.main.o | FileCheck %s --check-prefix=OBJECT
// RUN: airlite-inspect %t.main.o -o %t.s && airlite-inspect --asm -c %t.s -o %t.again.o
// RUN: cmp %t.main.o %t.again.o
// RUN: airlite-inspect --link %t.main.o %t.kernel.o -o %t.elf --data-begin=0x71000
// RUN: airlite-inspect --disasm %t.elf | FileCheck %s --check-prefix=LINKED
// RUN: not airlite-inspect --check-hazards %t.elf 2>&1 | FileCheck %s --check-prefix=HAZARD
// RUN: not airlite-inspect --check-hazards %t.main.o 2>&1 | FileCheck %s --check-prefix=UNLINKED
// RUN: airlite-inspect --print %t.main.o -o %t.txt
// RUN: airlite-inspect --assemble %t.txt | cmp - %t.main.o
// RUN: not airlite-inspect --link %t.main.o -o %t.elf 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: airlite-inspect --link %t.main.o --symbol kernel=0x40 --symbol count=0x70000 -o %t.elf
// RUN: not airlite-inspect --link %t.main.o --symbol kernel -o %t.elf 2>&1 | FileCheck %s --check-prefix=SYMBOL
// RUN: not airlite-inspect --link %t.main.o %t.txt -o %t.elf 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not airlite-inspect --link nowhere.o -o %t.elf 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not airlite-inspect --disasm -c %s 2>&1 | FileCheck %s --check-prefix=USAGE

// ALONE: airlite-inspect: error: undefined symbol 'count', used by {{.*}}main.o ('main', .text+0x0)
// ALONE-NEXT: airlite-inspect: error: undefined symbol 'kernel', used by {{.*}}main.o ('main', .text+0x6)
// SYMBOL: error: 'kernel' is not NAME=VALUE
// TEXT: error: {{.*}}.txt: at byte 0x0 not an ELF file
// NOWHERE: error: there is no file 'nowhere.o' in '.'
// USAGE: error: -c goes with --asm

// HAZARD: error: at 0x{{.*}}jump-in-delay-slot
// UNLINKED: main.o: an object: its jumps are not known before it is linked

.global main, table
main:
  movxm p0, #count
  jl #kernel ; nops
  nop
loop:
  jnz r0, #loop
.rodata
.align 32
table: .word 7, main+16
  .byte 1

// OBJECT: // object {{.*}}main.o
// OBJECT: .global main
// OBJECT: // undefined: count
// OBJECT: .section .text{{ +}}// code, 24 bytes
// OBJECT-NEXT: .align 16
// OBJECT-NEXT: main:
// OBJECT-NEXT: movxm p0, #count {{ *}}// 0000: {{.*}} R_AIE_42 count
// OBJECT-NEXT: nops ; jl #kernel {{.*}} R_AIE_3 kernel
// OBJECT: loop:
// OBJECT-NEXT: jnz r0, #loop
// OBJECT: .section .rodata{{ +}}// read-only, 9 bytes
// OBJECT-NEXT: .align 32
// OBJECT-NEXT: table:
// OBJECT-NEXT: .word 0x7
// OBJECT-NEXT: .word main+16 {{.*}}R_AIE_53
// OBJECT-NEXT: .byte 0x1

// LINKED: // executable, entry 0x0
// LINKED: main:
// LINKED-NEXT: movxm p0, #462848
// LINKED-NEXT: jl #kernel
// LINKED: kernel:
// LINKED-NEXT: ret lr
// LINKED: count:
// LINKED-NEXT: .word 0x3
