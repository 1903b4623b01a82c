// A run of a program: processes, tokens, channels, and the scheduler that takes them in a seeded
// random order.
#pragma once

#include "Code.hpp"
#include "Value.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Diagnostic.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace airlite::interp {

class Compiler;
class Machine;
class RankSide;
struct RankSpace;
struct Process;
struct ChannelLane;

/// Fires when `waiting` of its inputs have fired.
struct Token {
  bool fired = false;
  uint32_t waiting = 0;
  Operation* op = nullptr;
  std::vector<uint32_t> dependents;  // tokens that wait for this one
  std::vector<Process*> waiters;
};

/// All tokens of a run, by number.
class Tokens {
 public:
  uint32_t make(Operation* op, bool fired = false);
  /// A token that fires when all of `inputs` have.
  uint32_t join(std::span<const uint32_t> inputs, Operation* op);
  /// It fires, and what waits for it alone; returns the processes that wait, once for each token.
  std::vector<Process*> fire(uint32_t number);
  bool isFired(uint32_t number) const { return all_[number].fired; }
  Token& operator[](size_t number) { return all_[number]; }
  size_t size() const { return all_.size(); }

 private:
  std::deque<Token> all_{Token{true, 0, nullptr, {}, {}}};  // number 0 is not a token
};

/// Counts what runs inside of an op or a loop; at zero its token fires.
struct Scope {
  Scope* parent = nullptr;
  uint32_t open = 0;
  uint32_t token = 0;  // 0: none
};

struct Frame {
  const Code* code = nullptr;
  uint32_t pc = 0;
  uint32_t resultsAt = 0;  // register of the caller that takes the first result
  std::vector<Slot> registers;
  std::vector<std::shared_ptr<Memory>> stack;  // ends with the function
  Scope* asyncScope = nullptr;                 // what it was when the function was entered
};

enum class Level : uint8_t { Host, Launch, Segment, Core };

/// Instances of one herd meet at its barriers.
struct Team {
  uint32_t size = 0;
  uint32_t arrived = 0;
  std::vector<Process*> waiters;
  std::vector<int64_t> extent;
};

/// Why a process does not run.
enum class Wait : uint8_t {
  Nothing,
  Tokens,
  ChannelSpace,
  ChannelTaken,
  ChannelData,
  Barrier,
  Turn,  // with memory that cores share
};

/// What a process runs, for messages: an op, which instance of it, and what is around it.
struct Place {
  Operation* op = nullptr;
  std::vector<int64_t> index;
  std::shared_ptr<const Place> outer;
};

struct Process {
  std::vector<Frame> frames;
  std::shared_ptr<const Place> place;
  Scope* doneScope = nullptr;   // counts this process
  Scope* asyncScope = nullptr;  // counts what it starts
  std::vector<Scope*> loops;
  std::vector<Slot> boxes;  // where an execute leaves its results
  Level level = Level::Host;
  int64_t lane = 0;
  uint32_t launch = 0;  // which launch instance it belongs to
  std::shared_ptr<Team> team;
  RankSpace* ranks = nullptr;  // around it, and which of them it runs on
  uint32_t rank = 0;
  uint32_t slot = 0;  // position among all processes
  uint32_t waitCount = 0;
  Wait wait = Wait::Nothing;
  Operation* waitOp = nullptr;
  std::vector<uint32_t> waitTokens;
  ChannelLane* waitLane = nullptr;
  bool isLate = false;           // it is its turn, whatever RunOptions::late says
  uint64_t progress = 0;         // of a put: the number of its transfer, plus one
  std::shared_ptr<void> packet;  // data on its way
  /// Tokens of transfers that it has started last, of those that wait for their own run before.
  std::unordered_map<const Operation*, uint32_t> lastRuns;
};

/// Where a poison value came from.
struct Origin {
  Operation* op = nullptr;
  std::string what;
};

/// Where poison values came from, by number; one is remembered for each op.
class Origins {
 public:
  uint64_t of(Operation* op, std::string what) {
    auto [found, fresh] = numbers_.emplace(op, all_.size());
    if (fresh) all_.push_back({op, std::move(what)});
    return found->second;
  }
  /// Null: it came from outside.
  const Origin* find(uint64_t number) const {
    return number == 0 || number >= all_.size() ? nullptr : &all_[number];
  }

 private:
  std::vector<Origin> all_ = std::vector<Origin>(1);  // number 0 is none
  std::unordered_map<Operation*, uint64_t> numbers_;
};

/// The process that runs, as instructions see it.
class Run {
 public:
  Run(Machine& m, Process& p) : machine(m), process(p) { load(); }
  void load() {
    Frame& frame = process.frames.back();
    registers = frame.registers.data();
    insts = frame.code->insts.data();
    pc = frame.pc;
  }
  void save() { process.frames.back().pc = pc; }

