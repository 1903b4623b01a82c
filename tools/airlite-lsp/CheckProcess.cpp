// Starts, reads and ends the process, see the header.
#include "CheckProcess.hpp"

#include "airlite/support/Text.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace airlite::tools {

namespace {

constexpr size_t kMostOutput = size_t(8) << 20;

Error systemError(const char* what) {
  return Error{std::string("cannot ") + what + ": " + std::strerror(errno)};
}

/// A file in memory that holds `text`, at its begin.
Result<int> memoryFile(const std::string& text) {
  const int file = memfd_create("airlite-lsp", MFD_CLOEXEC);
  if (file < 0) return systemError("make a file in memory");
  for (size_t at = 0; at < text.size();) {
    const ssize_t wrote = write(file, text.data() + at, text.size() - at);
    if (wrote < 0 && errno != EINTR) {
      close(file);
      return systemError("write a file in memory");
    }
    at += static_cast<size_t>(std::max<ssize_t>(wrote, 0));
  }
  lseek(file, 0, SEEK_SET);
  return file;
}

void limit(__rlimit_resource what, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(what, &both);
}

/// In the new process: reads `input`, writes what it finds to `output`. Comes back from nothing.
[[noreturn]] void become(std::vector<std::string>& words, int input, int output,
                         const CheckLimits& limits) {
  dup2(input, STDIN_FILENO);
  dup2(output, STDERR_FILENO);
  const int nothing = open("/dev/null", O_WRONLY);
  if (nothing >= 0) dup2(nothing, STDOUT_FILENO);
  limit(RLIMIT_CPU, limits.seconds + 1);
  limit(RLIMIT_AS, limits.bytes);
  limit(RLIMIT_CORE, 0);
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

CheckProcess::CheckProcess(pid_t process, int output, const CheckLimits& limits)
    : process_(process),
      output_(output),
      seconds_(limits.seconds),
      end_(std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds)) {}

CheckProcess::CheckProcess(CheckProcess&& other) noexcept { *this = std::move(other); }

CheckProcess& CheckProcess::operator=(CheckProcess&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(output_, other.output_);
  seconds_ = other.seconds_;
  end_ = other.end_;
  written_.swap(other.written_);
  found_.swap(other.found_);
  failure_.swap(other.failure_);
  return *this;
}

Result<CheckProcess> CheckProcess::start(const std::string& tool, const std::string& text,
                                         const std::string& options, bool allowUnregistered,
                                         const CheckLimits& limits) {
  std::vector<std::string> words{tool,
                                 "-",
                                 "--split-input-file",
                                 "--emit=none",
                                 "--diagnostics=json",
                                 "--air-verify-program" + (options.empty() ? "" : "=" + options)};
  if (allowUnregistered) words.emplace_back("--allow-unregistered");
  const Result<int> input = memoryFile(text);
  if (!input) return input.error();
  int ends[2] = {-1, -1};
  const bool isPiped = pipe2(ends, O_CLOEXEC) == 0;
  const pid_t process = isPiped ? fork() : -1;
  if (process == 0) become(words, *input, ends[1], limits);
  const Error failure = systemError("start the check");
  close(*input);
  if (isPiped) close(ends[1]);
  if (process < 0) {
    if (isPiped) close(ends[0]);
    return failure;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return CheckProcess(process, ends[0], limits);
}

void CheckProcess::stop() {
  if (output_ >= 0) close(std::exchange(output_, -1));
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(std::exchange(process_, -1), nullptr, 0);
}

bool CheckProcess::advance() {
  if (process_ < 0) return true;
  char block[4096];
  ssize_t got = 0;
  while ((got = read(output_, block, sizeof block)) > 0)
    if (written_.size() < kMostOutput) written_.append(block, static_cast<size_t>(got));
  if (got == 0) {
    finish();
    return true;
  }
  if (std::chrono::steady_clock::now() < end_) return false;
  failure_ = "the check was stopped after " + std::to_string(seconds_) + " s (--check-seconds)";
  stop();
  return true;
}

void CheckProcess::finish() {
  int status = 0;
  waitpid(std::exchange(process_, -1), &status, 0);
  close(std::exchange(output_, -1));
  std::string other;
  for (std::string_view line : split(written_, '\n')) {
    Json shown = Json::parse(line, nullptr, false);
    if (shown.is_object() && shown.contains("message"))
      found_.push_back(std::move(shown));
    else if (!trim(line).empty())
      other = std::string(line);
  }
  const bool isDone = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
  if (isDone) return;
  failure_ = "the check ended without an answer" + (other.empty() ? "" : ": " + other);
}

}  // namespace airlite::tools
