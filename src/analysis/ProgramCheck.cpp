// Drives the checks of a program: which functions, with which assumptions, how many plays.
#include "airlite/analysis/ProgramCheck.hpp"

#include "Findings.hpp"
#include "OpenControl.hpp"
#include "ProgramSize.hpp"
#include "ReceivedData.hpp"
#include "TriedNumbers.hpp"
#include "airlite/analysis/SymbolicBalance.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <set>

namespace airlite::analysis {

namespace {

/// Runs of a body that has nothing to do with others, where all of them are too many.
constexpr int64_t kRepetitions = 4;

/// Of a loop.
std::vector<Value> stepsOf(Operation& op) {
  if (isa<scf::ForOp>(&op)) return {scf::ForOp(&op).step()};
  return isa<scf::ParallelOp>(&op) ? scf::ParallelOp(&op).steps().vec() : std::vector<Value>();
}

/// It may also be what it calls that does. A computation without transfers may still hand out what
/// nobody has written.
bool takesPart(Operation& function) {
  bool found = false;
  const bool isPlain = function.region(0).hasOneBlock();
  function.walk([&](Operation& op) {
    found = found || air::isAsyncOp(op) || isa<func::CallOp>(&op) ||
            (isPlain && (isa<memref::AllocOp>(&op) || isa<memref::AllocaOp>(&op)));
  });
  return found;
}

std::set<Operation*> calledFunctions(Operation& module) {
  std::set<Operation*> called;
  module.walk([&](Operation& op) {
    if (isa<func::CallOp>(&op))
      if (func::FuncOp callee = func::CallOp(&op).function()) called.insert(callee.op());
  });
  return called;
}

class ProgramChecker {
 public:
  ProgramChecker(Operation& module, const ProgramCheckOptions& options)
      : module_(module),
        options_(options),
        unfolder_(module),
        balance_(module),
        findings_(verdict_) {}

  ProgramVerdict check() {
    if (options_.bounds) checkAllBounds();
    checkSteps();
    module_.walk([&](Operation& op) { hasRanks_ = hasRanks_ || op.is("air.rank"); });
    std::set<Operation*> called = calledFunctions(module_);
    module_.walk([&](Operation& op) {
      func::FuncOp function = dynCast<func::FuncOp>(&op);
      if (function && !function.isDeclaration() && !called.count(&op) && takesPart(op))
        checkFunction(op);
    });
    if (options_.races) checkAllFreed();
    return std::move(verdict_);
  }

 private:
  void undecided(Operation& op, std::string reason, bool isWhole = false) {
    verdict_.undecided.push_back({&op, std::move(reason), isWhole});
  }

  /// Of errors that every run shows: the first of them.
  void showByAnyRun(size_t before) {
    if (before > 0 || verdict_.findings.empty()) return;
    const Finding& finding = verdict_.findings.front();
    verdict_.counterexample.function = func::FuncOp(finding.function).symName();
    verdict_.counterexample.shows = kindText(finding.kind);
    verdict_.counterexample.runs.push_back({0, {}});
  }

  void checkAllBounds() {
    checkBounds(module_, options_, verdict_, findings_);
    showByAnyRun(0);
  }

  void checkAllFreed() {
    const size_t before = verdict_.findings.size();
    checkFreed(module_, findings_);
    showByAnyRun(before);
  }

  /// Loops that never end.
  void checkSteps() {
    module_.walk([&](Operation& op) {
      for (const Value step : stepsOf(op)) {
        const std::optional<int64_t> number = constantIntOf(step);
        Operation* function = op.parentOfName("func.func");
        if (!number || *number > 0 || !function) continue;
        if (findings_.add({FindingKind::Fault, function, &op, nullptr}))
          op.emitError() << "a step must be positive, but it is " << *number;
      }
    });
  }

  /// P1 for all numbers. True when an error was found.
  bool checkForAll(Operation& function) {
    bool isWrong = false;
    BalanceProofs proofs = balance_.prove(function);
    balanced_ = std::move(proofs.balanced);
    for (const ProvenBalance& proven : proofs.open) {
      if (proven.answer == ProvenBalance::Answer::Balanced)
        verdict_.proven.push_back({proven.channel.op(), balancedText(proven)});
      else
        isWrong |= reportNeverBalanced(function, proven, findings_);
    }
    return isWrong;
  }

  /// With the numbers of one round. `isTooLarge`: what is too large for sure is not tried as a whole.
  Unfolding unfoldWith(Operation& function, TriedNumbers& tried, unsigned round, bool& isTooLarge) {
    tried.begin(round);
    UnfoldOptions unfold;
    unfold.maxPoints = options_.maxPoints;
    unfold.assumedTrips = round == 0 ? 1 : round % 5;
    unfold.assume = [&](Value value) { return tried(sameData_.representative(value)); };
    isTooLarge = leastPoints(function) > options_.maxPoints;
    if (isTooLarge) unfold.maxRepetitions = kRepetitions;
    Unfolding unfolding = unfolder_.unfold(function, unfold);
    if (!unfolding.isTooLarge || isTooLarge) return unfolding;
    isTooLarge = true;
    unfold.maxRepetitions = kRepetitions;
    return unfolder_.unfold(function, unfold);
  }

  void checkFunction(Operation& function) {
    isPartial_ = false;
    taken_.clear();
    const size_t before = verdict_.findings.size();
    const bool isWrong = checkForAll(function);
    tryNumbers(function, isWrong, before == 0);
    if (options_.provesOpenControl && verdict_.findings.size() == before)
      checkOpenControl(function, balanced_, taken_, findings_);
  }

