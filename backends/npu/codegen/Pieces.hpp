// The pieces of a function where they meet: ends of loops, blocks that follow each other, jumps.
#pragma once

#include "Layout.hpp"
#include "Schedule.hpp"

#include <vector>

namespace airlite::npu::codegen {

/// The block that nothing but the loop leads to whose pieces are the last, beside its last rounds.
void endLoop(std::vector<Piece>& pieces, std::vector<ScheduleNode> nodes, const Exit& exit);

/// Lets each piece that falls through end before all is quiet, as far as the next one does not need it. The last one first: what
/// is under way then is over when the next one ends, as long as that is. Behind a loop that is also what its last rounds have begun.
void joinPieces(std::vector<Piece>& pieces);

/// The same of jumps after loops to blocks of this function.
void leaveLoops(std::vector<Piece>& pieces);

/// Aligns what is jumped to, or returned to.
void markTargets(std::vector<Piece>& pieces);

}  // namespace airlite::npu::codegen
