// Instructions that access memory: where their bytes are, and in how many parts they take them. Which
// address an op accesses is asked in Addressing.hpp.
#pragma once

#include "Emitter.hpp"

#include <cstdint>
#include <span>

namespace airlite::npu::codegen {

/// How an access finds its bytes.
struct Address {
  Operand pointer;
  Operand offset;  ///< of [p, dj] or [p, #imm]
  MemoryPlace place;
  LoopPlace inLoop{};
  std::span<const int32_t> steps{};  ///< by which the pointer moves after each part of the access
  bool hasFarSteps = false;          ///< of these, immediates that only the first load slot has
  bool isImmediate() const { return offset.kind == Operand::Kind::Immediate; }
};

/// Bytes from one index to the next, and of one access.
struct AccessSize {
  unsigned step, bytes;
};

/// Bytes of 256 bits, half of a vector register.
inline constexpr unsigned kHalfBytes = 32;

/// The forms of an access.
struct AccessForms {
  isa::Form indexed, immediate;
  isa::Form stepped, steppedImmediate;  ///< move the pointer afterwards
  bool hasShift = false;  ///< of elements that change their width on the way, by register s0
  bool rounds = false;    ///< to bf16, by register crRnd
  unsigned partBytes = kHalfBytes;  ///< of one instruction
  Part alone = Part::Low;           ///< of a register that one instruction accesses
};

/// Bytes of one instruction of an access of `bytes`.
inline unsigned partBytesOf(unsigned bytes, const Emitter& emitter) {
  return emitter.isAie2() || bytes < 2 * kHalfBytes ? kHalfBytes : 2 * kHalfBytes;
}
/// What the instruction set of the core has for vectors and accumulators of so many bytes. Registers
/// are accessed by parts: on AIE2 of 256 bits, on AIE2P of 512.
const AccessForms& vectorLoad(const Emitter& emitter, unsigned bytes);
const AccessForms& vectorStore(const Emitter& emitter, unsigned bytes);
const AccessForms& sumLoad(const Emitter& emitter);
const AccessForms& sumStore(const Emitter& emitter);

/// Whether an immediate can be the step that follows an access. The second load slot of AIE2 has short ones only, and a
/// load had better fit both slots: `isFar` asks for those of the first one.
bool hasStep(const AccessForms& forms, int32_t step, bool isFar);
/// The immediates that reach bytes near a pointer.
const isa::ImmediateRow& offsetRange(const AccessForms& forms);
/// Of a number that is known. Pointers stand in the middle of what immediates reach, so that
/// neighbours share one.
Address fixedAddress(Emitter& emitter, uint32_t target, unsigned bytes, const AccessForms& forms);
/// The part after that at `address`.
Address nextPart(Emitter& emitter, const Address& address, const AccessForms& forms);
/// One instruction: a whole scalar, or a part of a vector.
MachineInst& accessPart(Emitter& emitter, const AccessForms& forms, Operand value,
                        const Address& at);
/// All instructions of a vector.
void accessParts(Emitter& emitter, const AccessForms& forms, Operand value, unsigned bytes,
                 Address at);

}  // namespace airlite::npu::codegen
