// The check of a program for hangs and races, in a process of its own: it may take long, and an edit
// makes it worthless.
#pragma once

#include "airlite/support/Result.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace airlite::tools {

struct CheckLimits {
  unsigned seconds = 20;
  size_t bytes = size_t(4) << 30;  // of memory
};

/// `airlite-opt --air-verify-program` on one text. It ends with the object.
class CheckProcess {
 public:
  using Json = nlohmann::ordered_json;

  /// `tool`: path of airlite-opt; `options`: those of the pass, "device=npu1" or empty.
  static Result<CheckProcess> start(const std::string& tool, const std::string& text,
                                    const std::string& options, bool allowUnregistered,
                                    const CheckLimits& limits);
  CheckProcess(CheckProcess&& other) noexcept;
  CheckProcess& operator=(CheckProcess&& other) noexcept;
  ~CheckProcess() { stop(); }

  /// Becomes readable when there is something to take in.
  int output() const { return output_; }
  /// Takes in what the process has written. True when it has ended or its time is over; `found` and
  /// `failure` are final then.
  bool advance();
  const std::vector<Json>& found() const { return found_; }
  /// Why there is no whole answer; empty: there is one.
  const std::string& failure() const { return failure_; }

 private:
  CheckProcess(pid_t process, int output, const CheckLimits& limits);
  void stop();
  void finish();

  pid_t process_ = -1;
  int output_ = -1;
  unsigned seconds_ = 0;
  std::chrono::steady_clock::time_point end_;
  std::string written_;
  std::vector<Json> found_;
  std::string failure_;
};

}  // namespace airlite::tools
