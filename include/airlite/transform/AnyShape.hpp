// An argument whose shape a pass has found (air-shape-arguments).
//
//   if (function.argAttr(i, kAnyShape)) acceptAnyArrayOfSoManyElements();
#pragma once

#include <string_view>

namespace airlite {

/// Unit attribute of an argument of a function: its type says how many elements there are, and the caller may give
/// them in an array of any shape. Of an aie.runtime_sequence the numbers of such arguments, as a list.
inline constexpr std::string_view kAnyShape = "air.any_shape";

}  // namespace airlite
