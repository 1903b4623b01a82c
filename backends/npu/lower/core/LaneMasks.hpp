// Conditions of the rounds of a loop as the vector unit has them: masks that select lanes as wide as those that were compared.
//
//   %c = cmpi slt %a, %b : i32                  %c = cmpi slt %a, %b : i32
//   store extui %c : i8                   ->    %f = trunci (select %c, -1, 0 : i32) : i8
//                                               store andi %f, 1 : i8
#pragma once

#include "airlite/dialect/Scf.hpp"

namespace airlite::npu {

/// Whether the op only combines, extends or selects by conditions, as `numbersForMasks` can rewrite it.
bool isOfConditions(const Operation& op);

/// Rewrites what an innermost loop does with i1 other than selecting numbers as wide as those compared: such conditions become numbers
/// 0 and -1, and comparisons of these where they select again. False, and nothing is changed, where none needs that or one comes from elsewhere.
bool numbersForMasks(scf::ForOp loop);

/// Lets an innermost loop select by the bits of elements where the condition comes from outside of it, as that of a row does. False where nothing does.
bool selectByBits(scf::ForOp loop);

}  // namespace airlite::npu
