// Routes as configuration register writes, and back: the image stage writes them, a reader of
// anybody's image gives them to the re-trace.
//
//   Result<std::vector<SwitchWrite>> writes = encodeRoutes(device, routes);
//   Result<Routes> same = decodeRoutes(device, *writes);
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/route/Routes.hpp"

#include <span>

namespace airlite::npu {

/// One write of a configuration register. Bits outside the mask keep their value.
struct SwitchWrite {
  Address address;
  uint32_t value = 0;
  uint32_t mask = ~0u;
  friend bool operator==(const SwitchWrite&, const SwitchWrite&) = default;
};

/// Tile by tile: circuits (masters, then their slaves), packet masters, packet slaves and their
/// slots, the shim's multiplexers. Refuses what has no register or does not fit its field.
Result<std::vector<SwitchWrite>> encodeRoutes(const Device& device, const Routes& routes);

/// What the writes, in their order, leave in switches that were all off. Writes elsewhere are
/// skipped, so that all writes of an image can be given; a slave that is off passes nothing on.
/// Refuses words with bits that no field names, and tiles that the device lacks; `place` is the
/// number of the write.
Result<Routes> decodeRoutes(const Device& device, std::span<const SwitchWrite> writes);

}  // namespace airlite::npu
