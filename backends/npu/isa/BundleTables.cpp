// Bundle formats, timing classes and the units they occupy.
#include "airlite/npu/isa/Tables.hpp"

namespace airlite::npu::isa {
namespace {

struct FormatText {
  std::string_view name;
  uint8_t bytes;
  SlotPlace slots[6];  // only the 16-bit nop has a slot at bit 15; none has lda at bit 0
  uint64_t fixedValue;
};

constexpr FormatText kTexts[] = {
#include "Formats.inc"
};
static_assert(std::size(kTexts) == kFormatCount);

constexpr unsigned kSlotBits[] = {21, 16, 21, 20, 22, 42, 26, 1};

constexpr Word128 bitsBelow(unsigned count) {
  if (count == 0) return {};
  uint64_t all = ~uint64_t{0};
  if (count <= 64) return {all >> (64 - count), 0};
  return {all, all >> (128 - count)};
}

constexpr FormatRow makeRow(const FormatText& text) {
  FormatRow format{text.name, text.bytes, {}, 0, text.fixedValue, bitsBelow(text.bytes * 8u), 0};
  for (const SlotPlace& place : text.slots) {
    if (place.slot == Slot::Lda && place.lsb == 0) break;
    format.slots[format.slotCount++] = place;
    format.slotSet |= static_cast<uint8_t>(1u << static_cast<unsigned>(place.slot));
    unsigned end = place.lsb + kSlotBits[static_cast<unsigned>(place.slot)];
    Word128 below = bitsBelow(place.lsb), upTo = bitsBelow(end);
    format.fixedMask.lo &= ~(upTo.lo ^ below.lo);
    format.fixedMask.hi &= ~(upTo.hi ^ below.hi);
  }
  return format;
}

constexpr auto kFormats = [] {
  std::array<FormatRow, kFormatCount> rows{};
  for (unsigned i = 0; i < kFormatCount; ++i)
    rows[i] = makeRow(kTexts[i]);
  return rows;
}();

constexpr ItineraryRow kItineraries[] = {
#include "Itineraries.inc"
};
static_assert(std::size(kItineraries) == kItineraryCount);

constexpr ItineraryChoice kChoices[] = {
#include "ItineraryChoices.inc"
};

constexpr std::string_view kUnits[] = {
#include "Units.inc"
};
static_assert(std::size(kUnits) == kUnitCount);

constexpr uint64_t mask(unsigned width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

}  // namespace

uint64_t Word128::get(unsigned lsb, unsigned width) const {
  uint64_t value = lsb >= 64 ? hi >> (lsb - 64) : lo >> lsb;
  if (lsb > 0 && lsb < 64) value |= hi << (64 - lsb);
  return value & mask(width);
}

void Word128::set(unsigned lsb, unsigned width, uint64_t value) {
  uint64_t bits = mask(width);
  value &= bits;
  if (lsb >= 64) {
    hi = (hi & ~(bits << (lsb - 64))) | value << (lsb - 64);
    return;
  }
  lo = (lo & ~(bits << lsb)) | value << lsb;
  if (lsb + width <= 64) return;
  hi = (hi & ~(bits >> (64 - lsb))) | value >> (64 - lsb);
}

const FormatRow& row(Format format) { return kFormats[static_cast<unsigned>(format)]; }
std::span<const FormatRow> formats() { return kFormats; }

const ItineraryRow& row(Itinerary itinerary) {
  return kItineraries[static_cast<unsigned>(itinerary)];
}
std::span<const ItineraryChoice> itineraryChoices() { return kChoices; }
std::string_view name(Unit unit) { return kUnits[static_cast<unsigned>(unit)]; }

std::span<const UnitUse> ItineraryRow::uses() const {
  size_t count = 0;
  while (count < std::size(units) && units[count].cycles)
    ++count;
  return {units, count};
}

}  // namespace airlite::npu::isa
