// From loops around channel ops to single transfers: the steps that the passes share that make
// transfers for buffer descriptors.
#pragma once

#include "ChannelNests.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite::air {

/// In the body of `scope`: unrolls scf.parallel with channel ops, puts loops around one channel op
/// into its lists (with `limits`), makes lists canonical, and unrolls the loops with nothing but
/// data movement that are left (`unroll`). What stays is said in remarks. True when something
/// changed; tidyTransfers is up to the caller.
bool specializeChannels(Operation& scope, const ListLimits& limits, bool unroll,
                        PassContext& context);

/// Unrolls the scf.parallel ops of channel ops inside of `loop`, not those in launches, segments and herds inside.
bool unrollParallelsIn(Operation& loop, PassContext& context);

/// Says to the driver that unrolled loops have copies of what moves data in them.
void declareCopies(PassContext& context);

/// Removes repeated dependencies, executes and calculations without use, and repeated constants.
void tidyTransfers(Operation& scope);

}  // namespace airlite::air
