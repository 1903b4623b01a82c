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
  bool isImmediate() const { return offset.kind == Operand::Kind::Immediate; }
};

/// Bytes from one index to the next, and of one access.
struct AccessSize {
  unsigned step, bytes;
};

/// The forms of an access.
struct AccessForms {
  isa::Form indexed, immediate;
  isa::Form stepped, steppedImmediate;  ///< move the pointer afterwards
  bool hasShift = false;  ///< of elements that change their width on the way, by register s0
  bool rounds = false;    ///< to bf16, by register crRnd
};

/// Accesses to vectors go by halves of a register.
inline constexpr unsigned kHalfBytes = 32;
inline constexpr AccessForms kVectorLoad = {
    isa::Form::VLDA_dmw_lda_w_ag_idx, isa::Form::VLDA_dmw_lda_w_ag_idx_imm,
    isa::Form::VLDA_dmw_lda_w_ag_pstm_nrm, isa::Form::VLDA_dmw_lda_w_ag_pstm_nrm_imm};
/// Of accumulators, by quarters.
inline constexpr AccessForms kSumLoad = {
    isa::Form::VLDA_dmw_lda_am_ag_idx, isa::Form::VLDA_dmw_lda_am_ag_idx_imm,
    isa::Form::VLDA_dmw_lda_am_ag_pstm_nrm, isa::Form::VLDA_dmw_lda_am_ag_pstm_nrm_imm};

/// The immediates that reach bytes near a pointer.
const isa::ImmediateRow& offsetRange(const AccessForms& forms);
/// Of a number that is known. Pointers stand in the middle of what immediates reach, so that
/// neighbours share one.
Address fixedAddress(Emitter& emitter, uint32_t target, unsigned bytes, const AccessForms& forms);
/// The 32 bytes after `address`.
Address nextPart(Emitter& emitter, const Address& address, const AccessForms& forms);
/// One instruction: a whole scalar, or 32 bytes of a vector.
MachineInst& accessPart(Emitter& emitter, const AccessForms& forms, Operand value,
                        const Address& at);
/// All instructions of a vector.
void accessParts(Emitter& emitter, const AccessForms& forms, Operand value, unsigned bytes,
                 Address at);

}  // namespace airlite::npu::codegen
