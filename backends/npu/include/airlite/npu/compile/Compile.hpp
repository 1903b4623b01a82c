// From a program, or a design of tiles, to the files that a driver of an NPU loads.
//
//   auto compiled = npu::compileForNpu(*module, {.target = "npu1"});
//   if (!compiled) return fail(compiled.error().message);
//   for (const Artifact& file : compiled->files) save(file.name, file.bytes);
//
// Errors of the program are reported to its context, at the operation.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/support/Artifact.hpp"
#include "airlite/support/Result.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// The files that are made of a program.
struct Outputs {
  bool air = false;        ///< program.mlir: the program after the recipe
  bool aie = false;        ///< design.mlir: the design of the tiles
  bool images = true;      ///< everything that a run needs, with manifest.json
  bool config = false;     ///< NAME.config.txt: what was chosen for each tile
  bool floorplan = false;  ///< NAME.floorplan.svg
  bool report = false;     ///< NAME.resources.json, and CompiledDesigns::table

  /// More than text: where everything is on the array.
  bool needsConfig() const { return images || config || floorplan || report; }
};

struct CompileOptions {
  std::string_view target = "npu1";  ///< a device for which aie::Device::isTarget() is true
  Outputs outputs = {};
  /// Refuses programs that hang or race, before the recipe and after it.
  bool verifyProgram = true;
  /// Floats keep the bits of the program before the recipe; else the matrix unit may add products.
  bool exact = false;
  /// Factors of products of matrices of bf16 become blocks that share exponents, which the matrix unit of
  /// AIE2P multiplies faster (support/BlockFloat.hpp; docs/npu_floats.md has the errors). Not with `exact`,
  /// and of devices of AIE2P only.
  bool floatBlocks = false;
  bool keepsUnitSums = false;  ///< for CompiledDesigns::withUnitSums
  /// Remarks say which recipe was taken and how the loops of each core were compiled.
  bool remarks = false;
  /// Folders of the objects that cores name (`link_with`), besides that of the source.
  std::span<const std::string> objectFolders = {};
  /// Makes a program of tiles, in place of the recipe air-npu and of the checks around it.
  const Pipeline* recipe = nullptr;
  /// Runs passes in place of runPipeline: a driver prints, times and checks as its user asks.
  std::function<PipelineOutcome(Operation& module, const Pipeline& passes)> runPasses = {};
  /// Called with the name of each step as it begins.
  std::function<void(std::string_view step)> onStep = {};
};

struct CompiledDesigns {
  std::vector<Artifact> files;
  std::string table;  ///< of Outputs::report
  /// The program after the recipe, where its sums of floats are those of the matrix unit
  /// (linalg::kSumDepth), when the options ask for it; else null.
  OwningOp withUnitSums;
};

/// What `target` is asked of a program (air-verify-program) before its recipe, and after it: memory
/// that is held at once must be there; tiles and DMA channels are shared out by the placement. Cores
/// may touch other levels until the recipe has made transfers of that.
PassUse checkBeforeRecipe(std::string_view target);
PassUse checkAfterRecipe(std::string_view target);

/// The recipes that compileForNpu tries for a program until one fits, in their order, as parsePipeline
/// reads them.
std::vector<std::string> recipesOf(Operation& module, const CompileOptions& options);

/// Compiles `module`, which may become the design on the way. Without a recipe of the caller's,
/// linalg ops get the largest herds with which all fits, and a program of herds stays as it is
/// where the recipe needs too much.
Result<CompiledDesigns> compileForNpu(Operation& module, const CompileOptions& options = {});

}  // namespace airlite::npu
