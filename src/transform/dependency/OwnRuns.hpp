// Puts and gets of a loop that are in order from round to round since each is one op.
#pragma once

#include "airlite/dialect/Scf.hpp"

namespace airlite::air {

/// Whether the program says so, too: a round waits for each asynchronous put and get, or tokens that the loop carries order it
/// after its run before. Then copies of the op are in order as well. Transfers may be in loops and branches of `loop`.
bool ordersRunsByTokens(scf::ForOp loop);

}  // namespace airlite::air
