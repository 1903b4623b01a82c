// Channels as object FIFOs, the other way to make transfers (`use-objectfifo`). What comes of it is
// lowered by aie-objectfifo-to-locks, or by other tools that read FIFOs.
#pragma once

#include "Sites.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// One put or get of a core. `shape` is that of what it moves; `strides` are those it names, none for all of the memory.
struct CoreAccess {
  air::ChannelAccessOp op;
  ChannelPlace place;
  std::vector<int64_t> shape, strides;
};

/// Of a FIFO, or of what a core holds of it (`aie.objectfifo`, `aie.objectfifosubview`).
Type fifoType(std::string_view name, MemRefType object);

/// Failures have been reported, here and below.
LogicalResult readCoreAccess(Operation& op, CoreAccess& access);

/// Makes a put a copy into an object of the FIFO `name` that the core fills and hands on, and a get
/// a copy out of one. Copies keep the meaning of every program: what a core holds of a buffer does
/// not change by sending it.
LogicalResult copyThroughFifo(const CoreAccess& access, const std::string& name, MemRefType object);

/// Makes the channels that `design` uses object FIFOs, `air_CHANNEL` or `air_CHANNEL_N` for place N of a
/// bundle: between its cores, through its L2 memory (links on memory tiles), and from and to the
/// host, whose puts and gets learn the names.
LogicalResult lowerToFifos(Design& design, const HostSide& host);

/// The same for a device that is there without the program around it: the host has the other end of a
/// channel that has one end in the device.
LogicalResult lowerDeviceToFifos(aie::DeviceOp device);

/// FIFOs of channels that a loop uses which is labelled to be unrolled (`unroll = N`) will hold N
/// objects, so that one fills while the core has another; the label goes.
LogicalResult deepenLabelledChannels(Operation& root, bool& changed);

}  // namespace airlite::npu
