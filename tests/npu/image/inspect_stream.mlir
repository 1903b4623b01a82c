// The runtime stream: operations by name, and what comes of an edit.
// RUN: airlite-inspect --assemble %S/Inputs/stream.txt -o %t.bin
// RUN: airlite-inspect %t.bin | FileCheck %s
// RUN: airlite-inspect %t.bin | airlite-inspect --assemble - | cmp %t.bin
// CHECK: txn version=0.1 generation=3 rows=6 columns=4 memory_rows=1 names=aie2 {
// CHECK-NEXT: blockwrite (0,0)+DMA_BD0_0 {  # BD 0: 2048 words from byte 0x0; D2: steps of 2048, D1: 32 x 64, D0: 32 x 1
// CHECK: patch (0,0)+DMA_BD0_1 argument=1 plus=0x4000
// CHECK-NEXT: write (0,0)+DMA_MM2S_0_Task_Queue Enable_Token_Issue=1  # MM2S 0 starts BD 0, token
// CHECK-NEXT: sync column=0 row=0 direction=MM2S channel=0 columns=1 rows=1
// RUN: sed -e 's/argument=1/argument=2/' %S/Inputs/stream.txt | airlite-inspect --assemble - -o %t.other
// RUN: not airlite-inspect --diff %t.bin %t.other | FileCheck %s --check-prefix=DIFF
// DIFF: - patch (0,0)+DMA_BD0_1 argument=1 plus=0x4000
// DIFF-NEXT: + patch (0,0)+DMA_BD0_1 argument=2 plus=0x4000

// Words as text, as some tools write them, are the same stream.
// RUN: od -An -v -tx4 -w4 %t.bin | tr -d ' ' > %t.words && airlite-inspect --diff %t.words %t.bin
