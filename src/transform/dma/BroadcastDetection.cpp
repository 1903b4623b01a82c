// air-broadcast-detection: finds DMAs that give several cores of a herd the same data.
//
// Matches air.dma_memcpy_nd in a herd of two constant sizes X and Y, from a buffer that all cores
// share into L1. What a core copies is the same on all cores that differ only in an id on which
// neither the access nor the control flow around it depends. The DMA gets `broadcast_pattern`, a
// set over the ids of a receiving core (d0, d1) and the number of its group (s0):
//   depends on x only, Y > 1:  d0 - s0 == 0, d1 in [0, Y), s0 in [0, X)
//   depends on y only, X > 1:  d0 in [0, X), d1 - s0 == 0, s0 in [0, Y)
//   depends on neither:        d0 in [0, X), d1 in [0, Y), s0 in [0, 1)
// An id of a dimension of size 1 counts as one on which nothing depends; a group that is a whole
// line of such a herd has one of the first two forms. air-specialize-dma-broadcast reads the set.
//
// Declines, with a remark: a herd of other shape, a DMA that has a pattern or a set, a source that
// is not an argument of the herd or a view of one, a source that the herd writes (cores may see it
// before and after), a DMA that depends on both ids or on what cannot be followed to them.
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <unordered_map>

namespace airlite {

namespace {

// Ids on which a value depends, as bits. What cannot be followed depends on both.
using Ids = unsigned;
constexpr Ids kNone = 0, kX = 1, kY = 2, kBoth = kX | kY;

/// On which ids of a herd its values and its control flow depend.
class IdReader {
 public:
  explicit IdReader(air::HerdOp herd) : herd_(herd) {}

  /// Through sums, where ids may cancel out.
  Ids ofIndex(Value value) {
    Ids ids = kNone;
    for (const analysis::LinearSum::Term& term : linear_.read(value).terms)
      ids |= ofValue(term.symbol);
    return ids;
  }

  Ids ofEntries(const std::vector<air::IndexEntry>& entries) {
    Ids ids = kNone;
    for (const air::IndexEntry& entry : entries)
      if (entry.value) ids |= ofIndex(entry.value);
    return ids;
  }

  /// Which elements, and the views on the way to the buffer.
  Ids ofAccess(const air::Access& access) {
    Ids ids = ofEntries(access.offsets) | ofEntries(access.sizes) | ofEntries(access.strides);
    for (Value at = access.memref; at;) {
      Value before = air::bufferBefore(at);
      Operation* view = before ? at.definingOp() : nullptr;
      if (view && !isa<air::ExecuteOp>(view))
        for (Value operand : view->operands())
          if (operand != before) ids |= ofIndex(operand);
      at = before;
    }
    return ids;
  }

  /// Whether, and how often, `op` runs.
  Ids ofControl(Operation& op) {
    Ids ids = kNone;
    for (Operation* up = op.parentOp(); up != herd_.op(); up = up->parentOp())
      ids |= ofControlOp(*up);
    return ids;
  }

 private:
  Ids ofValue(Value value) {
    if (!herd_->region().isProperAncestor(value.parentRegion()) &&
        value.parentRegion() != &herd_->region())
      return kNone;  // outside: one value for all cores
    if (auto known = known_.find(value); known != known_.end()) return known->second;
    known_[value] = kBoth;  // a value that depends on itself is not followed
    Ids ids = value.isBlockArgument() ? ofArgument(value) : ofResult(value);
    known_[value] = ids;
    return ids;
  }

  Ids ofOperands(OperandRange operands) {
    Ids ids = kNone;
    for (Value operand : operands)
      ids |= ofIndex(operand);
    return ids;
  }

  Ids ofArgument(Value argument) {
    Operation* owner = argument.argumentBlock()->parentOp();
    if (owner == herd_.op()) return ofHerdArgument(argument);
    bool isVariable = argument.type().isIntOrIndex() && argument.index() < numVariables(*owner);
    return isVariable ? ofBounds(*owner) : kBoth;
  }

  Ids ofHerdArgument(Value argument) const {
    if (argument == herd_.id(0)) return kX;
    return argument == herd_.id(1) ? kY : kNone;
  }

