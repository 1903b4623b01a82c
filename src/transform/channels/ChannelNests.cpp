// Loops around one channel op become dimensions of its access list.
//
// One transfer of all iterations is one of the ways in which the transfers of the iterations may
// take place: a channel is a stream, and the result token of a loop covers all that is inside.
#include "ChannelNests.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "transform/dependency/TokenMoves.hpp"
#include "transform/dependency/TokenResults.hpp"

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
  if (!isa<ExecuteOp>(&op))
    return op.numRegions() == 0 && effectsOf(op, effects) && effects.empty();
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
  AccessList own;                  // as the op has it
  AccessList list;                 // canonical, with the loops
  std::vector<LinearSum> indices;  // of the channel
  Operation* outermost = nullptr;  // of the loops; null: none

  Type memref() const { return op.access().memref.type(); }
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

namespace {

/// `open` with the loop in it; empty, or why not.
std::string_view addToList(ChannelAccessOp op, Operation& loop,
                           const std::vector<LinearSum>& indices, LinearReader& reader,
                           AccessList& open) {
  auto range = reader.rangeOf(loopVariable(loop));
  auto isLocal = [&](const LinearSum& sum) { return dependsOn(sum, loop); };
  if (!range || range->count < 1) return "its trip count is not a positive constant";
  if (!carriesTokensOnly(loop)) return "it carries more than tokens";
  if (usesInner(op, loop)) return "the buffer is made in it";
  if (std::any_of(indices.begin(), indices.end(), isLocal))
    return "each iteration has a place of the channel of its own";
  if (!addLoop(open, loopVariable(loop), *range))
    return "the iterations do not go forward at even distances";
  bool isSum = std::none_of(open.dims.begin(), open.dims.end(),
                            [&](const ListDim& dim) { return isLocal(dim.offset); });
  return isSum ? "" : "an offset is not a sum of loop variables";
}

}  // namespace

/// The innermost loop first. One that does not fit may do so together with the next one around: the
/// two may be one run.
void NestFolder::takeLoops(Nest& nest, LinearReader& reader, std::string_view& declined) {
  AccessList open = nest.own;  // with all loops so far
  canonicalize(open, limits_.size, true);
  Operation* inner = nest.op.op();
  for (Operation* loop = inner->parentOp();
       loopVariable(*loop) && onlyEffect(*inner->block()) == inner; loop = loop->parentOp()) {
    declined = addToList(nest.op, *loop, nest.indices, reader, open);
    if (!declined.empty()) return;
    AccessList folded = open;
    makeCanonical(folded, nest.memref());
    inner = loop;
    if (fits(nest.own, folded, nest.memref())) {
      nest.outermost = loop;
      nest.list = std::move(folded);
    } else {
      declined = "its dimension would be beyond what a buffer descriptor can say";
    }
  }
}

bool NestFolder::run(ChannelAccessOp op, std::string_view& declined) {
  declined = {};
  LinearReader reader(LinearReader::Reach::Body);
  bool isPadded = op->hasAttr("pad_before") || op->hasAttr("pad_after");
  bool isRepeated = sendsOf(*op) > 1;  // of all of the list: a loop would go around that
  auto list = isPadded || isRepeated ? std::nullopt : readAccessList(op.access(), reader);
  if (!list) {
    bool isAlone = loopVariable(*op->parentOp()) && onlyEffect(*op->block()) == op.op();
    if (isAlone)
      declined = isPadded     ? "the transfer is padded"
                 : isRepeated ? "the transfer is sent several times"
                              : "its sizes and strides are not all constant";
    return false;
  }
  Nest nest{op, *list, *list, {}, nullptr};
  makeCanonical(nest.list, nest.memref());
  for (Value index : op.indices())
    nest.indices.push_back(reader.read(index));
  takeLoops(nest, reader, declined);
  bool changes =
      nest.outermost || nest.list != nest.own || (nest.list.isWhole() && !op.access().isWhole());
  if (changes) apply(nest);
  return changes;
}

namespace {

/// What `token`, which the nest yields, fires after: the op, and what the op does not wait for.
Values endsOf(Operation& nest, Value token, ChannelAccessOp op, const Values& waits) {
  Values ends;
  if (op.token()) ends.push_back(op.token());
  OutsideTokens outside(nest);
  if (token != op.token()) outside.add(token);
  for (Value other : outside.tokens) {
    bool isImplied = op.token() && std::find(waits.begin(), waits.end(), other) != waits.end();
    if (other != op.token() && !isImplied) ends.push_back(other);
  }
  return ends;
}

/// Users of the loops' results wait for the op, which stands in front of them now.
void replaceResults(Operation& nest, ChannelAccessOp op, const Values& waits) {
  Operation& yield = nest.region().front().back();
  for (unsigned i = 0; i < nest.numResults(); ++i) {
    Value result = nest.result(i);
    if (!result.hasUses()) continue;
    Values ends = endsOf(nest, yield.operand(i), op, waits);
    bool isJoin = ends.size() != 1 || ends.front().type() != result.type();
    result.replaceAllUsesWith(isJoin ? joinTokens(nest, ends, result.type()) : ends.front());
  }
}

}  // namespace

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
  replaceResults(place, op, waits.tokens);
  place.erase();
}

}  // namespace airlite::air
