// air-specialize-dma-broadcast: one DMA or channel for each group of cores that gets the same data.
//
// Matches, in herds of two dimensions, each air.dma_memcpy_nd with `broadcast_pattern`: a set over
// the ids of a core (d0, d1) and the number of its group (s0, counting from 0 to the bound that the
// set gives). It becomes a chain of affine.if on the ids, one branch for each group; the last group
// has no test. The copy in a branch has `broadcast_set`, the pattern for its group over the ids as
// symbols, and offsets that are equal for all cores of the group become constants; what it no
// longer needs it does not wait for. A pattern with one group gets an else branch that waits for
// the dependencies only.
//
// Matches also air.channel with `broadcast_shape` where one dimension broadcasts and another has
// several channels. It becomes one channel for each combination of the latter (<name>_0, <name>_1,
// ...; <name>_0_0 with two such dimensions). A put or get with a constant index takes its channel;
// others are put into a chain of affine.if (on a herd id) or scf.if (on any other index).
//
// Movement is renumbered at the end. Declines, with a remark: a DMA outside of such a herd, a
// pattern without a constant number of groups, a channel that other ops than puts and gets name,
// and more groups or channels than kMaxBranches.
#include "Renumber.hpp"
#include "airlite/analysis/CoreValues.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace airlite {

namespace {

// Each branch is a copy of the op in the program of every core, which has room for far fewer.
constexpr int64_t kMaxBranches = 1024;
// Cores of a herd for which offsets are worked out one by one.
constexpr int64_t kMaxCores = 4096;

// -- Chains of branches -------------------------------------------------------------------------

/// An if with two empty blocks, `affine.if` or `scf.if`.
using MakeIf = std::function<Operation*(Builder&, unsigned)>;
/// Fills a branch; returns the token that it yields, or null.
using Fill = std::function<Value(Builder&, unsigned)>;

void fillBranch(Operation& branch, unsigned region, const std::function<Value(Builder&)>& fill) {
  Builder inside = Builder::atEnd(branch.region(region).front());
  Value token = fill(inside);
  std::string_view yield = branch.is("affine.if") ? "affine.yield" : "scf.yield";
  inside.create(branch.location(), yield, std::span(&token, token ? 1 : 0), {});
}

/// if (0) fill(0) else if (1) fill(1) ... else fill(count - 1).
Value chain(Builder& builder, unsigned count, const MakeIf& makeIf, const Fill& fill,
            unsigned at = 0) {
  if (at + 1 == count) return fill(builder, at);
  Operation* branch = makeIf(builder, at);
  fillBranch(*branch, 0, [&](Builder& inside) { return fill(inside, at); });
  fillBranch(*branch, 1,
             [&](Builder& inside) { return chain(inside, count, makeIf, fill, at + 1); });
  return branch->numResults() ? branch->result() : Value();
}

Operation* makeIfOp(Builder& builder, Location location, std::string_view name,
                    std::span<const Value> operands, Type tokenType, IntegerSet set = {}) {
  OperationState state(builder.context(), location, name);
  state.addOperands(operands);
  if (tokenType) state.resultTypes.push_back(tokenType);
  if (set) state.addAttribute(builder.context(), "condition", IntegerSetAttr::get(set));
  for (int i = 0; i < 2; ++i)
    state.addRegion().addBlock(builder.context());
  return builder.insert(Operation::create(builder.context(), state));
}

Type tokenTypeOf(Operation& op) {
  Value token = air::AsyncOp(&op).token();
  return token ? token.type() : Type();
}

// -- DMAs ---------------------------------------------------------------------------------------

/// Groups of a pattern: one more than the constant c of its constraint `-s0 + c >= 0`.
std::optional<int64_t> groupCount(IntegerSet pattern) {
  AffineExpr group = AffineExpr::symbol(pattern.context(), 0);
  for (unsigned i = 0; i < pattern.constraints().size(); ++i) {
    std::optional<int64_t> bound = (pattern.constraints()[i] + group).constantValue();
    if (bound && !pattern.isEquality(i)) return *bound + 1;
  }
  return std::nullopt;
}

/// The pattern for one group, over the ids as symbols.
IntegerSet groupSet(IntegerSet pattern, int64_t group) {
  Context& context = pattern.context();
  AffineExpr ids[] = {AffineExpr::symbol(context, 0), AffineExpr::symbol(context, 1)};
  AffineExpr number = AffineExpr::constant(context, group);
  std::vector<AffineExpr> constraints;
  std::vector<bool> equal;
  for (unsigned i = 0; i < pattern.constraints().size(); ++i) {
    AffineExpr expr = pattern.constraints()[i].replace(ids, std::span(&number, 1));
    bool holds = !pattern.isEquality(i) && expr.constantValue().value_or(-1) >= 0;
    if (holds) continue;
    constraints.push_back(expr);
    equal.push_back(pattern.isEquality(i));
  }
  return IntegerSet::get(context, 0, 2, constraints, equal);
}

class DmaSpecializer {
 public:
  DmaSpecializer(Operation& dma, air::HerdOp herd) : dma_(dma), herd_(herd) {}

