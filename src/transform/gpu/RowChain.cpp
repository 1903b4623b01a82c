// Finds chains of ops on rows: each op is tried against the shape of the chain, and turned into nodes.
#include "RowChain.hpp"

#include "KernelWriter.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

namespace airlite::gpu {

unsigned RowPlace::over() const {
  unsigned over = hasColumns ? kOverColumns : kOverNothing;
  for (int loop : loops)
    if (loop != kFirst) over |= kOverRows;
  return over;
}

bool RowChain::hasReduction() const {
  return std::ranges::any_of(nodes,
                             [](const RowNode& node) { return node.kind == RowNode::Reduce; });
}

using linalg::IteratorKind;

static bool isAll(std::span<const IteratorKind> kinds, IteratorKind wanted) {
  return std::ranges::all_of(kinds, [&](IteratorKind kind) { return kind == wanted; });
}

unsigned reducedLoops(linalg::StructuredOp op) {
  const auto kinds = op.iterators();
  unsigned count = 0;
  while (count < kinds.size() && kinds[kinds.size() - 1 - count] == IteratorKind::Reduction)
    ++count;
  return isAll(std::span(kinds).first(kinds.size() - count), IteratorKind::Parallel) ? count : 0;
}

std::string_view kindOf(Operation& op) {
  if (op.numOperands() != 2 || op.numResults() != 1) return {};
  const bool isFloat = elementTypeOrSelf(op.result().type()).isFloat();
  for (std::string_view kind : {"add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or",
                                "xor", "minnumf", "maxnumf", "minimumf", "maximumf"})
    if (op.name() == vector::combiningOp(kind, isFloat)) return kind;
  return {};
}

Operation* combinerOf(linalg::StructuredOp op, unsigned i) {
  const Value argument = op.bodyArgument(op.numInputs() + i);
  Operation* combiner = op.body().back().operand(i).definingOp();
  const bool isOne = combiner && combiner->block() == &op.body() && argument &&
                     !kindOf(*combiner).empty() && argument.hasOneUse() &&
                     combiner->result().hasOneUse() &&
                     (combiner->operand(0) == argument || combiner->operand(1) == argument);
  return isOne ? combiner : nullptr;
}

namespace {

using linalg::StructuredOp;

/// What an op is in a chain.
enum class RowRole { None, Rows, Reduction, Statistic };

/// Numbers change their bits when those of 8 and 16 bits are computed in 32.
bool looksAtBits(Operation& inner) {
  const auto isHalf = [](Type type) {
    const Type element = elementTypeOrSelf(type);
    return element.isF16() || element.isBF16() || element.isFloat8();
  };
  return inner.is("arith.bitcast") &&
         (isHalf(inner.operand(0).type()) || isHalf(inner.result().type()));
}

bool hasRowBody(StructuredOp op) {
  return hasWideOperands(op) && std::ranges::all_of(op.body().ops(), [](Operation& inner) {
           return inner.is("linalg.index") || (isWideOp(inner) && !looksAtBits(inner));
         });
}

unsigned loopOf(const Operation& index) {
  return static_cast<unsigned>(index.attrOf<IntegerAttr>("dim").value());
}

/// Of the chain's loops, columns of each operand lie one after the other.
bool isContiguous(Value memref, unsigned columnLoops) {
  const auto type = memref.type().cast<MemRefType>();
  return columnLoops == 1 ? type.stridedForm().has_value() : type.hasIdentityLayout();
}

constexpr unsigned kNumber = ~0U;
/// What says how large dimension `dim` of `memref` is: a memref and a dimension of it, or a number and
/// kNumber.
std::pair<Value, unsigned> originOf(Value memref, unsigned dim) {
  Operation* buffer = memref.definingOp();
  const auto type = memref.type().cast<MemRefType>();
  if (!buffer || !buffer->is("memref.alloc") || type.dim(dim) != kDynamic) return {memref, dim};
  const auto before = type.shape().first(dim);
  const auto number = static_cast<unsigned>(std::ranges::count(before, kDynamic));
  const Value size = buffer->operand(number);
  Operation* made = size.definingOp();
  if (!made || !made->is("memref.dim")) return {size, kNumber};
  const auto of = constantIntOf(made->operand(1));
  return of ? originOf(made->operand(0), static_cast<unsigned>(*of)) : std::pair{size, kNumber};
}

/// One class: an op is tried against the shape, the sizes and the memory of a chain, and becomes its nodes.
class ChainBuilder {
 public:
  /// `reduces`: a reduction is meant to be in it. Otherwise several waves may have the same row, and
  /// none of them could write a number of it.
  ChainBuilder(unsigned rowLoops, unsigned columnLoops, std::vector<int64_t> sizes, bool reduces)
      : reduces_(reduces) {
    chain_.rowLoops = rowLoops;
    chain_.columnLoops = columnLoops;
    chain_.sizes = std::move(sizes);
    chain_.sources.resize(chain_.sizes.size());
    candidates_.resize(chain_.sizes.size());
  }

