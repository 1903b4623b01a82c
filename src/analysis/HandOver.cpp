// Who uses L1 memory from outside of herds, and whose turn it is. HandOver.hpp has the rules.
#include "airlite/analysis/HandOver.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace airlite::analysis {

// -- Uses -----------------------------------------------------------------------------------------

namespace {

/// Walks a body in program order.
class UseReader {
 public:
  UseReader(Value memory, NumberOf numberOf) : numberOf_(numberOf), names_{memory} {}

  void read(Block& block) {
    for (Operation& op : block.ops()) {
      readOp(op);
      Region* taken = takenRegion(op, numberOf_);
      for (Region& region : op.regions())
        if (!taken || taken == &region)
          for (Block& inner : region.blocks())
            read(inner);
    }
  }

  std::vector<MemoryUse> uses;
  Operation* lost = nullptr;

 private:
  bool isIt(Value value) const { return names_.count(value) != 0; }

  void readOp(Operation& op) {
    bool takes = false;
    for (Value operand : op.operands())
      takes |= isIt(operand);
    if (!takes || op.is("memref.dealloc")) return;
    if (op.hasTrait(Trait::ViewLike)) return passOn(op);
    if (op.is("air.execute_terminator")) return passOut(op);
    bool handsOn = false;
    for (unsigned i = 0; i < op.numResults(); ++i)
      handsOn |= op.result(i).type().isa<MemRefType>();
    if (handsOn || op.hasTrait(Trait::Terminator) || air::asHierarchy(&op)) {
      if (!lost) lost = &op;
      return;
    }
    add(op);
  }

  void passOn(Operation& view) {
    if (isIt(view.operand(0))) names_.insert(view.result());
  }
  void passOut(Operation& end) {
    for (unsigned i = 0; i < end.numOperands(); ++i)
      if (isIt(end.operand(i))) names_.insert(end.parentOp()->result(i + 1));
  }

  void add(Operation& op) {
    std::vector<EffectInstance> effects;
    MemoryUse use{&op};
    use.writes = !effectsOf(op, effects);
    for (const EffectInstance& effect : effects) {
      if (!effect.value || !isIt(effect.value)) continue;
      use.reads |= effect.effect == Effect::Read;
      use.writes |= effect.effect == Effect::Write;
    }
    if (use.reads || use.writes) uses.push_back(use);
  }

  NumberOf numberOf_;
  std::unordered_set<Value> names_;
};

/// The herds that take `memory`, with the argument that it is in them.
struct HerdArgument {
  air::HerdOp herd;
  Value argument;
};

class HerdFinder {
 public:
  explicit HerdFinder(Value memory) { follow(memory); }

  std::vector<HerdArgument> herds;
  Operation* lost = nullptr;

 private:
  void follow(Value value) {
    for (OpOperand& use : value.uses()) {
      Operation& op = *use.owner();
      if (op.is("memref.dealloc")) continue;
      if (op.is("air.execute_terminator"))
        follow(op.parentOp()->result(use.index() + 1));
      else if (air::HierarchyOp level = air::asHierarchy(&op))
        enter(level, value, use);
      else if (!lost)
        lost = &op;
    }
  }

  void enter(air::HierarchyOp level, Value value, OpOperand& use) {
    for (unsigned i = 0; i < level.numKernelOperands(); ++i) {
      const Value argument = level.kernelArgument(i);
      if (level.kernelOperands()[i] != value || !seen_.insert(argument).second) continue;
      if (isa<air::HerdOp>(use.owner()))
        herds.push_back({air::HerdOp(use.owner()), argument});
      else
        follow(argument);
    }
  }

  std::unordered_set<Value> seen_;
};

/// In one block, or in regions of ops of one.
bool standsBefore(Operation* a, Operation* b) {
  for (Operation* top = a; top; top = top->parentOp())
    for (Operation* other = b; other; other = other->parentOp())
      if (top != other && top->block() == other->block()) return top->isBeforeInBlock(other);
  return false;
}

/// Cores by their place in the herd; a herd of one dimension is a row.
std::vector<int64_t> nameOf(std::vector<int64_t> id) {
  while (!id.empty() && id.back() == 0)
    id.pop_back();
  return id;
}

bool isHandedOn(const std::vector<CoreUses>& cores) {
  std::map<std::vector<int64_t>, std::vector<MemoryUse>> byName;
  for (const CoreUses& core : cores) {
    std::vector<MemoryUse>& uses = byName[nameOf(core.id)];
    uses.insert(uses.end(), core.uses.begin(), core.uses.end());
  }
  std::set<std::vector<int64_t>> writers, readers;
  for (const auto& [name, uses] : byName) {
    const auto last =
        std::find_if(uses.rbegin(), uses.rend(), [](const MemoryUse& use) { return use.writes; });
    if (last != uses.rend()) writers.insert(name);
    if (last != uses.rbegin()) readers.insert(name);
  }
  return !writers.empty() && !readers.empty() && writers != readers;
}

}  // namespace

