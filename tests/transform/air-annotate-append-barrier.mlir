// RUN: airlite-opt %s --check-each --air-annotate-append-barrier | FileCheck %s
// RUN: airlite-opt %s --air-annotate-append-barrier | airlite-opt --air-annotate-append-barrier | FileCheck %s

air.channel @append [1]
air.channel @more [1]
air.channel @back [1]
air.channel @again [1]

// What is appended is read back: the first put that reads it waits.
// CHECK-LABEL: func.func @read_back
// CHECK: air.channel.get @append[] {{.*}}{air.append_barrier}
// CHECK: air.channel.get @more[] {{.*}}{air.append_barrier}
// CHECK: air.channel.put @back[] {{.*}}{air.await_appends}
// CHECK: air.channel.put @again[] (%{{.*}}[] [] []) :
func.func @read_back(%kv: memref<64xi32>) {
  air.channel.get @append[] (%kv[0] [32] [1]) : (memref<64xi32>)
  air.channel.get @more[] (%kv[32] [32] [1]) : (memref<64xi32>)
  air.channel.put @back[] (%kv[] [] []) : (memref<64xi32>)
  air.channel.put @again[] (%kv[] [] []) : (memref<64xi32>)
  return
}

// A put that is not always on the way does not speak for the next one.
// CHECK-LABEL: func.func @maybe
// CHECK: air.append_barrier
// CHECK: scf.if
// CHECK: air.channel.put @back[] {{.*}}{air.await_appends}
// CHECK: air.channel.put @again[] {{.*}}{air.await_appends}
func.func @maybe(%kv: memref<64xi32>, %c: i1) {
  air.channel.get @append[] (%kv[] [] []) : (memref<64xi32>)
  scf.if %c {
    air.channel.put @back[] (%kv[] [] []) : (memref<64xi32>)
  }
  air.channel.put @again[] (%kv[] [] []) : (memref<64xi32>)
  return
}

// The put of the next iteration reads what the get of this one writes. Tokens order them.
// CHECK-LABEL: func.func @turns
// CHECK: scf.for
// CHECK: air.channel.put async {{.*}}@back[] {{.*}}{air.await_appends}
// CHECK: air.channel.get async {{.*}}@append[] {{.*}}{air.append_barrier}
func.func @turns(%kv: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %p = air.channel.put async [%t] @back[] (%kv[] [] []) : (memref<64xi32>)
    %g = air.channel.get async [%p] @append[] (%kv[] [] []) : (memref<64xi32>)
    scf.yield %g : !air.async.token
  }
  return
}

// Nothing that is read was written: other elements, another buffer, the put in front, a branch that
// does not run beside, and memory that locks guard.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: air.append_barrier
// CHECK-NOT: air.await_appends
func.func @apart(%a: memref<64xi32>, %b: memref<64xi32>, %sel: index) {
  air.channel.put @back[] (%a[] [] []) : (memref<64xi32>)
  air.channel.get @append[] (%a[0] [32] [1]) : (memref<64xi32>)
  air.channel.put @back[] (%a[32] [32] [1]) : (memref<64xi32>)
  air.channel.put @again[] (%b[] [] []) : (memref<64xi32>)
  scf.index_switch %sel
  case 0 {
    air.channel.put @back[] (%b[] [] []) : (memref<64xi32>)
    scf.yield
  }
  default {
    air.channel.get @more[] (%b[] [] []) : (memref<64xi32>)
    scf.yield
  }
  %l1 = memref.alloc() : memref<64xi32, 2>
  air.channel.get @append[] (%l1[] [] []) : (memref<64xi32, 2>)
  air.channel.put @back[] (%l1[] [] []) : (memref<64xi32, 2>)
  memref.dealloc %l1 : memref<64xi32, 2>
  return
}

// Through the arguments of a launch; transfers of segments are not the host's.
// CHECK-LABEL: func.func @launched
// CHECK: air.channel.get async @append[] {{.*}}{air.append_barrier}
// CHECK: air.channel.put async [{{.*}}] @back[] {{.*}}{air.await_appends}
// CHECK: air.segment
// CHECK-NOT: air.await_appends
func.func @launched(%kv: memref<64xi32>) {
  air.launch () in () args(%x = %kv, %y = %kv) : memref<64xi32>, memref<64xi32> {
    %g = air.channel.get async @append[] (%x[] [] []) : (memref<64xi32>)
    %p = air.channel.put async [%g] @back[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s args(%z = %x) : memref<64xi32> {
      air.channel.get @more[] (%z[] [] []) : (memref<64xi32>)
      air.channel.put @again[] (%z[] [] []) : (memref<64xi32>)
    }
  }
  return
}
