// Which transfers an argument or data decides about, and whether that can make a program hang.
#include "OpenControl.hpp"

#include "ChannelPlaces.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::analysis {

namespace {

/// What a value depends on that the program does not fix.
enum class Openness : uint8_t { Fixed, Argument, Data };

std::string_view textOf(Openness openness) {
  return openness == Openness::Data ? "data" : "an argument of the function";
}

void addOperands(Operation& op, std::vector<Value>& to) {
  for (const Value operand : op.operands())
    to.push_back(operand);
}

/// What the regions of `op` end with.
void addEnds(Operation& op, std::vector<Value>& to) {
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      if (!block.empty()) addOperands(block.back(), to);
}

/// Of a loop, whose bounds are judged by themselves.
bool isCounter(Operation& owner, Value argument) {
  if (isa<scf::ForOp>(&owner) || isa<affine::ForOp>(&owner)) return argument.index() == 0;
  return isa<scf::ParallelOp>(&owner) && argument.index() < scf::ParallelOp(&owner).numLoops();
}

/// Follows values back to constants, ids and counters of loops, or to what is open.
class OpenValues {
 public:
  Openness of(Value value) { return ofAll(std::vector{value}); }

  template <class Values> Openness ofAll(const Values& values) {
    Openness most = Openness::Fixed;
    for (const Value value : values) {
      const auto [known, isNew] = known_.try_emplace(value, Openness::Fixed);
      if (isNew) known->second = follow(value);
      most = std::max(most, known->second);
    }
    return most;
  }

 private:
  Openness follow(Value value) {
    Openness most = Openness::Fixed;
    std::unordered_set<Value> seen;
    std::vector<Value> open{value};
    while (!open.empty() && most != Openness::Data) {
      const Value next = open.back();
      open.pop_back();
      if (!seen.insert(next).second) continue;
      const Openness own = next.isBlockArgument() ? ofArgument(next, open) : ofResult(next, open);
      most = std::max(most, own);
    }
    return most;
  }

  /// What it is by itself; adds what it is computed from.
  static Openness ofResult(Value value, std::vector<Value>& open) {
    Operation& op = *value.definingOp();
    if (constantIntOf(value)) return Openness::Fixed;
    if (op.numRegions() == 0 && !isPure(op)) return Openness::Data;
    addOperands(op, open);
    addEnds(op, open);
    return Openness::Fixed;
  }

  Openness ofArgument(Value argument, std::vector<Value>& open) {
    Operation& owner = *argument.argumentBlock()->parentOp();
    if (const air::HierarchyOp level = air::asHierarchy(&owner))
      return ofTied(level, argument, open);
    if (isa<func::FuncOp>(&owner) && argument.argumentBlock()->isEntry())
      return ofParameter(owner, argument.index(), open);
    if (isCounter(owner, argument)) return Openness::Fixed;
    addOperands(owner, open);
    addEnds(owner, open);
    return Openness::Fixed;
  }

  static Openness ofTied(air::HierarchyOp level, Value argument, std::vector<Value>& open) {
    if (argument.index() < level.numDims()) return Openness::Fixed;
    const unsigned size = argument.index() - level.numDims();
    const Value outside =
        size < level.numDims() ? level.sizes()[size] : level.tiedOperand(argument);
    if (!outside) return Openness::Data;
    open.push_back(outside);
    return Openness::Fixed;
  }

  /// Of a function that is called: what its calls hand to it.
  Openness ofParameter(Operation& function, unsigned index, std::vector<Value>& open) {
    const std::vector<Operation*>& calls = callsOf(function);
    for (Operation* call : calls)
      open.push_back(call->operand(index));
    return calls.empty() ? Openness::Argument : Openness::Fixed;
  }

  const std::vector<Operation*>& callsOf(Operation& function) {
    if (!areCallsKnown_ && function.parentOp())
      function.parentOp()->walk([&](Operation& op) {
        if (!isa<func::CallOp>(&op)) return;
        if (const func::FuncOp callee = func::CallOp(&op).function())
          calls_[callee.op()].push_back(&op);
      });
    areCallsKnown_ = true;
    return calls_[&function];
  }

  std::unordered_map<Value, Openness> known_;
  std::unordered_map<Operation*, std::vector<Operation*>> calls_;
  bool areCallsKnown_ = false;
};

/// Puts and gets of a part of the program.
class Transfers {
 public:
  /// Inside of `op`, in the order of the program, also in functions that are called.
  const std::vector<Operation*>& of(Operation& op) {
    const auto [found, isNew] = known_.try_emplace(&op);
    if (!isNew) return found->second;
    std::vector<Operation*> all;
    op.walk([&](Operation& inner) {
      if (air::isChannelAccess(inner)) all.push_back(&inner);
      const func::FuncOp callee =
          isa<func::CallOp>(&inner) ? func::CallOp(&inner).function() : func::FuncOp();
      if (!callee || callee.isDeclaration()) return;
      const std::vector<Operation*>& called = of(*callee.op());
      all.insert(all.end(), called.begin(), called.end());
    });
    return known_[&op] = std::move(all);
  }

