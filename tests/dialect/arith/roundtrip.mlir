// Every op of arith and ub, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @integers(
func.func @integers(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %addi = arith.addi %a, %b : i32
  // CHECK: arith.subi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %subi = arith.subi %a, %b : i32
  // CHECK: arith.muli %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %muli = arith.muli %a, %b : i32
  // CHECK: arith.divsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %divsi = arith.divsi %a, %b : i32
  // CHECK: arith.divui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %divui = arith.divui %a, %b : i32
  // CHECK: arith.remsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %remsi = arith.remsi %a, %b : i32
  // CHECK: arith.remui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %remui = arith.remui %a, %b : i32
  // CHECK: arith.ceildivsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %ceildivsi = arith.ceildivsi %a, %b : i32
  // CHECK: arith.ceildivui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %ceildivui = arith.ceildivui %a, %b : i32
  // CHECK: arith.floordivsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %floordivsi = arith.floordivsi %a, %b : i32
  // CHECK: arith.andi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %andi = arith.andi %a, %b : i32
  // CHECK: arith.ori %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %ori = arith.ori %a, %b : i32
  // CHECK: arith.xori %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %xori = arith.xori %a, %b : i32
  // CHECK: arith.shli %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %shli = arith.shli %a, %b : i32
  // CHECK: arith.shrsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %shrsi = arith.shrsi %a, %b : i32
  // CHECK: arith.shrui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %shrui = arith.shrui %a, %b : i32
  // CHECK: arith.maxsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %maxsi = arith.maxsi %a, %b : i32
  // CHECK: arith.maxui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %maxui = arith.maxui %a, %b : i32
  // CHECK: arith.minsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %minsi = arith.minsi %a, %b : i32
  // CHECK: arith.minui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %minui = arith.minui %a, %b : i32
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi32>
  %v = arith.addi %v4, %v4 : vector<4xi32>
  // CHECK: arith.muli %{{[^ ,)]+}}, %{{[^ ,)]+}} : index
  %x = arith.muli %i, %i : index
  // CHECK: arith.subi %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?x3xi8>
  %t = arith.subi %t3, %t3 : tensor<?x3xi8>
  return
}

// CHECK-LABEL: func.func @overflow_flags(
func.func @overflow_flags(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw> : i32
  %addi0 = arith.addi %a, %b overflow<nsw> : i32
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nuw> : i32
  %addi1 = arith.addi %a, %b overflow<nuw> : i32
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw, nuw> : i32
  %addi2 = arith.addi %a, %b overflow<nsw, nuw> : i32
  // CHECK: arith.subi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw> : i32
  %subi0 = arith.subi %a, %b overflow<nsw> : i32
  // CHECK: arith.subi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nuw> : i32
  %subi1 = arith.subi %a, %b overflow<nuw> : i32
  // CHECK: arith.subi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw, nuw> : i32
  %subi2 = arith.subi %a, %b overflow<nsw, nuw> : i32
  // CHECK: arith.muli %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw> : i32
  %muli0 = arith.muli %a, %b overflow<nsw> : i32
  // CHECK: arith.muli %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nuw> : i32
  %muli1 = arith.muli %a, %b overflow<nuw> : i32
  // CHECK: arith.muli %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw, nuw> : i32
  %muli2 = arith.muli %a, %b overflow<nsw, nuw> : i32
  // CHECK: arith.shli %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw> : i32
  %shli0 = arith.shli %a, %b overflow<nsw> : i32
  // CHECK: arith.shli %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nuw> : i32
  %shli1 = arith.shli %a, %b overflow<nuw> : i32
  // CHECK: arith.shli %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw, nuw> : i32
  %shli2 = arith.shli %a, %b overflow<nsw, nuw> : i32
  return
}

// CHECK-LABEL: func.func @two_results(
func.func @two_results(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: arith.addui_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32, i1
  %sum, %overflow = arith.addui_extended %a, %b : i32, i1
  // CHECK: arith.addui_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi32>, vector<4xi1>
  %vs, %vo = arith.addui_extended %v4, %v4 : vector<4xi32>, vector<4xi1>
  // CHECK: arith.mulsi_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %low, %high = arith.mulsi_extended %a, %b : i32
  // CHECK: arith.mului_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi32>
  %low2, %high2 = arith.mului_extended %v4, %v4 : vector<4xi32>
  return
}

