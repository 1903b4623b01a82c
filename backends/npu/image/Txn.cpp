#include "airlite/npu/image/Txn.hpp"

#include "image/ByteIo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

using enum TxnField;
constexpr TxnField write[] = {Tag, Tile, AddressLow, AddressHigh, Value, Size};
constexpr TxnField block[] = {Tag, Tile, AddressLow, Size};
constexpr TxnField masked[] = {Tag, Tile, AddressLow, AddressHigh, Value, Mask, Size};
constexpr TxnField alone[] = {Tag};
constexpr TxnField loadPdi[] = {Tag, Size, AddressLow, AddressHigh};
constexpr TxnField scratchpad[] = {Tag, Size, Reserved0, Reserved1};
constexpr TxnField update[] = {Tag, Argument, AddressLow};
constexpr TxnField sync[] = {Tag, Size, Direction, Extent};
constexpr TxnField patch[] = {Tag,        Size,        Reserved0, Reserved1, Reserved2, Reserved3,
                              AddressLow, AddressHigh, Argument,  Reserved4, PlusLow,   PlusHigh};
constexpr TxnField readRegisters[] = {Tag, Size, Count};
constexpr TxnField sizedOnly[] = {Tag, Size};
constexpr TxnField shortWrite[] = {Tag, AddressLow, Value};
constexpr TxnField shortMasked[] = {Tag, AddressLow, Value, Mask};
constexpr TxnField shortBlock[] = {Tag, AddressLow, Size};
constexpr TxnField shortPatch[] = {Tag, Size, AddressLow, Argument, PlusLow, Reserved0};

// Version 0.1. Codes 10 and 12 are of newer firmware [C]; 9, 11 and 13 have no known layout.
constexpr TxnLayout layouts01[] = {
    {TxnCode::Write, "write", write, 6, true},
    {TxnCode::BlockWrite, "blockwrite", block, 4, true},
    {TxnCode::MaskWrite, "maskwrite", masked, 7, true},
    {TxnCode::MaskPoll, "maskpoll", masked, 7, true},
    {TxnCode::Nop, "nop", alone, 1, false},
    {TxnCode::Preempt, "preempt", alone, 1, false},
    {TxnCode::MaskPollBusy, "maskpollbusy", masked, 7, true},
    {TxnCode::LoadPdi, "loadpdi", loadPdi, 4, false},
    {TxnCode::CreateScratchpad, "createscratchpad", scratchpad, 4, false},
    {TxnCode::UpdateRegister, "updateregister", update, 3, false},
    {TxnCode::Sync, "sync", sync, 4, true},
    {TxnCode::Patch, "patch", patch, 11, true},
    {TxnCode::ReadRegisters, "readregisters", readRegisters, 3, true},
    {TxnCode::Timer, "timer", sizedOnly, 2, true},
    {TxnCode::MergeSync, "mergesync", sizedOnly, 2, true},
};

// Version 1.0: shorter writes, the rest as in 0.1 [B].
constexpr TxnLayout layouts10[] = {
    {TxnCode::Write, "write", shortWrite, 3, false},
    {TxnCode::BlockWrite, "blockwrite", shortBlock, 3, true},
    {TxnCode::MaskWrite, "maskwrite", shortMasked, 4, false},
    {TxnCode::MaskPoll, "maskpoll", shortMasked, 4, false},
    {TxnCode::Nop, "nop", alone, 1, false},
    {TxnCode::Preempt, "preempt", alone, 1, false},
    {TxnCode::MaskPollBusy, "maskpollbusy", shortMasked, 4, false},
    {TxnCode::LoadPdi, "loadpdi", loadPdi, 4, false},
    {TxnCode::Sync, "sync", sync, 4, true},
    {TxnCode::Patch, "patch", shortPatch, 6, true},
    {TxnCode::ReadRegisters, "readregisters", readRegisters, 3, true},
    {TxnCode::Timer, "timer", sizedOnly, 2, true},
    {TxnCode::MergeSync, "mergesync", sizedOnly, 2, true},
};

