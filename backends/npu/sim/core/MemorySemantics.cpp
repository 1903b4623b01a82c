// Loads and stores that do not convert. A part-word store reads its word in stage 5, and writes it
// in stage 11 with the new bytes: what else was stored into the word meanwhile is lost, as in
// hardware (docs/hardware/isa.md, rules.memory.sub_word).
#include "Semantics.hpp"

namespace airlite::npu::sim::core {
namespace {

void load(Flight& f) { f.out[0] = f.memory; }
void store(Flight& f) { f.memory = f.in[0]; }

template <typename T> void loadPart(Flight& f) {
  f.result(static_cast<uint32_t>(static_cast<int32_t>(f.memory.get<T>())));
}

template <typename T> void storePart(Flight& f) {
  f.memory.set(f.in[0].get<T>(), (f.address & 3) / sizeof(T));
}

/// The lower half; the upper one becomes 0 (C: nothing says that it is kept).
void loadHalf(Flight& f) {
  f.out[0] = Value();
  for (unsigned i = 0; i < 16; ++i)
    f.out[0].bytes[i] = f.memory.bytes[i];
}

constexpr SemanticRow kMemoryRows[] = {
    {"lda", {load}},
    {"lda.tm", {load}},
    {"lda.s8", {loadPart<int8_t>}},
    {"lda.s16", {loadPart<int16_t>}},
    {"lda.u8", {loadPart<uint8_t>}},
    {"lda.u16", {loadPart<uint16_t>}},
    {"st", {store}},
    {"st.tm", {store}},
    {"st.s8", {storePart<uint8_t>}},
    {"st.s16", {storePart<uint16_t>}},
    {"vlda", {load}},
    {"vldb", {load}},
    {"vlda.128", {loadHalf}},
    {"vldb.128", {loadHalf}},
    {"vst", {store}},
    {"vst.128", {store}},
};

}  // namespace

std::span<const SemanticRow> memorySemantics() { return kMemoryRows; }

}  // namespace airlite::npu::sim::core
