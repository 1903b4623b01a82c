// RUN: airlite-opt %s --air-isolate-async-dma-loop-nests --check-each --verify-diagnostics --remarks | FileCheck %s
// RUN: not airlite-opt %s --air-isolate-async-dma-loop-nests=scope=herd 2>&1 | FileCheck %s --check-prefix=SCOPE
// SCOPE: error: {{.*}}herd

// A core reads in the next iteration what its neighbour has written.
// CHECK-LABEL: func.func @neighbours
// CHECK: scf.for
// CHECK: air.herd
func.func @neighbours(%a: memref<8xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a) : memref<8xi32> {
    air.segment @s args(%g=%d) : memref<8xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %start = air.wait_all async
      // expected-remark@+1 {{its cores may touch what another one does in the next iteration}}
      %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %w = air.herd @h async [%t] tile (%hx, %hy) in (%sx=%c2, %sy=%c1) args(%o=%i, %p=%g) : index, memref<8xi32> {
          %k1 = arith.constant 1 : index
          %k2 = arith.constant 2 : index
          %row = arith.muli %o, %k2 : index
          %other = arith.subi %k1, %hx : index
          %from = arith.addi %row, %other : index
          %mine = arith.addi %row, %hx : index
          %to = arith.addi %mine, %k2 : index
          %v = memref.load %p[%from] : memref<8xi32>
          memref.store %v, %p[%to] : memref<8xi32>
        }
        scf.yield %w : !air.async.token
      }
      // expected-remark@+1 {{its iterations may overlap}}
      %loose = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %end) -> (!air.async.token) {
        %w = air.herd @k async [%t] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) {
        }
        scf.yield %t : !air.async.token
      }
      air.wait_all [%end]
    }
  }
  return
}

// CHECK-LABEL: func.func @blocks
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @blocks(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
    air.segment @s args(%g=%d, %h=%e, %k=%f) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %start = air.wait_all async
      // expected-remark@+1 {{an op in the body blocks}}
      %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %t1 = air.dma_memcpy_nd async [%t] (%h[] [] [], %g[] [] []) : (memref<4xi32>, memref<4xi32>)
        air.dma_memcpy_nd (%k[] [] [], %g[] [] []) : (memref<4xi32>, memref<4xi32>)
        scf.yield %t1 : !air.async.token
      }
      air.wait_all [%end]
    }
  }
  return
}

// The copy between the herds feeds the second: the first must not wait for it.
// CHECK-LABEL: func.func @between
// CHECK: air.herd
// CHECK: air.herd
func.func @between(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
    air.segment @s args(%g=%d, %h=%e, %k=%f) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
      %c1 = arith.constant 1 : index
      %w0 = air.herd @h async tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%p=%g, %q=%h) : memref<4xi32>, memref<4xi32> {
        %v = air.dma_memcpy_nd async (%q[] [] [], %p[] [] []) : (memref<4xi32>, memref<4xi32>)
      }
      %m = air.dma_memcpy_nd async [%w0] (%k[] [] [], %h[] [] []) : (memref<4xi32>, memref<4xi32>)
      // expected-remark@+1 {{it waits for more than the herd of its name does}}
      %w1 = air.herd @h async [%m] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%p=%k, %q=%h) : memref<4xi32>, memref<4xi32> {
        %v = air.dma_memcpy_nd async (%q[] [] [], %p[] [] []) : (memref<4xi32>, memref<4xi32>)
      }
      // expected-remark@+1 {{a herd of its name has other sizes or attributes}}
      %w2 = air.herd @h async [%w1] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) attributes {link_with = "k.o"} {
      }
      air.wait_all [%w2]
    }
  }
  return
}

// The product waits for what is loaded after the put: the gets, in a loop of their own, would come
// when all puts are done, and the channel holds two.
air.channel @pair [] {depth = 2 : i64}
// CHECK-LABEL: func.func @waits_for_a_value
// CHECK: scf.for
// CHECK: air.channel.put
// CHECK: air.channel.get
func.func @waits_for_a_value(%a: memref<4xi32>, %b: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%e=%a, %f=%b) : memref<4xi32>, memref<4xi32> {
    air.segment @s args(%c=%e, %d=%f) : memref<4xi32>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %start = air.wait_all async
      // expected-remark@+1 {{an op in the body waits for a value}}
      %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %p = air.channel.put async [%t] @pair[] (%c[] [] []) : (memref<4xi32>)
        %g = air.channel.get async [%t] @pair[] (%d[] [] []) : (memref<4xi32>)
        %l, %v = air.execute [%p] -> (i32) {
          %0 = memref.load %c[%i] : memref<4xi32>
          air.execute_terminator %0 : i32
        }
        %twice = arith.muli %v, %v : i32
        %s = air.execute [%l] {
          memref.store %twice, %c[%i] : memref<4xi32>
        }
        %w = air.wait_all async [%s, %g]
        scf.yield %w : !air.async.token
      }
      air.wait_all [%end]
    }
  }
  return
}