  /// Empty when it was replaced, else why not.
  std::string_view run() {
    auto attr = dma_.attrOf<IntegerSetAttr>("broadcast_pattern");
    if (!attr || attr.value().numDims() != 2 || attr.value().numSymbols() != 1)
      return "broadcast_pattern is not a set of two dims and a symbol";
    if (!herd_ || herd_.numDims() != 2) return "is not in a herd of two dimensions";
    pattern_ = attr.value();
    std::optional<int64_t> count = groupCount(pattern_);
    if (!count || *count < 1) return "broadcast_pattern has no constant number of groups";
    if (*count > kMaxBranches) return "broadcast_pattern has too many groups";
    replace(static_cast<unsigned>(*count));
    return {};
  }

 private:
  void replace(unsigned count) {
    Builder builder = Builder::before(dma_);
    Value ids[] = {herd_.id(0), herd_.id(1)};
    auto makeIf = [&](Builder& at, unsigned group) {
      return makeIfOp(at, dma_.location(), "affine.if", ids, tokenTypeOf(dma_),
                      groupSet(pattern_, group));
    };
    auto fill = [&](Builder& at, unsigned group) {
      return group < count ? copyFor(at, group) : waitOnly(at);
    };
    if (count == 1 && !tokenTypeOf(dma_)) {
      Operation* branch = makeIf(builder, 0);
      fillBranch(*branch, 0, [&](Builder& inside) { return copyFor(inside, 0); });
      branch->region(1).clear();
      return dma_.erase();
    }
    Value token = chain(builder, std::max(count, 2u), makeIf, fill);
    if (token) air::AsyncOp(&dma_).token().replaceAllUsesWith(token);
    dma_.erase();
  }

  Value waitOnly(Builder& builder) {
    Type type = tokenTypeOf(dma_);
    return builder
        .create(dma_.location(), "air.wait_all", air::AsyncOp(&dma_).dependencies().vec(),
                std::span(&type, 1))
        ->result();
  }

  Value copyFor(Builder& builder, unsigned group) {
    IntegerSet set = groupSet(pattern_, group);
    Operation* copy = dma_.clone();
    copy->removeAttr("broadcast_pattern");
    copy->setAttr("broadcast_set", IntegerSetAttr::get(set));
    foldOffsets(builder, *copy, set);
    builder.insert(copy);
    return air::AsyncOp(copy).token();
  }

  void foldOffsets(Builder& builder, Operation& copy, IntegerSet set) {
    for (std::string_view list : {"dst_offsets", "src_offsets"}) {
      unsigned group = static_cast<unsigned>(copy.def().operandIndex(list));
      std::vector<Value> offsets = copy.operandGroup(group).vec(), folded;
      for (Value& offset : offsets) {
        std::optional<int64_t> value;
        if (!constantIntOf(offset)) value = valueInGroup(offset, set);
        if (!value) continue;
        folded.push_back(offset);
        offset = builder.constantIndex(copy.location(), *value);
      }
      copy.setOperandGroup(group, offsets);
      for (Value offset : folded)
        dropWaitFor(copy, offset);
    }
  }

  /// The value that `offset` has on all cores of the group.
  std::optional<int64_t> valueInGroup(Value offset, IntegerSet set) {
    std::optional<std::vector<int64_t>> sizes = herd_.constantSizes();
    std::optional<int64_t> common;
    int64_t cores = 0;
    if (!sizes || __builtin_mul_overflow((*sizes)[0], (*sizes)[1], &cores) || cores > kMaxCores)
      return std::nullopt;
    for (int64_t x = 0; x < (*sizes)[0]; ++x)
      for (int64_t y = 0; y < (*sizes)[1]; ++y) {
        int64_t ids[] = {x, y};
        if (!set.contains({}, ids).value_or(false)) continue;
        std::optional<int64_t> here = analysis::CoreValues(herd_, {x, y})(offset);
        if (!here || common.value_or(*here) != *here) return std::nullopt;
        common = here;
      }
    return common;
  }

