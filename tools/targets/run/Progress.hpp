// Shows how far a long run is, on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <unistd.h>

namespace airlite::tools {

/// Silent for the first two seconds. On a terminal one line is rewritten; elsewhere, where it has
/// to be asked for, a line appears every two seconds.
class Progress {
 public:
  Progress(std::string tool, bool asked)
      : tool_(std::move(tool)), terminal_(isatty(STDERR_FILENO)), enabled_(asked || terminal_) {}
  ~Progress() {
    if (shown_ && terminal_) std::cerr << "\n";
  }

  void operator()(uint64_t finished, uint64_t total) {
    using namespace std::chrono;
    auto now = steady_clock::now();
    if (!enabled_ || now - last_ < (shown_ && terminal_ ? milliseconds(200) : milliseconds(2000)))
      return;
    last_ = now;
    shown_ = true;
    std::cerr << (terminal_ ? "\r" : "") << tool_ << ": "
              << finished * 100 / std::max<uint64_t>(total, 1) << "% of " << total << " workgroups"
              << (terminal_ ? "" : "\n") << std::flush;
  }

 private:
  std::string tool_;
  bool terminal_;
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace airlite::tools
