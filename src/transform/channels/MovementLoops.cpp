// Unrolling loops that only move data.
#include "MovementLoops.hpp"

#include "ChannelNests.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/dependency/TokenMoves.hpp"
#include "transform/dependency/TokenResults.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::air {

namespace {

using analysis::SymbolRange;
using Values = std::vector<Value>;

/// More copies than any device has buffer descriptors for.
constexpr int64_t kMaxOps = 1 << 16;
/// Tokens followed backwards one by one.
constexpr unsigned kDeepest = 64;
/// Locks of a channel's tile.
constexpr int64_t kLocks = aie::defaultNpu().limits(aie::TileKind::Core).locks;

Value constantOfType(Builder& builder, Location location, Type type, int64_t value) {
  return builder.constant(location, IntegerAttr::get(type, value));
}

/// Copies of a loop body in front of the loop.
class Copier {
 public:
  explicit Copier(Operation& loop) : loop_(loop), body_(loop.region().front()) {
    for (Operation& op : body_.ops())
      if (!op.hasTrait(Trait::Terminator)) ops_.push_back(&op);
  }

  const std::vector<Operation*>& ops() const { return ops_; }

  /// One copy in which the argument `i` of the body is `values[i]`.
  IRMapping add(std::span<const Value> values) {
    IRMapping mapping;
    for (size_t i = 0; i < values.size(); ++i)
      mapping.map(body_.argument(static_cast<unsigned>(i)), values[i]);
    Builder builder = Builder::before(loop_);
    for (Operation* op : ops_) {
      copies_.push_back(builder.clone(*op, mapping));
      if (isa<scf::ForOp>(copies_.back())) makeOwnJoins(scf::ForOp(copies_.back()));
    }
    return mapping;
  }
  const std::vector<Operation*>& copies() const { return copies_; }

 private:
  /// What a copy uses is a part of what all of them use: with a join of its own, the part that it need not wait for
  /// goes (simplifyDependencies).
  void makeOwnJoins(scf::ForOp copy) {
    for (unsigned i = 0; i < copy.initArgs().size(); ++i) {
      Operation* join = copy.initArgs()[i].definingOp();
      if (!join || !isa<WaitAllOp>(join) || join->block() != loop_.block()) continue;
      copy->setOperand(copy->numOperands() - copy.initArgs().size() + i,
                       Builder::before(*copy).clone(*join)->result());
    }
  }

  Operation& loop_;
  Block& body_;
  std::vector<Operation*> ops_, copies_;
};

}  // namespace

// -- scf.parallel ---------------------------------------------------------------------------------