 private:
  std::unordered_map<Operation*, std::vector<Operation*>> known_;
};

/// Whether two regions transfer the same, in the same order, so that nobody outside can tell which of them ran.
class SameTransfers {
 public:
  explicit SameTransfers(Transfers& transfers) : transfers_(transfers) {}

  bool areSame(Region& first, Region& second) {
    const std::vector<Operation*>&a = steps(first), &b = steps(second);
    return std::ranges::equal(a, b, [&](Operation* x, Operation* y) { return isSame(*x, *y); });
  }

  /// All that `op` may do instead of each other.
  bool areSame(Operation& op) {
    for (Region& region : op.regions())
      if (!areSame(op.region(0), region)) return false;
    return true;
  }

 private:
  /// Ops that transfer, and of conditionals whose branches are the same those of one branch.
  const std::vector<Operation*>& steps(Region& region) {
    if (const auto known = steps_.find(&region); known != steps_.end()) return known->second;
    std::vector<Operation*> found = findSteps(region);  // it asks for those of regions inside
    return steps_[&region] = std::move(found);
  }

  std::vector<Operation*> findSteps(Region& region) {
    std::vector<Operation*> found;
    if (region.empty()) return found;
    for (Operation& op : region.front().ops()) {
      if (transfers_.of(op).empty()) continue;
      const bool isEither = isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op);
      if (!isa<air::ExecuteOp>(&op) && !(isEither && areSame(op))) {
        found.push_back(&op);
        continue;
      }
      const std::vector<Operation*>& inside = steps(op.region(0));
      found.insert(found.end(), inside.begin(), inside.end());
    }
    return found;
  }

  bool isSame(Operation& a, Operation& b) {
    if (a.name() != b.name()) return false;
    if (air::isChannelAccess(a))
      return isSameTransfer(air::ChannelAccessOp(&a), air::ChannelAccessOp(&b));
    const bool isLoop = isa<scf::ForOp>(&a) || isa<scf::IfOp>(&a);
    if (!isLoop || !a.region(0).hasOneBlock()) return false;
    const unsigned deciding = isa<scf::IfOp>(&a) ? 1 : 3;
    for (unsigned i = 0; i < deciding; ++i)
      if (!isSameNumber(a.operand(i), b.operand(i))) return false;
    for (unsigned i = 0; i < a.numRegions(); ++i)
      if (!areSame(a.region(i), b.region(i))) return false;
    return true;
  }

  static bool isSameTransfer(air::ChannelAccessOp a, air::ChannelAccessOp b) {
    if (a.channelName() != b.channelName() || a->numResults() != b->numResults()) return false;
    if (!std::ranges::equal(a.indices().vec(), b.indices().vec(), isSameNumber)) return false;
    const std::optional<int64_t> bytes = bytesOf(a);
    return bytes && bytes == bytesOf(b) && paddingOf(a) == paddingOf(b);
  }

  static std::optional<int64_t> bytesOf(air::ChannelAccessOp op) {
    const air::Access access = op.access();
    const auto type = access.memref.type().dynCast<MemRefType>();
    if (!type) return std::nullopt;
    int64_t bytes = elementBytesOf(op) * air::sendsOf(*op.op());
    const auto multiply = [&](std::optional<int64_t> size) {
      return size && *size != kDynamic && !__builtin_mul_overflow(bytes, *size, &bytes);
    };
    if (access.isWhole()) {
      if (!std::ranges::all_of(type.shape(), multiply)) return std::nullopt;
      return bytes;
    }
    const auto known = [&](const air::IndexEntry& size) {
      return multiply(size.value ? constantIntOf(size.value) : std::optional(size.constant));
    };
    return std::ranges::all_of(access.sizes, known) ? std::optional(bytes) : std::nullopt;
  }

  static std::pair<Attribute, Attribute> paddingOf(air::ChannelAccessOp op) {
    return {op->attr("pad_before"), op->attr("pad_after")};
  }

  Transfers& transfers_;
  std::unordered_map<Region*, std::vector<Operation*>> steps_;
};

class OpenControlCheck {
 public:
  OpenControlCheck(Operation& function, const std::set<Operation*>& balanced,
                   const TakenRegions& taken, Findings& findings)
      : function_(function), balanced_(balanced), taken_(taken), findings_(findings) {}

  void run() { check(function_); }

 private:
  void check(Operation& root) {
    if (!seen_.insert(&root).second) return;
    root.walk([&](Operation& op) {
      if (transfers_.of(op).empty()) return;
      if (air::isChannelAccess(op)) return checkTransfer(air::ChannelAccessOp(&op));
      if (isa<func::CallOp>(&op)) return check(*func::CallOp(&op).function().op());
      checkControl(op);
    });
  }

