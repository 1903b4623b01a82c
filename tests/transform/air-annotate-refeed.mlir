// RUN: airlite-opt %s --check-each --air-annotate-refeed | FileCheck %s
// RUN: airlite-opt %s --air-annotate-refeed --air-verify-program --air-specialize-channel-wrap-and-stride=scope=func | FileCheck %s --check-prefix=AFTER

air.channel @line [1]
air.channel @more [1]
air.channel @parts [2]

// From L1: the put holds the count.
// CHECK-LABEL: func.func @core
// CHECK: air.channel.put async {{.*}}@line[] {{.*}}{air.refeed_count = 12 : i32}
// CHECK-NOT: scf.for
// CHECK: scf.for
// CHECK: air.channel.get @line[]
// AFTER-LABEL: func.func @core
// AFTER: air.channel.put async {{.*}}@line[] {{.*}}{air.refeed_count = 12 : i32}
func.func @core(%in: memref<4xi32>, %out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %a = memref.alloc() : memref<4xi32, 2>
  memref.copy %in, %a : memref<4xi32> to memref<4xi32, 2>
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%u = %t) -> (!air.async.token) {
      %zero = arith.constant 0 : index
      %put = air.channel.put async [%u] @line[] (%a[%zero] [%c4] [%c1]) : (memref<4xi32, 2>)
      scf.yield %put : !air.async.token
    }
    scf.yield %inner : !air.async.token
  }
  scf.for %i = %c0 to %c12 step %c1 {
    air.channel.get @line[] (%out[] [] []) : (memref<4xi32>)
  }
  air.wait_all [%end]
  memref.dealloc %a : memref<4xi32, 2>
  return
}

// From L2: the allocation holds what all puts drain, each put how often it sends. A get takes parts
// of a stream as well.
// CHECK-LABEL: func.func @memtile
// CHECK: memref.alloc() {air.refeed_count = 8 : i32}
// CHECK: %[[A:.*]] = air.channel.put async {{.*}}@line[] {{.*}}{air.send_count = 3 : i32}
// CHECK: %[[B:.*]] = air.channel.put async {{.*}}@parts[%{{.*}}] {{.*}}{air.send_count = 4 : i32}
// CHECK: air.channel.put async @more[] (%{{.*}}[] [] []) :
// CHECK: scf.for
// CHECK: air.wait_all [%[[A]], %[[B]]
func.func @memtile(%in: memref<4xi32>, %out: memref<4xi32>, %other: memref<2xi32>, %third: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %w = air.wait_all async
  %a = memref.alloc() : memref<4xi32, 1>
  memref.copy %in, %a : memref<4xi32> to memref<4xi32, 1>
  %first = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %w) -> (!air.async.token) {
    %put = air.channel.put async [%t] @line[] (%a[] [] []) : (memref<4xi32, 1>)
    scf.yield %put : !air.async.token
  }
  %second = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %w) -> (!air.async.token) {
    %place = arith.constant 1 : index
    %put = air.channel.put async [%t] @parts[%place] (%a[] [] []) : (memref<4xi32, 1>)
    scf.yield %put : !air.async.token
  }
  %last = air.channel.put async @more[] (%a[] [] []) : (memref<4xi32, 1>)
  scf.for %i = %c0 to %c3 step %c1 {
    air.channel.get @line[] (%out[] [] []) : (memref<4xi32>)
  }
  scf.for %i = %c0 to %c8 step %c1 {
    air.channel.get @parts[%c1] (%other[] [] []) : (memref<2xi32>)
  }
  air.channel.get @more[] (%third[] [] []) : (memref<4xi32>)
  air.wait_all [%first, %second, %last]
  memref.dealloc %a : memref<4xi32, 1>
  return
}

// One iteration is a put as any other. A loop around one that sends several times stays where it is
// when lists are folded.
// CHECK-LABEL: func.func @one
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: air.channel.put @line[] (%{{.*}}[] [] []) : (memref<4xi32, 2>)
// CHECK: air.channel.put async {{.*}}@more[] {{.*}}{air.refeed_count = 2 : i32}
// AFTER-LABEL: func.func @one
// AFTER: memref.copy
// AFTER: air.channel.put async {{.*}}@more[] {{.*}}{air.refeed_count = 2 : i32}
func.func @one(%in: memref<4xi32>, %out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xi32, 2>
  %t = scf.for %i = %c0 to %c2 step %c1 iter_args(%n = %c0) -> (index) {
    memref.copy %in, %a : memref<4xi32> to memref<4xi32, 2>
    %g = air.channel.get async @line[] (%out[] [] []) : (memref<4xi32>)
    scf.for %j = %c0 to %c1 step %c1 {
      air.channel.put @line[] (%a[] [] []) : (memref<4xi32, 2>)
    }
    air.wait_all [%g]
    scf.for %j = %c0 to %c2 step %c1 {
      %put = air.channel.put async @more[] (%a[] [] []) : (memref<4xi32, 2>)
    }
    air.channel.get @more[] (%out[] [] []) : (memref<4xi32>)
    air.channel.get @more[] (%out[] [] []) : (memref<4xi32>)
    scf.yield %n : index
  }
  memref.dealloc %a : memref<4xi32, 2>
  return
}
