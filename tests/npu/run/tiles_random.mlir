// Random programs of tiles, reductions, products, neighbours and pipelines (scripts/npu/tile_programs.py; scripts/prove_npu.py
// --tiles N runs more of them). A run that differs from the interpreter ends with an error.
// RUN: for seed in 101 102 103 105 106 107; do \
// RUN:   python3 %S/../../../scripts/npu/tile_programs.py $seed > %t.mlir && \
// RUN:   airlite-run %t.mlir --on=sim --compare=interp --init=random:1 --reverse-tiles && echo ran $seed || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-6: ran 10
