// Cores that need the number of a launch instance count their rounds: the host writes nothing for them, and transfers of instances overlap.
// Here a launch of two dimensions in a loop of the host, which runs all of it twice.
// RUN: for f in two flat; do for t in npu1 npu2; do for o in "" --reverse-tiles; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f $o %s || exit 1; done; done; done | FileCheck %s
// CHECK-COUNT-8: as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=two %s --dump-intermediates %t.d -o %t.out && cat %t.d/*_air-to-aie.mlir | FileCheck %s --check-prefix=CORE
// CORE-NOT: __air_herd_rtp
// CORE: %[[N:.*]] = aie.buffer({{.*}}) {sym_name = "__air_instance_0_2"} : memref<1xi32> = dense<0>
// CORE: aie.core
// CORE: %[[NOW:.*]] = memref.load %[[N]][
// CORE: arith.addi %[[NOW]]
// CORE: memref.store %{{.*}}, %[[N]][
// CORE: arith.divui %[[NOW]], %c4_i32
// CORE: arith.remui %[[NOW]], %c4_i32
func.func @two(%a: memref<64x64xi32>, %b: memref<64x64xi32>) {
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

// One id, which is divided.
func.func @flat(%a: memref<24x32xi32>, %b: memref<24x32xi32>) {
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%factor = arith.constant 4 : index
%repeats = arith.constant 3 : index
%size0 = arith.constant 12 : index
scf.for %t = %zero to %repeats step %one {
air.launch (%i) in (%is = %size0) args(%x = %a, %y = %b, %k = %factor) : memref<24x32xi32>, memref<24x32xi32>, index {
%across = arith.constant 4 : index
%row = arith.divui %i, %across : index
%column = arith.remui %i, %across : index
%rows = arith.constant 8 : index
%columns = arith.constant 8 : index
%first = arith.muli %row, %rows : index
%left = arith.muli %column, %columns : index
%p = arith.addi %row, %k : index
%q = arith.muli %column, %k : index
air.segment @flat_segment args(%sx = %x, %sy = %y, %sf = %first, %sl = %left, %sp = %p, %sq = %q) : memref<24x32xi32>, memref<24x32xi32>, index, index, index, index {
%single = arith.constant 1 : index
air.herd @flat_herd tile (%tx, %ty) in (%nx = %single, %ny = %single) args(%hx = %sx, %hy = %sy, %hf = %sf, %hl = %sl, %hp = %sp, %hq = %sq) : memref<24x32xi32>, memref<24x32xi32>, index, index, index, index {
%z = arith.constant 0 : index
%o = arith.constant 1 : index
%m = arith.constant 8 : index
%n = arith.constant 8 : index
%w = arith.constant 32 : index
%in = memref.alloc() : memref<8x8xi32, 2>
%out = memref.alloc() : memref<8x8xi32, 2>
air.dma_memcpy_nd (%in[] [] [], %hx[%hf, %hl] [%m, %n] [%w, %o]) : (memref<8x8xi32, 2>, memref<24x32xi32>)
scf.for %g = %z to %m step %o {
scf.for %h = %z to %n step %o {
%e = memref.load %in[%g, %h] : memref<8x8xi32, 2>
%u = arith.addi %hp, %h : index
%v = arith.muli %hq, %g : index
%s = arith.addi %u, %v : index
%c = arith.index_cast %s : index to i32
%d = arith.addi %e, %c : i32
memref.store %d, %out[%g, %h] : memref<8x8xi32, 2>
}
}
air.dma_memcpy_nd (%hy[%hf, %hl] [%m, %n] [%w, %o], %out[] [] []) : (memref<24x32xi32>, memref<8x8xi32, 2>)
memref.dealloc %in : memref<8x8xi32, 2>
memref.dealloc %out : memref<8x8xi32, 2>
}
}
}
}
return
}
