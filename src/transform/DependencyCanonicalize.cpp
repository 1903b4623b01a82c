// air-dependency-canonicalize: the same order with as few dependencies as it takes.
//
// Matches every function. Produces, in this order:
//  1. Missing dependencies behind hierarchy ops: an op that waits for a hierarchy op (launch,
//     segment, herd; a loop or conditional around some) waits for all earlier ones of its block that use
//     the same buffers and of which one writes, the last ones. So the third of three herds on one
//     buffer waits for the second, though its list names the first only. Inside loops and
//     conditionals it is the token of the whole op that is waited for.
//  2. Dependency lists without entries that another entry waits for already, and without
//     repetitions (graph/TokenOrder.hpp: through loops and conditionals as far as it holds in every
//     run).
//  3. `id`s from 1 in the order of the program: hierarchy ops; DMAs, puts and gets; executes; joins.
//
// Declines: hierarchy ops that exchange data through a channel may have to run at one time, so no
// dependency is added between them (a remark). A channel with puts and no gets, or the other way
// round, is reported as an error at its first use, and the pass goes on.
//
// With dump-graph the graph after the reduction is written for Graphviz, see air-dependency-parse-graph.
#include <algorithm>
#include <map>

#include "DependencyDots.hpp"
#include "Renumber.hpp"
#include "airlite/dialect/AirFootprint.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/transform/Passes.hpp"

namespace airlite {

namespace {

using namespace air;

// -- Hierarchy ops --------------------------------------------------------------------------------

bool holdsHierarchy(Operation& op) {
  if (asHierarchy(&op)) return true;
  if (op.hasTrait(Trait::IsolatedFromAbove)) return false;
  return op.walkWith([](Operation& inner) {
    return asHierarchy(&inner) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

std::vector<Value> tokensOf(Operation& op) {
  std::vector<Value> tokens = op.resultValues();
  std::erase_if(tokens, [](Value value) { return !isTokenType(value.type()); });
  return tokens;
}

/// What an op touches; one that may do anything touches all memory that it is given.
Footprint reachOf(Operation& op) {
  unsigned budget = UINT_MAX;
  Footprint reach = footprintOf(op, budget);
  if (!reach.isAnything) return reach;
  reach.isAnything = false;
  op.walk([&](Operation& inner) {
    for (Value operand : inner.operands())
      if (operand.type().isa<MemRefType>()) addOnce(reach.writes, bufferOf(operand));
    if (isChannelAccess(inner)) reach.channels.push_back(ChannelAccessOp(&inner).channelName());
  });
  return reach;
}

/// The hierarchy ops of one block that have used a buffer last.
class LastUses {
 public:
  struct User {
    Operation* op;
    Footprint reach;
  };

  /// Those that `op`, which touches `reach`, has to come after.
  std::vector<const User*> before(const Footprint& reach) const {
    std::vector<const User*> users;
    auto add = [&](const std::vector<const User*>& list) {
      for (const User* user : list)
        if (std::find(users.begin(), users.end(), user) == users.end()) users.push_back(user);
    };
    for (Value buffer : reach.reads)
      if (auto found = uses_.find(buffer.impl()); found != uses_.end()) add(found->second.writers);
    for (Value buffer : reach.writes)
      if (auto found = uses_.find(buffer.impl()); found != uses_.end()) {
        add(found->second.writers);
        add(found->second.readers);
      }
    return users;
  }

  void add(Operation& op, Footprint reach) {
    users_.push_back(std::make_unique<User>(User{&op, std::move(reach)}));
    const User* user = users_.back().get();
    for (Value buffer : user->reach.reads)
      uses_[buffer.impl()].readers.push_back(user);
    for (Value buffer : user->reach.writes)
      uses_[buffer.impl()] = {{user}, {}};
  }

 private:
  struct Uses {
    std::vector<const User*> writers, readers;
  };
  std::map<const detail::ValueImpl*, Uses> uses_;
  std::vector<std::unique_ptr<User>> users_;
};

}  // namespace
}  // namespace airlite
