// The runtime sequences that a run of a host function writes, while it writes them.
#pragma once

#include "HerdLoads.hpp"
#include "HostArguments.hpp"
#include "HostRun.hpp"
#include "HostValues.hpp"

#include <deque>
#include <set>
#include <unordered_map>

namespace airlite::npu {

using Designs = std::vector<std::unique_ptr<HostDesign>>;

/// What an event means: tasks of sequences.
using Pending = std::vector<std::pair<SequenceWriter*, Task*>>;

/// A sequence that is being written. Those of one launch run one after the other, whole, in the
/// order in which they were begun.
struct OpenSequence {
  SequenceRun run;
  bool isOpen = true;
  bool isIdle = false;      // its launch is over, and no other has used the design since
  std::set<Task*> running;  // that nobody has waited for
  std::unique_ptr<SequenceWriter> writer;
  std::unique_ptr<HostValues> values;
  HerdLoads loads;
};

/// The sequences of one host function, one of which is written to at a time.
class OpenSequences {
 public:
  OpenSequences(const HostProgram& program, const HostOptions& options,
                const HostArguments& arguments, Operation& module)
      : program_(program), options_(options), arguments_(arguments), module_(module) {}

  OpenSequence& current() { return sequences_[current_]; }
  HostValues& values() { return *current().values; }
  /// The argument of the current sequence that holds `memory`.
  Value bufferOf(const HostMemory& memory);

  /// Begins a sequence, which becomes the current one.
  void open(const HostDesign& design);
  /// Ends all of them.
  std::vector<SequenceRun> finish();
  /// What follows, `op` first, is for `design`. Where its sequence has been left for another one it
  /// continues, before that one then, so nothing of that one may have been waited for. If it was, and
  /// nothing of this design was under way, the design is loaded anew. Failures have been reported.
  LogicalResult switchTo(const HostDesign& design, Operation& op);

  /// A variable of a loop that is unrolled.
  void bindVariable(Value variable, int64_t constant);

  /// What follows comes after these.
  void comeAfter(const Pending& pending);
  void waitFor(const Pending& pending, Location location);
  void endIteration();
  void endLaunch(const Pending& pending, Location location);

 private:
  void bindVariables();
  SequenceOptions optionsFor(const HostDesign& design) const;
  Operation* createSequence(const HostDesign& design);
  std::string nameFor(const HostDesign& design, bool isInside) const;
  void addContents(OperationState& state) const;
  void addShapes(OperationState& state) const;

  const HostProgram& program_;
  const HostOptions& options_;
  const HostArguments& arguments_;
  Operation& module_;
  std::unordered_map<Value, int64_t> variables_;
  std::deque<OpenSequence> sequences_;
  size_t current_ = 0;
  size_t earliest_ = 0;  // what follows in the program belongs to this sequence or a later one
};

}  // namespace airlite::npu
