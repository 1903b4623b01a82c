// Finds cells for herds on a grid of cores. Knows rectangles and which of them must touch, no IR.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace airlite {

/// A core, counted from the lower left one of the grid.
struct GridCell {
  int64_t col = 0;
  int64_t row = 0;
  bool operator==(const GridCell&) const = default;
};

/// A rectangle of cores to place: its lower left cell, once it has one.
struct PlacedHerd {
  std::string name;
  int64_t cols = 1;
  int64_t rows = 1;
  std::optional<GridCell> cell;
};

/// Two herds that must touch. A cascade flows from `from` to its east or south neighbour; herds
/// that share L1 memory may lie on any side of each other.
struct HerdLink {
  size_t from = 0;
  size_t to = 0;
  bool cascade = false;
  auto operator<=>(const HerdLink&) const = default;
};

class HerdPlacer {
 public:
  HerdPlacer(int64_t cols, int64_t rows);

  bool inside(const PlacedHerd& herd, GridCell cell) const;
  /// Inside, and no other herd is there.
  bool fits(const PlacedHerd& herd, GridCell cell) const;
  /// Takes the cells; they must be free.
  void put(PlacedHerd& herd, GridCell cell);

  /// Gives each herd without a cell one, where there is room: first groups of linked herds, so that
  /// all their links hold, then the others, largest first. Returns the links of herds that could
  /// not be made to touch.
  std::vector<HerdLink> place(std::vector<PlacedHerd>& herds, std::vector<HerdLink> links);

 private:
  void mark(const PlacedHerd& herd, GridCell cell, bool taken);
  void lift(PlacedHerd& herd);
  std::vector<GridCell> allCells(int64_t firstRow) const;

  struct Group;
  std::vector<Group> groups(const std::vector<PlacedHerd>& herds,
                            const std::vector<HerdLink>& links) const;
  std::vector<GridCell> candidates(const Group& group, const std::vector<PlacedHerd>& herds,
                                   size_t herd) const;
  bool search(const Group& group, std::vector<PlacedHerd>& herds);
  void placeLoosely(const Group& group, std::vector<PlacedHerd>& herds);
  void firstFit(std::vector<PlacedHerd>& herds, std::vector<size_t> waiting);

  int64_t cols_;
  int64_t rows_;
  std::vector<char> taken_;  // row by row
};

}  // namespace airlite
