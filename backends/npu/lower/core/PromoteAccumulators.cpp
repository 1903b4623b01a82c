// air-aie-promote-accumulators: what a loop adds up at one place of memory stays in a register.
//
// Matches, in the programs of cores, a loop that loads an element of a buffer and stores it again,
// at an index that does not change in the loop. The element is loaded in front of the loop, carried
// by it and stored after it. Inner loops come first, so that it moves out as far as it can.
// What a loop only loads, at such an index, is loaded in front of it.
//
// Declines: loops that may not run at all; loops with calls, locks or anything else that may see
// memory in between; buffers with other accesses in the loop; memory that may be that of another
// name (buffers of a tile and arguments of a function are not).
#include "CoreMemory.hpp"
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

bool isStructure(const Operation& op) {
  return op.is("scf.for") || op.is("scf.if") || op.is("scf.yield");
}

bool isInside(Value value, Operation& loop) {
  Block* block = value.parentBlock();
  return block->parentOp() && loop.isAncestor(block->parentOp());
}

/// An element that stays: its first access is `load`, its last `store`.
struct Accumulator {
  Operation* load = nullptr;
  Operation* store = nullptr;
};

class Promotion {
 public:
  explicit Promotion(Operation& loop) : loop_(&loop) {}

  /// Promotes one after the other; the loop is another op then.
  bool run() {
    bool changed = false;
    while (auto found = find()) {
      promote(*found);
      changed = true;
    }
    return hoistLoads() || changed;
  }

 private:
  std::optional<Accumulator> find() {
    auto count = loop_.tripCount();
    if (!count || *count < 1 || !readAccesses()) return std::nullopt;
    for (Operation* access : accesses_)
      if (auto found = accumulatorAt(*access)) return found;
    return std::nullopt;
  }

  /// Loads of the loop's own block, at an index from outside, of memory that it does not store to.
  bool hoistLoads() {
    auto count = loop_.tripCount();
    if (!count || *count < 1 || !readAccesses()) return false;
    bool changed = false;
    for (Operation* load : accesses_) {
      if (!load->is("memref.load") || load->block() != &loop_.body() ||
          isInside(indexOf(*load), *loop_) || isStoredTo(memoryOf(*load)))
        continue;
      load->moveBefore(loop_.op());
      changed = true;
    }
    return changed;
  }

  bool isStoredTo(Value memory) const {
    return std::ranges::any_of(accesses_, [&](Operation* access) {
      return access->is("memref.store") && memoryOf(*access) == memory;
    });
  }

  /// False when something else may touch memory.
  bool readAccesses() {
    accesses_.clear();
    for (Operation* op : opsInside(*loop_)) {
      if (isStructure(*op) || op->hasTrait(Trait::Pure)) continue;
      if (!isElementAccess(*op) || op->numOperands() < 2 || !isOwnMemory(memoryOf(*op)))
        return false;
      accesses_.push_back(op);
    }
    return true;
  }

  /// Loads and stores of the loop's own block, at one index from outside; a load comes first.
  std::optional<Accumulator> accumulatorAt(Operation& first) {
    if (!first.is("memref.load")) return std::nullopt;
    Accumulator found{&first, nullptr};
    for (Operation* access : accesses_) {
      if (memoryOf(*access) != memoryOf(first)) continue;
      bool isSame = access->block() == &loop_.body() && indexOf(*access) == indexOf(first);
      if (!isSame || isInside(indexOf(first), *loop_) || access->isBeforeInBlock(&first))
        return std::nullopt;
      if (access->is("memref.store")) found.store = access;
    }
    if (!found.store) return std::nullopt;
    return found;
  }

  void promote(const Accumulator& found) {
    Rewriter rewriter(loop_->context());
    rewriter.setBefore(*loop_);
    Location location = found.store->location();
    Operation* initial = rewriter.clone(*found.load);
    std::vector<Value> inits = loop_.initArgs().vec();
    inits.push_back(initial->result());
    scf::ForOp next = scf::ForOp::create(rewriter, loop_->location(), loop_.lowerBound(),
                                         loop_.upperBound(), loop_.step(), inits);
    Value last = carry(found, next.regionIterArgs().back());
    std::vector<Value> yielded = loop_.yield()->operands().vec();
    yielded.push_back(last);
    rewriter.setToEnd(next.body());
    Operation& end = *scf::YieldOp::create(rewriter, loop_->location(), yielded);
    rewriter.eraseOp(*loop_.yield());
    std::vector<Value> arguments{next.inductionVar()};
    for (unsigned i = 0; i + 1 < inits.size(); ++i)
      arguments.push_back(next.regionIterArg(i));
    Value index = indexOf(*found.load), memory = memoryOf(*found.load);
    for (Operation* access : dropped_)
      access->erase();
    dropped_.clear();
    rewriter.inlineBlockBefore(loop_.body(), end, arguments);
    rewriter.setAfter(*next);
    rewriter.create(location, "memref.store", {next->result(next->numResults() - 1), memory, index},
                    {});
    std::vector<Value> results = next->resultValues();
    results.pop_back();
    for (const NamedAttribute& attribute : loop_->attributes().value())
      next->setAttr(attribute.name.str(), attribute.value);
    rewriter.replaceOp(*loop_, results);
    loop_ = next;
  }

  /// Loads give what was stored last; what is there at the end.
  Value carry(const Accumulator& found, Value value) {
    for (Operation* access : accesses_) {
      if (memoryOf(*access) != memoryOf(*found.load)) continue;
      if (access->is("memref.store"))
        value = access->operand(0);
      else
        access->result().replaceAllUsesWith(value);
      dropped_.push_back(access);
    }
    return value;
  }
  scf::ForOp loop_;
  std::vector<Operation*> accesses_, dropped_;
};

class PromoteAccumulators : public CorePass {
 public:
  PromoteAccumulators()
      : CorePass("air-aie-promote-accumulators", "Keeps sums of loops of cores in registers") {
    example("airlite-opt --air-aie-promote-accumulators design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "stores move out of loops");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      std::vector<Operation*> loops;
      program.root->walk([&](Operation& op) {
        if (op.is("scf.for")) loops.push_back(&op);
      });
      for (Operation* loop : loops)
        changed |= Promotion(*loop).run();
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerPromoteAccumulators(PassRegistry& registry) { registry.add<PromoteAccumulators>(); }

}  // namespace airlite::npu
