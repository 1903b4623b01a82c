// Cores that need the number of a launch instance count their rounds: the host writes nothing for them, and transfers of instances overlap.
// Here a launch of two dimensions in a loop of the host, which runs all of it twice.
// RUN: for t in npu1 npu2; do for o in "" --reverse-tiles; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 $o %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-4: as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 %s --dump-intermediates %t.d -o %t.out && cat %t.d/*_air-to-aie.mlir | FileCheck %s --check-prefix=CORE
// CORE-NOT: __air_herd_rtp
// CORE: %[[N:.*]] = aie.buffer({{.*}}) {sym_name = "__air_instance_0_2"} : memref<1xi32> = dense<0>
// CORE: aie.core
// CORE: %[[NOW:.*]] = memref.load %[[N]][
// CORE: arith.addi %[[NOW]]
// CORE: memref.store %{{.*}}, %[[N]][
// CORE: arith.divui %[[NOW]], %c4_i32
// CORE: arith.remui %[[NOW]], %c4_i32
func.func @f(%a: memref<64x64xi32>, %b: memref<64x64xi32>) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %c2 step %c1 {
  air.launch (%i, %j) in (%ni = %c2, %nj = %c4) args(%x = %a, %y = %b) : memref<64x64xi32>, memref<64x64xi32> {
    air.segment @s args(%li = %i, %lj = %j, %p = %x, %q = %y) : index, index, memref<64x64xi32>, memref<64x64xi32> {
      %one = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %r = arith.muli %li, %c32 : index
      air.herd @h tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%ro = %r, %co = %lj, %u = %p, %v = %q) : index, index, memref<64x64xi32>, memref<64x64xi32> {
        %z = arith.constant 0 : index
        %o = arith.constant 1 : index
        %s32 = arith.constant 32 : index
        %s16 = arith.constant 16 : index
        %s64 = arith.constant 64 : index
        %col = arith.muli %co, %s16 : index
        %l = memref.alloc() : memref<32x16xi32, 2>
        %m = memref.alloc() : memref<32x16xi32, 2>
        air.dma_memcpy_nd (%l[] [] [], %u[%ro, %col] [%s32, %s16] [%s64, %o]) : (memref<32x16xi32, 2>, memref<64x64xi32>)
        scf.for %k = %z to %s32 step %o {
          scf.for %n = %z to %s16 step %o {
            %e = memref.load %l[%k, %n] : memref<32x16xi32, 2>
            %rr = arith.addi %ro, %k : index
            %cc = arith.addi %col, %n : index
            %w = arith.muli %rr, %s64 : index
            %w2 = arith.addi %w, %cc : index
            %wi = arith.index_cast %w2 : index to i32
            %g = arith.addi %e, %wi : i32
            memref.store %g, %m[%k, %n] : memref<32x16xi32, 2>
          }
        }
        air.dma_memcpy_nd (%v[%ro, %col] [%s32, %s16] [%s64, %o], %m[] [] []) : (memref<64x64xi32>, memref<32x16xi32, 2>)
        memref.dealloc %l : memref<32x16xi32, 2>
        memref.dealloc %m : memref<32x16xi32, 2>
      }
    }
  }
  }
  return
}
