// Loops around one channel op become dimensions of its access list.
//
// One transfer of all iterations is one of the ways in which the transfers of the iterations may
// take place: a channel is a stream, and the result token of a loop covers all that is inside.
#include "ChannelNests.hpp"

#include "TokenResults.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

using analysis::AccessList;
using analysis::LinearReader;
using analysis::LinearSum;
using analysis::ListDim;
using analysis::SymbolRange;
using Values = std::vector<Value>;

constexpr unsigned kIndexGroup = 1;

/// The iteration arguments' first values.
OperandRange initsOf(Operation& loop) {
  return isa<scf::ForOp>(&loop) ? scf::ForOp(&loop).initArgs() : affine::ForOp(&loop).inits();
}

bool isInside(Value value, Operation& op) {
  Region* region = value.parentRegion();
  return region && op.isAncestor(region->parentOp());
}

void addOnce(Values& values, Value value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

bool carriesTokensOnly(Operation& loop) {
  for (Value result : loop.resultValues())
    if (!isTokenType(result.type())) return false;
  return true;
}

/// The buffer, or what a put says of its destination, is made in the loop.
bool usesInner(ChannelAccessOp op, Operation& loop) {
  if (isInside(op.access().memref, loop)) return true;
  if (!op.isPut()) return false;
  OperandRange dest = op->operandGroup("dest");
  return std::any_of(dest.begin(), dest.end(), [&](Value value) { return isInside(value, loop); });
}

bool dependsOn(const LinearSum& sum, Operation& loop) {
  return std::any_of(sum.terms.begin(), sum.terms.end(),
                     [&](const LinearSum::Term& term) { return isInside(term.symbol, loop); });
}

}  // namespace

Value loopVariable(Operation& loop) {
  if (isa<scf::ForOp>(&loop)) return scf::ForOp(&loop).inductionVar();
  return isa<affine::ForOp>(&loop) ? affine::ForOp(&loop).inductionVar() : Value();
}

bool isCalculation(Operation& op) {
  std::vector<EffectInstance> effects;
  // A division is one too, though it may not be done early.
  if (!isa<ExecuteOp>(&op)) return op.numRegions() == 0 && effectsOf(op, effects) && effects.empty();
  for (Operation& inner : ExecuteOp(&op).body().ops())
    if (!inner.hasTrait(Trait::Terminator) && !isCalculation(inner)) return false;
  return true;
}

// -- Tokens ---------------------------------------------------------------------------------------

namespace {

/// Tokens from outside of a nest for which tokens inside of it wait.
class OutsideTokens {
 public:
  explicit OutsideTokens(Operation& nest) : nest_(nest) {}

  void add(Value token) {
    if (!isInside(token, nest_)) return addOnce(tokens, token);
    if (std::find(seen_.begin(), seen_.end(), token) != seen_.end()) return;
    seen_.push_back(token);
    if (token.isBlockArgument()) return addArgument(token);
    Operation& op = *token.definingOp();
    if (isAsyncOp(op)) return addAll(AsyncOp(&op).dependencies());
    // A loop of the nest, or the result of something else that only passes tokens on.
    for (Value operand : op.operands())
      if (isTokenType(operand.type())) add(operand);
  }
  void addAll(OperandRange range) {
    for (Value token : range)
      add(token);
  }

  Values tokens;

 private:
  /// In the first iteration; what later ones wait for is inside.
  void addArgument(Value token) {
    Operation& loop = *token.argumentBlock()->parentOp();
    if (loopVariable(loop) && token.index() > 0) add(initsOf(loop)[token.index() - 1]);
  }

  Operation& nest_;
  Values seen_;
};

}  // namespace

// -- The nest -------------------------------------------------------------------------------------

/// A channel op with the loops that go into its list.
struct NestFolder::Nest {
  ChannelAccessOp op;
  Operation* outermost = nullptr;  // null: none, the list is made canonical
  AccessList list;
  std::vector<LinearSum> indices;  // of the channel
};

Operation* NestFolder::onlyEffect(Block& body) {
  auto [entry, isNew] = onlyEffects_.try_emplace(&body, nullptr);
  if (!isNew) return entry->second;
  Operation* only = nullptr;
  for (Operation& op : body.ops()) {
    bool isJoin = isa<WaitAllOp>(&op) && AsyncOp(&op).token();
    if (op.hasTrait(Trait::Terminator) || isJoin || isCalculation(op)) continue;
    if (only) return nullptr;
    only = &op;
  }
  return entry->second = only;
}

namespace {

int64_t elementBits(Type memref) {
  Type element = elementTypeOrSelf(memref);
  return element.isIndex() ? 64 : std::max<int64_t>(element.bitWidth(), 1);
}

}  // namespace

void NestFolder::makeCanonical(AccessList& list, Type memref) {
  int64_t alignment = limits_.wordsOnly ? std::max<int64_t>(32 / elementBits(memref), 1) : 1;
  if (limits_.size) splitLargeDims(list, *limits_.size, alignment);
  canonicalize(list, limits_.size);
  bool repeats = list.dims.size() > 1 && list.dims[0].size > 1 && list.dims[0].stride == 0;
  if (limits_.repeats != Repeats::InFront || !repeats || !limits_.dims) return;
  while (static_cast<int64_t>(list.dims.size()) < *limits_.dims)
    list.dims.insert(list.dims.begin() + 1, ListDim());
}

