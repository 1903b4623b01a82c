#include "airlite/npu/image/Cdo.hpp"

#include "image/ByteIo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

using enum CdoField;
constexpr CdoField wide[] = {AddressHigh, AddressLow};
constexpr CdoField wideWrite[] = {AddressHigh, AddressLow, Value};
constexpr CdoField wideMask[] = {AddressHigh, AddressLow, Mask, Value};
constexpr CdoField widePoll[] = {AddressHigh, AddressLow, Mask, Value, Timeout};
constexpr CdoField narrowWrite[] = {AddressLow, Value};
constexpr CdoField narrowMask[] = {AddressLow, Mask, Value};
constexpr CdoField narrowPoll[] = {AddressLow, Mask, Value, Timeout};

constexpr CdoLayout kCdoLayouts[] = {
    {CdoCode::MaskPoll32, "maskpoll32", narrowPoll, false},
    {CdoCode::MaskWrite32, "maskwrite32", narrowMask, false},
    {CdoCode::Write32, "write32", narrowWrite, false},
    {CdoCode::BlockWrite, "blockwrite", wide, true},
    {CdoCode::MaskPoll, "maskpoll", widePoll, false},
    {CdoCode::MaskWrite, "maskwrite", wideMask, false},
    {CdoCode::Write, "write", wideWrite, false},
    {CdoCode::Nop, "nop", {}, true},
};

constexpr uint32_t headerBytesAfterMagic = 4;  // the first word: how many words the header has left
constexpr uint32_t cdoMagic = 0x004F4443;      // "CDO"
constexpr unsigned headerWords = 5;
constexpr uint32_t longLengthMark = 255;

size_t payloadWords(const CdoCommand& command) {
  const auto* layout = cdoLayout(command.code);
  return (layout ? layout->fields.size() : 0) + command.data.size();
}

bool isLong(const CdoCommand& command) {
  return command.hasLongLength || payloadWords(command) >= longLengthMark;
}

void put(ByteWriter& out, const CdoCommand& command) {
  const auto length = uint32_t(payloadWords(command));
  out.word((isLong(command) ? longLengthMark : length) << 16 | command.code);
  if (isLong(command)) out.word(length);
  if (const auto* layout = cdoLayout(command.code))
    for (const auto field : layout->fields)
      out.word(command.at(field));
  out.words(command.data);
}

CdoCommand takeCommand(ByteReader& in) {
  const uint64_t start = in.at();
  const uint32_t head = in.word("a CDO command");
  CdoCommand command{.code = uint16_t(head)};
  uint32_t length = head >> 16 & 0xFF;
  if (head >> 24) in.refuseAt(start, fmt::format("CDO command {:#010x} has bits 31:24 set", head));
  command.hasLongLength = length == longLengthMark;
  if (command.hasLongLength) length = in.word("the length of a CDO command");
  const auto* layout = cdoLayout(command.code);
  const size_t fields = layout ? layout->fields.size() : 0;
  if (length < fields || (layout && !layout->hasData && length > fields)) {
    in.refuseAt(start,
                fmt::format("CDO command {} has {} words, not {}", layout->name, length, fields));
    return command;
  }
  for (size_t i = 0; i < fields; ++i)
    command.at(layout->fields[i]) = in.word("a CDO command");
  command.data = in.words(length - fields, "the data of a CDO command");
  return command;
}

uint32_t checksumOf(uint32_t version, uint32_t length) {
  return ~(headerBytesAfterMagic + cdoMagic + version + length);
}

/// Reads the header; gives the number of words after it.
uint32_t takeHeader(ByteReader& in, Cdo& cdo) {
  if (in.word("the CDO header") != headerBytesAfterMagic && in.ok())
    in.refuseAt(0, "not a CDO: the first word is not 4");
  if (in.word("the CDO header") != cdoMagic && in.ok())
    in.refuseAt(4, "not a CDO: no cdoMagic number");
  cdo.version = in.word("the CDO header");
  const uint32_t length = in.word("the CDO header");
  const uint32_t checksum = in.word("the CDO header");
  const uint32_t expected = checksumOf(cdo.version, length);
  if (checksum != expected)
    in.refuseAt(16, fmt::format("the CDO checksum is {:#010x}, the header's is {:#010x}", checksum,
                                expected));
  return length;
}

