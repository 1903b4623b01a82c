// Herds of one name become one.
#include "MergeHerds.hpp"

#include "Hierarchy.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/CoreConflicts.hpp"
#include "transform/dependency/TokenWaits.hpp"
#include "transform/pingpong/PingPong.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace airlite::air {

namespace {

using Values = std::vector<Value>;

/// Nothing but deallocations, in loops and branches or not.
bool onlyFrees(Operation& op) {
  if (pingpong::isDealloc(op)) return true;
  if (isAsyncOp(op) || op.numRegions() == 0) return false;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops()) {
        bool isNothing =
            isPure(inner) || pingpong::isJoin(inner) || inner.hasTrait(Trait::Terminator);
        if (!isNothing && !onlyFrees(inner)) return false;
      }
  return true;
}

class Merger {
 public:
  Merger(HerdOp first, HerdOp second)
      : first_(first), second_(second), order_(*first->parentOp()) {}

  std::string_view run() {
    if (!haveSameShape()) return "a herd of its name has other sizes or attributes";
    if (std::string_view why = findWaits(); !why.empty()) return why;
    if (!mayMoveDown()) return "what comes between needs the herd of its name before it";
    if (!mayWaitForSecond()) return "what waits for the herd of its name may be needed here";
    pingpong::LoopBody body(*first_);
    if (std::string_view why = obstacleInBody(body); !why.empty()) return why;
    if (isAfter_ && otherCoresMayConflict(first_, second_))
      return "its cores may touch what another one did in the herd of its name";
    merge(body);
    return {};
  }

 private:
  // -- What is asked -----------------------------------------------------------------------------

  bool haveSameShape() {
    if (!first_.constantSizes() || first_.constantSizes() != second_.constantSizes()) return false;
    for (HerdOp herd : {first_, second_})
      if (!herd.affinity().empty() || !herd.concurrency().empty()) return false;
    return attributesOf(first_) == attributesOf(second_);
  }

  static DictionaryAttr attributesOf(HerdOp herd) {
    return herd->attributes().without("id").without("operandSegmentSizes");
  }

  /// Tokens of joins are replaced by their operands where they depend on the first herd.
  std::string_view findWaits() {
    Values open(second_.dependencies().begin(), second_.dependencies().end());
    while (!open.empty()) {
      Value token = open.front();
      open.erase(open.begin());
      if (token == first_.token()) {
        isAfter_ = true;
        continue;
      }
      Operation* maker = token.definingOp();
      if (maker && pingpong::isJoin(*maker) && order_.isImplied(first_.token(), token)) {
        Values waits = maker->operands().vec();
        open.insert(open.end(), waits.begin(), waits.end());
        joins_.push_back(maker);
        continue;
      }
      if (!firesWithoutFirst(token)) return "it waits for more than the herd of its name does";
      waits_.push_back(token);
    }
    return {};
  }

  /// The first herd can wait for `token` as well: it does already, or nothing holds that up.
  bool firesWithoutFirst(Value token) {
    for (Value wait : first_.dependencies())
      if (order_.isImplied(token, wait)) return true;
    Operation* maker = token.definingOp();
    if (!maker || maker->block() != first_->block()) return false;
    bool isQuick =
        pingpong::isJoin(*maker) || (isa<ExecuteOp>(maker) && !conflicts_.mayWait(*maker));
    if (!isQuick || order_.isImplied(first_.token(), token)) return false;
    OperandRange waits = AsyncOp(maker).dependencies();
    return std::all_of(waits.begin(), waits.end(),
                       [&](Value wait) { return firesWithoutFirst(wait); });
  }

  /// In front of the second herd.
  bool mayMoveDown() {
    for (Operation* op = first_->next(); op != second_.op(); op = op->next())
      if (!isPure(*op) && !pingpong::hasTokenResult(*op)) return false;
    for (OpOperand& use : first_.token().uses()) {
      Operation* user = first_->block()->parentOp() ? ancestorIn(*use.owner()) : nullptr;
      bool isJoined = std::find(joins_.begin(), joins_.end(), user) != joins_.end();
      if (!user || (user->isBeforeInBlock(second_.op()) && !isJoined)) return false;
    }
    for (Operation* join : joins_)
      for (OpOperand& use : join->result().uses()) {
        bool isJoined = std::find(joins_.begin(), joins_.end(), use.owner()) != joins_.end();
        if (use.owner() != second_.op() && !isJoined) return false;
      }
    return true;
  }

  Operation* ancestorIn(Operation& op) {
    Operation* at = &op;
    while (at && at->block() != first_->block())
      at = at->parentOp();
    return at;
  }

