// air-verify-hierarchy-locality: do the iterations of a launch, segment or herd share memory?
//
// Looks at each kernel operand that lies in the memory of the op's own level: L3 for a launch, L2
// for a segment, L1 for a herd. What different iterations access of it must not overlap, unless
// nobody writes. Changes nothing; an overlap is an error at the op with a note at the access, and
// what cannot be decided is an error with `strict`, a warning without.
//
// Accepted: an iteration space of one point; operands that are only read; memory marked
// air.shrinkage; operands of which a channel op with an id among its indices, or a call with a
// number made from an id, says that every iteration has its own copy; and accesses in which each id
// moves the offset of a dimension far enough: taken by growing coefficient, each at least as large
// as the size of the access plus what smaller ids, inner loops and inner ids add to it.
//
// Of L1 memory by which the cores of a herd hand data to each other (docs/interpreter.md) only what
// several cores write is looked at: they take turns with the rest.
//
// Each access is compared with itself in other iterations, not with other accesses. Uses are
// followed through casts, transposes, executes and nested hierarchy ops; a subview is an access.
#include "airlite/analysis/HandOver.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Dominance.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

// -- Offsets as sums ------------------------------------------------------------------------------

/// constant + sum of coefficient * value. Values are ids, loop variables, or not known further.
struct LinearSum {
  int64_t constant = 0;
  std::vector<std::pair<Value, int64_t>> terms;

  void add(const LinearSum& other, int64_t factor) {
    constant += factor * other.constant;
    for (auto [value, coefficient] : other.terms) {
      auto same = std::find_if(terms.begin(), terms.end(),
                               [&, v = value](const auto& term) { return term.first == v; });
      if (same == terms.end())
        terms.emplace_back(value, factor * coefficient);
      else
        same->second += factor * coefficient;
    }
    std::erase_if(terms, [](const auto& term) { return term.second == 0; });
  }
  bool isConstant() const { return terms.empty(); }
};

// Larger numbers are not offsets into a memory; within them sums of products cannot overflow.
constexpr int64_t kLargest = int64_t{1} << 30;
// What one variable may move an offset by; sums of some thousands of these cannot overflow.
constexpr int64_t kFarthest = int64_t{1} << 50;

/// Null when the value is not a sum of products with constants, or numbers are out of range.
class LinearReader {
 public:
  std::optional<LinearSum> operator()(Value value) {
    if (++steps_ > kMaxSteps) return std::nullopt;
    std::optional<LinearSum> sum = read(value);
    if (!sum) return sum;
    bool small = std::abs(sum->constant) <= kLargest;
    for (auto& term : sum->terms)
      small &= std::abs(term.second) <= kLargest;
    return small ? sum : std::nullopt;
  }

  std::optional<LinearSum> readExpr(AffineExpr expr, const affine::Application& application) {
    if (std::optional<int64_t> constant = expr.constantValue()) return LinearSum{*constant, {}};
    if (expr.kind() == AffineKind::Dim) return (*this)(application.dims()[expr.position()]);
    if (expr.kind() == AffineKind::Symbol) return (*this)(application.symbols()[expr.position()]);
    if (expr.kind() != AffineKind::Add && expr.kind() != AffineKind::Mul) return std::nullopt;
    std::optional<LinearSum> lhs = readExpr(expr.lhs(), application);
    std::optional<LinearSum> rhs = readExpr(expr.rhs(), application);
    return combine(lhs, rhs, expr.kind() == AffineKind::Add ? "arith.addi" : "arith.muli");
  }

 private:
  // An expression of that many operations is a program made to be slow.
  static constexpr unsigned kMaxSteps = 10000;

  static std::optional<LinearSum> combine(const std::optional<LinearSum>& lhs,
                                          const std::optional<LinearSum>& rhs,
                                          std::string_view op) {
    if (!lhs || !rhs) return std::nullopt;
    LinearSum result;
    if (op == "arith.muli") {
      if (!lhs->isConstant() && !rhs->isConstant()) return std::nullopt;
      result.add(lhs->isConstant() ? *rhs : *lhs,
                 lhs->isConstant() ? lhs->constant : rhs->constant);
      return result;
    }
    result.add(*lhs, 1);
    result.add(*rhs, op == "arith.addi" ? 1 : -1);
    return result;
  }

