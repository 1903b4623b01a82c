// The asynchronous control and dataflow graph (ACDG) of a program: which op waits for which, as
// tokens, channels, loops and the order of blocking ops say. It is plain data, nested like the
// program. Algorithms.hpp has the queries, which take the result of eventGraph() or scopeGraph().
//
// A path of edges through the body of a loop that may run zero times, or through one branch of a
// conditional, orders what is outside only where that body runs. TokenOrder.hpp answers what is
// ordered in every run.
//
//   graph::Acdg acdg = graph::buildAcdg(function);
//   graph::Digraph events = graph::eventGraph(acdg);  // an arc is a "comes before"
#pragma once

#include "airlite/graph/Digraph.hpp"
#include "airlite/ir/Operation.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::graph {

using ScopeId = uint32_t;

enum class NodeKind : uint8_t {
  Rank,
  Launch,
  Segment,
  Herd,  // hierarchy levels; their bodies are scopes
  Execute,
  Dma,
  Put,
  Get,
  WaitAll,
  Custom,  // other ops that may be asynchronous
  Loop,
  Parallel,
  Branch,
  Region,   // control around such ops; their bodies are scopes
  Compute,  // a blocking op with effects, all inside included
  Token,    // a token from elsewhere: air.token.alloc, a function's argument
  Carried,  // a token argument of a loop: of the init, later of the run before
  Result,   // a token result of control
  Channel,  // connects many puts and gets of one place
};
std::string_view kindName(NodeKind kind);

struct Node {
  NodeKind kind;
  ScopeId scope;            // that contains it
  Operation* op = nullptr;  // of Carried and Result: the control op; of Channel: the declaration
                            // (null when it is missing); null for a Token that no op makes
  Value token = {};         // that fires when it is done; null: none
  /// What follows in the block begins when it is done.
  bool isBlocking = false;
};

enum class EdgeKind : uint8_t {
  Dependency,   // `to` waits for the token of `from`
  Channel,      // `to` receives what `from` sends (one of them, where several may)
  Init,         // the token that a loop or parallel begins with
  LoopCarried,  // the token that a run of a loop hands to the next one
  Reduce,       // the token that a body ends with, joined into the result
  Structural,   // `from` blocks: what follows in its block comes after it
};
std::string_view kindName(EdgeKind kind);

struct Edge {
  NodeId from, to;
  EdgeKind kind;
  auto operator<=>(const Edge&) const = default;
};

/// A region of a node, or a module or function.
struct Scope {
  Operation* op = nullptr;
  NodeId owner = kNoNode;          // none: a module or function
  unsigned region = 0;             // of `op`
  ScopeId parent = UINT32_MAX;     // none: the root
  std::vector<NodeId> nodes = {};  // directly in it, in the order of the program
  std::vector<ScopeId> children = {};
};

/// Ops that name one token in their affinity or concurrency lists.
struct TokenGroup {
  enum class Kind : uint8_t { Affinity, Concurrency };
  Kind kind;
  NodeId token;  // where it comes from
  std::vector<NodeId> members;
};

std::string_view kindName(TokenGroup::Kind kind);

/// The two ends of one place of a channel, or of a whole channel when an index is not constant.
struct ChannelPlace {
  std::string_view channel;
  Operation* declaration = nullptr;             // null when it is missing
  std::optional<std::vector<int64_t>> indices;  // none: the whole channel
  std::vector<NodeId> puts, gets;
};

struct Acdg {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Scope> scopes;  // 0: the root
  std::vector<TokenGroup> groups;
  std::vector<ChannelPlace> channels;
};

/// Puts and gets of one place that may meet in more pairs than this are joined through a node of
/// kind Channel, so that the graph stays as small as the program.
inline constexpr size_t kMaxChannelPairs = 4096;

/// The graph of `root` (a module, a function, or any op) and all inside. O(ops), with O(depth) per
/// op. Never fails: tokens that come by ways it does not follow (branches between blocks) are nodes
/// of kind Token.
Acdg buildAcdg(Operation& root);

/// The two events of a node.
constexpr NodeId beginOf(NodeId node) { return 2 * node; }
constexpr NodeId endOf(NodeId node) { return 2 * node + 1; }

struct EventOptions {
  bool channels = true;      // the begin of a put comes before the end of its get
  bool loopCarried = false;  // leads from one run to the next: makes cycles
};
/// What begins and ends before what: an arc between events is a "comes before". A hierarchy level
/// ends after all in it, control after the blocking ops in it. O(V + E).
Digraph eventGraph(const Acdg& acdg, EventOptions options = {});

/// The nodes directly in `scope` (numbered as in Scope::nodes): edges from inside one to inside
/// another lead between those two. Channels are left out unless asked for, loop-carried edges
/// always. O(E * depth).
Digraph scopeGraph(const Acdg& acdg, ScopeId scope, bool channels = false);

}  // namespace airlite::graph
