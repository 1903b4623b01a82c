// The loop over the processes of a sweep, see the header.
#include "Sweep.hpp"

#include "../common/CommandLine.hpp"
#include "../common/ToolPath.hpp"
#include "JobProcess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <poll.h>
#include <utility>
#include <vector>

namespace airlite::tools {

namespace {

volatile std::sig_atomic_t isStopAsked = 0;

void askToStop(int) { isStopAsked = 1; }

/// While it lives, signals that end a program arrive in `wait` only, so none is missed between a
/// look at the flag and the wait.
class StopSignals {
 public:
  StopSignals() {
    sigset_t stopping;
    sigemptyset(&stopping);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      if (handle(signal)) sigaddset(&stopping, signal);
    sigprocmask(SIG_BLOCK, &stopping, &before_);
  }
  ~StopSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  bool wait(std::vector<pollfd>& files, const timespec* time) const {
    return ppoll(files.data(), files.size(), time, &before_) >= 0 || errno == EINTR;
  }

 private:
  /// False where the caller has the signal ignored, as nohup does: it stays so.
  static bool handle(int signal) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) return false;
    struct sigaction ours {};
    ours.sa_handler = askToStop;
    sigaction(signal, &ours, nullptr);
    return true;
  }

  sigset_t before_{};
};

class SweepLoop {
 public:
  SweepLoop(const std::vector<Job>& jobs, ResultFile& file, const SweepLimits& limits)
      : jobs_(jobs), file_(file), limits_(limits) {}

  SweepSummary run() {
    while (canGoOn() && (next_ < jobs_.size() || !running_.empty())) {
      startJobs();
      waitForJobs();
      takeResults();
    }
    return std::move(summary_);
  }

 private:
  using Clock = JobProcess::Clock;

  struct Running {
    const Job* job;
    JobProcess process;
  };

  bool canGoOn() {
    summary_.isInterrupted = isStopAsked != 0;
    return summary_.error.empty() && !summary_.isInterrupted;
  }

  void startJobs() {
    while (summary_.error.empty() && next_ < jobs_.size() && running_.size() < limits_.processes)
      start(jobs_[next_++]);
  }

  void start(const Job& job) {
    std::vector<std::string> words{toolPath("airlite-" + job.words[0])};
    words.insert(words.end(), job.words.begin() + 1, job.words.end());
    Clock::time_point end = Clock::time_point::max();
    if (limits_.seconds > 0)
      end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(limits_.seconds));
    Result<JobProcess> process = JobProcess::start(std::move(words), limits_.keep, end);
    if (!process)
      summary_.error = "error: " + process.error().message;
    else
      running_.push_back({&job, *std::move(process)});
  }

  void waitForJobs() {
    if (!summary_.error.empty()) return;
    std::vector<pollfd> files;
    Clock::time_point soonest = Clock::time_point::max();
    for (const Running& one : running_) {
      soonest = std::min(soonest, one.process.timeLimit());
      for (const int stream : one.process.streams())
        if (stream >= 0) files.push_back({stream, POLLIN, 0});
    }
    const auto left = std::max(soonest - Clock::now(), Clock::duration::zero());
    const auto nanoseconds = std::chrono::nanoseconds(left).count();
    const timespec time{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    const bool isLimited = soonest != Clock::time_point::max();
    if (!signals_.wait(files, isLimited ? &time : nullptr))
      summary_.error = fmt::format("error: cannot wait for the jobs: {}", std::strerror(errno));
  }

  void takeResults() {
    for (size_t i = 0; i < running_.size() && summary_.error.empty();) {
      if (!running_[i].process.advance()) {
        ++i;
        continue;
      }
      record(*running_[i].job, running_[i].process.end());
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void record(const Job& job, const JobEnd& end) {
    const auto written = file_.append(resultLine(job.words, end, versionText()));
    if (!written) {
      summary_.error = written.error().message;
      return;
    }
    ++(end.isSuccess() ? summary_.succeeded : summary_.failed);
    const size_t done = summary_.succeeded + summary_.failed;
    std::cout << fmt::format("[{}/{}] {} {:.1f} s  {}\n", done, jobs_.size(), shown(end),
                             end.seconds, jobText(job.words))
              << std::flush;
  }

  static std::string shown(const JobEnd& end) {
    const std::string name(outcomeName(end));
    if (end.isSuccess() || end.isOverTime) return name;
    return name + " " + std::to_string(end.signal != 0 ? end.signal : end.exitCode);
  }

  const std::vector<Job>& jobs_;
  ResultFile& file_;
  SweepLimits limits_;
  StopSignals signals_;
  size_t next_ = 0;
  std::vector<Running> running_;
  SweepSummary summary_;
};

}  // namespace

SweepSummary sweepJobs(const std::vector<Job>& jobs, ResultFile& file, const SweepLimits& limits) {
  return SweepLoop(jobs, file, limits).run();
}

}  // namespace airlite::tools
