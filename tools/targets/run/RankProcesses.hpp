// Ranks as processes of this machine: copies of this one that share memory with it. The memory has no
// name, so nothing is left behind however they end.
#pragma once

#include "airlite/interp/RankTransport.hpp"

#include <sys/types.h>
#include <vector>

namespace airlite::tools {

class RankProcesses : public interp::RankTransport {
 public:
  /// `tellsNumbers`: which process each rank is goes to standard error.
  explicit RankProcesses(bool tellsNumbers) : tellsNumbers_(tellsNumbers) {}
  ~RankProcesses() override;

  Result<std::span<std::byte>> newSharedMemory() override;
  Result<uint32_t> start(uint32_t count, const std::function<int(uint32_t)>& work) override;
  std::optional<interp::RankEnd> ended(uint32_t process, bool wait) override;
  void endAll() override;

 private:
  void forget();

  bool tellsNumbers_;
  std::span<std::byte> memory_;
  std::vector<pid_t> processes_;  // 0: its end has been said
};

}  // namespace airlite::tools