namespace {

/// A token that fires without any transfer in the loop.
bool isPrompt(Value token, Operation& loop, unsigned depth = 0) {
  if (!isInside(token, loop)) return true;
  Operation* op = token.definingOp();
  if (!op || depth > kDeepest || !(isa<ExecuteOp>(op) || isa<WaitAllOp>(op))) return false;
  OperandRange waits = AsyncOp(op).dependencies();
  return std::all_of(waits.begin(), waits.end(),
                     [&](Value wait) { return isPrompt(wait, loop, depth + 1); });
}

/// The op needs a value that is there only after a transfer in the loop.
bool needsTransfer(Operation& op, Operation& loop) {
  OperandRange operands = op.operands();
  return std::any_of(operands.begin(), operands.end(), [&](Value value) {
    Operation* def = value.definingOp();
    bool isResult = def && isa<ExecuteOp>(def) && !isTokenType(value.type());
    Value token = isResult ? ExecuteOp(def).token() : Value();
    return token && !isPrompt(token, loop);
  });
}

/// Only issues work and ends: a copy cannot be held up by what another copy does.
bool neverBlocks(Operation& op, Operation& loop) {
  if (isAsyncOp(op)) return AsyncOp(&op).token() && !asHierarchy(&op);
  if (needsTransfer(op, loop)) return false;
  bool isStructure = op.hasTrait(Trait::Terminator) || isa<scf::IfOp>(&op) ||
                     isa<affine::IfOp>(&op) || loopVariable(op);
  if (!isStructure) return isCalculation(op);
  bool holds = true;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        holds = holds && neverBlocks(inner, loop);
  return holds;
}

std::optional<std::vector<SymbolRange>> rangesOf(scf::ParallelOp loop) {
  analysis::LinearReader reader;
  std::vector<SymbolRange> ranges;
  for (unsigned i = 0; i < loop.numLoops(); ++i) {
    auto range = reader.rangeOf(loop.body().argument(i));
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  return ranges;
}

/// Asynchronous work whose end no token in the body tells.
bool hidesWork(scf::ParallelOp loop) {
  bool hides = false;
  for (Operation& op : loop.body().ops()) {
    bool hasToken = op.numResults() > 0 && isTokenType(op.result(op.numResults() - 1).type());
    bool isQuiet = op.hasTrait(Trait::Terminator) || isAsyncOp(op) || isPure(op) || hasToken;
    hides |= !isQuiet;
  }
  return hides;
}

/// The first wait of a token of the body: itself, or what the loop around it starts with.
Value startOf(Value token) {
  while (token.isBlockArgument() && token.index() > 0 &&
         isa<scf::ForOp>(token.argumentBlock()->parentOp()))
    token = scf::ForOp(token.argumentBlock()->parentOp()).initArgs()[token.index() - 1];
  return token;
}

/// What does not wait for something in the body waits for what the loop starts with.
void addStart(scf::ParallelOp loop) {
  Values start = loop.initVals().vec();
  loop.region().walk([&](Operation& op) {
    if (!isAsyncOp(op) || op.parentOfName("scf.parallel") != loop.op()) return;
    Values waits = AsyncOp(&op).dependencies().vec();
    for (Value wait : waits) {
      Value first = startOf(wait);
      if (isInside(first, *loop)) return;
      if (std::find(start.begin(), start.end(), first) != start.end()) return;
    }
    waits.insert(waits.end(), start.begin(), start.end());
    AsyncOp(&op).setDependencies(waits);
  });
}

/// Tokens of a body for which nothing in it waits.
Values endsOf(scf::ParallelOp loop) {
  Values ends;
  for (Operation& op : loop.body().ops())
    for (Value result : op.resultValues())
      if (isTokenType(result.type()) && !result.hasUses()) ends.push_back(result);
  for (Value value : loop.reduce().values())
    ends.push_back(value);
  return ends;
}

}  // namespace

std::string_view unrollParallel(Operation& op, bool mayBlock) {
  scf::ParallelOp loop(&op);
  auto ranges = rangesOf(loop);
  if (!ranges) return "its bounds are not constant";
  for (Value init : loop.initVals())
    if (!isTokenType(init.type())) return "it reduces values";
  for (Operation& inner : loop.body().ops())
    if (!mayBlock && !isa<scf::ReduceOp>(&inner) && !neverBlocks(inner, op))
      return "something in it blocks, so its iterations may wait for each other, or has cores";
  bool hasResult = op.numResults() > 0;
  if (hasResult && hidesWork(loop)) return "it holds work whose end no token tells";
  int64_t copies = 1;
  for (const SymbolRange& range : *ranges)
    if (__builtin_mul_overflow(copies, range.count, &copies)) return "it has too many iterations";
  if (copies > kMaxOps / countOps(op)) return "it has too many iterations";
  if (hasResult) addStart(loop);
  Values ends = hasResult ? endsOf(loop) : Values(), tokens = loop.initVals().vec();
  Copier copier(op);
  Builder builder = Builder::before(op);
  for (int64_t copy = 0; copy < copies; ++copy) {
    Values position(ranges->size());
    int64_t rest = copy;
    for (size_t i = ranges->size(); i--;) {
      const SymbolRange& range = (*ranges)[i];
      position[i] =
          builder.constantIndex(op.location(), range.lower + rest % range.count * range.step);
      rest /= range.count;
    }
    IRMapping mapping = copier.add(position);
    for (Value end : ends)
      tokens.push_back(mapping.lookupOr(end));
  }
  for (Value result : op.resultValues())
    if (result.hasUses()) result.replaceAllUsesWith(joinTokens(op, tokens, result.type()));
  op.erase();
  return {};
}

// -- Loops in order -------------------------------------------------------------------------------

bool isMovementLoop(Operation& op) {
  if (!loopVariable(op)) return false;
  bool moves = false;
  for (Operation& inner : op.region().front().ops()) {
    moves |= isChannelAccess(inner);
    if (inner.hasTrait(Trait::Terminator) || isChannelAccess(inner) || isa<WaitAllOp>(&inner))
      continue;
    if (!isCalculation(inner)) return false;
  }
  return moves;
}

namespace {

/// Follows values backwards to variables of loops.
class VariableSearch {
 public:
  explicit VariableSearch(std::span<const Value> variables)
      : variables_(variables.begin(), variables.end()) {}

