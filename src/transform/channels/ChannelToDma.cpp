// air-channel-to-dma: what a core exchanges with the memory of the host through a channel it copies
// itself.
//
// Matches a channel with one put and one get, of which one stands in the body of a launch, on memory
// of the host, and the other in a segment or herd of it. The latter becomes an air.dma_memcpy_nd
// with the access of the other, which goes. What that access is computed from comes with it: the
// numbers of the parallel and sequential loops around are the indices of the channel and the numbers of
// the loops around the copy. Where the launch moves at once what a core takes in the loops around it, each
// run takes its rows.
//
// The host memory is touched by this one transfer in the launch, so it makes no difference when that
// happens; and what waited for the transfer waited for this memory, or for the launch to end.
//
// Declines, with a remark at the channel: several puts or gets, ends in other places, indices that are
// no numbers of loops or ids, loops that do not correspond (those that run once do not count), memory that the launch uses twice, loaded
// or carried numbers.
#include "AccessLists.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite {

namespace {

using air::Access;
using air::ChannelAccessOp;
using air::HierarchyOp;
using air::IndexEntry;
using air::LaunchOp;

HierarchyOp levelOf(Operation& op) {
  for (Operation* at = op.parentOp(); at; at = at->parentOp())
    if (const HierarchyOp level = air::asHierarchy(at)) return level;
  return HierarchyOp();
}

/// Ops around `op` up to `limit`, the outermost first.
std::vector<Operation*> opsAround(Operation& op, Operation& limit) {
  std::vector<Operation*> around;
  for (Operation* at = op.parentOp(); at && at != &limit; at = at->parentOp())
    around.insert(around.begin(), at);
  return around;
}

/// A loop that counts from a constant in constant steps.
struct CountedLoop {
  Value number;
  int64_t lower = 0, step = 1, count = 0;
};

std::optional<CountedLoop> countedLoop(Value number, Value lower, Value upper, Value step) {
  const auto from = constantIntOf(lower), to = constantIntOf(upper), by = constantIntOf(step);
  if (!from || !to || !by || *by <= 0 || *to < *from) return std::nullopt;
  return CountedLoop{number, *from, *by, (*to - *from + *by - 1) / *by};
}

/// The numbers that loops around give; none where one of them does not count.
std::optional<std::vector<CountedLoop>> loopsOf(Operation& op) {
  std::vector<CountedLoop> loops;
  if (auto loop = dynCast<scf::ForOp>(&op)) {
    const auto counted =
        countedLoop(loop.inductionVar(), loop.lowerBound(), loop.upperBound(), loop.step());
    if (!counted) return std::nullopt;
    loops.push_back(*counted);
    return loops;
  }
  auto parallel = dynCast<scf::ParallelOp>(&op);
  if (!parallel) return std::nullopt;
  for (unsigned i = 0; i < parallel.numLoops(); ++i) {
    const auto counted = countedLoop(parallel.inductionVars()[i], parallel.lowerBounds()[i],
                                     parallel.upperBounds()[i], parallel.steps()[i]);
    if (!counted) return std::nullopt;
    loops.push_back(*counted);
  }
  return loops;
}

/// The lists of an access of all of a memref, written out.
std::optional<Access> writtenOut(const Access& access) {
  if (!access.isWhole()) return access;
  const auto type = access.memref.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape() || type.layout()) return std::nullopt;
  const std::vector<int64_t> strides = type.stridedForm()->strides;
  Access result{access.memref, {}, {}, {}};
  for (size_t i = 0; i < type.shape().size(); ++i) {
    result.offsets.push_back({0, Value()});
    result.sizes.push_back({type.shape()[i], Value()});
    result.strides.push_back({strides[i], Value()});
  }
  return result;
}