  static unsigned numVariables(Operation& loop) {
    if (isa<scf::ForOp>(&loop) || isa<affine::ForOp>(&loop)) return 1;
    if (isa<scf::ParallelOp>(&loop)) return scf::ParallelOp(&loop).numLoops();
    return isa<affine::ParallelOp>(&loop) ? affine::ParallelOp(&loop).numDims() : 0;
  }

  /// Of the bounds and steps of a loop.
  Ids ofBounds(Operation& loop) {
    if (isa<scf::ForOp>(&loop)) return ofOperands(loop.operands().slice(0, 3));
    if (isa<scf::ParallelOp>(&loop))
      return ofOperands(loop.operands().slice(0, 3 * scf::ParallelOp(&loop).numLoops()));
    if (isa<affine::ForOp>(&loop))
      return ofOperands(affine::ForOp(&loop).lowerBoundOperands()) |
             ofOperands(affine::ForOp(&loop).upperBoundOperands());
    return isa<affine::ParallelOp>(&loop) ? ofOperands(loop.operands()) : kBoth;
  }

  Ids ofResult(Value result) {
    Operation& op = *result.definingOp();
    if (isa<air::ExecuteOp>(&op) && result.index() > 0)
      return ofIndex(air::ExecuteOp(&op).body().back().operand(result.index() - 1));
    return op.numRegions() == 0 && isMemoryEffectFree(op) ? ofOperands(op.operands()) : kBoth;
  }

  Ids ofControlOp(Operation& op) {
    if (numVariables(op) > 0) return ofBounds(op);
    if (isa<scf::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op) || isa<affine::IfOp>(&op))
      return ofOperands(op.operands());
    return kBoth;
  }