bool NestFolder::fits(const AccessList& before, const AccessList& after, Type memref) {
  auto tooFar = [&](const ListDim& dim) {
    return dim.size > 1 && dim.stride > limits_.strideWords * 32 / elementBits(memref);
  };
  auto active = [](const ListDim& dim) { return dim.size > 1; };
  auto count = [](const AccessList& list, auto predicate) {
    return std::count_if(list.dims.begin(), list.dims.end(), predicate);
  };
  if (count(after, tooFar) > count(before, tooFar)) return false;
  if (limits_.dims && count(after, active) > *limits_.dims) return false;
  if (limits_.repeats == Repeats::Anywhere) return true;
  auto first = std::find_if(after.dims.begin(), after.dims.end(), active);
  if (first != after.dims.end() && limits_.repeats == Repeats::InFront) ++first;
  return std::none_of(first, after.dims.end(),
                      [&](const ListDim& dim) { return dim.size > 1 && dim.stride == 0; });
}

bool NestFolder::run(ChannelAccessOp op, std::string_view& declined) {
  declined = {};
  LinearReader reader(LinearReader::Reach::Body);
  bool isPadded = op->hasAttr("pad_before") || op->hasAttr("pad_after");
  auto list = isPadded ? std::nullopt : readAccessList(op.access(), reader);
  Operation* parent = op->parentOp();
  bool isAlone = loopVariable(*parent) && onlyEffect(*op->block()) == op.op();
  if (!list) {
    if (isAlone)
      declined = isPadded ? "the transfer is padded" : "its sizes and strides are not all constant";
    return false;
  }
  Nest nest{op, nullptr, *list, {}};
  makeCanonical(nest.list, op.access().memref.type());
  for (Value index : op.indices())
    nest.indices.push_back(reader.read(index));
  AccessList open = *list;  // with all loops so far; canonical only in the end
  Operation* inner = op.op();
  for (Operation* loop = parent; loopVariable(*loop) && onlyEffect(*inner->block()) == inner;
       inner = loop, loop = loop->parentOp()) {
    auto range = reader.rangeOf(loopVariable(*loop));
    auto decline = [&](std::string_view why) { declined = why; };
    if (!range || range->count < 1) { decline("its trip count is not a positive constant"); break; }
    if (!carriesTokensOnly(*loop)) { decline("it carries more than tokens"); break; }
    if (usesInner(op, *loop)) { decline("the buffer is made in it"); break; }
    auto isLocal = [&](const LinearSum& index) { return dependsOn(index, *loop); };
    if (std::any_of(nest.indices.begin(), nest.indices.end(), isLocal)) {
      decline("each iteration has a place of the channel of its own");
      break;
    }
    if (!addLoop(open, loopVariable(*loop), *range)) {
      decline("the iterations do not go forward at even distances");
      break;
    }
    auto hasLocal = [&](const ListDim& dim) { return dependsOn(dim.offset, *loop); };
    if (std::any_of(open.dims.begin(), open.dims.end(), hasLocal)) {
      decline("an offset is not a sum of loop variables");
      break;
    }
    AccessList folded = open;
    makeCanonical(folded, op.access().memref.type());
    if (!fits(*list, folded, op.access().memref.type())) {
      decline("its dimension would be beyond what a buffer descriptor can say");
      continue;  // with the next loop it may be one run again
    }
    declined = {};
    nest.outermost = loop;
    nest.list = std::move(folded);
  }
  bool changes = nest.outermost || nest.list != *list ||
                 (nest.list.isWhole() && !op.access().isWhole());
  if (changes) apply(nest);
  return changes;
}

void NestFolder::apply(Nest& nest) {
  ChannelAccessOp op = nest.op;
  Operation& place = nest.outermost ? *nest.outermost : *op.op();
  for (ListDim& dim : nest.list.dims)
    if (dim.source && nest.outermost && isInside(dim.source, place)) dim.source = Value();
  writeAccessList(op, nest.list, place, constants_);
  if (!nest.outermost) return;
  Values indices = op.indices().vec();
  for (size_t i = 0; i < indices.size(); ++i)
    if (isInside(indices[i], place)) indices[i] = materialize(nest.indices[i], place, constants_);
  op->setOperandGroup(kIndexGroup, indices);
  OutsideTokens waits(place);
  waits.addAll(op.dependencies());
  op.setDependencies(waits.tokens);
  op->moveBefore(&place);
  for (unsigned i = 0; i < place.numResults(); ++i) {
    if (!place.result(i).hasUses()) continue;
    OutsideTokens ends(place);
    Value yielded = place.region().front().back().operand(i);
    if (yielded != op.token()) ends.add(yielded);
    Values all;
    if (op.token()) all.push_back(op.token());
    for (Value token : ends.tokens)
      if (token != op.token() && !(op.token() && std::find(waits.tokens.begin(), waits.tokens.end(),
                                                           token) != waits.tokens.end()))
        all.push_back(token);
    Type type = place.result(i).type();
    bool isJoin = all.size() != 1 || all.front().type() != type;
    place.result(i).replaceAllUsesWith(isJoin ? joinTokens(place, all, type) : all.front());
  }
  place.erase();
}

}  // namespace airlite::air