  bool add(Operation& op) {
    StructuredOp structured = linalg::asStructured(&op);
    if (!structured || !structured.onBuffers() || op.numResults() || isInHierarchy(op))
      return false;
    role_ = roleOf(structured);
    if (role_ == RowRole::Statistic && !reduces_) return false;
    if (role_ == RowRole::None || !hasRowBody(structured) || !knowsIndices(structured))
      return false;
    if (!findPlaces(structured)) return false;
    if (!fitsMemory(structured) || !fitsSizes(structured)) return false;
    take(structured);
    return true;
  }

  RowChain finish() {
    for (size_t loop = 0; loop < candidates_.size(); ++loop)
      if (!candidates_[loop].empty()) chain_.sources[loop] = sourceOf(loop);
    for (const auto& [memref, known] : memory_)
      if (known.isWritten && !isInner(memref)) chain_.stores.push_back({known.place, known.node});
    // In the order of the program, whatever the addresses of values are.
    std::ranges::sort(chain_.stores, {}, &RowChain::Store::node);
    return std::move(chain_);
  }

 private:
  struct Known {
    RowPlace place;
    int node = -1;
    bool isWritten = false;
    bool isRead = false;  ///< before the chain wrote it
  };

  unsigned numLoops() const { return chain_.rowLoops + chain_.columnLoops; }

  RowRole roleOf(StructuredOp op) const {
    const auto kinds = op.iterators();
    const auto sizes = op.loopSizes();
    if (kinds.size() == chain_.rowLoops)
      return isAll(kinds, IteratorKind::Parallel) ? RowRole::Statistic : RowRole::None;
    if (kinds.size() != numLoops()) return RowRole::None;
    if (!isAll(std::span(kinds).first(chain_.rowLoops), IteratorKind::Parallel))
      return RowRole::None;
    const auto columns = std::span(kinds).subspan(chain_.rowLoops);
    if (isAll(columns, IteratorKind::Reduction)) return RowRole::Reduction;
    if (!isAll(columns, IteratorKind::Parallel)) return RowRole::None;
    const auto isOne = [](int64_t size) { return size == 1; };
    const bool hasOne = std::ranges::all_of(std::span(sizes).subspan(chain_.rowLoops), isOne);
    const bool areOne =
        std::ranges::all_of(std::span(chain_.sizes).subspan(chain_.rowLoops), isOne);
    return hasOne && !areOne ? RowRole::Statistic : RowRole::Rows;
  }

  /// Numbers of loops that are rows or columns by themselves.
  bool knowsIndices(StructuredOp op) const {
    return std::ranges::all_of(op.body().ops(), [&](Operation& inner) {
      if (!inner.is("linalg.index")) return true;
      if (role_ == RowRole::Statistic) return false;
      return (chain_.isColumn(loopOf(inner)) ? chain_.columnLoops : chain_.rowLoops) == 1;
    });
  }

  bool findPlaces(StructuredOp op) {
    places_.clear();
    const auto maps = op.indexingMaps();
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      RowPlace place;
      if (op->operand(i).type().isa<MemRefType>()) {
        auto found = placeOf(op->operand(i), maps[i]);
        if (!found) return false;
        place = *found;
      }
      places_.push_back(std::move(place));
    }
    for (unsigned i = 0; i < op.numOutputs(); ++i)
      if (!isResult(places_[op.numInputs() + i])) return false;
    return role_ != RowRole::Reduction || canReduce(op);
  }

