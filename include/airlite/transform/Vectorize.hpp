// Linalg ops as ops on whole vectors, for a pass and for transform scripts.
//
//   std::string_view why = vectorizeElementwise(op);
//   if (!why.empty()) context.remark(op, why);
#pragma once

#include "airlite/ir/Operation.hpp"

#include <string_view>

namespace airlite {

/// Replaces an elementwise linalg op on buffers by reads of vectors, its body on them, and writes
/// (HerdVectorize.cpp). Why it stays; empty when it was replaced.
std::string_view vectorizeElementwise(Operation& op);

}  // namespace airlite