/// A loop that does nothing but calculate and join tokens.
bool isIdle(Operation& loop) {
  const auto isToken = [](Value value) { return air::isTokenType(value.type()); };
  if (!std::ranges::all_of(loop.resultValues(), isToken)) return false;
  const WalkResult result = loop.walkWith([&](Operation& op) {
    const bool isNothing = &op == &loop || isa<scf::ReduceOp>(&op) ||
                           op.hasTrait(Trait::Terminator) || isa<air::WaitAllOp>(&op) || isPure(op);
    return isNothing ? WalkResult::Advance : WalkResult::Interrupt;
  });
  return result != WalkResult::Interrupt;
}

/// What waited for the loop waits for what something in it waited for.
void dropLoop(Operation& loop) {
  std::vector<Value> tokens;
  loop.walk([&](Operation& op) {
    for (Value operand : op.operands())
      if (air::isTokenType(operand.type()) &&
          !loop.isAncestor(operand.parentRegion()->parentOp()) &&
          std::ranges::find(tokens, operand) == tokens.end())
        tokens.push_back(operand);
  });
  for (Value result : loop.resultValues()) {
    if (!result.hasUses()) continue;
    const Type type = result.type();
    Operation* wait =
        Builder::before(loop).create(loop.location(), "air.wait_all", tokens, std::span(&type, 1));
    result.replaceAllUsesWith(wait->result());
  }
  loop.erase();
}

/// One channel that may become a copy. One class: what is read of both ends (loops, indices, rows) is what the
/// access of the copy is written with.
class Exchange {
 public:
  Exchange(ChannelAccessOp far, ChannelAccessOp near) : far_(far), near_(near) {}

  /// Why it stays a channel; empty when it can be a copy.
  std::string_view obstacle() {
    const LaunchOp launch = dynCast<LaunchOp>(levelOf(*far_.op()).op());
    if (!launch || near_->parentOf<LaunchOp>().op() != launch.op() ||
        levelOf(*near_.op()).op() == launch.op())
      return "stays: not one end in the launch, the other one in a segment or herd of it";
    launch_ = launch;
    if (!isOnlyUse()) return "stays: the launch uses the host memory in another way, too";
    if (far_->hasAttr("pad_before") || far_->hasAttr("pad_after")) return "stays: it pads";
    if (const std::string_view why = readLoops(); !why.empty()) return why;
    const Access access = far_.access();
    for (const auto* list : {&access.offsets, &access.sizes, &access.strides})
      for (const IndexEntry& entry : *list)
        if (entry.value && !isComputed(entry.value))
          return "stays: its access depends on loaded or carried numbers";
    if (const std::string_view why = bindIndices(); !why.empty()) return why;
    return matchLoops();
  }

  void convert() {
    Builder builder = Builder::before(*near_.op());
    const Access farAccess = movedAccess(builder);
    const Access nearAccess = near_.access();
    Operation* dma = air::createDma(builder, *near_.op(), near_.isPut() ? farAccess : nearAccess,
                                    near_.isPut() ? nearAccess : farAccess);
    if (Value token = near_.token()) token.replaceAllUsesWith(dma->result());
    near_->erase();
    removeFar();
    for (HierarchyOp level = levelOf(*dma); level.op() != launch_.op();) {
      const HierarchyOp outer = levelOf(*level.op());
      air::isolate(level);
      level = outer;
    }
  }

 private:
  /// The memory is an argument of the launch that nothing else in it uses, under no other name.
  bool isOnlyUse() const {
    const Value memory = far_.access().memref;
    const Value outside = memory.isBlockArgument() && memory.argumentBlock() == &launch_.body()
                              ? launch_.tiedOperand(memory)
                              : Value();
    if (!outside || air::memoryLevel(memory.type()) != air::MemoryLevel::L3) return false;
    unsigned uses = 0;
    for ([[maybe_unused]] OpOperand& use : memory.uses())
      ++uses;
    const auto isSame = [&](Value operand) {
      return operand.type().isa<MemRefType>() &&
             air::bufferSource(operand) == air::bufferSource(outside);
    };
    const std::vector<Value> operands = launch_.kernelOperands().vec();
    return uses == 1 && std::ranges::count_if(operands, isSame) == 1;
  }