CdoCommand narrowed(CdoCommand command) {
  const bool isOneWord = command.code == uint16_t(CdoCode::BlockWrite) && command.data.size() == 1;
  if (isOneWord) {
    command.code = uint16_t(CdoCode::Write);
    command.at(Value) = command.data[0];
    command.data.clear();
    command.hasLongLength = false;
  }
  if (command.at(AddressHigh) != 0) return command;
  if (command.code == uint16_t(CdoCode::Write)) command.code = uint16_t(CdoCode::Write32);
  if (command.code == uint16_t(CdoCode::MaskWrite)) command.code = uint16_t(CdoCode::MaskWrite32);
  return command;
}

size_t wordsBeforeData(const CdoCommand& command) {
  return wordCount(command) - command.data.size();
}

CdoCommand simple(CdoCode code, uint32_t address) {
  CdoCommand command{.code = uint16_t(code)};
  command.at(AddressLow) = address;
  return command;
}

}  // namespace

std::span<const CdoLayout> cdoLayouts() { return kCdoLayouts; }

const CdoLayout* cdoLayout(uint16_t code) {
  for (const auto& layout : kCdoLayouts)
    if (uint16_t(layout.code) == code) return &layout;
  return nullptr;
}

bool firmwareKnows(uint16_t code) {
  constexpr uint8_t known[] = {0x02, 0x03, 0x05, 0x07, 0x08, 0x11};
  return code >> 8 == 1 && std::ranges::find(known, uint8_t(code)) != std::end(known);
}

CdoCommand cdoNop(unsigned words) {
  return {.code = uint16_t(CdoCode::Nop), .data = std::vector<uint32_t>(words)};
}

CdoCommand cdoWrite(uint32_t address, uint32_t value) {
  auto command = simple(CdoCode::Write, address);
  command.at(Value) = value;
  return command;
}

CdoCommand cdoMaskWrite(uint32_t address, uint32_t mask, uint32_t value) {
  auto command = simple(CdoCode::MaskWrite, address);
  command.at(Mask) = mask;
  command.at(Value) = value;
  return command;
}

CdoCommand cdoBlockWrite(uint32_t address, std::vector<uint32_t> data) {
  auto command = simple(CdoCode::BlockWrite, address);
  command.data = std::move(data);
  command.hasLongLength = isLong(command);
  return command;
}

size_t wordCount(const CdoCommand& command) { return 1 + isLong(command) + payloadWords(command); }

void appendAligned(Cdo& cdo, CdoCommand command) {
  if (command.code != uint16_t(CdoCode::BlockWrite))
    return cdo.commands.push_back(std::move(command));
  size_t at = headerWords;
  for (const auto& before : cdo.commands)
    at += wordCount(before);
  // The library counts a long head only above 255 words, though 255 already needs one.
  const size_t head = payloadWords(command) > longLengthMark ? 4 : 3;
  const size_t missing = (4 - (at + head) % 4) % 4;
  if (missing) cdo.commands.push_back(cdoNop(unsigned(missing - 1)));
  cdo.commands.push_back(std::move(command));
}

ByteVector writeCdo(const Cdo& cdo) {
  size_t length = 0;
  for (const auto& command : cdo.commands)
    length += wordCount(command);
  ByteWriter out;
  for (const uint32_t word : {headerBytesAfterMagic, cdoMagic, cdo.version, uint32_t(length),
                              checksumOf(cdo.version, uint32_t(length))})
    out.word(word);
  for (const auto& command : cdo.commands)
    put(out, command);
  return out.take();
}

Result<Cdo> readCdo(ByteSpan bytes) {
  Cdo cdo;
  ByteReader in(bytes);
  const uint64_t length = takeHeader(in, cdo);
  if (in.ok() && length * 4 != in.left())
    in.refuseAt(12, fmt::format("the CDO header says {} words, the file has {} bytes after it",
                                length, in.left()));
  while (in.ok() && in.left() > 0)
    cdo.commands.push_back(takeCommand(in));
  if (!in.ok()) return in.error();
  return cdo;
}

Cdo mergeCdos(std::span<const Cdo> parts) {
  Cdo merged;
  for (const auto& part : parts) {
    size_t at = headerWords;
    const auto append = [&](CdoCommand command) {
      at += wordCount(command);
      merged.commands.push_back(std::move(command));
    };
    for (const auto& original : part.commands) {
      CdoCommand command = narrowed(original);
      if (command.code == uint16_t(CdoCode::BlockWrite)) {
        const size_t wanted = command.at(AddressLow) >> 2;
        const size_t missing = (wanted - (at + wordsBeforeData(command))) & 3;
        if (missing) append(cdoNop(unsigned(missing - 1)));
      }
      append(std::move(command));
    }
  }
  return merged;
}

}  // namespace airlite::npu