  bool reaches(Value value) {
    if (!value || !seen_.insert(value).second) return false;
    if (variables_.count(value)) return true;
    Operation* op = value.definingOp();
    if (!op) return false;
    bool found = false;
    op->walk([&](Operation& inner) {
      for (Value operand : inner.operands())
        if (!isTokenType(operand.type())) found = found || reaches(operand);
    });
    return found;
  }

 private:
  std::unordered_set<Value> variables_, seen_;
};

/// All iterations, those of the loops around too, move the same elements, and they are as many as
/// there are locks.
bool repeatsTooOften(Operation& loop) {
  analysis::LinearReader reader;
  Values variables;
  int64_t trips = 1;
  for (Operation* at = &loop; at && !asHierarchy(at); at = at->parentOp()) {
    Value variable = loopVariable(*at);
    if (!variable) continue;
    variables.push_back(variable);
    auto range = reader.rangeOf(variable);
    trips = range && trips < kLocks ? trips * std::min(range->count, kLocks) : kLocks;
  }
  if (trips < kLocks) return false;
  VariableSearch search(variables);
  for (Operation& op : loop.region().front().ops()) {
    if (!isChannelAccess(op)) continue;
    for (const IndexEntry& offset : ChannelAccessOp(&op).access().offsets)
      if (offset.value && search.reaches(offset.value)) return false;
  }
  return true;
}

/// What fires before one of these tokens of a body, with them.
std::unordered_set<Value> coveredBy(Copier& copier, Value token) {
  std::unordered_set<Value> covered{token};
  for (size_t i = copier.ops().size(); i--;) {
    Operation& op = *copier.ops()[i];
    if (!isAsyncOp(op) || !AsyncOp(&op).token() || !covered.count(AsyncOp(&op).token())) continue;
    for (Value wait : AsyncOp(&op).dependencies())
      covered.insert(wait);
  }
  return covered;
}

/// Tokens of the transfers of a body, those that `yielded` covers left out.
Values transfersBeside(Copier& copier, Value yielded) {
  const std::unordered_set<Value> covered = coveredBy(copier, yielded);
  Values tokens;
  for (size_t i = copier.ops().size(); i--;) {
    Operation& op = *copier.ops()[i];
    const Value token = isChannelAccess(op) && isAsyncOp(op) ? AsyncOp(&op).token() : Value();
    if (token && !covered.count(token)) tokens.push_back(token);
  }
  return tokens;
}

/// The token number `i` that an iteration hands on fires after the one that it got.
bool isChained(Operation& loop, Copier& copier, Value yielded, unsigned i) {
  return coveredBy(copier, yielded).count(loop.region().front().argument(1 + i)) > 0;
}

/// The tokens of a body that fire after `start`, and `start`.
std::unordered_set<Value> followersOf(Copier& copier, Value start) {
  std::unordered_set<Value> followers{start};
  for (Operation* op : copier.ops()) {
    Value token = isAsyncOp(*op) ? AsyncOp(op).token() : Value();
    if (!token) continue;
    const OperandRange waits = AsyncOp(op).dependencies();
    if (std::ranges::any_of(waits, [&](Value wait) { return followers.count(wait) > 0; }))
      followers.insert(token);
  }
  return followers;
}

/// Transfers that no token orders after their own run in the iteration before: that they wait for it
/// all the same holds in the loop (docs/interpreter.md), and copies have to be told.
std::vector<size_t> ownRunsToFollow(Operation& loop, Copier& copier, OperandRange yielded) {
  std::unordered_set<Value> ordered;
  for (unsigned i = 0; i < yielded.size(); ++i) {
    const std::unordered_set<Value> before = coveredBy(copier, yielded[i]);
    for (Value token : followersOf(copier, loop.region().front().argument(1 + i)))
      if (before.count(token)) ordered.insert(token);
  }
  std::vector<size_t> found;
  for (size_t i = 0; i < copier.ops().size(); ++i) {
    Operation& op = *copier.ops()[i];
    Value token = isAsyncOp(op) ? AsyncOp(&op).token() : Value();
    if (token && !ordered.count(token) && isChannelAccess(op) &&
        hasFixedPlace(ChannelAccessOp(&op)))
      found.push_back(i);
  }
  return found;
}

void followOwnRuns(const Copier& copier, std::span<const size_t> transfers) {
  size_t round = copier.ops().size();
  for (size_t at = round; at < copier.copies().size(); at += round)
    for (size_t i : transfers) {
      AsyncOp copy(copier.copies()[at + i]);
      Values waits = copy.dependencies().vec();
      waits.push_back(AsyncOp(copier.copies()[at + i - round]).token());
      copy.setDependencies(waits);
    }
}

Values initValuesOf(Operation& loop) {
  return isa<scf::ForOp>(&loop) ? scf::ForOp(&loop).initArgs().vec()
                                : affine::ForOp(&loop).inits().vec();
}

/// What the tokens of an unrolled loop become, one for each that it carries: all transfers are over then.
class LoopEnds {
 public:
  LoopEnds(Operation& loop, Copier& copier) : loop_(loop) {
    const OperandRange yielded = loop.region().front().back().operands();
    for (unsigned i = 0; i < loop.numResults(); ++i) {
      End& end = ends_.emplace_back();
      if (!loop.result(i).hasUses()) continue;
      end.beside = transfersBeside(copier, yielded[i]);
      end.needsAll = !isChained(loop, copier, yielded[i], i);
    }
  }