  std::optional<LinearSum> read(Value value) {
    if (std::optional<int64_t> constant = constantIntOf(value)) return LinearSum{*constant, {}};
    if (value.isBlockArgument()) return readArgument(value);
    Operation* op = value.definingOp();
    if (isa<air::ExecuteOp>(op) && value.index() > 0)
      return (*this)(air::ExecuteOp(op).body().back().operand(value.index() - 1));
    if (op->is("arith.index_cast")) return (*this)(op->operand(0));
    if (isa<affine::ApplyOp>(op)) {
      affine::Application application = affine::ApplyOp(op).application();
      return readExpr(application.map.result(0), application);
    }
    if (op->is("arith.addi") || op->is("arith.subi") || op->is("arith.muli"))
      return combine((*this)(op->operand(0)), (*this)(op->operand(1)), op->name());
    return LinearSum{0, {{value, 1}}};
  }

  std::optional<LinearSum> readArgument(Value value) {
    air::HierarchyOp op = air::asHierarchy(value.argumentBlock()->parentOp());
    if (op && value.index() >= 2 * op.numDims()) return (*this)(op.tiedOperand(value));
    bool isSize = op && value.index() >= op.numDims();
    if (isSize) return (*this)(op.sizes()[value.index() - op.numDims()]);
    return LinearSum{0, {{value, 1}}};
  }

  unsigned steps_ = 0;
};

/// How far apart the values of a loop variable or id are, and how many there are.
struct Range {
  int64_t step = 1;
  int64_t count = 0;
};

std::optional<Range> rangeOf(Value variable) {
  if (!variable.isBlockArgument()) return std::nullopt;
  Operation* owner = variable.argumentBlock()->parentOp();
  unsigned at = variable.index();
  if (air::HierarchyOp op = air::asHierarchy(owner)) {
    if (at >= op.numDims()) return std::nullopt;
    std::optional<LinearSum> size = LinearReader()(op.sizes()[at]);
    if (!size || !size->isConstant()) return std::nullopt;
    return Range{1, size->constant};
  }
  auto range = [](Value lower, Value upper, Value step) -> std::optional<Range> {
    std::optional<int64_t> from = constantIntOf(lower), to = constantIntOf(upper),
                           by = constantIntOf(step);
    if (!from || !to || !by) return std::nullopt;
    std::optional<int64_t> count = scf::constantTripCount(*from, *to, *by);
    if (!count || *count > kLargest || *by > kLargest) return std::nullopt;
    return Range{*by, *count};
  };
  if (auto loop = dynCast<scf::ForOp>(owner); loop && at == 0)
    return range(loop.lowerBound(), loop.upperBound(), loop.step());
  if (auto loop = dynCast<affine::ForOp>(owner); loop && at == 0) {
    std::optional<int64_t> count = loop.tripCount();
    if (!count || *count > kLargest || loop.step() > kLargest) return std::nullopt;
    return Range{loop.step(), *count};
  }
  if (auto loop = dynCast<scf::ParallelOp>(owner); loop && at < loop.numLoops())
    return range(loop.lowerBounds()[at], loop.upperBounds()[at], loop.steps()[at]);
  return std::nullopt;
}

// -- Accesses -------------------------------------------------------------------------------------

/// What an op takes of a memref. Without dimensions: all of it.
struct Footprint {
  std::vector<std::optional<LinearSum>> offsets;
  std::vector<std::optional<LinearSum>> sizes;
  bool known = true;
};

std::optional<LinearSum> readEntry(const air::IndexEntry& entry) {
  return entry.value ? LinearReader()(entry.value) : LinearSum{entry.constant, {}};
}

Footprint footprintOf(const air::Access& access) {
  Footprint result;
  for (const air::IndexEntry& entry : access.offsets)
    result.offsets.push_back(readEntry(entry));
  for (const air::IndexEntry& entry : access.sizes)
    result.sizes.push_back(readEntry(entry));
  result.known = result.offsets.size() == result.sizes.size();
  return result;
}

