// air-dma-to-channel: copies between levels become a put and a get on a channel of their own.
//
// Matches each air.dma_memcpy_nd in a herd with one side in L1, and each one outside of herds in a
// segment with one side in L2 and the other in L3. The side in the memory of the level (the near
// half) stays where the copy was, with its dependencies and its token. The other (the far half)
// is put in front of the op that it leaves: the herd for L2, the outermost herd or segment of the
// launch for L3. What it needs comes with it: loops, scf.if, affine.if, index arithmetic,
// constants, views.
//
// Produces channels `channel_N`, in the order of the copies. In a herd a channel has the shape of
// the herd and is indexed by the ids on both sides; the far half stands in an scf.parallel over the
// herd. A copy with `broadcast_set`, when the cores that get to it are a rectangle and take the
// same data, gives `[1, 1]` with the size of the rectangle as `broadcast_shape`; its far half
// stands there once. Far halves are always asynchronous: they begin when the op that they leave may
// begin, and what comes after that op waits for them too. Padding goes with the put.
// `broadcast_pattern` without specialization is left out of account, with a warning.
//
// Far halves that use one buffer, of which one changes it, keep their order: as one nest where a
// loop is around both, as a nest that waits for the other one where not (TransferNests.cpp).
//
// With more channels between cores and L3 in one direction of a segment than the DMAs of a shim
// column hold, these channels get packet flow (ShimFlow.cpp).
//
// Declines, with a remark, so that the copy stays: where what the far half needs cannot be computed
// in front (loaded values, loop-carried values, memory made inside); inside of other ops than those
// above; copies whose runs are in no order, or share a channel with other instances (unrolled
// segments, called functions); far halves that would have to be ordered with something that stays,
// or in a herd or segment that uses channels already.
//
// Existing tools also split what has no order here: parallel loops of a core (which
// air-lower-herd-parallel makes sequential first), a buffer that is read and written in turn into
// two nests, and blocking copies into blocking far halves in front of the herd. Such programs race
// or hang: tests/transform/air-dma-to-channel-why-declined.mlir has one of each, with what
// air-verify-program says of it.
#include "ShimFlow.hpp"
#include "TransferHalves.hpp"
#include "TransferPlan.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/dma/Renumber.hpp"

#include <algorithm>

namespace airlite {

namespace {

using namespace air;

/// Writes what was planned.
class Splitter {
 public:
  Splitter(Operation& module, TransferPlanner& planner) : channels_(module), planner_(planner) {}

  void declare(Transfer& transfer) {
    std::vector<int64_t> sizes, shape;
    if (transfer.isBroadcast) {
      sizes = {1, 1};
      shape = {transfer.cores->size.begin(), transfer.cores->size.end()};
    } else if (isa<HerdOp>(transfer.home.op())) {
      sizes = *transfer.home.constantSizes();
    }
    transfer.channel = channels_.declare(transfer.dma->location(), sizes, shape);
  }

  void split(const TopPlan& plan) {
    std::vector<Value> ends;
    for (const NestPlan& nest : plan.nests) {
      std::vector<Value> tokens = tokensBefore(*plan.top, nest);
      for (size_t other : nest.after)
        tokens.push_back(ends[other]);
      NestWriter writer(*plan.top, tokenTypeOf(*plan.top, nest), nest.transfers);
      ends.push_back(writer.write(std::move(tokens)));
    }
    for (const NestPlan& nest : plan.nests)
      for (const Transfer* transfer : nest.transfers)
        replaceByNear(*transfer);
    waitFor(*plan.top, ends);
  }

 private:
  static Type tokenTypeOf(Operation& top, const NestPlan& nest) {
    if (Value token = AsyncOp(&top).token()) return token.type();
    for (const Transfer* transfer : nest.transfers)
      if (Value token = AsyncOp(transfer->dma).token()) return token.type();
    return DialectType::get(top.context(), "air.async.token");
  }

  // -- What a nest starts after

  /// What the top waits for; of that again, by name, what makes the buffers and what the loop
  /// carries, as users of the existing tools see it.
  std::vector<Value> tokensBefore(Operation& top, const NestPlan& nest) {
    std::vector<Value> tokens = AsyncOp(&top).dependencies().vec();
    auto add = [&](Value token) {
      bool isKnown = std::find(tokens.begin(), tokens.end(), token) != tokens.end();
      if (!isKnown && planner_.reach().reaches(tokens, [&](Value at) { return at == token; }))
        tokens.push_back(token);
    };
    for (const Transfer* transfer : nest.transfers)
      if (Value maker = makerOf(*transfer, top)) add(maker);
    if (scf::ForOp loop = dynCast<scf::ForOp>(top.parentOp()))
      for (Value argument : loop.regionIterArgs())
        if (isTokenType(argument.type())) add(argument);
    sortByPlace(tokens, top);
    return tokens;
  }

  /// The token of the execute that allocates the far memory.
  Value makerOf(const Transfer& transfer, Operation& top) {
    Value buffer = planner_.reader().bufferOf(transfer.farMemref()).value;
    Operation* alloc = buffer ? buffer.definingOp() : nullptr;
    Operation* execute = alloc ? alloc->parentOp() : nullptr;
    bool isHere = execute && isa<ExecuteOp>(execute) && execute->block() == top.block();
    return isHere ? execute->result(0) : Value();
  }

