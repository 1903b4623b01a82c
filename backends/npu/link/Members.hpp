// Which objects of archives a link takes.
#pragma once

#include "airlite/npu/link/Linker.hpp"

namespace airlite::npu::link {

/// The objects of the request, of archives only those that define what others need, in their order.
/// All of them when nothing but archives is given and no entry says what is needed, and when unused
/// sections are kept.
std::vector<Object> neededObjects(const LinkRequest& request);

}  // namespace airlite::npu::link