constexpr uint8_t firstSizedCode = 0x80;
constexpr TxnLayout unknownSized{TxnCode(0xFF), "custom", sizedOnly, 2, true};

const TxnLayout* layoutFor(const Txn& txn, uint8_t code) {
  if (const auto* layout = txnLayout(txn.major, txn.minor, code)) return layout;
  return code >= firstSizedCode ? &unknownSized : nullptr;
}

unsigned sizeIndex(const TxnLayout& layout) {
  return unsigned(std::ranges::find(layout.fields, Size) - layout.fields.begin());
}

uint32_t wordCount(const TxnLayout& layout, const TxnOp& op) {
  return uint32_t(layout.fields.size() - op.omitted + op.data.size());
}

void put(ByteWriter& out, const TxnLayout& layout, const TxnOp& op) {
  const uint32_t bytes = wordCount(layout, op) * 4;
  for (size_t i = 0; i < layout.fields.size() - op.omitted; ++i) {
    const TxnField field = layout.fields[i];
    const bool isOwnSize = field == Size && layout.isSized;
    out.word(field == Tag ? op.at(Tag) << 8 | op.code : isOwnSize ? bytes : op.at(field));
  }
  out.words(op.data);
}

/// The words of the operation that starts at `in`; 0 and a refusal when its size makes no sense.
uint32_t sizeInWords(ByteReader in, ByteReader& report, const TxnLayout& layout) {
  if (!layout.isSized) return uint32_t(layout.fields.size());
  const uint64_t start = in.at();
  in.takeBytes(4 * sizeIndex(layout), "an operation");
  const uint32_t bytes = in.word("the size of an operation");
  if (!in.ok()) return report.refuseAt(*in.error().place, in.error().message), 0;
  if (bytes % 4 == 0 && bytes / 4 >= layout.leastWords) return bytes / 4;
  report.refuseAt(start, fmt::format("operation {} has {} bytes, it needs {} or more whole words",
                                     layout.name, bytes, layout.leastWords));
  return 0;
}

TxnOp takeOp(ByteReader& in, const Txn& txn) {
  ByteReader ahead = in;
  const uint64_t start = in.at();
  TxnOp op{.code = uint8_t(ahead.word("an operation"))};
  if (!ahead.ok()) return in.refuse("the stream ends before its last operation"), op;
  const auto* layout = layoutFor(txn, op.code);
  if (!layout) {
    in.refuseAt(start, fmt::format("not supported: operation {:#x} of a TXN {}.{}", op.code,
                                   txn.major, txn.minor));
    return op;
  }
  const uint32_t words = sizeInWords(in, in, *layout);
  const size_t known = std::min<size_t>(words, layout->fields.size());
  op.omitted = uint8_t(layout->fields.size() - known);
  for (size_t i = 0; i < known; ++i)
    op.at(layout->fields[i]) = in.word(layout->name);
  op.at(Tag) >>= 8;
  if (layout->isSized) op.at(Size) = 0;
  op.data = in.words(words - known, layout->name);
  return op;
}

struct Totals {
  uint32_t ops;
  uint32_t bytes;
};

Totals takeHeader(ByteReader& in, Txn& txn) {
  txn.major = in.take<uint8_t>("the TXN header");
  txn.minor = in.take<uint8_t>("the TXN header");
  txn.generation = in.take<uint8_t>("the TXN header");
  txn.rows = in.take<uint8_t>("the TXN header");
  txn.columns = in.take<uint8_t>("the TXN header");
  txn.memoryRows = in.take<uint8_t>("the TXN header");
  txn.reserved = in.take<uint16_t>("the TXN header");
  const uint32_t ops = in.word("the TXN header");
  const uint32_t bytes = in.word("the TXN header");
  if (in.ok() && txnLayouts(txn.major, txn.minor).empty())
    in.refuseAt(0, fmt::format("not supported: TXN version {}.{}", txn.major, txn.minor));
  return {ops, bytes};
}

TxnOp simple(TxnCode code, uint32_t address) {
  TxnOp op{.code = uint8_t(code)};
  op.at(AddressLow) = address;
  return op;
}

}  // namespace

