// Bundles: which format, and the bits of the slots in it.
#include "airlite/npu/isa/Bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace airlite::npu::isa {
namespace {

unsigned bitOf(Slot slot) { return 1u << static_cast<unsigned>(slot); }

std::string hexOf(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte b : bytes)
    text += fmt::format("{:02x}", static_cast<unsigned>(b));
  return text;
}

Word128 wordOf(std::span<const std::byte> bytes) {
  Word128 word;
  for (unsigned i = 0; i < bytes.size(); ++i)
    word.set(i * 8, 8, static_cast<uint64_t>(bytes[i]));
  return word;
}

const FormatRow* formatOf(const Word128& word, unsigned bytes, const InstructionSet& set) {
  for (const FormatRow& format : set.formats)
    if (format.bytes == bytes && (word.lo & format.fixedMask.lo) == format.fixedValue &&
        (word.hi & format.fixedMask.hi) == 0)
      return &format;
  return nullptr;
}

Format idOf(const FormatRow& format, const InstructionSet& set) {
  return set.formatAt(static_cast<size_t>(&format - set.formats.data()));
}

std::string slotNames(unsigned set) {
  std::string names;
  for (unsigned i = 0; i < kSlotCount; ++i)
    if (set >> i & 1) names += (names.empty() ? "" : ", ") + std::string(name(Slot(i)));
  return names;
}

}  // namespace

std::optional<Format> chooseFormat(unsigned slotSet, unsigned minBytes, const InstructionSet& set) {
  const FormatRow* best = nullptr;
  for (const FormatRow& format : set.formats) {
    if (format.bytes < minBytes || (slotSet & ~format.slotSet)) continue;
    if (!best || format.bytes < best->bytes ||
        (format.bytes == best->bytes && format.slotCount < best->slotCount))
      best = &format;
  }
  return best ? std::optional(idOf(*best, set)) : std::nullopt;
}

Bundle::Bundle(Format format) : format_(format) {
  const FormatRow& f = row(format);
  for (unsigned i = 0; i < f.slotCount; ++i)
    instructions_[i] = Instruction::nop(f.slots[i].slot, set());
}

Result<Bundle> Bundle::make(std::span<const Instruction> instructions, unsigned minBytes) {
  const InstructionSet& set = instructions.empty() ? aie2() : instructions[0].set();
  unsigned slots = 0;
  for (const Instruction& instruction : instructions) {
    if (slots & bitOf(instruction.slot()))
      return Error{fmt::format("two instructions for slot {}", name(instruction.slot()))};
    if (&instruction.set() != &set)
      return Error{
          fmt::format("instructions of {} and {} in one bundle", set.name, instruction.set().name)};
    slots |= bitOf(instruction.slot());
  }
  std::optional<Format> format = chooseFormat(slots, minBytes, set);
  if (!format)
    return Error{fmt::format("no bundle of {} bytes or more holds the slots {}", minBytes,
                             slotNames(slots))};
  Bundle bundle(*format);
  for (const Instruction& instruction : instructions)
    bundle.replace(instruction);
  return bundle;
}

Result<Bundle> Bundle::decode(std::span<const std::byte> bytes, const InstructionSet& set) {
  unsigned size = bytes.empty() ? 2 : bundleSize(bytes[0], set);
  if (bytes.size() < size)
    return Error{fmt::format("a bundle of {} bytes is cut after {}", size, bytes.size())};
  Word128 word = wordOf(bytes.first(size));
  const FormatRow* format = formatOf(word, size, set);
  if (!format)
    return Error{
        fmt::format("no format of {} bytes has the bits {}", size, hexOf(bytes.first(size)))};
  Bundle bundle(idOf(*format, set));
  for (unsigned i = 0; i < format->slotCount; ++i) {
    const SlotPlace& place = format->slots[i];
    uint64_t bits = word.get(place.lsb, set.row(place.slot).bits);
    Result<Instruction> found = Instruction::decode(place.slot, bits, set);
    if (!found) return found.error();
    bundle.instructions_[i] = *found;
  }
  return bundle;
}

const Instruction* Bundle::find(Slot slot) const {
  for (const Instruction& instruction : instructions())
    if (instruction.slot() == slot) return &instruction;
  return nullptr;
}

bool Bundle::isNop() const {
  for (const Instruction& instruction : instructions())
    if (!instruction.isNop()) return false;
  return true;
}

std::optional<Bundle> Bundle::widened(unsigned bytes) const {
  // The slot `nop` is no more than filling: the bundle it stands in may become another.
  unsigned slots = row(format_).slotSet & ~bitOf(Slot::Nop);
  std::optional<Format> format = chooseFormat(slots, bytes, set());
  if (!format) return std::nullopt;
  Bundle bundle(*format);
  for (const Instruction& instruction : instructions())
    if (instruction.slot() != Slot::Nop) bundle.replace(instruction);
  return bundle;
}

void Bundle::replace(const Instruction& instruction) {
  const FormatRow& format = row(format_);
  for (unsigned i = 0; i < format.slotCount; ++i) {
    if (format.slots[i].slot != instruction.slot()) continue;
    instructions_[i] = instruction;
    return;
  }
  assert(false && "the format has no such slot");
}

unsigned widenTogether(std::span<Bundle> bundles, unsigned bytes) {
  for (size_t i = bundles.size(); i-- > 0 && bytes;) {
    Bundle& bundle = bundles[i];
    // Not every size has a format for every set of slots: the largest that is not too large.
    for (unsigned more = std::min(bytes, kMaxBundleBytes - bundle.size()); more; --more) {
      std::optional<Bundle> wider = bundle.widened(bundle.size() + more);
      if (!wider || wider->size() != bundle.size() + more) continue;
      bundle = *wider;
      bytes -= more;
      break;
    }
  }
  return bytes;
}

Word128 Bundle::encode() const {
  const FormatRow& format = row(format_);
  Word128 word{format.fixedValue, 0};
  for (unsigned i = 0; i < format.slotCount; ++i)
    word.set(format.slots[i].lsb, set().row(format.slots[i].slot).bits, instructions_[i].encode());
  return word;
}

void Bundle::encode(std::byte* bytes) const {
  Word128 word = encode();
  for (unsigned i = 0; i < size(); ++i)
    bytes[i] = static_cast<std::byte>(word.get(i * 8, 8));
}

}  // namespace airlite::npu::isa
