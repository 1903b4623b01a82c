// Addresses for the parts that are linked.
#pragma once

#include "Symbols.hpp"

namespace airlite::npu::link {

/// Code from address 0: what has an address, then `entry`, then the rest, each at a multiple of 16.
/// Read-only data, data and zeros into the free regions. Appends to `errors` what does not fit,
/// with the bytes needed and the bytes there.
void placeParts(const LinkRequest& request, std::vector<Part>& parts, std::optional<uint32_t> entry,
                std::vector<std::string>& errors);

}  // namespace airlite::npu::link
