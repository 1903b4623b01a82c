// Writes the nest that a tile plan describes. Private to transform/.
#pragma once

#include "TilePlan.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite {

/// Puts the tiled nest (TileLinalg.cpp shows it) in the place of `op`. `fill` goes too and is done in
/// the cores; null: none. `epilogue` stays and is done in the cores as well. Without `useL2` cores fetch from L3.
void emitTiles(linalg::StructuredOp op, const TilePlan& plan, Operation* fill,
               const Epilogue& epilogue, bool useL2, Rewriter& rewriter);

}  // namespace airlite
