// The lists of passes between a program and the files of a design.
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/npu/compile/Compile.hpp"
#include "airlite/pass/Pass.hpp"

#include <cstdint>
#include <vector>

namespace airlite::npu {

/// How a recipe computes floats.
enum class FloatsOf : uint8_t {
  Units,    ///< as the vector and matrix units do
  Program,  ///< CompileOptions::exact
  Blocks,   ///< as the units do, CompileOptions::floatBlocks
};
FloatsOf floatsOf(const CompileOptions& options);

/// What loops on arrays are.
enum class LoopsOf : uint8_t {
  Arrays,   ///< ops on the arrays (air-loops-to-linalg)
  Program,  ///< loops
};
/// Makes them ops; whether there were any.
bool raiseLoops(Operation& module);

/// The recipe with what differs from its defaults, which are for all of an npu1; `herd`, when it is
/// given, in any case.
PassUse recipeFor(const aie::Device& target, FloatsOf floats, std::vector<int64_t> herd = {});

/// The recipes for `module` in the order in which they are tried. Where the compiler makes herds:
/// smaller and smaller ones; else the recipe, and then what the author wrote, as it is. Each instance
/// of a segment is a design. There is at least one.
std::vector<PassList> recipesFor(Operation& module, const aie::Device& target, FloatsOf floats,
                                 LoopsOf loops);

/// From a program of tiles to a design. Cores serve every iteration of the launch; herds that the
/// recipe placed stay where they are. With `keepsOrder` the host does not take turns with its channels,
/// nor joins what it does in several iterations.
PassList designPasses(const aie::Device& target, bool keepsOrder);
/// From a design that the program is, with object FIFOs, to one of locks and DMA programs.
PassList passesOfOwnDesigns();
/// What the code generator takes, from any body of a core.
PassList corePasses();

}  // namespace airlite::npu
