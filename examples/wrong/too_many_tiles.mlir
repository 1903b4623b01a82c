// Wrong: an iteration space that asks for more compute tiles than there are.
//
// In one instance of the segment two herds of 2x2 run one after the other: four tiles are enough.
// But all instances of the iteration space are there at once, and six times four is more than the
// 16 cores of npu1. Remedy: four instances at a time, and a loop around.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
func.func @main() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    air.segment @seg (%i, %j) in (%si = %c2, %sj = %c3) {
      %s2 = arith.constant 2 : index
      %0 = air.herd @first async tile (%x, %y) in (%sx = %s2, %sy = %s2) {
      }
      %1 = air.herd @second async [%0] tile (%x, %y) in (%sx = %s2, %sy = %s2) {
      }
      air.wait_all [%1]
    }
  }
  return
}
