// Starts, reads and ends the process of a job, see the header.
#include "JobProcess.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace airlite::tools {

namespace {

constexpr unsigned kBlocksAtOnce = 64;

struct Pipe {
  int readEnd = -1, writeEnd = -1;

  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    readEnd = ends[0];
    writeEnd = ends[1];
    return true;
  }
  void close() const {
    if (readEnd >= 0) ::close(readEnd);
    if (writeEnd >= 0) ::close(writeEnd);
  }
};

/// In the new process; comes back from nothing. Uses only what a signal handler may.
[[noreturn]] void becomeJob(char** arguments, const Pipe& out, const Pipe& err, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it has died before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(out.writeEnd, STDOUT_FILENO);
  dup2(err.writeEnd, STDERR_FILENO);
  execvp(arguments[0], arguments);
  const char* why = std::strerror(errno);
  for (const char* part :
       {"cannot start ", static_cast<const char*>(arguments[0]), ": ", why, "\n"})
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  _exit(127);
}

}  // namespace

JobProcess::JobProcess(JobProcess&& other) noexcept { *this = std::move(other); }

JobProcess& JobProcess::operator=(JobProcess&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(streams_, other.streams_);
  keep_ = other.keep_;
  started_ = other.started_;
  timeLimit_ = other.timeLimit_;
  std::swap(end_, other.end_);
  return *this;
}

Result<JobProcess> JobProcess::start(std::vector<std::string> words, size_t keep,
                                     Clock::time_point end) {
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Pipe out, err;
  const bool arePiped = out.open() && err.open();
  const pid_t parent = getpid();
  const pid_t process = arePiped ? fork() : -1;
  if (process == 0) becomeJob(arguments.data(), out, err, parent);
  if (process < 0) {
    const Error error{std::string("cannot start a process: ") + std::strerror(errno)};
    out.close();
    err.close();
    return error;
  }
  setpgid(process, process);  // here too: whoever comes first
  ::close(out.writeEnd);
  ::close(err.writeEnd);
  JobProcess job;
  job.process_ = process;
  job.streams_ = {out.readEnd, err.readEnd};
  for (const int stream : job.streams_)
    fcntl(stream, F_SETFL, O_NONBLOCK);
  job.keep_ = keep;
  job.started_ = Clock::now();
  job.timeLimit_ = end;
  return job;
}

void JobProcess::take(size_t stream) {
  JobOutput& kept = stream == 0 ? end_.out : end_.err;
  if (streams_[stream] < 0) return;
  char block[16384];
  ssize_t got = 1;
  // A job that writes without end must not keep the sweep from its other jobs.
  for (unsigned blocks = 0; got > 0 && blocks < kBlocksAtOnce; ++blocks) {
    got = read(streams_[stream], block, sizeof block);
    if (got <= 0) break;
    kept.bytes += static_cast<uint64_t>(got);
    kept.text.append(block, static_cast<size_t>(got));
    if (kept.text.size() > keep_) kept.text.erase(0, kept.text.size() - keep_);
  }
  const bool isMoreToCome = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
  if (!isMoreToCome) ::close(std::exchange(streams_[stream], -1));
}

void JobProcess::stop() {
  for (int& stream : streams_)
    if (stream >= 0) ::close(std::exchange(stream, -1));
  if (process_ < 0) return;
  kill(-process_, SIGKILL);
  waitpid(std::exchange(process_, -1), nullptr, 0);
}

void JobProcess::finish() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end_.exitCode = WEXITSTATUS(status);
}

bool JobProcess::advance() {
  take(0);
  take(1);
  const bool isClosed = streams_[0] < 0 && streams_[1] < 0;
  end_.isOverTime = !isClosed && Clock::now() >= timeLimit_;
  if (!isClosed && !end_.isOverTime) return false;
  if (end_.isOverTime) stop();
  if (!end_.isOverTime) finish();
  end_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  return true;
}

}  // namespace airlite::tools
