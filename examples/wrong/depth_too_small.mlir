// The sender runs two transfers ahead before the receiver may begin, the channel holds one: with
// depth = 3 the program ends.
//
// RUN: cd %S && not airlite-opt depth_too_small.mlir --air-verify-program 2>&1 | %golden
// RUN: sed 's/depth = 1/depth = 3/' %s > %t && airlite-opt %t --air-verify-program --emit=none
// RUN: not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: error: deadlock

air.channel @data [] {depth = 1}

func.func @main(%in: memref<8xf32>, %out: memref<8xf32>) {
  air.channel.put @data[] (%in[] [] []) : (memref<8xf32>)
  air.channel.put @data[] (%in[] [] []) : (memref<8xf32>)
  air.channel.get @data[] (%out[] [] []) : (memref<8xf32>)
  air.channel.get @data[] (%out[] [] []) : (memref<8xf32>)
  return
}
