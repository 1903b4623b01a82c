// Random asynchronous programs whose copies have become puts and gets: herds that hold a buffer which a get beside them
// fills, in a loop that hands tokens on. An order between the two, which the programs do not have, made them hang.
// RUN: airlite-opt --generate=91004 --check-each --no-effect-count --air-dma-to-channel --air-dependency=keep-channel-order --air-dependency-canonicalize --emit=none
// RUN: airlite-opt --generate=91010 --check-each --no-effect-count --air-dma-to-channel --air-dependency=keep-channel-order --air-dependency-canonicalize --emit=none
// RUN: airlite-opt --generate=91077 --check-each --no-effect-count --air-dma-to-channel --air-dependency=keep-channel-order --air-dependency-canonicalize --emit=none