// CHECK-LABEL: func.func @floats(
func.func @floats(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: arith.addf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %addf = arith.addf %f, %g : f32
  // CHECK: arith.subf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %subf = arith.subf %f, %g : f32
  // CHECK: arith.mulf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %mulf = arith.mulf %f, %g : f32
  // CHECK: arith.divf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %divf = arith.divf %f, %g : f32
  // CHECK: arith.remf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %remf = arith.remf %f, %g : f32
  // CHECK: arith.maximumf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %maximumf = arith.maximumf %f, %g : f32
  // CHECK: arith.minimumf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %minimumf = arith.minimumf %f, %g : f32
  // CHECK: arith.maxnumf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %maxnumf = arith.maxnumf %f, %g : f32
  // CHECK: arith.minnumf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %minnumf = arith.minnumf %f, %g : f32
  // CHECK: arith.negf %{{[^ ,)]+}} : f32
  %n = arith.negf %f : f32
  // CHECK: arith.negf %{{[^ ,)]+}} fastmath<nnan,ninf> : f32
  %nf = arith.negf %f fastmath<nnan,ninf> : f32
  // CHECK: arith.addf %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xf16>
  %vf = arith.addf %vf4, %vf4 : vector<4xf16>
  // CHECK: arith.addf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<fast> : f32
  %addff = arith.addf %f, %g fastmath<fast> : f32
  // CHECK: arith.subf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<reassoc> : f32
  %subff = arith.subf %f, %g fastmath<reassoc> : f32
  // CHECK: arith.mulf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<nnan> : f32
  %mulff = arith.mulf %f, %g fastmath<nnan> : f32
  // CHECK: arith.divf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<ninf> : f32
  %divff = arith.divf %f, %g fastmath<ninf> : f32
  // CHECK: arith.remf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<nsz> : f32
  %remff = arith.remf %f, %g fastmath<nsz> : f32
  // CHECK: arith.maximumf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<arcp> : f32
  %maximumff = arith.maximumf %f, %g fastmath<arcp> : f32
  // CHECK: arith.minimumf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<contract> : f32
  %minimumff = arith.minimumf %f, %g fastmath<contract> : f32
  // CHECK: arith.maxnumf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<afn> : f32
  %maxnumff = arith.maxnumf %f, %g fastmath<afn> : f32
  // CHECK: arith.minnumf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<nnan,nsz,afn> : f32
  %minnumff = arith.minnumf %f, %g fastmath<nnan,nsz,afn> : f32
  return
}

