// Operands of products of matrices whose rows do not begin at whole words in the memory of the host (i8 with 513 columns): a DMA
// cannot fetch tiles of them. Cores copy them first, row by row, into memory with room for whole words, and copy results back.
// Private to transform/.
//
//   B : 512 x 513 x i8, of which launch instances take 256 columns, 257 apart
//   B': 512 x (256 + 256): the columns from 0 on, then those from 257 on
//
// Along a parallel loop a row of the copy has what each launch instance takes, one after the other ("windows"), so instances may
// begin at any element. Along the reduction it is the row, filled up with zeros; rows along it are filled up in the same way.
#pragma once

#include "TileChoice.hpp"
#include "TileNest.hpp"

#include <vector>

namespace airlite::tiling {

/// Marks the operands of a product that have to be staged (TiledOperand::isStaged). None where that cannot be done.
void findStaged(PlanState& planning);
/// Whether cores have room for rows of what is staged, with the plan that is chosen.
bool fitsStaging(const PlanState& planning);

/// Writes what goes before the nest of `plan`, and lets its staged operands be the copies.
void stageOperands(StructuredOp op, TilePlan& plan, Rewriter& rewriter);
/// Writes what copies staged results back after the nest. `original` is the plan as it was before.
void unstageResults(StructuredOp op, const TilePlan& plan, const TilePlan& original,
                    Rewriter& rewriter);

}  // namespace airlite::tiling
