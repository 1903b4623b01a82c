func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = arith.addi %c1, %c2 : index
  air.launch (%l) in (%sl = %c1) {
    %d1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx = %d1, %sy = %d1) {
      %e1 = arith.constant 1 : index
      %e2 = arith.constant 2 : index
      %e3 = arith.addi %e1, %e2 : index
      air.herd tile (%u, %v) in (%su = %e1, %sv = %e1) {
      }
    }
  }
  return
}
