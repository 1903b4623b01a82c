// The two instruction sets, and what is asked of either.
#include "SetTables.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace airlite::npu::isa {
namespace {

// Of the lowest four bits of the first byte (docs/hardware/isa.md and aie2p.md, rules.length_decode).
constexpr std::array<uint8_t, 16> kAie2Bytes = {16, 2, 16, 8,  16, 6, 16, 12,
                                                16, 4, 16, 10, 16, 6, 16, 14};
constexpr std::array<uint8_t, 16> kAie2pBytes = {2, 16, 8,  16, 6, 16, 12, 16,
                                                 4, 16, 10, 16, 6, 16, 14, 16};

struct BySlot {
  std::vector<Form> order;
  std::array<std::span<const Form>, kSlotCount> spans;
};

int fixedBits(Form form) { return std::popcount(row(form).fixedMask); }

BySlot sortBySlot(const InstructionSet& set) {
  BySlot all;
  for (size_t i = 0; i < set.forms.size(); ++i)
    all.order.push_back(set.formAt(i));
  std::ranges::stable_sort(all.order, [](Form a, Form b) {
    if (row(a).slot != row(b).slot) return row(a).slot < row(b).slot;
    return fixedBits(a) > fixedBits(b);
  });
  auto slotOf = [](Form form) { return row(form).slot; };
  for (unsigned i = 0; i < kSlotCount; ++i)
    all.spans[i] = std::ranges::equal_range(all.order, Slot(i), {}, slotOf);
  return all;
}

}  // namespace

const InstructionSet& aie2() {
  static const InstructionSet set{"aie2",    2,          aie2Forms(), aie2Formats(),     Form{0},
                                  Format{0}, kAie2Slots, kAie2Bytes,  Form::MOVXM_lng_cg};
  return set;
}

const InstructionSet& aie2p() {
  static const InstructionSet set{"aie2p",
                                  3,
                                  aie2pForms(),
                                  aie2pFormats(),
                                  Form{kAie2FormCount},
                                  Format{kAie2FormatCount},
                                  kAie2pSlots,
                                  kAie2pBytes,
                                  Form::P_MOVXM};
  return set;
}

std::span<const InstructionSet* const> instructionSets() {
  static const std::array<const InstructionSet*, 2> all = {&aie2(), &aie2p()};
  return all;
}

const InstructionSet* instructionSetNamed(std::string_view name) {
  for (const InstructionSet* set : instructionSets())
    if (set->name == name) return set;
  return nullptr;
}

std::string_view name(Slot slot) {
  constexpr std::string_view kNames[] = {"lda", "ldb", "st", "alu", "mv", "lng", "vec", "nop"};
  return kNames[static_cast<unsigned>(slot)];
}

std::span<const Form> formsOf(Slot slot, const InstructionSet& set) {
  static const BySlot ofAie2 = sortBySlot(aie2()), ofAie2p = sortBySlot(aie2p());
  return (&set == &aie2() ? ofAie2 : ofAie2p).spans[static_cast<unsigned>(slot)];
}

}  // namespace airlite::npu::isa
