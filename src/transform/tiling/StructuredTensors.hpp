// Tensor ops that say what each element is, as linalg ops. Private to transform/.
#pragma once

#include "airlite/dialect/Func.hpp"

namespace airlite::tiling {

/// tensor.splat, tensor.generate, tensor.from_elements and tensor.gather become linalg ops on tensors, and a tensor.reshape between known
/// shapes becomes a tensor.collapse_shape and a tensor.expand_shape. Returns whether there was one.
bool structureTensors(func::FuncOp function);

}  // namespace airlite::tiling
