// RUN: airlite-opt %s --air-fuse-nested-herd --verify-diagnostics --remarks

func.func @sizes(%n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{the cores of both herds are not each in one line}}
  air.herd tile (%i, %i1) in (%si = %c2, %si1 = %c2) {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    air.herd tile (%j, %j1) in (%sj = %two, %sj1 = %one) {
    }
  }
  // expected-remark@+1 {{the cores of both herds are not each in one line}}
  air.herd tile (%i, %i1) in (%si = %n, %si1 = %c1) {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    air.herd tile (%j, %j1) in (%sj = %two, %sj1 = %one) {
    }
  }
  return
}

// One buffer for all inner cores.
func.func @shared() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{it holds more than a herd and calculations}}
  air.herd tile (%i, %i1) in (%si = %c2, %si1 = %c1) {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    %buffer = memref.alloc() : memref<4xi32, 2>
    air.herd tile (%j, %j1) in (%sj = %two, %sj1 = %one) args(%b = %buffer) : memref<4xi32, 2> {
    }
  }
  return
}

func.func @attributes() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{the herds differ in an attribute that both have}}
  air.herd tile (%i, %i1) in (%si = %c2, %si1 = %c1) attributes {link_with = "a.o"} {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    air.herd tile (%j, %j1) in (%sj = %two, %sj1 = %one) attributes {link_with = "b.o"} {
    }
  }
  // expected-remark@+1 {{a herd has a place}}
  air.herd tile (%i, %i1) in (%si = %c2, %si1 = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    air.herd tile (%j, %j1) in (%sj = %two, %sj1 = %one) {
    }
  }
  return
}

func.func @tokens() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %outside = air.wait_all async
  // expected-remark@+1 {{the herd inside waits for tokens}}
  air.herd tile (%i, %i1) in (%si = %c2, %si1 = %c1) args(%t = %outside) : !air.async.token {
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    %h = air.herd async [%t] tile (%j, %j1) in (%sj = %two, %sj1 = %one) {
    }
  }
  return
}
