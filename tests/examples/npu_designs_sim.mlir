// The designs of examples/npu_designs as files that a driver loads, on the simulated NPU: it computes
// what the references say, over several seeds, and with the tiles stepped in the other order.
// RUN: airlite-inspect --asm -c %S/../../examples/npu_designs/scale.s -o %T/scale.o
// RUN: for case in passthrough:1 transpose:1 padding:1 vector_add:2 elementwise_l2:1 broadcast:1 \
// RUN:     two_herds:1 packet_gather:1 matmul_one_core:2 matmul_4x4:2 cascade:1 two_launches:2 \
// RUN:     kernel:1; do \
// RUN:   name=${case%:*}; output=${case#*:}; folder=%S/../../examples/npu_designs; \
// RUN:   airlite-compile $folder/$name.mlir --target=npu1 --pipeline=canonicalize -L %T -o %T/$name \
// RUN:     || exit 1; \
// RUN:   for seed in 1 2; do \
// RUN:     rm -f %T/in*.npy; second=""; \
// RUN:     test $output = 1 || second="--output 1=%T/in1.npy"; \
// RUN:     airlite-run $folder/reference/reference.mlir --function=$name --on=interp \
// RUN:       --init=random:$seed --output 0=%T/in0.npy $second --output $output=%T/ref.npy || exit 1; \
// RUN:     test $output = 1 || second="--input 1=%T/in1.npy"; \
// RUN:     for order in "" --reverse-tiles; do \
// RUN:       airlite-run --on=sim %T/$name --input 0=%T/in0.npy $second --expect $output=%T/ref.npy \
// RUN:         $order || exit 1; \
// RUN:     done; \
// RUN:   done; \
// RUN: done | FileCheck %s
// CHECK-COUNT-52: is as expected in {{.*}}: {{[0-9]+}} elements, all with the same bits

// The hazard checker is silent on every core, linked kernels included.
// RUN: for core in $(find %T -name '*core_*.elf'); do airlite-inspect --check-hazards $core || exit 1; done
