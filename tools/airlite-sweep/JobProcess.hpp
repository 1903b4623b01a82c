// One job of a sweep: a process, what it writes, and how it ends.
#pragma once

#include "airlite/support/Result.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace airlite::tools {

/// The end of what a job has written on one of its two streams.
struct JobOutput {
  std::string text;    ///< at most as many bytes as the sweep keeps
  uint64_t bytes = 0;  ///< written in all
};

struct JobEnd {
  int exitCode = 0;         ///< when no signal ended the job
  int signal = 0;           ///< that ended it; 0: none
  bool isOverTime = false;  ///< the sweep ended it
  double seconds = 0;       ///< from its start
  JobOutput out, err;

  bool isSuccess() const { return !isOverTime && signal == 0 && exitCode == 0; }
};

/// A process that has been started. It ends with the object, and with this process.
class JobProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the program words[0] with an empty standard input, in a process group of its own. Of
  /// each stream the last `keep` bytes are kept. `end`: when its time is over.
  static Result<JobProcess> start(std::vector<std::string> words, size_t keep,
                                  Clock::time_point end);
  JobProcess(JobProcess&& other) noexcept;
  JobProcess& operator=(JobProcess&& other) noexcept;
  ~JobProcess() { stop(); }

  /// Files that become readable when there is something to take in; -1 where one is at its end.
  const std::array<int, 2>& streams() const { return streams_; }
  Clock::time_point timeLimit() const { return timeLimit_; }

  /// Takes in what has been written. True when the process has ended or its time is over: end()
  /// is final then.
  bool advance();
  const JobEnd& end() const { return end_; }

 private:
  JobProcess() = default;
  void take(size_t stream);
  void stop();
  void finish();

  pid_t process_ = -1;
  std::array<int, 2> streams_{-1, -1};  // standard output, standard error
  size_t keep_ = 0;
  Clock::time_point started_, timeLimit_;
  JobEnd end_;
};

}  // namespace airlite::tools