  /// `copy` does not wait for the op that made `offset`, when it uses nothing else of it.
  static void dropWaitFor(Operation& copy, Value offset) {
    Operation* maker = offset.definingOp();
    if (!maker || !isa<air::ExecuteOp>(maker)) return;
    air::AsyncOp async(&copy);
    unsigned waits = async.dependencies().size();
    for (unsigned i = waits; i < copy.numOperands(); ++i)
      if (copy.operand(i).definingOp() == maker) return;
    std::vector<Value> kept;
    for (Value token : async.dependencies())
      if (token != maker->result(0)) kept.push_back(token);
    async.setDependencies(kept);
  }

  Operation& dma_;
  air::HerdOp herd_;
  IntegerSet pattern_;
};

// -- Channels -----------------------------------------------------------------------------------

class ChannelSpecializer {
 public:
  explicit ChannelSpecializer(air::ChannelOp channel)
      : channel_(channel), sizes_(channel.sizes()), name_(channel.symbol()) {}

  static bool applies(air::ChannelOp channel) {
    std::optional<std::vector<int64_t>> shape = channel.broadcastShape();
    std::vector<int64_t> sizes = channel.sizes();
    if (!shape || shape->size() != sizes.size()) return false;
    bool several = false, broadcasts = false;
    for (size_t i = 0; i < sizes.size(); ++i) {
      several |= sizes[i] > 1;
      broadcasts |= sizes[i] == 1 && (*shape)[i] > 1;
    }
    return several && broadcasts;
  }

  /// Empty when it was split, else why not.
  std::string_view run(Operation& table) {
    int64_t count = 1;
    for (int64_t size : sizes_)
      if (__builtin_mul_overflow(count, size, &count) || count > kMaxBranches)
        return "has too many channels to split";
    std::vector<Operation*> accesses;
    if (!collect(table, accesses)) return "is named by other ops than puts and gets";
    declare(Builder::before(*channel_.op()), 0, name_);
    for (Operation* access : accesses)
      replace(*access);
    channel_->erase();
    return {};
  }

 private:
  bool collect(Operation& table, std::vector<Operation*>& accesses) const {
    bool onlyAccesses = true;
    table.walk([&](Operation& op) {
      bool access = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
      bool names = false;
      forEachSymbolUse(op, [&](SymbolRefAttr use) { names |= use.root() == name_; });
      if (!names) return;
      onlyAccesses &= access && air::ChannelAccessOp(&op).channel() == channel_;
      accesses.push_back(&op);
    });
    return onlyAccesses;
  }

  void declare(Builder builder, size_t dim, const std::string& name) const {
    if (dim == sizes_.size()) {
      Operation* copy = builder.insert(channel_->clone());
      copy->setAttr(kSymbolName, builder.stringAttr(name));
      std::vector<Attribute> ones(sizes_.size(), builder.i64Attr(1));
      auto shape = channel_->attrOf<ArrayAttr>("broadcast_shape").value();
      std::vector<Attribute> rest(shape.begin(), shape.end());
      for (size_t i = 0; i < sizes_.size(); ++i)
        if (sizes_[i] > 1) rest[i] = ones[i];
      copy->setAttr("size", ArrayAttr::get(builder.context(), ones));
      copy->setAttr("broadcast_shape", ArrayAttr::get(builder.context(), rest));
      return;
    }
    if (sizes_[dim] <= 1) return declare(builder, dim + 1, name);
    for (int64_t i = 0; i < sizes_[dim]; ++i)
      declare(builder, dim + 1, name + "_" + std::to_string(i));
  }

  void replace(Operation& access) const {
    Builder builder = Builder::before(access);
    Value token = dispatch(builder, access, 0, name_);
    if (Value old = air::AsyncOp(&access).token()) old.replaceAllUsesWith(token);
    access.erase();
  }

  Value dispatch(Builder& builder, Operation& access, size_t dim, const std::string& name) const {
    if (dim == sizes_.size()) return accessOf(builder, access, name);
    if (sizes_[dim] <= 1) return dispatch(builder, access, dim + 1, name);
    Value index = air::ChannelAccessOp(&access).indices()[static_cast<unsigned>(dim)];
    auto next = [&](Builder& at, unsigned i) {
      return dispatch(at, access, dim + 1, name + "_" + std::to_string(i));
    };
    std::optional<int64_t> constant = constantIntOf(index);
    if (constant && *constant >= 0 && *constant < sizes_[dim])
      return next(builder, static_cast<unsigned>(*constant));
    auto makeIf = [&](Builder& at, unsigned i) { return makeTest(at, access, index, i); };
    return chain(builder, static_cast<unsigned>(sizes_[dim]), makeIf, next);
  }