  std::string_view readLoops() {
    constexpr std::string_view kOther = "stays: it stands in something else than counted loops";
    for (Operation* op : opsAround(*far_.op(), *launch_.op())) {
      const auto loops = loopsOf(*op);
      if (!loops) return kOther;
      farLoops_.insert(farLoops_.end(), loops->begin(), loops->end());
    }
    for (Operation* op : opsAround(*near_.op(), *launch_.op())) {
      if (const HierarchyOp level = air::asHierarchy(op)) {
        if (!isa<air::HerdOp>(op) && level.numDims() != 0) return kOther;
        continue;
      }
      if (!isa<scf::ForOp>(op)) return kOther;
      const auto loops = loopsOf(*op);
      if (!loops) return kOther;
      nearLoops_.insert(nearLoops_.end(), loops->begin(), loops->end());
    }
    return {};
  }

  /// From numbers of loops and what the launch has outside of them, by arithmetic.
  bool isComputed(Value value) const {
    Operation* op = value.definingOp();
    if (!op)
      return value.argumentBlock() == &launch_.body() ||
             std::ranges::find(farLoops_, value, &CountedLoop::number) != farLoops_.end();
    return isPure(*op) && op->numRegions() == 0 &&
           std::ranges::all_of(op->operands(), [&](Value operand) { return isComputed(operand); });
  }

  bool isId(Value value) const {
    const HierarchyOp level = levelOf(*near_.op());
    return value.isBlockArgument() && value.argumentBlock() == &level.body() &&
           value.index() < level.numDims();
  }

  /// What the indices of the far end are at the near one.
  std::string_view bindIndices() {
    constexpr std::string_view kOther =
        "stays: its indices are not constants, ids and numbers of loops";
    const std::vector<Value> far = far_.indices().vec();
    const std::vector<Value> near = near_.indices().vec();
    const bool isBroadcast = far_.channel() && far_.channel().broadcastShape().has_value();
    // Without indices it is the only place there is.
    if (far.empty() && isBroadcast && std::ranges::all_of(near, [&](Value id) { return isId(id); }))
      return {};
    if (far.size() != near.size()) return kOther;
    for (size_t i = 0; i < far.size(); ++i) {
      const auto constant = constantIntOf(far[i]);
      if (constant) {
        if (constantIntOf(near[i]) != constant &&
            !(isBroadcast && *constant == 0 && isId(near[i])) &&
            !(isId(near[i]) && isOnlyId(near[i])))
          return kOther;
        continue;
      }
      const auto loop = std::ranges::find(farLoops_, far[i], &CountedLoop::number);
      if (loop == farLoops_.end()) return kOther;
      if (!isId(near[i]) && !constantIntOf(near[i]) &&
          std::ranges::find(nearLoops_, near[i], &CountedLoop::number) == nearLoops_.end())
        return kOther;
      bound_[far[i]] = near[i];
      usedNear_.push_back(near[i]);
    }
    return {};
  }

  /// The only value of the id is 0, as of a herd with one core along it.
  bool isOnlyId(Value id) const {
    const auto sizes = levelOf(*near_.op()).constantSizes();
    return sizes && (*sizes)[id.index()] == 1;
  }

  /// The loops that no index names run side by side with those of the near end.
  std::string_view matchLoops() {
    std::vector<CountedLoop> far, near;
    // A loop that runs once is none.
    for (const CountedLoop& loop : farLoops_)
      if (!bound_.count(loop.number)) (loop.count == 1 ? single_ : far).push_back(loop);
    for (const CountedLoop& loop : nearLoops_)
      if (loop.count != 1 && std::ranges::find(usedNear_, loop.number) == usedNear_.end())
        near.push_back(loop);
    const auto moved = air::elementsOf(far_.access()), taken = air::elementsOf(near_.access());
    if (!moved || !taken) return "stays: the number of elements that it moves is not known";
    if (*moved == *taken) {
      if (far.size() != near.size()) return "stays: the loops around its ends do not correspond";
      for (size_t i = 0; i < far.size(); ++i) {
        if (far[i].count != near[i].count)
          return "stays: the loops around its ends do not correspond";
        pairs_.push_back({far[i], near[i]});
      }
      return {};
    }
    rows_ = near;
    return far.empty() ? splitRows(*moved, *taken)
                       : "stays: its ends move different numbers of elements in loops";
  }

