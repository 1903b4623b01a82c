// The kinds of memref.atomic_rmw and of the reductions of affine.parallel.
//
//   std::string_view name = combinerOf(memref::AtomicKind::AddF);  // "arith.addf"
#pragma once

#include "airlite/dialect/MemRef.hpp"

#include <string_view>

namespace airlite {

/// The arith op that combines two elements; "" for what replaces one by the other.
std::string_view combinerOf(memref::AtomicKind kind);
/// What leaves any element as it is, of a float, an index or an integer of up to 64 bits; null
/// where there is none. Sums of floats start at 0.0.
Attribute neutralOf(memref::AtomicKind kind, Type type);

}  // namespace airlite
