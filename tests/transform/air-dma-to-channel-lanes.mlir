// Each lane of a core copies: a channel would give the data of one to another, so the copies stay.
// RUN: airlite-opt %S/../../examples/conv2d/conv2d.mlir --check-each --air-dma-to-channel --remarks -o %t.mlir 2>&1 | FileCheck %s
// CHECK: remark: [air-dma-to-channel] stays: each lane of a core runs it, and they would share its channel
