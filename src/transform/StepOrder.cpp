// Whether buffers that are filled and drained in steps may be one step large.
#include "StepOrder.hpp"

#include "TokenMoves.hpp"
#include "TokenReach.hpp"
#include "airlite/analysis/AccessList.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>

namespace airlite::air {

namespace {

using Values = std::vector<Value>;

bool isChannelAccess(Operation& op) { return isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op); }

/// Its regions are no control: they are looked at as one op.
bool isLeaf(Operation& op) {
  return op.numRegions() == 0 || isa<ExecuteOp>(&op) || linalg::asStructured(&op);
}

/// Code that may use channels.
bool callsCode(Operation& op) {
  if (!isa<func::CallOp>(&op)) return op.is("func.call_indirect");
  func::FuncOp callee = func::CallOp(&op).function();
  return !callee || !callee.isDeclaration();
}

Operation* launchAround(Operation& op) {
  Operation* found = nullptr;
  for (Operation* up = op.parentOp(); up; up = up->parentOp())
    if (isa<LaunchOp>(up)) found = up;
  return found;
}

}  // namespace

// -- Channels -------------------------------------------------------------------------------------

ChannelUsers::ChannelUsers(Operation& root) {
  Operation* top = &root;
  while (top->parentOp())
    top = top->parentOp();
  top->walk([&](Operation& op) {
    if (!isChannelAccess(op)) return;
    Operation* launch = launchAround(op);
    auto [known, isNew] = launchOf_.try_emplace(ChannelAccessOp(&op).channelName(), launch);
    if (!isNew && known->second != launch) known->second = nullptr;
  });
}

bool ChannelUsers::areIn(std::string_view channel, Operation& launch) const {
  auto known = launchOf_.find(channel);
  return known != launchOf_.end() && known->second == &launch;
}

bool mayBlock(Operation& op) {
  if (isAsyncOp(op)) return !AsyncOp(&op).token();
  if (op.hasTrait(Trait::Terminator) || isPure(op)) return false;
  bool isControl = isa<scf::ForOp>(&op) || isa<scf::ParallelOp>(&op) || isConditional(op);
  if (!isControl) return true;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        if (!isa<scf::ReduceOp>(&inner) && mayBlock(inner)) return true;
  return false;
}

std::vector<Value> throughJoins(Values tokens) {
  Values leaves;
  std::unordered_set<Value> seen;
  while (!tokens.empty()) {
    Value token = tokens.back();
    tokens.pop_back();
    if (!seen.insert(token).second) continue;
    Operation* join = token.definingOp();
    if (!join || !isa<WaitAllOp>(join)) {
      leaves.push_back(token);
      continue;
    }
    for (Value wait : AsyncOp(join).dependencies())
      tokens.push_back(wait);
  }
  std::reverse(leaves.begin(), leaves.end());
  return leaves;
}

namespace {

// -- The graph ------------------------------------------------------------------------------------

class StepGraph {
 public:
  struct Node {
    Operation* op = nullptr;  // null: a channel, or the steps of a buffer
    bool isInside = false;    // of the op, which is a loop: what it carries
    std::vector<unsigned> next;
  };

  StepGraph(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
            const ChannelUsers& users)
      : launch_(launch), users_(users) {
    for (StepwiseBuffer* buffer : buffers) {
      hubs_[buffer] = {add(nullptr), add(nullptr)};
      for (const auto* loops : {&buffer->fills, &buffer->drains})
        for (Operation* loop : *loops)
          bufferOf_[loop] = buffer;
    }
    unsigned begin = add(&launch), end = add(&launch);
    for (Value argument : launch.region().front().arguments())
      nodeOf_[argument] = begin;
    addBlock(launch.region().front(), begin, end);
    addSteps(buffers);
  }

  std::vector<Node>& nodes() { return nodes_; }
  unsigned hubOf(StepwiseBuffer& buffer) { return hubs_[&buffer].first; }

 private:
  unsigned add(Operation* op, bool isInside = false) {
    nodes_.push_back({op, isInside, {}});
    return static_cast<unsigned>(nodes_.size() - 1);
  }
  void edge(unsigned from, unsigned to) { nodes_[from].next.push_back(to); }
  void edgeFrom(Value value, unsigned to) {
    auto known = nodeOf_.find(value);
    if (known != nodeOf_.end()) edge(known->second, to);
  }

