// What the functions of one core share while they are selected: which of them are called, and the data
// that lies in the core's memory.
#pragma once

#include "airlite/npu/codegen/CoreCode.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace airlite::npu::codegen {

/// A function that is called: one of the device, or (without a body) one that lies elsewhere.
struct Callee {
  std::string name;
  Operation* function = nullptr;
};

/// The lanes of a register of 512 bits.
using LaneWords = std::array<uint32_t, 16>;

struct CoreState {
  const CoreSurroundings& surroundings;
  std::vector<Callee> callees;                       ///< number 0 is the core itself
  std::vector<CoreData> data;                        ///< memref.global that are used
  std::unordered_map<Operation*, uint32_t> globals;  ///< their addresses
  std::map<LaneWords, uint32_t> lanes;               ///< addresses of constant rows
  uint32_t dataBytes = 0;

  uint32_t calleeNumber(Operation& function);
  /// The address of a memref.global; none after an error at `use` when there is no room.
  std::optional<uint32_t> globalAddress(Operation& global, Operation& use);
  /// The address of a row of lanes that is kept in memory; none when there is no room.
  std::optional<uint32_t> lanesAddress(const LaneWords& words);
  /// Room for data that begins where vectors may; none when there is not so much.
  std::optional<uint32_t> place(uint32_t bytes);
};

}  // namespace airlite::npu::codegen
