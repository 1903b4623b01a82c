// Vectors whose lanes change their width in the instruction that loads or stores them, and which need
// no register of their own for that.
#pragma once

#include "Access.hpp"
#include "airlite/ir/Operation.hpp"

#include <unordered_map>
#include <vector>

namespace airlite::npu::codegen {

/// Whether the value lies in an accumulator, or in half of one.
bool isSum(Value value);
/// The value whose register a load fills: sums of 64 bits are made of what is loaded on the way, and
/// tiles of f32 are loaded as sums at once.
Value loadedAs(Operation& load);
/// A row that goes into both halves of a pair of registers.
bool isLoadedTwice(Operation& load);
/// The value whose register a store reads: the other way round.
Value storedFrom(Operation& store);
/// Whether the store that alone uses the result does what the op does.
bool isInStore(Operation& op);

/// Results that are only stored: the sums from which their stores make them.
class LateStores {
 public:
  struct Sums {
    const AccessForms* forms = nullptr;
    std::vector<Operand> parts;  ///< of each AccessForms::partBytes
  };

  /// Whether the result of `op` is only stored. It needs no register then: `sums`, one of each part
  /// of the store, become narrow in the instructions that store them.
  bool leaveToStore(Operation& op, const AccessForms& stores, std::vector<Operand> sums);
  /// Null for a value that has a register.
  const Sums* find(Value vector) const;

 private:
  std::unordered_map<Value, Sums> sums_;
};

}  // namespace airlite::npu::codegen