std::vector<MemoryUse> usesIn(Block& body, Value memory, NumberOf numberOf, Operation*& lost) {
  UseReader reader(memory, numberOf);
  reader.read(body);
  if (!lost) lost = reader.lost;
  return std::move(reader.uses);
}

std::vector<std::vector<int64_t>> idsOf(air::HerdOp herd) {
  std::vector<std::vector<int64_t>> ids{{}};
  const auto sizes = herd.constantSizes();
  if (!sizes) return {};
  constexpr int64_t kMostCores = 4096;  // no NPU has more cores
  int64_t count = 1;
  for (int64_t size : *sizes)
    if (size < 0 || size > kMostCores || (count *= size) > kMostCores) return {};
  for (size_t dim = sizes->size(); dim-- > 0;) {  // x is the fastest
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t>& id : ids)
      for (int64_t i = 0; i < (*sizes)[dim]; ++i) {
        longer.push_back(id);
        longer.back().insert(longer.back().begin(), i);
      }
    ids = std::move(longer);
  }
  return ids;
}

HandOver handOverOf(Value memory) {
  HerdFinder finder(memory);
  HandOver result;
  result.lost = finder.lost;
  std::stable_sort(finder.herds.begin(), finder.herds.end(),
                   [](const HerdArgument& a, const HerdArgument& b) {
                     return standsBefore(a.herd.op(), b.herd.op());
                   });
  for (const HerdArgument& taker : finder.herds) {
    const auto ids = idsOf(taker.herd);
    const bool isTwice = std::count_if(finder.herds.begin(), finder.herds.end(),
                                       [&](auto& other) { return other.herd == taker.herd; }) > 1;
    if ((ids.empty() || isTwice) && !result.lost) result.lost = taker.herd.op();
    const size_t before = result.cores.size();
    for (const std::vector<int64_t>& id : ids) {
      CoreValues values(taker.herd, id);
      CoreUses core{taker.herd, id, usesIn(taker.herd.body(), taker.argument, values, result.lost)};
      if (!core.uses.empty()) result.cores.push_back(std::move(core));
    }
    const bool isNew = result.herds.empty() || result.herds.back() != taker.herd;
    if (result.cores.size() > before && isNew) result.herds.push_back(taker.herd);
  }
  result.isShared = !result.lost && isHandedOn(result.cores);
  return result;
}

bool isSharedByCores(Value memory) {
  auto type = memory.type().dynCast<MemRefType>();
  if (!type || air::memoryLevel(type) != air::MemoryLevel::L1) return false;
  const Value inside = air::bufferSource(memory), outside = allocationOf(inside);
  return inside != outside && handOverOf(outside).isShared;
}

Value allocationOf(Value operand) {
  operand = air::bufferSource(operand);
  while (operand.isBlockArgument()) {
    air::HierarchyOp level = air::asHierarchy(operand.argumentBlock()->parentOp());
    const Value outside = level ? level.tiedOperand(operand) : Value();
    if (!outside) break;
    operand = air::bufferSource(outside);
  }
  return operand;
}

// -- Turns ----------------------------------------------------------------------------------------

namespace {

Operation* topIn(Operation* op, Block* block) {
  while (op && op->block() != block)
    op = op->parentOp();
  return op;
}

std::optional<int64_t> roundsOf(Operation& loop) {
  if (isa<scf::ForOp>(&loop)) return scf::ForOp(&loop).tripCount();
  if (isa<affine::ForOp>(&loop)) return affine::ForOp(&loop).tripCount();
  return std::nullopt;
}

/// Whether what `loop` hands to its body (its number, what it carries) chooses elements of a use.
class ElementChoice {
 public:
  explicit ElementChoice(Operation& loop) : loop_(loop) {}

  bool isMadeFor(Operation& use) {
    if (isa<air::ChannelPutOp>(&use) || isa<air::ChannelGetOp>(&use)) {
      const air::Access access = air::ChannelAccessOp(&use).access();
      bool found = depends(access.memref);
      for (const auto* list : {&access.offsets, &access.sizes, &access.strides})
        for (const air::IndexEntry& entry : *list)
          found |= entry.value && depends(entry.value);
      return found;
    }
    for (Value operand : use.operands())
      if ((operand.type().isa<IndexType>() || operand.type().isa<MemRefType>()) && depends(operand))
        return true;
    return false;
  }

 private:
  bool depends(Value value) {
    Operation* maker =
        value.isBlockArgument() ? value.argumentBlock()->parentOp() : value.definingOp();
    if (value.isBlockArgument() && maker == &loop_) return true;
    if (!maker || !loop_.isProperAncestor(maker) || !seen_.insert(maker).second) return false;
    if (isa<air::ExecuteOp>(maker))
      for (Value operand : air::ExecuteOp(maker).body().back().operands())
        if (depends(operand)) return true;
    for (Value operand : maker->operands())
      if (!air::isTokenType(operand.type()) && depends(operand)) return true;
    return false;
  }