/// Of `indices`; the last dimensions have the sizes of `shape`, the others size 1.
Footprint footprintOf(OperandRange indices, std::span<const int64_t> shape) {
  Footprint result;
  for (Value index : indices)
    result.offsets.push_back(LinearReader()(index));
  result.sizes.assign(result.offsets.size(), LinearSum{1, {}});
  result.known = shape.size() <= result.sizes.size();
  for (size_t i = 0; result.known && i < shape.size(); ++i)
    result.sizes[result.sizes.size() - shape.size() + i] = LinearSum{shape[i], {}};
  return result;
}

Footprint footprintOf(memref::SubViewOp view) {
  Footprint result;
  auto entry = [](memref::MixedIndex index) {
    return index.value ? LinearReader()(index.value) : LinearSum{index.constant, {}};
  };
  for (memref::MixedIndex offset : view.offsets())
    result.offsets.push_back(entry(offset));
  for (memref::MixedIndex size : view.sizes())
    result.sizes.push_back(entry(size));
  for (memref::MixedIndex stride : view.strides())
    result.known &= stride.isConstant() && stride.constant == 1;
  return result;
}

Footprint footprintOf(affine::AccessOp access) {
  Footprint result;
  affine::Application application = access.access();
  for (AffineExpr expr : application.map.results())
    result.offsets.push_back(LinearReader().readExpr(expr, application));
  result.sizes.assign(result.offsets.size(), LinearSum{1, {}});
  return result;
}

/// What `op` takes through its operand number `operand`.
Footprint footprintOf(Operation& op, unsigned operand) {
  if (isa<air::DmaMemcpyNdOp>(&op)) {
    air::DmaMemcpyNdOp dma(&op);
    bool isDst = operand == op.operandGroupBounds(unsigned(op.def().operandIndex("dst"))).first;
    return footprintOf(isDst ? dma.dst() : dma.src());
  }
  if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
    return footprintOf(air::ChannelAccessOp(&op).access());
  if (isa<memref::SubViewOp>(&op)) return footprintOf(memref::SubViewOp(&op));
  if (isa<memref::LoadOp>(&op)) return footprintOf(memref::LoadOp(&op).indices(), {});
  if (isa<memref::StoreOp>(&op)) return footprintOf(memref::StoreOp(&op).indices(), {});
  if (isa<affine::LoadOp>(&op) || isa<affine::StoreOp>(&op))
    return footprintOf(affine::AccessOp(&op));
  bool transfer = op.is("vector.transfer_read") || op.is("vector.transfer_write");
  if (transfer || op.is("vector.load") || op.is("vector.store")) {
    bool writes = op.is("vector.transfer_write") || op.is("vector.store");
    auto vector = (writes ? op.operand(0) : op.result()).type().dynCast<VectorType>();
    auto map = op.attrOf<AffineMapAttr>("permutation_map");
    OperandRange indices = op.operandGroup("indices");
    Footprint result = footprintOf(indices, vector ? vector.shape() : std::span<const int64_t>());
    // Only the last dimensions in their order: the map's results are the last dims.
    if (map)
      for (unsigned i = 0, n = map.value().numResults(); i < n; ++i)
        result.known &=
            map.value().result(i) == AffineExpr::dim(op.context(), map.value().numDims() - n + i);
    return result;
  }
  return {};  // all of it
}

enum class Verdict { Apart, Overlap, Unknown };

/// Do iterations of `op` that differ in an id stay apart?
class IterationCheck {
 public:
  explicit IterationCheck(air::HierarchyOp op) : op_(op) {
    for (unsigned i = 0; i < op.numDims(); ++i) {
      std::optional<Range> range = rangeOf(op.id(i));
      if (!range || range->count > 1) ids_.push_back(op.id(i));
    }
  }

  bool isTrivial() const { return ids_.empty(); }

  bool dependsOnId(Value value) const {
    std::optional<LinearSum> sum = LinearReader()(value);
    return sum && std::any_of(sum->terms.begin(), sum->terms.end(),
                              [&](const auto& term) { return isId(term.first); });
  }

  Verdict check(const Footprint& footprint) const {
    if (!footprint.known) return Verdict::Unknown;
    std::unordered_set<Value> separated;
    Verdict worst = Verdict::Apart;
    for (size_t i = 0; i < footprint.offsets.size(); ++i)
      worst = std::max(worst, checkDimension(footprint.offsets[i], footprint.sizes[i], separated));
    if (separated.size() == ids_.size()) return Verdict::Apart;
    return worst == Verdict::Unknown ? Verdict::Unknown : Verdict::Overlap;
  }

