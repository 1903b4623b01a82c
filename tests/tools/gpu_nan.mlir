// The greatest of numbers with NaN among them is NaN, in vectors of f16 too, whichever comes first.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:1 --output 1=%t.1.npy --output 2=%t.2.npy
// RUN: airlite-run %s --target=gfx942 --init=random:1 --expect 1=%t.1.npy --expect 2=%t.2.npy
// RUN: airlite-run %s --on=interp --function=products --init=random:356 --output 3=%t.3.npy
// RUN: airlite-run %s --target=gfx942 --function=products --init=random:356 --expect 3=%t.3.npy

func.func @main(%b: memref<8x4xi32>, %o: memref<4xf16>, %p: memref<4xf16>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%la = %b, %lo = %o, %lp = %p) : memref<8x4xi32>, memref<4xf16>, memref<4xf16> {
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %e = arith.constant 8 : index
    %v = vector.load %lo[%z] : memref<4xf16>, vector<4xf16>
    %w = vector.load %lp[%z] : memref<4xf16>, vector<4xf16>
    %r:2 = scf.for %k = %z to %e step %one iter_args(%most = %v, %least = %w) -> (vector<4xf16>, vector<4xf16>) {
      %x = vector.load %la[%k, %z] : memref<8x4xi32>, vector<4xi32>
      %f = arith.uitofp %x : vector<4xi32> to vector<4xf16>
      // Infinite where the integer is negative, then NaN.
      %d = arith.subf %f, %f : vector<4xf16>
      %m = arith.maximumf %d, %most : vector<4xf16>
      %l = arith.minimumf %least, %d : vector<4xf16>
      scf.yield %m, %l : vector<4xf16>, vector<4xf16>
    }
    vector.store %r#0, %lo[%z] : memref<4xf16>, vector<4xf16>
    vector.store %r#1, %lp[%z] : memref<4xf16>, vector<4xf16>
  }
  return
}

// Products of infinity and zero.
func.func @products(%a: memref<40x4x9xi32>, %b: memref<40x9xi16>, %c: memref<40x16xi32>, %o: memref<40x9x16xf16>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c, %lo = %o) : memref<40x4x9xi32>, memref<40x9xi16>, memref<40x16xi32>, memref<40x9x16xf16> {
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %rows = arith.constant 40 : index
    %columns = arith.constant 9 : index
    %all = arith.constant 16 : index
    scf.for %i = %z to %rows step %one {
      scf.for %j = %z to %columns step %one {
        scf.for %n = %z to %all step %four {
          %v = vector.load %lo[%i, %j, %n] : memref<40x9x16xf16>, vector<4xf16>
          %r = scf.for %k = %z to %four step %one iter_args(%most = %v) -> (vector<4xf16>) {
            %x = memref.load %la[%i, %k, %j] : memref<40x4x9xi32>
            %y = memref.load %lb[%i, %j] : memref<40x9xi16>
            %w = vector.load %lc[%i, %n] : memref<40x16xi32>, vector<4xi32>
            %0 = arith.uitofp %x : i32 to f16
            %1 = arith.sitofp %y : i16 to f16
            %2 = arith.mulf %0, %1 : f16
            %3 = arith.uitofp %w : vector<4xi32> to vector<4xf16>
            %4 = vector.broadcast %2 : f16 to vector<4xf16>
            %5 = arith.mulf %4, %3 : vector<4xf16>
            %6 = arith.maximumf %5, %most : vector<4xf16>
            scf.yield %6 : vector<4xf16>
          }
          vector.store %r, %lo[%i, %j, %n] : memref<40x9x16xf16>, vector<4xf16>
        }
      }
    }
  }
  return
}
