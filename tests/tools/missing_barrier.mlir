// Each work-item stores to LDS and reads what its neighbour stored. With the barrier all orders of
// work-items agree; without it the host run shows the race.
// REQUIRES: gpu
// RUN: airlite-run %s --function=with --init=random:3 --output 0=%t.in.npy --output 1=%t.ref.npy
// RUN: for order in forward reverse random:1 random:2; do \
// RUN:   airlite-run %s --function=with --input 0=%t.in.npy --expect 1=%t.ref.npy --order=$order \
// RUN:     | FileCheck %s || exit 1; \
// RUN: done
// CHECK: argument 1 is as expected in {{.*}}: 128 elements, all with the same bits
// RUN: for order in forward reverse random:1 random:2; do \
// RUN:   not airlite-run %s --function=without --input 0=%t.in.npy --expect 1=%t.ref.npy \
// RUN:     --order=$order 2>&1 | FileCheck %s --check-prefix=RACE || exit 1; \
// RUN: done
// RACE: error: argument 1 differs at [
module attributes {gpu.container_module} {
  gpu.module @with_module {
    gpu.func @kernel(%in: memref<128xf32>, %out: memref<128xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, airlite.wave_size = 64 : i32} {
      %lds = memref.alloc() : memref<128xf32, 3>
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %i = gpu.thread_id x
      %v = memref.load %in[%i] : memref<128xf32>
      memref.store %v, %lds[%i] : memref<128xf32, 3>
      gpu.barrier
      %next = arith.addi %i, %c1 : index
      %j = arith.remui %next, %c128 : index
      %w = memref.load %lds[%j] : memref<128xf32, 3>
      memref.store %w, %out[%i] : memref<128xf32>
      gpu.return
    }
  }
  gpu.module @without_module {
    gpu.func @kernel(%in: memref<128xf32>, %out: memref<128xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, airlite.wave_size = 64 : i32} {
      %lds = memref.alloc() : memref<128xf32, 3>
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %i = gpu.thread_id x
      %v = memref.load %in[%i] : memref<128xf32>
      memref.store %v, %lds[%i] : memref<128xf32, 3>
      %next = arith.addi %i, %c1 : index
      %j = arith.remui %next, %c128 : index
      %w = memref.load %lds[%j] : memref<128xf32, 3>
      memref.store %w, %out[%i] : memref<128xf32>
      gpu.return
    }
  }
  func.func @with(%in: memref<128xf32>, %out: memref<128xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @with_module::@kernel blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%in : memref<128xf32>, %out : memref<128xf32>)
    return
  }
  func.func @without(%in: memref<128xf32>, %out: memref<128xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @without_module::@kernel blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%in : memref<128xf32>, %out : memref<128xf32>)
    return
  }
}