  Slot& in(const Inst& inst, uint32_t i) const { return registers[inst.in[i]]; }
  Slot& out(const Inst& inst, uint32_t i = 0) const { return registers[inst.out + i]; }

  Machine& machine;
  Process& process;
  Slot* registers = nullptr;
  const Inst* insts = nullptr;
  uint32_t pc = 0;
  uint64_t spent = 0;  ///< steps that an instruction has taken besides its own (Step::Again)
};

/// One class: what fires a token, ends a process or wakes one is one step of the scheduler.
class Machine {
 public:
  Machine(Compiler& compiler, Context& context, const RunOptions& options);
  ~Machine();

  Outcome run(Operation& function, std::vector<Datum> arguments);

  // -- For instructions

  const RunOptions& options() const { return options_; }
  Compiler& compiler() { return compiler_; }
  Context& context() { return context_; }
  uint64_t random(uint64_t below);

  /// Reports an error at `op` with where it happened; the run ends.
  InFlightDiagnostic error(Run& run, Operation& op, RunStatus status = RunStatus::Failed);
  /// "a value that is not initialised <use>".
  Step poisonError(Run& run, const Inst& inst, const Slot& slot, std::string_view use);

  Tokens tokens;
  void fire(uint32_t token);
  /// Blocks unless all have fired.
  Step waitFor(Run& run, std::span<const uint32_t> list, Operation* op);

  Scope* newScope(Scope* parent, uint32_t token);
  void closeOne(Scope* scope);

  /// Starts a process; it waits for `dependencies` first.
  Process& spawn(const Code& code, Run& from, Scope* done, Scope* async,
                 std::span<const uint32_t> dependencies = {}, std::vector<int64_t> index = {});
  void wake(Process& process);
  void block(Process& process, Wait wait, Operation* op);
  Team& teamOf(Process& process) { return *process.team; }

  /// Ops with a common affinity token run one after the other. True: the tokens are held until `done`
  /// fires; false: another op holds one, the process waits.
  bool holdAffinity(Run& run, std::span<const uint32_t> list, uint32_t done, Operation* op);
  uint32_t newLaunch() { return ++launches_; }
  RankSpace* newRankSpace();

  // -- For ranks in several processes

  /// Null where all ranks run in this process.
  RankSide* side() { return side_.get(); }
  void takeSide(std::unique_ptr<RankSide> side);
  /// Runs the processes that it has.
  Outcome runStarted();
  Scope* root() { return root_; }
  bool isEmpty() const { return processes_.empty(); }
  bool isFine() const { return status_ == RunStatus::Done; }
  void end(RunStatus status, std::string message);
  void countWork(uint64_t steps, uint64_t processes);
  /// True when the caller wants the end of the run, which is then noted.
  bool mustStop();
  /// Processes that wait for channels which other processes use look again.
  void wakeAtSharedLanes();

  Origins origins;
  std::vector<Scalar> calls;
  std::map<std::pair<Operation*, uint32_t>, std::shared_ptr<struct ChannelState>> channels;
  std::unordered_map<Operation*, std::shared_ptr<Memory>> globals;
  std::unordered_map<Operation*, Slot> constants;

 private:
  friend class DeadlockReport;
  Process& newProcess(const Code& code);
  void start(Operation& function, std::vector<Datum>& arguments);
  /// True while the process may run on.
  bool executeSome(Process& process);
  void runAll();
  bool mustWait(Process& process, const Inst& inst);
  void takeLate();
  Step retry(Run& run, const Inst& inst);
  void finish(Process& process);
  void remove(Process& process);
  void schedule();
  void waitForTokens(Process& process, std::span<const uint32_t> list, Operation* op);
  void addPlaces(Diagnostic& diagnostic);

  Compiler& compiler_;
  Context& context_;
  RunOptions options_;
  uint64_t rng_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<Process*> runnable_;
  std::vector<Process*> late_;  // could run, but come last
  std::deque<Scope> scopes_;
  std::vector<Scope*> freeScopes_;
  std::map<uint32_t, uint32_t> affinity_;  // to the token that fires when it is free again
  std::vector<Slot> results_;
  std::vector<Diagnostic> placeNotes_;  // for the error that is being made
  Scope* root_ = nullptr;
  uint32_t launches_ = 0;
  std::vector<std::shared_ptr<RankSpace>> rankSpaces_;
  std::unique_ptr<RankSide> side_;
  uint64_t steps_ = 0, started_ = 0;
  RunStatus status_ = RunStatus::Done;
  std::string message_;

 public:
  std::vector<Slot>& results() { return results_; }
};

}  // namespace airlite::interp
