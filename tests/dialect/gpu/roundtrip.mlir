// Every gpu op, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK: module attributes {gpu.container_module} {
module attributes {gpu.container_module} {
  // CHECK: gpu.module @kernels {
  gpu.module @kernels {
    // CHECK-NEXT: gpu.func @k(%arg0: memref<4xf32>, %arg1: index) workgroup(%arg2 : memref<4xf32, #gpu.address_space<workgroup>>, %arg3 : memref<8xf32, 3>) private(%arg4 : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    gpu.func @k(%arg0: memref<4xf32>, %arg1: index) workgroup(%arg2 : memref<4xf32, #gpu.address_space<workgroup>>, %arg3 : memref<8xf32, 3>) private(%arg4 : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      // CHECK-NEXT: %thread_id_x = gpu.thread_id  x
      %thread_id_x = gpu.thread_id  x
      // CHECK-NEXT: %thread_id_y = gpu.thread_id  y
      %thread_id_y = gpu.thread_id  y
      // CHECK-NEXT: %block_id_x = gpu.block_id  x
      %block_id_x = gpu.block_id  x
      // CHECK-NEXT: %block_dim_z = gpu.block_dim  z upper_bound 4
      %block_dim_z = gpu.block_dim  z upper_bound 4
      // CHECK-NEXT: %grid_dim_x = gpu.grid_dim  x
      %grid_dim_x = gpu.grid_dim  x
      // CHECK-NEXT: %global_id_x = gpu.global_id  x
      %global_id_x = gpu.global_id  x
      // CHECK-NEXT: %0 = gpu.lane_id
      %0 = gpu.lane_id
      // CHECK-NEXT: %1 = gpu.lane_id upper_bound 64
      %1 = gpu.lane_id upper_bound 64
      // CHECK-NEXT: %2 = gpu.subgroup_id : index
      %2 = gpu.subgroup_id : index
      // CHECK-NEXT: %3 = gpu.subgroup_size : index
      %3 = gpu.subgroup_size : index
      // CHECK-NEXT: %4 = gpu.num_subgroups : index
      %4 = gpu.num_subgroups : index
      // CHECK-NEXT: %cluster_id_x = gpu.cluster_id  x
      %cluster_id_x = gpu.cluster_id  x
      // CHECK-NEXT: gpu.barrier
      gpu.barrier
      // CHECK-NEXT: %cst = arith.constant 1.000000e+00 : f32
      %cst = arith.constant 1.000000e+00 : f32
      // CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
      %c1_i32 = arith.constant 1 : i32
      // CHECK-NEXT: %shuffleResult, %valid = gpu.shuffle  xor %cst, %c1_i32, %c1_i32 : f32
      %shuffleResult, %valid = gpu.shuffle  xor %cst, %c1_i32, %c1_i32 : f32
      // CHECK-NEXT: %shuffleResult_0, %valid_1 = gpu.shuffle  idx %cst, %c1_i32, %c1_i32 : f32
      %shuffleResult_0, %valid_1 = gpu.shuffle  idx %cst, %c1_i32, %c1_i32 : f32
      // CHECK-NEXT: gpu.printf "hi %d" %c1_i32 : i32
      gpu.printf "hi %d" %c1_i32 : i32
      // CHECK-NEXT: gpu.printf "hi"
      gpu.printf "hi"
      // CHECK-NEXT: gpu.return
      gpu.return
    // CHECK-NEXT: }
    }
    // CHECK-NEXT: gpu.func @f(%arg0: f32) -> f32 {
    gpu.func @f(%arg0: f32) -> f32 {
      // CHECK-NEXT: gpu.return %arg0 : f32
      gpu.return %arg0 : f32
    // CHECK-NEXT: }
    }
    // CHECK-NEXT: gpu.func @nobody(%arg0: f32) -> f32 private(%arg1 : memref<1xf32, 5>) attributes {q = 1 : i32} {
    gpu.func @nobody(%arg0: f32) -> f32 private(%arg1 : memref<1xf32, 5>) attributes {q = 1 : i32} {
      // CHECK-NEXT: gpu.return %arg0 : f32
      gpu.return %arg0 : f32
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: }
  }

