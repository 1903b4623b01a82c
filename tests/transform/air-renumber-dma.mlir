// RUN: airlite-opt %s --air-renumber-dma | FileCheck %s
// RUN: airlite-opt %s --air-renumber-dma=mode=herd --remarks --verify-diagnostics | FileCheck %s --check-prefix=HERD
// RUN: not airlite-opt %s --air-renumber-dma=mode=tile 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: unknown choice 'tile'

air.channel @c [1]

// CHECK-LABEL: func.func @numbers
// CHECK: air.dma_memcpy_nd {{.*}} {id = 1 : i32}
// CHECK: air.dma_memcpy_nd {{.*}} {id = 2 : i32}
// CHECK: air.channel.put {{.*}} {id = 3 : i32}
// CHECK: air.channel.get {{.*}} {id = 4 : i32}
// HERD-LABEL: func.func @numbers
// HERD: air.dma_memcpy_nd {{.*}} {id = 9 : i32}
// HERD: air.dma_memcpy_nd {{.*}} {id = 1 : i32}
// HERD: air.channel.put {{.*}} {id = 2 : i32}
// HERD: air.channel.get {{.*}} {id = 1 : i32}
func.func @numbers(%a: memref<8xf32>, %b: memref<8xf32, 1>) {
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{keeps its number: not in an air.herd}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {id = 9 : i32} : (memref<8xf32, 1>, memref<8xf32>)
  air.herd tile (%x) in (%s=%c1) args(%m=%b) : memref<8xf32, 1> {
    %l = memref.alloc() : memref<8xf32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) : (memref<8xf32, 2>, memref<8xf32, 1>)
    air.channel.put @c[%x] (%l[] [] []) {id = 7 : i32} : (memref<8xf32, 2>)
  }
  air.herd tile (%x) in (%s=%c1) {
    %l = memref.alloc() : memref<8xf32, 2>
    air.channel.get @c[%x] (%l[] [] []) : (memref<8xf32, 2>)
  }
  return
}

// The count starts again in each function.
// CHECK-LABEL: func.func @again
// CHECK: air.dma_memcpy_nd {{.*}} {id = 1 : i32}
func.func @again(%a: memref<8xf32>, %b: memref<8xf32, 1>) {
  // expected-remark@+1 {{keeps its number: not in an air.herd}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<8xf32, 1>, memref<8xf32>)
  return
}