  /// Who waits for the first herd will wait for the second too.
  bool mayWaitForSecond() {
    if (!conflicts_.mayWait(*second_) && second_.token()) return true;
    for (OpOperand& use : first_.token().uses()) {
      Operation& user = *use.owner();
      if (&user == second_.op() || std::find(joins_.begin(), joins_.end(), &user) != joins_.end())
        continue;
      bool isLater =
          isAsyncOp(user) &&
          std::any_of(AsyncOp(&user).dependencies().begin(), AsyncOp(&user).dependencies().end(),
                      [&](Value wait) { return order_.isImplied(second_.token(), wait); });
      if (!isLater) return false;
    }
    return true;
  }

  std::string_view obstacleInBody(pingpong::LoopBody& body) {
    bool isUnits = body.obstacle().empty();
    if (!isUnits && pingpong::runsAsyncOps(*first_))
      return "the herd of its name starts work that it would have to wait for";
    if (!isUnits && !isAfter_) return "the herd of its name blocks";
    return {};
  }

  // -- Rewriting ---------------------------------------------------------------------------------

  void merge(pingpong::LoopBody& body) {
    Values ends = isAfter_ && body.obstacle().empty() ? endsOf(body) : Values();
    order(ends);
    Values waits = first_.dependencies().vec();
    for (Value wait : waits_)
      if (std::find(waits.begin(), waits.end(), wait) == waits.end()) waits.push_back(wait);
    first_->moveBefore(second_.op());
    first_.setDependencies(waits);
    unsigned argument = addKernelOperands(first_, second_.kernelOperands().vec());
    for (unsigned i = 0; i < first_.numDims(); ++i) {
      second_.id(i).replaceAllUsesWith(first_.id(i));
      second_.sizeArgument(i).replaceAllUsesWith(first_.sizeArgument(i));
    }
    for (unsigned i = 0; i < second_.numKernelOperands(); ++i)
      second_.kernelArgument(i).replaceAllUsesWith(first_.body().argument(argument + i));
    first_.body().splice(&first_.body().back(), second_.body(), &second_.body().front(),
                         &second_.body().back());
    second_.token().replaceAllUsesWith(first_.token());
    second_->erase();
    for (Operation* join : joins_)
      if (!join->hasResultUses()) join->erase();
  }

  /// What nothing waits for, but for deallocations of what the second herd does not touch.
  Values endsOf(pingpong::LoopBody& body) {
    std::vector<pingpong::Unit>& units = body.units();
    std::vector<bool> isNoEnd(units.size());
    for (size_t i = units.size(); i-- > 0;) {
      if (onlyFrees(*units[i].op) && !conflicts_.conflict(*units[i].op, *second_))
        isNoEnd[i] = true;
      else
        for (unsigned before : units[i].before)
          isNoEnd[before] = true;
    }
    Values ends;
    for (size_t i = 0; i < units.size(); ++i)
      if (!isNoEnd[i]) ends.insert(ends.end(), units[i].ends.begin(), units[i].ends.end());
    return ends;
  }

  /// The work of the second herd comes after `ends`.
  void order(const Values& ends) {
    if (ends.empty()) return;
    pingpong::LoopBody body(*second_);
    if (!body.obstacle().empty()) {
      Builder::atStart(second_.body()).create(second_->location(), "air.wait_all", ends, {});
      return;
    }
    for (pingpong::Unit& unit : body.units())
      if (unit.before.empty() || !isAsyncOp(*unit.op))
        for (Value end : ends)
          addWait(*unit.op, end);
  }

  HerdOp first_, second_;
  graph::TokenOrder order_;
  UnitConflicts conflicts_;
  Values waits_;                   // of the second herd, but for the first
  std::vector<Operation*> joins_;  // between the two
  bool isAfter_ = false;
};

}  // namespace

bool mergeHerds(Block& block, PassContext& context) {
  std::map<std::string_view, HerdOp> last;
  bool changed = false;
  std::vector<Operation*> herds;
  for (Operation& op : block.ops())
    if (isa<HerdOp>(&op) && HerdOp(&op).token() && !HerdOp(&op).symbol().empty())
      herds.push_back(&op);
  for (Operation* op : herds) {
    auto [before, isFirst] = last.try_emplace(HerdOp(op).symbol(), HerdOp(op));
    if (isFirst) continue;
    std::string_view obstacle = Merger(before->second, HerdOp(op)).run();
    changed |= obstacle.empty();
    if (obstacle.empty()) continue;
    context.remark(*op, obstacle);
    last.erase(before);
    last.emplace(HerdOp(op).symbol(), HerdOp(op));
  }
  return changed;
}

}  // namespace airlite::air