  std::optional<RowPlace> placeOf(Value memref, AffineMap map) const {
    RowPlace place{memref, {}, false};
    unsigned columns = 0;
    for (AffineExpr result : map.results()) {
      const bool isZero = result.kind() == AffineKind::Constant && result.constantValue() == 0;
      if (!isZero && result.kind() != AffineKind::Dim) return std::nullopt;
      const bool isColumn = !isZero && chain_.isColumn(result.position());
      if (isColumn && role_ != RowRole::Statistic) {
        if (result.position() != chain_.rowLoops + columns++) return std::nullopt;
        continue;
      }
      if (columns) return std::nullopt;  // they are the last ones
      const bool isFirst = isZero || isColumn;
      place.loops.push_back(isFirst ? RowPlace::kFirst : static_cast<int>(result.position()));
    }
    if (columns && columns != chain_.columnLoops) return std::nullopt;
    place.hasColumns = columns != 0;
    if (place.hasColumns && !isContiguous(memref, chain_.columnLoops)) return std::nullopt;
    if (!memref.type().cast<MemRefType>().stridedForm()) return std::nullopt;
    return place;
  }

  /// Each row has one of its own.
  bool isResult(const RowPlace& place) const {
    for (unsigned loop = 0; loop < chain_.rowLoops; ++loop)
      if (std::ranges::count(place.loops, static_cast<int>(loop)) != 1) return false;
    return place.hasColumns == (role_ == RowRole::Rows);
  }

  static bool canReduce(StructuredOp op) {
    for (unsigned i = 0; i < op.numOutputs(); ++i)
      if (!combinerOf(op, i)) return false;
    return true;
  }

  /// What the chain writes is read and written at the same place only, and nothing overlaps with it.
  bool fitsMemory(StructuredOp op) const {
    for (unsigned i = 0; i < places_.size(); ++i) {
      if (!places_[i].memref) continue;
      const bool isOutput = i >= op.numInputs();
      for (unsigned j = 0; j < places_.size(); ++j)
        if (places_[j].memref && !fitTogether(places_[i], isOutput, places_[j])) return false;
      for (const auto& [memref, known] : memory_)
        if (known.isWritten && !fitTogether(places_[i], true, known.place)) return false;
      for (const RowPlace& read : reads_)
        if (!fitTogether(places_[i], isOutput, read)) return false;
    }
    return true;
  }

  static bool fitTogether(const RowPlace& a, bool isWritten, const RowPlace& b) {
    if (!isWritten || a == b) return true;
    return memref::viewSource(a.memref) != memref::viewSource(b.memref);
  }

  bool fitsSizes(StructuredOp op) {
    const auto sizes = op.loopSizes();
    const auto found = op.loopSources();
    if (found.size() != sizes.size()) return false;
    for (unsigned loop = 0; loop < sizes.size(); ++loop) {
      if (role_ == RowRole::Statistic && chain_.isColumn(loop)) continue;
      if (sizes[loop] != chain_.sizes[loop]) return false;
      if (sizes[loop] == kDynamic && !isKnownSize(op, loop, found[loop])) return false;
    }
    return true;
  }

  /// The loop indexes memory of the chain, where it has the size that it has there, or has a size that is
  /// made from that.
  bool isKnownSize(StructuredOp op, unsigned loop, StructuredOp::LoopSource found) const {
    if (candidates_[loop].empty()) return true;
    const auto size = originOf(op->operand(found.operand), found.dim);
    for (const auto& [memref, dim] : candidates_[loop])
      if (originOf(memref, dim) == size) return true;
    return std::ranges::any_of(places_, [&](const RowPlace& place) {
      const auto known = memory_.find(place.memref);
      if (known == memory_.end() || known->second.place != place) return false;
      return chain_.isColumn(loop) ? place.hasColumns
                                   : std::ranges::count(place.loops, static_cast<int>(loop)) != 0;
    });
  }

  // -- Nodes ---------------------------------------------------------------------------------------

