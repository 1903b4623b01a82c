// Shows how far a long run is, on a terminal.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace airlite::python {

/// Silent for two seconds, and where standard error is no terminal. Then one line that is written
/// again and again, and is gone when the run is over.
class Progress {
 public:
  explicit Progress(std::string unit) : unit_(std::move(unit)) {}
  ~Progress() {
    if (isShown_) std::fputs("\r\x1b[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(uint64_t count) {
    using namespace std::chrono;
    const auto now = steady_clock::now();
    if (!isTerminal_ || now - last_ < (isShown_ ? milliseconds(200) : milliseconds(2000))) return;
    last_ = now;
    isShown_ = true;
    std::fputs(fmt::format("\r\x1b[Kairlite: {} {}", count, unit_).c_str(), stderr);
    std::fflush(stderr);
  }

 private:
  std::string unit_;
  bool isTerminal_ = isatty(STDERR_FILENO) != 0;
  bool isShown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace airlite::python
