// Pipelines: passes in order, nested by the op that they run on, and the driver that runs them.
//
//   PassRegistry registry;
//   registerAllPasses(registry);  // transform/Passes.hpp
//   Pipeline pipeline;
//   if (!parsePipeline(context, registry, "func.func(canonicalize,cse)", pipeline)) return 1;
//   if (runPipeline(*module, pipeline).result == PassResult::Failed) return 1;
#pragma once

#include "airlite/pass/Pass.hpp"

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

/// `anchor(pass, pass{opt=1}, nested(pass))`: elements run in order on each op called `anchor`
/// directly inside the op of the pipeline around it. "any" runs on every op.
class Pipeline {
 public:
  explicit Pipeline(std::string anchor = "builtin.module") : anchor_(std::move(anchor)) {}
  const std::string& anchor() const { return anchor_; }
  void add(std::unique_ptr<Pass> pass);
  Pipeline& nest(std::string anchor);
  bool empty() const { return elements_.empty(); }
  /// Text that parsePipeline reads back.
  std::string str() const;

  struct Element {
    std::unique_ptr<Pass> pass;  // exactly one of the two
    std::unique_ptr<Pipeline> nested;
  };
  const std::vector<Element>& elements() const { return elements_; }

 private:
  std::string anchor_;
  std::vector<Element> elements_;
};

/// Reads `builtin.module(a,b{opt=1},func.func(c))`, or a bare list `a,b` for a module. A pass
/// anchored on another op than the pipeline is nested by itself (a func.func pass in a module
/// pipeline runs on every function). Errors are reported at the text with a caret; false then.
bool parsePipeline(Context& context, const PassRegistry& registry, std::string_view text,
                   Pipeline& pipeline);
/// Adds passes as a program lists them. A pass or an option that does not exist is reported; false
/// then.
bool addPasses(Context& context, const PassRegistry& registry, const PassList& passes,
               Pipeline& pipeline);
/// Adds `name{options}` (or `name`, with `options` as `a=1 b=2`) as one flag of a tool does.
bool addPassByFlag(Context& context, const PassRegistry& registry, std::string_view name,
                   std::string_view options, Pipeline& pipeline);

struct PipelineOptions {
  bool verifyEach = true;  // after each pass that says it changed something
  bool countEffects = true;
  bool remarks = false;
  bool timing = false;
  bool statistics = false;
  std::vector<std::string> printBefore;  // pass names
  std::vector<std::string> printAfter;
  bool printBeforeAll = false;
  bool printAfterAll = false;
  bool printAfterChange = false;  // only when the pass changed something
  bool printAfterFailure = false;
  bool printModuleScope = false;          // the whole module instead of the op of the pass
  std::string printTreeDir;               // a numbered file per pass instead of the log
  std::string reproducer;                 // file to write IR and pipeline to when a pass fails
  bool reproducerOnInternalError = true;  // to airlite-reproducer.mlir when `reproducer` is empty
  std::string_view inputText;             // the program as it was read: what a reproducer holds
  /// Asked with the whole module after each pass that has changed something; false, which has been
  /// reported, ends the pipeline as an error of this pass.
  std::function<bool(Operation& module, const Pass& pass)> checkEach;
  std::function<void(std::string_view)> log;  // prints, timing, statistics; absent: dropped
};

/// Runs the pipeline. Failure has been reported; an exception from a pass is caught and reported as
/// an internal error (and `internalError` set), with a reproducer.
struct PipelineOutcome {
  PassResult result = PassResult::Unchanged;
  bool internalError = false;
  std::string reproducerPath;  // written when something failed
};
PipelineOutcome runPipeline(Operation& module, const Pipeline& pipeline,
                            const PipelineOptions& options = {});

/// Pipeline in the first lines of a reproducer (`// airlite-opt: --pass-pipeline='...'`), or "".
std::string reproducerPipeline(std::string_view text);

}  // namespace airlite
