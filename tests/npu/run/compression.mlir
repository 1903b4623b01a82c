// Compressed streams as a host switches them on, against what a Phoenix gave. The example
// dma_compression of mlir-aie (programming_examples/basic) publishes the SHA-256 of what its designs
// write for the input 0, 1, 2, ...: first where the MM2S of a core tile compresses, then where its
// S2MM decompresses what never was compressed. Inputs/compress.mlir does the same and gives the same
// bytes. The first BD of a channel is loaded before the host sets its bit, so that 1024 words go
// plain; compressed, the rest takes 1920. (The hashes for npu2: tests/npu/sim.)
// RUN: airlite-run --on=interp %S/Inputs/count.mlir --output 0=%t.in.npy
// RUN: sed -e 's/WORDS_IN/4096/; s/WORDS_OUT/2944/; s/CONTROL/122384/' \
// RUN:   -e 's/FIRST_BD/118852/; s/SECOND_BD/118884/' %S/Inputs/compress.mlir > %t.mlir
// RUN: airlite-compile %t.mlir --target=npu1 -o %t.packs
// RUN: airlite-run --on=sim %t.packs --input 0=%t.in.npy --output 1=%t.npy --stats \
// RUN:   | FileCheck %s --check-prefix=STATS
// STATS: (0,2) MM2S 0{{.*}} 4096 words
// STATS: (0,2) to SOUTH0: 2944 words
// RUN: tail -c 16384 %t.npy > %t.bytes
// RUN: head -c 11776 %t.bytes | sha256sum | FileCheck %s --check-prefix=PACKED
// PACKED: f30dcae2d175d710e81d8410be5cc980bf06e364de359b6bc6f87194012ebc7d
// RUN: sed -e 's/WORDS_IN/2944/; s/WORDS_OUT/4096/; s/CONTROL/122368/' \
// RUN:   -e 's/FIRST_BD/118788/; s/SECOND_BD/118820/' %S/Inputs/compress.mlir > %t.mlir
// RUN: airlite-compile %t.mlir --target=npu1 -o %t.unpacks
// RUN: airlite-run --on=sim %t.unpacks --input 0=%t.in.npy --output 1=%t.npy
// RUN: tail -c 16384 %t.npy | sha256sum | FileCheck %s --check-prefix=UNPACKED
// UNPACKED: 865270a4c87149f42933e7f5aa037891e392812b4338829b3419f320660ea089
