// Bringing the memory that a herd copies from and to nearer to its cores.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite::air {

/// Brings the L3 operands of `herd` into L2 of its segment in front of it, whole, and back after it
/// where the herd writes them; the copies of the cores then have their other end in L2. Operands that
/// the herd uses in other ways than copies, or whose shape is open, stay, with a remark. Says whether
/// any operand was brought nearer.
bool stageInL2(HerdOp herd, PassContext& context);

/// The same for operands in L3 and L2, which come into L1 of the only core of `herd`: its copies become
/// loops of the core, which may begin at any element.
bool stageInL1(HerdOp herd, PassContext& context);

}  // namespace airlite::air
