#include "sim/model/DdrShares.hpp"

#include <algorithm>
#include <cstddef>

namespace airlite::npu::sim::model {
namespace {

/// A channel while it is played.
struct Player {
  double next = 0;         ///< when it asks
  uint64_t left = 0;       ///< words of its run
  double from = 0;         ///< when counting began
  double until = 0;        ///< when its last request was served
  double words = 0;        ///< of the requests that were counted but for the last one
  double wordsOfLast = 0;  ///< request
  bool isCounted = false;
};

}  // namespace

std::vector<double> DdrShares::play(const std::vector<DdrUser>& users) const {
  constexpr double kRequests = 256;  // of the slowest channel; as many before counting
  const double service = timing_.ddrBytesPerCycle == 0
                             ? 0
                             : double(timing_.ddrRequestBytes) / timing_.ddrBytesPerCycle;
  const uint64_t most = std::max(1u, timing_.ddrRequestBytes / 4);
  double slowest = service * double(users.size());
  for (const DdrUser& user : users)
    slowest = std::max(slowest, double(most) / user.fastest);
  std::vector<Player> players(users.size());
  for (double isFree = 0;;) {
    const auto first = std::ranges::min_element(players, {}, &Player::next);
    const DdrUser& user = users[size_t(first - players.begin())];
    const double start = std::max(isFree, first->next);
    if (start >= 2 * kRequests * slowest) break;
    if (first->left == 0) first->left = user.run;
    const uint64_t words = std::min(most, first->left);
    first->left -= words;
    isFree = start + service;
    first->next = start + double(words) / user.fastest;
    if (start < kRequests * slowest) continue;
    if (!first->isCounted) first->from = start;
    first->words += first->wordsOfLast;
    first->until = start, first->wordsOfLast = double(words), first->isCounted = true;
  }
  std::vector<double> shares;
  for (const Player& player : players)
    shares.push_back(player.words / (player.until - player.from));
  return shares;
}

}  // namespace airlite::npu::sim::model