  void add(const IRMapping& iteration, std::span<const Value> carried) {
    for (size_t i = 0; i < ends_.size(); ++i) {
      if (ends_[i].needsAll) ends_[i].tokens.push_back(carried[i]);
      for (Value token : ends_[i].beside)
        ends_[i].tokens.push_back(iteration.lookupOr(token));
    }
  }

  void replaceResults(std::span<const Value> carried) {
    for (unsigned i = 0; i < ends_.size(); ++i) {
      Value result = loop_.result(i);
      if (!result.hasUses()) continue;
      Values& tokens = ends_[i].tokens;
      if (tokens.empty() || tokens.back() != carried[i]) tokens.push_back(carried[i]);
      const bool isJoin = tokens.size() != 1 || tokens[0].type() != result.type();
      result.replaceAllUsesWith(isJoin ? joinTokens(loop_, tokens, result.type()) : tokens[0]);
    }
  }

 private:
  struct End {
    Values beside, tokens;
    bool needsAll = false;
  };

  Operation& loop_;
  std::vector<End> ends_;
};

bool usesSeveralBuffers(Operation& loop) {
  std::unordered_set<Value> buffers;
  for (Operation& op : loop.region().front().ops())
    if (isChannelAccess(op)) buffers.insert(ChannelAccessOp(&op).access().memref);
  return buffers.size() > 1;
}

}  // namespace

std::string_view unrollMovement(Operation& loop) {
  analysis::LinearReader reader;
  Value variable = loopVariable(loop);
  auto range = reader.rangeOf(variable);
  if (!range) return "its trip count is not constant";
  Values carried = initValuesOf(loop);
  auto isToken = [](Value value) { return isTokenType(value.type()); };
  if (!std::ranges::all_of(carried, isToken)) return "it carries more than tokens";
  if (carried.size() > 1 && usesSeveralBuffers(loop))
    return "it carries more than one token: its buffers are in turns already";
  if (range->count > kMaxOps / countOps(loop)) return "it has too many iterations";
  if (repeatsTooOften(loop)) return "all iterations are the same transfer";
  Copier copier(loop);
  const OperandRange yielded = loop.region().front().back().operands();
  LoopEnds ends(loop, copier);
  std::vector<size_t> alone = ownRunsToFollow(loop, copier, yielded);
  Builder builder = Builder::before(loop);
  for (int64_t trip = 0; trip < range->count; ++trip) {
    Values arguments{constantOfType(builder, loop.location(), variable.type(),
                                    range->lower + trip * range->step)};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    IRMapping mapping = copier.add(arguments);
    for (unsigned i = 0; i < carried.size(); ++i)
      carried[i] = mapping.lookupOr(yielded[i]);
    ends.add(mapping, carried);
  }
  followOwnRuns(copier, alone);
  ends.replaceResults(carried);
  loop.erase();
  return {};
}

}  // namespace airlite::air
