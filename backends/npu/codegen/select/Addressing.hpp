// The address of an access of the program: a number, a pointer with an offset, or the pointer of a loop.
#pragma once

#include "Access.hpp"
#include "LoopPointers.hpp"
#include "Values.hpp"

#include <optional>
#include <utility>

namespace airlite::npu::codegen {

class Addressing {
 public:
  Addressing(Emitter& emitter, Values& values, const LoopPointers& pointers)
      : emitter_(emitter), values_(values), pointers_(pointers), offsets_(emitter) {}

  /// Of the memref that is operand number `operand` of an access; its index is the next one.
  Address scalar(Operation& op, unsigned operand, AccessSize size, const AccessForms& forms);
  /// The same for a vector; none after an error.
  std::optional<Address> vector(Operation& op, unsigned operand, unsigned bytes,
                                const AccessForms& forms);

 private:
  std::optional<Address> stepping(Operation& op, AccessSize size, const AccessForms& forms);
  Operand byteOffset(Value index, unsigned bytes);

  Emitter& emitter_;
  Values& values_;
  const LoopPointers& pointers_;
  BlockCache<std::pair<const void*, unsigned>> offsets_;  ///< by index and bytes
};

}  // namespace airlite::npu::codegen
