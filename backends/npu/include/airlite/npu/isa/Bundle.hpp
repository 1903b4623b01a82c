// A bundle: what one cycle issues, and its bytes.
//
//   Result<Bundle> bundle = Bundle::make(std::array{load, add});
//   bundle->encode(bytes);  // bundle->size() of them
#pragma once

#include "airlite/npu/isa/Instruction.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace airlite::npu::isa {

inline constexpr unsigned kMaxBundleBytes = 16;

/// The smallest format of at least `minBytes` that has the slots of `slotSet` (bit n: slot n), the
/// one with the fewest other slots among these. None when slots exclude each other (lng: alu, mv).
std::optional<Format> chooseFormat(unsigned slotSet, unsigned minBytes = 0,
                                   const InstructionSet& set = aie2());

/// A format with an instruction in each of its slots.
class Bundle {
 public:
  /// The 16-bit nop of AIE2.
  Bundle() : Bundle(Format::I16_NOP) {}
  /// No-operations in all slots of a format.
  explicit Bundle(Format format);

  /// Puts instructions of one set into the smallest format of at least `minBytes` that holds them,
  /// and no-operations into the slots that are left. Fails when two want one slot.
  static Result<Bundle> make(std::span<const Instruction> instructions, unsigned minBytes = 0);
  /// Reads the bundle that `bytes` begin with. The error names the bits that mean nothing.
  static Result<Bundle> decode(std::span<const std::byte> bytes,
                               const InstructionSet& set = aie2());

  Format format() const { return format_; }
  const InstructionSet& set() const { return setOf(format_); }
  unsigned size() const { return row(format_).bytes; }
  /// In the order of the format's slots, no-operations included.
  std::span<const Instruction> instructions() const {
    return {instructions_.data(), row(format_).slotCount};
  }
  const Instruction* find(Slot slot) const;
  bool isNop() const;

  /// The same instructions in a format of at least `bytes`: makes room for alignment without a
  /// cycle.
  std::optional<Bundle> widened(unsigned bytes) const;
  /// Replaces the instruction of the slot that `instruction` is for; it must be there.
  void replace(const Instruction& instruction);

  Word128 encode() const;
  /// Writes size() bytes.
  void encode(std::byte* bytes) const;

  bool operator==(const Bundle&) const = default;

 private:
  Format format_;
  std::array<Instruction, 6> instructions_;
};

/// Widens bundles, the last first, until they are together `bytes` longer. This aligns the code
/// that follows without an additional cycle. Returns how many bytes could not be added.
unsigned widenTogether(std::span<Bundle> bundles, unsigned bytes);

/// Bytes of the bundle whose first byte this is (docs/hardware/isa.md, rules.length_decode).
inline unsigned bundleSize(std::byte first, const InstructionSet& set = aie2()) {
  return set.bundleBytes[static_cast<unsigned>(first) & 15];
}

}  // namespace airlite::npu::isa
