// Mistakes (see Mutate.hpp). Each collects the places where it can be made, and picks one.
#include "airlite/testing/Mutate.hpp"

#include "Random.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace airlite::testing {

namespace {

constexpr std::array kKinds = {Mutation::DropEdge, Mutation::DoublePut, Mutation::CutDepth,
                               Mutation::UnbalanceBranch, Mutation::SwapOps};
constexpr std::array<std::string_view, 5> kNames = {"drop-edge", "double-put", "cut-depth",
                                                    "unbalance-branch", "swap-ops"};

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
  }
  return std::nullopt;
}

}  // namespace airlite::testing