// CHECK-LABEL: func.func @casts(
func.func @casts(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: arith.extsi %{{[^ ,)]+}} : i16 to i32
  %0 = arith.extsi %h : i16 to i32
  // CHECK: arith.extui %{{[^ ,)]+}} : i16 to i32
  %1 = arith.extui %h : i16 to i32
  // CHECK: arith.trunci %{{[^ ,)]+}} : i32 to i16
  %2 = arith.trunci %a : i32 to i16
  // CHECK: arith.extf %{{[^ ,)]+}} : f32 to f64
  %3 = arith.extf %f : f32 to f64
  // CHECK: arith.truncf %{{[^ ,)]+}} : f32 to f16
  %4 = arith.truncf %f : f32 to f16
  // CHECK: arith.truncf %{{[^ ,)]+}} toward_zero : f32 to bf16
  %5 = arith.truncf %f toward_zero : f32 to bf16
  // CHECK: arith.truncf %{{[^ ,)]+}} to_nearest_even fastmath<fast> : f32 to f16
  %6 = arith.truncf %f to_nearest_even fastmath<fast> : f32 to f16
  // CHECK: arith.extf %{{[^ ,)]+}} fastmath<contract> : f32 to f64
  %7 = arith.extf %f fastmath<contract> : f32 to f64
  // CHECK: arith.sitofp %{{[^ ,)]+}} : i32 to f32
  %8 = arith.sitofp %a : i32 to f32
  // CHECK: arith.uitofp %{{[^ ,)]+}} : i32 to f64
  %9 = arith.uitofp %a : i32 to f64
  // CHECK: arith.fptosi %{{[^ ,)]+}} : f32 to i32
  %10 = arith.fptosi %f : f32 to i32
  // CHECK: arith.fptoui %{{[^ ,)]+}} : f32 to i8
  %11 = arith.fptoui %f : f32 to i8
  // CHECK: arith.index_cast %{{[^ ,)]+}} : index to i32
  %12 = arith.index_cast %i : index to i32
  // CHECK: arith.index_castui %{{[^ ,)]+}} : i32 to index
  %13 = arith.index_castui %a : i32 to index
  // CHECK: arith.bitcast %{{[^ ,)]+}} : f32 to i32
  %14 = arith.bitcast %f : f32 to i32
  // CHECK: arith.extsi %{{[^ ,)]+}} : vector<4xi32> to vector<4xi64>
  %15 = arith.extsi %v4 : vector<4xi32> to vector<4xi64>
  // CHECK: arith.index_cast %{{[^ ,)]+}} : memref<4xi32> to memref<4xindex>
  %16 = arith.index_cast %m : memref<4xi32> to memref<4xindex>
  // CHECK: arith.bitcast %{{[^ ,)]+}} : memref<4xi32> to memref<4xf32>
  %17 = arith.bitcast %m : memref<4xi32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @comparisons(
func.func @comparisons(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: arith.cmpi eq, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %eq = arith.cmpi eq, %a, %b : i32
  // CHECK: arith.cmpi ne, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %ne = arith.cmpi ne, %a, %b : i32
  // CHECK: arith.cmpi slt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %slt = arith.cmpi slt, %a, %b : i32
  // CHECK: arith.cmpi sle, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %sle = arith.cmpi sle, %a, %b : i32
  // CHECK: arith.cmpi sgt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %sgt = arith.cmpi sgt, %a, %b : i32
  // CHECK: arith.cmpi sge, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %sge = arith.cmpi sge, %a, %b : i32
  // CHECK: arith.cmpi ult, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %ult = arith.cmpi ult, %a, %b : i32
  // CHECK: arith.cmpi ule, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %ule = arith.cmpi ule, %a, %b : i32
  // CHECK: arith.cmpi ugt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %ugt = arith.cmpi ugt, %a, %b : i32
  // CHECK: arith.cmpi uge, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %uge = arith.cmpi uge, %a, %b : i32
  // CHECK: arith.cmpf false, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %ffalse = arith.cmpf false, %f, %g : f32
  // CHECK: arith.cmpf oeq, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %foeq = arith.cmpf oeq, %f, %g : f32
  // CHECK: arith.cmpf ogt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fogt = arith.cmpf ogt, %f, %g : f32
  // CHECK: arith.cmpf oge, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %foge = arith.cmpf oge, %f, %g : f32
  // CHECK: arith.cmpf olt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %folt = arith.cmpf olt, %f, %g : f32
  // CHECK: arith.cmpf ole, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fole = arith.cmpf ole, %f, %g : f32
  // CHECK: arith.cmpf one, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fone = arith.cmpf one, %f, %g : f32
  // CHECK: arith.cmpf ord, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %ford = arith.cmpf ord, %f, %g : f32
  // CHECK: arith.cmpf ueq, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fueq = arith.cmpf ueq, %f, %g : f32
  // CHECK: arith.cmpf ugt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fugt = arith.cmpf ugt, %f, %g : f32
  // CHECK: arith.cmpf uge, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fuge = arith.cmpf uge, %f, %g : f32
  // CHECK: arith.cmpf ult, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fult = arith.cmpf ult, %f, %g : f32
  // CHECK: arith.cmpf ule, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fule = arith.cmpf ule, %f, %g : f32
  // CHECK: arith.cmpf une, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %fune = arith.cmpf une, %f, %g : f32
  // CHECK: arith.cmpf uno, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %funo = arith.cmpf uno, %f, %g : f32
  // CHECK: arith.cmpf true, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %ftrue = arith.cmpf true, %f, %g : f32
  // CHECK: arith.cmpi slt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : index
  %ci = arith.cmpi slt, %i, %i : index
  // CHECK: arith.cmpi eq, %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi32>
  %cv = arith.cmpi eq, %v4, %v4 : vector<4xi32>
  // CHECK: arith.cmpf olt, %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<nnan> : f32
  %cf = arith.cmpf olt, %f, %g fastmath<nnan> : f32
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %s0 = arith.select %c, %a, %b : i32
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi32>
  %s1 = arith.select %c, %v4, %v4 : vector<4xi32>
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi1>, vector<4xi32>
  %s2 = arith.select %cv, %v4, %v4 : vector<4xi1>, vector<4xi32>
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} {note = "x"} : memref<4xi32>
  %s3 = arith.select %c, %m, %m {note = "x"} : memref<4xi32>
  // CHECK: ub.poison : i32
  %p = ub.poison : i32
  // CHECK: ub.poison : vector<4xf32>
  %pv = ub.poison : vector<4xf32>
  return
}
