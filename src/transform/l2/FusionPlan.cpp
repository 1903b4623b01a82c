// L2 buffers that sibling loops fill and drain in steps.
#include "FusionPlan.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/BufferBoxes.hpp"
#include "analysis/TokenReach.hpp"
#include "transform/channels/ChannelNests.hpp"
#include "transform/dependency/TokenMoves.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::air {

using analysis::LinearReader;
using analysis::LinearSum;
using Values = std::vector<Value>;

Operation* inBlock(Operation& op, const Block& block) {
  Operation* up = &op;
  while (up && up->block() != &block)
    up = up->parentOp();
  return up;
}

bool isL2Allocation(Operation& op) {
  Operation* alloc = onlyOp(op);
  if (!alloc || !isa<memref::AllocOp>(alloc) || !tokenOf(op)) return false;
  if (op.numResults() != 2 || bufferBefore(op.result(1)) != alloc->result()) return false;
  MemRefType type = alloc->result().type().cast<MemRefType>();
  return memoryLevel(type) == MemoryLevel::L2 && type.hasStaticShape() && type.hasIdentityLayout();
}

namespace {

// -- Loops ----------------------------------------------------------------------------------------

/// Sorts the uses of a buffer. Nothing is said of one that no loops fill and drain.
class Matcher {
 public:
  explicit Matcher(Operation& alloc) : block_(*alloc.block()) {
    found_.alloc = &alloc;
    if (isa<scf::ForOp>(block_.parentOp())) found_.rounds = block_.parentOp();
  }

  bool isMatch() { return !found_.fills.empty() && !found_.drains.empty(); }
  FusionCandidate& found() { return found_; }

  std::string_view match() {
    BufferUses uses(found_.buffer());
    std::string_view why = uses.escapes ? "its buffer is passed on" : std::string_view();
    for (Operation* op : uses.accesses)
      if (std::string_view obstacle = addAccess(*op); why.empty()) why = obstacle;
    if (!why.empty()) return why;
    for (auto* loops : {&found_.fills, &found_.drains})
      std::sort(loops->begin(), loops->end(),
                [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); });
    for (Operation* loop : found_.loops())
      if (std::string_view obstacle = checkLoop(*loop); !obstacle.empty()) return obstacle;
    return checkDealloc(uses.deallocs);
  }

 private:
  std::string_view addAccess(Operation& op) {
    Operation* loop = inBlock(op, block_);
    if (!isChannelAccess(op) || !loop || !isa<scf::ForOp>(loop))
      return "its buffer is used by something else than transfers in loops";
    auto& loops = isa<ChannelPutOp>(&op) ? found_.drains : found_.fills;
    if (std::find(loops.begin(), loops.end(), loop) == loops.end()) loops.push_back(loop);
    return {};
  }

  std::string_view checkLoop(Operation& op) {
    scf::ForOp loop(&op);
    if (loop.numIterArgs() != 1 || !isTokenType(op.result().type()))
      return "a loop does not carry one token";
    if (!loop.inductionVar().type().isIndex()) return "a loop counts in integers of some width";
    std::optional<int64_t> trips = loop.tripCount();
    if (!trips || *trips < 1) return "a loop has no constant trip count";
    found_.steps = found_.steps ? std::gcd(found_.steps, *trips) : *trips;
    std::string_view why;
    bool isFill = std::find(found_.fills.begin(), found_.fills.end(), &op) != found_.fills.end();
    loop.region().walk([&](Operation& inner) {
      if (isChannelAccess(inner) && !isOwn(inner, isFill)) why = "a loop moves other data, too";
      bool isKnown = isChannelAccess(inner) || isa<WaitAllOp>(&inner) || isa<scf::ForOp>(&inner) ||
                     inner.hasTrait(Trait::Terminator) || isCalculation(inner);
      bool isInExecute = inner.parentOp() != &op && isa<ExecuteOp>(inner.parentOp());
      if (!isKnown && !isInExecute) why = "a loop does something else than moving data";
      if (mayBlock(inner) && !isInExecute) why = "something in a loop blocks";
    });
    return why;
  }

  bool isOwn(Operation& op, bool isFill) {
    bool isSide = isa<ChannelGetOp>(&op) == isFill;
    return isSide && bufferBefore(ChannelAccessOp(&op).access().memref) == found_.buffer();
  }

  std::string_view checkDealloc(const std::vector<Operation*>& deallocs) {
    if (deallocs.size() != 1) return "its buffer is not freed once";
    found_.dealloc = deallocs.front()->parentOp();
    bool isThere =
        found_.dealloc->block() == &block_ && onlyOp(*found_.dealloc) && tokenOf(*found_.dealloc);
    for (Operation* loop : found_.loops())
      isThere = isThere && loop->isBeforeInBlock(found_.dealloc);
    if (!isThere) return "its buffer is not freed after the loops";
    return isUsedElsewhere() ? "its buffer is passed on" : "";
  }