  /// The loops of the near end go through the outer dimensions of the far access.
  std::string_view splitRows(int64_t moved, int64_t taken) {
    constexpr std::string_view kOther = "stays: its ends move different numbers of elements";
    int64_t runs = 1;
    for (const CountedLoop& loop : rows_)
      runs *= loop.count;
    const auto whole = writtenOut(far_.access());
    if (taken <= 0 || moved != runs * taken || !whole) return kOther;
    if (whole->offsets.size() != whole->sizes.size()) return kOther;
    int64_t outer = 1;
    while (outer < runs && outerDims_ < whole->sizes.size()) {
      const int64_t size = *whole->sizes[outerDims_].known();
      if (size > runs / outer) {  // each run has a part of the dimension
        if (runs % outer != 0 || size % (runs / outer) != 0) return kOther;
        partOfLast_ = size / (runs / outer);
        outer = runs;
      } else {
        outer *= size;
      }
      ++outerDims_;
    }
    return outer == runs ? std::string_view() : kOther;
  }

  // -- Writing

  Value compute(Builder& builder, std::string_view op, Value a, Value b) {
    return builder.create(near_->location(), op, {a, b}, {builder.indexType()})->result();
  }

  Value number(Builder& builder, int64_t value) {
    return builder.constantIndex(near_->location(), value);
  }

  /// How often a loop has run before.
  Value runOf(Builder& builder, const CountedLoop& loop) {
    Value run = loop.number;
    if (loop.lower != 0) run = compute(builder, "arith.subi", run, number(builder, loop.lower));
    if (loop.step != 1) run = compute(builder, "arith.divsi", run, number(builder, loop.step));
    return run;
  }

  Access movedAccess(Builder& builder) {
    for (const auto& [far, near] : bound_)
      mapping_.map(far, near);
    for (const CountedLoop& loop : single_)
      mapping_.map(loop.number, number(builder, loop.lower));
    for (const auto& [far, near] : pairs_) {
      Value value = runOf(builder, near);
      if (far.step != 1) value = compute(builder, "arith.muli", value, number(builder, far.step));
      if (far.lower != 0) value = compute(builder, "arith.addi", value, number(builder, far.lower));
      mapping_.map(far.number, value);
    }
    Access access = far_.access();
    if (outerDims_ > 0) access = *writtenOut(access);
    for (std::vector<IndexEntry>* list : {&access.offsets, &access.sizes, &access.strides})
      for (IndexEntry& entry : *list)
        if (entry.value) entry.value = moved(builder, entry.value);
    if (outerDims_ > 0) addRows(builder, access);
    return access;
  }

  /// The number of a run of all of these loops.
  Value runOf(Builder& builder, const std::vector<CountedLoop>& loops) {
    Value run = number(builder, 0);
    for (const CountedLoop& loop : loops)
      run = compute(builder, "arith.addi",
                    compute(builder, "arith.muli", run, number(builder, loop.count)),
                    runOf(builder, loop));
    return run;
  }

  /// Each run takes the rows of its number: of the run of a loop where loop and dimension have one size.
  void addRows(Builder& builder, Access& access) {
    std::vector<CountedLoop> loops = rows_;
    Value rest;  // the number of a run of all loops that are left
    for (size_t i = outerDims_; i-- > 0;) {
      const int64_t part = i + 1 == outerDims_ ? partOfLast_ : 1;
      const int64_t size = *access.sizes[i].known() / part;
      access.sizes[i] = {part, Value()};
      if (size == 1) continue;
      Value at;
      if (!rest && !loops.empty() && loops.back().count == size) {
        at = runOf(builder, loops.back());
        loops.pop_back();
      } else {
        if (!rest) rest = runOf(builder, loops);
        const auto isOne = [](const IndexEntry& other) { return other.known() == 1; };
        const bool isLast =
            std::all_of(access.sizes.begin(), access.sizes.begin() + std::ptrdiff_t(i), isOne);
        at = isLast ? rest : compute(builder, "arith.remsi", rest, number(builder, size));
        if (!isLast) rest = compute(builder, "arith.divsi", rest, number(builder, size));
      }
      if (part != 1) at = compute(builder, "arith.muli", at, number(builder, part));
      IndexEntry& offset = access.offsets[i];
      const Value first = offset.value ? offset.value : number(builder, offset.constant);
      offset = {0, compute(builder, "arith.addi", first, at)};
    }
  }

