// How rows that are independent of each other are shared out: to columns of cores, to the cores of
// a column, to tiles. Private to transform/.
#pragma once

#include "airlite/dialect/Linalg.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <cstdint>

namespace airlite::tiling {

/// What a target has.
struct RowLimits {
  int64_t columns = aie::defaultNpu().columns, cores = aie::defaultNpu().coreRows();
  int64_t startCycles = kTransferStartCycles;  // in which the host starts one transfer
  int64_t l1Bytes = aie::defaultNpu().limits(aie::TileKind::Core).memoryBytes;
};

/// What is to be done. Of a flat elementwise op a row is one element.
struct RowWork {
  int64_t rows = 1;
  int64_t inputs = 0, outputs = 0;  // transfers of a core, each through a channel of its own
  int64_t broadcasts = 0;           // inputs that all cores have in common
  int64_t streamBytes = 0;          // of a row, of the transfer that has most
  int64_t l1Bytes = 0;              // of a row, of all buffers of a core
  int64_t l1FixedBytes = 0;         // that a core needs besides
  double cycles = 0;                // that a core computes for a row, roughly
  int64_t unit = 1;                 // rows of which tiles should be multiples
  int64_t words = 1;                // rows of which they have to be
};

/// The most columns for whose transfers the shims have channels. One column gets by: what it needs besides its own shim others lend.
int64_t columnsOfShims(const RowWork& work, const RowLimits& limits);

/// Cores of one of so many columns whose transfers the channels of the memory tiles serve.
int64_t coresOfColumn(const RowWork& work, int64_t columns, const RowLimits& limits);

/// `tile` rows at a time for each of `cores` cores in each of `columns`. No tile: nothing is good.
struct RowShares {
  int64_t columns = 1, cores = 1, tile = 0;
};

/// How the first `head` rows are shared out. The others are left to one core, in a launch of its own; as many
/// as there are: nothing is left.
struct SplitShares {
  RowShares shares;
  int64_t head = 0;
};
/// The fewest cycles: the host starts the transfers of each column one after the other, the columns
/// move and compute at the same time.
SplitShares splitRows(const RowWork& work, const RowLimits& limits);

/// What cores compute in whole vectors.
inline constexpr int64_t kVectorBytes = 64;

/// Functions of numbers in the body of an op, which take program memory; those of f32 count twice.
int64_t functionsOf(linalg::StructuredOp op);

/// Cycles of a core for one element of the loops of an op, in vectors; a rough guess that is only
/// compared with the time of transfers.
double cyclesOfElement(linalg::StructuredOp op);

}  // namespace airlite::tiling
