// A block of instructions to bundles, one for each cycle.
#pragma once

#include "Dependences.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace airlite::npu::codegen {

/// Where a jump goes: to a block of its function or to a function.
struct JumpTarget {
  bool isFunction = false;
  uint32_t number = 0;
};

/// The first or the last bundle of a hardware loop.
enum class LoopEnd : uint8_t { First, Last };

/// What one cycle issues; nothing is a no-operation.
struct Cycle {
  std::vector<isa::Instruction> instructions;
  std::optional<JumpTarget> target;  ///< of the jump among them
  std::optional<LoopEnd>
      bound;  ///< a `movxm` among them takes the address of that end of the next loop
  Location location;
};

/// How the block continues, as layout has decided it.
struct Exit {
  enum class Kind : uint8_t {
    FallThrough,
    Jump,
    JumpIfSet,    ///< to `target`, else on
    JumpIfClear,  ///< the same the other way round
    Call,         ///< of the function `target`; returns to what follows
    Return,
    Done,
  };
  Kind kind = Kind::FallThrough;
  uint32_t target = 0;
  isa::Reg condition{};
  Location location;
  const isa::InstructionSet* set = &isa::aie2();
};

/// Drops empty cycles at the end of `first`, which are there until all is quiet, as far as what follows at once does not need them.
/// `before`: what leads into it without a pause.
void joinEnds(std::span<const Cycle> before, std::vector<Cycle>& first,
              std::span<const Cycle> next);

/// Whether an instruction may issue in `cycle` beside what `cycles` have: its slots and, in the
/// cycles before and after, its units.
bool isFree(std::span<const Cycle> cycles, const isa::Instruction& instruction, int cycle);

/// The cycles of a block with its jump and the bundles after that. When the last is over nothing
/// is under way any more, so that blocks can follow each other in any order.
std::vector<Cycle> scheduleBlock(std::vector<ScheduleNode> nodes, const Exit& exit);

/// The end of a pipelined loop: its last cycles, and those that end its last rounds.
struct LoopTail {
  std::vector<Cycle> loop, after;
};
/// Moves the jump at the end of `last`, which follows a loop, to an earlier cycle, so that where it leads to begins before all is
/// quiet, as far as that does not need it. Returns by how many cycles: what follows when nothing jumps has to wait for them.
size_t jumpEarlier(const std::vector<Cycle>& loop, std::vector<Cycle>& last,
                   std::span<const Cycle> target);
/// `after`, and in its cycles and after them the block that nothing but the loop leads to.
std::vector<Cycle> scheduleAfterLoop(const LoopTail& tail, std::vector<ScheduleNode> nodes,
                                     const Exit& exit);

}  // namespace airlite::npu::codegen
