// CDO files: configuration commands that the firmware runs when a design is loaded.
// Source: docs/hardware/formats.md section 6 (146 random files equal to the cdo-driver library's).
//
//   Result<Cdo> cdo = readCdo(bytes);
//   for (const CdoCommand& command : cdo->commands) visit(command.address(), command.data);
#pragma once

#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::npu {

enum class CdoCode : uint16_t {
  MaskPoll32 = 0x101,
  MaskWrite32 = 0x102,
  Write32 = 0x103,
  BlockWrite = 0x105,
  MaskPoll = 0x106,
  MaskWrite = 0x107,
  Write = 0x108,
  Nop = 0x111,
};

/// What a payload word means.
enum class CdoField : uint8_t { AddressHigh, AddressLow, Mask, Value, Timeout };
constexpr unsigned cdoFieldCount = 5;

/// One command. Fields that its code does not have are 0.
struct CdoCommand {
  uint16_t code = 0;  ///< a CdoCode, or one that airlite does not know
  /// The length is stored in a word of its own, as it must be from 255 words on.
  bool hasLongLength = false;
  std::array<uint32_t, cdoFieldCount> fields{};
  /// Words after the fields: of a block write, a no-op, or a command that airlite does not know.
  std::vector<uint32_t> data;

  uint32_t at(CdoField field) const { return fields[unsigned(field)]; }
  uint32_t& at(CdoField field) { return fields[unsigned(field)]; }
  uint64_t address() const {
    return uint64_t(at(CdoField::AddressHigh)) << 32 | at(CdoField::AddressLow);
  }
  friend bool operator==(const CdoCommand&, const CdoCommand&) = default;
};

struct Cdo {
  uint32_t version = 0x200;
  std::vector<CdoCommand> commands;
  friend bool operator==(const Cdo&, const Cdo&) = default;
};

/// Name of a known code ("maskwrite"), the fields it has in order, and whether words follow them.
struct CdoLayout {
  CdoCode code;
  const char* name;
  std::span<const CdoField> fields;
  bool hasData;
};
/// Null for a code that airlite does not know: such a command is kept as data.
const CdoLayout* cdoLayout(uint16_t code);
std::span<const CdoLayout> cdoLayouts();

/// How the NPU firmware reads the file: it knows writes, mask writes and no-ops alone [C, from
/// XRT].
bool firmwareKnows(uint16_t code);

CdoCommand cdoNop(unsigned words);
CdoCommand cdoWrite(uint32_t address, uint32_t value);
CdoCommand cdoMaskWrite(uint32_t address, uint32_t mask, uint32_t value);
CdoCommand cdoBlockWrite(uint32_t address, std::vector<uint32_t> data);

/// Words of one command, with its head.
size_t wordCount(const CdoCommand& command);

/// Appends as the cdo-driver library does: before a block write a no-op that puts the data on a
/// multiple of 16 bytes from the start of the file.
void appendAligned(Cdo& cdo, CdoCommand command);

ByteVector writeCdo(const Cdo& cdo);
/// Refuses a wrong magic number, checksum, length or payload, with the offset.
Result<Cdo> readCdo(ByteSpan bytes);
/// The configuration in a CDO, a PDI or an xclbin, which has one PDI.
Result<Cdo> cdoOfImage(ByteSpan image);

/// One CDO of several, as bootgen merges them: 32-bit forms, a block write of one word becomes a
/// write, no-ops put the data where index and address agree modulo 4, counted in each part.
Cdo mergeCdos(std::span<const Cdo> parts);

}  // namespace airlite::npu
