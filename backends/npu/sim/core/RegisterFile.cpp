#include "RegisterFile.hpp"

#include <cassert>

namespace airlite::npu::sim::core {
namespace {

using isa::Reg;
using isa::RegKind;

unsigned number(Reg reg) { return static_cast<unsigned>(reg); }

struct Layout {
  std::array<Place, isa::kRegCount> places{};
  unsigned end = 0;

  Layout() {
    placeWholes();
    for (unsigned reg = 0; reg < isa::kStorageCount; ++reg)
      if (!places[reg].count) placeLeaf(static_cast<Reg>(reg));
    for (unsigned reg = isa::kStorageCount; reg < isa::kRegCount; ++reg)
      places[reg] = joined(static_cast<Reg>(reg));
  }

  /// The parts of the largest registers first, in their order.
  void placeWholes() {
    for (unsigned reg = 0; reg < isa::kRegCount; ++reg) {
      RegKind kind = row(static_cast<Reg>(reg)).kind;
      const bool isWhole = kind == RegKind::Acc2048 || kind == RegKind::Acc1024 ||
                           kind == RegKind::Fifo1024 || kind == RegKind::Exp64 ||
                           kind == RegKind::Dim2d || kind == RegKind::Mask128;
      if (isWhole) placeParts(static_cast<Reg>(reg));
    }
    for (unsigned i = 0; i < 12; ++i)  // y2 begins with x4, in the order of x
      placeParts(static_cast<Reg>(number(Reg::x0) + i));
    for (unsigned i = 0; i < 32; ++i)
      placeLeaf(static_cast<Reg>(number(Reg::r0) + i));
  }

  void placeParts(Reg reg) {
    const isa::RegRow& whole = row(reg);
    for (unsigned i = 0; i < whole.partCount; ++i)
      placeParts(whole.parts[i]);
    // The halves of an accumulator of 2,048 bits come by as registers of their own.
    if (!whole.partCount && !places[number(reg)].count) placeLeaf(reg);
  }

  void placeLeaf(Reg reg) {
    const isa::RegRow& leaf = row(reg);
    unsigned bytes = leaf.bits <= 32 ? 4 : leaf.bits / 8;
    Place& place = places[number(reg)];
    place.ranges[0] = {static_cast<uint16_t>(end), static_cast<uint16_t>(bytes)};
    place.count = 1;
    if (leaf.bits < 32) place.mask = (1u << leaf.bits) - 1;
    place.sticky = isSticky(reg);
    end += bytes;
  }

  Place joined(Reg reg) const {
    Place all;
    const isa::RegRow& whole = row(reg);
    for (unsigned i = 0; i < whole.partCount; ++i)
      append(all, places[number(whole.parts[i])].count ? places[number(whole.parts[i])]
                                                       : joined(whole.parts[i]));
    return all;
  }

  static void append(Place& all, const Place& part) {
    for (const Range& range : part.all()) {
      Range& last = all.ranges[all.count ? all.count - 1 : 0];
      if (all.count && last.offset + last.bytes == range.offset)
        last.bytes = static_cast<uint16_t>(last.bytes + range.bytes);
      else
        all.ranges[all.count++] = range;
    }
  }
};

}  // namespace

const Place& placeOf(Reg reg) {
  static const Layout layout;
  assert(layout.end <= RegisterFile::kBytes);
  return layout.places[number(reg)];
}

uint32_t RegisterFile::u32(Reg reg) const {
  uint32_t value;
  std::memcpy(&value, at(placeOf(reg).ranges[0]), 4);
  return value;
}

void RegisterFile::setU32(Reg reg, uint32_t value) {
  const Place& place = placeOf(reg);
  value &= place.mask;
  std::memcpy(at(place.ranges[0]), &value, 4);
}

}  // namespace airlite::npu::sim::core
