// air-dependency-parse-graph: shows the graph of a program in files, level by level.
//
// Matches every function with a body. Produces Graphviz files in the folder `output-dir`:
// `host.dot`, one per hierarchy op (`host_air_launch_1.dot`, `host_air_launch_1_air_segment_1.dot`,
// ...; with show-cores one per core of a herd) and `combined.dot` with all levels as nested
// clusters. With several functions there is a folder for each. Takes the `id`s off the ops of the
// graph: they are numbers for the passes before.
//
// Declines: a herd whose size is not constant, or above 4,096 cores, has one graph also with
// show-cores. A file that cannot be written is an error.
#include "DependencyDots.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

class DependencyParseGraph : public Pass {
 public:
  DependencyParseGraph()
      : Pass("air-dependency-parse-graph", "Writes the graph of tokens to Graphviz files") {
    anchor("builtin.module");
    option("output-dir", folder_, "where the files go; made when it is missing");
    option("show-cores", showCores_, "a graph for each core of a herd");
    example(
        "airlite-opt --air-dependency --air-dependency-parse-graph='output-dir=graphs' in.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    if (failed(writeDependencyDots(module, folder_, showCores_))) return PassResult::Failed;
    bool changed = false;
    module.walk([&](Operation& op) {
      if (!air::isAsyncOp(op) || !op.hasAttr("id")) return;
      op.removeAttr("id");
      changed = true;
    });
    return changedIf(changed);
  }

 private:
  std::string folder_;
  bool showCores_ = false;
};

}  // namespace

void registerDependencyParseGraph(PassRegistry& registry) { registry.add<DependencyParseGraph>(); }

}  // namespace airlite
