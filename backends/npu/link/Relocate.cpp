#include "Relocate.hpp"

#include "airlite/npu/isa/Relocations.hpp"

#include <fmt/format.h>

namespace airlite::npu::link {
namespace {

constexpr unsigned addressBits = 20;

unsigned widthOf(const isa::RelocationRow& row) {
  return row.fields[0].width + row.fields[1].width;
}

/// Short immediates are extended with their sign: an address that loses bits is another address.
bool isCut(const isa::RelocationRow& row, int64_t address) {
  const unsigned width = widthOf(row);
  const auto value = int32_t(uint32_t(address));
  if (row.kind != isa::RelocationKind::Immediate || width >= addressBits) return false;
  return value < -(1 << (width - 1)) || value >= 1 << (width - 1);
}

/// Sums of addresses have 32 bits.
int64_t inWord(int64_t sum) { return uint32_t(sum); }

/// The function or variable around a byte of a section: the last symbol before it.
const ObjectSymbol* symbolAround(const Object& object, const ObjectSection* section,
                                 uint32_t offset) {
  const ObjectSymbol* best = nullptr;
  for (const ObjectSymbol& symbol : object.symbols) {
    if (symbol.place != SymbolPlace::Section || symbol.type == SymbolType::Section) continue;
    if (&object.sections[symbol.section] != section || symbol.value > offset) continue;
    if (!best || symbol.value > best->value) best = &symbol;
  }
  return best;
}

}  // namespace

const ObjectSymbol& Relocator::symbolOf(const Part& part,
                                        const ObjectRelocation& relocation) const {
  return request_.objects[part.object].symbols[relocation.symbol];
}

std::string Relocator::placeOf(const Part& part, uint32_t offset) const {
  const Object& object = request_.objects[part.object];
  const ObjectSymbol* around = symbolAround(object, part.section, offset);
  const std::string in = around ? fmt::format("'{}', ", around->name) : "";
  return fmt::format("{} ({}{}+{:#x})", object.name, in, part.name, offset);
}

std::optional<int64_t> Relocator::valueOf(const Part& part, const ObjectRelocation& relocation) {
  const Meaning meaning = symbols_.meaningOf(part.object, relocation.symbol);
  const std::string& name = symbolOf(part, relocation).name;
  switch (meaning.kind) {
    case Meaning::Kind::Number: return inWord(meaning.value + relocation.addend);
    case Meaning::Kind::InPart:
      return inWord(symbols_.parts()[meaning.part].address + meaning.value + relocation.addend);
    case Meaning::Kind::Undefined:
      if (meaning.isWeak) return inWord(relocation.addend);
      if (!missing_[name].uses++) missing_[name].firstUse = placeOf(part, relocation.offset);
      return std::nullopt;
    case Meaning::Kind::Discarded:
    case Meaning::Kind::NotLoaded: break;
  }
  errors_.push_back(fmt::format(
      "{} refers to '{}', which is not linked{}", placeOf(part, relocation.offset), name,
      meaning.kind == Meaning::Kind::Discarded ? ": another object has brought its group"
                                               : " but debug information"));
  return std::nullopt;
}

std::string Relocator::whyNot(const ObjectRelocation& relocation, int64_t value) const {
  const isa::RelocationRow& row = isa::relocations(set_)[relocation.number];
  if (row.kind == isa::RelocationKind::Target && value >= int64_t{request_.programBytes})
    return fmt::format("a jump to {:#x}, program memory has {} bytes", value,
                       request_.programBytes);
  if (isCut(row, value))
    return fmt::format("{:#x} does not fit into the {} bits of the instruction (R_AIE_{})", value,
                       widthOf(row), row.number);
  return "";
}

void Relocator::apply(const Part& part, const ObjectRelocation& relocation, ByteVector& bytes) {
  const std::optional<int64_t> value = valueOf(part, relocation);
  if (!value) return;
  std::string error = whyNot(relocation, *value);
  const auto rest = std::as_writable_bytes(std::span(bytes)).subspan(relocation.offset);
  if (error.empty()) {
    const auto done = isa::relocate(relocation.number, rest, *value, set_);
    if (done) return;
    error = done.error().message;
  }
  errors_.push_back(fmt::format("{} refers to '{}': {}", placeOf(part, relocation.offset),
                                symbolOf(part, relocation).name, error));
}

ByteVector Relocator::bytesOf(const Part& part) {
  if (!part.section) return {};
  ByteVector bytes = part.section->bytes;
  for (const ObjectRelocation& relocation : part.section->relocations)
    apply(part, relocation, bytes);
  return bytes;
}

void Relocator::reportUndefined() {
  for (const auto& [name, missing] : missing_) {
    const unsigned others = missing.uses - 1;
    errors_.push_back(fmt::format("undefined symbol '{}', used by {}{}{}", name, missing.firstUse,
                                  others ? fmt::format(" and {} more", others) : "",
                                  symbols_.suggestionFor(name)));
  }
}

}  // namespace airlite::npu::link
