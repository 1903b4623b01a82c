// Program memory, and what its bytes mean: each address is decoded once, until a write touches it.
#pragma once

#include "Operation.hpp"

#include <bitset>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::sim::core {

struct DecodedBundle {
  std::array<Operation, 6> operations;  ///< no-operations are left out
  uint8_t count = 0;
  uint8_t bytes = 0;
  std::string fault;  ///< why it cannot run; empty: it can
};

class ProgramMemory {
 public:
  explicit ProgramMemory(const isa::InstructionSet& set) : set_(set) {}

  void write(uint32_t offset, std::span<const uint8_t> bytes);
  /// What the bundle at `address` does; a fault when no bundle is there.
  const DecodedBundle& at(uint32_t address);
  /// Whether some bundle releases that lock, or one whose number a register holds.
  bool mayRelease(unsigned lock) const;
  /// Bundles that writes replaced are kept for instructions under way; call it when there are none.
  void dropReplaced() { replaced_.clear(); }

 private:
  DecodedBundle decode(uint32_t address) const;
  bool isWritten(uint32_t address, unsigned count) const;

  const isa::InstructionSet& set_;
  std::array<std::byte, programBytes> bytes_{};
  std::bitset<programBytes> written_;
  std::array<std::unique_ptr<DecodedBundle>, programBytes / 2> decoded_;
  std::vector<std::unique_ptr<DecodedBundle>> replaced_;
  DecodedBundle outside_;
};

}  // namespace airlite::npu::sim::core
