// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0'

air.channel @in [1]
func.func @touched(%a: memref<16xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<16xi32>)
  air.segment @seg {
    %c0 = arith.constant 0 : i32
    %l2 = memref.alloc() : memref<16xi32, 1>
    // expected-error@+1 {{not supported: a memory tile can only transfer}}
    linalg.fill ins(%c0 : i32) outs(%l2 : memref<16xi32, 1>)
    air.channel.get @in[] (%l2[] [] []) : (memref<16xi32, 1>)
  }
  return
}

// -----

air.channel @in [1]
air.channel @out [1]
func.func @loops(%a: memref<16xi32>, %b: memref<16xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<16xi32>)
  air.channel.get @out[] (%b[] [] []) : (memref<16xi32>)
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c30 = arith.constant 30 : index
    %l2 = memref.alloc() : memref<16xi32, 1>
    scf.for %i = %c0 to %c20 step %c1 {
      // expected-note@+1 {{another one is here}}
      air.channel.get @in[] (%l2[] [] []) : (memref<16xi32, 1>)
    }
    scf.for %i = %c0 to %c30 step %c1 {
      // expected-error@+1 {{not supported: transfers of one L2 buffer in different loops or branches}}
      air.channel.put @out[] (%l2[] [] []) : (memref<16xi32, 1>)
    }
  }
  return
}

// -----

air.channel @in [1]
func.func @large() {
  air.segment @seg {
    // expected-error@+1 {{does not fit: it needs 1048576 bytes, 1 channels in and 0 out of one memory tile; 1 tiles with 524288 bytes and 6 channels in each direction hold 0 bytes, 0 in and 0 out already}}
    %l2 = memref.alloc() : memref<262144xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<262144xi32, 1>)
  }
  return
}

// -----

func.func @again() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-note@+1 {{the loop is here}}
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error@+1 {{not supported: a herd in a loop, without emit-while-loop}}
      air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
      }
    }
  }
  return
}
