// Indices that a loop computes with, as numbers in memory.
//
//   for i: %c = cmpi ugt %i, %row : index               for i: %w = load %table[%i]; %c = cmpi ugt %w, %rowWord : i32
//          store select %c, %z, (load %x[%i])     ->            store select %c, %z, (load %x[%i])
//
// So masks above a diagonal and positions in rows have lanes, as other integers do.
#pragma once

#include "CoreScope.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite::npu {

/// Whether an op of an innermost loop has lanes, as far as it tells alone.
bool mayHaveLanes(Operation& op);

/// Lets an innermost loop whose other ops have lanes read its index from a constant table of the core (0, 1, 2, ...) where it compares
/// or converts it, or sums and products of it. False, and nothing is changed, where it does not.
bool indicesFromTable(scf::ForOp loop, const CoreRoot& program);

}  // namespace airlite::npu
