// Single instructions of a runtime sequence: writes to registers, locks and memory, queue pushes,
// waits.
#include "StreamDescriptors.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/device/StreamWords.hpp"

#include <vector>

namespace airlite::npu {
namespace {

constexpr uint32_t wordBytes = uint32_t(bytesPerWord);

// -- Where a write goes ---------------------------------------------------------------------------

/// `address` counts words of a buffer that is named, bytes of a tile that is named, else bytes of
/// the array. That a buffer counts words is C (another tool's source).
std::optional<Address> targetOf(SequenceState& state, Operation& op, int64_t address) {
  if (const auto buffer = op.attrOf<SymbolRefAttr>("buffer")) {
    const auto place = placeOfBuffer(state.config, op, *lookupSymbol(&op, buffer));
    if (!place) return std::nullopt;
    return addressOf(place->tile, uint32_t(place->offset.value + address * bytesPerWord));
  }
  if (!op.hasAttr("column")) return Address{uint32_t(address)};
  return addressOf({uint8_t(numberOf(op, "column")), uint8_t(numberOf(op, "row"))},
                   uint32_t(address));
}

std::optional<Address> targetOf(SequenceState& state, Operation& op, Value address) {
  const auto number = state.values.numberFor(op, address, "its address");
  return number ? targetOf(state, op, *number) : std::nullopt;
}

// -- Writes ---------------------------------------------------------------------------------------

LogicalResult write(SequenceState& state, Operation& op) {
  const auto address = targetOf(state, op, op.operand(0));
  const auto value =
      address ? state.values.numberFor(op, op.operand(1), "its value") : std::nullopt;
  if (!value) return failure();
  state.emit(txnWrite(address->value, uint32_t(*value)), op);
  return success();
}

LogicalResult maskWrite(SequenceState& state, Operation& op) {
  const auto address = targetOf(state, op, op.operand(0));
  const auto value =
      address ? state.values.numberFor(op, op.operand(1), "its value") : std::nullopt;
  const auto mask = value ? state.values.numberFor(op, op.operand(2), "its mask") : std::nullopt;
  if (!mask) return failure();
  state.emit(txnMaskWrite(address->value, uint32_t(*value), uint32_t(*mask)), op);
  return success();
}

/// The words of a memref.global.
std::optional<std::vector<uint32_t>> dataOf(Operation& op) {
  const auto get = dynCast<memref::GetGlobalOp>(op.operand(0).definingOp());
  const auto global =
      get ? dynCast<memref::GlobalOp>(lookupSymbol(get.op(), get.name())) : memref::GlobalOp();
  const auto data = global ? global.initialValue() : DenseElementsAttr();
  if (!data) {
    op.emitOpError() << "expects its data to be a memref.global with a value";
    return std::nullopt;
  }
  std::vector<uint32_t> words;
  for (int64_t i = 0; i < data.numElements(); ++i)
    words.push_back(uint32_t(data.element(i).cast<IntegerAttr>().value()));
  return words;
}

LogicalResult blockWrite(SequenceState& state, Operation& op) {
  const auto address = targetOf(state, op, numberOf(op, "address"));
  auto data = address ? dataOf(op) : std::nullopt;
  if (!data) return failure();
  state.emit(txnBlockWrite(address->value, std::move(*data)), op);
  return success();
}

LogicalResult parameterWrite(SequenceState& state, Operation& op) {
  const auto value = state.values.numberFor(
      op, op.operand(0),
      "its value (a number that changes goes in memory, a constant into the program)");
  const auto address = value ? targetOf(state, op, numberOf(op, "index")) : std::nullopt;
  if (!address) return failure();
  state.emit(txnWrite(address->value, uint32_t(*value)), op);
  return success();
}

LogicalResult setLock(SequenceState& state, Operation& op) {
  const auto lock = placeOfLock(state.config, op, op.operand(0).definingOp());
  if (!lock) return failure();
  const uint32_t offset = limitsOf(kindOfRow(lock->tile.row)).lockValue.at(lock->number);
  state.emit(txnWrite(addressOf(lock->tile, offset).value, uint32_t(numberOf(op, "value"))), op);
  return success();
}

LogicalResult patch(SequenceState& state, Operation& op) {
  const auto plus = state.values.numberFor(op, op.operand(0), "its offset");
  const OperandRange at = op.operandGroup("addr_val");
  const auto address = !plus        ? std::nullopt
                       : at.empty() ? std::optional(numberOf(op, "addr"))
                                    : state.values.numberFor(op, at[0], "its address");
  if (!address) return failure();
  return emitPatch(state, op, uint32_t(*address), uint32_t(numberOf(op, "arg_idx")),
                   uint32_t(*plus));
}

// -- Descriptors and queues -----------------------------------------------------------------------

/// Attributes of npu.writebd that are fields as they are stored. Where `plus` is 1, the field holds
/// one less than what it means; a dimension's step of 0 is 1.
struct FieldRow {
  std::string_view attribute;
  BdField field;
  int64_t plus = 0;
};
constexpr FieldRow writeBdFields[] = {
    {"buffer_length", BdField::Length},
    {"enable_packet", BdField::EnablePacket},
    {"out_of_order_id", BdField::OutOfOrderId},
    {"packet_id", BdField::PacketId},
    {"packet_type", BdField::PacketType},
    {"d0_size", BdField::D0Wrap},
    {"d0_stride", BdField::D0Step, 1},
    {"d1_size", BdField::D1Wrap},
    {"d1_stride", BdField::D1Step, 1},
    {"d2_stride", BdField::D2Step, 1},
    {"iteration_current", BdField::IterationCurrent},
    {"iteration_size", BdField::IterationWrap, 1},
    {"iteration_stride", BdField::IterationStep, 1},
    {"next_bd", BdField::NextBd},
    {"use_next_bd", BdField::UseNextBd},
    {"lock_rel_val", BdField::LockReleaseValue},
    {"lock_rel_id", BdField::LockReleaseId},
    {"lock_acq_enable", BdField::LockAcquireEnable},
    {"lock_acq_val", BdField::LockAcquireValue},
    {"lock_acq_id", BdField::LockAcquireId},
    {"d0_zero_before", BdField::D0Before},
    {"d1_zero_before", BdField::D1Before},
    {"d2_zero_before", BdField::D2Before},
    {"d0_zero_after", BdField::D0After},
    {"d1_zero_after", BdField::D1After},
    {"d2_zero_after", BdField::D2After},
};

Tile tileOf(const Operation& op) {
  return {uint8_t(numberOf(op, "column")), uint8_t(numberOf(op, "row"))};
}

LogicalResult writeFields(SequenceState& state, Operation& op) {
  const Tile tile = tileOf(op);
  const TileKind kind = kindOfRow(tile.row);
  BdBuilder builder(kind);
  for (const FieldRow& row : writeBdFields)
    builder.set(row.field, numberOf(op, row.attribute) + row.plus);
  builder.base(Bytes(numberOf(op, "buffer_offset")));
  if (kind == TileKind::Mem) builder.set(BdField::D2Wrap, numberOf(op, "d2_size"));
  if (kind == TileKind::Shim)
    builder.set(BdField::Burst, burstCode(numberOf(op, "burst_length")))
        .set(BdField::AxCache, defaultAxCache);
  if (numberOf(op, "valid_bd") == 0)
    return op.emitOpError() << "not supported: a descriptor that is not valid";
  const auto bd = builder.make();
  if (!bd) return op.emitOpError() << bd.error().message;
  const uint32_t offset = limitsOf(kind).bd.at(unsigned(numberOf(op, "bd_id")));
  state.emit(txnBlockWrite(addressOf(tile, offset).value, encodeBd(*bd)), op);
  return success();
}

LogicalResult pushQueue(SequenceState& state, Operation& op) {
  const auto repeats = state.values.numberFor(op, op.operand(0), "its repeat count");
  const auto bd =
      repeats ? state.values.numberFor(op, op.operand(1), "its descriptor") : std::nullopt;
  if (!bd) return failure();
  const bool sends = numberOf(op, "direction") == 1;
  RuntimeTask task;
  task.op = &op;
  task.place = {tileOf(op), sends ? DmaDirection::Mm2s : DmaDirection::S2mm,
                uint8_t(numberOf(op, "channel"))};
  task.runs = *repeats + 1;
  task.issuesToken = numberOf(op, "issue_token") != 0;
  if (*bd < 0 || *bd >= int64_t(limitsOf(task.place.kind()).bds) || task.runs < 1 ||
      task.runs > int64_t(maxTaskRepeat))
    return op.emitOpError() << "no task runs BD " << *bd << " " << task.runs << " times";
  state.tasks.push_back(task);
  return startTask(state, op, TaskId(state.tasks.size() - 1), unsigned(*bd));
}

// -- Waits and the rest ---------------------------------------------------------------------------

LogicalResult sync(SequenceState& state, Operation& op) {
  static constexpr std::string_view names[] = {"its column",  "its row",     "its direction",
                                               "its channel", "its columns", "its kWriteRows"};
  int64_t values[std::size(names)];
  for (unsigned i = 0; i < std::size(names); ++i) {
    const auto value = state.values.numberFor(op, op.operand(i), names[i]);
    if (!value) return failure();
    if (*value < 0 || *value > 255)
      return op.emitOpError() << names[i] << " is " << *value << ", the stream has 0 to 255";
    values[i] = *value;
  }
  const Tile tile{uint8_t(values[0]), uint8_t(values[1])};
  const Tile last{uint8_t(values[0] + values[4] - 1), uint8_t(values[1] + values[5] - 1)};
  if (values[4] < 1 || values[5] < 1 || values[2] > 1 || !state.config.device.has(tile) ||
      !state.config.device.has(last))
    return op.emitOpError() << "waits for " << values[4] << " by " << values[5] << " tiles from ("
                            << values[0] << ", " << values[1] << "), direction " << values[2]
                            << ": " << state.config.device.name << " has no such channels";
  const auto direction = values[2] == 1 ? DmaDirection::Mm2s : DmaDirection::S2mm;
  emitSync(state, op,
           {tile, direction, uint8_t(values[3]), uint8_t(values[4]), uint8_t(values[5])});
  return success();
}

LogicalResult preempt(SequenceState& state, Operation& op) {
  TxnOp preempt;
  preempt.code = uint8_t(TxnCode::Preempt);
  preempt.at(TxnField::Tag) = uint32_t(numberOf(op, "level"));
  state.emit(preempt, op);
  return success();
}

LogicalResult loadPdi(SequenceState& state, Operation& op) {
  if (op.hasAttr("device_ref"))
    return op.emitOpError() << "not supported: an image by the name of its device";
  const auto address = uint64_t(numberOf(op, "address"));
  TxnOp load;
  load.code = uint8_t(TxnCode::LoadPdi);
  load.at(TxnField::Tag) = uint32_t(numberOf(op, "id")) << 8;  // bits 16 and up of the word
  load.at(TxnField::Size) = uint32_t(numberOf(op, "size"));
  load.at(TxnField::AddressLow) = uint32_t(address);
  load.at(TxnField::AddressHigh) = uint32_t(address >> 32);
  state.emit(load, op);
  return success();
}

constexpr SequenceRow kWriteRows[] = {
    {"aiex.npu.write32", write},
    {"aiex.npu.maskwrite32", maskWrite},
    {"aiex.npu.blockwrite", blockWrite},
    {"aiex.npu.rtp_write", parameterWrite},
    {"aiex.set_lock", setLock},
    {"aiex.npu.address_patch", patch},
    {"aiex.npu.writebd", writeFields},
    {"aiex.npu.push_queue", pushQueue},
    {"aiex.npu.sync", sync},
    {"aiex.npu.preempt", preempt},
    {"aiex.npu.load_pdi", loadPdi},
};

}  // namespace

std::span<const SequenceRow> writeRows() { return kWriteRows; }

}  // namespace airlite::npu