  /// What happens in `block` happens between `begin` and `end`. Returns whether something blocks.
  bool addBlock(Block& block, unsigned begin, unsigned end) {
    std::optional<unsigned> blocking;
    std::vector<unsigned> begins;
    for (Operation& op : block.ops()) {
      if (op.hasTrait(Trait::Terminator) && op.numRegions() == 0) {
        for (Value value : op.operands())
          edgeFrom(value, end);
        continue;
      }
      auto [first, last, blocks] = addOp(op);
      edge(begin, first);
      edge(last, end);
      if (blocking) edge(*blocking, first);
      begins.push_back(first);
      if (blocks) blocking = last;
    }
    if (!blocking) return false;
    if (!isa<scf::ForOp>(block.parentOp())) return true;
    // The next iteration begins when what blocks is over.
    for (unsigned first : begins)
      edge(*blocking, first);
    return true;
  }

  struct Added {
    unsigned first, last;
    bool blocks;
  };
  Added addOp(Operation& op) {
    unsigned first = add(&op), last = isLeaf(op) ? first : add(&op);
    if (first != last) edge(first, last);
    HierarchyOp level = asHierarchy(&op);
    if (level && !level.affinity().empty()) connect(first, outside());
    addOperands(op, first);
    for (Value result : op.resultValues())
      nodeOf_[result] = last;
    if (isLeaf(op)) {
      addTransfer(op, first);
      return {first, last, mayBlock(op)};
    }
    bool blocks = false;
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        blocks |= addBody(op, block, first, last);
    return {first, last, isAsyncOp(op) ? !AsyncOp(&op).token() : blocks};
  }

  bool addBody(Operation& op, Block& block, unsigned first, unsigned last) {
    bool carries = isa<scf::ForOp>(&op) && op.numResults() > 0;
    unsigned entry = carries ? add(&op, true) : first;
    if (carries) edge(first, entry);
    for (Value argument : block.arguments())
      nodeOf_[argument] = entry;
    bool blocks = addBlock(block, first, last);
    if (!carries) return blocks;
    for (Value value : block.back().operands())
      edgeFrom(value, entry);
    return blocks;
  }

  void addOperands(Operation& op, unsigned node) {
    auto known = bufferOf_.find(&op);
    if (known == bufferOf_.end()) return addUses(op, node);
    // The loops become one: what a drain waits for, but for the fills, all of it waits for.
    const std::vector<Operation*>& fills = known->second->fills;
    bool isFill = std::find(fills.begin(), fills.end(), &op) != fills.end();
    unsigned start = hubs_[known->second].second;
    for (Value leaf : throughJoins(scf::ForOp(&op).initArgs().vec())) {
      Operation* def = leaf.definingOp();
      if (!isFill && def && std::find(fills.begin(), fills.end(), def) != fills.end()) continue;
      edgeFrom(leaf, node);
      edgeFrom(leaf, start);
    }
    for (unsigned i = 0; i < 3; ++i)
      edgeFrom(op.operand(i), node);
  }

  /// An execute waits for the values that its body uses.
  void addUses(Operation& op, unsigned node) {
    for (Value value : op.operands())
      edgeFrom(value, node);
    if (op.numRegions() == 0 || !isLeaf(op)) return;
    op.walk([&](Operation& inner) {
      for (Value value : inner.operands())
        edgeFrom(value, node);
    });
  }

  void addTransfer(Operation& op, unsigned node) {
    if (callsCode(op)) connect(node, outside());
    if (!isChannelAccess(op)) return;
    std::string_view name = ChannelAccessOp(&op).channelName();
    if (!users_.areIn(name, launch_)) return connect(node, outside());
    auto [known, isNew] = channels_.try_emplace(name, 0);
    if (isNew) known->second = add(nullptr);
    connect(node, known->second);
  }

  void connect(unsigned a, unsigned b) {
    edge(a, b);
    edge(b, a);
  }

  /// What happens in other launches and functions.
  unsigned outside() {
    if (!outside_) outside_ = add(&launch_);
    return *outside_;
  }

  /// Fills, then drains, then the fills of the next step; what waits for one loop waits for all.
  void addSteps(const std::vector<StepwiseBuffer*>& buffers) {
    for (StepwiseBuffer* buffer : buffers) {
      auto [filled, drained] = hubs_[buffer];
      addTransfers(buffer->fills, drained, filled);
      addTransfers(buffer->drains, filled, drained);
      for (const auto* loops : {&buffer->fills, &buffer->drains})
        for (Operation* loop : *loops)
          for (unsigned hub : {filled, drained})
            edge(hub, nodeOf_[loop->result()]);
    }
  }
  void addTransfers(const std::vector<Operation*>& loops, unsigned before, unsigned after) {
    for (Operation* loop : loops) {
      members_.clear();
      loop->walk([&](Operation& op) {
        if (isChannelAccess(op)) members_.push_back(nodeOf_[AsyncOp(&op).token()]);
      });
      for (unsigned node : members_) {
        edge(before, node);
        edge(node, after);
      }
    }
  }

