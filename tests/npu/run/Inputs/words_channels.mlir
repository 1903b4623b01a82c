// Channels: two rows of 6 bytes at a time are whole words, though one is not; 9 elements of two bytes go through
// L2 to both cores, with the rest of their last word.
air.channel @in [2]
air.channel @out [2]
air.channel @all [1, 1]
air.channel @each [1, 1] {broadcast_shape = [2, 1]}
air.channel @sums [2]
func.func @main(%a: memref<4x6xi8>, %w: memref<9xi16>, %o: memref<4x6xi8>, %p: memref<9xi16>, %q: memref<9xi16>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%i) in (%n = %c1) args(%la = %a, %lw = %w, %lo = %o, %lp = %p, %lq = %q) : memref<4x6xi8>, memref<9xi16>, memref<4x6xi8>, memref<9xi16>, memref<9xi16> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %six = arith.constant 6 : index
    %t0 = air.channel.put async @in[%c0] (%la[%c0, %c0] [%two, %six] [%six, %one]) : (memref<4x6xi8>)
    %t1 = air.channel.put async @in[%one] (%la[%two, %c0] [%two, %six] [%six, %one]) : (memref<4x6xi8>)
    %t2 = air.channel.put async @all[] (%lw[] [] []) : (memref<9xi16>)
    %t3 = air.channel.get async @out[%c0] (%lo[%c0, %c0] [%two, %six] [%six, %one]) : (memref<4x6xi8>)
    %t4 = air.channel.get async @out[%one] (%lo[%two, %c0] [%two, %six] [%six, %one]) : (memref<4x6xi8>)
    %t5 = air.channel.get async @sums[%c0] (%lp[] [] []) : (memref<9xi16>)
    %t6 = air.channel.get async @sums[%one] (%lq[] [] []) : (memref<9xi16>)
    %t7 = air.segment @s async {
      %hx = arith.constant 2 : index
      %hy = arith.constant 1 : index
      %l2 = memref.alloc() : memref<9xi16, 1>
      air.channel.get @all[] (%l2[] [] []) : (memref<9xi16, 1>)
      %t8 = air.channel.put async @each[] (%l2[] [] []) : (memref<9xi16, 1>)
      %t9 = air.herd @h async tile (%x, %y) in (%sx = %hx, %sy = %hy) {
        %m = memref.alloc() : memref<2x6xi8, 2>
        %v = memref.alloc() : memref<9xi16, 2>
        air.channel.get @in[%x] (%m[] [] []) : (memref<2x6xi8, 2>)
        air.channel.get @each[%x, %y] (%v[] [] []) : (memref<9xi16, 2>)
        %k = arith.constant 3 : i8
        linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<2x6xi8, 2>) {
        ^bb0(%e: i8):
          %r = arith.muli %e, %k : i8
          linalg.yield %r : i8
        }
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%v : memref<9xi16, 2>) {
        ^bb0(%e: i16):
          %r = arith.addi %e, %e : i16
          linalg.yield %r : i16
        }
        air.channel.put @out[%x] (%m[] [] []) : (memref<2x6xi8, 2>)
        air.channel.put @sums[%x] (%v[] [] []) : (memref<9xi16, 2>)
        memref.dealloc %m : memref<2x6xi8, 2>
        memref.dealloc %v : memref<9xi16, 2>
      }
      air.wait_all [%t8, %t9]
      memref.dealloc %l2 : memref<9xi16, 1>
    }
    air.wait_all [%t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7]
  }
  air.wait_all [%t]
  return
}
