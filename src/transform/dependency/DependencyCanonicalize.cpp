// air-dependency-canonicalize: the same order with as few dependencies as it takes.
//
// Matches every function. Produces, in this order:
//  1. Missing dependencies after hierarchy ops: an op that waits for a hierarchy op (rank, launch,
//     segment, herd; a loop or conditional around some) waits for all earlier ones of its block
//     that may touch the same elements, of which one writes. So the third of three herds on one
//     buffer waits for the second, though its list names the first only. Of what is inside a loop
//     or a conditional the token of the whole is waited for.
//  2. Dependency lists without entries that another entry waits for already, and without
//     repetitions (graph/TokenOrder.hpp: through loops and conditionals as far as it holds in every
//     run).
//  3. `id`s from 1 in the order of the program: hierarchy ops; DMAs, puts and gets; executes;
//  joins.
//
// Declines: hierarchy ops that exchange data through a channel may have to run at one time, so no
// dependency is added between them (a remark). Of more than 64 earlier hierarchy ops on one buffer
// the last 64 are looked at (a remark). A channel with puts and no gets, or the other way round, is
// reported as an error at its first use, and the pass continues.
//
// With dump-graph the graph is written afterwards, as air-dependency-parse-graph does.
#include "DependencyDots.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/dma/Renumber.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

