// Addresses in the bodies of innermost loops: accesses that move by the same number of bytes from round
// to round go through a pointer that steps with the loop, and not through an index that is multiplied
// and added in each round.
#pragma once

#include "Emitter.hpp"
#include "Values.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace airlite::npu::codegen {

/// An access by a pointer that moves from round to round.
struct SteppingAccess {
  Operand pointer;
  int32_t offset = 0;
  LoopPlace inLoop;
  MemoryPlace place = MemoryPlace::anywhere();  ///< of all rounds
  std::vector<int32_t> steps;  ///< as in Address; empty: the access has an immediate
  bool hasFarSteps = false;    ///< as in Address
  bool isSure = false;         ///< its form can do without the index
  Operand rowSteps{};          ///< of the first access of a round by its pointer: moves it before
};

/// The pointers of the loop whose body is selected.
class LoopPointers {
 public:
  LoopPointers(Emitter& emitter, Values& values) : emitter_(emitter), values_(values) {}

  /// Sets pointers up for the accesses of an innermost loop, in front of it.
  void plan(Operation& loop);
  void clear();
  /// Null for an access without such a pointer.
  const SteppingAccess* find(Operation& access) const;
  /// Of an op that only computes indices which no access reads any more.
  bool isUnneeded(Operation& op) const { return unneeded_.contains(&op); }
  /// Before the first access of a round by its pointer.
  void stepToRound(Operation& op);

 private:
  Operand startPointer(Value memref, std::span<const std::pair<Value, int64_t>> sum, unsigned step,
                       int64_t offset);
  Operand multiple(Value value, uint32_t factor);
  Operand rowSteps(int64_t along, int64_t across, int64_t length);
  void findUnneeded(Block& body);

  Emitter& emitter_;
  Values& values_;
  std::unordered_map<Operation*, SteppingAccess> stepping_;
  std::unordered_set<Operation*> unneeded_;
};

}  // namespace airlite::npu::codegen
