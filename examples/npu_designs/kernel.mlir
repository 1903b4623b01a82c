// b = 10 a, 1024 numbers: the core calls a function of an object, here from assembly (scale.s); it
// could as well come from a C++ compiler for AIE2.
//
//   airlite-inspect --asm -c scale.s -o scale.o
//   airlite-compile kernel.mlir --target=npu1 -L . -o kernel

air.channel @in [1]
air.channel @out [1]

func.func private @scale(memref<256xi32, 2>, memref<256xi32, 2>, i32, i32)

func.func @main(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<1024xi32>, memref<1024xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<1024xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<1024xi32>)
    %2 = air.segment @kernel async {
      %one = arith.constant 1 : index
      air.herd @kernel tile (%x, %y) in (%sx = %one, %sy = %one) attributes {link_with = "scale.o"} {
        %h0 = arith.constant 0 : index
        %h256 = arith.constant 256 : index
        %h1024 = arith.constant 1024 : index
        %count = arith.constant 256 : i32
        %factor = arith.constant 10 : i32
        scf.for %at = %h0 to %h1024 step %h256 {
          %ma = memref.alloc() : memref<256xi32, 2>
          %mb = memref.alloc() : memref<256xi32, 2>
          air.channel.get @in[] (%ma[] [] []) : (memref<256xi32, 2>)
          func.call @scale(%ma, %mb, %count, %factor)
              : (memref<256xi32, 2>, memref<256xi32, 2>, i32, i32) -> ()
          air.channel.put @out[] (%mb[] [] []) : (memref<256xi32, 2>)
          memref.dealloc %ma : memref<256xi32, 2>
          memref.dealloc %mb : memref<256xi32, 2>
        }
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
