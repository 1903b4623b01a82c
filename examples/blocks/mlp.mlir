// Two layers of an int8 network with requantisation after each: 128 rows of 256 numbers, 512 inside, 128 out.
func.func @main(%x: memref<128x256xi8>, %w1: memref<256x512xi8>, %w2: memref<512x128xi8>, %out: memref<128x128xi8>) {
  %z32 = arith.constant 0 : i32
  %a = memref.alloc() : memref<128x512xi32>
  linalg.fill ins(%z32 : i32) outs(%a : memref<128x512xi32>)
  linalg.matmul ins(%x, %w1 : memref<128x256xi8>, memref<256x512xi8>) outs(%a : memref<128x512xi32>)
  %a8 = memref.alloc() : memref<128x512xi8>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<128x512xi32>) outs(%a8 : memref<128x512xi8>) {
  ^bb0(%rin: i32, %old: i8):
    %lo = arith.constant -128 : i32
    %lo0 = arith.constant 0 : i32
    %hi = arith.constant 127 : i32
    %sh = arith.constant 7 : i32
    %ra = arith.shrsi %rin, %sh : i32
    %c0 = arith.constant 0 : i32
    %rc = arith.addi %ra, %c0 : i32
    %rd = arith.maxsi %rc, %lo0 : i32
    %re = arith.minsi %rd, %hi : i32
    %rf = arith.trunci %re : i32 to i8
    linalg.yield %rf : i8
  }
  %b = memref.alloc() : memref<128x128xi32>
  linalg.fill ins(%z32 : i32) outs(%b : memref<128x128xi32>)
  linalg.matmul ins(%a8, %w2 : memref<128x512xi8>, memref<512x128xi8>) outs(%b : memref<128x128xi32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<128x128xi32>) outs(%out : memref<128x128xi8>) {
  ^bb0(%rin: i32, %old: i8):
    %lo = arith.constant -128 : i32
    %lo0 = arith.constant 0 : i32
    %hi = arith.constant 127 : i32
    %sh = arith.constant 7 : i32
    %ra = arith.shrsi %rin, %sh : i32
    %c0 = arith.constant 0 : i32
    %rc = arith.addi %ra, %c0 : i32
    %rd = arith.maxsi %rc, %lo : i32
    %re = arith.minsi %rd, %hi : i32
    %rf = arith.trunci %re : i32 to i8
    linalg.yield %rf : i8
  }
  return
}
