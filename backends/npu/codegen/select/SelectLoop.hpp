// Structured loops: a test in front of the body or after it, and pointers that step with an innermost
// loop (LoopPointers.hpp).
#pragma once

#include "SelectControl.hpp"

#include <cstdint>
#include <optional>

namespace airlite::npu::codegen {

class LoopSelector {
 public:
  LoopSelector(Emitter& emitter, Values& values, LoopPointers& pointers, ControlSelector& control)
      : emitter_(emitter), values_(values), pointers_(pointers), control_(control) {}

  bool selectFor(Operation& op);
  bool selectWhile(Operation& op);

 private:
  Operand leftBehind(Operand carried);
  Operand startLoop(Operation& op);
  Operand loopGoesOn(Operation& op, Operand variable);
  void closeLoop(uint32_t before, std::optional<Operand> isEntered, uint32_t body, Operand goesOn);

  Emitter& emitter_;
  Values& values_;
  LoopPointers& pointers_;
  ControlSelector& control_;
};

}  // namespace airlite::npu::codegen
