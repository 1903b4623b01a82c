// What a core can do, one row for each op: which values the op may have, and which elements the vector
// unit computes lane by lane with the interpreter's bits. air-aie-check-core, the vectorizer and the
// code generator read it, and docs/npu_core_ir.md shows it (tests/npu/lower/core/core_ops_test.cpp).
//
//   const CoreOp* op = findCoreOp("arith.addi");
//   bool addsBytes = op && (op->lanes & LaneElement::Integers);
#pragma once

#include <string_view>

namespace airlite::npu {

/// What an operand or result of an op may be; sums of these.
struct CoreValue {
  enum Kind : unsigned {
    Integer = 1,  ///< up to 32 bits, index
    Float = 2,    ///< f32 and bf16, as bits
    Memory = 4,
    Integers = 8,  ///< vectors
    Floats = 16,
    Bools = 32,  ///< vectors of i1
    Tiles = 64,  ///< operands and sums of products of matrices
    Other = 128  ///< locks and the like
  };
  static constexpr unsigned kVectors = Integers | Floats | Bools | Tiles;
  static constexpr unsigned kAny = Integer | Float | Memory | kVectors;
};

/// Elements of the result of an op on vectors; sums of these.
struct LaneElement {
  enum Kind : unsigned {
    Integers = 1,  ///< i8, i16, i32
    F32 = 2,
    Bf16 = 4
  };
  static constexpr unsigned kAll = Integers | F32 | Bf16;
};

struct CoreOp {
  std::string_view name;
  unsigned values;  ///< CoreValue
  unsigned lanes =
      0;  ///< LaneElement; 0: other ops on vectors are asked for one by one (VectorUnit)
};

namespace core_ops {

inline constexpr unsigned kInts = CoreValue::Integer | CoreValue::Integers,
                          kBits = kInts | CoreValue::Bools,
                          kLanes = CoreValue::Integers | CoreValue::Floats;
inline constexpr CoreOp kRows[] = {
    {"cf.br", CoreValue::kAny},
    {"cf.cond_br", CoreValue::kAny},
    {"scf.for", CoreValue::kAny},
    {"scf.if", CoreValue::kAny},
    {"scf.while", CoreValue::kAny},
    {"scf.execute_region", CoreValue::kAny},
    {"scf.yield", CoreValue::kAny},
    {"scf.condition", CoreValue::kAny},
    {"func.call", CoreValue::kAny},
    {"func.return", CoreValue::kAny},
    {"aie.end", CoreValue::kAny},
    {"arith.constant", CoreValue::kAny},
    {"arith.select", CoreValue::kAny},
    {"arith.bitcast", CoreValue::Integer | CoreValue::Float | kLanes, LaneElement::kAll},
    {"arith.addi", kInts, LaneElement::Integers},
    {"arith.subi", kInts, LaneElement::Integers},
    {"arith.muli", kInts, LaneElement::Integers},
    {"arith.divsi", CoreValue::Integer},
    {"arith.divui", CoreValue::Integer},
    {"arith.remsi", CoreValue::Integer},
    {"arith.remui", CoreValue::Integer},
    {"arith.andi", kBits, LaneElement::Integers},
    {"arith.ori", kBits, LaneElement::Integers},
    {"arith.xori", kBits, LaneElement::Integers},
    {"arith.shli", kInts, LaneElement::Integers},
    {"arith.shrsi", kInts, LaneElement::Integers},
    {"arith.shrui", kInts, LaneElement::Integers},
    {"arith.cmpi", kBits},
    {"arith.minsi", kInts, LaneElement::Integers},
    {"arith.maxsi", kInts, LaneElement::Integers},
    {"arith.minui", kInts, LaneElement::Integers},
    {"arith.maxui", kInts, LaneElement::Integers},
    {"math.ctlz", CoreValue::Integer},
    {"arith.extsi", kInts | CoreValue::Tiles, LaneElement::Integers},
    {"arith.extui", kInts, LaneElement::Integers},
    {"arith.trunci", kInts | CoreValue::Tiles, LaneElement::Integers},
    {"arith.index_cast", CoreValue::Integer},
    {"arith.index_castui", CoreValue::Integer},
    {"arith.addf", CoreValue::Floats, LaneElement::F32 | LaneElement::Bf16},
    {"arith.subf", CoreValue::Floats, LaneElement::F32 | LaneElement::Bf16},
    {"arith.mulf", CoreValue::Floats, LaneElement::Bf16},
    {"math.fma", CoreValue::Floats, LaneElement::F32},
    {"math.exp2", CoreValue::Floats, LaneElement::F32},
    {"math.tanh", CoreValue::Floats, LaneElement::F32},
    {"arith.maximumf", CoreValue::Floats, LaneElement::Bf16},
    {"arith.minimumf", CoreValue::Floats, LaneElement::Bf16},
    {"arith.extf", CoreValue::Floats, LaneElement::F32},
    {"arith.truncf", CoreValue::Floats, LaneElement::Bf16},
    {"memref.load", CoreValue::kAny},
    {"memref.store", CoreValue::kAny},
    {"memref.get_global", CoreValue::Memory},
    {"builtin.unrealized_conversion_cast", CoreValue::Memory},
    {"aie.use_lock", CoreValue::Integer | CoreValue::Other},
    {"aie.get_stream", CoreValue::Integer},
    {"aie.get_cascade", CoreValue::kAny},
    {"aie.put_cascade", CoreValue::kAny},
    {"vector.load", CoreValue::kAny},
    {"vector.store", CoreValue::kAny},
    {"vector.broadcast", CoreValue::kAny},
    {"vector.shuffle", kLanes},
    {"vector.extract_strided_slice", kLanes | CoreValue::Tiles},
    {"vector.bitcast", kLanes},
    {"aievec.shift", CoreValue::Integer | kLanes},
    {"vector.extract", CoreValue::Integer | CoreValue::Float | kLanes},
    {"vector.contract", CoreValue::Tiles},
    {"vector.shape_cast", kLanes | CoreValue::Tiles},
};

}  // namespace core_ops

/// The row of an op; null when a core cannot do it.
constexpr const CoreOp* findCoreOp(std::string_view name) {
  for (const CoreOp& op : core_ops::kRows)
    if (op.name == name) return &op;
  return nullptr;
}

}  // namespace airlite::npu
