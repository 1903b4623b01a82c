// Mistakes (see Mutate.hpp). Each collects the places where it can be made, and picks one.
#include "airlite/testing/Mutate.hpp"

#include "Random.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace airlite::testing {

namespace {

constexpr std::array kKinds = {
    Mutation::DropEdge,        Mutation::DoublePut, Mutation::CutDepth,
    Mutation::UnbalanceBranch, Mutation::SwapOps,   Mutation::ShiftOffset,
    Mutation::LongLoop,        Mutation::DropWrite, Mutation::HalfFill};
constexpr std::array<std::string_view, 9> kNames = {
    "drop-edge",    "double-put", "cut-depth",  "unbalance-branch", "swap-ops",
    "shift-offset", "long-loop",  "drop-write", "half-fill"};

std::vector<Operation*> collect(Operation& module, FunctionRef<bool(Operation&)> wanted) {
  std::vector<Operation*> found;
  module.walk(
      [&](Operation& op) {
        if (wanted(op)) found.push_back(&op);
      },
      WalkOrder::PreOrder);
  return found;
}

std::string named(Operation& op) { return "'" + std::string(op.name()) + "'"; }

void setDependencies(Operation& op, std::span<const Value> tokens) {
  if (op.hasTrait(Trait::AttrSizedOperandSegments))
    air::AsyncOp(&op).setDependencies(tokens);
  else
    op.setOperands(tokens);  // execute and wait_all have nothing else
}

std::optional<MutationResult> dropEdge(Operation& module, Random& random) {
  auto waits = [](Operation& op) {
    return air::isAsyncOp(op) && !air::AsyncOp(&op).dependencies().empty();
  };
  std::vector<Operation*> places = collect(module, waits);
  if (places.empty()) return std::nullopt;
  Operation& op = *random.pick(places);
  std::vector<Value> tokens = air::AsyncOp(&op).dependencies().vec();
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(random.below(tokens.size())));
  setDependencies(op, tokens);
  return MutationResult{&op, named(op) + " waits for one token less"};
}

std::optional<MutationResult> doublePut(Operation& module, Random& random) {
  std::vector<Operation*> puts =
      collect(module, [](Operation& op) { return isa<air::ChannelPutOp>(&op); });
  if (puts.empty()) return std::nullopt;
  Operation& put = *random.pick(puts);
  Builder::after(put).clone(put);
  return MutationResult{&put, named(put) + " stands there twice"};
}

std::optional<MutationResult> cutDepth(Operation& module, Random& random) {
  std::vector<Operation*> deep = collect(module, [](Operation& op) {
    return isa<air::ChannelOp>(&op) && air::ChannelOp(&op).depth() > 1;
  });
  if (deep.empty()) return std::nullopt;
  Operation& channel = *random.pick(deep);
  int64_t before = air::ChannelOp(&channel).depth(), after = random.between(1, before - 1);
  channel.setAttr("depth", IntegerAttr::get(IntegerType::get(module.context(), 64), after));
  return MutationResult{&channel, named(channel) + " has depth " + std::to_string(after) +
                                      " instead of " + std::to_string(before)};
}

/// What waited for `op` waits for what it waited for.
void eraseTransfer(Operation& op) {
  if (Value token = air::AsyncOp(&op).token()) {
    std::vector<Value> before = air::AsyncOp(&op).dependencies().vec();
    Operation* instead = Builder::before(op).create(op.location(), "air.wait_all", before,
                                                    std::vector<Type>{token.type()});
    token.replaceAllUsesWith(instead->result());
  }
  op.erase();
}

std::optional<MutationResult> unbalanceBranch(Operation& module, Random& random) {
  std::vector<Operation*> transfers = collect(module, [](Operation& op) {
    bool isTransfer = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
    return isTransfer && op.parentOfName("scf.if");
  });
  if (transfers.empty()) return std::nullopt;
  Operation& op = *random.pick(transfers);
  Operation* branch = op.parentOfName("scf.if");
  std::string what = named(op) + " is gone from a branch";
  eraseTransfer(op);
  return MutationResult{branch, what};
}

bool uses(Operation& op, Operation& defining) {
  bool found = false;
  op.walk([&](Operation& inner) {
    for (Value operand : inner.operands())
      found = found || operand.definingOp() == &defining;
  });
  return found;
}

std::optional<MutationResult> swapOps(Operation& module, Random& random) {
  auto acts = [](Operation& op) {
    return !op.hasTrait(Trait::Pure) && !op.hasTrait(Trait::Terminator) &&
           !op.hasTrait(Trait::Symbol);
  };
  std::vector<Operation*> places = collect(module, [&](Operation& op) {
    return op.prev() && acts(op) && acts(*op.prev()) && !uses(op, *op.prev());
  });
  if (places.empty()) return std::nullopt;
  Operation& op = *random.pick(places);
  std::string what = named(op) + " has changed places with the " + named(*op.prev()) + " before it";
  op.moveBefore(op.prev());
  return MutationResult{&op, what};
}

// -- Mistakes about memory ------------------------------------------------------------------------

constexpr int64_t kLongestShift = 8;

/// Where an offset or index stands in an op: an operand, or an element of a list attribute.
struct OffsetPlace {
  Operation* op = nullptr;
  std::string_view list;  // empty: an operand
  unsigned at = 0;
};

