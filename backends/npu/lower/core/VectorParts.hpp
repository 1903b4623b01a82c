// Values of a loop by vectors: as many lanes for all of them, so that wide elements take several
// registers, their parts. An op between two widths splits parts, or joins them.
#pragma once

#include "airlite/ir/Rewriter.hpp"

#include <span>
#include <vector>

namespace airlite::npu {

class VectorParts {
 public:
  using Parts = std::vector<Value>;

  /// Does `compute` have it, though it is not an op of the unit? It then goes through elements of 32
  /// bits.
  static bool expands(Operation& op);

  VectorParts(Rewriter& rewriter, int64_t lanes) : rewriter_(rewriter), lanes_(lanes) {}

  /// How many registers such elements take.
  size_t count(Type element) const;
  Parts broadcast(Location location, Value number);
  /// Lanes that are all alike.
  Parts constant(Location location, Attribute number, Type element);
  /// The lanes that begin at `index`.
  Parts load(Location location, Value memory, Value index);
  /// Every second, fourth or eighth lane (`step`) of those that begin at `index`, from number `phase` on (StridedRows.hpp).
  Parts loadEvery(Location location, Value memory, Value index, int64_t step, int64_t phase);
  void store(Location location, const Parts& value, Value memory, Value index);
  /// `op`, an op on numbers, on lanes.
  Parts compute(Operation& op, std::span<const Parts> operands);
  /// The first lanes of `numbers`, and `neutral` in all others.
  Parts first(Location location, Parts numbers, int64_t lanes, Attribute neutral);
  /// All lanes, combined by an op like `combiner`, to which `neutral` makes no difference.
  Value joined(Operation& combiner, Parts lanes, Attribute neutral);

 private:
  VectorType partType(Type element) const;
  Value placeOf(Location location, Value index, size_t part, Type element);
  Value make(Location location, std::string_view name, std::span<const Value> operands, Type type,
             std::span<const NamedAttribute> attributes = {});
  Value shuffle(Location location, Value a, Value b, std::span<const int64_t> mask);
  Value half(Location location, Value row, bool upper);
  Value likeIt(Operation& op, std::span<const Value> operands, Type type);
  /// From elements of one width to those of another one, by ops of this name.
  Parts converted(Location location, std::string_view name, Parts parts, Type from, Type to);
  Parts widened(Location location, std::string_view name, const Parts& from, Type to);
  Parts narrowed(Location location, std::string_view name, const Parts& from, Type to);
  Parts floatsOf(Operation& op, const Parts& numbers);
  Parts integersOf(Operation& op, const Parts& numbers);

  Rewriter& rewriter_;
  int64_t lanes_;
};

}  // namespace airlite::npu
