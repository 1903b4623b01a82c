// air-rank-to-launch: runs the instances of a rank one after the other.
//
// Matches air.rank. Its body moves into a nest of scf.for, one for each dimension, whose variables
// stand for the ids; the outermost is marked air.serialized_rank, since it may hold launches
// wherever it stands. An asynchronous rank becomes: an air.wait_all that blocks on its
// dependencies, the loops, each of which waits for the tokens that its body leaves open, and an
// air.wait_all async whose token stands for the rank's.
//
// Declines, with an error: a body that names another rank (src_rank, dst_rank, air.translate),
// since its data is not there when instances run in turn. A universe operand only says where
// instances come from and is dropped, with a remark.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool isRankId(Value value) {
  while (value && value.isBlockArgument()) {
    air::HierarchyOp op = air::asHierarchy(value.argumentBlock()->parentOp());
    if (!op) return false;
    if (isa<air::RankOp>(op.op()) && value.index() < op.numDims()) return true;
    value = op.tiedOperand(value);
  }
  return false;
}

bool reachesOtherRank(Operation& op) {
  if (op.hasAttr("src_rank") || op.hasAttr("dst_rank") || op.is("air.translate")) return true;
  if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return false;
  air::ChannelAccessOp access(&op);
  air::ChannelOp channel = access.channel();
  if (channel && channel.canonicalType() == "gpu_symmetric_heap") return true;
  OperandRange indices = access.indices();
  return std::any_of(indices.begin(), indices.end(), isRankId);
}

Operation* crossRankAccess(Operation& rank) {
  Operation* found = nullptr;
  rank.walk([&](Operation& op) {
    if (!found && reachesOtherRank(op)) found = &op;
  });
  return found;
}

/// Tokens of the block that nothing in it waits for.
std::vector<Value> openTokens(Block& block) {
  std::vector<Value> tokens;
  for (Operation& op : block.ops())
    for (Value result : op.resultValues())
      if (air::isTokenType(result.type()) && !result.hasUses()) tokens.push_back(result);
  return tokens;
}

class RankToLaunch : public Pass {
 public:
  RankToLaunch() : Pass("air-rank-to-launch", "Runs the instances of ranks one after the other") {
    anchor("builtin.module");
    example("airlite-opt --air-rank-to-launch in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> ranks;
    module.walk([&](Operation& op) {
      if (isa<air::RankOp>(&op)) ranks.push_back(&op);
    });
    for (Operation* rank : ranks) {
      if (Operation* access = crossRankAccess(*rank)) {
        access->emitOpError() << "not supported: access to another rank when ranks run in turn";
        return PassResult::Failed;
      }
      if (air::RankOp(rank).universe())
        context.remark(*rank, "the universe is dropped: all instances run here");
    }
    for (Operation* rank : ranks)
      serialize(air::RankOp(rank));
    return changedIf(!ranks.empty());
  }

 private:
  static void serialize(air::RankOp rank) {
    Builder builder = Builder::before(*rank.op());
    Location location = rank->location();
    if (!rank.dependencies().empty())
      builder.create(location, "air.wait_all", rank.dependencies().vec(), std::span<const Type>());
    Block* body = makeLoops(builder, rank);
    moveBody(rank, *body);
    Value token = rank.token();
    if (token) {
      builder.setBefore(*rank.op());
      Type type = token.type();
      Operation* done =
          builder.create(location, "air.wait_all", std::span<const Value>(), std::span(&type, 1));
      token.replaceAllUsesWith(done->result());
    }
    rank->erase();
  }

  /// The innermost block; the ids and sizes of the rank are replaced.
  static Block* makeLoops(Builder& builder, air::RankOp rank) {
    Location location = rank->location();
    Value zero = builder.constantIndex(location, 0), one = builder.constantIndex(location, 1);
    for (unsigned i = 0; i < rank.numDims(); ++i) {
      auto loop = scf::ForOp::create(builder, location, zero, rank.sizes()[i], one);
      if (i == 0) loop->setAttr("air.serialized_rank", builder.unitAttr());
      rank.id(i).replaceAllUsesWith(loop.inductionVar());
      rank.sizeArgument(i).replaceAllUsesWith(rank.sizes()[i]);
      builder.setBefore(loop.body().back());
    }
    for (unsigned i = 0; i < rank.numKernelOperands(); ++i)
      rank.kernelArgument(i).replaceAllUsesWith(rank.kernelOperands()[i]);
    return builder.insertPoint().block;
  }

  static void moveBody(air::RankOp rank, Block& into) {
    Block& from = rank.body();
    std::vector<Value> open = openTokens(from);
    Operation* before = rank.numDims() ? &into.back() : rank.op();
    if (&from.front() != &from.back()) into.splice(before, from, &from.front(), &from.back());
    if (open.empty()) return;
    Builder builder = Builder::before(*before);
    builder.create(rank->location(), "air.wait_all", open, std::span<const Type>());
  }
};

}  // namespace

void registerRankToLaunch(PassRegistry& registry) { registry.add<RankToLaunch>(); }

}  // namespace airlite
