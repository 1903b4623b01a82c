// Folding and rewriting of integer ops.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @addi_zero(
func.func @addi_zero(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.addi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @subi_zero(
func.func @subi_zero(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.subi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ori_zero(
func.func @ori_zero(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.ori %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @xori_zero(
func.func @xori_zero(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.xori %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @shli_zero(
func.func @shli_zero(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.shli %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @shrsi_zero(
func.func @shrsi_zero(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.shrsi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @shrui_zero(
func.func @shrui_zero(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.shrui %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @addi_zero_left(
func.func @addi_zero_left(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 0 : i32
  %r = arith.addi %c, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @addi_zero_vector(
func.func @addi_zero_vector(%x: vector<4xindex>) -> vector<4xindex> {
  // CHECK-NEXT: return %arg0 : vector<4xindex>
  %c = arith.constant dense<0> : vector<4xindex>
  %r = arith.addi %x, %c : vector<4xindex>
  return %r : vector<4xindex>
}

// CHECK-LABEL: func.func @constant_goes_right(
func.func @constant_goes_right(%x: i32) -> i32 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.addi %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %c = arith.constant 5 : i32
  %r = arith.addi %c, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @muli_zero(
func.func @muli_zero(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant 0 : i32
  %r = arith.muli %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @muli_one(
func.func @muli_one(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 1 : i32
  %r = arith.muli %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @andi_zero(
func.func @andi_zero(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant 0 : i32
  %r = arith.andi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @andi_ones(
func.func @andi_ones(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant -1 : i32
  %r = arith.andi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ori_ones(
func.func @ori_ones(%x: i32) -> i32 {
  // CHECK-NEXT: %c-1_i32 = arith.constant -1 : i32
  // CHECK-NEXT: return %c-1_i32 : i32
  %c = arith.constant -1 : i32
  %r = arith.ori %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @divsi_one(
func.func @divsi_one(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 1 : i32
  %r = arith.divsi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @divui_one(
func.func @divui_one(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 1 : i32
  %r = arith.divui %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ceildivsi_one(
func.func @ceildivsi_one(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 1 : i32
  %r = arith.ceildivsi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ceildivui_one(
func.func @ceildivui_one(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 1 : i32
  %r = arith.ceildivui %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @floordivsi_one(
func.func @floordivsi_one(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant 1 : i32
  %r = arith.floordivsi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @remsi_one(
func.func @remsi_one(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant 1 : i32
  %r = arith.remsi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @remui_one(
func.func @remui_one(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant 1 : i32
  %r = arith.remui %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @subi_itself(
func.func @subi_itself(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %r = arith.subi %x, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @xori_itself(
func.func @xori_itself(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %r = arith.xori %x, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @andi_itself(
func.func @andi_itself(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %r = arith.andi %x, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ori_itself(
func.func @ori_itself(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %r = arith.ori %x, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @maxsi_itself(
func.func @maxsi_itself(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %r = arith.maxsi %x, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @minui_itself(
func.func @minui_itself(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %r = arith.minui %x, %x : i32
  return %r : i32
}

// A constant of unknown size cannot be made.
// CHECK-LABEL: func.func @subi_itself_dynamic(
func.func @subi_itself_dynamic(%x: tensor<?xi32>) -> tensor<?xi32> {
  // CHECK-NEXT: %0 = arith.subi %arg0, %arg0 : tensor<?xi32>
  // CHECK-NEXT: return %0 : tensor<?xi32>
  %r = arith.subi %x, %x : tensor<?xi32>
  return %r : tensor<?xi32>
}

// CHECK-LABEL: func.func @maxsi_least(
func.func @maxsi_least(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant -2147483648 : i32
  %r = arith.maxsi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @maxsi_greatest(
func.func @maxsi_greatest(%x: i32) -> i32 {
  // CHECK-NEXT: %c2147483647_i32 = arith.constant 2147483647 : i32
  // CHECK-NEXT: return %c2147483647_i32 : i32
  %c = arith.constant 2147483647 : i32
  %r = arith.maxsi %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @minui_zero(
func.func @minui_zero(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant 0 : i32
  %r = arith.minui %x, %c : i32
  return %r : i32
}

// CHECK-LABEL: func.func @minui_ones(
func.func @minui_ones(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %c = arith.constant -1 : i32
  %r = arith.minui %x, %c : i32
  return %r : i32
}

// Division by zero is undefined and stays.
// CHECK-LABEL: func.func @divsi_by_zero(
func.func @divsi_by_zero() -> i32 {
  // CHECK-NEXT: %c7_i32 = arith.constant 7 : i32
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.divsi %c7_i32, %c0_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %r = arith.divsi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @divui_by_zero(
func.func @divui_by_zero() -> i32 {
  // CHECK-NEXT: %c7_i32 = arith.constant 7 : i32
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.divui %c7_i32, %c0_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %r = arith.divui %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @remsi_by_zero(
func.func @remsi_by_zero() -> i32 {
  // CHECK-NEXT: %c7_i32 = arith.constant 7 : i32
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.remsi %c7_i32, %c0_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %r = arith.remsi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @remui_by_zero(
func.func @remui_by_zero() -> i32 {
  // CHECK-NEXT: %c7_i32 = arith.constant 7 : i32
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.remui %c7_i32, %c0_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %r = arith.remui %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ceildivsi_by_zero(
func.func @ceildivsi_by_zero() -> i32 {
  // CHECK-NEXT: %c7_i32 = arith.constant 7 : i32
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.ceildivsi %c7_i32, %c0_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %r = arith.ceildivsi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ceildivui_by_zero(
func.func @ceildivui_by_zero() -> i32 {
  // CHECK-NEXT: %c7_i32 = arith.constant 7 : i32
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.ceildivui %c7_i32, %c0_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %r = arith.ceildivui %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @floordivsi_by_zero(
func.func @floordivsi_by_zero() -> i32 {
  // CHECK-NEXT: %c7_i32 = arith.constant 7 : i32
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.floordivsi %c7_i32, %c0_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 7 : i32
  %b = arith.constant 0 : i32
  %r = arith.floordivsi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @divsi_overflow(
func.func @divsi_overflow() -> i8 {
  // CHECK-NEXT: %c-128_i8 = arith.constant -128 : i8
  // CHECK-NEXT: %c-1_i8 = arith.constant -1 : i8
  // CHECK-NEXT: %0 = arith.divsi %c-128_i8, %c-1_i8 : i8
  // CHECK-NEXT: return %0 : i8
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %r = arith.divsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @remsi_overflow(
func.func @remsi_overflow() -> i8 {
  // CHECK-NEXT: %c0_i8 = arith.constant 0 : i8
  // CHECK-NEXT: return %c0_i8 : i8
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %r = arith.remsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shift_too_wide(
func.func @shift_too_wide() -> i8 {
  // CHECK-NEXT: %c1_i8 = arith.constant 1 : i8
  // CHECK-NEXT: %c8_i8 = arith.constant 8 : i8
  // CHECK-NEXT: %0 = arith.shli %c1_i8, %c8_i8 : i8
  // CHECK-NEXT: return %0 : i8
  %a = arith.constant 1 : i8
  %b = arith.constant 8 : i8
  %r = arith.shli %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @addi_constants(
func.func @addi_constants() -> i8 {
  // CHECK-NEXT: %c-93_i8 = arith.constant -93 : i8
  // CHECK-NEXT: return %c-93_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.addi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @subi_constants(
func.func @subi_constants() -> i8 {
  // CHECK-NEXT: %c-107_i8 = arith.constant -107 : i8
  // CHECK-NEXT: return %c-107_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.subi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @muli_constants(
func.func @muli_constants() -> i8 {
  // CHECK-NEXT: %c68_i8 = arith.constant 68 : i8
  // CHECK-NEXT: return %c68_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.muli %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @divsi_constants(
func.func @divsi_constants() -> i8 {
  // CHECK-NEXT: %c-14_i8 = arith.constant -14 : i8
  // CHECK-NEXT: return %c-14_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.divsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @divui_constants(
func.func @divui_constants() -> i8 {
  // CHECK-NEXT: %c22_i8 = arith.constant 22 : i8
  // CHECK-NEXT: return %c22_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.divui %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @remsi_constants(
func.func @remsi_constants() -> i8 {
  // CHECK-NEXT: %c-2_i8 = arith.constant -2 : i8
  // CHECK-NEXT: return %c-2_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.remsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @remui_constants(
func.func @remui_constants() -> i8 {
  // CHECK-NEXT: %c2_i8 = arith.constant 2 : i8
  // CHECK-NEXT: return %c2_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.remui %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @ceildivsi_constants(
func.func @ceildivsi_constants() -> i8 {
  // CHECK-NEXT: %c-14_i8 = arith.constant -14 : i8
  // CHECK-NEXT: return %c-14_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.ceildivsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @floordivsi_constants(
func.func @floordivsi_constants() -> i8 {
  // CHECK-NEXT: %c-15_i8 = arith.constant -15 : i8
  // CHECK-NEXT: return %c-15_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.floordivsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @ceildivui_constants(
func.func @ceildivui_constants() -> i8 {
  // CHECK-NEXT: %c23_i8 = arith.constant 23 : i8
  // CHECK-NEXT: return %c23_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.ceildivui %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @andi_constants(
func.func @andi_constants() -> i8 {
  // CHECK-NEXT: %c4_i8 = arith.constant 4 : i8
  // CHECK-NEXT: return %c4_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.andi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @ori_constants(
func.func @ori_constants() -> i8 {
  // CHECK-NEXT: %c-97_i8 = arith.constant -97 : i8
  // CHECK-NEXT: return %c-97_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.ori %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @xori_constants(
func.func @xori_constants() -> i8 {
  // CHECK-NEXT: %c-101_i8 = arith.constant -101 : i8
  // CHECK-NEXT: return %c-101_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.xori %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shli_constants(
func.func @shli_constants() -> i8 {
  // CHECK-NEXT: %c0_i8 = arith.constant 0 : i8
  // CHECK-NEXT: return %c0_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.shli %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shrsi_constants(
func.func @shrsi_constants() -> i8 {
  // CHECK-NEXT: %c-1_i8 = arith.constant -1 : i8
  // CHECK-NEXT: return %c-1_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.shrsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shrui_constants(
func.func @shrui_constants() -> i8 {
  // CHECK-NEXT: %c1_i8 = arith.constant 1 : i8
  // CHECK-NEXT: return %c1_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.shrui %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @maxsi_constants(
func.func @maxsi_constants() -> i8 {
  // CHECK-NEXT: %c7_i8 = arith.constant 7 : i8
  // CHECK-NEXT: return %c7_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.maxsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @maxui_constants(
func.func @maxui_constants() -> i8 {
  // CHECK-NEXT: %c-100_i8 = arith.constant -100 : i8
  // CHECK-NEXT: return %c-100_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.maxui %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @minsi_constants(
func.func @minsi_constants() -> i8 {
  // CHECK-NEXT: %c-100_i8 = arith.constant -100 : i8
  // CHECK-NEXT: return %c-100_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.minsi %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @minui_constants(
func.func @minui_constants() -> i8 {
  // CHECK-NEXT: %c7_i8 = arith.constant 7 : i8
  // CHECK-NEXT: return %c7_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 7 : i8
  %r = arith.minui %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @dense_constants(
func.func @dense_constants() -> vector<4xi32> {
  // CHECK-NEXT: %cst = arith.constant dense<[3, 6, -9, 12]> : vector<4xi32>
  // CHECK-NEXT: return %cst : vector<4xi32>
  %a = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %b = arith.constant dense<3> : vector<4xi32>
  %r = arith.muli %a, %b : vector<4xi32>
  return %r : vector<4xi32>
}

// CHECK-LABEL: func.func @add_of_sub(
func.func @add_of_sub(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %t = arith.subi %x, %y : i32
  %r = arith.addi %t, %y : i32
  return %r : i32
}

// CHECK-LABEL: func.func @sub_of_add(
func.func @sub_of_add(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %t = arith.addi %x, %y : i32
  %r = arith.subi %t, %y : i32
  return %r : i32
}

// CHECK-LABEL: func.func @sub_of_sub(
func.func @sub_of_sub(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.subi %c0_i32, %arg1 : i32
  // CHECK-NEXT: return %0 : i32
  %t = arith.subi %x, %y : i32
  %r = arith.subi %t, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @xor_of_xor(
func.func @xor_of_xor(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %t = arith.xori %x, %y : i32
  %r = arith.xori %y, %t : i32
  return %r : i32
}

// CHECK-LABEL: func.func @and_of_not(
func.func @and_of_not(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant -1 : i32
  %t = arith.xori %x, %c : i32
  %r = arith.andi %x, %t : i32
  return %r : i32
}

// CHECK-LABEL: func.func @or_of_not(
func.func @or_of_not(%x: i32) -> i32 {
  // CHECK-NEXT: %c-1_i32 = arith.constant -1 : i32
  // CHECK-NEXT: return %c-1_i32 : i32
  %c = arith.constant -1 : i32
  %t = arith.xori %x, %c : i32
  %r = arith.ori %t, %x : i32
  return %r : i32
}

// CHECK-LABEL: func.func @add_of_negation(
func.func @add_of_negation(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: %0 = arith.subi %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i32
  %c = arith.constant -1 : i32
  %t = arith.muli %y, %c : i32
  %r = arith.addi %x, %t : i32
  return %r : i32
}

// CHECK-LABEL: func.func @merge_add_add(
func.func @merge_add_add(%x: index) -> index {
  // CHECK-NEXT: %c59 = arith.constant 59 : index
  // CHECK-NEXT: %0 = arith.addi %arg0, %c59 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.addi %x, %c1 : index
  %r = arith.addi %t, %c2 : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_add_sub(
func.func @merge_add_sub(%x: index) -> index {
  // CHECK-NEXT: %c-25 = arith.constant -25 : index
  // CHECK-NEXT: %0 = arith.addi %arg0, %c-25 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.addi %x, %c1 : index
  %r = arith.subi %t, %c2 : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_add_from(
func.func @merge_add_from(%x: index) -> index {
  // CHECK-NEXT: %c25 = arith.constant 25 : index
  // CHECK-NEXT: %0 = arith.subi %c25, %arg0 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.addi %x, %c1 : index
  %r = arith.subi %c2, %t : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_sub_add(
func.func @merge_sub_add(%x: index) -> index {
  // CHECK-NEXT: %c25 = arith.constant 25 : index
  // CHECK-NEXT: %0 = arith.addi %arg0, %c25 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.subi %x, %c1 : index
  %r = arith.addi %t, %c2 : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_sub_sub(
func.func @merge_sub_sub(%x: index) -> index {
  // CHECK-NEXT: %c59 = arith.constant 59 : index
  // CHECK-NEXT: %0 = arith.subi %arg0, %c59 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.subi %x, %c1 : index
  %r = arith.subi %t, %c2 : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_sub_from(
func.func @merge_sub_from(%x: index) -> index {
  // CHECK-NEXT: %c59 = arith.constant 59 : index
  // CHECK-NEXT: %0 = arith.subi %c59, %arg0 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.subi %x, %c1 : index
  %r = arith.subi %c2, %t : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_from_add(
func.func @merge_from_add(%x: index) -> index {
  // CHECK-NEXT: %c59 = arith.constant 59 : index
  // CHECK-NEXT: %0 = arith.subi %c59, %arg0 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.subi %c1, %x : index
  %r = arith.addi %t, %c2 : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_from_sub(
func.func @merge_from_sub(%x: index) -> index {
  // CHECK-NEXT: %c-25 = arith.constant -25 : index
  // CHECK-NEXT: %0 = arith.subi %c-25, %arg0 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.subi %c1, %x : index
  %r = arith.subi %t, %c2 : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_from_from(
func.func @merge_from_from(%x: index) -> index {
  // CHECK-NEXT: %c25 = arith.constant 25 : index
  // CHECK-NEXT: %0 = arith.addi %arg0, %c25 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 42 : index
  %t = arith.subi %c1, %x : index
  %r = arith.subi %c2, %t : index
  return %r : index
}

// CHECK-LABEL: func.func @merge_muli(
func.func @merge_muli(%x: index) -> index {
  // CHECK-NEXT: %c51 = arith.constant 51 : index
  // CHECK-NEXT: %0 = arith.muli %arg0, %c51 : index
  // CHECK-NEXT: return %0 : index
  %c1 = arith.constant 17 : index
  %c2 = arith.constant 3 : index
  %t = arith.muli %x, %c1 : index
  %r = arith.muli %t, %c2 : index
  return %r : index
}

// CHECK-LABEL: func.func @addui_extended_carry(
func.func @addui_extended_carry() -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %a = arith.constant -56 : i8
  %b = arith.constant 100 : i8
  %s, %o = arith.addui_extended %a, %b : i8, i1
  return %o : i1
}

// CHECK-LABEL: func.func @addui_extended_unused_overflow(
func.func @addui_extended_unused_overflow(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: %0 = arith.addi %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i32
  %s, %o = arith.addui_extended %x, %y : i32, i1
  return %s : i32
}

// CHECK-LABEL: func.func @mulsi_extended_high(
func.func @mulsi_extended_high() -> i8 {
  // CHECK-NEXT: %c-40_i8 = arith.constant -40 : i8
  // CHECK-NEXT: return %c-40_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 100 : i8
  %l, %h = arith.mulsi_extended %a, %b : i8
  return %h : i8
}

// CHECK-LABEL: func.func @mului_extended_high(
func.func @mului_extended_high() -> i8 {
  // CHECK-NEXT: %c60_i8 = arith.constant 60 : i8
  // CHECK-NEXT: return %c60_i8 : i8
  %a = arith.constant -100 : i8
  %b = arith.constant 100 : i8
  %l, %h = arith.mului_extended %a, %b : i8
  return %h : i8
}

// CHECK-LABEL: func.func @mulsi_extended_unused_high(
func.func @mulsi_extended_unused_high(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: %0 = arith.muli %arg0, %arg1 : i32
  // CHECK-NEXT: return %0 : i32
  %l, %h = arith.mulsi_extended %x, %y : i32
  return %l : i32
}

// CHECK-LABEL: func.func @mulsi_extended_by_one(
func.func @mulsi_extended_by_one(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %0 = arith.cmpi slt, %arg0, %c0_i32 : i32
  // CHECK-NEXT: %1 = arith.extsi %0 : i1 to i32
  // CHECK-NEXT: return %1 : i32
  %c = arith.constant 1 : i32
  %l, %h = arith.mulsi_extended %x, %c : i32
  return %h : i32
}

// CHECK-LABEL: func.func @mului_extended_by_one(
func.func @mului_extended_by_one(%x: i32) -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %c = arith.constant 1 : i32
  %l, %h = arith.mului_extended %x, %c : i32
  return %h : i32
}

// CHECK-LABEL: func.func @high_half_of_product(
func.func @high_half_of_product(%x: i32, %y: i32) -> i32 {
  // CHECK-NEXT: %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
  // CHECK-NEXT: return %high : i32
  %c = arith.constant 32 : i64
  %a = arith.extsi %x : i32 to i64
  %b = arith.extsi %y : i32 to i64
  %p = arith.muli %a, %b : i64
  %h = arith.shrui %p, %c : i64
  %r = arith.trunci %h : i64 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @poison_operand(
func.func @poison_operand(%x: i32) -> i32 {
  // CHECK-NEXT: %0 = ub.poison : i32
  // CHECK-NEXT: return %0 : i32
  %p = ub.poison : i32
  %r = arith.addi %x, %p : i32
  return %r : i32
}

// Promises about overflow stay where the constants themselves add up (multiply) in range: x + 100 +
// 100 may be in range where x + -56 is not.
// CHECK-LABEL: func.func @merged_overflow_flags(
// CHECK-DAG: %[[P12:.*]] = arith.constant 12 : i8
// CHECK-DAG: %[[M56:.*]] = arith.constant -56 : i8
// CHECK-DAG: %[[P35:.*]] = arith.constant 35 : i8
// CHECK: arith.addi %arg0, %[[P12]] overflow<nsw> : i8
// CHECK-NEXT: arith.addi %arg0, %[[M56]] overflow<nuw> : i8
// CHECK-NEXT: arith.subi %arg0, %[[P12]] overflow<nsw, nuw> : i8
// CHECK-NEXT: arith.addi %arg0, %{{.*}} : i8
// CHECK-NEXT: arith.muli %arg0, %[[P35]] overflow<nsw> : i8
// CHECK-NEXT: arith.muli %arg0, %{{.*}} : i8
func.func @merged_overflow_flags(%x: i8) -> (i8, i8, i8, i8, i8, i8) {
  %c5 = arith.constant 5 : i8
  %c7 = arith.constant 7 : i8
  %c100 = arith.constant 100 : i8
  %0 = arith.addi %x, %c5 overflow<nsw> : i8
  %1 = arith.addi %0, %c7 overflow<nsw, nuw> : i8
  %2 = arith.addi %x, %c100 overflow<nsw, nuw> : i8
  %3 = arith.addi %2, %c100 overflow<nsw, nuw> : i8
  %4 = arith.subi %x, %c5 overflow<nsw, nuw> : i8
  %5 = arith.subi %4, %c7 overflow<nsw, nuw> : i8
  %6 = arith.subi %0, %c7 overflow<nsw> : i8
  %7 = arith.muli %x, %c5 overflow<nsw> : i8
  %8 = arith.muli %7, %c7 overflow<nsw> : i8
  %9 = arith.muli %7, %c100 overflow<nsw> : i8
  return %1, %3, %5, %6, %8, %9 : i8, i8, i8, i8, i8, i8
}