  Operation& loop_;
  std::unordered_set<Operation*> seen_;
};

/// Loops of a core around all uses, outermost first, that come back to the same elements.
std::vector<Operation*> roundLoops(const CoreBody& core) {
  std::vector<Operation*> common;
  for (size_t i = 0; i < core.uses.size(); ++i) {
    std::vector<Operation*> loops;
    for (Operation* op = core.uses[i].op->parentOp(); op != core.body->parentOp();
         op = op->parentOp())
      if (op->hasTrait(Trait::LoopLike)) loops.insert(loops.begin(), op);
    if (i == 0) common = loops;
    const auto end = std::mismatch(common.begin(), common.end(), loops.begin(), loops.end()).first;
    common.erase(end, common.end());
  }
  for (size_t depth = 0; depth < common.size(); ++depth) {
    ElementChoice choice(*common[depth]);
    const bool isPart = std::any_of(core.uses.begin(), core.uses.end(), [&](const MemoryUse& use) {
      return choice.isMadeFor(*use.op);
    });
    if (isPart || (!roundsOf(*common[depth]) && !isa<scf::ForOp>(common[depth]))) {
      common.resize(depth);
      break;
    }
  }
  return common;
}

/// Into conditionals that are decided, and executes, as far as they hold all uses.
Block* innermost(CoreBody& core, Block* block) {
  for (;;) {
    Operation* top = topIn(core.uses[0].op, block);
    const bool holdsAll = std::all_of(
        core.uses.begin(), core.uses.end(),
        [&](const MemoryUse& use) { return topIn(use.op, block) == top && use.op != top; });
    if (!holdsAll) return block;
    Region* taken = isa<air::ExecuteOp>(top) ? &top->region() : takenRegion(*top, core.values);
    if (!taken || taken->empty()) return block;
    block = &taken->front();
  }
}

class TurnPlan {
 public:
  explicit TurnPlan(std::vector<CoreBody>& cores) : cores_(cores) {}

  Turns plan() {
    if (!findRounds()) return std::move(turns_);
    for (size_t i = 0; i < cores_.size(); ++i)
      if (!addCore(i)) break;
    return std::move(turns_);
  }

 private:
  bool refuse(Operation& op, std::string error) {
    turns_.op = &op;
    turns_.error = std::move(error);
    return false;
  }

  bool findRounds() {
    for (const CoreBody& core : cores_)
      loops_.push_back(roundLoops(core));
    for (;; ++depth_) {
      std::optional<int64_t> rounds;
      bool all = true, known = true;
      for (const auto& loops : loops_) {
        if (loops.size() <= depth_) return true;
        const auto here = roundsOf(*loops[depth_]);
        known &= here.has_value();
        all &= !rounds || rounds == here;
        if (here) rounds = here;
      }
      if (!rounds) return refuse(*loops_[0][depth_], "the loop around it has no constant length");
      if (!all || !known) return true;
      turns_.isRepeated |= *rounds > 1;
    }
  }

  bool addCore(size_t i) {
    CoreBody& core = cores_[i];
    Block* block = depth_ ? &loops_[i][depth_ - 1]->region(0).front() : core.body;
    block = innermost(core, block);
    std::vector<Operation*> tops;
    for (const MemoryUse& use : core.uses)
      tops.push_back(topIn(use.op, block));
    size_t numWriting = core.uses.size();  // uses up to the last write
    while (numWriting && !core.uses[numWriting - 1].writes)
      --numWriting;
    CoreTurns made;
    if (numWriting) {
      if (!mayBegin(core, tops)) return false;
      made.write = {tops.front(), tops[numWriting - 1]};
      while (numWriting < tops.size() && tops[numWriting] == made.write.last)
        ++numWriting;
    }
    if (numWriting < tops.size()) made.read = {tops[numWriting], tops.back()};
    turns_.cores.push_back(made);
    return true;
  }

  /// Reading what others write in the same turn would be a race.
  bool mayBegin(const CoreBody& core, const std::vector<Operation*>& tops) {
    const auto writes = [](const MemoryUse& use) { return use.writes; };
    const size_t first =
        size_t(std::find_if(core.uses.begin(), core.uses.end(), writes) - core.uses.begin());
    const auto numWriters = std::count_if(cores_.begin(), cores_.end(), [&](const CoreBody& other) {
      return std::any_of(other.uses.begin(), other.uses.end(), writes);
    });
    if (numWriters < 2 || tops.front() == tops[first]) return true;
    return refuse(*core.uses.front().op,
                  "a core reads it before it writes it, and other cores write it, too");
  }

  std::vector<CoreBody>& cores_;
  std::vector<std::vector<Operation*>> loops_;
  size_t depth_ = 0;
  Turns turns_;
};

}  // namespace

Turns turnsOf(std::vector<CoreBody>& cores) { return TurnPlan(cores).plan(); }

Turn wholeTurn(CoreBody& core) {
  Block* block = innermost(core, core.body);
  return {topIn(core.uses.front().op, block), topIn(core.uses.back().op, block)};
}

}  // namespace airlite::analysis
