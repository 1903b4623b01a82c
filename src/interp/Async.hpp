// What asynchronous ops are compiled to.
#pragma once

#include "Compiler.hpp"
#include "Machine.hpp"

namespace airlite::interp {

/// Waits until all tokens in its operands have fired.
Step doAwait(Run& run, const Inst& inst);
void emitAwait(Builder& b, Operation& op, const Builder::Registers& tokens);
/// Ends a process.
Step doEnd(Run& run, const Inst& inst);
/// Starts the Code in `inst.data` once the tokens in its operands have fired, as a process; the
/// token in the first output fires when it and all it started are done. It waits for `after`, too.
/// `process` is null unless Next.
Step startProcess(Run& run, const Inst& inst, Process*& process, uint32_t after = 0);
/// Whether an op that a process comes by again waits for its own run before.
enum class OwnRuns : uint8_t { Overlap, InOrder };
/// Starts `code` once `tokens` have fired; a token that fires when it and all it started are done.
void emitLaunch(Builder& b, Operation& op, const Code& code, const Builder::Registers& tokens,
                uint32_t out, OwnRuns runs = OwnRuns::Overlap);
/// Compiles `body` at once (sync), or as a process of its own that `op`'s token stands for.
void emitAsync(Builder& b, Operation& op, const Builder::Registers& dependencies, bool isAsync,
               const std::function<void(Builder&)>& body, OwnRuns runs = OwnRuns::Overlap);
/// The numbers of the tokens in operands [first, first + count); Retry or an error otherwise.
Step readTokens(Run& run, const Inst& inst, uint32_t first, uint32_t count,
                std::vector<uint32_t>& tokens);

/// A body that runs once for each point of an iteration space, all of them side by side.
struct Instances {
  const Code* code = nullptr;
  std::vector<uint32_t> ids;  // registers of the body
  uint32_t dims = 0;
  uint32_t numAffinity = 0;
  Level level = Level::Host;
  bool isLaunch = false;  // may also be run one after the other
  bool isHerd = false;
  bool isRank = false;
  bool usesLanes = false;
  bool keepsLevel = true;   // of a loop: runs where its parent runs
  bool bodiesOnly = false;  // its token does not wait for what the bodies start
};
/// in: lower bounds, upper bounds, steps of each dimension, affinity tokens, and what has to be
/// there before an instance starts; out: the token.
void emitInstances(Builder& b, Operation& op, const Instances& instances,
                   const Builder::Registers& in, uint32_t out);

}  // namespace airlite::interp
