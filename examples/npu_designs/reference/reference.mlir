// What each design of the folder above computes, as plain loops: the function has its name and the
// arguments of its @main.

func.func @passthrough(%a: memref<4096xi32>, %b: memref<4096xi32>) {
  affine.for %i = 0 to 4096 {
    %v = affine.load %a[%i] : memref<4096xi32>
    affine.store %v, %b[%i] : memref<4096xi32>
  }
  return
}

func.func @transpose(%a: memref<64x32xi32>, %b: memref<32x64xi32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %v = affine.load %a[%i, %j] : memref<64x32xi32>
      affine.store %v, %b[%j, %i] : memref<32x64xi32>
    }
  }
  return
}

func.func @vector_add(%a: memref<4096xi32>, %b: memref<4096xi32>, %c: memref<4096xi32>) {
  affine.for %i = 0 to 4096 {
    %x = affine.load %a[%i] : memref<4096xi32>
    %y = affine.load %b[%i] : memref<4096xi32>
    %s = arith.addi %x, %y : i32
    affine.store %s, %c[%i] : memref<4096xi32>
  }
  return
}

func.func @elementwise_l2(%a: memref<4096xi32>, %b: memref<4096xi32>) {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  affine.for %i = 0 to 4096 {
    %v = affine.load %a[%i] : memref<4096xi32>
    %p = arith.muli %three, %v : i32
    %d = arith.subi %p, %five : i32
    %negative = arith.cmpi slt, %d, %zero : i32
    %r = arith.select %negative, %zero, %d : i32
    affine.store %r, %b[%i] : memref<4096xi32>
  }
  return
}

func.func @broadcast(%a: memref<256xi32>, %b: memref<4x256xi32>) {
  affine.for %y = 0 to 4 {
    %n = arith.index_cast %y : index to i32
    affine.for %i = 0 to 256 {
      %v = affine.load %a[%i] : memref<256xi32>
      %r = arith.addi %v, %n : i32
      affine.store %r, %b[%y, %i] : memref<4x256xi32>
    }
  }
  return
}

func.func @two_herds(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 1024 {
    %v = affine.load %a[%i] : memref<1024xi32>
    %p = arith.muli %v, %three : i32
    %r = arith.addi %p, %seven : i32
    affine.store %r, %b[%i] : memref<1024xi32>
  }
  return
}

func.func @cascade(%a: memref<4x64xi32>, %b: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %0 = affine.load %a[0, %i] : memref<4x64xi32>
    %1 = affine.load %a[1, %i] : memref<4x64xi32>
    %2 = affine.load %a[2, %i] : memref<4x64xi32>
    %3 = affine.load %a[3, %i] : memref<4x64xi32>
    %4 = arith.addi %0, %1 : i32
    %5 = arith.addi %2, %3 : i32
    %6 = arith.addi %4, %5 : i32
    affine.store %6, %b[%i] : memref<64xi32>
  }
  return
}

func.func @packet_gather(%a: memref<64xi32>, %b: memref<4x64xi32>) {
  %one = arith.constant 1 : i32
  affine.for %y = 0 to 4 {
    %n = arith.index_cast %y : index to i32
    %factor = arith.addi %n, %one : i32
    affine.for %i = 0 to 64 {
      %v = affine.load %a[%i] : memref<64xi32>
      %r = arith.muli %v, %factor : i32
      affine.store %r, %b[%y, %i] : memref<4x64xi32>
    }
  }
  return
}

func.func @padding(%a: memref<12x14xi32>, %b: memref<14x20xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 20 {
      affine.store %zero, %b[%i, %j] : memref<14x20xi32>
    }
  }
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 14 {
      %v = affine.load %a[%i, %j] : memref<12x14xi32>
      affine.store %v, %b[%i + 1, %j + 2] : memref<14x20xi32>
    }
  }
  return
}

func.func @matmul_one_core(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      affine.store %zero, %c[%i, %j] : memref<32x32xi32>
      affine.for %k = 0 to 32 {
        %x = affine.load %a[%i, %k] : memref<32x32xi32>
        %y = affine.load %b[%k, %j] : memref<32x32xi32>
        %s = affine.load %c[%i, %j] : memref<32x32xi32>
        %p = arith.muli %x, %y : i32
        %t = arith.addi %s, %p : i32
        affine.store %t, %c[%i, %j] : memref<32x32xi32>
      }
    }
  }
  return
}

func.func @matmul_4x4(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  call @matmul_one_core(%a, %b, %c) : (memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32>) -> ()
  return
}

func.func @two_launches(%a: memref<512xi32>, %t: memref<512xi32>, %b: memref<512xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 512 {
    %v = affine.load %a[%i] : memref<512xi32>
    %n = arith.addi %v, %one : i32
    %r = arith.muli %n, %n : i32
    affine.store %n, %t[%i] : memref<512xi32>
    affine.store %r, %b[%i] : memref<512xi32>
  }
  return
}

func.func @kernel(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  %ten = arith.constant 10 : i32
  affine.for %i = 0 to 1024 {
    %v = affine.load %a[%i] : memref<1024xi32>
    %r = arith.muli %v, %ten : i32
    affine.store %r, %b[%i] : memref<1024xi32>
  }
  return
}
