// One end alone is an error at its first use; the program is printed all the same.
// RUN: airlite-opt %s --air-dependency-canonicalize 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+8]]:{{.*}}error: 'air.channel.get' op found channel op not in pairs
// CHECK: error: 'air.channel.put' op found channel op not in pairs
// CHECK-NOT: error:
// CHECK: func.func @f
air.channel @received [1]
air.channel @sent [1]
air.channel @both [1]
func.func @f(%m: memref<4xf32>) {
  %a = air.channel.get async @received[] (%m[] [] []) : (memref<4xf32>)
  %b = air.channel.get async @received[] (%m[] [] []) : (memref<4xf32>)
  %c = air.channel.put async @sent[] (%m[] [] []) : (memref<4xf32>)
  %d = air.channel.put async @both[] (%m[] [] []) : (memref<4xf32>)
  %e = air.channel.get async @both[] (%m[] [] []) : (memref<4xf32>)
  return
}
