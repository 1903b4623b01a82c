// Compressed streams as a host switches them on, against what a Phoenix and a Strix gave. The
// example dma_compression of mlir-aie (programming_examples/basic) publishes the SHA-256 of what its
// designs write for the input 0, 1, 2, ...: `cmp` where the MM2S of a core tile compresses, `dcmp`
// where its S2MM decompresses what never was compressed. Inputs/compress.mlir does the same and
// gives the same bytes. The first BD of a channel is loaded before the host sets its bit, so that
// 1024 words go plain; compressed, the rest takes 1920.
// RUN: airlite-run --on=interp %S/Inputs/count.mlir --output 0=%t.in.npy
// RUN: for device in npu1 npu2; do \
// RUN:   sed -e 's/(npu1)/('$device')/; s/WORDS_IN/4096/; s/WORDS_OUT/2944/; s/CONTROL/122384/' \
// RUN:     -e 's/FIRST_BD/118852/; s/SECOND_BD/118884/' %S/Inputs/compress.mlir > %t.mlir && \
// RUN:   airlite-compile %t.mlir --target=$device -o %t.$device && \
// RUN:   airlite-run --on=sim %t.$device --input 0=%t.in.npy --output 1=%t.npy --stats && \
// RUN:   tail -c 16384 %t.npy | head -c 11776 | sha256sum || exit 1; \
// RUN: done | FileCheck %s --check-prefix=PACK
// PACK: f30dcae2d175d710e81d8410be5cc980bf06e364de359b6bc6f87194012ebc7d
// PACK: f947e931d2e3c530be240f4e622d1c3757b2e1d5e23a05be5d21768332420bc5
// RUN: for device in npu1 npu2; do \
// RUN:   sed -e 's/(npu1)/('$device')/; s/WORDS_IN/2944/; s/WORDS_OUT/4096/; s/CONTROL/122368/' \
// RUN:     -e 's/FIRST_BD/118788/; s/SECOND_BD/118820/' %S/Inputs/compress.mlir > %t.mlir && \
// RUN:   airlite-compile %t.mlir --target=$device -o %t.$device && \
// RUN:   airlite-run --on=sim %t.$device --input 0=%t.in.npy --output 1=%t.npy && \
// RUN:   tail -c 16384 %t.npy | sha256sum || exit 1; \
// RUN: done | FileCheck %s --check-prefix=UNPACK
// UNPACK: 865270a4c87149f42933e7f5aa037891e392812b4338829b3419f320660ea089
// UNPACK: 1215bcd067bc6097eecdb81fb8ebf45211cb1e9ea00c95674eea4e8d476a7152
