// What only passes through 64 bits is computed with words, in vectors where the loop has them.
// RUN: for f in rescale short_shift carry half long_shift mixed extended of_shorts; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-16: as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --remarks --function=rescale %s -o %t.rescale 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: rounds begin {{[0-9][0-9]}} cycles after each other
// LOOP-NOT: not vectorized

#id = affine_map<(i) -> (i)>

func.func @rescale(%left: memref<1024xi32>, %right: memref<1024xi32>, %result: memref<1024xi8>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  %bits = arith.constant 38 : i64
  %half = arith.constant 137438953472 : i64
  %lo = arith.constant -128 : i64
  %hi = arith.constant 127 : i64
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<1024xi32>, memref<1024xi32>) outs(%result : memref<1024xi8>) {
  ^bb0(%a: i32, %b: i32, %o: i8):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %xs = arith.extsi %x : i32 to i64
    %ys = arith.extsi %y : i32 to i64
    %p = arith.muli %xs, %ys : i64
    %q = arith.addi %p, %half : i64
    %s0 = arith.shrsi %q, %bits : i64
    %s1 = arith.maxsi %s0, %lo : i64
    %s2 = arith.minsi %s1, %hi : i64
    %r = arith.trunci %s2 : i64 to i8
    linalg.yield %r : i8
  }
  return
}

func.func @short_shift(%left: memref<256xi32>, %right: memref<256xi32>, %result: memref<256xi16>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  %bits = arith.constant 20 : i64
  %half = arith.constant 524288 : i64
  %lo = arith.constant -32768 : i64
  %hi = arith.constant 32767 : i64
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<256xi32>, memref<256xi32>) outs(%result : memref<256xi16>) {
  ^bb0(%a: i32, %b: i32, %o: i16):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %xs = arith.extsi %x : i32 to i64
    %ys = arith.extsi %y : i32 to i64
    %p = arith.muli %xs, %ys : i64
    %q = arith.addi %p, %half : i64
    %s0 = arith.shrsi %q, %bits : i64
    %s1 = arith.maxsi %s0, %lo : i64
    %s2 = arith.minsi %s1, %hi : i64
    %r = arith.trunci %s2 : i64 to i16
    linalg.yield %r : i16
  }
  return
}

func.func @carry(%left: memref<256xi32>, %right: memref<256xi32>, %result: memref<256xi32>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  %bits = arith.constant 32 : i64
  %half = arith.constant 2147483653 : i64
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<256xi32>, memref<256xi32>) outs(%result : memref<256xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %xs = arith.extsi %x : i32 to i64
    %ys = arith.extsi %y : i32 to i64
    %p = arith.muli %xs, %ys : i64
    %q = arith.addi %p, %half : i64
    %s0 = arith.shrsi %q, %bits : i64
    %r = arith.trunci %s0 : i64 to i32
    linalg.yield %r : i32
  }
  return
}

func.func @half(%left: memref<256xi32>, %right: memref<256xi32>, %result: memref<256xi32>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  %bits = arith.constant 31 : i64
  %half = arith.constant 1073741824 : i64
  %lo = arith.constant -2147483648 : i64
  %hi = arith.constant 2147483647 : i64
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<256xi32>, memref<256xi32>) outs(%result : memref<256xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %xs = arith.extsi %x : i32 to i64
    %ys = arith.extsi %y : i32 to i64
    %p = arith.muli %xs, %ys : i64
    %q = arith.addi %p, %half : i64
    %s0 = arith.shrsi %q, %bits : i64
    %s1 = arith.maxsi %s0, %lo : i64
    %s2 = arith.minsi %s1, %hi : i64
    %r = arith.trunci %s2 : i64 to i32
    linalg.yield %r : i32
  }
  return
}

func.func @long_shift(%left: memref<256xi32>, %right: memref<256xi32>, %result: memref<256xi32>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  %bits = arith.constant 61 : i64
  %half = arith.constant 1152921504606846976 : i64
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<256xi32>, memref<256xi32>) outs(%result : memref<256xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %xs = arith.extsi %x : i32 to i64
    %ys = arith.extsi %y : i32 to i64
    %p = arith.muli %xs, %ys : i64
    %q = arith.addi %p, %half : i64
    %s0 = arith.shrsi %q, %bits : i64
    %r = arith.trunci %s0 : i64 to i32
    linalg.yield %r : i32
  }
  return
}

func.func @mixed(%left: memref<256xi32>, %right: memref<256xi32>, %result: memref<256xi32>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  %three = arith.constant 3 : i64
  %big = arith.constant 81985529216486895 : i64
  %bits = arith.constant 17 : i64
  %far = arith.constant 40 : i64
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<256xi32>, memref<256xi32>) outs(%result : memref<256xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %xu = arith.extui %x : i32 to i64
    %ys = arith.extsi %y : i32 to i64
    %l = arith.shli %xu, %three : i64
    %d = arith.subi %l, %ys : i64
    %e = arith.addi %d, %big : i64
    %g = arith.cmpi slt, %x, %y : i32
    %c = arith.select %g, %e, %d : i64
    %s = arith.shrui %c, %bits : i64
    %f = arith.shli %s, %far : i64
    %h = arith.subi %s, %f : i64
    %t = arith.shrsi %h, %three : i64
    %r = arith.trunci %t : i64 to i32
    linalg.yield %r : i32
  }
  return
}

func.func @extended(%left: memref<256xi32>, %right: memref<256xi32>, %result: memref<256xi32>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<256xi32>, memref<256xi32>) outs(%result : memref<256xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %low, %high = arith.mulsi_extended %x, %y : i32
    %r = arith.xori %low, %high : i32
    linalg.yield %r : i32
  }
  return
}

func.func @of_shorts(%left: memref<256xi32>, %right: memref<256xi32>, %result: memref<256xi32>) {
  %spread = arith.constant -1640531535 : i32
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %least = arith.constant -2147483648 : i32
  %bits = arith.constant 9 : i64
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%left, %right : memref<256xi32>, memref<256xi32>) outs(%result : memref<256xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %xw = arith.muli %a, %spread : i32
    %xl = arith.andi %a, %seven : i32
    %xe = arith.cmpi eq, %xl, %one : i32
    %x = arith.select %xe, %least, %xw : i32
    %yw = arith.muli %b, %spread : i32
    %yl = arith.andi %b, %seven : i32
    %ye = arith.cmpi eq, %yl, %two : i32
    %y = arith.select %ye, %least, %yw : i32
    %xt = arith.trunci %x : i32 to i16
    %yt = arith.trunci %y : i32 to i8
    %xs = arith.extui %xt : i16 to i64
    %ys = arith.extsi %yt : i8 to i64
    %p = arith.muli %xs, %ys : i64
    %s = arith.shrsi %p, %bits : i64
    %r = arith.trunci %s : i64 to i32
    linalg.yield %r : i32
  }
  return
}
