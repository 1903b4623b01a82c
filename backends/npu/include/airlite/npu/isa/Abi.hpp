// The calling conventions of the public compilers, so that objects of theirs can be called
// (docs/hardware/isa.md, rules.abi and rules.stack; aie2p.md), and the registers that instructions imply. The
// names of `abi` are AIE2's; `abi::conventionOf` has both as data.
//
//   Reg first = abi::kPointerArguments[0];  // p0
#pragma once

#include "airlite/npu/isa/Tables.hpp"

#include <array>
#include <cstdint>
#include <span>

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

/// Of one instruction set: registers in the order in which they are taken, as above.
struct Convention {
  std::span<const Reg> pointerArguments, integerArguments, vector512Arguments, vector1024Arguments;
  std::span<const Reg> acc512Arguments, acc1024Arguments, acc2048Arguments;
  std::span<const Reg> calleeSaved;
  int32_t stackAlignment = kStackAlignment;
  Reg integerResult = kIntegerResult, pointerResult = kPointerResult, framePointer = kFramePointer;
};

/// What differs on AIE2P: `paddxm [sp], #N` moves the stack, and nothing is addressed above sp.
namespace p {
inline constexpr std::array kAcc512Arguments = {
    Reg::bmll0, Reg::bmll1, Reg::bmll2, Reg::bmll3, Reg::bmll4, Reg::bmhl0, Reg::bmhl1,
    Reg::bmhl2, Reg::bmhl3, Reg::bmhl4, Reg::bmlh0, Reg::bmlh1, Reg::bmlh2, Reg::bmlh3,
    Reg::bmlh4, Reg::bmhh0, Reg::bmhh1, Reg::bmhh2, Reg::bmhh3, Reg::bmhh4};
inline constexpr std::array kAcc1024Arguments = {Reg::cml0, Reg::cml1, Reg::cml2, Reg::cml3,
                                                 Reg::cml4, Reg::cmh0, Reg::cmh1, Reg::cmh2,
                                                 Reg::cmh3, Reg::cmh4};
inline constexpr std::array kAcc2048Arguments = {Reg::dm0, Reg::dm1, Reg::dm2, Reg::dm3, Reg::dm4};
inline constexpr std::array kCalleeSaved = {Reg::lr,  Reg::r8,  Reg::r9,  Reg::r10,
                                            Reg::r11, Reg::r12, Reg::r13, Reg::r14,
                                            Reg::r15, Reg::p6,  Reg::p7};
inline constexpr int32_t kStackAlignment = 64;
/// Where the lanes that compares find are left: r16, of lanes of 8 bits r17:r16.
inline constexpr Reg kCompareMask = Reg::r16;
}  // namespace p

inline constexpr Convention kAie2Convention = {kPointerArguments,
                                               kIntegerArguments,
                                               kVector512Arguments,
                                               kVector1024Arguments,
                                               {},
                                               kAcc1024Arguments,
                                               {},
                                               kCalleeSaved};
inline constexpr Convention kAie2pConvention = {
    kPointerArguments,    kIntegerArguments,   kVector512Arguments,
    kVector1024Arguments, p::kAcc512Arguments, p::kAcc1024Arguments,
    p::kAcc2048Arguments, p::kCalleeSaved,     p::kStackAlignment};

inline const Convention& conventionOf(const InstructionSet& set) {
  return &set == &aie2() ? kAie2Convention : kAie2pConvention;
}

}  // namespace airlite::npu::isa::abi
