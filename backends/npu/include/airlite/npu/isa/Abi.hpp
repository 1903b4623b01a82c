// The calling convention of the public compilers for AIE2, so that objects of theirs can be called
// (docs/hardware/isa.md, rules.abi and rules.stack), and the registers that instructions imply.
#pragma once

#include "airlite/npu/isa/Names.hpp"

#include <array>
#include <cstdint>

namespace airlite::npu::isa::abi {

/// Arguments in the order in which registers are taken, after those of the results: int f(int)
/// gets r1 and gives r0 (runtime library and start-up code of the public compiler). Integers of 8
/// and 16 bits are extended to 32; f32 goes with the integers. What is left goes to the stack in
/// slots of 4 bytes.
inline constexpr std::array kPointerArguments = {Reg::p0, Reg::p1, Reg::p2,
                                                 Reg::p3, Reg::p4, Reg::p5};
inline constexpr std::array kIntegerArguments = {Reg::r0, Reg::r1, Reg::r2, Reg::r3,
                                                 Reg::r4, Reg::r5, Reg::r6, Reg::r7};
inline constexpr std::array kVector512Arguments = {Reg::x0, Reg::x2,  Reg::x4, Reg::x6,
                                                   Reg::x8, Reg::x10, Reg::x1, Reg::x3,
                                                   Reg::x5, Reg::x7,  Reg::x9, Reg::x11};
inline constexpr std::array kVector1024Arguments = {Reg::y2, Reg::y3, Reg::y4, Reg::y5};
inline constexpr std::array kAcc1024Arguments = {Reg::cm0, Reg::cm1, Reg::cm2, Reg::cm3, Reg::cm4,
                                                 Reg::cm5, Reg::cm6, Reg::cm7, Reg::cm8};

inline constexpr Reg kIntegerResult = Reg::r0;
inline constexpr Reg kPointerResult = Reg::p0;

/// All others belong to the callee, vectors, accumulators and modifiers included.
inline constexpr std::array kCalleeSaved = {Reg::lr,  Reg::r16, Reg::r17, Reg::r18,
                                            Reg::r19, Reg::r20, Reg::r21, Reg::r22,
                                            Reg::r23, Reg::p6,  Reg::p7};

/// The stack grows to higher addresses: `paddb [sp], #N` makes room, N a multiple of this; what a
/// function keeps is below sp.
inline constexpr int32_t kStackAlignment = 32;
inline constexpr Reg kFramePointer = Reg::p7;

// Registers that instructions imply (docs/hardware/isa.md, rules.fixed_registers).
inline constexpr Reg kLockPredicate = Reg::r26;    ///< acq.cond, rel.cond: done when not 0
inline constexpr Reg kSelectCondition = Reg::r27;  ///< sel.eqz, sel.nez
inline constexpr Reg kStreamLast = Reg::r28;       ///< tlast of stream moves
inline constexpr Reg kVectorIndex = Reg::r29;      ///< vinsert, vbcstshfl
inline constexpr Reg kDivideQuotient = Reg::r31;   ///< divs: the dividend becomes the quotient

/// The first lock number of acquire and release for the locks of the core's own tile; the others
/// are the neighbours' (rules.locks.acq).
inline constexpr int32_t kSouthLocks = 0, kWestLocks = 16, kNorthLocks = 32, kOwnLocks = 48;

}  // namespace airlite::npu::isa::abi
