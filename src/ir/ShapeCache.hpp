// What the verifier remembers of ops that fit their definitions. Private to ir/.
#pragma once

#include "../support/Hashing.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace airlite::detail {

/// All that counts for the counts and types of an op: its definition, what of its attributes has to
/// do with types, the types, and how many regions and successors it has.
class OpShape {
 public:
  /// False: more values than fit here.
  bool read(const Operation& op) {
    size_t values = size_t(op.numOperands()) + op.numResults();
    if (values > types_.size()) return false;
    def_ = &op.def();
    attributes_ = attributesThatCount(op);
    numOperands_ = op.numOperands();
    numResults_ = op.numResults();
    numRegions_ = op.numRegions();
    numSuccessors_ = op.numSuccessors();
    size_t next = 0;
    for (Value value : op.operands())
      types_[next++] = value ? value.type().storage() : nullptr;
    for (unsigned i = 0; i < numResults_; ++i)
      types_[next++] = op.result(i).type().storage();
    return true;
  }

  /// Whether two ops of one shape have the same attributes.
  bool hasAttributes(const Operation& op) const { return attributes_ == op.attributes().storage(); }

  uint64_t hash() const {
    uint64_t hash = hashMix(hashWord(def_), hashWord(attributes_) + numOperands_);
    for (unsigned i = 0; i < numOperands_ + numResults_; ++i)
      hash = (hash ^ hashWord(types_[i])) * 0x9e3779b97f4a7c15ull;
    return hash ^ (hash >> 32);
  }

  bool operator==(const OpShape& other) const {
    return def_ == other.def_ && attributes_ == other.attributes_ &&
           numOperands_ == other.numOperands_ && numResults_ == other.numResults_ &&
           numRegions_ == other.numRegions_ && numSuccessors_ == other.numSuccessors_ &&
           std::equal(types_.begin(), types_.begin() + numOperands_ + numResults_,
                      other.types_.begin());
  }

 private:
  /// Rules about types may name any attribute. Without rules the sizes of the groups are all, and
  /// what makes long dictionaries different (numbers, names) does not matter.
  static const AttributeStorage* attributesThatCount(const Operation& op) {
    const OpDef& def = op.def();
    bool isRuled =
        !def.sameTypes.empty() || !def.typeRules.empty() || def.has(Trait::AttrSizedResultSegments);
    if (isRuled || op.attributes().size() <= 1) return op.attributes().storage();
    if (!def.has(Trait::AttrSizedOperandSegments)) return nullptr;
    return op.operandSegments().storage();
  }

  const OpDef* def_ = nullptr;
  const AttributeStorage* attributes_ = nullptr;
  uint32_t numOperands_ = 0, numResults_ = 0, numRegions_ = 0, numSuccessors_ = 0;
  std::array<const TypeStorage*, 11> types_{};
};

/// Shapes that were found right. A program has few, and each stands at many ops.
class ShapeCache {
 public:
  bool contains(const OpShape& shape) const {
    return !slots_.empty() && slots_[slotOf(shape)] == shape;
  }
  void add(const OpShape& shape) {
    if (slots_.empty()) slots_.resize(kSlots);
    slots_[slotOf(shape)] = shape;  // in the place of another one, if need be
  }
  /// To be called when a definition changes.
  void clear() { slots_.clear(); }

 private:
  static constexpr size_t kSlots = 512;
  static size_t slotOf(const OpShape& shape) { return shape.hash() % kSlots; }

  std::vector<OpShape> slots_;
};

}  // namespace airlite::detail
