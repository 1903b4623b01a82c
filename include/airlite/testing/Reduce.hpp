// Makes a program that shows a problem small: leaves out what the problem does not need.
//
//   testing::ReduceOptions options;
//   options.shows = [&](const std::string& text) { return crashes(text); };
//   testing::reduce(module, options);  // `module` is small now
#pragma once

#include "airlite/ir/Operation.hpp"

#include <functional>
#include <string>

namespace airlite::testing {

struct ReduceOptions {
  /// Does this text still show the problem?
  std::function<bool(const std::string& text)> shows;
  /// Candidates have to verify. Off for a program that does not verify itself; texts are in the
  /// generic form then.
  bool mustVerify = true;
};

struct ReduceOutcome {
  unsigned candidates = 0;         // `shows` was asked so often
  unsigned before = 0, after = 0;  // operations
};

/// The text of a candidate, or of the result.
std::string reducedText(Operation& module, const ReduceOptions& options);

/// Delta debugging over operations: erases them (what used a result takes a constant, an operand of
/// the same type or a fresh token), replaces structured ops by their bodies, drops the bodies of
/// functions, else-branches, attributes, dependencies and unused arguments, and shrinks constants,
/// as long as anything helps. `module` becomes the smallest program that was found.
ReduceOutcome reduce(OwningOp& module, const ReduceOptions& options);

}  // namespace airlite::testing
