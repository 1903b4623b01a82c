// Passes as the drivers run them, of airlite and all of its backends.
#pragma once

#include "../common/Frontend.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pipeline.hpp"

#include <string>
#include <string_view>

namespace airlite::tools {

/// What `--async-transfers` runs in front of all others, each while there is something of AIR: launches that compute
/// parts of arrays become ops on arrays, loops of cores ops on their memory, transfers of a segment leave its cores, loops around transfers can carry
/// tokens, and what has no token gets one. Operands that a herd names and does not use go before that: they would count as
/// memory that it may write, for which the next herd has to wait.
inline constexpr std::string_view kAsyncTransfers[] = {
    "air-bufferize-linalg,func.func(air-launch-to-linalg)",
    "func.func(air-loops-to-linalg{herds=true},air-hoist-segment-transfers,air-shrink-core-slabs),"
    "scf-forall-to-parallel{around-transfers=true},lower-affine{around-transfers=true},"
    "air-split-decided-rounds,"
    "canonicalize,air-dependency{keep-channel-order=true}"};
/// Whether there is something of AIR that could go on by itself. Programs of other ops alone stay as they are:
/// an execute around a linalg op would hide it from the recipe.
bool hasTransfersToOrder(Operation& module);

/// The passes of airlite and its backends.
PassRegistry allPasses();

/// What a driver was asked for, and the program as it was read.
struct Driver {
  const FrontendOptions& frontend;
  std::string_view tool;
  std::string_view inputText;
};

/// Runs passes as every driver does: what the options print, time and check.
PipelineOutcome runPasses(Operation& module, const Driver& driver, const Pipeline& pipeline);
/// The exit code for it.
int exitCode(const PipelineOutcome& outcome);

/// Both of passes as text. One that cannot be read is the user's mistake and has been reported.
int runPassText(Operation& module, const Driver& driver, const std::string& passes);

/// readProgram; with `o.asyncTransfers` what nobody gives a token gets one, so that a put in front of
/// the segment that takes its data does not stand in the way.
OwningOp readProgramToRun(Context& context, const FrontendOptions& o, std::string_view tool,
                          std::string& text);

}  // namespace airlite::tools