void addOffsets(Operation& op, std::vector<OffsetPlace>& places) {
  const bool isTransfer =
      isa<air::DmaMemcpyNdOp>(&op) || isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
  if (isTransfer)
    for (std::string_view list : {"static_src_offsets", "static_dst_offsets"})
      if (auto offsets = op.attrOf<DenseArrayAttr>(list))
        for (unsigned i = 0; i < offsets.values().size(); ++i)
          if (offsets.values()[i] != kDynamic) places.push_back({&op, list, i});
  const bool isElement = op.is("memref.load") || op.is("memref.store");
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    const bool isOffset = isElement && op.operand(i).type().isa<IndexType>();
    if (isOffset) places.push_back({&op, {}, i});
  }
  for (std::string_view group : {"src_offsets", "dst_offsets"}) {
    const int number = isTransfer ? op.def().operandIndex(group) : -1;
    if (number < 0) continue;
    const OperandRange offsets = op.operandGroup(static_cast<unsigned>(number));
    for (unsigned i = 0; i < op.numOperands(); ++i)
      for (unsigned k = 0; k < offsets.size(); ++k)
        if (op.operand(i) == offsets[k]) places.push_back({&op, {}, i});
  }
}

std::optional<MutationResult> shiftOffset(Operation& module, Random& random) {
  std::vector<OffsetPlace> places;
  for (Operation* op : collect(module, [](Operation&) { return true; }))
    addOffsets(*op, places);
  if (places.empty()) return std::nullopt;
  const OffsetPlace place = random.pick(places);
  const int64_t shift = random.between(1, kLongestShift) * (random.chance(25) ? -1 : 1);
  Operation& op = *place.op;
  if (place.list.empty()) {
    Builder builder = Builder::before(op);
    const Type index = IndexType::get(module.context());
    Operation* by = builder.create(op.location(), "arith.constant", {}, std::vector<Type>{index});
    by->setAttr("value", IntegerAttr::get(index, shift));
    const std::vector<Value> both{op.operand(place.at), by->result()};
    Operation* sum = builder.create(op.location(), "arith.addi", both, std::vector<Type>{index});
    op.setOperand(place.at, sum->result());
  } else {
    const auto before = op.attrOf<DenseArrayAttr>(place.list);
    std::vector<int64_t> values(before.values().begin(), before.values().end());
    values[place.at] += shift;
    op.setAttr(place.list, DenseArrayAttr::get(before.elementType(), values));
  }
  return MutationResult{&op, named(op) + " begins " + std::to_string(shift) + " further"};
}

std::optional<MutationResult> longLoop(Operation& module, Random& random) {
  std::vector<Operation*> loops =
      collect(module, [](Operation& op) { return isa<scf::ForOp>(&op); });
  if (loops.empty()) return std::nullopt;
  Operation& op = *random.pick(loops);
  scf::ForOp loop(&op);
  const std::vector<Value> both{loop.upperBound(), loop.step()};
  Operation* sum = Builder::before(op).create(op.location(), "arith.addi", both,
                                              std::vector<Type>{loop.upperBound().type()});
  op.setOperand(1, sum->result());
  return MutationResult{&op, named(op) + " runs once more"};
}

/// Fills, copies, stores: nothing uses what they result in.
std::optional<MutationResult> dropWrite(Operation& module, Random& random) {
  std::vector<Operation*> writes = collect(module, [](Operation& op) {
    return op.is("linalg.fill") || op.is("memref.copy") || op.is("memref.store") ||
           op.is("affine.store") || isa<air::DmaMemcpyNdOp>(&op);
  });
  if (writes.empty()) return std::nullopt;
  Operation& op = *random.pick(writes);
  Operation* around = op.parentOp();
  std::string what = named(op) + " is gone from here";
  if (isa<air::DmaMemcpyNdOp>(&op))
    eraseTransfer(op);
  else
    op.erase();
  return MutationResult{around, what};
}

std::optional<MutationResult> halfFill(Operation& module, Random& random) {
  std::vector<Operation*> fills = collect(module, [](Operation& op) {
    if (!op.is("linalg.fill")) return false;
    const MemRefType type = op.operand(1).type().dynCast<MemRefType>();
    return type && type.hasStaticShape() && type.hasIdentityLayout() && type.rank() > 0 &&
           type.shape()[0] > 1;
  });
  if (fills.empty()) return std::nullopt;
  Operation& op = *random.pick(fills);
  const MemRefType type = op.operand(1).type().cast<MemRefType>();
  std::vector<memref::MixedIndex> offsets, sizes, strides;
  for (int64_t size : type.shape()) {
    sizes.push_back(sizes.empty() ? size / 2 : size);
    offsets.push_back(int64_t{0});
    strides.push_back(int64_t{1});
  }
  Builder builder = Builder::before(op);
  auto half =
      memref::SubViewOp::create(builder, op.location(), op.operand(1), offsets, sizes, strides);
  op.setOperand(1, half.result());
  return MutationResult{&op, named(op) + " fills the first half only"};
}

}  // namespace

std::span<const Mutation> allMutations() { return kKinds; }

std::string_view mutationName(Mutation kind) { return kNames[static_cast<size_t>(kind)]; }

std::optional<Mutation> mutationByName(std::string_view name) {
  auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return kKinds[static_cast<size_t>(found - kNames.begin())];
}

std::optional<MutationResult> mutate(Operation& module, Mutation kind, uint64_t seed) {
  Random random(seed);
  switch (kind) {
    case Mutation::DropEdge: return dropEdge(module, random);
    case Mutation::DoublePut: return doublePut(module, random);
    case Mutation::CutDepth: return cutDepth(module, random);
    case Mutation::UnbalanceBranch: return unbalanceBranch(module, random);
    case Mutation::SwapOps: return swapOps(module, random);
    case Mutation::ShiftOffset: return shiftOffset(module, random);
    case Mutation::LongLoop: return longLoop(module, random);
    case Mutation::DropWrite: return dropWrite(module, random);
    case Mutation::HalfFill: return halfFill(module, random);
  }
  return std::nullopt;
}

}  // namespace airlite::testing
