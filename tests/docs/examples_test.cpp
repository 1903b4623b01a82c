// The IR reference shows an example of every op: here each of them is read and verified. Values that
// a fragment only uses are added; what else it needs around it is stated below.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <map>
#include <regex>

using namespace airlite;

namespace {

/// What may stand around a fragment; it takes the place of `$`. The first one that fits counts.
constexpr std::string_view kSurroundings[] = {"$",
                                              "func.func private @f(i32, f32) -> i32\n$",
                                              R"(llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("done")
$)",
                                              R"(func.func @around(%arg: i32) -> i32 {
  $
^bb1(%one: i32):
  return %one : i32
^bb2:
  return %arg : i32
})",
                                              R"(module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<4xf32>) kernel {
      gpu.return
    }
  }
  $
})",
                                              R"(aie.device(xcvc1902) {
  %tile_1_1 = aie.tile(1, 1)
  %tile_1_2 = aie.tile(1, 2)
  %shim_noc_tile_2_0 = aie.tile(2, 0)
  %buf0 = aie.buffer(%tile_1_1) : memref<8xi32, 2>
  $
})",
                                              R"(aie.device(npu1) {
  %shim = aie.tile(1, 0)
  %mem_tile_1_1 = aie.tile(1, 1)
  %core = aie.tile(1, 2)
  %tile_1_1 = aie.tile(1, 3)
  aie.objectfifo @in(%shim, {%mem_tile_1_1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%mem_tile_1_1, {%core}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  $
})",
                                              R"(aie.device(npu1) {
  %tile = aie.tile(1, 2)
  %other = aie.tile(1, 3)
  %lock_1_1 = aie.lock(%tile, 0)
  aie.objectfifo @of(%other, {%tile}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.core(%tile) {
    $
    aie.end
  }
})",
                                              R"(aie.device(npu1) {
  %tile = aie.tile(1, 2)
  %buf0 = aie.buffer(%tile) : memref<64xi32, 2>
  aie.mem(%tile) {
    aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    $
    aie.next_bd ^bb2
  ^bb2:
    aie.end
  }
})",
                                              R"(aie.device(xcvc1902) {
  %tile = aie.tile(1, 1)
  aie.switchbox(%tile) {
    $
  }
})",
                                              R"(aie.device(npu1) @segment_0 {
  %shim_noc_tile_0_0 = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %lock_0_2 = aie.lock(%tile, 0)
  %rtp = aie.buffer(%tile) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @air_in(%shim_noc_tile_0_0, MM2S, 0)
  aie.shim_dma_allocation @air_out(%shim_noc_tile_0_0, S2MM, 0)
  aie.runtime_sequence @sequence(%to: memref<64xi32>) {
  }
  aie.runtime_sequence @around(%from: memref<64xi32>) {
    %task = aiex.dma_configure_task_for @air_out {
      aie.dma_bd(%from : memref<64xi32> offset = 0 len = 64)
      aie.end
    } {issue_token = true}
    $
  }
})"};

/// A text that is read after values that it uses and does not define.
class Fragment {
 public:
  Fragment(Context& context, std::string_view text, std::string_view around) : context_(context) {
    size_t at = around.find('$');
    before_ = around.substr(0, at);
    after_ = std::string(text) + std::string(around.substr(at + 1));
    // A round finds out about a value that is missing, or about its type.
    do
      read();
    while (!module_ && learn());
    if (module_) watched([&] { (void)verify(*module_); });
  }

  /// The first error; "" when there is none.
  std::string problem() const { return problems_.empty() ? "" : problems_.front(); }

  bool shows(const OpDef& def) {
    bool found = false;
    if (module_) module_->walk([&](Operation& op) { found |= &op.def() == &def; });
    return found;
  }

 private:
  void watched(FunctionRef<void()> action) {
    problems_.clear();
    context_.diagnostics().setHandler([&](const Diagnostic& diagnostic) {
      if (diagnostic.severity == Severity::Error) problems_.push_back(diagnostic.message);
    });
    action();
    context_.diagnostics().setHandler({});
  }

  void read() {
    std::string text = before_;
    for (const auto& [name, type] : types_)
      text += "%" + name + " = ub.poison : " + type + "\n";
    ParseOptions options;
    options.verify = false;
    options.limits.maxErrors = 100;
    watched([&] { module_ = parseSource(context_, text + after_, "example", options); });
  }

  /// False when the errors say nothing new about values.
  bool learn() {
    static const std::regex kUndefined("use of undeclared SSA value name '%([^']+)'.*");
    static const std::regex kOther("use of value '%([^']+)' expects different type than prior "
                                   "uses: '(.*)' vs 'none'");
    bool learnt = false;
    std::smatch match;
    for (const std::string& message : problems_) {
      if (std::regex_match(message, match, kUndefined))
        learnt |= types_.emplace(match[1], "none").second;
      else if (std::regex_match(message, match, kOther))
        learnt |= std::exchange(types_[match[1]], match[2]) != match[2];
    }
    return learnt;
  }

  Context& context_;
  std::string before_, after_;
  std::map<std::string, std::string> types_;
  std::vector<std::string> problems_;
  OwningOp module_;
};

/// What is wrong with the example of `def`; "" when it is right.
std::string problemOf(Context& context, const OpDef& def) {
  std::string example = def.exampleOrNone();
  if (example.empty()) return "there is none";
  std::string first;
  for (std::string_view around : kSurroundings) {
    Fragment fragment(context, example, around);
    bool shows = def.name() == "builtin.module" || fragment.shows(def);
    if (fragment.problem().empty() && shows) return "";
    if (first.empty()) first = fragment.problem().empty() ? "lacks the op" : fragment.problem();
  }
  return first;
}

}  // namespace

TEST_CASE("examples of the IR reference are programs that show their op") {
  Context context;
  registerAllDialects(context);
  for (const OpDef* def : context.opDefs()) {
    if (def->name() == "airlite.forward_reference") continue;  // in no program
    INFO(def->name() << ": " << def->exampleOrNone());
    CHECK(problemOf(context, *def) == "");
  }
}
