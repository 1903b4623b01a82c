// Wrong: ops that must run at the same time, and each of which needs most of the device.
//
// Each of the two herds fits npu1 with its 16 cores; the concurrency token asks for both at once.
// (The herds stand alone, as passes leave them before segments are made around them.) Remedy: herds
// of 4x2 cores, or a dependency instead of the concurrency token.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
func.func @main() {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %together = air.token.alloc : !air.token
  %0 = air.herd @left async tile (%x, %y) in (%sx = %c4, %sy = %c3) concurrency = [%together] {
  }
  %1 = air.herd @right async tile (%x, %y) in (%sx = %c4, %sy = %c3) concurrency = [%together] {
  }
  air.wait_all [%0, %1]
  return
}
