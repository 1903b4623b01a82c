// What the ACDG of small programs says, and the plain graphs made from it.
#include "airlite/graph/Acdg.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/graph/Algorithms.hpp"
#include "airlite/graph/Export.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <set>

using namespace airlite;
using namespace airlite::graph;

namespace {

struct Program {
  explicit Program(const std::string& text) {
    registerAllDialects(context);
    module = parseSource(context, text, "test.mlir");
    REQUIRE(module);
    acdg = buildAcdg(*module);
  }

  std::vector<NodeId> nodes(NodeKind kind) const {
    std::vector<NodeId> found;
    for (NodeId i = 0; i < acdg.nodes.size(); ++i)
      if (acdg.nodes[i].kind == kind) found.push_back(i);
    return found;
  }
  NodeId node(NodeKind kind, size_t number = 0) const { return nodes(kind).at(number); }
  std::set<std::pair<NodeId, NodeId>> edges(EdgeKind kind) const {
    std::set<std::pair<NodeId, NodeId>> found;
    for (const Edge& edge : acdg.edges)
      if (edge.kind == kind) found.insert({edge.from, edge.to});
    return found;
  }
  /// `a` ends before `b` begins.
  bool isBefore(NodeId a, NodeId b) const {
    return Reachability(eventGraph(acdg)).reaches(endOf(a), beginOf(b));
  }

  Context context;
  OwningOp module;
  Acdg acdg;
};

std::string channelProgram(unsigned puts, unsigned gets, bool inOneBlock) {
  std::string text = "air.channel @c [1]\nfunc.func @f(%m: memref<4xf32>) {\n"
                     "  %0 = arith.constant 0 : index\n  %1 = arith.constant 1 : index\n";
  for (unsigned i = 0; i < puts; ++i)
    text += "  %p" + std::to_string(i) +
            " = air.channel.put async @c[%0] (%m[] [] []) : (memref<4xf32>)\n";
  for (unsigned i = 0; i < gets; ++i) {
    std::string get = "    %g" + std::to_string(i) +
                      " = air.channel.get async @c[%0] (%m[] [] []) : (memref<4xf32>)\n";
    text += inOneBlock
                ? get
                : "  scf.for %i" + std::to_string(i) + " = %0 to %1 step %1 {\n" + get + "  }\n";
  }
  return text + "  return\n}\n";
}

}  // namespace

TEST_CASE("puts and gets of one block each meet in order") {
  Program program(channelProgram(3, 3, true));
  std::set<std::pair<NodeId, NodeId>> expected;
  for (size_t i = 0; i < 3; ++i)
    expected.insert({program.node(NodeKind::Put, i), program.node(NodeKind::Get, i)});
  CHECK(program.edges(EdgeKind::Channel) == expected);
}

TEST_CASE("puts and gets of which any may meet are joined in pairs") {
  CHECK(Program(channelProgram(3, 3, false)).edges(EdgeKind::Channel).size() == 9);
  CHECK(Program(channelProgram(3, 2, true)).edges(EdgeKind::Channel).size() == 6);
}

TEST_CASE("many puts and gets are joined through one node") {
  Program program(channelProgram(70, 80, true));
  NodeId hub = program.node(NodeKind::Channel);
  CHECK(program.edges(EdgeKind::Channel).size() == 150);
  Reachability reachability(eventGraph(program.acdg));
  for (NodeId put : program.nodes(NodeKind::Put))
    for (NodeId get : program.nodes(NodeKind::Get)) {
      CHECK(reachability.reaches(beginOf(put), endOf(get)));
      CHECK(!reachability.reaches(endOf(put), endOf(get)));
    }
  CHECK(program.acdg.nodes[hub].op != nullptr);
}

TEST_CASE("blocking ops order what follows, asynchronous ones do not") {
  Program program(R"(
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>, %k: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = air.dma_memcpy_nd async (%m[] [] [], %n[] [] []) : (memref<4xf32>, memref<4xf32>)
  scf.for %i = %0 to %k step %1 {
    air.dma_memcpy_nd (%m[] [] [], %n[] [] []) : (memref<4xf32>, memref<4xf32>)
    %b = air.dma_memcpy_nd async (%m[] [] [], %n[] [] []) : (memref<4xf32>, memref<4xf32>)
  }
  %c = air.dma_memcpy_nd async (%m[] [] [], %n[] [] []) : (memref<4xf32>, memref<4xf32>)
  return
})");
  NodeId a = program.node(NodeKind::Dma, 0), blocking = program.node(NodeKind::Dma, 1);
  NodeId b = program.node(NodeKind::Dma, 2), c = program.node(NodeKind::Dma, 3);
  CHECK(program.isBefore(blocking, b));
  CHECK(program.isBefore(blocking, c));
  CHECK(!program.isBefore(a, c));
  CHECK(!program.isBefore(a, blocking));
  CHECK(!program.isBefore(b, c));
  CHECK(program.acdg.nodes[program.node(NodeKind::Loop)].isBlocking);
}

