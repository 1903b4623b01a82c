// Loops over elements that no vector can be loaded from where they lie: too few of them, in another order, or from inside a
// vector on. Their elements go to buffers of the core one by one, are computed by vectors there, and go back one by one.
//
//   for i { store f(load a[2 * i]), c[i + 3] }   ->   for j { x[j] = a[2 * j] }
//                                                     for j by lanes { y[j] = f(x[j]) }
//                                                     for j { c[j + 3] = y[j] }
#pragma once

#include "ProductParts.hpp"
#include "airlite/dialect/Scf.hpp"

#include <optional>

namespace airlite::npu {

/// Puts three loops in place of `loop`, where a routine for each element would take longer (ops of floats) and nothing that
/// it stores is read by another of its rounds. Buffers are taken from `scratch`, which is released first. Returns the
/// loop in the middle, whose rounds are so many that vectors divide them: the last ones compute what nobody reads. None, and
/// nothing is changed, when it does not fit.
std::optional<scf::ForOp> gatherElements(scf::ForOp loop, ScratchBuffers& scratch);

}  // namespace airlite::npu