  void checkTransfer(air::ChannelAccessOp op) {
    std::vector<Value> deciding = op.indices().vec();
    for (const air::IndexEntry& size : op.access().sizes)
      if (size.value) deciding.push_back(size.value);
    const Openness openness = values_.ofAll(deciding);
    if (openness == Openness::Fixed || isBalanced(*op.op())) return;
    report(*op.op(), *op.op(), openness, "where it goes, or how much it moves");
  }

  void checkControl(Operation& op) {
    for (Region& region : op.regions())
      if (!region.empty() && !region.hasOneBlock()) checkBlocks(op, region);
    const Openness openness = decidedBy(op);
    if (openness == Openness::Fixed) return;
    if (const Value step = openStep(op)) return reportStep(op, step);
    if (isBranch(op) && same_.areSame(op)) return;
    for (Operation* transfer : transfers_.of(op))
      if (!isBalanced(*transfer) || !isTriedBothWays(op))
        return report(*transfer, op, openness,
                      isBranch(op) ? "whether it runs" : "how often it runs");
  }

  /// Nothing is proved of branches between blocks.
  void checkBlocks(Operation& op, Region& region) {
    for (Block& block : region.blocks()) {
      if (block.empty() || block.back().numSuccessors() < 2) continue;
      Operation& end = block.back();
      const Openness openness = values_.of(end.operand(0));
      if (openness != Openness::Fixed)
        return report(*transfers_.of(op).front(), end, openness, "whether it runs");
    }
  }

  static bool isBranch(const Operation& op) {
    return isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op);
  }

  Openness decidedBy(Operation& op) {
    if (const air::HierarchyOp level = air::asHierarchy(&op)) return values_.ofAll(level.sizes());
    if (isa<scf::WhileOp>(&op)) return values_.of(scf::WhileOp(&op).conditionOp().condition());
    if (isa<scf::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op)) return values_.of(op.operand(0));
    if (isa<affine::IfOp>(&op)) return values_.ofAll(op.operands());
    if (const auto loop = dynCast<affine::ForOp>(&op))
      return std::max(values_.ofAll(loop.lowerBound().operands),
                      values_.ofAll(loop.upperBound().operands));
    if (isa<scf::ForOp>(&op))
      return values_.ofAll(std::vector{op.operand(0), op.operand(1), op.operand(2)});
    if (const auto loop = dynCast<scf::ParallelOp>(&op))
      return std::max({values_.ofAll(loop.lowerBounds()), values_.ofAll(loop.upperBounds()),
                       values_.ofAll(loop.steps())});
    return Openness::Fixed;
  }

  /// A step that may be 0, of a loop that would not end then.
  Value openStep(Operation& op) {
    if (isa<scf::ForOp>(&op) && values_.of(op.operand(2)) != Openness::Fixed) return op.operand(2);
    if (const auto loop = dynCast<scf::ParallelOp>(&op))
      for (const Value step : loop.steps())
        if (values_.of(step) != Openness::Fixed) return step;
    return Value();
  }

  bool isBalanced(Operation& transfer) const {
    const air::ChannelOp channel = air::ChannelAccessOp(&transfer).channel();
    return channel && balanced_.contains(channel.op());
  }

  /// Of loops all numbers of rounds do the same.
  bool isTriedBothWays(Operation& op) const {
    if (!isBranch(op)) return true;
    const auto found = taken_.find(&op);
    const uint64_t all = (uint64_t{1} << std::min(op.numRegions(), 63u)) - 1;
    return found != taken_.end() && (found->second & all) == all;
  }

  void report(Operation& transfer, Operation& control, Openness openness, std::string_view what) {
    if (!findings_.add({FindingKind::Unproved, &function_, &transfer, nullptr})) return;
    InFlightDiagnostic error = transfer.emitError();
    error << "it cannot be shown that " << quoted(transfer)
          << " does not hang: " << textOf(openness) << " decides " << what
          << ", and not provably in the same way at the other end of '@"
          << std::string(air::ChannelAccessOp(&transfer).channelName()) << "'";
    if (&control != &transfer)
      error.note(control.location()) << "this depends on " << textOf(openness);
    error.note(transfer.location())
        << "transfer the same in each case and let a value say whether it counts, or "
           "decide on both sides by one argument of the function";
  }

  void reportStep(Operation& op, Value step) {
    if (!findings_.add({FindingKind::Unproved, &function_, &op, nullptr})) return;
    op.emitError() << "it cannot be shown that this loop ends: its step is " << valueText(step)
                   << ", which may be 0 and is decided by " << textOf(values_.of(step));
  }

  Operation& function_;
  const std::set<Operation*>& balanced_;
  const TakenRegions& taken_;
  Findings& findings_;
  OpenValues values_;
  Transfers transfers_;
  SameTransfers same_{transfers_};
  std::set<Operation*> seen_;
};

}  // namespace

void checkOpenControl(Operation& function, const std::set<Operation*>& balanced,
                      const TakenRegions& taken, Findings& findings) {
  OpenControlCheck(function, balanced, taken, findings).run();
}

}  // namespace airlite::analysis
