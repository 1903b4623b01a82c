// Products of elements that the matrix unit does not multiply, made of products that it does.
//
//   i16 x i8               the i8 are extended to i16
//   i32 x i32              two pieces of i16 each; of the sums 32 bits count
//   f32 x f32              pieces of bf16, as the op says (kBf16Pieces)
//   sums of i8, i16, bf16  are made in i32 or f32, and narrowed (integers that linalg::keepsNarrowSums names are not)
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::npu {

/// Which products of the unit a product is made of.
struct ProductParts {
  const MatrixShape* shape = nullptr;  ///< of the products of the unit
  Type factor, sum;                    ///< what the unit multiplies, and sums up as it is in memory
  /// Pieces of the factors; 0: the elements are the unit's own.
  unsigned piecesA = 0, piecesB = 0;
  bool widensSum = false;  ///< sums are made in a buffer of `sum`

  /// The op is a product of the unit itself.
  bool isWhole() const { return !piecesA && !piecesB && !widensSum; }
  /// Products of mixed pieces of i32 are summed on their own.
  bool hasHighSums() const { return factor.isInteger() && (piecesA > 1 || piecesB > 1); }
};

/// None, with the reason, for an op that is not such a product: other types, sums of floats that are
/// not made at once (linalg::kSumDepth).
std::optional<ProductParts> productPartsOf(linalg::StructuredOp op, std::string& why);

/// Buffers of a core that ops use one after the other.
class ScratchBuffers {
 public:
  explicit ScratchBuffers(aie::CoreOp core) : core_(core) {}

  /// A buffer that nobody has taken since `releaseAll`.
  Value take(Type type);
  void releaseAll() { taken_.assign(buffers_.size(), false); }
  /// Whether the core has room for these and all that it has; what lies here already is free.
  bool haveRoom(std::vector<Type> types) const;

 private:
  aie::CoreOp core_;
  std::vector<Value> buffers_;
  std::vector<bool> taken_;
};

/// The types of the buffers that splitProduct takes for a product of memrefs of these types.
std::vector<Type> partTypes(const ProductParts& parts, Type a, Type b, Type c);

/// Puts in place of `op`, whose operands lie in tiles of the shape: conversions of its factors,
/// products of the unit, which it returns in their order, and what makes its sums of theirs.
std::vector<linalg::StructuredOp> splitProduct(linalg::StructuredOp op, const ProductParts& parts,
                                               ScratchBuffers& scratch);

}  // namespace airlite::npu
