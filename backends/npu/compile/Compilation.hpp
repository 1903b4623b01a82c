// One attempt: a program, or a design, to files by one recipe.
#pragma once

#include "Files.hpp"
#include "HostPlan.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"
#include "airlite/npu/compile/Compile.hpp"
#include "airlite/pass/Pass.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu {

/// Refused: what is wrong with the program has been reported. Broken: a pass made a mistake, which
/// no other recipe should hide.
/// Wrong: the check of the program as it was written has refused it, so no recipe helps.
enum class Outcome { Done, Refused, Wrong, Broken };

class Compilation {
 public:
  /// `recipe`: the passes that make it a program of tiles, when it is none yet. `codes`: of earlier attempts, too.
  Compilation(Operation& module, const CompileOptions& options, const PassList& recipe,
              codegen::CoreCodeCache& codes, CompiledDesigns& result);
  Outcome run();

 private:
  void countInputs();
  Outcome runPasses(const char* step, const Pipeline& passes);
  Outcome runPasses(const char* step, const PassList& passes);
  Outcome runRecipe();
  Outcome makeDesign();
  Outcome takeDesign();
  Outcome lowerToDesign();
  Outcome checkProgress();
  Outcome makeFiles();
  Outcome reportNothing();
  void warnOfTensors() const;
  Outcome placeAll(const std::vector<HostStep>& steps);
  bool isForTarget(Operation& design) const;
  bool isPossible(Operation& design, const std::vector<HostStep>& steps) const;
  Outcome place(Operation& design);
  std::optional<codegen::CoreCode> compileCore(Operation& core,
                                               const codegen::CoreSurroundings& around) const;
  Outcome addFiles(const HostPlan& plan);
  void addReport(const ArrayConfig& config);
  void addModule(const char* name);

  Operation& module_;
  const CompileOptions& options_;
  const aie::Device& target_;
  const PassList& recipe_;
  codegen::CoreCodeCache& codes_;
  CompiledDesigns& result_;
  std::map<std::string, size_t>
      numInputs_;  ///< of functions, before the host side adds memory of its own
  std::map<std::string, FunctionType> asWritten_;  ///< types of functions, before the recipe
  std::optional<Location> work_;                   ///< of the first op that computes
  std::vector<PlacedDesign> placed_;
};

/// How the error begins that says that nothing of a program goes to the array.
inline constexpr std::string_view kNothingToCompile = "there is no segment or herd to compile";
/// What keeps the first linalg op of a program, as its author wrote it, off the cores; none: nothing is
/// known.
std::optional<Diagnostic> whyOnHost(Operation& module);
/// Why air-dma-to-channel, in `recipe`, leaves the copy at `location` to its core.
std::optional<Diagnostic> whyNoChannel(Operation& module, const PassList& recipe,
                                       Location location);

}  // namespace airlite::npu
