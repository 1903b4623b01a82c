// From the configuration of an array to what a driver loads: the commands of a CDO, executables of
// the cores, and where each byte comes from.
//
//   Result<ConfigParts> parts = makeParts(config);
//   ByteVector file = writeCdo(parts->merged());
#pragma once

#include "airlite/npu/image/Cdo.hpp"
#include "airlite/npu/image/CoreElf.hpp"
#include "airlite/npu/image/LocationMap.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"
#include "airlite/support/Result.hpp"

#include <string>
#include <vector>

namespace airlite {
class Context;
}

namespace airlite::npu {

/// The parts of a configuration, each a CDO of its own as other tools have them.
struct ConfigParts {
  Cdo programs;  ///< cores stop, their DMAs are in reset, programs and their data are loaded
  Cdo setup;     ///< cores are reset; locks, memory, descriptors, switches, cascades, starts
  Cdo enable;    ///< cores run

  /// One CDO, as bootgen merges them.
  Cdo merged() const;
};

/// The commands in the order that the hardware needs: everything that a DMA or core uses is written
/// before it starts. Locks of cores that the design does not have are 0, so that a design may be
/// loaded where another has run. Refuses values that no register can hold; `configure` never gives
/// them.
Result<ConfigParts> makeParts(const ArrayConfig& config);

/// What a core loads: its program from 0, data from 0x70000. Of a core from a file: that file.
CoreElf coreElfOf(const CoreConfig& core, Generation generation);

/// The bytes of its program memory from 0; bytes between bundles are 0.
std::vector<std::byte> programImage(const CoreConfig& core);

/// The program as source that assembles to the same bytes, source places as comments.
std::string coreSource(const CoreConfig& core, const Context& context);

/// The line that each configuration word and each bundle comes from.
LocationMap locationsOf(const ArrayConfig& config, const Context& context);

/// The place in a file, the first of composed ones; nothing for locations without a file.
std::optional<SourcePlace> sourcePlace(const Context& context, Location location);

}  // namespace airlite::npu