namespace airlite {

namespace {

/// Hierarchy ops on one buffer that an op is compared with.
constexpr size_t kMaxUsers = 64;

bool holdsHierarchy(Operation& op) {
  if (air::asHierarchy(&op)) return true;
  if (op.hasTrait(Trait::IsolatedFromAbove)) return false;
  return op.walkWith([](Operation& inner) {
    return air::asHierarchy(&inner) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

// -- Missing dependencies -------------------------------------------------------------------------

/// A hierarchy op, or control around some, that others may have to wait for.
struct User {
  Operation* op;
  std::vector<analysis::BufferAccess> accesses;
  std::vector<std::string_view> channels;
};

class MissingDependencies {
 public:
  explicit MissingDependencies(PassContext& context) : context_(context) {}

  bool addIn(Operation& function) {
    std::vector<Block*> blocks;
    function.walk([&](Operation& op) {
      for (Region& region : op.regions())
        for (Block& block : region.blocks())
          blocks.push_back(&block);
    });
    bool changed = false;
    for (Block* block : blocks)
      changed |= addIn(*block);
    return changed;
  }

 private:
  bool addIn(Block& block) {
    users_.clear();
    bool changed = false;
    for (Operation& op : block.ops()) {
      bool holds = holdsHierarchy(op), waits = waitsForHierarchy(op);
      if (!holds && !waits) continue;
      auto user = std::make_shared<User>(User{&op, reader_.all(op), channelsOf(op)});
      if (waits) changed |= addTo(*user);
      if (holds && op.numResults()) remember(user);
    }
    return changed;
  }

  static bool waitsForHierarchy(Operation& op) {
    if (!air::isAsyncOp(op)) return false;
    OperandRange tokens = air::AsyncOp(&op).dependencies();
    return std::any_of(tokens.begin(), tokens.end(), [](Value token) {
      return token.definingOp() && holdsHierarchy(*token.definingOp());
    });
  }

  static std::vector<std::string_view> channelsOf(Operation& root) {
    std::vector<std::string_view> channels;
    root.walk([&](Operation& op) {
      if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
        channels.push_back(air::ChannelAccessOp(&op).channelName());
    });
    std::sort(channels.begin(), channels.end());
    channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
    return channels;
  }

  void remember(const std::shared_ptr<User>& user) {
    std::vector<Value> seen;
    for (const analysis::BufferAccess& access : user->accesses) {
      Value buffer = access.buffer.value;
      if (!buffer || std::find(seen.begin(), seen.end(), buffer) != seen.end()) continue;
      seen.push_back(buffer);
      std::deque<std::shared_ptr<User>>& users = users_[buffer];
      users.push_back(user);
      if (users.size() <= kMaxUsers) continue;
      context_.remark(*users.front()->op,
                      "later ops are not compared with it: more than 64 hierarchy ops of this "
                      "block use the same buffer");
      users.pop_front();
    }
  }

  bool addTo(const User& user) {
    air::AsyncOp op(user.op);
    std::vector<Value> tokens = op.dependencies().vec();
    size_t before = tokens.size();
    for (const User* earlier : conflictingWith(user)) {
      if (!exchangeData(*earlier, user))
        addTokens(*earlier->op, tokens);
      else
        context_.remark(*user.op, "waits for no more than it did: it may have to run together with "
                                  "a hierarchy op that it shares memory and a channel with");
    }
    if (tokens.size() == before) return false;
    op.setDependencies(tokens);
    return true;
  }

  std::vector<const User*> conflictingWith(const User& user) {
    std::vector<const User*> conflicting;
    for (const analysis::BufferAccess& access : user.accesses) {
      auto found = users_.find(access.buffer.value);
      if (found == users_.end()) continue;
      for (const std::shared_ptr<User>& earlier : found->second) {
        bool isNew =
            std::find(conflicting.begin(), conflicting.end(), earlier.get()) == conflicting.end();
        if (isNew && mayConflict(*earlier, access)) conflicting.push_back(earlier.get());
      }
    }
    return conflicting;
  }

  bool mayConflict(const User& earlier, const analysis::BufferAccess& access) {
    return std::any_of(earlier.accesses.begin(), earlier.accesses.end(), [&](const auto& other) {
      return other.buffer == access.buffer && reader_.mayConflict(other, access);
    });
  }

  static bool exchangeData(const User& a, const User& b) {
    return std::find_first_of(a.channels.begin(), a.channels.end(), b.channels.begin(),
                              b.channels.end()) != a.channels.end();
  }

  static void addTokens(Operation& op, std::vector<Value>& tokens) {
    for (Value token : op.resultValues()) {
      bool isNew = air::isTokenType(token.type()) &&
                   std::find(tokens.begin(), tokens.end(), token) == tokens.end();
      if (isNew) tokens.push_back(token);
    }
  }

  PassContext& context_;
  analysis::AccessReader reader_;
  std::unordered_map<Value, std::deque<std::shared_ptr<User>>> users_;
};

// -- The pass -------------------------------------------------------------------------------------

class DependencyCanonicalize : public Pass {
 public:
  DependencyCanonicalize()
      : Pass("air-dependency-canonicalize",
             "Keeps of the dependencies those that order something") {
    anchor("builtin.module");
    option("dump-graph", dumpGraph_, "write the graph to Graphviz files");
    option("output-dir", folder_, "where the files of dump-graph go; made when it is missing");
    example("airlite-opt --air-dependency --air-dependency-canonicalize in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    reportUnpaired(module);
    bool changed = false;
    module.walkWith([&](Operation& op) {
      if (!op.hasTrait(Trait::Function)) return WalkResult::Advance;
      changed |= MissingDependencies(context).addIn(op);
      changed |= reduce(op);
      changed |= air::renumberAll(op);
      return WalkResult::Skip;
    });
    if (dumpGraph_ && failed(writeDependencyDots(module, folder_, false)))
      return PassResult::Failed;
    return changedIf(changed);
  }

 private:
  static bool reduce(Operation& function) {
    graph::TokenOrder order(function);
    bool changed = false;
    function.walk([&](Operation& op) {
      if (!air::isAsyncOp(op)) return;
      air::AsyncOp async(&op);
      std::vector<Value> tokens = async.dependencies().vec();
      std::vector<Value> kept = order.latest(tokens);
      if (kept.size() == tokens.size()) return;
      async.setDependencies(kept);
      changed = true;
    });
    return changed;
  }

  struct Ends {
    Operation* first = nullptr;
    bool hasPut = false, hasGet = false;
  };

  /// By the name alone: which of its places are used is for a checker to say.
  static void reportUnpaired(Operation& module) {
    std::vector<Ends> channels;
    std::map<std::pair<Operation*, std::string_view>, size_t> numbers;
    module.walk(
        [&](Operation& op) {
          bool isPut = isa<air::ChannelPutOp>(&op), isGet = isa<air::ChannelGetOp>(&op);
          if (!isPut && !isGet) return;
          auto key = std::pair(nearestSymbolTable(&op), air::ChannelAccessOp(&op).channelName());
          auto [slot, isNew] = numbers.try_emplace(key, channels.size());
          if (isNew) channels.push_back({&op});
          channels[slot->second].hasPut |= isPut;
          channels[slot->second].hasGet |= isGet;
        },
        WalkOrder::PreOrder);
    for (const Ends& ends : channels)
      if (!ends.hasPut || !ends.hasGet)
        ends.first->emitOpError() << "found channel op not in pairs";
  }

  bool dumpGraph_ = false;
  std::string folder_;
};

}  // namespace

void registerDependencyCanonicalize(PassRegistry& registry) {
  registry.add<DependencyCanonicalize>();
}

}  // namespace airlite
