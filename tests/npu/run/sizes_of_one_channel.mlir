// A core takes pieces of five sizes through one channel and gives them back, more sizes than it has locks for: they move in
// parts that all sizes are multiples of. In the second function the pieces are windows of one buffer that move.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=layers %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --function=layers --target=npu2 --reverse-tiles %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:3 --function=windows %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:4 --function=windows --target=npu2 %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
air.channel @layer [1]
air.channel @done [1]
func.func @layers(%a: memref<480xi16>, %b: memref<480xi16>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<480xi16>, memref<480xi16> {
    %0 = air.channel.put async @layer[] (%la[] [] []) : (memref<480xi16>)
    %1 = air.channel.get async @done[] (%lb[] [] []) : (memref<480xi16>)
    air.segment @s {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k1) {
        %m0 = memref.alloc() : memref<64xi16, 2>
        air.channel.get @layer[] (%m0[] [] []) : (memref<64xi16, 2>)
        linalg.add ins(%m0, %m0 : memref<64xi16, 2>, memref<64xi16, 2>) outs(%m0 : memref<64xi16, 2>)
        air.channel.put @done[] (%m0[] [] []) : (memref<64xi16, 2>)
        memref.dealloc %m0 : memref<64xi16, 2>
        %m1 = memref.alloc() : memref<96xi16, 2>
        air.channel.get @layer[] (%m1[] [] []) : (memref<96xi16, 2>)
        linalg.add ins(%m1, %m1 : memref<96xi16, 2>, memref<96xi16, 2>) outs(%m1 : memref<96xi16, 2>)
        air.channel.put @done[] (%m1[] [] []) : (memref<96xi16, 2>)
        memref.dealloc %m1 : memref<96xi16, 2>
        %m2 = memref.alloc() : memref<32xi16, 2>
        air.channel.get @layer[] (%m2[] [] []) : (memref<32xi16, 2>)
        linalg.add ins(%m2, %m2 : memref<32xi16, 2>, memref<32xi16, 2>) outs(%m2 : memref<32xi16, 2>)
        air.channel.put @done[] (%m2[] [] []) : (memref<32xi16, 2>)
        memref.dealloc %m2 : memref<32xi16, 2>
        %m3 = memref.alloc() : memref<128xi16, 2>
        air.channel.get @layer[] (%m3[] [] []) : (memref<128xi16, 2>)
        linalg.add ins(%m3, %m3 : memref<128xi16, 2>, memref<128xi16, 2>) outs(%m3 : memref<128xi16, 2>)
        air.channel.put @done[] (%m3[] [] []) : (memref<128xi16, 2>)
        memref.dealloc %m3 : memref<128xi16, 2>
        %m4 = memref.alloc() : memref<160xi16, 2>
        air.channel.get @layer[] (%m4[] [] []) : (memref<160xi16, 2>)
        linalg.add ins(%m4, %m4 : memref<160xi16, 2>, memref<160xi16, 2>) outs(%m4 : memref<160xi16, 2>)
        air.channel.put @done[] (%m4[] [] []) : (memref<160xi16, 2>)
        memref.dealloc %m4 : memref<160xi16, 2>
      }
    }
    air.wait_all [%0, %1]
  }
  return
}
air.channel @window [1]
air.channel @moved [1]
func.func @windows(%a: memref<144xi32>, %b: memref<144xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<144xi32>, memref<144xi32> {
    %0 = air.channel.put async @window[] (%la[] [] []) : (memref<144xi32>)
    %1 = air.channel.get async @moved[] (%lb[] [] []) : (memref<144xi32>)
    air.segment @s {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k1) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c8 = arith.constant 8 : index
        %c12 = arith.constant 12 : index
        %c24 = arith.constant 24 : index
        %c48 = arith.constant 48 : index
        %five = arith.constant 5 : index
        %three = arith.constant 3 : index
        %m = memref.alloc() : memref<6x8xi32, 2>
        scf.for %round = %c0 to %c24 step %c8 {
          scf.for %row = %c0 to %c2 step %c1 {
            air.channel.get @window[] (%m[%row, %c0] [%c1, %c8] [%c8, %c1]) : (memref<6x8xi32, 2>)
          }
          air.channel.get @window[] (%m[%c2, %c0] [%three, %c8] [%c8, %c1]) : (memref<6x8xi32, 2>)
          air.channel.get @window[] (%m[%five, %c0] [%c1, %c8] [%c8, %c1]) : (memref<6x8xi32, 2>)
          linalg.add ins(%m, %m : memref<6x8xi32, 2>, memref<6x8xi32, 2>) outs(%m : memref<6x8xi32, 2>)
          scf.for %at = %c0 to %c48 step %c12 {
            air.channel.put @moved[] (%m[%c0, %at] [%c1, %c12] [%c8, %c1]) : (memref<6x8xi32, 2>)
          }
        }
        memref.dealloc %m : memref<6x8xi32, 2>
      }
    }
    air.wait_all [%0, %1]
  }
  return
}
