// L2 memory as links of object FIFOs.
#pragma once

#include "L2Memory.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace airlite::npu {

/// One L2 buffer: what fills it and what it sends, each in the order of its parts; one side has one
/// transfer.
struct FifoLink {
  Operation* memory = nullptr;
  Operation* tile = nullptr;
  std::vector<Site*> gets, puts;
};

/// The L2 memory of a design, whose buffers are filled and sent in turn.
class FifoMemory {
 public:
  explicit FifoMemory(Design& design) : design_(design) {}

  /// Finds the links and makes their memory tiles. What is no link has been reported.
  LogicalResult read();
  const std::vector<FifoLink>& links() const { return links_; }

 private:
  struct Tile {
    Operation* op = nullptr;
    std::optional<int64_t> column;  // that the program asks for
    int64_t bytes = 0, in = 0, out = 0;
  };

  LogicalResult addLink(Operation& memory, std::vector<Site*> sites);
  LogicalResult checkTurns(Operation& memory, const std::vector<Site*>& sites) const;
  LogicalResult placeLink(FifoLink& link);
  Tile* tileFor(const FifoLink& link, std::optional<int64_t> column);
  bool fits(const Tile& tile, const FifoLink& link) const;
  Tile& createTile(const FifoLink& link, std::optional<int64_t> column);

  Design& design_;
  std::vector<Site> sites_;
  std::vector<FifoLink> links_;
  std::deque<Tile> tiles_;
};

}  // namespace airlite::npu
