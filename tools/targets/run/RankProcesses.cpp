#include "RankProcesses.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace airlite::tools {

namespace {

/// Addresses that are asked for, and the least that will do: memory is taken where it is written.
constexpr size_t kMostBytes = size_t(1) << 38, kLeastBytes = size_t(1) << 24;

/// Waits for a process that has to end; what a signal interrupts goes on.
pid_t waitFor(pid_t process, int& status, int flags) {
  pid_t ended = 0;
  do
    ended = waitpid(process, &status, flags);
  while (ended < 0 && errno == EINTR);
  return ended;
}

[[noreturn]] void runChild(pid_t parent, uint32_t rank, const std::function<int(uint32_t)>& work) {
  // No rank outlives the process that waits for it, even where that one is killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  int code = work(rank);
  std::cout.flush();
  std::cerr.flush();
  _exit(code);
}

}  // namespace

RankProcesses::~RankProcesses() {
  endAll();
  forget();
}

void RankProcesses::forget() {
  if (!memory_.empty()) munmap(memory_.data(), memory_.size());
  memory_ = {};
}

Result<std::span<std::byte>> RankProcesses::newSharedMemory() {
  forget();
  for (size_t bytes = kMostBytes; bytes >= kLeastBytes; bytes /= 2) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    memory_ = {static_cast<std::byte*>(at), bytes};
    return memory_;
  }
  return Error{fmt::format("no memory that processes share: {}", std::strerror(errno))};
}

Result<uint32_t> RankProcesses::start(uint32_t count, const std::function<int(uint32_t)>& work) {
  std::cout.flush();
  std::cerr.flush();
  auto first = static_cast<uint32_t>(processes_.size());
  const pid_t parent = getpid();
  for (uint32_t rank = 0; rank < count; ++rank) {
    pid_t process = fork();
    if (process == 0) runChild(parent, rank, work);
    if (process < 0) {
      Error error{fmt::format("no process for rank {}: {}", rank, std::strerror(errno))};
      endAll();
      return error;
    }
    processes_.push_back(process);
    if (tellsNumbers_)
      std::cerr << fmt::format("airlite-run: rank {} is process {}\n", rank, process);
  }
  return first;
}

std::optional<interp::RankEnd> RankProcesses::ended(uint32_t process, bool wait) {
  pid_t& number = processes_.at(process);
  int status = 0;
  if (number == 0 || waitFor(number, status, wait ? 0 : WNOHANG) != number) return std::nullopt;
  number = 0;
  if (WIFSIGNALED(status)) return interp::RankEnd{0, WTERMSIG(status)};
  return interp::RankEnd{WEXITSTATUS(status), 0};
}

void RankProcesses::endAll() {
  for (pid_t process : processes_)
    if (process > 0) kill(process, SIGKILL);
  int status = 0;
  for (pid_t& process : processes_) {
    if (process > 0) waitFor(process, status, 0);
    process = 0;
  }
}

}  // namespace airlite::tools
