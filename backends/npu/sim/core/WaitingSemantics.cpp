// Locks, streams and the cascade: what the core may have to wait for.
//
// Stages: locks in 2 (docs/hardware/isa.md, rules.locks.ordering). Streams and the cascade are read
// in 5, the stage in which crSCDEn is read and two before the result (C), and written in 2 (C).
#include "Pipeline.hpp"
#include "Semantics.hpp"
#include "airlite/npu/device/StreamWords.hpp"

namespace airlite::npu::sim::core {
namespace {

constexpr uint8_t kLockStage = 2, kWriteStage = 2, kReadStage = 5;
/// Of the four tiles whose memory a core sees.
constexpr unsigned kLocks = 4 * aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core).locks;

Reply acquire(Flight& f, CoreHost& host) {
  f.pipe->waitForLock(f.u(0) % kLocks, f.s(1));
  return host.acquire(f.u(0) % kLocks, f.s(1));
}
Reply release(Flight& f, CoreHost& host) { return host.release(f.u(0) % kLocks, f.s(1)); }
Reply acquireIf(Flight& f, CoreHost& host) { return f.u(2) ? acquire(f, host) : Reply::Done; }
Reply releaseIf(Flight& f, CoreHost& host) { return f.u(2) ? release(f, host) : Reply::Done; }

/// The word in memory's first lane, TLAST in its second, success in its third.
Reply readStream(Flight& f, CoreHost& host) {
  StreamWord word;
  Reply reply = host.readStream(word);
  f.memory.set(word.value, 0);
  f.memory.set<uint32_t>(word.isLast, 1);
  f.memory.set<uint32_t>(reply == Reply::Done, 2);
  return reply;
}
/// A refusal is an answer too.
Reply tryStream(Flight& f, CoreHost& host) {
  Reply reply = readStream(f, host);
  return reply == Reply::Stalled ? Reply::Done : reply;
}
void streamResult(Flight& f) {
  f.result(f.memory.u32());
  f.result(f.memory.get<uint32_t>(1), 1);
}
/// srSS0 after a read that may fail: TLAST in bit 0, success in bit 1 (C).
void tryStreamResult(Flight& f) {
  f.result(f.memory.u32());
  f.result(f.memory.get<uint32_t>(1) | f.memory.get<uint32_t>(2) << 1, 1);
}

enum class Last { No, Yes, FromRegister };

/// What is sent: a register, or a header made of it and of immediates.
using Word = Result<uint32_t> (*)(const Flight&);
constexpr uint32_t kIdMask = 31;

Result<uint32_t> plainWord(const Flight& f) { return f.u(0); }

/// `mov.ph ms, id, type`: the header of a packet that begins here.
Result<uint32_t> packetHeader(const Flight& f) {
  return encode(PacketHeader{static_cast<uint8_t>(f.u(0) & kIdMask), static_cast<uint8_t>(f.u(1)),
                             f.pipe->tile()});
}

/// `mov.cph ms, address, words - 1, operation, id`.
Result<uint32_t> controlHeader(const Flight& f) {
  return encode(ControlHeader{f.u(0), static_cast<uint8_t>(f.u(1) + 1),
                              static_cast<ControlOperation>(f.u(2)),
                              static_cast<uint8_t>(f.u(3) & kIdMask)});
}

/// `lastInput`: the register that says TLAST.
template <Word make, Last last, unsigned lastInput> Reply writeStream(Flight& f, CoreHost& host) {
  const bool isLast = last == Last::Yes || (last == Last::FromRegister && (f.u(lastInput) & 1));
  const Result<uint32_t> word = make(f);
  if (word) return host.writeStream({*word, isLast});
  f.pipe->fault(f.pc, word.error().message);
  return Reply::Faulted;
}
template <Word make, Last last, unsigned lastInput>
Reply tryWriteStream(Flight& f, CoreHost& host) {
  Reply reply = writeStream<make, last, lastInput>(f, host);
  f.memory.set<uint32_t>(reply == Reply::Done);
  return reply == Reply::Stalled ? Reply::Done : reply;
}
void writeSuccess(Flight& f) { f.result(f.memory.u32()); }

std::span<uint8_t, cascadeBytes> first512(Value& value) {
  return std::span<uint8_t, cascadeBytes>(value.bytes.data(), cascadeBytes);
}
Reply readCascade(Flight& f, CoreHost& host) { return host.readCascade(first512(f.memory)); }
Reply writeCascade(Flight& f, CoreHost& host) { return host.writeCascade(first512(f.in[0])); }
void cascadeResult(Flight& f) { f.out[0] = f.memory; }
/// One part of an accumulator; the others become 0 (C: AMD's gemm_4x4 adds what
/// `vmov.lo` and `vmov.hi` give one after the other, from one register, to the same sums).
template <unsigned part> void cascadePart(Flight& f) {
  f.out[0] = Value();
  for (unsigned i = 0; i < cascadeBytes; ++i)
    f.out[0].bytes[part * cascadeBytes + i] = f.memory.bytes[i];
}

constexpr Semantic lock(Ask ask) { return {nullptr, ask, kLockStage, CoreState::StalledOnLock}; }
constexpr Semantic streamIn(Run run, Ask ask) {
  return {run, ask, kReadStage, CoreState::StalledOnStreamIn};
}
constexpr Semantic streamOut(Ask ask, Run run = nullptr) {
  return {run, ask, kWriteStage, CoreState::StalledOnStreamOut};
}

constexpr Semantic cascadeIn(Run run) {
  return {run, readCascade, kReadStage, CoreState::StalledOnCascadeIn};
}

// clang-format off
#define AIRLITE_STREAM_OUT(NAME, WORD, N) \
  {NAME " ms", streamOut(writeStream<WORD, Last::No, N>)}, \
  {NAME ".tlast ms", streamOut(writeStream<WORD, Last::Yes, N>)}, \
  {NAME " ms tlast", streamOut(writeStream<WORD, Last::FromRegister, N>)}, \
  {NAME ".nb ms", streamOut(tryWriteStream<WORD, Last::No, N>, writeSuccess)}, \
  {NAME ".nb.tlast ms", streamOut(tryWriteStream<WORD, Last::Yes, N>, writeSuccess)}, \
  {NAME ".nb ms tlast", streamOut(tryWriteStream<WORD, Last::FromRegister, N>, writeSuccess)}
// clang-format on

constexpr SemanticRow kWaitingRows[] = {
    {"acq", lock(acquire)},
    {"rel", lock(release)},
    {"acq.cond", lock(acquireIf)},
    {"rel.cond", lock(releaseIf)},
    {"mov SS", streamIn(streamResult, readStream)},
    {"mov.nb SS", streamIn(tryStreamResult, tryStream)},
    AIRLITE_STREAM_OUT("mov", plainWord, 1),
    AIRLITE_STREAM_OUT("mov.ph", packetHeader, 2),
    AIRLITE_STREAM_OUT("mov.cph", controlHeader, 4),
    {"vmov SCD", cascadeIn(cascadeResult)},
    {"vmov.lo SCD", cascadeIn(cascadePart<0>)},
    {"vmov.hi SCD", cascadeIn(cascadePart<1>)},
    {"vmov.0 SCD", cascadeIn(cascadePart<0>)},
    {"vmov.1 SCD", cascadeIn(cascadePart<1>)},
    {"vmov.2 SCD", cascadeIn(cascadePart<2>)},
    {"vmov.3 SCD", cascadeIn(cascadePart<3>)},
    {"vmov MCD", {nullptr, writeCascade, kWriteStage, CoreState::StalledOnCascadeOut}},
};
#undef AIRLITE_STREAM_OUT

}  // namespace

std::span<const SemanticRow> waitingSemantics() { return kWaitingRows; }

}  // namespace airlite::npu::sim::core
