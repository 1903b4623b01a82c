// How the ranks of an air.rank become processes: the interpreter asks one of these for memory that all
// of them see, and to start them. airlite-run --ranks has one for each form.
//
//   MyProcesses processes;  // a RankTransport
//   interp::Outcome outcome = program.run(*program.find("main"), {data}, {.ranks = &processes});
#pragma once

#include "airlite/support/Result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace airlite::interp {

/// How a process has ended.
struct RankEnd {
  int exitCode = 0;
  int signal = 0;  // 0: it ended by itself
};

/// A rank that ends with another exit code, or by a signal, has failed.
class RankTransport {
 public:
  RankTransport() = default;
  RankTransport(const RankTransport&) = delete;
  RankTransport& operator=(const RankTransport&) = delete;
  virtual ~RankTransport() = default;

  /// Zeros that all ranks of a run see. What was there for the run before is gone.
  virtual Result<std::span<std::byte>> newSharedMemory() = 0;
  /// Starts `count` processes: number r runs `work(r)`, whose result is its exit code. `work` sees
  /// what the caller sees, and changes nothing of the caller's but the shared memory.
  /// Returns the number of the first process; those of the others follow.
  virtual Result<uint32_t> start(uint32_t count, const std::function<int(uint32_t)>& work) = 0;
  /// How a process ended, said once; nothing while it runs. With `wait` it has to end soon.
  virtual std::optional<RankEnd> ended(uint32_t process, bool wait) = 0;
  /// Ends all that still run.
  virtual void endAll() = 0;

  /// Where all processes are there before the run, as mpirun starts them: each runs the host's code
  /// alike, and the rank of its own number. `start` and `ended` are not called then, and `endAll` ends
  /// this process too.
  struct Alike {
    uint32_t own = 0, count = 0;
  };
  virtual std::optional<Alike> alike() const { return std::nullopt; }
  /// Waits until all of these have come here.
  virtual void meet() {}
};

}  // namespace airlite::interp
