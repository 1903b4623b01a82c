// What the vector unit of a core does as the program has it (docs/npu_core_ir.md, "vectors"). All
// other ops on vectors are written as loops over scalars by air-aie-scalarize-vectors.
#pragma once

#include "ViewPlace.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"

#include <optional>
#include <vector>

namespace airlite::npu {

/// 256 or 512 bits of i8, i16, i32, f32 or bf16, in one dimension: what a register holds.
bool isUnitVector(Type type);

/// Does the unit compute `op`, an op on numbers or on vectors of them, lane by lane with the
/// interpreter's bits? Of the shape of vectors only `isUnitVector` is not asked here.
bool isLaneOp(Operation& op);
/// The lanes that it needs; 0: any.
int64_t lanesOf(const Operation& op);

/// Of a shift of numbers or vectors, the bits where they are known and the same for all lanes.
std::optional<int64_t> shiftOf(const Operation& op);

/// The largest power of two known to divide `index` whenever it is computed; 2^20 for 0.
int64_t divisorOf(Value index);
/// The numbers that an index becomes, as far as constants and loops say; none where that is not known.
struct IndexRange {
  int64_t least, most;
};
std::optional<IndexRange> rangeOf(Value index);
/// The largest one.
std::optional<int64_t> mostOf(Value index);

/// The bytes at a multiple of which an access of `bytes` bytes has to begin: what one instruction of the load unit
/// of the core that `op` is in accesses of them.
int64_t alignmentOf(Operation& op, int64_t bytes);

/// An access of a vector: vector.load, vector.store, vector.transfer_read, vector.transfer_write.
struct VectorAccess {
  Value memory;
  std::vector<Value> indices;
  VectorType type;
};
/// None for other ops, and for transfers from and to tensors.
std::optional<VectorAccess> vectorAccessOf(Operation& op);

/// Does dimension `dim` of the vector of `transfer` stay inside of memory, as the op says or as is
/// known of the indices?
bool staysInside(Operation& transfer, unsigned dim);

/// Of the parts of memory that a vector which begins at any element is made of.
constexpr int64_t kShiftedBytes = 32;
/// Whether memory is such parts and nothing else: all around any of its elements can be loaded.
bool isWholeParts(MemRefType type);

class VectorUnit {
 public:
  /// Does the unit do `op` with the interpreter's bits?
  bool has(Operation& op);
  /// Does the access of a vector begin where an instruction can?
  bool isAligned(Operation& op);

 private:
  bool hasAccess(Operation& op);
  bool isShifted(Operation& op, const VectorAccess& access);
  bool isAligned(Operation& op, const VectorAccess& access);

  Places places_;
};

}  // namespace airlite::npu
