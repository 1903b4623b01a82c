// Programs with more than the array has: a herd of 8 x 8 cores, four inputs of a core, a product whose cores
// copy three operands in each instance of a launch, rows of 10 bytes. Channels of one sender that a core takes in
// turn share a DMA channel (this file). Two segments with a channel between them.
// REQUIRES: !sanitize
// RUN: for program in %s %S/Inputs/fit_large_herd.mlir %S/Inputs/fit_four_inputs.mlir %S/Inputs/fit_product.mlir %S/Inputs/fit_odd_rows.mlir %S/Inputs/fit_segments.mlir; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 $program || exit 1; \
// RUN:   airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles $program || exit 1; \
// RUN: done 2>/dev/null | FileCheck %s
// CHECK-COUNT-12: arguments are as in the interpreter, bit by bit

// RUN: airlite-compile %S/Inputs/fit_large_herd.mlir --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: remark: compiled by {{.*}}air-fit-herds{cores={{.*}}, since with {{.*}}fit-herds{cores=4,4 stage=none}
air.channel @in0 [2, 2]
air.channel @in1 [2, 2]
air.channel @in2 [2, 2]
air.channel @out [2, 2]
func.func @main(%x0: memref<4x32xi16>, %x1: memref<4x32xi16>, %x2: memref<4x32xi16>, %y: memref<4x32xi16>) {
  air.launch () in () args(%p0=%x0, %p1=%x1, %p2=%x2, %q=%y) : memref<4x32xi16>, memref<4x32xi16>, memref<4x32xi16>, memref<4x32xi16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %nx = arith.constant 2 : index
    %ny = arith.constant 2 : index
    %n = arith.constant 32 : index
    %w0 = air.wait_all async
    %t0 = scf.parallel (%i, %j) = (%c0, %c0) to (%nx, %ny) step (%c1, %c1) init (%w0) -> !air.async.token {
      %m = arith.muli %i, %ny : index
      %r = arith.addi %m, %j : index
      %g = air.channel.put async @in0[%i, %j] (%p0[%r, %c0] [%c1, %n] [%n, %c1]) : (memref<4x32xi16>)
      scf.reduce(%g : !air.async.token) {
      ^bb0(%a: !air.async.token, %b: !air.async.token):
        %rr = air.wait_all async [%a, %b]
        scf.reduce.return %rr : !air.async.token
      }
    }
    %w1 = air.wait_all async
    %t1 = scf.parallel (%i, %j) = (%c0, %c0) to (%nx, %ny) step (%c1, %c1) init (%w1) -> !air.async.token {
      %m = arith.muli %i, %ny : index
      %r = arith.addi %m, %j : index
      %g = air.channel.put async @in1[%i, %j] (%p1[%r, %c0] [%c1, %n] [%n, %c1]) : (memref<4x32xi16>)
      scf.reduce(%g : !air.async.token) {
      ^bb0(%a: !air.async.token, %b: !air.async.token):
        %rr = air.wait_all async [%a, %b]
        scf.reduce.return %rr : !air.async.token
      }
    }
    %w2 = air.wait_all async
    %t2 = scf.parallel (%i, %j) = (%c0, %c0) to (%nx, %ny) step (%c1, %c1) init (%w2) -> !air.async.token {
      %m = arith.muli %i, %ny : index
      %r = arith.addi %m, %j : index
      %g = air.channel.put async @in2[%i, %j] (%p2[%r, %c0] [%c1, %n] [%n, %c1]) : (memref<4x32xi16>)
      scf.reduce(%g : !air.async.token) {
      ^bb0(%a: !air.async.token, %b: !air.async.token):
        %rr = air.wait_all async [%a, %b]
        scf.reduce.return %rr : !air.async.token
      }
    }
    %w3 = air.wait_all async
    %t3 = scf.parallel (%i, %j) = (%c0, %c0) to (%nx, %ny) step (%c1, %c1) init (%w3) -> !air.async.token {
      %m = arith.muli %i, %ny : index
      %r = arith.addi %m, %j : index
      %g = air.channel.get async @out[%i, %j] (%q[%r, %c0] [%c1, %n] [%n, %c1]) : (memref<4x32xi16>)
      scf.reduce(%g : !air.async.token) {
      ^bb0(%a: !air.async.token, %b: !air.async.token):
        %rr = air.wait_all async [%a, %b]
        scf.reduce.return %rr : !air.async.token
      }
    }
    %s = air.segment @seg async {
      %kx = arith.constant 2 : index
      %ky = arith.constant 2 : index
      %h = air.herd @h async tile (%tx, %ty) in (%sx=%kx, %sy=%ky) {
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %zn = arith.constant 32 : index
        %m0 = memref.alloc() : memref<32xi16, 2>
        air.channel.get @in0[%tx, %ty] (%m0[] [] []) : (memref<32xi16, 2>)
        %m1 = memref.alloc() : memref<32xi16, 2>
        air.channel.get @in1[%tx, %ty] (%m1[] [] []) : (memref<32xi16, 2>)
        %m2 = memref.alloc() : memref<32xi16, 2>
        air.channel.get @in2[%tx, %ty] (%m2[] [] []) : (memref<32xi16, 2>)
        scf.for %e = %z0 to %zn step %z1 {
          %v0 = memref.load %m0[%e] : memref<32xi16, 2>
          %v1 = memref.load %m1[%e] : memref<32xi16, 2>
          %v2 = memref.load %m2[%e] : memref<32xi16, 2>
          %s1 = arith.addi %v0, %v1 : i16
          %s2 = arith.addi %s1, %v2 : i16
          memref.store %s2, %m0[%e] : memref<32xi16, 2>
        }
        air.channel.put @out[%tx, %ty] (%m0[] [] []) : (memref<32xi16, 2>)
        memref.dealloc %m0 : memref<32xi16, 2>
        memref.dealloc %m1 : memref<32xi16, 2>
        memref.dealloc %m2 : memref<32xi16, 2>
      }
    }
  }
  return
}