TEST_CASE("a hierarchy op is done when all in it is") {
  Program program(R"(
func.func @f(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %h = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %m) : memref<4xf32> {
    %d = air.dma_memcpy_nd async (%a[] [] [], %a[] [] []) : (memref<4xf32>, memref<4xf32>)
  }
  %w = air.wait_all async [%h]
  return
})");
  CHECK(program.isBefore(program.node(NodeKind::Dma), program.node(NodeKind::WaitAll)));
  NodeId herd = program.node(NodeKind::Herd);
  CHECK(program.acdg.scopes.back().owner == herd);
  // Seen from the function there are two nodes with one edge.
  ScopeId function = program.acdg.nodes[herd].scope;
  Digraph outer = scopeGraph(program.acdg, function);
  CHECK(outer.numNodes() == 2);
  CHECK(outer.arcs() == std::vector<Arc>{{0, 1}});
}

TEST_CASE("tokens enter bodies as kernel arguments") {
  Program program(R"(
func.func @f() {
  %c1 = arith.constant 1 : index
  %a = air.wait_all async
  %l = air.launch async (%x) in (%sx = %c1) args(%t = %a) : !air.async.token {
    %b = air.wait_all async [%t]
  }
  return
})");
  NodeId a = program.node(NodeKind::WaitAll, 0), b = program.node(NodeKind::WaitAll, 1);
  CHECK(program.edges(EdgeKind::Dependency) == std::set<std::pair<NodeId, NodeId>>{{a, b}});
}

TEST_CASE("while loops carry tokens") {
  Program program(R"(
func.func @f(%c: i1) {
  %a = air.wait_all async
  %w = scf.while (%t = %a) : (!air.async.token) -> (!air.async.token) {
    %b = air.wait_all async [%t]
    scf.condition(%c) %b : !air.async.token
  } do {
  ^bb0(%u: !air.async.token):
    %d = air.wait_all async [%u]
    scf.yield %d : !air.async.token
  }
  %e = air.wait_all async [%w]
  return
})");
  auto wait = [&](size_t i) { return program.node(NodeKind::WaitAll, i); };
  NodeId carried = program.node(NodeKind::Carried), result = program.node(NodeKind::Result);
  using Pairs = std::set<std::pair<NodeId, NodeId>>;
  CHECK(program.edges(EdgeKind::Init) == Pairs{{wait(0), carried}});
  CHECK(program.edges(EdgeKind::LoopCarried) == Pairs{{wait(2), carried}});
  CHECK(program.edges(EdgeKind::Reduce) == Pairs{{wait(1), result}});
  CHECK(program.edges(EdgeKind::Dependency) ==
        Pairs{{carried, wait(1)}, {wait(1), wait(2)}, {result, wait(3)}});
}

TEST_CASE("a loop-carried edge closes a cycle only when asked for") {
  Program program(R"(
func.func @f() {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = air.wait_all async
  %l = scf.for %i = %0 to %1 step %1 iter_args(%t = %a) -> (!air.async.token) {
    %b = air.wait_all async [%t]
    scf.yield %b : !air.async.token
  }
  return
})");
  CHECK(findCycle(eventGraph(program.acdg)).empty());
  CHECK(!findCycle(eventGraph(program.acdg, {.loopCarried = true})).empty());
}

TEST_CASE("the graph of one op") {
  Program program("func.func @f() {\n  %a = air.wait_all async\n  return\n}");
  Operation& function = program.module->region().front().front();
  Acdg acdg = buildAcdg(function.region().front().front());
  REQUIRE(acdg.nodes.size() == 1);
  CHECK(acdg.nodes[0].kind == NodeKind::WaitAll);
  CHECK(buildAcdg(function).nodes.size() == 1);
}

TEST_CASE("names of files tell formats") {
  CHECK(acdgFormatOf("a.dot") == AcdgFormat::Dot);
  CHECK(acdgFormatOf("a.json") == AcdgFormat::Json);
  CHECK(acdgFormatOf("a.graphml") == AcdgFormat::GraphMl);
  CHECK(!acdgFormatOf("dot"));
}
