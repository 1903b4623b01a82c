// RUN: airlite-opt %s --verify-diagnostics --split-input-file

module attributes {gpu.container_module} {
gpu.module @kernels  {
  gpu.func @k2(%x: i32) kernel { gpu.return }
}
func.func @host(%a: memref<4xf32>, %n: index, %s: i64) {
  // expected-error@+1 {{'gpu.launch_func' op got 0 kernel operands but expected 1}}
  gpu.launch_func @kernels::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n) 
  return
}
}

// -----

module {
gpu.module @kernels  {
  gpu.func @k2(%x: i32) kernel { gpu.return }
}
func.func @host(%a: memref<4xf32>, %n: index, %s: i32) {
  // expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @kernels::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%s : i32)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels  {
  gpu.func @k2(%x: i32) { gpu.return }
}
func.func @host(%a: memref<4xf32>, %n: index, %s: i32) {
  // expected-error@+1 {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
  gpu.launch_func @kernels::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%s : i32)
  return
}
}

// -----

module attributes {gpu.container_module} {
func.func @host(%a: memref<4xf32>, %n: index, %s: i32) {
  // expected-error@+1 {{'gpu.launch_func' op kernel container 'kernels' is undefined}}
  gpu.launch_func @kernels::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%s : i32)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels  {
}
func.func @host(%a: memref<4xf32>, %n: index, %s: i32) {
  // expected-error@+1 {{'gpu.launch_func' op kernel function '@kernels::@k2' is undefined}}
  gpu.launch_func @kernels::@k2 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%s : i32)
  return
}
}

// -----

gpu.module @kernels  {
  // expected-error@+1 {{'gpu.func' op expected void return type for kernel function}}
  gpu.func @k2(%x: i32) -> i32 kernel { gpu.return %x : i32 }
}

// -----

gpu.module @kernels  {
  // expected-error@+1 {{'gpu.return' op expected 1 result operands}}
  gpu.func @k2(%x: i32) -> i32 { gpu.return }
}

// -----

gpu.module @kernels  {
  // expected-error@+1 {{'gpu.return' op unexpected type 'i32' for operand #0}}
  gpu.func @k2(%x: i32) -> f32 { gpu.return %x : i32 }
}

// -----

gpu.module @kernels  {
  // expected-error@+1 {{'gpu.func' op expected memory space workgroup in attribution}}
  gpu.func @k2(%x: i32) workgroup(%w : memref<4xf32, #gpu.address_space<private>>) kernel { gpu.return }
}

// -----

gpu.module @kernels  {
  // expected-error@+1 {{'gpu.func' op expected memref type in attribution}}
  gpu.func @k2(%x: i32) workgroup(%w : i32) kernel { gpu.return }
}

// -----

// expected-error@+1 {{'gpu.func' op expects parent op 'gpu.module'}}
gpu.func @k2(%x: i32) kernel { gpu.return }

// -----

func.func @a(%f: f64, %i: i32, %v: vector<2xf32>) {
  // expected-error@+1 {{'gpu.shuffle' op operand #0 must be i32, i64, f32 or f64, but got 'vector<2xf32>'}}
  %0, %1 = gpu.shuffle xor %v, %i, %i : vector<2xf32>
  return
}

// -----

func.func @a(%f: f64, %i: i32, %v: vector<2xf32>) {
  // expected-error@+1 {{expected a dimension, one of: x, y, z, found 'w'}}
  %0 = gpu.thread_id w
  return
}

// -----

func.func @a(%m: memref<4xf32>, %k: memref<5xf32>) {
  // expected-error@+1 {{'gpu.memcpy' op arguments have incompatible shape}}
  gpu.memcpy %m, %k : memref<4xf32>, memref<5xf32>
  return
}

// -----

func.func @a(%m: memref<4xf32>, %k: memref<4xf32>) {
  // expected-error@+1 {{cannot name an operation with no results}}
  %t = gpu.memcpy %m, %k : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @a(%n: index) {
  // expected-error@+1 {{'gpu.alloc' op dimension operand count does not equal memref dynamic dimension count}}
  %t = gpu.alloc () : memref<?xf32>
  return
}

// -----

func.func @a(%n: index) {
  // expected-error@+1 {{custom op 'return' is unknown}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%bbx = %n, %bby = %n, %bbz = %n) { return }
  return
}

// -----

func.func @matrix(%a: vector<4xf16>, %c: vector<4xf32>) {
  // expected-error@+1 {{unknown matrix instruction 'mfma'}}
  %d = gpu.matrix_product "mfma" %a, %a, %c : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----

func.func @matrix(%a: vector<8xf16>, %c: vector<4xf32>) {
  // expected-error@+1 {{'mfma_f32_16x16x16_f16' expects operand #0 to be 'vector<4xf16>', found 'vector<8xf16>'}}
  %d = gpu.matrix_product "mfma_f32_16x16x16_f16" %a, %a, %c : vector<8xf16>, vector<8xf16>, vector<4xf32>
  return
}

// -----

func.func @barrier() {
  // expected-error@+1 {{expected address spaces such as #gpu.address_space<workgroup>}}
  gpu.barrier memfence [3 : i32]
  return
}
