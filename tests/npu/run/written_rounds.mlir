// Rounds of an L2 buffer that a program writes out, thirty of them, are those of a loop: two descriptors, not sixty.
//
// RUN: airlite-run %s --function=main --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=odd --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=two_buffers --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=parts --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=twice --async-transfers --on=sim --target=npu1 --compare=interp --init=random:2 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

// Thirty rows through one buffer.
air.channel @i [1]
air.channel @a [1]
air.channel @o [1]
func.func @main(%a: memref<1920xi32>, %b: memref<1920xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<1920xi32>, memref<1920xi32> {
    air.channel.put @i[] (%A[] [] []) : (memref<1920xi32>)
    air.channel.get @o[] (%B[] [] []) : (memref<1920xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      %l0 = memref.alloc() : memref<4x16xi32, 1>
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @a[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        %c0_ = arith.constant 0 : index
        %c1_ = arith.constant 1 : index
        %n_ = arith.constant 30 : index
        scf.for %k = %c0_ to %n_ step %c1_ {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @a[] (%b[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
          air.channel.put @o[] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
  }
  return
}

// An odd number of rounds in each launch, of a buffer that is there twice.
air.channel @ri [1]
air.channel @ra [1]
air.channel @ro [1]
func.func @odd(%a: memref<1344xi32>, %b: memref<1344xi32>) {
  %three = arith.constant 3 : index
  air.launch (%l) in (%ln=%three) args(%A=%a, %B=%b) : memref<1344xi32>, memref<1344xi32> {
    %off = affine.apply affine_map<(d0) -> (d0 * 448)>(%l)
    air.channel.put @ri[] (%A[%off] [448] [1]) : (memref<1344xi32>)
    air.channel.get @ro[] (%B[%off] [448] [1]) : (memref<1344xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      %l0 = memref.alloc() : memref<4x16xi32, 1>
      air.channel.get @ri[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @ra[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @ri[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @ra[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @ri[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @ra[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @ri[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @ra[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @ri[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @ra[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @ri[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @ra[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @ri[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @ra[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        %c0_ = arith.constant 0 : index
        %c1_ = arith.constant 1 : index
        %n_ = arith.constant 7 : index
        scf.for %k = %c0_ to %n_ step %c1_ {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @ra[] (%b[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
          air.channel.put @ro[] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
  }
  return
}

// Two buffers in turn, one of them twice.
air.channel @wi [1]
air.channel @wa [1]
air.channel @wo [1]
func.func @two_buffers(%a: memref<576xi32>, %b: memref<576xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<576xi32>, memref<576xi32> {
    air.channel.put @wi[] (%A[] [] []) : (memref<576xi32>)
    air.channel.get @wo[] (%B[] [] []) : (memref<576xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      %l0 = memref.alloc() : memref<4x16xi32, 1>
      %l1 = memref.alloc() : memref<4x16xi32, 1>
      air.channel.get @wi[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l1[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l1[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l1[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l1[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.get @wi[] (%l1[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @wa[] (%l1[] [] []) : (memref<4x16xi32, 1>)
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        %c0_ = arith.constant 0 : index
        %c1_ = arith.constant 1 : index
        %n_ = arith.constant 9 : index
        scf.for %k = %c0_ to %n_ step %c1_ {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @wa[] (%b[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
          air.channel.put @wo[] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
  }
  return
}

// Two fills and two drains of other parts.
air.channel @pi [1]
air.channel @pa [1]
air.channel @po [1]
func.func @parts(%a: memref<640xi32>, %b: memref<640xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<640xi32>, memref<640xi32> {
    air.channel.put @pi[] (%A[] [] []) : (memref<640xi32>)
    air.channel.get @po[] (%B[] [] []) : (memref<640xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      %l0 = memref.alloc() : memref<4x32xi32, 1>
      air.channel.get @pi[] (%l0[0, 0] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 16] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[0, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[2, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 0] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 16] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[0, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[2, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 0] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 16] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[0, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[2, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 0] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 16] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[0, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[2, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 0] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.get @pi[] (%l0[0, 16] [4, 16] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[0, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.channel.put @pa[] (%l0[2, 0] [2, 32] [32, 1]) : (memref<4x32xi32, 1>)
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        %c0_ = arith.constant 0 : index
        %c1_ = arith.constant 1 : index
        %n_ = arith.constant 10 : index
        scf.for %k = %c0_ to %n_ step %c1_ {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @pa[] (%b[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
          air.channel.put @po[] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
  }
  return
}

// Rounds in which a part is sent twice.
air.channel @t_i [1]
air.channel @t_a [1]
air.channel @t_o [1]
func.func @twice(%a: memref<896xi32>, %b: memref<1344xi32>) {
  %lo = arith.constant 2 : index
  air.launch (%l) in (%ln=%lo) args(%A=%a, %B=%b) : memref<896xi32>, memref<1344xi32> {
    %of = affine.apply affine_map<(d0) -> (d0 * 448)>(%l)
    %og = affine.apply affine_map<(d0) -> (d0 * 672)>(%l)
    air.channel.put @t_i[] (%A[%of] [448] [1]) : (memref<896xi32>)
    air.channel.get @t_o[] (%B[%og] [672] [1]) : (memref<1344xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t0 = arith.constant 0 : index
      %t1 = arith.constant 1 : index
      %t2 = arith.constant 2 : index
      %t3 = arith.constant 3 : index
      %l0 = memref.alloc() : memref<4x16xi32, 1>
      air.channel.get @t_i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[0, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.get @t_i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[0, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.get @t_i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[0, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.get @t_i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[0, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.get @t_i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[0, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.get @t_i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[0, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.get @t_i[] (%l0[] [] []) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[2, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.channel.put @t_a[] (%l0[0, 0] [2, 16] [16, 1]) : (memref<4x16xi32, 1>)
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        %c0_ = arith.constant 0 : index
        %c1_ = arith.constant 1 : index
        %n_ = arith.constant 21 : index
        scf.for %k = %c0_ to %n_ step %c1_ {
          %b = memref.alloc() : memref<32xi32, 2>
          air.channel.get @t_a[] (%b[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%b, %b : memref<32xi32, 2>, memref<32xi32, 2>) outs(%b : memref<32xi32, 2>)
          air.channel.put @t_o[] (%b[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %b : memref<32xi32, 2>
        }
      }
    }
  }
  return
}
