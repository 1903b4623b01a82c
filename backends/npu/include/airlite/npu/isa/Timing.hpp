// When an instruction reads and writes, and how far apart two of them have to be. Schedulers, the
// hazard checker and the simulator ask here; the numbers are those of the itineraries.
//
// Cycles are pipeline stages counted from issue, the first is 1. One bundle issues per cycle and
// nothing waits for registers: what is read too early is the old value (docs/hardware/isa.md,
// rules.scheduling).
//
//   for (const Access& access : accessesOf(instruction).all())
//     if (access.isDef) visit(access.reg, access.cycle);
#pragma once

#include "airlite/npu/isa/Instruction.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace airlite::npu::isa {

inline constexpr unsigned kLastCycle = 11;  ///< of any itinerary: the write of a part-word store
inline constexpr unsigned kLockStall = 2;   ///< cycle in which acquire and release stop the core
inline constexpr unsigned kLockResume = 8;  ///< cycle in which it continues

/// A register that an instruction reads or writes.
struct Access {
  Reg reg{};
  bool isDef = false;
  bool isImplicit = false;
  uint8_t operand = 0;  ///< of the form; not for implicit ones
  uint8_t cycle = 1;    ///< a result is there for readers after this cycle
  char bypass = '-';    ///< two accesses with the same letter other than - are a cycle closer
};

/// All accesses of one instruction: results and reads in the order of the operands.
class Accesses {
 public:
  void add(const Access& access) { items_[count_++] = access; }
  std::span<const Access> all() const { return {items_.data(), count_}; }
  const Access* begin() const { return items_.data(); }
  const Access* end() const { return items_.data() + count_; }

 private:
  std::array<Access, kMaxOperands + 7> items_;
  size_t count_ = 0;
};

/// The timing class, which may depend on the classes of the operands.
Itinerary itineraryOf(const Instruction& instruction);
Accesses accessesOf(const Instruction& instruction);
/// True for acquire and release: they stop the core.
bool isLock(const Instruction& instruction);

inline bool sharesBypass(const Access& a, const Access& b) {
  return a.bypass == b.bypass && a.bypass != '-';
}

// Smallest number of cycles from the issue of the first to the issue of the second. Negative
// numbers mean that the second may issue first.

/// The second reads what the first writes.
inline int readAfterWrite(const Access& def, const Access& use) {
  return def.cycle - use.cycle + 1 - sharesBypass(def, use);
}
/// Both write; what the second writes stays.
inline int writeAfterWrite(const Access& first, const Access& second) {
  return first.cycle - second.cycle + 1;
}
/// The first reads what was there before the second writes.
inline int writeAfterRead(const Access& use, const Access& def) {
  return use.cycle - def.cycle + sharesBypass(use, def);
}
/// Both touch the same memory, and at least one writes it.
int memoryOrder(const Instruction& first, const Instruction& second);
/// From a memory access to a lock: the access is over when the core stops.
int memoryToLock(const Instruction& memory);
/// From a lock to a memory access: the access begins when the core has gone on.
int lockToMemory(const Instruction& memory);
/// From the first to the second so that they hold no unit at the same time; 0 when they share none.
int structural(const Instruction& first, const Instruction& second);

}  // namespace airlite::npu::isa