  Operation& launch_;
  const ChannelUsers& users_;
  std::vector<Node> nodes_;
  std::optional<unsigned> outside_;
  std::unordered_map<Value, unsigned> nodeOf_;
  std::unordered_map<std::string_view, unsigned> channels_;
  std::unordered_map<Operation*, StepwiseBuffer*> bufferOf_;  // of fills and drains
  /// Where the fills, where the drains of a step are over.
  std::unordered_map<StepwiseBuffer*, std::pair<unsigned, unsigned>> hubs_;
  std::vector<unsigned> members_;
};

/// Numbers of the strongly connected parts of a graph (Tarjan, without recursion).
std::vector<unsigned> findParts(const std::vector<StepGraph::Node>& nodes) {
  constexpr unsigned kNone = ~0u;
  std::vector<unsigned> part(nodes.size(), kNone), number(nodes.size(), kNone), low(nodes.size());
  std::vector<unsigned> open;
  std::vector<std::pair<unsigned, size_t>> path;
  unsigned counter = 0, parts = 0;
  for (unsigned root = 0; root < nodes.size(); ++root) {
    if (number[root] != kNone) continue;
    path.push_back({root, 0});
    while (!path.empty()) {
      auto [at, edge] = path.back();
      if (edge == 0) {
        number[at] = low[at] = counter++;
        open.push_back(at);
      }
      if (edge < nodes[at].next.size()) {
        ++path.back().second;
        unsigned next = nodes[at].next[edge];
        if (number[next] == kNone)
          path.push_back({next, 0});
        else if (part[next] == kNone)
          low[at] = std::min(low[at], number[next]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[at]);
      if (low[at] != number[at]) continue;
      for (unsigned member = kNone; member != at;) {
        member = open.back();
        open.pop_back();
        part[member] = parts;
      }
      ++parts;
    }
  }
  return part;
}

// -- Steps ----------------------------------------------------------------------------------------

/// The ops of one part: do they advance in `steps` steps?
class StepCheck {
 public:
  StepCheck(Operation& launch, int64_t steps) : launch_(launch), steps_(steps) {}

  /// Empty, or why not.
  std::string_view check(const std::vector<StepGraph::Node*>& part) {
    for (StepGraph::Node* node : part)
      if (node->op)
        if (std::string_view why = check(*node->op, node->isInside); !why.empty()) return why;
    for (auto& [name, channel] : channels_)
      if (std::string_view why = check(channel); !why.empty()) return why;
    return {};
  }

 private:
  struct Channel {
    std::vector<ChannelAccessOp> puts, gets;
    std::set<int64_t> transfers, elements;  // of each op; elements of one transfer
  };

  /// Control around an op, from the launch inwards: parallel levels, then loops.
  struct Nest {
    Operation* loop = nullptr;  // the outermost
    int64_t trips = 1;          // of all loops
    bool isKnown = true;
  };

  Nest nestOf(Operation& op, bool isInside) const {
    std::vector<Operation*> around;
    for (Operation* up = isInside ? &op : op.parentOp(); up != &launch_; up = up->parentOp())
      around.push_back(up);
    std::reverse(around.begin(), around.end());
    Nest nest;
    for (Operation* up : around)
      enter(*up, nest);
    return nest;
  }

  void enter(Operation& op, Nest& nest) const {
    if (isa<scf::ForOp>(&op)) {
      std::optional<int64_t> trips = scf::ForOp(&op).tripCount();
      if (!nest.loop) nest.loop = &op;
      nest.isKnown = nest.isKnown && trips && *trips > 0 &&
                     !__builtin_mul_overflow(nest.trips, *trips, &nest.trips);
    } else if (isConditional(op)) {
      for (Value value : op.operands())
        if (nest.loop && !isTokenType(value.type())) nest.isKnown &= isFixed(value, *nest.loop);
    } else if (nest.loop || !(asHierarchy(&op) || isa<scf::ParallelOp>(&op))) {
      nest.isKnown = false;
    }
  }

  /// The same in all iterations.
  static bool isFixed(Value value, Operation& loop) {
    Operation* def = value.definingOp();
    return !isInside(value, loop) || (def && def->is("arith.constant"));
  }

  std::string_view check(Operation& op, bool isInside) {
    if (&op == &launch_) return "it waits for something outside of the launch";
    Nest nest = nestOf(op, isInside);
    if (!nest.loop) return "what it waits for and what waits for it are not all in loops";
    if (!nest.isKnown) return "something that it waits for does not run equally often in each step";
    std::optional<int64_t> trips = scf::ForOp(nest.loop).tripCount();
    if (*trips % steps_ != 0) return "something that it waits for advances in other steps";
    addTransfer(op, nest);
    return {};
  }

  void addTransfer(Operation& op, const Nest& nest) {
    if (!isChannelAccess(op)) return;
    ChannelAccessOp access(&op);
    Channel& channel = channels_[access.channelName()];
    (access.isPut() ? channel.puts : channel.gets).push_back(access);
    channel.transfers.insert(nest.trips);
    auto list = analysis::readAccessList(access.access(), reader_);
    channel.elements.insert(list ? list->count().value_or(0) : 0);
  }

  std::string_view check(const Channel& channel) const {
    if (channel.transfers.size() != 1 || channel.elements.size() != 1 || channel.elements.count(0))
      return "the sides of a channel may not move the same in each step";
    for (const auto* side : {&channel.puts, &channel.gets})
      if (!haveOwnPlaces(*side)) return "several ops may use one place of a channel";
    return {};
  }

  bool haveOwnPlaces(const std::vector<ChannelAccessOp>& side) const {
    std::set<std::vector<int64_t>> places;
    for (ChannelAccessOp op : side) {
      if (!isOwnPlace(op)) return false;
      if (side.size() == 1) continue;
      std::vector<int64_t> place;
      for (Value index : op.indices()) {
        IndexEntry entry{0, index};
        if (!entry.known()) return false;
        place.push_back(*entry.known());
      }
      if (!places.insert(place).second) return false;
    }
    return true;
  }

  /// Each instance of the parallel levels around names a place of its own.
  bool isOwnPlace(ChannelAccessOp op) const {
    std::vector<Value> indices = op.indices().vec();
    if (!std::all_of(indices.begin(), indices.end(), isFixedIndex)) return false;
    auto isNamed = [&](Value id) {
      return std::find(indices.begin(), indices.end(), id) != indices.end();
    };
    for (Operation* up = op->parentOp(); up != &launch_; up = up->parentOp()) {
      if (HierarchyOp level = asHierarchy(up)) {
        auto sizes = level.constantSizes();
        for (unsigned i = 0; i < level.numDims(); ++i)
          if ((!sizes || (*sizes)[i] != 1) && !isNamed(level.id(i))) return false;
      } else if (isa<scf::ParallelOp>(up)) {
        for (Value id : scf::ParallelOp(up).inductionVars())
          if (!isNamed(id)) return false;
      }
    }
    return true;
  }

  /// A constant, an id, or an argument of a level.
  static bool isFixedIndex(Value index) {
    if (IndexEntry{0, index}.known()) return true;
    Operation* owner = index.isBlockArgument() ? index.argumentBlock()->parentOp() : nullptr;
    return owner && (asHierarchy(owner) || isa<scf::ParallelOp>(owner));
  }

  Operation& launch_;
  int64_t steps_;
  analysis::LinearReader reader_;
  std::unordered_map<std::string_view, Channel> channels_;
};

}  // namespace

void checkStepOrder(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
                    const ChannelUsers& users) {
  StepGraph graph(launch, buffers, users);
  std::vector<unsigned> partOf = findParts(graph.nodes());
  std::unordered_map<unsigned, std::vector<StepwiseBuffer*>> together;
  for (StepwiseBuffer* buffer : buffers)
    together[partOf[graph.hubOf(*buffer)]].push_back(buffer);
  std::unordered_map<unsigned, std::vector<StepGraph::Node*>> members;
  for (unsigned i = 0; i < partOf.size(); ++i)
    if (together.count(partOf[i])) members[partOf[i]].push_back(&graph.nodes()[i]);
  for (auto& [part, inside] : together) {
    int64_t steps = 0;
    for (StepwiseBuffer* buffer : inside)
      steps = std::gcd(steps, buffer->steps);
    StepCheck check(launch, steps);
    std::string_view why = steps > 1 ? check.check(members[part])
                                     : "buffers that wait for each other have no steps in common";
    for (StepwiseBuffer* buffer : inside) {
      buffer->steps = steps;
      buffer->obstacle = why;
    }
  }
}

}  // namespace airlite::air
