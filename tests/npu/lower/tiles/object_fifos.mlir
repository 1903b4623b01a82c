// RUN: airlite-opt %s --aie-objectfifo-to-locks | FileCheck %s

// Two rounds at a time: which object has its turn is known, and nothing counts it. Three objects are asked for while one
// is held: two are waited for.
// CHECK-LABEL: aie.device(npu1) @known
// CHECK-NOT: cons_turn
// CHECK: aie.core
// CHECK: aie.use_lock(%f_cons_cons_lock_0, AcquireGreaterEqual, %c1_i32{{.*}})
// CHECK: memref.load %f_cons_buff_0
// CHECK: aie.use_lock(%f_cons_cons_lock_0, AcquireGreaterEqual, %c2_i32{{.*}})
// CHECK: memref.load %f_cons_buff_2
// CHECK: aie.use_lock(%f_cons_prod_lock_0, Release, %c3_i32{{.*}})
// CHECK-NOT: arith.select
aie.device(npu1) @known {
  %s = aie.tile(0, 0)
  %b = aie.tile(0, 2)
  aie.objectfifo @f(%s, {%b}, 3 : i32) : !aie.objectfifo<memref<4xi32>>
  aie.core(%b) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %r = %c0 to %c4 step %c1 {
      %one = aie.objectfifo.acquire @f(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
      %x = aie.objectfifo.subview.access %one[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      %v = memref.load %x[%c0] : memref<4xi32>
      %all = aie.objectfifo.acquire @f(Consume, 3) : !aie.objectfifosubview<memref<4xi32>>
      %y = aie.objectfifo.subview.access %all[2] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      %w = memref.load %y[%c0] : memref<4xi32>
      aie.objectfifo.release @f(Consume, 3)
    }
    aie.end
  }
}

// Either block takes one of two objects: after them it is not known which one is next.
// CHECK-LABEL: aie.device(npu1) @either
// CHECK: aie.buffer({{.*}}) {sym_name = "f_cons_turn"} : memref<1xi32> = dense<0>
aie.device(npu1) @either {
  %s = aie.tile(0, 0)
  %b = aie.tile(0, 2)
  %m = aie.buffer(%b) {sym_name = "m"} : memref<1xi1>
  aie.objectfifo @f(%s, {%b}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
  aie.core(%b) {
    %c0 = arith.constant 0 : index
    %c = memref.load %m[%c0] : memref<1xi1>
    scf.execute_region {
      cf.cond_br %c, ^one, ^other
    ^one:
      %x = aie.objectfifo.acquire @f(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
      aie.objectfifo.release @f(Consume, 1)
      cf.br ^end
    ^other:
      %y = aie.objectfifo.acquire @f(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
      aie.objectfifo.release @f(Consume, 1)
      cf.br ^end
    ^end:
      scf.yield
    }
    %z = aie.objectfifo.acquire @f(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
    %o = aie.objectfifo.subview.access %z[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
    %v = memref.load %o[%c0] : memref<4xi32>
    aie.objectfifo.release @f(Consume, 1)
    aie.end
  }
}
