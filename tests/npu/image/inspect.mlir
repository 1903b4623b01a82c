// Images as text and back, compared by what they do.
// RUN: airlite-inspect --assemble %S/Inputs/design.txt -o %t.pdi
// RUN: airlite-inspect %t.pdi -o %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: airlite-inspect --assemble %t.txt -o %t.again && cmp %t.pdi %t.again
// RUN: airlite-inspect --assemble - < %t.txt | cmp %t.pdi

// CHECK: pdi names=aie2 {
// CHECK-NEXT: table version=0x40000 images=1{{.*}} id_code=0x14CA8093
// CHECK: partition load_address_low=0xFFFFFFFF
// CHECK: maskwrite (0,2)+Core_Control Enable=0
// CHECK: blockwrite (0,2)+DMA_BD0_0 {  # BD 0: 64 words from byte 0x400; D1: 8 x 32, D0: 8 x 1; acquires lock 1 >= 1
// CHECK: DMA_BD0_2 D1_Stepsize=31
// CHECK: write (0,2)+DMA_MM2S_0_Start_Queue Repeat_Count=3  # MM2S 0 starts BD 0, 4 times
// CHECK: Master_Enable=1  # DMA0 -> SOUTH0
// CHECK: maskwrite (0,0)+Demux_Config South2=1

// The same said in another order is the same; another length is not.
// RUN: sed -e '/Lock0_value/d' -e 's/^  }/    write (0,2)+Lock0_value Lock_value=1\n  }/' %S/Inputs/design.txt > %t.moved
// RUN: airlite-inspect --assemble %t.moved -o %t.moved.pdi && not cmp %t.pdi %t.moved.pdi
// RUN: airlite-inspect --diff %t.pdi %t.moved.pdi > %t.same && test ! -s %t.same
// RUN: sed -e 's/Buffer_Length=64/Buffer_Length=65/' %S/Inputs/design.txt > %t.longer
// RUN: airlite-inspect --assemble %t.longer -o %t.longer.pdi
// RUN: not airlite-inspect --diff %t.pdi %t.longer.pdi | FileCheck %s --check-prefix=DIFF
// DIFF: (0,2)+DMA_BD0_0: Buffer_Length 64 -> 65
// DIFF: - task {{.*}}BD 0: 64 words
// DIFF: + task {{.*}}BD 0: 65 words

// What is wrong is said with its place.
// RUN: head -c 400 %t.pdi > %t.cut && not airlite-inspect %t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error: {{.*}}.cut: at byte 0x150 the file ends inside the CDO of the PDI
// RUN: sed -e 's/Control Enable=1/Control Enabel=1/' %S/Inputs/design.txt > %t.typo
// RUN: not airlite-inspect --assemble %t.typo 2>&1 | FileCheck %s --check-prefix=TYPO
// TYPO: error: {{.*}}.typo:20: (0,2)+Core_Control has no Enabel
// RUN: not airlite-inspect %s 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: at byte 0x0 no format that airlite knows
// RUN: not airlite-inspect --diff %t.pdi 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: --diff needs two files
