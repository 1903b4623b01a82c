// Does a program come to its end, and to one result? Channels are balanced (P1), nothing waits for
// itself (P2), and accesses that change what another one sees are ordered. docs/checking.md says
// what is proven, what is decided exactly and what is tried.
//
//   analysis::ProgramVerdict verdict = analysis::checkProgram(*module);
//   if (!verdict.findings.empty())  // reported at their ops; here is how to see the first happen
//     std::cout << analysis::scheduleToJson(verdict.counterexample, *module);
#pragma once

#include "airlite/analysis/Schedule.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::analysis {

enum class FindingKind : uint8_t { Unbalanced, Deadlock, Race, Fault, Bounds, Undefined, Unproved };

/// What has been reported as an error at `first`.
struct Finding {
  FindingKind kind = FindingKind::Fault;
  Operation* function = nullptr;
  Operation* first = nullptr;
  Operation* second = nullptr;  // of a race: the other access; of freed memory: the use
};

/// A function, or a part of it, of which nothing is said.
struct Undecided {
  Operation* op = nullptr;
  std::string reason;
  bool isWhole = false;  // nothing is said of the rest of the function
};

/// A channel that is balanced whatever the numbers are that the program leaves open.
struct ProvenChannel {
  Operation* channel = nullptr;
  std::string text;
};

struct ProgramVerdict {
  std::vector<Finding> findings;
  std::vector<ProvenChannel> proven;
  /// Of the first finding: runs that show it in the interpreter.
  Schedule counterexample;
  std::vector<Undecided> undecided;
};

struct ProgramCheckOptions {
  /// Size of an unfolding (see Unfolding.hpp); functions that need more are undecided.
  size_t maxPoints = 1'000'000;
  /// How many sets of numbers are tried for arguments that decide about control.
  unsigned valuations = 8;
  /// How many orders are tried where a channel or a lock is used in no fixed order.
  unsigned schedules = 16;
  bool races = true;
  /// What nobody has written, and the program hands out.
  bool definedness = true;
  /// Accesses that leave their memory.
  bool bounds = true;
  /// Transfers that data or arguments decide about need a proof that they do not hang: trying numbers is not enough.
  bool provesOpenControl = false;
  /// Accesses whose bounds data decide are undecided, each by itself.
  bool unprovedBounds = false;
};

/// Cores of an NPU load and store L1 only: what their bodies do, and the functions that they call,
/// through views. False when an error was reported.
bool checkCoreMemory(Operation& module);

/// Checks each function of `module` that has asynchronous ops or channels and is not called by
/// another one. Errors are reported at their ops, once each.
ProgramVerdict checkProgram(Operation& module, const ProgramCheckOptions& options = {});

}  // namespace airlite::analysis
