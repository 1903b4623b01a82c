// Whole lanes that move: broadcast, extract, insert, push, shift, shuffle
// (docs/hardware/vector_facts.md, 8, 9). Lane numbers count modulo the number of lanes (C).
// vshift.align is left out: how its second shift meets the first is not known.
#include "Pipeline.hpp"
#include "Semantics.hpp"
#include "Shuffle.hpp"

#include <array>
#include <type_traits>

namespace airlite::npu::sim::core {
namespace {

using Lane128 = std::array<uint64_t, 2>;

template <typename T> Value filledWith(T value) {
  Value result;
  for (unsigned i = 0; i < lanesOf<T>; ++i)
    result.set(value, i);
  return result;
}

template <typename T> void broadcast(Flight& f) { f.out[0] = filledWith(f.in[0].get<T>()); }

template <typename T> void broadcastLane(Flight& f) {
  f.out[0] = filledWith(f.in[0].get<T>(f.u(1) % lanesOf<T>));
}

/// Into a register of 32 bits, or of 64.
template <typename T> void extract(Flight& f) {
  f.out[0].set(static_cast<int64_t>(f.in[0].get<T>(f.u(1) % lanesOf<T>)));
}

template <typename T> void extractDynamic(Flight& f) {
  f.u(2) & 1 ? extract<T>(f) : extract<std::make_unsigned_t<T>>(f);
}

template <typename T> void insert(Flight& f) {
  f.out[0] = f.in[0];
  f.out[0].set(f.in[2].get<T>(), f.u(1) % lanesOf<T>);
}

template <typename T> void insertFirst(Flight& f) {
  f.out[0] = f.in[0];
  f.out[0].set(f.in[1].get<T>(), 0);
}

/// The scalar becomes the lowest lane, the others move up.
template <typename T> void pushLow(Flight& f) {
  for (unsigned i = lanesOf<T>; i-- > 1;)
    f.out[0].set(f.in[1].get<T>(i - 1), i);
  f.out[0].set(f.in[0].get<T>(), 0);
}

/// The scalar becomes the highest lane, the others move down.
template <typename T> void pushHigh(Flight& f) {
  for (unsigned i = 0; i + 1 < lanesOf<T>; ++i)
    f.out[0].set(f.in[0].get<T>(i + 1), i);
  f.out[0].set(f.in[1].get<T>(), lanesOf<T> - 1);
}

/// 512 bits from a byte of {second, first} on, zeros after. The amount has 7 bits (C).
void shift(Flight& f) {
  const unsigned by = f.u(2) % (2 * kVectorBytes);
  for (unsigned i = 0; i < kVectorBytes; ++i) {
    const unsigned from = i + by;
    f.out[0].bytes[i] = from < kVectorBytes       ? f.in[0].bytes[from]
                        : from < 2 * kVectorBytes ? f.in[1].bytes[from - kVectorBytes]
                                                  : uint8_t{0};
  }
}

void shuffleInto(Flight& f, const Value& low, const Value& high, uint32_t mode) {
  const unsigned modes = isAie2p(f.op->form) ? kAie2pShuffleModes : kAie2ShuffleModes;
  if (mode < modes && shuffle(low, high, mode, f.out[0])) return;
  f.pipe->fault(f.pc, "not modelled: shuffle mode " + std::to_string(mode));
}

template <typename T> void broadcastLaneShuffled(Flight& f) {
  shuffleInto(f, filledWith(f.in[0].get<T>(f.u(1) % lanesOf<T>)), Value(), f.u(2));
}

void shuffleTwo(Flight& f) { shuffleInto(f, f.in[0], f.in[1], f.u(2)); }

/// The broadcast shuffled with zeros (C).
template <typename T> void broadcastShuffled(Flight& f) {
  shuffleInto(f, filledWith(f.in[0].get<T>()), Value(), f.u(1));
}

// clang-format off
#define AIRLITE_LANES(NAME, RUN) \
  {NAME "8", {RUN<int8_t>}}, {NAME "16", {RUN<int16_t>}}, {NAME "32", {RUN<int32_t>}}, \
  {NAME "64", {RUN<int64_t>}}

constexpr SemanticRow kVectorMoveRows[] = {
    AIRLITE_LANES("vbcst.", broadcast), AIRLITE_LANES("vextbcst.", broadcastLane),
    AIRLITE_LANES("vextract.s", extract), AIRLITE_LANES("vextract.d", extractDynamic),
    AIRLITE_LANES("vinsert.", insert), AIRLITE_LANES("vpush.lo.", pushLow),
    AIRLITE_LANES("vpush.hi.", pushHigh), AIRLITE_LANES("vbcstshfl.", broadcastShuffled),
    // AIE2P: the sign is an operand of every form, and lanes of 128 bits are broadcast.
    AIRLITE_LANES("vextract.", extractDynamic), AIRLITE_LANES("vinsert 0.", insertFirst),
    AIRLITE_LANES("vextbcstshfl.", broadcastLaneShuffled),
    {"vextbcst.128", {broadcastLane<Lane128>}},
    {"vextbcstshfl.128", {broadcastLaneShuffled<Lane128>}},
    {"vshift", {shift}}, {"vshuffle", {shuffleTwo}},
};
#undef AIRLITE_LANES
// clang-format on

}  // namespace

std::span<const SemanticRow> vectorMoveSemantics() { return kVectorMoveRows; }

}  // namespace airlite::npu::sim::core