  /// A value of the launch at the near end.
  Value moved(Builder& builder, Value value) {
    if (const Value known = mapping_.lookupOrNull(value)) return known;
    Operation* op = value.definingOp();
    if (!op) return value;
    for (const Value operand : op->operands())
      moved(builder, operand);
    return builder.clone(*op, mapping_)->result(value.index());
  }

  /// What waited for the far transfer waits for what that waited for.
  void removeFar() {
    if (Value token = far_.token()) {
      Builder builder = Builder::before(*far_.op());
      const Type type = token.type();
      Operation* wait = builder.create(far_->location(), "air.wait_all", far_.dependencies().vec(),
                                       std::span(&type, 1));
      token.replaceAllUsesWith(wait->result());
    }
    Operation* around = far_->parentOp();
    far_->erase();
    while (around != launch_.op() && isIdle(*around)) {
      Operation* outer = around->parentOp();
      dropLoop(*around);
      around = outer;
    }
  }

  ChannelAccessOp far_, near_;
  LaunchOp launch_;
  std::vector<CountedLoop> farLoops_, nearLoops_, rows_, single_;
  std::vector<Value> usedNear_;
  std::vector<std::pair<CountedLoop, CountedLoop>> pairs_;
  size_t outerDims_ = 0;    // of the far access, which the loops of the near end go through
  int64_t partOfLast_ = 1;  // elements of the last of these that a run has
  std::unordered_map<Value, Value> bound_;
  IRMapping mapping_;
};

struct Ends {
  std::vector<Operation*> puts, gets;
};

class ChannelToDma : public Pass {
 public:
  ChannelToDma() : Pass("air-channel-to-dma", "Lets cores copy what they exchange with the host") {
    anchor("builtin.module");
    example("airlite-opt --air-channel-to-dma in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::unordered_map<Operation*, Ends> channels;
    std::vector<Operation*> order;
    module.walk([&](Operation& op) {
      if (!air::isChannelAccess(op)) return;
      const ChannelAccessOp access(&op);
      Operation* channel = access.channel().op();
      if (!channel) return;
      if (!channels.count(channel)) order.push_back(channel);
      (access.isPut() ? channels[channel].puts : channels[channel].gets).push_back(&op);
    });
    bool changed = false;
    for (Operation* channel : order)
      changed |= convert(*channel, channels.at(channel), context);
    if (changed)
      for (const CountedEffect effect :
           {CountedEffect::Dma, CountedEffect::ChannelPut, CountedEffect::ChannelGet})
        context.declareEffectChange(effect, "a put and a get become a copy");
    return changedIf(changed);
  }

 private:
  static bool convert(Operation& channel, const Ends& ends, PassContext& context) {
    if (ends.puts.size() != 1 || ends.gets.size() != 1) {
      context.remark(channel, "stays: it has not one put and one get");
      return false;
    }
    const ChannelAccessOp put(ends.puts[0]), get(ends.gets[0]);
    const bool putIsFar = isa<LaunchOp>(levelOf(*put.op()).op());
    Exchange exchange(putIsFar ? put : get, putIsFar ? get : put);
    if (const std::string_view why = exchange.obstacle(); !why.empty()) {
      context.remark(channel, why);
      return false;
    }
    exchange.convert();
    channel.erase();
    return true;
  }
};

}  // namespace

void registerChannelToDma(PassRegistry& registry) { registry.add<ChannelToDma>(); }

}  // namespace airlite
