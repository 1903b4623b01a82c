// Which transfers of a launch are shortened, and padded, in the iterations at the end of a
// dimension that its tiles do not divide.
#pragma once

#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/pass/Pass.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace airlite::air {

/// One dimension of a launch: `grid` tiles of `size`, the last of which holds `rest`.
struct Tiling {
  int64_t grid = 1;
  int64_t size = 1;
  int64_t rest = 1;
  bool hasBoundary() const { return rest < size; }
};

/// Of each dimension, from `air.actual_sizes` and the products with the ids in the body. Empty,
/// with `why` set, when the sizes of the tiles cannot be told.
std::vector<Tiling> tilingsOf(LaunchOp launch, std::string_view& why);

/// A change to the lists of one transfer.
struct Cut {
  unsigned transfer = 0;       // number in transfersOf()
  unsigned tiling = 0;         // it is made at the end of this dimension of the launch
  bool ofDst = false;          // which lists
  unsigned dim = 0;            // of the lists
  int64_t size = 0, pad = 0;   // what is left, and zeros after it
  std::vector<int64_t> shape;  // not empty: the lists are empty and mean a memref of this shape
};

/// The DMAs, puts and gets in `launch`, in the order of the program.
std::vector<Operation*> transfersOf(Operation& launch);

enum class PadLocation { Memtile, Source };
/// What each dimension with a boundary asks for. Transfers from L3 that depend on an id and cannot
/// be cut get a remark.
std::vector<Cut> planCuts(LaunchOp launch, const std::vector<Tiling>& tilings, PadLocation where,
                          PassContext& context);
void applyCut(Operation& transfer, const Cut& cut);

}  // namespace airlite::air
