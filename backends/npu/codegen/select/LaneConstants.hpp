// Registers of constant lanes: made by a broadcast, or loaded from the core's data where that is faster.
#pragma once

#include "Access.hpp"
#include "CoreState.hpp"
#include "Emitter.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace airlite::npu::codegen {

class LaneConstants {
 public:
  LaneConstants(Emitter& emitter, CoreState& state)
      : emitter_(emitter), state_(state), splats_(emitter) {}

  /// Lanes that are all alike.
  Operand splat(Type vector, uint32_t bits);
  /// Lanes from memory, in innermost loops: loads have more room there than the slot in which lanes
  /// would be made. None elsewhere, and when memory has no room.
  std::optional<Operand> loaded(const LaneWords& words, RegClass regClass);
  /// Loads zeros into half of a register; false where `loaded` gives none.
  bool loadZero(Operand half);

 private:
  Address addressOf(uint32_t at, const AccessForms& forms);

  Emitter& emitter_;
  CoreState& state_;
  BlockCache<std::pair<size_t, uint32_t>> splats_;  ///< by laneIndex and bits
};

}  // namespace airlite::npu::codegen
