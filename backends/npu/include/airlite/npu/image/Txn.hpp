// The runtime instruction stream: transactions that the firmware's command processor runs, in the
// form 0.1 that every tool writes today and the shorter 1.0. Source: docs/hardware/formats.md
// section 9.
//
//   Txn stream = txnFor(*Device::named("npu1"));
//   stream.ops.push_back(txnWrite(0x1D204, 3));
//   ByteVector file = writeTxn(stream);
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::npu {

enum class TxnCode : uint8_t {
  Write = 0,
  BlockWrite = 1,
  MaskWrite = 3,
  MaskPoll = 4,
  Nop = 5,
  Preempt = 6,
  MaskPollBusy = 7,
  LoadPdi = 8,
  CreateScratchpad = 10,
  UpdateRegister = 12,
  Sync = 0x80,
  Patch = 0x81,
  ReadRegisters = 0x82,
  Timer = 0x83,
  MergeSync = 0x84,
};

/// What a word of an operation means. Tag: the upper 24 bits of its first word, where some tools
/// put a place and others nothing.
enum class TxnField : uint8_t {
  Tag,
  Tile,
  AddressLow,
  AddressHigh,
  Value,
  Mask,
  Size,
  Argument,
  PlusLow,
  PlusHigh,
  Direction,
  Extent,
  Count,
  Reserved0,
  Reserved1,
  Reserved2,
  Reserved3,
  Reserved4,
};
constexpr unsigned txnFieldCount = unsigned(TxnField::Reserved4) + 1;

/// One operation. Fields that its code does not have are 0; so is Size, which follows from the
/// rest (of LoadPdi and CreateScratchpad it is the size of something else, and is kept).
struct TxnOp {
  uint8_t code = 0;
  /// Words at the end of its layout that it leaves out (a patch may have 11 of 12 words).
  uint8_t omitted = 0;
  std::array<uint32_t, txnFieldCount> fields{};
  /// Words after the layout: of a block write its data, elsewhere what a tool added.
  std::vector<uint32_t> data;

  uint32_t at(TxnField field) const { return fields[unsigned(field)]; }
  uint32_t& at(TxnField field) { return fields[unsigned(field)]; }
  friend bool operator==(const TxnOp&, const TxnOp&) = default;
};

struct Txn {
  uint8_t major = 0;
  uint8_t minor = 1;
  uint8_t generation = 3;  ///< NpuChip::transactionCode
  uint8_t rows = 6;
  uint8_t columns = 4;
  uint8_t memoryRows = 1;
  uint16_t reserved = 0;
  std::vector<TxnOp> ops;
  ByteVector trailing;  ///< bytes after the end that the header states
  friend bool operator==(const Txn&, const Txn&) = default;
};

/// The layout of an operation in words.
struct TxnLayout {
  TxnCode code;
  const char* name;
  std::span<const TxnField> fields;
  unsigned leastWords;  ///< trailing words may be left out down to here
  bool isSized;         ///< Size is the size of the operation in bytes
};
/// The layouts of a version; empty for one that airlite does not know. Codes from 0x80 on that
/// have no layout are sized by their second word and kept.
std::span<const TxnLayout> txnLayouts(uint8_t major, uint8_t minor);
const TxnLayout* txnLayout(uint8_t major, uint8_t minor, uint8_t code);

/// A header for that partition.
Txn txnFor(const Device& device);
TxnOp txnWrite(uint32_t address, uint32_t value);
TxnOp txnMaskWrite(uint32_t address, uint32_t value, uint32_t mask);
TxnOp txnBlockWrite(uint32_t address, std::vector<uint32_t> data);
/// Replaces the address words of a shim BD by the address of argument `argument` plus `plus`.
/// `address` is that of word 1 of the BD. Indices from 5 on need plus + 0x80000000 in the xclbin
/// flow: the caller adds it.
TxnOp txnPatch(uint32_t address, uint32_t argument, uint64_t plus);
/// Waits for `columns` * `rows` tokens of that channel.
struct SyncOn {
  Tile tile;
  DmaDirection direction = DmaDirection::S2mm;
  uint8_t channel = 0;
  uint8_t columns = 1;
  uint8_t rows = 1;
  friend bool operator==(const SyncOn&, const SyncOn&) = default;
};
TxnOp txnSync(const SyncOn& sync);
/// None when bits are set that no field names.
std::optional<SyncOn> syncOf(const TxnOp& op);

ByteVector writeTxn(const Txn& txn);
/// Refuses unknown versions and codes by name, and sizes and counts that do not agree.
Result<Txn> readTxn(ByteSpan bytes);

/// The form before TXN (2024): a fixed prolog, then operations. No current tool writes it.
struct LegacyOp {
  uint8_t code = 0;  ///< 2 write, 3 sync, 6 shim BD
  uint32_t tag = 0;  ///< the lower 24 bits of its first word
  std::vector<uint32_t> data;
  friend bool operator==(const LegacyOp&, const LegacyOp&) = default;
};
struct LegacyStream {
  static constexpr unsigned prologWords = 17;
  std::array<uint32_t, prologWords> prolog{};
  std::vector<LegacyOp> ops;
  friend bool operator==(const LegacyStream&, const LegacyStream&) = default;
};
ByteVector writeLegacyStream(const LegacyStream& stream);
Result<LegacyStream> readLegacyStream(ByteSpan bytes);
/// Words after the first; none for a code that the form does not have.
std::optional<unsigned> legacyDataWords(uint8_t code);
const char* legacyName(uint8_t code);

}  // namespace airlite::npu