std::span<const TxnLayout> txnLayouts(uint8_t major, uint8_t minor) {
  if (major == 0 && minor == 1) return layouts01;
  if (major == 1 && minor == 0) return layouts10;
  return {};
}

const TxnLayout* txnLayout(uint8_t major, uint8_t minor, uint8_t code) {
  for (const auto& layout : txnLayouts(major, minor))
    if (uint8_t(layout.code) == code) return &layout;
  return nullptr;
}

Txn txnFor(const Device& device) {
  return {.generation = device.chip.transactionCode,
          .rows = uint8_t(Device::rows),
          .columns = uint8_t(device.columns)};
}

TxnOp txnWrite(uint32_t address, uint32_t value) {
  TxnOp op = simple(TxnCode::Write, address);
  op.at(Value) = value;
  return op;
}

TxnOp txnMaskWrite(uint32_t address, uint32_t value, uint32_t mask) {
  TxnOp op = simple(TxnCode::MaskWrite, address);
  op.at(Value) = value;
  op.at(Mask) = mask;
  return op;
}

TxnOp txnBlockWrite(uint32_t address, std::vector<uint32_t> data) {
  TxnOp op = simple(TxnCode::BlockWrite, address);
  op.data = std::move(data);
  return op;
}

TxnOp txnPatch(uint32_t address, uint32_t argument, uint64_t plus) {
  TxnOp op = simple(TxnCode::Patch, address);
  op.at(Argument) = argument;
  op.at(PlusLow) = uint32_t(plus);
  op.at(PlusHigh) = uint32_t(plus >> 32);
  return op;
}

TxnOp txnSync(const SyncOn& on) {
  TxnOp op{.code = uint8_t(TxnCode::Sync)};
  op.at(Direction) =
      uint32_t(on.direction) | uint32_t(on.tile.row) << 8 | uint32_t(on.tile.column) << 16;
  op.at(Extent) = uint32_t(on.rows) << 8 | uint32_t(on.columns) << 16 | uint32_t(on.channel) << 24;
  return op;
}

std::optional<SyncOn> syncOf(const TxnOp& op) {
  const uint32_t direction = op.at(Direction), extent = op.at(Extent);
  if (direction >> 24 || (direction & 0xFF) > 1 || extent & 0xFF) return std::nullopt;
  return SyncOn{.tile = {uint8_t(direction >> 16), uint8_t(direction >> 8)},
                .direction = DmaDirection(direction & 1),
                .channel = uint8_t(extent >> 24),
                .columns = uint8_t(extent >> 16),
                .rows = uint8_t(extent >> 8)};
}

ByteVector writeTxn(const Txn& txn) {
  ByteWriter out;
  for (const uint8_t byte :
       {txn.major, txn.minor, txn.generation, txn.rows, txn.columns, txn.memoryRows})
    out.put(byte);
  out.put(txn.reserved);
  out.word(uint32_t(txn.ops.size()));
  const uint64_t totalAt = out.size();
  out.word(0);
  for (const auto& op : txn.ops)
    if (const auto* layout = layoutFor(txn, op.code)) put(out, *layout, op);
  out.wordAt(totalAt, uint32_t(out.size()));
  out.bytes(txn.trailing);
  return out.take();
}

Result<Txn> readTxn(ByteSpan bytes) {
  Txn txn;
  ByteReader in(bytes);
  const Totals totals = takeHeader(in, txn);
  if (in.ok() && totals.bytes > bytes.size())
    in.refuseAt(
        12, fmt::format("the header says {} bytes, the file has {}", totals.bytes, bytes.size()));
  if (!in.ok()) return in.error();
  ByteReader body(bytes.first(totals.bytes), in.at());
  for (uint32_t i = 0; i < totals.ops && body.ok(); ++i)
    txn.ops.push_back(takeOp(body, txn));
  if (body.ok() && body.at() != totals.bytes)
    body.refuse(
        fmt::format("{} operations end here, the header says {} bytes", totals.ops, totals.bytes));
  if (!body.ok()) return body.error();
  txn.trailing.assign(bytes.begin() + totals.bytes, bytes.end());
  return txn;
}

}  // namespace airlite::npu
