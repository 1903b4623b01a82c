// Bundle formats, timing classes and the units they occupy.
#include "SetTables.hpp"

namespace airlite::npu::isa {
namespace {

struct FormatText {
  std::string_view name;
  uint8_t bytes;
  SlotPlace slots[6];  // only the 16-bit nop has a slot at bit 15; none has lda at bit 0
  uint64_t fixedValue;
};

constexpr FormatText kAie2Texts[] = {
#include "aie2/Formats.inc"
};
constexpr FormatText kAie2pTexts[] = {
#include "aie2p/Formats.inc"
};
static_assert(std::size(kAie2Texts) == kAie2FormatCount);
static_assert(std::size(kAie2pTexts) == kAie2pFormatCount);

constexpr Word128 bitsBelow(unsigned count) {
  if (count == 0) return {};
  uint64_t all = ~uint64_t{0};
  if (count <= 64) return {all >> (64 - count), 0};
  return {all, all >> (128 - count)};
}

constexpr FormatRow makeRow(const FormatText& text, const SlotRows& slots) {
  FormatRow format{text.name, text.bytes, {}, 0, text.fixedValue, bitsBelow(text.bytes * 8u), 0};
  for (const SlotPlace& place : text.slots) {
    if (place.slot == Slot::Lda && place.lsb == 0) break;
    format.slots[format.slotCount++] = place;
    format.slotSet |= static_cast<uint8_t>(1u << static_cast<unsigned>(place.slot));
    unsigned end = place.lsb + slots[static_cast<unsigned>(place.slot)].bits;
    Word128 below = bitsBelow(place.lsb), upTo = bitsBelow(end);
    format.fixedMask.lo &= ~(upTo.lo ^ below.lo);
    format.fixedMask.hi &= ~(upTo.hi ^ below.hi);
  }
  return format;
}

constexpr auto kFormats = [] {
  std::array<FormatRow, kFormatCount> rows{};
  for (unsigned i = 0; i < kFormatCount; ++i)
    rows[i] = i < kAie2FormatCount ? makeRow(kAie2Texts[i], kAie2Slots)
                                   : makeRow(kAie2pTexts[i - kAie2FormatCount], kAie2pSlots);
  return rows;
}();

constexpr ItineraryRow kItineraries[] = {
#include "aie2/Itineraries.inc"
#include "aie2p/Itineraries.inc"
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
std::span<const FormatRow> aie2Formats() { return std::span(kFormats).first(kAie2FormatCount); }
std::span<const FormatRow> aie2pFormats() { return std::span(kFormats).subspan(kAie2FormatCount); }

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