  bool isUsedElsewhere() {
    std::vector<Operation*> users = found_.loops();
    users.push_back(found_.dealloc);
    for (OpOperand& use : found_.alloc->result(1).uses())
      if (std::find(users.begin(), users.end(), inBlock(*use.owner(), block_)) == users.end())
        return true;
    return false;
  }

  Block& block_;
  FusionCandidate found_{{{}, {}, nullptr, 0}};
};

// -- Data -----------------------------------------------------------------------------------------

/// The elements that a transfer touches in a step: a box that moves on from step to step.
struct StepBox {
  BufferBox box;
  std::vector<int64_t> advance;
};

/// Elements that a step writes all of: from `low` to before `high` of each dimension, counted from where `from` starts.
struct Written {
  const StepBox* from;
  std::vector<int64_t> low, high;
};

/// What the steps of a candidate read and write.
class StepData {
 public:
  explicit StepData(const FusionCandidate& candidate)
      : candidate_(candidate), shape_(shapeOf(candidate.type())) {}

  /// Empty when each step reads what it writes, and nothing that another step writes.
  std::string_view check() {
    std::vector<StepBox> reads;
    for (Operation* loop : candidate_.fills)
      if (!collect(*loop, writes_)) return "where a transfer reads or writes is not known";
    for (Operation* loop : candidate_.drains)
      if (!collect(*loop, reads)) return "where a transfer reads or writes is not known";
    if (!areApart()) return "a step writes what another step has written";
    const std::vector<Written> written = joined();
    for (const StepBox& read : reads)
      if (std::ranges::none_of(written, [&](const Written& all) { return isIn(read, all); }))
        return "a step may read what it has not written";
    return {};
  }

 private:
  bool collect(Operation& loop, std::vector<StepBox>& boxes) {
    bool isKnown = true;
    loop.walk([&](Operation& op) {
      if (!isKnown || !isChannelAccess(op)) return;
      std::optional<StepBox> box = read(ChannelAccessOp(&op), scf::ForOp(&loop));
      isKnown = box.has_value();
      if (isKnown) boxes.push_back(std::move(*box));
    });
    return isKnown;
  }

  std::optional<StepBox> read(ChannelAccessOp op, scf::ForOp loop) {
    Access access = op.access();
    if (access.memref.type() != candidate_.type()) return std::nullopt;
    auto list = analysis::readAccessList(access, reader_);
    auto range = reader_.rangeOf(loop.inductionVar());
    std::optional<BufferBox> box = list ? boxOf(*list, shape_) : std::nullopt;
    if (!box || !range) return std::nullopt;
    Value variable = loop.inductionVar();
    auto isInner = [&](Value symbol) { return symbol != variable && isInside(symbol, *loop); };
    if (!box->bindAll(isInner, reader_)) return std::nullopt;
    StepBox result{std::move(*box), {}};
    // The iterations of a step; its first one moves on by as many.
    int64_t perStep = range->count / candidate_.steps;
    if (!result.box.bind(variable, {range->lower, range->step, perStep})) return std::nullopt;
    for (int64_t step : result.box.terms.back().step)
      result.advance.push_back(step * perStep);
    return result;
  }

  /// How much higher `a` starts than `b`, where that is a number.
  static std::optional<int64_t> distance(const LinearSum& a, const LinearSum& b) {
    LinearSum difference = a;
    if (!difference.add(b, -1) || !difference.isConstant()) return std::nullopt;
    return difference.constant;
  }