// CHECK-LABEL: func.func @host
  func.func @host(%arg0: memref<4xf32>, %arg1: index, %arg2: i32) {
    // CHECK-NEXT: gpu.launch_func  @kernels::@k blocks in (%arg1, %arg1, %arg1) threads in (%arg1, %arg1, %arg1)  args(%arg0 : memref<4xf32>, %arg1 : index)
    gpu.launch_func  @kernels::@k blocks in (%arg1, %arg1, %arg1) threads in (%arg1, %arg1, %arg1)  args(%arg0 : memref<4xf32>, %arg1 : index)
    // CHECK-NEXT: %0 = gpu.wait async
    %0 = gpu.wait async
    // CHECK-NEXT: %1 = gpu.launch_func async [%0] @kernels::@k blocks in (%arg1, %arg1, %arg1) threads in (%arg1, %arg1, %arg1)  dynamic_shared_memory_size %arg2 args(%arg0 : memref<4xf32>, %arg1 : index) {x = 1 : i32}
    %1 = gpu.launch_func async [%0] @kernels::@k blocks in (%arg1, %arg1, %arg1) threads in (%arg1, %arg1, %arg1)  dynamic_shared_memory_size %arg2 args(%arg0 : memref<4xf32>, %arg1 : index) {x = 1 : i32}
    // CHECK-NEXT: gpu.wait [%1, %0]
    gpu.wait [%1, %0]
    // CHECK-NEXT: %memref, %asyncToken = gpu.alloc async [%1] (%arg1) : memref<?xf32>
    %memref, %asyncToken = gpu.alloc async [%1] (%arg1) : memref<?xf32>
    // CHECK-NEXT: %memref_0 = gpu.alloc  () : memref<4xf32>
    %memref_0 = gpu.alloc  () : memref<4xf32>
    // CHECK-NEXT: %memref_1 = gpu.alloc  host_shared () : memref<4xf32>
    %memref_1 = gpu.alloc  host_shared () : memref<4xf32>
    // CHECK-NEXT: gpu.memcpy  %memref_0, %arg0 : memref<4xf32>, memref<4xf32>
    gpu.memcpy  %memref_0, %arg0 : memref<4xf32>, memref<4xf32>
    // CHECK-NEXT: %2 = gpu.memcpy async [%asyncToken] %memref_0, %arg0 : memref<4xf32>, memref<4xf32>
    %2 = gpu.memcpy async [%asyncToken] %memref_0, %arg0 : memref<4xf32>, memref<4xf32>
    // CHECK-NEXT: gpu.dealloc  %memref_0 : memref<4xf32>
    gpu.dealloc  %memref_0 : memref<4xf32>
    // CHECK-NEXT: %3 = gpu.dealloc async [%2] %memref : memref<?xf32>
    %3 = gpu.dealloc async [%2] %memref : memref<?xf32>
    // CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
    %cst = arith.constant 0.000000e+00 : f32
    // CHECK-NEXT: gpu.memset  %memref_0, %cst : memref<4xf32>, f32
    gpu.memset  %memref_0, %cst : memref<4xf32>, f32
    // CHECK-NEXT: gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg1, %arg10 = %arg1, %arg11 = %arg1) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg1, %arg13 = %arg1, %arg14 = %arg1) {
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg1, %arg10 = %arg1, %arg11 = %arg1) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg1, %arg13 = %arg1, %arg14 = %arg1) {
      // CHECK-NEXT: %5 = arith.addi %arg3, %arg6 : index
      %5 = arith.addi %arg3, %arg6 : index
      // CHECK-NEXT: gpu.terminator
      gpu.terminator
    // CHECK-NEXT: }
    }
    // CHECK-NEXT: %4 = gpu.launch async [%3] blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg1, %arg10 = %arg1, %arg11 = %arg1) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg1, %arg13 = %arg1, %arg14 = %arg1) dynamic_shared_memory_size %arg2 workgroup(%arg15 : memref<4xf32, 3>) private(%arg16 : memref<1xf32, 5>) {
    %4 = gpu.launch async [%3] blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg1, %arg10 = %arg1, %arg11 = %arg1) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg1, %arg13 = %arg1, %arg14 = %arg1) dynamic_shared_memory_size %arg2 workgroup(%arg15 : memref<4xf32, 3>) private(%arg16 : memref<1xf32, 5>) {
      // CHECK-NEXT: gpu.terminator
      gpu.terminator
    // CHECK-NEXT: } {foo = 1 : i32}
    } {foo = 1 : i32}
    // CHECK-NEXT: return
    return
  // CHECK-NEXT: }
  }
}