  void take(StructuredOp op) {
    const auto sizes = op.loopSizes();
    const auto found = op.loopSources();
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (role_ != RowRole::Statistic || !chain_.isColumn(loop))
        candidates_[loop].emplace_back(op->operand(found[loop].operand), found[loop].dim);
    std::vector<int> made;
    for (unsigned i = 0; i < op.numOutputs(); ++i)
      made.push_back(role_ == RowRole::Reduction ? reduceNode(op, i) : mapNode(op, i));
    for (unsigned i = 0; i < op.numOutputs(); ++i) {
      Known& known = memory_[op.outputs()[i]];
      known.place = places_[op.numInputs() + i];
      known.node = made[i];
      known.isWritten = true;
    }
    chain_.ops.push_back(op.op());
  }

  int add(RowNode node) {
    chain_.nodes.push_back(std::move(node));
    return static_cast<int>(chain_.nodes.size()) - 1;
  }

  RowNode& at(int node) { return chain_.nodes[static_cast<size_t>(node)]; }

  int operandNode(StructuredOp op, unsigned i) {
    RowNode node;
    if (!places_[i].memref) {
      node.value = op->operand(i);
      return add(std::move(node));
    }
    Known& known = memory_[places_[i].memref];
    if (known.node >= 0 && known.place == places_[i]) return known.node;
    node.kind = RowNode::Memory;
    node.place = places_[i];
    node.over = places_[i].over();
    const int made = add(std::move(node));
    reads_.push_back(places_[i]);
    known.isRead = true;
    if (known.node < 0) known.place = places_[i];
    if (known.node < 0) known.node = made;
    return made;
  }

  RowNode bodyNode(StructuredOp op, unsigned output, bool withOutputs) {
    RowNode node;
    node.op = op;
    node.output = output;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const Value argument = op.bodyArgument(i);
      const bool isUsed = argument && argument.hasUses() && (withOutputs || i < op.numInputs());
      node.arguments.push_back(isUsed ? operandNode(op, i) : RowNode::kNone);
      if (!isUsed) continue;
      node.over |= at(node.arguments.back()).over;
      node.depth = std::max(node.depth, at(node.arguments.back()).depth);
    }
    for (Operation& inner : op.body().ops())
      if (inner.is("linalg.index")) node.over |= chain_.overLoop(loopOf(inner));
    return node;
  }

  int mapNode(StructuredOp op, unsigned output) {
    RowNode node = bodyNode(op, output, true);
    node.kind = RowNode::Map;
    return add(std::move(node));
  }

  int reduceNode(StructuredOp op, unsigned output) {
    RowNode node = bodyNode(op, output, false);
    node.kind = RowNode::Reduce;
    node.over = chain_.rowLoops ? kOverRows : kOverNothing;
    node.before = operandNode(op, op.numInputs() + output);
    node.depth = std::max(node.depth, at(node.before).depth) + 1;
    node.combine = kindOf(*combinerOf(op, output));
    return add(std::move(node));
  }

  /// Of the memory that has the size of a loop, some that stays.
  std::pair<Value, unsigned> sourceOf(size_t loop) const {
    for (const auto& candidate : candidates_[loop])
      if (Operation* buffer = candidate.first.definingOp(); !buffer || !buffer->is("memref.alloc"))
        return candidate;
    return candidates_[loop].front();
  }

  bool isSource(Value memref) const {
    for (size_t loop = 0; loop < chain_.sources.size(); ++loop)
      if (chain_.sizes[loop] == kDynamic && chain_.sources[loop].first == memref) return true;
    return false;
  }

  /// Memory that nobody else sees.
  bool isInner(Value memref) {
    Operation* buffer = memref.definingOp();
    if (!buffer || !buffer->is("memref.alloc") || memory_.at(memref).isRead) return false;
    if (isSource(memref)) return false;
    std::vector<Operation*> users;
    for (OpOperand& use : memref.uses()) {
      Operation* user = use.owner();
      if (std::ranges::count(chain_.ops, user)) continue;
      if (!user->is("memref.dealloc")) return false;
      users.push_back(user);
    }
    chain_.unneeded.insert(chain_.unneeded.end(), users.begin(), users.end());
    chain_.unneeded.push_back(buffer);
    return true;
  }

