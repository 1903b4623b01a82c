#include "Pieces.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::codegen {

namespace {

/// Of a loop: more cycles than any distance.
std::vector<Cycle> lastRounds(const Piece& loop) {
  constexpr size_t kReach = 64;
  std::vector<Cycle> rounds;
  while (rounds.size() < kReach)
    rounds.insert(rounds.end(), loop.cycles.begin(), loop.cycles.end());
  return rounds;
}

}  // namespace

void endLoop(std::vector<Piece>& pieces, std::vector<ScheduleNode> nodes, const Exit& exit) {
  Piece& last = pieces.back();
  LoopTail tail{lastRounds(pieces[pieces.size() - 2]), std::move(last.cycles)};
  last.cycles = scheduleAfterLoop(tail, std::move(nodes), exit);
  last.fallsThrough = exit.kind == Exit::Kind::FallThrough;
}

void leaveLoops(std::vector<Piece>& pieces) {
  for (size_t i = 1; i < pieces.size(); ++i) {
    Piece& piece = pieces[i];
    if (!pieces[i - 1].isLoop || piece.fallsThrough) continue;
    const auto jump = std::ranges::find_if(
        piece.cycles, [](const Cycle& cycle) { return cycle.target.has_value(); });
    if (jump == piece.cycles.end() || jump->target->isFunction) continue;
    const auto target = std::ranges::find_if(pieces, [&](const Piece& other) {
      return other.isBlock && other.block == jump->target->number;
    });
    if (target == pieces.end()) continue;
    const size_t by = jumpEarlier(lastRounds(pieces[i - 1]), piece.cycles, target->cycles);
    if (by && i + 1 < pieces.size())
      pieces[i + 1].cycles.insert(pieces[i + 1].cycles.begin(), by, Cycle{});
  }
}

void joinPieces(std::vector<Piece>& pieces) {
  for (size_t i = pieces.size(); i-- > 1;) {
    Piece& first = pieces[i - 1];
    if (!first.fallsThrough) continue;
    std::vector<Cycle> before;
    if (i > 1 && pieces[i - 2].isLoop) before = lastRounds(pieces[i - 2]);
    joinEnds(before, first.cycles, pieces[i].cycles);
  }
}

void markTargets(std::vector<Piece>& pieces) {
  std::vector<uint32_t> targets;
  for (const Piece& piece : pieces)
    for (const Cycle& cycle : piece.cycles)
      if (cycle.target && !cycle.target->isFunction) targets.push_back(cycle.target->number);
  bool returned = false;
  for (Piece& piece : pieces) {
    piece.isAligned |=
        returned || (piece.isBlock && std::ranges::find(targets, piece.block) != targets.end());
    returned = std::ranges::any_of(
        piece.cycles, [](const Cycle& cycle) { return cycle.target && cycle.target->isFunction; });
  }
}

}  // namespace airlite::npu::codegen
