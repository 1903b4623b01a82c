// Graphs of a part of a program, and which form a file name asks for.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/text/GraphDump.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <nlohmann/json.hpp>

using namespace airlite;

namespace {

constexpr const char* kProgram = R"(
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = arith.addf %a, %b : f32
  %r = scf.execute_region -> f32 {
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %1, %1 : f32
    scf.yield %2 : f32
  }
  return %r : f32
}
)";

Operation& find(Operation& root, std::string_view name) {
  Operation* found = nullptr;
  root.walk([&](Operation& op) {
    if (op.is(name)) found = &op;
  });
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("a graph of a part leaves out what comes from outside") {
  Context context;
  registerAllDialects(context);
  OwningOp module = parseSource(context, kProgram, "f.mlir");
  REQUIRE(module);
  Operation& part = find(*module, "scf.execute_region");
  auto graph = nlohmann::json::parse(dumpGraph(part, GraphFormat::Json));
  CHECK(graph["nodes"].size() == 4);
  CHECK(graph["nodes"][0]["op"] == "scf.execute_region");
  CHECK(!graph["nodes"][0].contains("block"));
  CHECK(graph["uses"].size() == 3);  // twice the product, once the sum
  std::string dot = dumpGraph(part, GraphFormat::Dot);
  CHECK(dot.find("func.func") == std::string::npos);
  CHECK(dot.find("n1 -> n2 [headlabel = \"1\"];") != std::string::npos);
}

TEST_CASE("every reference of a graph leads somewhere") {
  Context context;
  registerAllDialects(context);
  OwningOp module = parseSource(context, kProgram, "f.mlir");
  REQUIRE(module);
  auto graph = nlohmann::json::parse(dumpGraph(*module, GraphFormat::Json));
  CHECK(graph["format"] == "airlite-graph");
  CHECK(graph["version"] == kGraphVersion);
  for (const char* list : {"nodes", "regions", "blocks"})
    for (size_t i = 0; i < graph[list].size(); ++i)
      CHECK(graph[list][i]["id"] == i);
  for (const auto& node : graph["nodes"])
    if (node.contains("block")) CHECK(node["block"] < graph["blocks"].size());
  for (const auto& use : graph["uses"]) {
    bool fromNode = use["from"].contains("node");
    CHECK(use["from"][fromNode ? "node" : "block"] < graph[fromNode ? "nodes" : "blocks"].size());
    CHECK(use["to"]["node"] < graph["nodes"].size());
  }
}

TEST_CASE("the form of a graph is the end of its file name") {
  CHECK(graphFormatOf("a.b/g.dot") == GraphFormat::Dot);
  CHECK(graphFormatOf("g.json") == GraphFormat::Json);
  CHECK(!graphFormatOf("g.jso"));
  CHECK(!graphFormatOf("dot"));
}
