// What a machine has, by the files that its kernel shows. The first has an NPU and a GPU.
// RUN: rm -rf %t.r && mkdir -p %t.r/sys/class/accel/accel0/device %t.r/dev/accel \
// RUN:   %t.r/sys/bus/pci/drivers/amdxdna %t.r/sys/class/kfd/kfd/topology/nodes/1 \
// RUN:   %t.r/sys/class/kfd/kfd/topology/nodes/0
// RUN: cd %t.r/sys/class/accel/accel0/device && echo 0x1022 > vendor && echo 0x1502 > device \
// RUN:   && echo 1.5.5.391 > fw_version && ln -s ../../../../bus/pci/drivers/amdxdna driver
// RUN: touch %t.r/dev/accel/accel0
// RUN: echo "simd_count 0" > %t.r/sys/class/kfd/kfd/topology/nodes/0/properties
// RUN: echo "gfx_target_version 90402" > %t.r/sys/class/kfd/kfd/topology/nodes/1/properties
// RUN: airlite-run --doctor --doctor-root %t.r --xrt /nowhere/libxrt_coreutil.so | FileCheck %s
// CHECK: airlite {{[0-9]+\.[0-9]+}}
// CHECK: {{[0-9]+}} threads
// CHECK: NPU
// CHECK-NEXT: accel0: Ryzen AI NPU of Phoenix or Hawk Point (npu1) (0x1502), driver amdxdna, firmware 1.5.5.391
// CHECK-NEXT: XRT: there is no XRT on this machine (/nowhere/libxrt_coreutil.so)
// CHECK-NEXT: GPU
// CHECK-NEXT: node 1: gfx942
// CHECK-NEXT: what airlite can do here
// CHECK-NEXT: yes run programs in the interpreter (--on=interp)
// CHECK-NEXT: yes compile for npu1, and run designs on the simulated NPU (--on=sim)
// CHECK-NEXT: no  run designs on an NPU (--on=xrt): there is no XRT on this machine

// RUN: mkdir -p %t.e && airlite-run --doctor --doctor-root %t.e | FileCheck %s --check-prefix=NONE
// NONE: NPU
// NONE-NEXT: no NPU in
// NONE: GPU
// NONE-NEXT: no AMD GPU