  Value accessOf(Builder& builder, Operation& access, const std::string& name) const {
    std::vector<Value> indices = air::ChannelAccessOp(&access).indices().vec();
    for (size_t i = 0; i < sizes_.size(); ++i)
      if (sizes_[i] > 1) indices[i] = builder.constantIndex(access.location(), 0);
    Operation* copy = builder.insert(access.clone());
    copy->setAttr("chan_name", SymbolRefAttr::get(builder.context(), name));
    copy->setOperandGroup(1, indices);
    return air::AsyncOp(copy).token();
  }

  /// `index == i`, as a set of cores where the index is a herd id.
  static Operation* makeTest(Builder& builder, Operation& access, Value index, unsigned i) {
    air::HerdOp herd = access.parentOf<air::HerdOp>();
    bool isId = herd && herd.numDims() == 2 && herd.constantSizes() &&
                (index == herd.id(0) || index == herd.id(1));
    if (isId) {
      Value ids[] = {herd.id(0), herd.id(1)};
      return makeIfOp(builder, access.location(), "affine.if", ids, tokenTypeOf(access),
                      coresWith(herd, index, i));
    }
    Value wanted = builder.constantIndex(access.location(), i);
    Attribute equal = builder.i64Attr(0);  // arith::CmpIPredicate::eq
    Value test = builder
                     .create(access.location(), "arith.cmpi", {index, wanted}, {builder.intType(1)},
                             {builder.named("predicate", equal)})
                     ->result();
    return makeIfOp(builder, access.location(), "scf.if", std::span(&test, 1), tokenTypeOf(access));
  }

  static IntegerSet coresWith(air::HerdOp herd, Value id, int64_t value) {
    Context& context = herd->context();
    std::vector<AffineExpr> constraints;
    std::vector<bool> equal;
    for (unsigned i = 0; i < 2; ++i) {
      AffineExpr symbol = AffineExpr::symbol(context, i);
      if (herd.id(i) == id) {
        constraints.push_back(symbol - value);
        equal.push_back(true);
        continue;
      }
      constraints.push_back(symbol);
      constraints.push_back(-symbol + ((*herd.constantSizes())[i] - 1));
      equal.insert(equal.end(), 2, false);
    }
    return IntegerSet::get(context, 0, 2, constraints, equal);
  }

  air::ChannelOp channel_;
  std::vector<int64_t> sizes_;
  std::string name_;
};

class SpecializeDmaBroadcast : public Pass {
 public:
  SpecializeDmaBroadcast()
      : Pass("air-specialize-dma-broadcast",
             "Gives each group of cores that gets the same data a DMA or channel of its own") {
    anchor("builtin.module");
    example("airlite-opt --air-specialize-dma-broadcast in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> dmas, channels;
    module.walk([&](Operation& op) {
      if (isa<air::DmaMemcpyNdOp>(&op) && op.hasAttr("broadcast_pattern")) dmas.push_back(&op);
      if (isa<air::ChannelOp>(&op) && ChannelSpecializer::applies(air::ChannelOp(&op)))
        channels.push_back(&op);
    });
    bool changed = specializeDmas(dmas, context);
    changed |= specializeChannels(channels, context);
    if (changed)
      module.walk([](Operation& op) {
        if (op.is("func.func")) air::renumberMovement(op);
      });
    return changedIf(changed);
  }

 private:
  static bool specializeDmas(const std::vector<Operation*>& dmas, PassContext& context) {
    bool changed = false;
    for (Operation* dma : dmas) {
      std::string_view obstacle = DmaSpecializer(*dma, dma->parentOf<air::HerdOp>()).run();
      if (!obstacle.empty()) context.remark(*dma, obstacle);
      changed |= obstacle.empty();
    }
    if (changed)
      context.declareEffectChange(CountedEffect::Dma, "one copy for each group of cores");
    return changed;
  }

  static bool specializeChannels(const std::vector<Operation*>& channels, PassContext& context) {
    bool changed = false;
    for (Operation* channel : channels) {
      Operation* table = nearestSymbolTable(channel->parentOp());
      std::string_view obstacle =
          table ? ChannelSpecializer(air::ChannelOp(channel)).run(*table) : "is in no symbol table";
      if (!obstacle.empty()) context.remark(*channel, obstacle);
      changed |= obstacle.empty();
    }
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet})
      if (changed) context.declareEffectChange(effect, "one branch for each channel of a bundle");
    return changed;
  }
};

}  // namespace

void registerSpecializeDmaBroadcast(PassRegistry& registry) {
  registry.add<SpecializeDmaBroadcast>();
}

}  // namespace airlite
