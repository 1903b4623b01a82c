// What the array sends and nobody has written, and what is left in its streams. The checker refuses such programs, so it is
// left out here.
// REQUIRES: !sanitize
// RUN: airlite-compile %s --function=unwritten --no-verify-program --target=npu1 -o %t.a
// RUN: airlite-run --on=sim --sanitize %t.a --init=random:1 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: airlite-run --on=sim %t.a --init=random:1 > %t.out 2>&1 && test ! -s %t.out
// UNWRITTEN: warning: tile (0,2), cycle {{[0-9]+}}: BD {{[0-9]+}} sends byte 0x{{[0-9a-f]+}} of (0,2), which nobody has written
// UNWRITTEN-NEXT: descriptor of {{.*}}sanitize.mlir:[[#@LINE+28]]:9

// RUN: airlite-compile %s --function=left --no-verify-program --target=npu1 -o %t.b 2>/dev/null
// RUN: airlite-run --on=sim --sanitize %t.b --init=random:1 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: warning: tile (0,{{[0-9]}}), cycle {{[0-9]+}}: {{.*}}words

// RUN: airlite-run --on=sim --sanitize --compare=interp --init=random:1 %S/words.mlir 2>&1 | FileCheck %s --check-prefix=CLEAN
// RUN: not airlite-run --on=interp --sanitize %S/words.mlir 2>&1 | FileCheck %s --check-prefix=USAGE
// CLEAN-NOT: warning
// CLEAN: as in the interpreter, bit by bit
// USAGE: error: an instruction stream, --reverse-tiles, --sanitize,
air.channel @in [1]
air.channel @out [1]
air.channel @more [1]
air.channel @back [1]

func.func @unwritten(%x: memref<8xi32>, %y: memref<16xi32>) {
  air.launch () in () args(%a = %x, %b = %y) : memref<8xi32>, memref<16xi32> {
    %0 = air.channel.put async @in[] (%a[] [] []) : (memref<8xi32>)
    %1 = air.channel.get async @out[] (%b[] [] []) : (memref<16xi32>)
    %2 = air.segment @s async {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %z8 = arith.constant 8 : index
        %m = memref.alloc() : memref<16xi32, 2>
        air.channel.get @in[] (%m[%z0] [%z8] [%z1]) : (memref<16xi32, 2>)
        air.channel.put @out[] (%m[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %m : memref<16xi32, 2>
      }
    }
  }
  return
}

func.func @left(%x: memref<24xi32>, %y: memref<8xi32>) {
  air.launch () in () args(%a = %x, %b = %y) : memref<24xi32>, memref<8xi32> {
    %0 = air.channel.put async @more[] (%a[] [] []) : (memref<24xi32>)
    %1 = air.channel.get async @back[] (%b[] [] []) : (memref<8xi32>)
    %2 = air.segment @s async {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %m = memref.alloc() : memref<8xi32, 2>
        air.channel.get @more[] (%m[] [] []) : (memref<8xi32, 2>)
        air.channel.put @back[] (%m[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %m : memref<8xi32, 2>
      }
    }
  }
  return
}