  air::HerdOp herd_;
  analysis::LinearReader linear_;
  std::unordered_map<Value, Ids> known_;
};

/// The kernel argument that the source is, or is a view of; null for others.
Value sharedSource(air::DmaMemcpyNdOp dma, air::HerdOp herd) {
  Value buffer = air::bufferSource(dma.src().memref);
  bool isArgument = buffer.isBlockArgument() && buffer.argumentBlock() == &herd.body();
  return isArgument ? buffer : Value();
}

/// `op` does at most read what `operand` is, and passes it on to nothing that bufferBefore() does
/// not see through.
bool onlyReads(Operation& op, Value operand) {
  if (op.is("air.execute_terminator")) return true;
  if (op.hasTrait(Trait::Terminator)) return false;
  if (op.numRegions() > 0 && !linalg::asStructured(&op)) return false;
  for (Value result : op.resultValues())
    if (result.type().isa<MemRefType>() && air::bufferBefore(result) != operand) return false;
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return false;
  return std::none_of(effects.begin(), effects.end(), [&](const EffectInstance& effect) {
    return effect.effect == Effect::Write && (!effect.value || effect.value == operand);
  });
}

/// Something in the herd may write what `buffer` is, or another name of it among the arguments.
bool isWritten(air::HerdOp herd, Value buffer) {
  Value outside = herd.tiedOperand(buffer);
  auto isAlias = [&](Value value) {
    if (!value.type().isa<MemRefType>()) return false;
    Value source = air::bufferSource(value);
    if (!source.isBlockArgument() || source.argumentBlock() != &herd.body()) return false;
    return air::bufferSource(herd.tiedOperand(source)) == air::bufferSource(outside);
  };
  WalkResult result = herd->walkWith([&](Operation& op) {
    if (&op == herd.op()) return WalkResult::Advance;
    for (Value operand : op.operands())
      if (isAlias(operand) && !onlyReads(op, operand)) return WalkResult::Interrupt;
    return WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

// -- The set --------------------------------------------------------------------------------------

class PatternWriter {
 public:
  explicit PatternWriter(Context& context)
      : context_(context),
        x_(AffineExpr::dim(context, 0)),
        y_(AffineExpr::dim(context, 1)),
        group_(AffineExpr::symbol(context, 0)) {}

  PatternWriter& equal(AffineExpr a, AffineExpr b) { return add(a - b, true); }
  /// 0 <= expr < size.
  PatternWriter& within(AffineExpr expr, int64_t size) {
    return add(expr, false).add(-expr + (size - 1), false);
  }
  AffineExpr x() const { return x_; }
  AffineExpr y() const { return y_; }
  AffineExpr group() const { return group_; }
  IntegerSet set() const { return IntegerSet::get(context_, 2, 1, constraints_, equal_); }

 private:
  PatternWriter& add(AffineExpr expr, bool equal) {
    constraints_.push_back(expr);
    equal_.push_back(equal);
    return *this;
  }

  Context& context_;
  AffineExpr x_, y_, group_;
  std::vector<AffineExpr> constraints_;
  std::vector<bool> equal_;
};

/// The pattern of a copy that depends on `ids`; null when each core is alone.
IntegerSet patternOf(Context& context, Ids ids, int64_t sizeX, int64_t sizeY) {
  if (sizeX == 1) ids &= ~kX;
  if (sizeY == 1) ids &= ~kY;
  PatternWriter w(context);
  bool isLine = ids == kNone && (sizeX == 1 || sizeY == 1);
  if (sizeY > 1 && (ids == kX || (isLine && sizeX == 1)))
    return w.equal(w.x(), w.group()).within(w.y(), sizeY).within(w.group(), sizeX).set();
  if (sizeX > 1 && (ids == kY || isLine))
    return w.within(w.x(), sizeX).equal(w.y(), w.group()).within(w.group(), sizeY).set();
  if (ids == kNone && !isLine)
    return w.within(w.x(), sizeX).within(w.y(), sizeY).within(w.group(), 1).set();
  return {};
}

class BroadcastDetection : public Pass {
 public:
  BroadcastDetection()
      : Pass("air-broadcast-detection", "Finds DMAs that give several cores the same data") {
    anchor("builtin.module");
    example("airlite-opt --air-broadcast-detection in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = false;
    module.walk([&](Operation& op) {
      if (isa<air::HerdOp>(&op)) changed |= detect(air::HerdOp(&op), context);
    });
    return changedIf(changed);
  }

 private:
  static bool detect(air::HerdOp herd, PassContext& context) {
    std::vector<Operation*> dmas;
    herd->walk([&](Operation& op) {
      if (isa<air::DmaMemcpyNdOp>(&op) && fillsL1(air::DmaMemcpyNdOp(&op))) dmas.push_back(&op);
    });
    bool changed = false;
    IdReader ids(herd);
    for (Operation* dma : dmas) {
      std::string_view obstacle = mark(air::DmaMemcpyNdOp(dma), herd, ids);
      if (!obstacle.empty()) context.remark(*dma, obstacle);
      changed |= obstacle.empty();
    }
    return changed;
  }

  static bool fillsL1(air::DmaMemcpyNdOp dma) {
    return air::memoryLevel(dma.dst().memref.type()) == air::MemoryLevel::L1 &&
           air::memoryLevel(dma.src().memref.type()) != air::MemoryLevel::L1;
  }

  /// Empty when it got a pattern, else why not.
  static std::string_view mark(air::DmaMemcpyNdOp dma, air::HerdOp herd, IdReader& ids) {
    if (dma->hasAttr("broadcast_pattern") || dma->hasAttr("broadcast_set"))
      return "it has a broadcast pattern or set";
    std::optional<std::vector<int64_t>> sizes = herd.constantSizes();
    if (!sizes || sizes->size() != 2) return "the herd is not of two constant sizes";
    Value source = sharedSource(dma, herd);
    if (!source) return "its source is not shared by the cores of the herd";
    if (isWritten(herd, source)) return "the herd may write its source";
    Ids depends = ids.ofAccess(dma.src()) | ids.ofEntries(dma.dst().sizes) | ids.ofControl(*dma);
    IntegerSet pattern = patternOf(dma->context(), depends, (*sizes)[0], (*sizes)[1]);
    if (!pattern) return "each core gets data of its own";
    dma->setAttr("broadcast_pattern", IntegerSetAttr::get(pattern));
    return {};
  }
};

}  // namespace

void registerBroadcastDetection(PassRegistry& registry) { registry.add<BroadcastDetection>(); }

}  // namespace airlite
