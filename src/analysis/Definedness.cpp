#include "Definedness.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

/// Steps that are spent on what is undefined, per function: right programs need few.
constexpr int64_t kMostDefinednessSteps = 2'000'000;

/// Elements of a memref that are numbered by its shape; empty for other memrefs.
std::optional<int64_t> numberedElements(Value value) {
  const MemRefType type = value.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape() || !type.hasIdentityLayout()) return std::nullopt;
  int64_t total = 1;
  for (int64_t size : type.shape())
    if (__builtin_mul_overflow(total, size, &total)) return std::nullopt;
  return total;
}

/// Memory that a program makes, but for such that begins as zeros.
bool beginsUndefined(Value value) {
  Operation* def = value.definingOp();
  return def && (isa<memref::AllocOp>(def) || isa<memref::AllocaOp>(def)) &&
         !def->hasAttr(air::kZeroMemory);
}

}  // namespace

DefinedMemory::DefinedMemory(const Unfolding& unfolding)
    : budget(kMostDefinednessSteps), in_(unfolding) {
  const size_t count = in_.buffers.size();
  copies_.resize(count);
  memories_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    const UnfoldedBuffer& buffer = in_.buffers[i];
    if (buffer.copyOf != kNone) copies_[buffer.copyOf].push_back(i);
    const auto elements = numberedElements(buffer.value);
    if (!buffer.isUnknown && beginsUndefined(buffer.value) && elements)
      memories_[i].set(0, *elements, kNeverWritten);
  }
  shareBetweenCores();
}

/// Cores share what a core reads and never writes, or writes and never reads (docs/interpreter.md).
/// They use it in turns that a play does not know, so it counts as defined; also where it is not
/// certain which of both a core does.
void DefinedMemory::shareBetweenCores() {
  struct Use {
    bool reads = false, writes = false, mayWrite = false;
  };
  std::vector<Use> uses(in_.buffers.size());
  for (const Touch& touch : in_.touches) {
    uses[touch.buffer].reads |= touch.kind == AccessKind::Read;
    uses[touch.buffer].writes |= touch.kind == AccessKind::Write;
  }
  for (const MaybeTouch& touch : in_.maybes)
    if (touch.buffer != kNone) uses[touch.buffer].mayWrite |= touch.kind == AccessKind::Write;
  for (uint32_t base = 0; base < copies_.size(); ++base) {
    const std::vector<uint32_t>& own = copies_[base];
    const bool isWritten = std::any_of(own.begin(), own.end(), [&](uint32_t copy) {
      return uses[copy].writes || uses[copy].mayWrite;
    });
    const bool isOwn = std::all_of(own.begin(), own.end(), [&](uint32_t copy) {
      return uses[copy].reads && uses[copy].writes;
    });
    if (isWritten && !isOwn) define(base);
  }
}

void DefinedMemory::define(uint32_t buffer) {
  if (in_.buffers[buffer].isUnknown) return defineAll();
  of(buffer).clear();
  for (uint32_t copy : copies_[buffer])
    of(copy).clear();
}

void DefinedMemory::defineAll() {
  for (UndefinedRuns& memory : memories_)
    memory.clear();
}

void DefinedMemory::define(uint32_t buffer, const ElementPiece& piece) {
  UndefinedRuns& memory = of(buffer);
  if (memory.isEmpty()) return;
  piece.sorted().forEachRun([&](int64_t begin, int64_t length) {
    memory.erase(begin, begin + length);
    return !memory.isEmpty() && --budget >= 0;
  });
}

std::optional<ElementPiece> DefinedMemory::wholeOf(uint32_t buffer) const {
  const auto elements = numberedElements(in_.buffers[buffer].value);
  if (!elements) return std::nullopt;
  return ElementPiece{0, {{*elements, 1}}};
}

std::optional<ElementPiece> DefinedMemory::pieceOf(const Touch& touch) const {
  if (touch.isWhole) return wholeOf(touch.buffer);
  if (!numberedElements(in_.buffers[touch.buffer].value)) return std::nullopt;
  for (const StridedDim& dim : *touch.dims)
    if (dim.count == kUnbounded) return std::nullopt;
  return ElementPiece{touch.start, *touch.dims};
}

bool DefinedMemory::seesUndefined(uint32_t buffer, const ElementPiece& piece) {
  const UndefinedRuns& memory = of(buffer);
  if (memory.isEmpty()) return false;
  bool isSeen = false;
  piece.sorted().forEachRun([&](int64_t begin, int64_t length) {
    isSeen = memory.firstIn(begin, begin + length).origin != kIsDefined;
    return !isSeen && --budget >= 0;
  });
  return isSeen;
}

UndefinedOrigin DefinedMemory::readBy(Operation& op, InstanceId instance, Value buffer,
                                      int64_t element, UndefinedOrigin origin) {
  if (origin != kNeverWritten) return origin;
  const auto [known, isNew] = readers_.try_emplace({&op, buffer.impl()}, kIsDefined);
  if (isNew) {
    reads_.push_back({&op, instance, buffer, element});
    known->second = static_cast<UndefinedOrigin>(reads_.size() + 1);
  }
  return known->second;
}

bool DefinedMemory::append(UndefinedStream& stream, Operation& op, InstanceId instance,
                           Value buffer, const UndefinedRuns& from, const ElementPiece& piece) {
  if (from.isEmpty()) {
    stream.append(piece.count(), kIsDefined);
    return true;
  }
  return piece.forEachRun([&](int64_t begin, int64_t length) {
    for (int64_t at = begin; at < begin + length;) {
      const UndefinedRun run = from.firstIn(at, begin + length);
      const int64_t next = run.origin == kIsDefined ? begin + length : run.begin;
      stream.append(next - at, kIsDefined);
      if (run.origin != kIsDefined)
        stream.append(run.end - run.begin, readBy(op, instance, buffer, run.begin, run.origin));
      at = run.origin == kIsDefined ? next : run.end;
      --budget;
    }
    return budget >= 0;
  });
}

bool DefinedMemory::take(const UndefinedStream& stream, UndefinedRuns& to,
                         const ElementPiece& piece) {
  int64_t total = 0;
  for (const UndefinedStream::Part& part : stream.parts)
    total += part.count;
  if (total != piece.count()) return false;
  if (stream.parts.size() <= 1 && (stream.parts.empty() || stream.parts[0].origin == kIsDefined)) {
    piece.sorted().forEachRun([&](int64_t begin, int64_t length) {
      to.erase(begin, begin + length);
      return !to.isEmpty() && --budget >= 0;
    });
    return budget >= 0;
  }
  size_t part = 0;
  int64_t taken = 0;
  return piece.forEachRun([&](int64_t begin, int64_t length) {
    for (int64_t at = begin; at < begin + length; --budget) {
      const int64_t here = std::min(begin + length - at, stream.parts[part].count - taken);
      to.set(at, at + here, stream.parts[part].origin);
      at += here;
      taken += here;
      if (taken < stream.parts[part].count) continue;
      ++part;
      taken = 0;
    }
    return budget >= 0;
  });
}

}  // namespace airlite::analysis
