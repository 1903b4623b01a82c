// RUN: airlite-opt %s --air-split-channels-by-launch --check-each --remarks 2>&1 | FileCheck %s
// CHECK-DAG: [[#@LINE+4]]:1: remark: [air-split-channels-by-launch] stays one channel: launches send data to each other
// CHECK-DAG: [[#@LINE+4]]:1: remark: [air-split-channels-by-launch] stays one channel: it is used outside of launches
// CHECK-DAG: air.channel @own [2] {buffer_resources = 2 : i32}
// CHECK-DAG: air.channel @own_0 [2] {buffer_resources = 2 : i32}
air.channel @between []
air.channel @outside []
air.channel @own [2] {buffer_resources = 2 : i32}

// CHECK-LABEL: func.func @main
// CHECK: air.channel.put async @own[
// CHECK: air.channel.get @own[
// CHECK: air.channel.put async @between[]
// CHECK: air.channel.put async @own_0[
// CHECK: air.channel.get @own_0[
// CHECK: air.channel.get @between[]
func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
  %0 = air.launch async () in () args(%x = %a, %y = %b) : memref<4xi32>, memref<4xi32> {
    %c1 = arith.constant 1 : index
    %1 = air.channel.put async @own[%c1] (%x[] [] []) : (memref<4xi32>)
    air.channel.get @own[%c1] (%y[] [] []) : (memref<4xi32>)
    %2 = air.channel.put async @between[] (%x[] [] []) : (memref<4xi32>)
    %3 = air.channel.put async @outside[] (%x[] [] []) : (memref<4xi32>)
    air.channel.get @outside[] (%y[] [] []) : (memref<4xi32>)
  }
  %4 = air.launch async () in () args(%x = %a, %y = %b) : memref<4xi32>, memref<4xi32> {
    %c0 = arith.constant 0 : index
    %5 = air.channel.put async @own[%c0] (%x[] [] []) : (memref<4xi32>)
    air.channel.get @own[%c0] (%y[] [] []) : (memref<4xi32>)
    air.channel.get @between[] (%y[] [] []) : (memref<4xi32>)
  }
  air.wait_all [%0, %4]
  %6 = air.channel.put async @outside[] (%a[] [] []) : (memref<4xi32>)
  air.channel.get @outside[] (%b[] [] []) : (memref<4xi32>)
  return
}
