// The modes of vshuffle (docs/hardware/vector_facts.md, section 9).
#pragma once

#include "RegisterFile.hpp"

namespace airlite::npu::sim::core {

/// The modes from 48 on are AIE2P's.
inline constexpr unsigned kAie2ShuffleModes = 48, kAie2pShuffleModes = 56;

/// Bytes of the 1024 bits {high, low} in the order of `mode`; false for a mode that does not exist.
bool shuffle(const Value& low, const Value& high, uint32_t mode, Value& result);

}  // namespace airlite::npu::sim::core
