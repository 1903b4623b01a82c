// What air-dependency knows of a function before it changes it: which ops become asynchronous, and
// which of them wait for which others.
#pragma once

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"

#include <deque>
#include <map>
#include <memory>
#include <unordered_set>

namespace airlite::air::dependency {

struct Scope;

enum class NodeKind : uint8_t {
  Wrapped,   // goes into an execute
  Movement,  // a transfer, or another op that has an asynchronous form
  Hierarchy,
  Execute,  // was there
  Join,     // an asynchronous wait_all; `op` null: to be made before the node that follows
  For,
  Parallel,
  If,        // scf.if, affine.if, scf.index_switch
  Blocking,  // stays as it is: what it depends on is waited for before it
};

struct Node {
  Operation* op = nullptr;
  NodeKind kind = NodeKind::Wrapped;
  Scope* scope = nullptr;
  unsigned order = 0;                            // in the scope
  std::vector<Scope*> bodies;                    // one for each block inside
  std::vector<analysis::BufferAccess> accesses;  // as seen from its scope
  std::vector<Node*> before;                     // what it comes after, in its scope
  /// Comes after what the op around its scope comes after, or after an earlier run of it.
  bool waitsOutside = false;
  /// Comes after that because of itself or of what it comes after.
  bool coversOutside = false;
  bool usesChannels = false;
  /// Only begins or ends the life of a buffer of its scope: what is around need not wait for it.
  bool isLifetime = false;
  bool allocates = false;  // and does nothing else
  bool isFence = false;    // waits for all that is before, or has such a thing inside
  bool isAwaited = false;  // something that its block waits for comes after it
  bool hasSuccessor = false;
  bool wasAsync = false;   // or all that is in it
  bool isCarried = false;  // comes after an earlier run of the loop around it
  /// Buffers that it is ordered by with what is outside (compound nodes); null: the hidden one.
  std::unordered_set<Value> ordered;
  bool orderedByAll = false;
  unsigned mark = 0;  // of the last search that met it
  Value token;        // once it is written

  bool isCompound() const {
    return kind == NodeKind::For || kind == NodeKind::Parallel || kind == NodeKind::If;
  }
};

/// Ops of one block.
struct Scope {
  struct Entry {
    Node* node;
    const analysis::BufferAccess* access;
  };
  /// Accesses of a buffer that later ones have to be compared with.
  struct BufferState {
    std::vector<Entry> writes, reads, holds;
    size_t size() const { return writes.size() + reads.size() + holds.size(); }
  };

  Block* block = nullptr;
  Node* owner = nullptr;    // null: a function, or inside a blocking op
  bool isIsolated = false;  // function or hierarchy op: nothing comes in but by operands
  Value outside;            // once it is written: what the first run of a loop comes after
  std::vector<Node*> nodes;
  std::unordered_map<Value, BufferState> buffers;  // null: the hidden one
  Node* barrier = nullptr;                         // the last node that everything is ordered with
  unsigned frontier = 0;                           // nodes before it have successors
  unsigned writesFrom = 0;  // a read of what may be any memory comes after the writes before it
  std::map<std::string_view, std::vector<Node*>, std::less<>> senders;  // see the drain rule
};

/// Accesses of one buffer in one block that are kept apart; above, the older ones are joined and
/// count as writes of all of it.
inline constexpr size_t kMostEntries = 128;

/// How many transfers each channel holds.
using ChannelDepths = std::unordered_map<std::string_view, int64_t>;
/// Of all channels in `module`, asked once: looking a symbol up takes as long as there are symbols.
ChannelDepths channelDepths(Operation& module);

class Graph {
 public:
  Graph(Operation& function, const ChannelDepths& depths);

  /// The blocks of the function, and of the hierarchy ops inside blocking ops.
  const std::vector<Scope*>& roots() const { return roots_; }
  size_t numNodes() const { return nodes_.size(); }
  void forEach(FunctionRef<void(const Node&)> callback) const {
    for (const Node& node : nodes_)
      callback(node);
  }

 private:
  friend class GraphBuilder;
  std::deque<Node> nodes_;
  std::deque<Scope> scopes_;
  std::vector<Scope*> roots_;
};

/// Takes those predecessors of `node` away that come before others anyway. The nodes before it have
/// been reduced. `search` counts the searches, from Graph::numNodes() on.
void reduce(Node& node, unsigned& search);

/// The channels of a function: what the drain rule asks.
class ChannelIndex {
 public:
  ChannelIndex(Operation& function, const ChannelDepths& depths);

  /// Channels that `hierarchy` sends on so that it can end before anybody takes the data: at most
  /// as many transfers through each place as the channel holds, and no data awaited that only
  /// comes later in the program.
  std::vector<std::string_view> drainable(HierarchyOp hierarchy, analysis::LinearReader& reader);

 private:
  struct Inside {
    std::map<std::string_view, std::vector<ChannelAccessOp>> puts;
    std::unordered_set<std::string_view> received;
    unsigned end = 0;  // position of the last op inside
  };
  void add(ChannelAccessOp op);
  bool fits(std::string_view channel, const std::vector<ChannelAccessOp>& puts,
            HierarchyOp hierarchy, analysis::LinearReader& reader) const;

  const ChannelDepths& depths_;
  std::unordered_map<Operation*, Inside> hierarchies_;
  std::map<std::string_view, unsigned> lastPut_;
  unsigned position_ = 0;
};

}  // namespace airlite::air::dependency
