// L1 memory that a launch or a segment allocates: whether cores hand data to each other in it, and
// how the cores of a herd take turns with it. What a program means (interp) and what the NPU
// back-end makes of it (locks) come from here.
//
//   HandOver found = handOverOf(alloc.result());
//   if (found.isShared) visit(found.cores);
#pragma once

#include "airlite/analysis/CoreValues.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/IndexValues.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::analysis {

/// An op that reads or writes memory. What may do anything (a call) writes.
struct MemoryUse {
  Operation* op = nullptr;
  bool reads = false, writes = false;
};

/// What one core does with a memory, in program order.
struct CoreUses {
  air::HerdOp herd;
  std::vector<int64_t> id;  // in the herd
  std::vector<MemoryUse> uses;
};

/// The uses of one memory by the cores of all herds that take it, a herd after the other.
struct HandOver {
  /// Herds in program order, then their cores, x first; those without uses are left out.
  std::vector<CoreUses> cores;
  /// A use that cannot be followed (memory that a loop or a conditional passes on); null: none.
  Operation* lost = nullptr;
  /// One memory for all cores: some core only writes what another reads. Else each core has its
  /// own, which stays from one herd to the next.
  bool isShared = false;
  /// The herds that use it, in program order.
  std::vector<air::HerdOp> herds;
};

/// The cores of a herd of constant sizes, x first; none where there are too many.
std::vector<std::vector<int64_t>> idsOf(air::HerdOp herd);

/// Of what `memory`, the result of an allocation outside of herds, is used for.
HandOver handOverOf(Value memory);

/// `memory`, in the body of a herd, is of an allocation that its cores share. A pass that makes
/// other loops around its uses changes how often cores take turns.
bool isSharedByCores(Value memory);

/// The allocation that an operand of a herd (or of a hierarchy op around it) stands for; the
/// argument of a function where there is none.
Value allocationOf(Value operand);

/// Uses of `memory` (and of its views) inside of `body`, in program order, as far as `numberOf` does
/// not say that they are never reached. `lost` as above.
std::vector<MemoryUse> usesIn(Block& body, Value memory, NumberOf numberOf, Operation*& lost);

/// What a core does without interruption: the ops from `first` to `last` of one block.
struct Turn {
  Operation* first = nullptr;
  Operation* last = nullptr;
};

/// The turns of one core: it writes (until its last write), then it reads. Null `first`: it does
/// not.
struct CoreTurns {
  Turn write, read;
};

/// How the cores of a herd take turns: all writers once, then all readers once, and again in each
/// round. Rounds are the loops around all uses of a core, outermost first, as far as they have the
/// same lengths in all cores; a loop whose number chooses elements of the memory is part of a turn.
struct Turns {
  std::vector<CoreTurns> cores;  // as given
  bool isRepeated = false;       // there is a loop of rounds
  std::string error;             // why it is not possible, at `op`; empty: it is
  Operation* op = nullptr;
};
struct CoreBody {
  Block* body = nullptr;
  std::vector<MemoryUse> uses;  // at least one
  CoreValues values;
};
Turns turnsOf(std::vector<CoreBody>& cores);
/// The one turn of a core with everything that it does to the memory.
Turn wholeTurn(CoreBody& core);

}  // namespace airlite::analysis
