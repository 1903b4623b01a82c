// air-hoist-segment-transfers: a herd's transfers of memory that no core has become its segment's.
//
// Matches a herd of one core whose body begins with synchronous air.dma_memcpy_nd, air.channel.put
// or air.channel.get of memory in L2 and L3 alone, with nothing but allocations and pure ops in
// front of them. They move in front of the herd, in their order; what their offsets are computed
// with is computed there, with the ids of the only core. The core has done nothing before, so nobody
// sees a difference.
//
// Declines, with a remark at the transfer: herds of several cores, transfers after the core has begun
// to communicate or compute, asynchronous ones (run it in front of air-dependency).
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

using air::HerdOp;

bool isTransfer(const Operation& op) {
  return op.is("air.dma_memcpy_nd") || op.is("air.channel.put") || op.is("air.channel.get");
}

bool isOfCore(Type type) {
  const auto level = air::memoryLevel(type);
  return !level || *level == air::MemoryLevel::L1;
}

/// A transfer whose memory is in L2 or L3.
bool isForSegment(const Operation& op) {
  if (!isTransfer(op)) return false;
  const auto isMemory = [](Type type) {
    return type.isa<MemRefType>() || type.isa<UnrankedMemRefType>();
  };
  return std::ranges::none_of(op.operands(), [&](Value operand) {
    return isMemory(operand.type()) && isOfCore(operand.type());
  });
}

/// An argument of the body, or computed from such.
bool isComputed(Value value) {
  if (value.isBlockArgument()) return true;
  Operation& op = *value.definingOp();
  return isPure(op) && std::ranges::all_of(op.operands(), isComputed);
}

bool isQuiet(Operation& op) { return op.is("memref.alloc") || isPure(op); }

class Hoisting {
 public:
  explicit Hoisting(HerdOp herd) : herd_(herd), builder_(Builder::before(*herd.op())) {}

  void move(Operation& transfer) {
    for (Value operand : transfer.operands())
      outside(operand);
    builder_.clone(transfer, mapping_);
    transfer.erase();
  }

 private:
  /// The value of the herd's body as a value in front of the herd.
  Value outside(Value value) {
    if (Value known = mapping_.lookupOrNull(value)) return known;
    Value made;
    if (value.parentBlock() != &herd_.body()) {
      made = value;  // in no herd: a constant of a body that is not isolated
    } else if (value.isBlockArgument()) {
      made = herd_.tiedOperand(value);
      const bool isId = value.index() < herd_.numDims();
      if (!made) made = builder_.constantIndex(herd_->location(), isId ? 0 : 1);
    } else {
      Operation& op = *value.definingOp();
      for (Value operand : op.operands())
        outside(operand);
      made = builder_.clone(op, mapping_)->result(value.index());
    }
    mapping_.map(value, made);
    return made;
  }

  HerdOp herd_;
  Builder builder_;
  IRMapping mapping_;
};

class HoistSegmentTransfers : public Pass {
 public:
  HoistSegmentTransfers()
      : Pass("air-hoist-segment-transfers", "Moves transfers of L2 out of a herd of one core") {
    anchor("func.func");
    example("airlite-opt --air-hoist-segment-transfers in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<HerdOp> herds;
    function.walk([&](Operation& op) {
      if (auto herd = dynCast<HerdOp>(&op)) herds.push_back(herd);
    });
    bool changed = false;
    for (HerdOp herd : herds)
      changed |= hoist(herd, context);
    return changedIf(changed);
  }

 private:
  static bool hoist(HerdOp herd, PassContext& context) {
    const auto sizes = herd.constantSizes();
    const bool isOneCore = sizes && std::ranges::all_of(*sizes, [](int64_t n) { return n == 1; });
    bool hasBegun = false, changed = false;
    Hoisting hoisting(herd);
    for (Operation *op = &herd.body().front(), *next = nullptr; op; op = next) {
      next = op->next();
      if (!isForSegment(*op)) {
        hasBegun |= !isQuiet(*op);
        continue;
      }
      if (const std::string_view why = obstacle(*op, isOneCore, hasBegun); !why.empty()) {
        context.remark(*op, why);
        hasBegun = true;
        continue;
      }
      hoisting.move(*op);
      changed = true;
    }
    return changed;
  }

  /// Why a transfer stays; empty when it can move.
  static std::string_view obstacle(Operation& op, bool isOneCore, bool hasBegun) {
    if (!isOneCore) return "stays: the herd has several cores, and each of them makes it";
    if (hasBegun) return "stays: the core communicates or computes before it";
    if (!std::ranges::all_of(op.operands(), isComputed))
      return "stays: it uses memory that the core makes";
    const air::AsyncOp async(&op);
    if (async.token() || !async.dependencies().empty())
      return "stays: it is asynchronous; run this pass in front of air-dependency";
    return {};
  }
};

}  // namespace

void registerHoistSegmentTransfers(PassRegistry& registry) {
  registry.add<HoistSegmentTransfers>();
}

}  // namespace airlite
