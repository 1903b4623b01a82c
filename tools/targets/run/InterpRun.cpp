#include "InterpRun.hpp"

#include "../../common/CommandLine.hpp"
#include "Deliver.hpp"
#include "Interp.hpp"
#include "ProgramRun.hpp"
#include "RankMpi.hpp"
#include "RankProcesses.hpp"
#include "airlite/analysis/Schedule.hpp"

#include <fmt/format.h>

#include <iostream>

namespace airlite::tools {
namespace {

class InterpRun : public ProgramRun {
 public:
  using ProgramRun::ProgramRun;

 private:
  Result<void> readOptions() override {
    interp::RunOptions run;
    run.seed = o_.seed;
    run.maxSteps = o_.maxSteps;
    run.levels = o_.levels == "free"     ? interp::LevelRule::Free
                 : o_.levels == "strict" ? interp::LevelRule::Strict
                                         : interp::LevelRule::Outer;
    if (o_.ranks != "one-process") {
      if (!o_.schedule.empty())
        return Error{"--schedule replays the order of one process, and --ranks makes several"};
      if (const auto started = startRanks(); !started) return started;
      run.ranks = ranks_.get();
    }
    request_.schedules = schedulesOfSeeds(run, o_.schedules);
    return {};
  }

  Result<void> startRanks() {
    if (o_.ranks == "mpi") {
      auto mpi = startMpi(o_.frontend.verbose);
      if (!mpi) return mpi.error();
      ranks_ = std::move(*mpi);
    } else {
      ranks_ = std::make_unique<RankProcesses>(o_.frontend.verbose);
    }
    return {};
  }

  /// Of processes that compute the same, one.
  bool delivers() const override {
    const auto alike = ranks_ ? ranks_->alike() : std::nullopt;
    return !alike || alike->own == 0;
  }

  Result<void> prepare(Operation& module) override {
    if (o_.schedule.empty()) return {};
    if (const auto read = readSchedule(module); !read)
      return Error{"'" + o_.schedule + "': " + read.error().message};
    return {};
  }

  /// Orders and arguments of a counterexample; what the command line says counts more.
  Result<void> readSchedule(Operation& module) {
    const auto text = readInput(o_.schedule);
    if (!text) return text.error();
    const auto schedule = analysis::scheduleFromJson(*text, module);
    if (!schedule) return schedule.error();
    if (o_.function.empty()) function_ = schedule->function;
    for (const auto& [number, value] : schedule->arguments)
      wanted_.inputs.try_emplace(number, std::to_string(value));
    const interp::RunOptions plain = request_.schedules.front().run;
    request_.schedules.clear();
    for (size_t i = 0; i < schedule->runs.size(); ++i) {
      InterpSchedule run{plain, fmt::format("run {} of the schedule", i)};
      run.run.seed = schedule->runs[i].seed;
      run.run.late = schedule->runs[i].late;
      request_.schedules.push_back(std::move(run));
    }
    return {};
  }

  ArgLayout layoutOf(Type type) const override { return interpLayout(type); }

  int execute(Operation& module, Operation& function) override {
    watch_.next("run");
    auto outcome = runOnInterpreter(module, function, arguments_, request_);
    if (!outcome) return failRun(outcome.error());
    results_ = std::move(outcome->results);
    memory_ = std::make_shared<std::vector<interp::Datum>>(std::move(outcome->memory));
    if (o_.frontend.verbose)
      std::cerr << fmt::format("{}: {} steps, {} processes, {} schedules agree\n", driver().tool,
                               outcome->steps, outcome->processes, request_.schedules.size());
    return kSuccess;
  }

  std::unique_ptr<interp::RankTransport> ranks_;  // null: all in this process
  InterpRequest request_;
};

}  // namespace

int runInInterpreter(const CLI::App& app, const RunRequest& request) {
  if (const auto code = refuseSimulatorOptions(app, request)) return *code;
  if (const auto code = refuseGpuOptions(app, request)) return *code;
  if (!request.compare.empty())
    return usageError(
        app, "--compare needs --on=host, hip or sim: the interpreter would agree with itself");
  if (request.exact) return usageError(app, "--exact needs --on=host, hip or sim");
  if (request.floatBlocks) return usageError(app, "--float-blocks needs --on=sim");
  return InterpRun(request).run(app);
}

}  // namespace airlite::tools
