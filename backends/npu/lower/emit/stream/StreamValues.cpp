#include "StreamValues.hpp"

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::npu {
namespace {

/// Views that only change what a type says of the same memory.
bool keepsStart(Operation& op) {
  for (const std::string_view name :
       {"memref.cast", "memref.memory_space_cast", "memref.assume_alignment", "memref.expand_shape",
        "memref.collapse_shape", "memref.transpose"})
    if (op.is(name)) return true;
  return false;
}

void moveBy(MemoryPlace& place, Bytes bytes) {
  std::visit([&](auto& memory) { memory.offset = memory.offset + bytes; }, place);
}

}  // namespace

SequenceValues::Known SequenceValues::known(Value value) const {
  const auto found = memories_.find(value);
  return {number(value), task(value), found == memories_.end() ? value : found->second};
}

void SequenceValues::copy(OperandRange from, std::span<const Value> to) {
  std::vector<Known> all;
  for (size_t i = 0; i < to.size(); ++i)
    all.push_back(known(from[unsigned(i)]));
  for (size_t i = 0; i < to.size(); ++i) {
    numbers_.erase(to[i]), tasks_.erase(to[i]);
    if (all[i].number) numbers_[to[i]] = *all[i].number;
    if (all[i].task) tasks_[to[i]] = *all[i].task;
    memories_[to[i]] = all[i].memory;
  }
}

std::optional<int64_t> SequenceValues::number(Value value) const {
  const auto found = numbers_.find(value);
  return found == numbers_.end() ? constantIntOf(value) : std::optional(found->second);
}

std::optional<int64_t> SequenceValues::numberFor(Operation& user, Value value,
                                                 std::string_view what) const {
  if (const auto known = number(value)) return known;
  InFlightDiagnostic error = user.emitOpError();
  error << what << " is not known when the stream is made";
  error.note(value.location())
      << "it comes from here; airlite-compile --set N=VALUE makes an argument a constant";
  return std::nullopt;
}

std::optional<TaskId> SequenceValues::task(Value value) const {
  const auto found = tasks_.find(value);
  return found == tasks_.end() ? std::nullopt : std::optional(found->second);
}

void SequenceValues::evaluate(Operation& op) {
  for (Value result : op.resultValues())
    numbers_.erase(result);  // of the iteration before
  if (op.numResults() != 1) return;
  const auto numberOf = [&](Value value) { return number(value); };
  if (const auto result = computeNumber(op.result(), numberOf)) bind(op.result(), *result);
}

// -- Memory ---------------------------------------------------------------------------------------

std::optional<MemoryPlace> SequenceValues::memory(Operation& user, Value memref) const {
  if (const auto inner = memories_.find(memref); inner != memories_.end())
    return memory(user, inner->second);
  if (memref.isBlockArgument()) return ofArgument(user, memref);
  Operation& source = *memref.definingOp();
  if (airlite::isa<aie::BufferOp>(&source)) {
    auto place = placeOfBuffer(config_, user, source);
    return place ? std::optional<MemoryPlace>(*place) : std::nullopt;
  }
  if (source.numOperands() != 0) return ofView(user, source);
  (user.emitOpError() << "its memory is neither an argument of the sequence nor an aie.buffer")
          .note(source.location())
      << "it comes from here";
  return std::nullopt;
}

std::optional<MemoryPlace> SequenceValues::ofArgument(Operation& user, Value memref) const {
  if (memref.argumentBlock()->parentOp() == &sequence_) return HostMemory{memref.index(), Bytes(0)};
  user.emitOpError() << "its memory is not known when the stream is made";
  return std::nullopt;
}

std::optional<MemoryPlace> SequenceValues::ofView(Operation& user, Operation& view) const {
  if (keepsStart(view)) return memory(user, view.operand(0));
  const auto offset = viewOffset(user, view);
  if (!offset) return std::nullopt;
  auto place = memory(user, view.operand(0));
  if (place) moveBy(*place, Bytes(*offset));
  return place;
}

/// Bytes from the start of the source to that of the view.
std::optional<int64_t> SequenceValues::viewOffset(Operation& user, Operation& view) const {
  const auto refuse = [&](std::string_view why) -> std::optional<int64_t> {
    (user.emitOpError() << "not supported: " << why).note(view.location()) << "it comes from here";
    return std::nullopt;
  };
  auto source = view.operand(0).type().dynCast<MemRefType>();
  const auto form = source ? source.stridedForm() : std::nullopt;
  const auto bytes = source ? aie::elementBytes(source.elementType()) : std::nullopt;
  const bool isSubview = view.is("memref.subview");
  if (!isSubview && !view.is("memref.reinterpret_cast"))
    return refuse("memory made by " + std::string(view.name()));
  if (!form || !bytes) return refuse("a view of memory without strides");
  memref::OffsetSizeStrideView slice(&view);
  const auto offsets = slice.offsets();
  // A reinterpret_cast counts from the start of the memory, not from that of its source.
  if (!isSubview && form->offset != 0) return refuse("a cast of a view");
  int64_t elements = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const auto index =
        offsets[i].isConstant() ? std::optional(offsets[i].constant) : number(offsets[i].value);
    const int64_t stride = isSubview ? form->strides[i] : 1;
    if (!index || (stride == kDynamic && *index != 0)) return refuse("a view at an open place");
    elements += *index == 0 ? 0 : *index * stride;
  }
  return elements * *bytes;
}

// -- Places ---------------------------------------------------------------------------------------

std::optional<Tile> placeOfTile(const ArrayConfig& config, Operation& user, Operation* tile) {
  const aie::TileOp view = dynCast<aie::TileOp>(tile);
  const auto id = view ? view.id() : std::nullopt;
  const Tile place = id ? Tile{uint8_t(id->col), uint8_t(id->row)} : Tile{};
  if (id && config.device.has(place)) return place;
  user.emitOpError() << "its tile has no place in " << config.device.name;
  return std::nullopt;
}

std::optional<LockPlace> placeOfLock(const ArrayConfig& config, Operation& user, Operation* lock) {
  const aie::LockOp view = dynCast<aie::LockOp>(lock);
  const aie::TileOp tile = view ? view.tile() : aie::TileOp();
  const auto place = placeOfTile(config, user, tile ? tile.op() : nullptr);
  if (!place) return std::nullopt;
  if (const auto number = view.lockId()) return LockPlace{*place, unsigned(*number)};
  // The configuration has given it a number; what is left of the op there is where it stood.
  for (const TileConfig& at : config.tiles)
    for (const LockConfig& known : at.locks)
      if (at.tile == *place && known.location == lock->location())
        return LockPlace{*place, known.number};
  (user.emitOpError() << "its lock has no number").note(lock->location()) << "the lock";
  return std::nullopt;
}

std::optional<TileMemory> placeOfBuffer(const ArrayConfig& config, Operation& user,
                                        Operation& buffer) {
  const aie::BufferOp view(&buffer);
  const auto tile = placeOfTile(config, user, view.tile() ? view.tile().op() : nullptr);
  if (!tile) return std::nullopt;
  if (const auto address = view.address()) return TileMemory{*tile, Bytes(*address)};
  for (const TileConfig& at : config.tiles)
    for (const BufferConfig& known : at.buffers)
      if (at.tile == *tile && known.name == symbolName(buffer))
        return TileMemory{*tile, known.offset};
  (user.emitOpError() << "its buffer has no address").note(buffer.location()) << "the buffer";
  return std::nullopt;
}

}  // namespace airlite::npu
