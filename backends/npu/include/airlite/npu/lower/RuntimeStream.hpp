// The runtime sequence of a design as the instruction stream of the command processor.
//
//   std::optional<RuntimeStream> stream = makeRuntimeStream(sequence, config);
//   ByteVector file = writeTxn(stream->txn);
#pragma once

#include "airlite/npu/image/Txn.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"

#include <optional>
#include <vector>

namespace airlite::npu {

/// An instruction stream, and which op each of its operations comes from.
struct RuntimeStream {
  Txn txn;
  std::vector<Location> locations;  ///< one for each operation of txn
};

/// Lowers an `aie.runtime_sequence` (ops of aiex) against the places that `config` has given.
/// Argument n of the sequence is argument n of the kernel. None after errors have been reported.
std::optional<RuntimeStream> makeRuntimeStream(Operation& sequence, const ArrayConfig& config);

}  // namespace airlite::npu