 private:
  bool isId(Value value) const { return std::find(ids_.begin(), ids_.end(), value) != ids_.end(); }

  /// Adds the ids that this dimension keeps apart.
  Verdict checkDimension(const std::optional<LinearSum>& offset,
                         const std::optional<LinearSum>& size,
                         std::unordered_set<Value>& separated) const {
    if (!offset) return Verdict::Unknown;
    struct Mover {
      int64_t distance, count;
      Value id;
    };
    std::vector<Mover> movers;
    bool sized = size && size->isConstant();
    int64_t span = sized ? size->constant : 0;
    for (auto [value, coefficient] : offset->terms) {
      if (!isInside(value, op_->region())) continue;  // the same in all iterations
      std::optional<Range> range = rangeOf(value);
      int64_t distance = std::abs(coefficient) * (range ? range->step : 1), reach = 0;
      if (range && (__builtin_mul_overflow(distance, range->count, &reach) || reach > kFarthest))
        return Verdict::Unknown;
      if (isId(value))
        movers.push_back({distance, range ? range->count : kDynamic, value});
      else if (!range)
        sized = false;
      else
        span += distance * std::max<int64_t>(range->count - 1, 0);
    }
    if (movers.empty()) return Verdict::Apart;
    if (!sized) return Verdict::Unknown;
    std::sort(movers.begin(), movers.end(),
              [](const Mover& a, const Mover& b) { return a.distance < b.distance; });
    for (const Mover& mover : movers) {
      if (mover.distance < span) return Verdict::Overlap;
      separated.insert(mover.id);
      if (mover.count == kDynamic && mover.id != movers.back().id) return Verdict::Unknown;
      if (mover.count != kDynamic) span += mover.distance * (mover.count - 1);
    }
    return Verdict::Apart;
  }

  air::HierarchyOp op_;
  std::vector<Value> ids_;  // those with several values
};

// -- The pass -------------------------------------------------------------------------------------

struct Use {
  Operation* op;
  unsigned operand;
};

/// The accesses that `value` leads to, through ops that only pass it on.
void collectUses(Value value, std::vector<Use>& uses) {
  std::vector<Value> open{value};
  std::unordered_set<Value> seen{value};
  auto follow = [&](Value next) {
    if (seen.insert(next).second) open.push_back(next);
  };
  while (!open.empty()) {
    Value at = open.back();
    open.pop_back();
    std::vector<Use> here;
    for (OpOperand& use : at.uses())
      here.push_back({use.owner(), use.index()});
    for (Use use : here) {
      Operation* parent = use.op->parentOp();
      if (use.op->is("memref.cast") || use.op->is("memref.transpose")) {
        follow(use.op->result());
      } else if (use.op->is("air.execute_terminator")) {
        follow(parent->result(use.operand + 1));
      } else if (air::HierarchyOp inner = air::asHierarchy(use.op)) {
        unsigned group = static_cast<unsigned>(isa<air::RankOp>(use.op) ? 3 : 2);
        follow(inner.kernelArgument(use.operand - use.op->operandGroupBounds(group).first));
      } else if (!isa<memref::DeallocOp>(use.op)) {
        uses.push_back(use);
      }
    }
  }
}

bool onlyReads(const Use& use) {
  std::vector<EffectInstance> effects;
  if (isa<memref::SubViewOp>(use.op)) {
    std::vector<Use> ofView;
    collectUses(use.op->result(), ofView);
    return std::all_of(ofView.begin(), ofView.end(), onlyReads);
  }
  if (!effectsOf(*use.op, effects)) return false;
  Value value = use.op->operand(use.operand);
  return std::none_of(effects.begin(), effects.end(), [&](const EffectInstance& effect) {
    return effect.value == value && effect.effect != Effect::Read;
  });
}

bool isShrunk(Value value) {
  for (Operation* op = value.definingOp(); op; op = value.definingOp()) {
    if (op->hasAttr("air.shrinkage")) return true;
    if (!isa<air::ExecuteOp>(op) || value.index() == 0) return false;
    value = air::ExecuteOp(op).body().back().operand(value.index() - 1);
  }
  return false;
}

