// A sweep that is killed loses no result, and leaves no job behind.
// RUN: rm -rf %T/* && python3 %S/Inputs/kill_sweep.py %{airlite} %s %T 1 | FileCheck %s
// CHECK: each of the jobs has one result, nothing was lost
// CHECK-NEXT: SIGKILL: exit -9, 0 bytes, the job has ended; []
// CHECK-NEXT: SIGTERM: exit 1, 0 bytes, the job has ended; ['interrupted: the same command goes on with the rest']
// CHECK-NEXT: SIGINT: exit 1, 0 bytes, the job has ended; ['interrupted: the same command goes on with the rest']
// CHECK-NEXT: error: another sweep writes '{{.*}}two.jsonl'
// CHECK-NEXT: [1/1] signal 9
// CHECK-NEXT: 1 jobs: 0 ok, 1 failed, 0 without a result; 0 of them from before

func.func @add(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>) {
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  return
}
func.func @forever(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 9000000000000 : index
  scf.for %i = %c0 to %end step %c1 {
  }
  return
}
