// What the parts of the vector dialect share.
#pragma once

#include "Access.hpp"

namespace airlite::interp {

/// Element `i` of a vector, or the scalar itself.
Lane laneOf(const Slot& slot, size_t i);
/// A vector or a scalar, and there already.
bool hasLanes(const Slot& slot);
void setLanes(Slot& slot, std::vector<Lane> lanes, bool isVector);
/// Empty for a scalar.
std::vector<int64_t> vectorShape(Type type);

void addVectorMemory(CompileTable& table);
void addVectorGather(CompileTable& table);

}  // namespace airlite::interp
