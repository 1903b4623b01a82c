// What the checks of a program have in common: one function unfolded, and the words for it.
#pragma once

#include "../support/IndexText.hpp"
#include "Playback.hpp"
#include "airlite/analysis/ProgramCheck.hpp"
#include "airlite/analysis/SymbolicBalance.hpp"
#include "airlite/ir/Diagnostic.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace airlite::analysis {

/// One function with one set of assumptions.
struct CheckedRun {
  Operation& function;
  const Unfolding& unfolding;
};

/// Collects findings; the same is reported once, however many instances and assumptions show it.
class Findings {
 public:
  explicit Findings(ProgramVerdict& verdict) : verdict_(verdict) {}
  /// True when it is new: the caller reports it.
  bool add(const Finding& finding) {
    if (!seen_.insert({finding.kind, finding.first, finding.second}).second) return false;
    verdict_.findings.push_back(finding);
    return true;
  }
  /// Something with `op` as its first op has been found.
  bool hasOneAt(const Operation& op) const {
    return std::ranges::any_of(verdict_.findings,
                               [&](const Finding& finding) { return finding.first == &op; });
  }

 private:
  ProgramVerdict& verdict_;
  std::set<std::tuple<FindingKind, Operation*, Operation*>> seen_;
};

/// `'air.channel.put'`.
std::string quoted(const Operation& op);
/// `'@c[0, 1]'`.
std::string laneText(const Lane& lane);
/// ` in [0, 1] of the 'air.herd', with 3 in the 'scf.for'`; "" outside of all of them.
std::string instanceText(const Unfolding& unfolding, InstanceId instance);
/// Adds a note for each number that was assumed.
void noteAssumptions(InFlightDiagnostic& diagnostic, const Unfolding& unfolding);

/// `%x`, as the program prints it. O(size of the program): for messages.
std::string valueText(Value value);

/// Accesses that leave their memory, in all functions of `module`.
void checkBounds(Operation& module, const ProgramCheckOptions& options, ProgramVerdict& verdict,
                 Findings& findings);
/// Uses of memory that an op before them in their block has freed.
void checkFreed(Operation& module, Findings& findings);
/// A copy whose sides have different numbers of elements.
void checkCopySizes(Operation& op, Findings& findings);
/// P1: as much is put as is got, at each place of each channel.
void checkBalance(const CheckedRun& run, Findings& findings);
/// P1 for all numbers: the words. The error is reported unless the channel has one already.
std::string balancedText(const ProvenBalance& proven);
bool reportNeverBalanced(Operation& function, const ProvenBalance& proven, Findings& findings);
/// P2: `playback` is stuck.
void reportDeadlock(const CheckedRun& run, const Playback& playback, Findings& findings);

/// What comes before what in one play.
struct RaceCheck {
  bool isComplete = true;     // false: too many pairs, not all were looked at
  bool hasFreeOrder = false;  // transfers of a place are in no fixed order
};
RaceCheck checkRaces(const CheckedRun& run, const Playback& playback, Findings& findings);

/// Elements that nobody wrote and that reach the arguments or results of the function. False when
/// that takes too long to follow.
bool checkDefinedness(const CheckedRun& run, const Playback& playback, Findings& findings);

}  // namespace airlite::analysis