  bool reduces_;
  RowChain chain_;
  RowRole role_ = RowRole::None;  // of the op that is tried
  std::vector<RowPlace> places_;  // of its operands
  std::unordered_map<Value, Known> memory_;
  std::vector<RowPlace> reads_;
  std::vector<std::vector<std::pair<Value, unsigned>>> candidates_;  // that have the size of a loop
};

/// Ops that may lie between those of a chain: they neither read nor write memory.
bool mayLieBetween(Operation& op) {
  if (op.hasTrait(Trait::ConstantLike) || op.is("memref.alloc") || op.is("memref.dealloc"))
    return true;
  std::vector<EffectInstance> effects;
  return op.numRegions() == 0 && !op.hasTrait(Trait::Terminator) && effectsOf(op, effects) &&
         effects.empty();
}

/// The last `count` loops index the last dimensions, in their order.
bool endsWith(AffineMap map, unsigned count) {
  if (map.numResults() < count) return false;
  for (unsigned i = 1; i <= count; ++i) {
    const AffineExpr result = map.result(map.numResults() - i);
    if (result.kind() != AffineKind::Dim || result.position() != map.numDims() - i) return false;
  }
  return true;
}

/// As many of the last loops as every operand has all of, next to each other and in their order, or none.
/// One where the number of each loop counts.
unsigned commonColumns(StructuredOp op) {
  if (op.usesIndices()) return 1;
  const auto maps = op.indexingMaps();
  const auto fits = [&](unsigned i, unsigned count) {
    const auto results = maps[i].results();
    const unsigned loop = op.numLoops() - count;
    const bool isUsed =
        std::ranges::any_of(results, [&](AffineExpr result) { return result.usesDim(loop); });
    const bool isLastUsed = std::ranges::any_of(
        results, [&](AffineExpr result) { return result.usesDim(op.numLoops() - 1); });
    if (!isUsed || !isLastUsed) return isUsed == isLastUsed;
    return endsWith(maps[i], count) && isContiguous(op->operand(i), count);
  };
  unsigned count = 1;
  for (; count < op.numLoops(); ++count)
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (op->operand(i).type().isa<MemRefType>() && !fits(i, count + 1)) return count;
  return count;
}

/// Columns of the chain: those of the first reduction from `first` on, else of the op itself.
std::optional<std::pair<unsigned, StructuredOp>> shapeFrom(Operation& first) {
  for (Operation* op = &first; op; op = op->next()) {
    StructuredOp structured = linalg::asStructured(op);
    if (!structured && mayLieBetween(*op)) continue;
    if (!structured || !structured.onBuffers()) break;
    const auto kinds = structured.iterators();
    if (isAll(kinds, IteratorKind::Parallel)) continue;
    if (const unsigned columns = reducedLoops(structured)) return std::pair(columns, structured);
    break;
  }
  StructuredOp itself = linalg::asStructured(&first);
  if (!itself || !itself.onBuffers() || itself.numLoops() == 0) return std::nullopt;
  if (!isAll(itself.iterators(), IteratorKind::Parallel)) return std::nullopt;
  return std::pair(commonColumns(itself), itself);
}

RowChain grow(Operation& first, unsigned columns, StructuredOp model) {
  ChainBuilder builder(model.numLoops() - columns, columns, model.loopSizes(),
                       reducedLoops(model) != 0);
  for (Operation* op = &first; op; op = op->next()) {
    if (builder.add(*op)) continue;
    if (op == &first || linalg::asStructured(op) || !mayLieBetween(*op)) break;
  }
  return builder.finish();
}

}  // namespace

RowChain chainFrom(Operation& first) {
  const auto shape = shapeFrom(first);
  if (!shape) return {};
  RowChain chain = grow(first, shape->first, shape->second);
  if (chain.hasReduction()) return chain;
  StructuredOp itself = linalg::asStructured(&first);
  if (!itself || itself.numLoops() == 0 || !isAll(itself.iterators(), IteratorKind::Parallel))
    return {};
  return grow(first, commonColumns(itself), itself);
}

}  // namespace airlite::gpu
