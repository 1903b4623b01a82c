// An instruction ready to run: where its operands lie, in which cycles it reads, computes, touches
// memory and writes. Made once per program address.
#pragma once

#include "RegisterFile.hpp"
#include "airlite/npu/isa/Instruction.hpp"
#include "airlite/npu/sim/CoreHost.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace airlite::npu::sim::core {

class Pipeline;
struct Flight;

/// Computes the results of a flight from its inputs and what it has loaded.
using Run = void (*)(Flight&);
/// Asks the host for something that may have to wait.
using Ask = Reply (*)(Flight&, CoreHost&);

/// What a form means. `askCycle` is the pipeline stage of `ask`, which comes before `run`.
struct Semantic {
  Run run = nullptr;
  Ask ask = nullptr;
  uint8_t askCycle = 0;
  CoreState waits = CoreState::Running;  ///< what a core is in while `ask` is refused
};

/// An operand that is read in `cycle`; an immediate has no place.
struct Input {
  const Place* place = nullptr;
  int32_t immediate = 0;
  uint8_t cycle = 1;
  char bypass = '-';
};

struct Output {
  const Place* place = nullptr;
  uint8_t cycle = 1;  ///< after which readers see it
  char bypass = '-';
};

/// How an address is made, and the pointer moved.
struct AddressUse {
  isa::AddressMode mode = isa::AddressMode::None;
  isa::Reg pointer{};
  isa::Reg modifier{};  ///< m, dj, d or the 3D d
  bool hasModifier = false;
  int32_t immediate = 0;
};

enum class StepKind : uint8_t { Read, Load, Ask, Run, Store };

/// Something an instruction does in one cycle of its life; `input` is for Read.
struct Step {
  StepKind kind{};
  uint8_t cycle = 1;
  uint8_t input = 0;
};

inline constexpr unsigned kMaxInputs = 8, kMaxOutputs = 4;

/// Inputs are the operands that are read and make no address, in the order of the form, then what
/// it reads implicitly; outputs likewise.
struct Operation {
  isa::Form form{};
  Semantic semantic;
  AddressUse address;
  std::array<Input, kMaxInputs> in{};
  std::array<Output, kMaxOutputs> out{};
  std::array<Step, kMaxInputs + 4> steps{};
  uint8_t inCount = 0, outCount = 0, stepCount = 0;
  uint8_t memoryBytes = 0;  ///< of one access; a part of a word is accessed with its word
  uint8_t alignment = 0;
  bool isJump = false, setsLoop = false;
  bool isOnBus = false;  ///< lda.tm and st.tm: what they address are registers of the tile
};

/// An instruction under way.
struct Flight {
  const Operation* op = nullptr;
  Pipeline* pipe = nullptr;
  uint64_t issued = 0;
  uint32_t pc = 0;
  uint32_t address = 0;
  uint8_t step = 0;
  std::array<Value, kMaxInputs> in;
  std::array<Value, kMaxOutputs> out;
  Value memory;  ///< loaded, or to be stored; words of a stream

  uint32_t u(unsigned i) const { return in[i].u32(); }
  int32_t s(unsigned i) const { return in[i].s32(); }
  void result(uint32_t value, unsigned i = 0) { out[i].set(value); }
};

/// False when the form has no semantics.
bool makeOperation(const isa::Instruction& instruction, Operation& operation);

/// The meaning of a form; none: it is not known.
const Semantic* semanticOf(isa::Form form);

}  // namespace airlite::npu::sim::core
