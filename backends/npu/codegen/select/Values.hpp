// Values of the program in registers: which register has a value, what is known of the bits above a
// narrow one, constants, addresses.
#pragma once

#include "Emitter.hpp"
#include "LaneConstants.hpp"
#include "Queries.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace airlite::npu::codegen {

/// What is known of the bits of a value above its width.
enum class Upper : uint8_t { Unknown, Sign, Zero };

class Values {
 public:
  Values(Emitter& emitter, LaneConstants& lanes, const CoreSurroundings& surroundings)
      : emitter_(emitter), lanes_(lanes), surroundings_(surroundings) {}

  /// The register that has the value; after an error any.
  Operand reg(Value value);
  bool has(Value value) const { return registers_.contains(value); }
  /// Whether a value was asked for that the core cannot have.
  bool failed() const { return failed_; }

  /// The register for a value that is about to be made.
  Operand define(Value value, Upper upper = Upper::Unknown);
  /// Registers for all; none after an error at `op`.
  std::optional<std::vector<Operand>> defineAll(Operation& op, std::span<const Value> values);
  void alias(Value value, Operand operand, Upper upper = Upper::Unknown);
  void setAddress(Value memref, uint32_t address) { registers_[memref] = Operand::imm(address); }
  /// What a memref of the device or of the program's data has as its address.
  std::optional<uint32_t> addressOf(Value memref) const;

  /// Whether the bits above the value are known to be zeros.
  bool isZeroAbove(Value value) const;
  /// The value with all 32 bits right.
  Operand extended(Value value, bool isSigned);
  /// The register of an i1 in which only bit 0 may be set.
  Operand condition(Value value) { return extended(value, false); }

  /// Writes all values at the same time.
  void copyAll(std::span<const Operand> to, std::span<const Value> from);

 private:
  Operand extend(Operand operand, unsigned width, bool isSigned);

  Emitter& emitter_;
  LaneConstants& lanes_;
  const CoreSurroundings& surroundings_;
  bool failed_ = false;
  std::unordered_map<Value, Operand> registers_;  ///< immediates: the addresses of memrefs
  std::unordered_map<Value, Upper> upper_;
};

}  // namespace airlite::npu::codegen
