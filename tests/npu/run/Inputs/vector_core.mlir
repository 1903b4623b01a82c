// A core whose program has vectors of its own.
module {
  aie.device(npu2) {
    %tile = aie.tile(0, 2)
    %shim = aie.tile(0, 0)
    %a = aie.buffer(%tile) {sym_name = "a"} : memref<64xi32, 2>
    %core = aie.core(%tile) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %pad = arith.constant 0 : i32
      %v = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<64xi32, 2>, vector<16xi32>
      %w = arith.addi %v, %v : vector<16xi32>
      vector.transfer_write %w, %a[%c16] {in_bounds = [true]} : vector<16xi32>, memref<64xi32, 2>
      aie.end
    }
    aie.runtime_sequence(%x: memref<64xi32>) {
    }
  }
}