/// The program says that each iteration has its own copy.
bool isReplicated(const Use& use, const IterationCheck& check) {
  if (isa<air::ChannelPutOp>(use.op) || isa<air::ChannelGetOp>(use.op)) {
    OperandRange indices = air::ChannelAccessOp(use.op).indices();
    return std::any_of(indices.begin(), indices.end(),
                       [&](Value index) { return check.dependsOnId(index); });
  }
  if (!isa<func::CallOp>(use.op)) return false;
  OperandRange operands = use.op->operands();
  return std::any_of(operands.begin(), operands.end(), [&](Value operand) {
    return operand.type().isIntOrIndex() && check.dependsOnId(operand);
  });
}

class VerifyHierarchyLocality : public Pass {
 public:
  VerifyHierarchyLocality()
      : Pass("air-verify-hierarchy-locality", "Checks that iterations do not share memory") {
    anchor("builtin.module");
    option("strict", strict_, "what cannot be decided is an error");
    example("airlite-opt --air-verify-hierarchy-locality='strict=false' in.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    ok_ = true;
    module.walk([&](Operation& op) {
      if (isa<air::LaunchOp>(&op)) verify(air::HierarchyOp(&op), air::MemoryLevel::L3);
      if (isa<air::SegmentOp>(&op)) verify(air::HierarchyOp(&op), air::MemoryLevel::L2);
      if (isa<air::HerdOp>(&op)) verify(air::HierarchyOp(&op), air::MemoryLevel::L1);
    });
    return ok_ ? PassResult::Unchanged : PassResult::Failed;
  }

 private:
  void verify(air::HierarchyOp op, air::MemoryLevel level) {
    IterationCheck check(op);
    if (check.isTrivial()) return;
    for (unsigned i = 0; i < op.numKernelOperands(); ++i) {
      Value operand = op.kernelOperands()[i];
      if (!operand.type().isa<MemRefType>() && !operand.type().isa<UnrankedMemRefType>()) continue;
      if (air::memoryLevel(operand.type()) == level && !isShrunk(operand))
        verifyOperand(op, i, check);
    }
  }

  void verifyOperand(air::HierarchyOp op, unsigned number, const IterationCheck& check) {
    std::vector<Use> uses;
    collectUses(op.kernelArgument(number), uses);
    if (std::all_of(uses.begin(), uses.end(), onlyReads)) return;
    for (const Use& use : uses)
      if (isReplicated(use, check)) return;
    keepSharedTurns(op.kernelOperands()[number], uses);
    for (const Use& use : uses) {
      bool opaque = isa<func::CallOp>(use.op);
      Verdict verdict = opaque ? Verdict::Unknown : check.check(footprintOf(*use.op, use.operand));
      if (verdict == Verdict::Apart) continue;
      return report(op, number, use, verdict);
    }
  }

  /// Cores that take turns with L1 memory meet in turns of writing only.
  static void keepSharedTurns(Value operand, std::vector<Use>& uses) {
    if (air::memoryLevel(operand.type()) != air::MemoryLevel::L1) return;
    const analysis::HandOver shared = analysis::handOverOf(analysis::allocationOf(operand));
    if (!shared.isShared || shared.herds.size() != 1) return;
    std::unordered_map<Operation*, unsigned> writers;
    for (const analysis::CoreUses& core : shared.cores)
      for (const analysis::MemoryUse& use : core.uses)
        writers[use.op] += use.writes;
    std::erase_if(uses, [&](const Use& use) {
      const auto found = writers.find(use.op);
      return found != writers.end() && found->second < 2;
    });
  }

  void report(air::HierarchyOp op, unsigned number, const Use& use, Verdict verdict) {
    bool error = strict_ || verdict == Verdict::Overlap;
    ok_ &= !error;
    InFlightDiagnostic message = error ? op->emitOpError() : op->emitWarning();
    message << "kernel operand #" << number
            << (verdict == Verdict::Overlap
                    ? " is accessed by several iterations at the same place"
                    : " is accessed in a way that may overlap between iterations");
    message.note(use.op->location()) << "access here";
  }

  bool strict_ = true;
  bool ok_ = true;
};

}  // namespace

void registerVerifyHierarchyLocality(PassRegistry& registry) {
  registry.add<VerifyHierarchyLocality>();
}

}  // namespace airlite
