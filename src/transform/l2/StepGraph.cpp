// What waits for what in a launch.
#include "StepGraph.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <optional>

namespace airlite::air {

namespace {

/// Its regions are not control: they are looked at as one op.
bool isLeaf(Operation& op) {
  return op.numRegions() == 0 || isa<ExecuteOp>(&op) || linalg::asStructured(&op);
}

/// Code that may use channels.
bool callsCode(Operation& op) {
  if (!isa<func::CallOp>(&op)) return op.is("func.call_indirect");
  func::FuncOp callee = func::CallOp(&op).function();
  return !callee || !callee.isDeclaration();
}

class GraphBuilder {
 public:
  GraphBuilder(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
               const ChannelUsers& users, const std::unordered_set<Operation*>& opened)
      : launch_(launch), users_(users), opened_(opened) {
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

  StepGraph take(const std::vector<StepwiseBuffer*>& buffers) {
    StepGraph graph{std::move(nodes_), {}};
    for (StepwiseBuffer* buffer : buffers)
      graph.steps.push_back(hubs_[buffer].first);
    return graph;
  }

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
    if (!isa<scf::ForOp>(block.parentOp()) || opened_.count(block.parentOp())) return true;
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
    bool carries = isa<scf::ForOp>(&op) && op.numResults() > 0 && !opened_.count(&op);
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
  const std::unordered_set<Operation*>& opened_;
  std::vector<StepGraph::Node> nodes_;
  std::optional<unsigned> outside_;
  std::unordered_map<Value, unsigned> nodeOf_;
  std::unordered_map<std::string_view, unsigned> channels_;
  std::unordered_map<Operation*, StepwiseBuffer*> bufferOf_;  // of fills and drains
  /// Where the fills, where the drains of a step are over.
  std::unordered_map<StepwiseBuffer*, std::pair<unsigned, unsigned>> hubs_;
  std::vector<unsigned> members_;
};

}  // namespace

StepGraph stepGraphOf(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
                      const ChannelUsers& users, const std::unordered_set<Operation*>& opened) {
  return GraphBuilder(launch, buffers, users, opened).take(buffers);
}

std::vector<unsigned> findParts(const StepGraph& graph) {
  const std::vector<StepGraph::Node>& nodes = graph.nodes;
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

}  // namespace airlite::air