  /// Stops at the first set of numbers that shows something wrong.
  void tryNumbers(Operation& function, bool isWrong, bool isFirst) {
    TriedNumbers tried(options_.valuations);
    for (unsigned round = 0; round < tried.numRounds(); ++round) {
      size_t before = verdict_.findings.size();
      bool isTooLarge = false;
      const Unfolding unfolding = unfoldWith(function, tried, round, isTooLarge);
      // Large numbers may make a program large that is not with those that it is made for.
      if (!tried.isPlain() && (isTooLarge || !unfolding.isComplete())) continue;
      isPartial_ |= isTooLarge;
      if (round == 0) saySmaller(function, unfolding, isTooLarge);
      if (!isWrong) checkUnfolding({function, unfolding});
      isWrong |= verdict_.findings.size() > before;
      if (isFirst && isWrong) addCounterexample({function, unfolding});
      for (const auto& [op, regions] : unfolding.taken)
        taken_[op] |= regions;
      bool isOnlyOne = unfolding.assumptions.empty() || !unfolding.isComplete();
      if (isOnlyOne || isWrong) return;
    }
  }

  /// What is left out of the check.
  void saySmaller(Operation& function, const Unfolding& unfolding, bool isTooLarge) {
    if (isTooLarge && unfolding.isComplete())
      undecided(function,
                "it is too large, so only " + std::to_string(kRepetitions) +
                    " runs of each launch and of each loop without channels are looked at");
    if (options_.races && unfolding.uncertainTouches > 0)
      undecided(function, "what " + std::to_string(unfolding.uncertainTouches) +
                              " accesses touch cannot be told, no races with them are found");
  }

  /// The first finding, as runs: a deadlock shows in every one, a race in two that differ in which
  /// of the two accesses comes late (where both are one op, the seeds have to find it).
  void addCounterexample(const CheckedRun& run) {
    const Finding& finding = verdict_.findings.front();
    Schedule& schedule = verdict_.counterexample;
    schedule.function = func::FuncOp(&run.function).symName();
    schedule.shows = kindText(finding.kind);
    for (const Assumption& assumption : run.unfolding.assumptions)
      if (assumption.value.argumentBlock() == &func::FuncOp(&run.function).entry())
        schedule.arguments.emplace_back(assumption.value.index(), assumption.number);
    bool areTwo = finding.kind == FindingKind::Race && finding.first != finding.second;
    unsigned seeds = finding.kind != FindingKind::Race ? 1 : areTwo ? 0 : 32;
    for (uint64_t seed = 0; seed < seeds; ++seed)
      schedule.runs.push_back({seed, {}});
    if (areTwo) schedule.runs = {{0, {finding.first}}, {0, {finding.second}}};
  }

  static std::string_view kindText(FindingKind kind) {
    switch (kind) {
      case FindingKind::Unbalanced: return "unbalanced";
      case FindingKind::Deadlock: return "deadlock";
      case FindingKind::Race: return "race";
      case FindingKind::Bounds: return "bounds";
      case FindingKind::Undefined: return "undefined";
      case FindingKind::Fault:
      case FindingKind::Unproved: break;
    }
    return "fault";
  }

  void checkUnfolding(const CheckedRun& run) {
    // Numbers that were made up may be ones that the program is not made for.
    if (!run.unfolding.faults.empty() && !run.unfolding.assumptions.empty()) return;
    for (const UnfoldingFault& fault : run.unfolding.faults)
      if (findings_.add({FindingKind::Fault, &run.function, fault.op, nullptr}))
        fault.op->emitError() << fault.message << instanceText(run.unfolding, fault.instance);
    if (!run.unfolding.isComplete())
      return undecided(*run.unfolding.stoppedAt, run.unfolding.stoppedBecause, true);
    size_t before = verdict_.findings.size();
    checkBalance(run, findings_);
    if (!run.unfolding.faults.empty() || verdict_.findings.size() > before) return;
    checkPlays(run);
  }

  /// Ranks write memory of each other, which is not followed; where only a part was unfolded, what
  /// the rest writes is not known.
  void checkDefined(const CheckedRun& run, const Playback& playback) {
    if (!options_.definedness || isPartial_ || hasRanks_) return;
    if (!checkDefinedness(run, playback, findings_))
      undecided(run.function, "whether all that it hands out has been written takes too long");
  }

  /// One play decides, unless places of channels or locks are used in no fixed order.
  void checkPlays(const CheckedRun& run) {
    bool isFree = !run.unfolding.locks.empty();
    for (unsigned schedule = 0; schedule < options_.schedules; ++schedule) {
      Playback playback = play(run.unfolding, schedule);
      if (playback.isStuck()) return reportDeadlock(run, playback, findings_);
      size_t before = verdict_.findings.size();
      if (!options_.races) return schedule == 0 ? checkDefined(run, playback) : void();
      RaceCheck races = checkRaces(run, playback, findings_);
      if (!races.isComplete)
        return undecided(run.function, "too many accesses to look for races between all of them");
      if (schedule == 0 && verdict_.findings.size() == before) checkDefined(run, playback);
      isFree |= races.hasFreeOrder;
      if (!isFree || races.hasFreeOrder) return;
    }
  }

  Operation& module_;
  const ProgramCheckOptions& options_;
  Unfolder unfolder_;
  BalanceProver balance_;
  ProgramVerdict verdict_;
  Findings findings_;
  bool isPartial_ = false, hasRanks_ = false;
  std::set<Operation*> balanced_;  // channels, for all numbers
  TakenRegions taken_;
  SameData sameData_;
};

}  // namespace

ProgramVerdict checkProgram(Operation& module, const ProgramCheckOptions& options) {
  return ProgramChecker(module, options).check();
}

}  // namespace airlite::analysis