  static void sortByPlace(std::vector<Value>& tokens, Operation& top) {
    auto isLocal = [&](Value token) {
      return token.definingOp() && token.definingOp()->block() == top.block();
    };
    std::stable_sort(tokens.begin(), tokens.end(), [&](Value a, Value b) {
      if (!isLocal(a) || !isLocal(b)) return !isLocal(a) && isLocal(b);
      return a.definingOp() != b.definingOp() && a.definingOp()->isBeforeInBlock(b.definingOp());
    });
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  }

  // -- The near half

  static void replaceByNear(const Transfer& transfer) {
    Operation& dma = *transfer.dma;
    Builder builder = Builder::before(dma);
    Value token = AsyncOp(&dma).token();
    std::vector<Value> indices = nearIndices(transfer, builder);
    std::vector<Value> dependencies = AsyncOp(&dma).dependencies().vec();
    HalfPlace place{transfer.channel, indices, dependencies, token ? token.type() : Type()};
    Operation* half =
        createHalf(builder, DmaMemcpyNdOp(&dma), !transfer.farIsSource, place, IRMapping());
    if (token) token.replaceAllUsesWith(half->result(0));
    dma.erase();
  }

  /// The ids of the core; within the rectangle of a broadcast, where it does not begin at 0.
  static std::vector<Value> nearIndices(const Transfer& transfer, Builder& builder) {
    std::vector<Value> indices;
    if (!isa<HerdOp>(transfer.home.op())) return indices;
    for (unsigned i = 0; i < transfer.home.numDims(); ++i) {
      Value id = transfer.home.id(i);
      bool isShifted =
          transfer.isBroadcast && transfer.cores->size[i] > 1 && transfer.cores->lower[i] > 0;
      if (isShifted) {
        Location location = transfer.dma->location();
        Value lower = builder.constantIndex(location, transfer.cores->lower[i]);
        id = builder.create(location, "arith.subi", {id, lower}, {builder.indexType()})->result();
      }
      indices.push_back(id);
    }
    return indices;
  }

  // -- What comes after the top

  static void waitFor(Operation& top, const std::vector<Value>& ends) {
    Value token = AsyncOp(&top).token();
    if (ends.empty() || (token && !token.hasUses())) return;
    Builder builder = Builder::after(top);
    if (!token) {
      builder.create(top.location(), "air.wait_all", ends, {});
      return;
    }
    std::vector<Value> all{token};
    all.insert(all.end(), ends.begin(), ends.end());
    Type type = token.type();
    Operation* joined = builder.create(top.location(), "air.wait_all", all, std::span(&type, 1));
    token.replaceUsesIf(joined->result(), [&](OpOperand& use) { return use.owner() != joined; });
  }

  ChannelMaker channels_;
  TransferPlanner& planner_;
};

class DmaToChannel : public Pass {
 public:
  DmaToChannel() : Pass("air-dma-to-channel", "Splits copies between levels into puts and gets") {
    anchor("builtin.module");
    option("shim-dma-channels-per-col", shimChannels_,
           "DMA channels of a shim column for each direction; more channels than that between the "
           "cores of a segment and L3 get packet flow");
    option("force-shim-packet-flow", forcePackets_,
           "packet flow for all channels between cores and L3");
    option("force-packet-inputs", forceInputs_, "packet flow for all channels from L3 to cores");
    example("airlite-opt --air-dma-to-channel in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = split(module, context);
    changed |= usePacketFlow(module, {shimChannels_, forcePackets_, forceInputs_});
    return changedIf(changed);
  }

 private:
  static bool split(Operation& module, PassContext& context) {
    bool ordered = TransferPlanner(module, nullptr).orderRuns();
    TransferPlanner planner(module, &context);
    std::vector<TopPlan> plans = planner.plan();
    std::unordered_set<const Transfer*> accepted;
    for (const TopPlan& plan : plans)
      for (const NestPlan& nest : plan.nests)
        accepted.insert(nest.transfers.begin(), nest.transfers.end());
    if (accepted.empty()) return ordered;
    Splitter splitter(module, planner);
    for (Transfer& transfer : planner.transfers())
      if (accepted.count(&transfer)) splitter.declare(transfer);
    for (const TopPlan& plan : plans)
      splitter.split(plan);
    module.walk([](Operation& op) {
      if (op.is("func.func")) renumberMovement(op);
    });
    context.declareEffectChange(CountedEffect::Dma, "copies become puts and gets");
    context.declareEffectChange(CountedEffect::ChannelPut, "one for what each copy reads");
    context.declareEffectChange(CountedEffect::ChannelGet, "one for what each copy writes");
    return true;
  }

  int64_t shimChannels_ = 2;
  bool forcePackets_ = false, forceInputs_ = false;
};

}  // namespace

void registerDmaToChannel(PassRegistry& registry) { registry.add<DmaToChannel>(); }

}  // namespace airlite
