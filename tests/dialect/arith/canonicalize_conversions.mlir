// Folding and rewriting of conversions, comparisons and select.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @extsi_i8_i32_minus_3(
func.func @extsi_i8_i32_minus_3() -> i32 {
  // CHECK-NEXT: %c-3_i32 = arith.constant -3 : i32
  // CHECK-NEXT: return %c-3_i32 : i32
  %c = arith.constant -3 : i8
  %r = arith.extsi %c : i8 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @extui_i8_i32_minus_3(
func.func @extui_i8_i32_minus_3() -> i32 {
  // CHECK-NEXT: %c253_i32 = arith.constant 253 : i32
  // CHECK-NEXT: return %c253_i32 : i32
  %c = arith.constant -3 : i8
  %r = arith.extui %c : i8 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @trunci_i32_i8_300(
func.func @trunci_i32_i8_300() -> i8 {
  // CHECK-NEXT: %c44_i8 = arith.constant 44 : i8
  // CHECK-NEXT: return %c44_i8 : i8
  %c = arith.constant 300 : i32
  %r = arith.trunci %c : i32 to i8
  return %r : i8
}

// CHECK-LABEL: func.func @index_cast_i32_index_minus_3(
func.func @index_cast_i32_index_minus_3() -> index {
  // CHECK-NEXT: %c-3 = arith.constant -3 : index
  // CHECK-NEXT: return %c-3 : index
  %c = arith.constant -3 : i32
  %r = arith.index_cast %c : i32 to index
  return %r : index
}

// CHECK-LABEL: func.func @index_castui_i32_index_minus_3(
func.func @index_castui_i32_index_minus_3() -> index {
  // CHECK-NEXT: %c4294967293 = arith.constant 4294967293 : index
  // CHECK-NEXT: return %c4294967293 : index
  %c = arith.constant -3 : i32
  %r = arith.index_castui %c : i32 to index
  return %r : index
}

// CHECK-LABEL: func.func @index_cast_index_i32_5000000000(
func.func @index_cast_index_i32_5000000000() -> i32 {
  // CHECK-NEXT: %c705032704_i32 = arith.constant 705032704 : i32
  // CHECK-NEXT: return %c705032704_i32 : i32
  %c = arith.constant 5000000000 : index
  %r = arith.index_cast %c : index to i32
  return %r : i32
}

// CHECK-LABEL: func.func @sitofp_i32_f32_minus_3(
func.func @sitofp_i32_f32_minus_3() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -3.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -3 : i32
  %r = arith.sitofp %c : i32 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @sitofp_i32_f32_16777217(
func.func @sitofp_i32_f32_16777217() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0x4B800000 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 16777217 : i32
  %r = arith.sitofp %c : i32 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @uitofp_i32_f32_minus_3(
func.func @uitofp_i32_f32_minus_3() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 4.2949673E+9 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -3 : i32
  %r = arith.uitofp %c : i32 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @sitofp_i64_f32_9007199791611905(
func.func @sitofp_i64_f32_9007199791611905() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 9.007200e+15 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 9007199791611905 : i64
  %r = arith.sitofp %c : i64 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @fptosi_f32_i32_minus_3_7(
func.func @fptosi_f32_i32_minus_3_7() -> i32 {
  // CHECK-NEXT: %c-3_i32 = arith.constant -3 : i32
  // CHECK-NEXT: return %c-3_i32 : i32
  %c = arith.constant -3.7 : f32
  %r = arith.fptosi %c : f32 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @fptosi_f32_i32_3_0e10(
func.func @fptosi_f32_i32_3_0e10() -> i32 {
  // CHECK-NEXT: %cst = arith.constant 3.000000e+10 : f32
  // CHECK-NEXT: %0 = arith.fptosi %cst : f32 to i32
  // CHECK-NEXT: return %0 : i32
  %c = arith.constant 3.0e10 : f32
  %r = arith.fptosi %c : f32 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @fptoui_f32_i8_255_5(
func.func @fptoui_f32_i8_255_5() -> i8 {
  // CHECK-NEXT: %c-1_i8 = arith.constant -1 : i8
  // CHECK-NEXT: return %c-1_i8 : i8
  %c = arith.constant 255.5 : f32
  %r = arith.fptoui %c : f32 to i8
  return %r : i8
}

// CHECK-LABEL: func.func @fptoui_f32_i8_256_0(
func.func @fptoui_f32_i8_256_0() -> i8 {
  // CHECK-NEXT: %cst = arith.constant 2.560000e+02 : f32
  // CHECK-NEXT: %0 = arith.fptoui %cst : f32 to i8
  // CHECK-NEXT: return %0 : i8
  %c = arith.constant 256.0 : f32
  %r = arith.fptoui %c : f32 to i8
  return %r : i8
}

// CHECK-LABEL: func.func @fptoui_f32_i32_minus_0_5(
func.func @fptoui_f32_i32_minus_0_5() -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant -0.5 : f32
  %r = arith.fptoui %c : f32 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @extf_f16_f32_1_1(
func.func @extf_f16_f32_1_1() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 1.09960938 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 1.1 : f16
  %r = arith.extf %c : f16 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @truncf_f32_f16_1_5(
func.func @truncf_f32_f16_1_5() -> f16 {
  // CHECK-NEXT: %cst = arith.constant 1.500000e+00 : f16
  // CHECK-NEXT: return %cst : f16
  %c = arith.constant 1.5 : f32
  %r = arith.truncf %c : f32 to f16
  return %r : f16
}

// CHECK-LABEL: func.func @truncf_f32_f16_1_1(
func.func @truncf_f32_f16_1_1() -> f16 {
  // CHECK-NEXT: %cst = arith.constant 1.100000e+00 : f32
  // CHECK-NEXT: %0 = arith.truncf %cst : f32 to f16
  // CHECK-NEXT: return %0 : f16
  %c = arith.constant 1.1 : f32
  %r = arith.truncf %c : f32 to f16
  return %r : f16
}

// CHECK-LABEL: func.func @bitcast_i32_f32_1065353216(
func.func @bitcast_i32_f32_1065353216() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 1065353216 : i32
  %r = arith.bitcast %c : i32 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @bitcast_f32_i32_minus_0_0(
func.func @bitcast_f32_i32_minus_0_0() -> i32 {
  // CHECK-NEXT: %c-2147483648_i32 = arith.constant -2147483648 : i32
  // CHECK-NEXT: return %c-2147483648_i32 : i32
  %c = arith.constant -0.0 : f32
  %r = arith.bitcast %c : f32 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @extsi_dense(
func.func @extsi_dense() -> vector<2xi32> {
  // CHECK-NEXT: %cst = arith.constant dense<[-1, 1]> : vector<2xi32>
  // CHECK-NEXT: return %cst : vector<2xi32>
  %c = arith.constant dense<[-1, 1]> : vector<2xi8>
  %r = arith.extsi %c : vector<2xi8> to vector<2xi32>
  return %r : vector<2xi32>
}

// The payload would be lost.
// CHECK-LABEL: func.func @bitcast_nan_payload(
func.func @bitcast_nan_payload() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0x7F800001 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0x7F800001 : i32
  %r = arith.bitcast %c : i32 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @extsi_i8_i16_extsi_i16_i32(
func.func @extsi_i8_i16_extsi_i16_i32(%x: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.extsi %arg0 : i8 to i32
  // CHECK-NEXT: return %0 : i32
  %v0 = arith.extsi %x : i8 to i16
  %v1 = arith.extsi %v0 : i16 to i32
  return %v1 : i32
}

// CHECK-LABEL: func.func @extui_i8_i16_extui_i16_i32(
func.func @extui_i8_i16_extui_i16_i32(%x: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.extui %arg0 : i8 to i32
  // CHECK-NEXT: return %0 : i32
  %v0 = arith.extui %x : i8 to i16
  %v1 = arith.extui %v0 : i16 to i32
  return %v1 : i32
}

// CHECK-LABEL: func.func @extui_i8_i16_extsi_i16_i32(
func.func @extui_i8_i16_extsi_i16_i32(%x: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.extui %arg0 : i8 to i32
  // CHECK-NEXT: return %0 : i32
  %v0 = arith.extui %x : i8 to i16
  %v1 = arith.extsi %v0 : i16 to i32
  return %v1 : i32
}

// CHECK-LABEL: func.func @extsi_i8_i16_extui_i16_i32(
func.func @extsi_i8_i16_extui_i16_i32(%x: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.extsi %arg0 : i8 to i16
  // CHECK-NEXT: %1 = arith.extui %0 : i16 to i32
  // CHECK-NEXT: return %1 : i32
  %v0 = arith.extsi %x : i8 to i16
  %v1 = arith.extui %v0 : i16 to i32
  return %v1 : i32
}

// CHECK-LABEL: func.func @extsi_i8_i32_trunci_i32_i8(
func.func @extsi_i8_i32_trunci_i32_i8(%x: i8) -> i8 {
  // CHECK-NEXT: return %arg0 : i8
  %v0 = arith.extsi %x : i8 to i32
  %v1 = arith.trunci %v0 : i32 to i8
  return %v1 : i8
}

// CHECK-LABEL: func.func @extsi_i16_i32_trunci_i32_i8(
func.func @extsi_i16_i32_trunci_i32_i8(%x: i16) -> i8 {
  // CHECK-NEXT: %0 = arith.trunci %arg0 : i16 to i8
  // CHECK-NEXT: return %0 : i8
  %v0 = arith.extsi %x : i16 to i32
  %v1 = arith.trunci %v0 : i32 to i8
  return %v1 : i8
}

// CHECK-LABEL: func.func @extsi_i8_i32_trunci_i32_i16(
func.func @extsi_i8_i32_trunci_i32_i16(%x: i8) -> i16 {
  // CHECK-NEXT: %0 = arith.extsi %arg0 : i8 to i16
  // CHECK-NEXT: return %0 : i16
  %v0 = arith.extsi %x : i8 to i32
  %v1 = arith.trunci %v0 : i32 to i16
  return %v1 : i16
}

// CHECK-LABEL: func.func @extui_i8_i32_trunci_i32_i16(
func.func @extui_i8_i32_trunci_i32_i16(%x: i8) -> i16 {
  // CHECK-NEXT: %0 = arith.extui %arg0 : i8 to i16
  // CHECK-NEXT: return %0 : i16
  %v0 = arith.extui %x : i8 to i32
  %v1 = arith.trunci %v0 : i32 to i16
  return %v1 : i16
}

// CHECK-LABEL: func.func @trunci_i32_i16_trunci_i16_i8(
func.func @trunci_i32_i16_trunci_i16_i8(%x: i32) -> i8 {
  // CHECK-NEXT: %0 = arith.trunci %arg0 : i32 to i8
  // CHECK-NEXT: return %0 : i8
  %v0 = arith.trunci %x : i32 to i16
  %v1 = arith.trunci %v0 : i16 to i8
  return %v1 : i8
}

// CHECK-LABEL: func.func @index_cast_i32_index_index_cast_index_i32(
func.func @index_cast_i32_index_index_cast_index_i32(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %v0 = arith.index_cast %x : i32 to index
  %v1 = arith.index_cast %v0 : index to i32
  return %v1 : i32
}

// The high half of an index is lost on the way: this is not an identity.
// CHECK-LABEL: func.func @index_cast_index_i32_index_cast_i32_index(
func.func @index_cast_index_i32_index_cast_i32_index(%x: index) -> index {
  // CHECK-NEXT: %0 = arith.index_cast %arg0 : index to i32
  // CHECK-NEXT: %1 = arith.index_cast %0 : i32 to index
  // CHECK-NEXT: return %1 : index
  %v0 = arith.index_cast %x : index to i32
  %v1 = arith.index_cast %v0 : i32 to index
  return %v1 : index
}

// CHECK-LABEL: func.func @index_castui_i32_index_index_castui_index_i32(
func.func @index_castui_i32_index_index_castui_index_i32(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %v0 = arith.index_castui %x : i32 to index
  %v1 = arith.index_castui %v0 : index to i32
  return %v1 : i32
}

// CHECK-LABEL: func.func @extsi_i16_i32_index_cast_i32_index(
func.func @extsi_i16_i32_index_cast_i32_index(%x: i16) -> index {
  // CHECK-NEXT: %0 = arith.index_cast %arg0 : i16 to index
  // CHECK-NEXT: return %0 : index
  %v0 = arith.extsi %x : i16 to i32
  %v1 = arith.index_cast %v0 : i32 to index
  return %v1 : index
}

// CHECK-LABEL: func.func @extui_i16_i32_index_castui_i32_index(
func.func @extui_i16_i32_index_castui_i32_index(%x: i16) -> index {
  // CHECK-NEXT: %0 = arith.index_castui %arg0 : i16 to index
  // CHECK-NEXT: return %0 : index
  %v0 = arith.extui %x : i16 to i32
  %v1 = arith.index_castui %v0 : i32 to index
  return %v1 : index
}

// CHECK-LABEL: func.func @extui_i16_i32_index_cast_i32_index(
func.func @extui_i16_i32_index_cast_i32_index(%x: i16) -> index {
  // CHECK-NEXT: %0 = arith.extui %arg0 : i16 to i32
  // CHECK-NEXT: %1 = arith.index_cast %0 : i32 to index
  // CHECK-NEXT: return %1 : index
  %v0 = arith.extui %x : i16 to i32
  %v1 = arith.index_cast %v0 : i32 to index
  return %v1 : index
}

// CHECK-LABEL: func.func @bitcast_i32_f32_bitcast_f32_i32(
func.func @bitcast_i32_f32_bitcast_f32_i32(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %v0 = arith.bitcast %x : i32 to f32
  %v1 = arith.bitcast %v0 : f32 to i32
  return %v1 : i32
}

// Every value of the narrow type survives.
// CHECK-LABEL: func.func @extf_f16_f32_truncf_f32_f16(
func.func @extf_f16_f32_truncf_f32_f16(%x: f16) -> f16 {
  // CHECK-NEXT: return %arg0 : f16
  %v0 = arith.extf %x : f16 to f32
  %v1 = arith.truncf %v0 : f32 to f16
  return %v1 : f16
}

// CHECK-LABEL: func.func @truncf_f32_f16_extf_f16_f32(
func.func @truncf_f32_f16_extf_f16_f32(%x: f32) -> f32 {
  // CHECK-NEXT: %0 = arith.truncf %arg0 : f32 to f16
  // CHECK-NEXT: %1 = arith.extf %0 : f16 to f32
  // CHECK-NEXT: return %1 : f32
  %v0 = arith.truncf %x : f32 to f16
  %v1 = arith.extf %v0 : f16 to f32
  return %v1 : f32
}

// CHECK-LABEL: func.func @trunc_of_arithmetic_shift(
func.func @trunc_of_arithmetic_shift(%x: i32) -> i8 {
  // CHECK-NEXT: %c24_i32 = arith.constant 24 : i32
  // CHECK-NEXT: %0 = arith.shrui %arg0, %c24_i32 : i32
  // CHECK-NEXT: %1 = arith.trunci %0 : i32 to i8
  // CHECK-NEXT: return %1 : i8
  %c = arith.constant 24 : i32
  %a = arith.shrsi %x, %c : i32
  %r = arith.trunci %a : i32 to i8
  return %r : i8
}

// CHECK-LABEL: func.func @contracted_round_trip(
func.func @contracted_round_trip(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %a = arith.truncf %x fastmath<contract> : f32 to f16
  %r = arith.extf %a fastmath<contract> : f16 to f32
  return %r : f32
}

// CHECK-LABEL: func.func @cmpi_eq_itself(
func.func @cmpi_eq_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %r = arith.cmpi eq, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_eq_constants(
func.func @cmpi_eq_constants() -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi eq, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_eq_constant_left(
func.func @cmpi_eq_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi eq, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi eq, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_eq(
func.func @not_of_cmpi_eq(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi ne, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi eq, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ne_itself(
func.func @cmpi_ne_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %r = arith.cmpi ne, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ne_constants(
func.func @cmpi_ne_constants() -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi ne, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ne_constant_left(
func.func @cmpi_ne_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi ne, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi ne, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_ne(
func.func @not_of_cmpi_ne(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi eq, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi ne, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_slt_itself(
func.func @cmpi_slt_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %r = arith.cmpi slt, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_slt_constants(
func.func @cmpi_slt_constants() -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi slt, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_slt_constant_left(
func.func @cmpi_slt_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi sgt, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi slt, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_slt(
func.func @not_of_cmpi_slt(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi sge, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi slt, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sle_itself(
func.func @cmpi_sle_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %r = arith.cmpi sle, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sle_constants(
func.func @cmpi_sle_constants() -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi sle, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sle_constant_left(
func.func @cmpi_sle_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi sge, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi sle, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_sle(
func.func @not_of_cmpi_sle(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi sgt, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi sle, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sgt_itself(
func.func @cmpi_sgt_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %r = arith.cmpi sgt, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sgt_constants(
func.func @cmpi_sgt_constants() -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi sgt, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sgt_constant_left(
func.func @cmpi_sgt_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi slt, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi sgt, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_sgt(
func.func @not_of_cmpi_sgt(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi sle, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi sgt, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sge_itself(
func.func @cmpi_sge_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %r = arith.cmpi sge, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sge_constants(
func.func @cmpi_sge_constants() -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi sge, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_sge_constant_left(
func.func @cmpi_sge_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi sle, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi sge, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_sge(
func.func @not_of_cmpi_sge(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi slt, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi sge, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ult_itself(
func.func @cmpi_ult_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %r = arith.cmpi ult, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ult_constants(
func.func @cmpi_ult_constants() -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi ult, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ult_constant_left(
func.func @cmpi_ult_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi ugt, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi ult, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_ult(
func.func @not_of_cmpi_ult(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi uge, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi ult, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ule_itself(
func.func @cmpi_ule_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %r = arith.cmpi ule, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ule_constants(
func.func @cmpi_ule_constants() -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi ule, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ule_constant_left(
func.func @cmpi_ule_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi uge, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi ule, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_ule(
func.func @not_of_cmpi_ule(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi ugt, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi ule, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ugt_itself(
func.func @cmpi_ugt_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %r = arith.cmpi ugt, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ugt_constants(
func.func @cmpi_ugt_constants() -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi ugt, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_ugt_constant_left(
func.func @cmpi_ugt_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi ult, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi ugt, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_ugt(
func.func @not_of_cmpi_ugt(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi ule, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi ugt, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_uge_itself(
func.func @cmpi_uge_itself(%x: i32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %r = arith.cmpi uge, %x, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_uge_constants(
func.func @cmpi_uge_constants() -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %a = arith.constant -5 : i32
  %b = arith.constant 5 : i32
  %r = arith.cmpi uge, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_uge_constant_left(
func.func @cmpi_uge_constant_left(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi ule, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5 : i32
  %r = arith.cmpi uge, %c, %x : i32
  return %r : i1
}

// CHECK-LABEL: func.func @not_of_cmpi_uge(
func.func @not_of_cmpi_uge(%x: i32, %y: i32) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi ult, %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %a = arith.cmpi uge, %x, %y : i32
  %r = arith.xori %a, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_eq_of_extsi(
func.func @cmpi_eq_of_extsi(%x: i8, %y: i8) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi eq, %arg0, %arg1 : i8
  // CHECK-NEXT: return %0 : i1
  %a = arith.extsi %x : i8 to i32
  %b = arith.extsi %y : i8 to i32
  %r = arith.cmpi eq, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_slt_of_extsi(
func.func @cmpi_slt_of_extsi(%x: i8, %y: i8) -> i1 {
  // CHECK-NEXT: %0 = arith.extsi %arg0 : i8 to i32
  // CHECK-NEXT: %1 = arith.extsi %arg1 : i8 to i32
  // CHECK-NEXT: %2 = arith.cmpi slt, %0, %1 : i32
  // CHECK-NEXT: return %2 : i1
  %a = arith.extsi %x : i8 to i32
  %b = arith.extsi %y : i8 to i32
  %r = arith.cmpi slt, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @andi_of_extsi(
func.func @andi_of_extsi(%x: i8, %y: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.andi %arg0, %arg1 : i8
  // CHECK-NEXT: %1 = arith.extsi %0 : i8 to i32
  // CHECK-NEXT: return %1 : i32
  %a = arith.extsi %x : i8 to i32
  %b = arith.extsi %y : i8 to i32
  %r = arith.andi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ori_of_extsi(
func.func @ori_of_extsi(%x: i8, %y: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.ori %arg0, %arg1 : i8
  // CHECK-NEXT: %1 = arith.extsi %0 : i8 to i32
  // CHECK-NEXT: return %1 : i32
  %a = arith.extsi %x : i8 to i32
  %b = arith.extsi %y : i8 to i32
  %r = arith.ori %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @xori_of_extsi(
func.func @xori_of_extsi(%x: i8, %y: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.xori %arg0, %arg1 : i8
  // CHECK-NEXT: %1 = arith.extsi %0 : i8 to i32
  // CHECK-NEXT: return %1 : i32
  %a = arith.extsi %x : i8 to i32
  %b = arith.extsi %y : i8 to i32
  %r = arith.xori %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @cmpi_eq_of_extui(
func.func @cmpi_eq_of_extui(%x: i8, %y: i8) -> i1 {
  // CHECK-NEXT: %0 = arith.cmpi eq, %arg0, %arg1 : i8
  // CHECK-NEXT: return %0 : i1
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %r = arith.cmpi eq, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpi_slt_of_extui(
func.func @cmpi_slt_of_extui(%x: i8, %y: i8) -> i1 {
  // CHECK-NEXT: %0 = arith.extui %arg0 : i8 to i32
  // CHECK-NEXT: %1 = arith.extui %arg1 : i8 to i32
  // CHECK-NEXT: %2 = arith.cmpi slt, %0, %1 : i32
  // CHECK-NEXT: return %2 : i1
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %r = arith.cmpi slt, %a, %b : i32
  return %r : i1
}

// CHECK-LABEL: func.func @andi_of_extui(
func.func @andi_of_extui(%x: i8, %y: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.andi %arg0, %arg1 : i8
  // CHECK-NEXT: %1 = arith.extui %0 : i8 to i32
  // CHECK-NEXT: return %1 : i32
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %r = arith.andi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ori_of_extui(
func.func @ori_of_extui(%x: i8, %y: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.ori %arg0, %arg1 : i8
  // CHECK-NEXT: %1 = arith.extui %0 : i8 to i32
  // CHECK-NEXT: return %1 : i32
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %r = arith.ori %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @xori_of_extui(
func.func @xori_of_extui(%x: i8, %y: i8) -> i32 {
  // CHECK-NEXT: %0 = arith.xori %arg0, %arg1 : i8
  // CHECK-NEXT: %1 = arith.extui %0 : i8 to i32
  // CHECK-NEXT: return %1 : i32
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %r = arith.xori %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @cmpi_ne_zero_of_extui(
func.func @cmpi_ne_zero_of_extui(%x: i1) -> i1 {
  // CHECK-NEXT: return %arg0 : i1
  %c = arith.constant 0 : i32
  %a = arith.extui %x : i1 to i32
  %r = arith.cmpi ne, %a, %c : i32
  return %r : i1
}

// A bit compared with true is the bit.
// CHECK-LABEL: func.func @cmpi_eq_true(
func.func @cmpi_eq_true(%x: i1) -> i1 {
  // CHECK-NEXT: return %arg0 : i1
  %c = arith.constant true
  %r = arith.cmpi eq, %x, %c : i1
  return %r : i1
}

// CHECK-LABEL: func.func @select_constant(
func.func @select_constant(%x: f32, %y: f32) -> f32 {
  // CHECK-NEXT: return %arg1 : f32
  %c = arith.constant false
  %r = arith.select %c, %x, %y : f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_same(
func.func @select_same(%c: i1, %x: f32) -> f32 {
  // CHECK-NEXT: return %arg1 : f32
  %r = arith.select %c, %x, %x : f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_bit(
func.func @select_bit(%c: i1) -> i1 {
  // CHECK-NEXT: return %arg0 : i1
  %t = arith.constant true
  %f = arith.constant false
  %r = arith.select %c, %t, %f : i1
  return %r : i1
}

// CHECK-LABEL: func.func @select_not_bit(
func.func @select_not_bit(%c: i1) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: %0 = arith.xori %arg0, %true : i1
  // CHECK-NEXT: return %0 : i1
  %t = arith.constant true
  %f = arith.constant false
  %r = arith.select %c, %f, %t : i1
  return %r : i1
}

// CHECK-LABEL: func.func @select_one_zero(
func.func @select_one_zero(%c: i1) -> i32 {
  // CHECK-NEXT: %0 = arith.extui %arg0 : i1 to i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 1 : i32
  %b = arith.constant 0 : i32
  %r = arith.select %c, %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @select_zero_one(
func.func @select_zero_one(%c: i1) -> i32 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: %0 = arith.xori %arg0, %true : i1
  // CHECK-NEXT: %1 = arith.extui %0 : i1 to i32
  // CHECK-NEXT: return %1 : i32
  %a = arith.constant 0 : i32
  %b = arith.constant 1 : i32
  %r = arith.select %c, %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @select_of_not(
func.func @select_of_not(%c: i1, %x: f32, %y: f32) -> f32 {
  // CHECK-NEXT: %0 = arith.select %arg0, %arg2, %arg1 : f32
  // CHECK-NEXT: return %0 : f32
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  %r = arith.select %n, %x, %y : f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_of_cmpi_eq(
func.func @select_of_cmpi_eq(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: return %arg1 : i32
  %a = arith.cmpi eq, %x, %y : i32
  %r = arith.select %a, %x, %y : i32
  return %r : i32
}

// CHECK-LABEL: func.func @select_of_cmpi_ne(
func.func @select_of_cmpi_ne(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %a = arith.cmpi ne, %x, %y : i32
  %r = arith.select %a, %x, %y : i32
  return %r : i32
}

// CHECK-LABEL: func.func @select_of_select_true(
func.func @select_of_select_true(%c: i1, %x: f32, %y: f32, %z: f32) -> f32 {
  // CHECK-NEXT: %0 = arith.select %arg0, %arg1, %arg3 : f32
  // CHECK-NEXT: return %0 : f32
  %t = arith.select %c, %x, %y : f32
  %r = arith.select %c, %t, %z : f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_of_select_false(
func.func @select_of_select_false(%c: i1, %x: f32, %y: f32, %z: f32) -> f32 {
  // CHECK-NEXT: %0 = arith.select %arg0, %arg3, %arg2 : f32
  // CHECK-NEXT: return %0 : f32
  %t = arith.select %c, %x, %y : f32
  %r = arith.select %c, %z, %t : f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_poison(
func.func @select_poison(%c: i1, %x: f32) -> f32 {
  // CHECK-NEXT: return %arg1 : f32
  %p = ub.poison : f32
  %r = arith.select %c, %p, %x : f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_dense(
func.func @select_dense() -> vector<2xi32> {
  // CHECK-NEXT: %cst = arith.constant dense<[1, 4]> : vector<2xi32>
  // CHECK-NEXT: return %cst : vector<2xi32>
  %c = arith.constant dense<[true, false]> : vector<2xi1>
  %x = arith.constant dense<[1, 2]> : vector<2xi32>
  %y = arith.constant dense<[3, 4]> : vector<2xi32>
  %r = arith.select %c, %x, %y : vector<2xi1>, vector<2xi32>
  return %r : vector<2xi32>
}
