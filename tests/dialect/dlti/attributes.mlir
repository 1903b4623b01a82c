// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --emit=json | airlite-opt | FileCheck %s

// CHECK: module @now attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64, "stack" = 64 : i32>}
module @now attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64, "stack" = 64 : i32>} {
}

// CHECK: module @before attributes {dlti.dl_spec = #dlti.dl_spec<f32 = [32, 64]>}
module @before attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<f32, [32, 64]>>} {
}

// CHECK: module @alone attributes {a.entry = #dlti.dl_entry<index, 32 : i64>, a.none = #dlti.dl_spec}
module @alone attributes {a.entry = #dlti.dl_entry<index, 32 : i64>, a.none = #dlti.dl_spec} {
}

// CHECK: module @nested attributes {a.b = #dlti.target_system_spec<"NPU" = #dlti.target_device_spec<"columns" = 4 : i32>>}
module @nested attributes {a.b = #dlti.target_system_spec<"NPU" = #dlti.target_device_spec<"columns" = 4 : i32>>} {
}
