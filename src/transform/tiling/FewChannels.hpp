// Convolutions of images with few channels, on copies with as many as the matrix unit takes at once. Private to transform/.
//
//   if (const auto few = fewChannelsOf(op, l1Bytes)) use(few->image, few->filter);
#pragma once

#include "FilledCopy.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <optional>
#include <vector>

namespace airlite::tiling {

/// Copies of the operands whose channels lie side by side, with zeros after them. Of an image that the program pads with zeros, those are in the
/// copy, too, and `dead` made them before: the last op first.
struct FewChannels {
  FilledCopy image, filter;
  std::vector<Operation*> dead;
};

/// Of a linalg.conv_2d_nchw_fchw on buffers of the host, whose window moves by one element or by more; none: it is cheaper as it is, or cores
/// cannot make the copies.
std::optional<FewChannels> fewChannelsOf(linalg::StructuredOp op, bool movesByOne, int64_t l1Bytes);

}  // namespace airlite::tiling
