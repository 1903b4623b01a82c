// One descriptor of a runtime sequence: from what an op says to the words that are written.
#pragma once

#include "FitAccess.hpp"
#include "StreamWriter.hpp"
#include "airlite/dialect/Aie.hpp"

#include <optional>

namespace airlite::npu {

/// What descriptors of a runtime sequence say of the interconnect [docs/hardware/formats.md 3.3].
constexpr int64_t defaultAxCache = 2;
/// The field of a burst of so many bytes; 0: 256, the longest of AIE2.
constexpr int64_t burstCode(int64_t bytes) {
  return bytes == 64 ? 0 : bytes == 128 ? 1 : bytes == 512 ? 3 : 2;
}

/// A transfer as an op asks for it, and where its memory begins.
struct WantedBd {
  TransferShape shape;
  Value memref;
  int64_t offset = 0;  ///< elements
  std::optional<aie::PacketInfo> packet = std::nullopt;
  int64_t burst = 0;  ///< bytes, 0: the default
};

/// A descriptor that fits, and the argument whose address is to be patched into it.
struct PreparedBd {
  BdBuilder builder;
  int64_t runs = 1;
  std::optional<HostMemory> host;
};

/// Reports at `user` what no descriptor of that channel can do.
std::optional<PreparedBd> prepareBd(SequenceState& state, Operation& user, const DmaPlace& place,
                                    const WantedBd& wanted);
/// Writes it as descriptor `number`, and has the firmware put the address in.
LogicalResult writeBd(SequenceState& state, Operation& user, const DmaPlace& place, unsigned number,
                      const PreparedBd& prepared);
/// Bytes of an element; reports at `user` memory of something else.
std::optional<int64_t> elementBytesFor(Operation& user, Value memref);
/// The value of an integer attribute, 0 without one.
int64_t numberOf(const Operation& op, std::string_view attribute);

}  // namespace airlite::npu
