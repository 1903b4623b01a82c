// Locks, streams and the cascade: what the core may have to wait for.
//
// Stages: locks in 2 (isa.json, rules.locks.ordering). Streams and the cascade are read in 5, the
// stage in which crSCDEn is read and two before the result (C), and written in 2 (C).
#include "Pipeline.hpp"
#include "Semantics.hpp"

namespace airlite::npu::sim::core {
namespace {

constexpr uint8_t kLockStage = 2, kWriteStage = 2, kReadStage = 5;
constexpr unsigned kLocks = 64;

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

template <Last last> Reply writeStream(Flight& f, CoreHost& host) {
  bool isLast = last == Last::Yes || (last == Last::FromRegister && (f.u(1) & 1));
  return host.writeStream({f.u(0), isLast});
}
template <Last last> Reply tryWriteStream(Flight& f, CoreHost& host) {
  Reply reply = writeStream<last>(f, host);
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

constexpr Semantic lock(Ask ask) { return {nullptr, ask, kLockStage, CoreState::StalledOnLock}; }
constexpr Semantic streamIn(Run run, Ask ask) {
  return {run, ask, kReadStage, CoreState::StalledOnStreamIn};
}
constexpr Semantic streamOut(Ask ask, Run run = nullptr) {
  return {run, ask, kWriteStage, CoreState::StalledOnStreamOut};
}

constexpr SemanticRow kRows[] = {
    {"acq", lock(acquire)},
    {"rel", lock(release)},
    {"acq.cond", lock(acquireIf)},
    {"rel.cond", lock(releaseIf)},
    {"mov SS", streamIn(streamResult, readStream)},
    {"mov.nb SS", streamIn(tryStreamResult, tryStream)},
    {"mov ms", streamOut(writeStream<Last::No>)},
    {"mov.tlast ms", streamOut(writeStream<Last::Yes>)},
    {"mov ms tlast", streamOut(writeStream<Last::FromRegister>)},
    {"mov.nb ms", streamOut(tryWriteStream<Last::No>, writeSuccess)},
    {"mov.nb.tlast ms", streamOut(tryWriteStream<Last::Yes>, writeSuccess)},
    {"mov.nb ms tlast", streamOut(tryWriteStream<Last::FromRegister>, writeSuccess)},
    {"vmov SCD", {cascadeResult, readCascade, kReadStage, CoreState::StalledOnCascadeIn}},
    {"vmov MCD", {nullptr, writeCascade, kWriteStage, CoreState::StalledOnCascadeOut}},
};

}  // namespace

std::span<const SemanticRow> waitingSemantics() { return kRows; }

}  // namespace airlite::npu::sim::core