  /// No element is written in two steps.
  bool areApart() const {
    const StepBox& first = writes_.front();
    bool moves = false;
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      const std::optional<Range> all = allWritten(first, dim);
      if (!all || !staysInDimension(first, *all, dim)) return false;
      moves |= std::abs(first.advance[dim]) >= all->high - all->low;
    }
    return moves;
  }

  /// From `low` to before `high` of a dimension, counted from where a box starts.
  struct Range {
    int64_t low, high;
  };

  /// What a step writes along a dimension; none where that is no number, or writes move on in different ways.
  std::optional<Range> allWritten(const StepBox& from, unsigned dim) const {
    std::optional<Range> all;
    for (const StepBox& write : writes_) {
      const auto at = distance(write.box.start[dim], from.box.start[dim]);
      if (!at || write.advance != from.advance) return std::nullopt;
      const int64_t low = *at + write.box.below(dim), high = low + write.box.extent(dim);
      all = all ? Range{std::min(all->low, low), std::max(all->high, high)} : Range{low, high};
    }
    return all;
  }

  /// Coordinates name elements only as far as they stay in their dimension, in all steps.
  bool staysInDimension(const StepBox& from, const Range& range, unsigned dim) const {
    const int64_t moved = std::abs(from.advance[dim]) * (candidate_.steps - 1);
    return dim == 0 || moved + range.high - range.low <= shape_[dim];
  }

  /// Of `box`, counted from where `from` starts; none where that is no number.
  std::optional<Written> extentFrom(const StepBox& from, const StepBox& box) const {
    if (box.advance != from.advance) return std::nullopt;
    Written extent{&from, {}, {}};
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      const auto at = distance(box.box.start[dim], from.box.start[dim]);
      if (!at) return std::nullopt;
      extent.low.push_back(*at + box.box.below(dim));
      extent.high.push_back(extent.low.back() + box.box.extent(dim));
    }
    return extent;
  }

  /// What all of is written; what lies beside each other along one dimension, as parts of a step do that several transfers
  /// bring, is one.
  std::vector<Written> joined() const {
    std::vector<Written> all;
    for (const StepBox& write : writes_)
      if (write.box.isFull()) all.push_back(*extentFrom(write, write));
    while (joinTwo(all)) {
    }
    return all;
  }

  /// False when no two lie beside each other.
  bool joinTwo(std::vector<Written>& all) const {
    for (Written& first : all)
      for (auto next = all.begin(); next != all.end(); ++next)
        if (&first != &*next && extend(first, *next)) {
          all.erase(next);
          return true;
        }
    return false;
  }

  /// Adds `next` where it begins at the end of `first` along one dimension, and is the same in the others.
  bool extend(Written& first, const Written& next) const {
    if (next.from->advance != first.from->advance) return false;
    std::optional<unsigned> along;
    int64_t high = 0;
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      const auto at = distance(next.from->box.start[dim], first.from->box.start[dim]);
      if (!at) return false;
      const int64_t low = next.low[dim] + *at, end = next.high[dim] + *at;
      if (low == first.low[dim] && end == first.high[dim]) continue;
      if (along || low != first.high[dim]) return false;
      along = dim, high = end;
    }
    if (along) first.high[*along] = high;
    return along.has_value();
  }

  bool isIn(const StepBox& read, const Written& written) const {
    const std::optional<Written> extent = extentFrom(*written.from, read);
    if (!extent) return false;
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      const bool isWithin =
          extent->low[dim] >= written.low[dim] && extent->high[dim] <= written.high[dim];
      if (!isWithin && !staysZeroBeside(*written.from, {extent->low[dim], extent->high[dim]}, dim))
        return false;
    }
    return true;
  }

  /// Steps that do not move along the dimension write the same of it each time, so the rest of it stays zero. So does what
  /// lies between what two steps write: zeros that fill up a part of a reduction.
  bool staysZeroBeside(const StepBox& from, const Range& read, unsigned dim) const {
    Operation* alloc = candidate_.buffer().definingOp();
    if (!alloc || !alloc->hasAttr(kZeroMemory)) return false;
    const int64_t advance = std::abs(from.advance[dim]);
    if (advance == 0) return true;
    const std::optional<Range> all = allWritten(from, dim);
    return all && read.high <= all->low + advance && read.low >= all->high - advance &&
           staysInDimension(from, {std::min(read.low, all->low), std::max(read.high, all->high)},
                            dim);
  }

  const FusionCandidate& candidate_;
  std::vector<int64_t> shape_;
  std::vector<StepBox> writes_;  ///< of all fills
  LinearReader reader_;
};

/// Users of `token` that are loops of the candidate or in them.
std::vector<Operation*> usersInside(const FusionCandidate& candidate, Value token) {
  std::vector<Operation*> loops = candidate.loops(), users;
  for (OpOperand& use : token.uses()) {
    Operation* around = inBlock(*use.owner(), *candidate.alloc->block());
    if (std::find(loops.begin(), loops.end(), around) != loops.end()) users.push_back(use.owner());
  }
  return users;
}

/// Tokens of the loops: each drain starts after each fill, and what is in the loops starts after
/// what they carry.
std::string_view checkTokens(const FusionCandidate& candidate) {
  TokenReach reach;
  for (Operation* drain : candidate.drains) {
    Values leaves = throughJoins(scf::ForOp(drain).initArgs().vec());
    for (Operation* fill : candidate.fills)
      if (std::find(leaves.begin(), leaves.end(), fill->result()) == leaves.end())
        return "a drain does not wait for a fill: what it reads is not said";
  }
  std::string_view why;
  for (Operation* op : candidate.loops()) {
    scf::ForOp loop(op);
    auto isCarried = [&](Value token) { return token == loop.regionIterArg(0); };
    op->walk([&](Operation& inner) {
      if (isChannelAccess(inner) &&
          !reach.reaches(TokenReach::waitsOf(inner, loop.body()), isCarried))
        why = "a transfer does not wait for what its loop carries";
    });
    for (Operation* user : usersInside(candidate, op->result()))
      if (!isa<scf::ForOp>(user) || user->block() != op->block())
        why = "something in a loop waits for another loop";
  }
  return why;
}

}  // namespace

bool matchFusion(Operation& alloc, FusionCandidate& found, std::string_view& why) {
  Matcher matcher(alloc);
  std::string_view obstacle = matcher.match();
  if (!matcher.isMatch()) return false;
  why = obstacle;
  found = matcher.found();
  if (why.empty() && found.steps == 1) why = "the trip counts of its loops have nothing in common";
  if (why.empty()) why = checkTokens(found);
  if (why.empty()) why = StepData(found).check();
  return why.empty();
}

}  // namespace airlite::air
