// Cores of an NPU touch their own memory only; a GPU, and a program for any device, may do more.
// RUN: airlite-opt %s --air-verify-program=target=npu --emit=none --verify-diagnostics --split-input-file
// RUN: not airlite-opt %s --air-verify-program=device=npu1 --emit=none --split-input-file 2>&1 | FileCheck %s
// RUN: airlite-opt %s --air-verify-program=device=mi300x --emit=none --split-input-file
// RUN: airlite-opt %s --air-verify-program='device=npu1 target=any' --emit=none --split-input-file
// CHECK: error: 'memref.copy' op inside 'air.herd' copies memory of L3, which only a DMA moves
func.func @copy(%a: memref<16xi32>) {
  // expected-note@-1 {{the memory is this one: 'memref<16xi32>'}}
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%b = %a) : memref<16xi32> {
    %one = arith.constant 1 : index
    air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) args(%c = %b) : memref<16xi32> {
      %m = memref.alloc() : memref<16xi32, 2>
      // expected-error@+1 {{'memref.copy' op inside 'air.herd' copies memory of L3, which only a DMA moves}}
      memref.copy %c, %m : memref<16xi32> to memref<16xi32, 2>
    }
  }
  return
}

// -----

// A computation on L2, whatever level a view of it states; a kernel that is not here.
func.func private @kernel(memref<16xi32, 1>) attributes {link_with = "kernel.o"}
func.func @l2(%f: i32) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%g = %f) : i32 {
    air.segment @s args(%g2 = %g) : i32 {
      %one = arith.constant 1 : index
      // expected-note@+2 {{the memory is this one: 'memref<16xi32, 1>'}}
      // expected-note@+1 {{the memory is this one: 'memref<16xi32, 1>'}}
      %m = memref.alloc() : memref<16xi32, 1>
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) args(%c = %m, %v = %g2) : memref<16xi32, 1>, i32 {
        %l1 = memref.memory_space_cast %c : memref<16xi32, 1> to memref<16xi32, 2>
        // expected-error@+1 {{'linalg.fill' op inside 'air.herd' accesses memref with memory_space L2}}
        linalg.fill ins(%v : i32) outs(%l1 : memref<16xi32, 2>)
        // expected-error@+1 {{'func.call' op inside 'air.herd' hands memory of L2 to code of a core}}
        func.call @kernel(%c) : (memref<16xi32, 1>) -> ()
      }
    }
  }
  return
}
