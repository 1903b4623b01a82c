#include "airlite/npu/image/Xclbin.hpp"

#include "image/ByteIo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

struct KindName {
  SectionKind kind;
  std::string_view name;
};
constexpr KindName sectionKindNames[] = {
    {SectionKind::EmbeddedMetadata, "EMBEDDED_METADATA"},
    {SectionKind::MemTopology, "MEM_TOPOLOGY"},
    {SectionKind::Connectivity, "CONNECTIVITY"},
    {SectionKind::IpLayout, "IP_LAYOUT"},
    {SectionKind::GroupTopology, "GROUP_TOPOLOGY"},
    {SectionKind::GroupConnectivity, "GROUP_CONNECTIVITY"},
    {SectionKind::AiePartition, "AIE_PARTITION"},
};

constexpr std::array<uint8_t, 8> xclbinMagic = {'x', 'c', 'l', 'b', 'i', 'n', '2', 0};
constexpr uint64_t xclbinHeaderSize = 0x1C8, sectionHeaderSize = 40, alignment = 8;
constexpr const char* header = "the xclbin header";

template <size_t N> std::array<char, N> takeText(ByteReader& in, const char* what) {
  const auto raw = in.array<N>(what);
  std::array<char, N> text;
  std::ranges::transform(raw, text.begin(), [](uint8_t byte) { return char(byte); });
  return text;
}

template <size_t N> void putText(ByteWriter& out, const std::array<char, N>& text) {
  for (const char c : text)
    out.put(uint8_t(c));
}

/// Reads the fixed part; gives the number of sections.
uint32_t takeHeader(ByteReader& in, Xclbin& file) {
  if (in.array<8>(header) != xclbinMagic && in.ok())
    in.refuseAt(0, "not an xclbin: no xclbinMagic number");
  file.signatureLength = in.word(header);
  file.reserved = in.array<28>(header);
  file.keyBlock = in.array<256>(header);
  file.uniqueId = in.take<uint64_t>(header);
  file.length = in.take<uint64_t>(header);
  file.timeStamp = in.take<uint64_t>(header);
  file.featureRomTimeStamp = in.take<uint64_t>(header);
  file.versionPatch = in.take<uint16_t>(header);
  file.versionMajor = in.take<uint8_t>(header);
  file.versionMinor = in.take<uint8_t>(header);
  file.mode = in.take<uint16_t>(header);
  file.action = in.take<uint16_t>(header);
  file.interfaceUuid = in.array<16>(header);
  file.platform = takeText<64>(in, header);
  file.uuid = in.array<16>(header);
  file.debugFile = in.array<16>(header);
  const uint32_t sections = in.word(header);
  file.padding = in.word(header);
  return sections;
}

void putHeader(ByteWriter& out, const Xclbin& file) {
  out.bytes(xclbinMagic);
  out.word(file.signatureLength);
  out.bytes(file.reserved);
  out.bytes(file.keyBlock);
  out.put(file.uniqueId);
  out.put(file.length);
  out.put(file.timeStamp);
  out.put(file.featureRomTimeStamp);
  out.put(file.versionPatch);
  out.put(file.versionMajor);
  out.put(file.versionMinor);
  out.put(file.mode);
  out.put(file.action);
  out.bytes(file.interfaceUuid);
  putText(out, file.platform);
  out.bytes(file.uuid);
  out.bytes(file.debugFile);
  out.word(uint32_t(file.sections.size()));
  out.word(file.padding);
}

void putSectionHeader(ByteWriter& out, const XclbinSection& section) {
  out.word(section.kind);
  putText(out, section.name);
  out.word(section.padding);
  out.put(section.offset);
  out.put(uint64_t(section.data.size()));
}

void takeSection(ByteReader& in, Xclbin& file, ByteSpan bytes) {
  const uint64_t start = in.at();
  XclbinSection section;
  section.kind = in.word("a section header");
  section.name = takeText<16>(in, "a section header");
  section.padding = in.word("a section header");
  section.offset = in.take<uint64_t>("a section header");
  const auto size = in.take<uint64_t>("a section header");
  if (!in.ok()) return;
  if (section.offset > bytes.size() || size > bytes.size() - section.offset)
    return in.refuseAt(start, fmt::format("section {} of {} bytes at {} lies outside of the file",
                                          section.kind, size, section.offset));
  const ByteSpan data = bytes.subspan(section.offset, size);
  section.data.assign(data.begin(), data.end());
  file.sections.push_back(std::move(section));
}

struct SectionSpan {
  uint64_t begin;
  uint64_t end;
};

uint64_t headersEnd(const Xclbin& file) {
  return xclbinHeaderSize + file.sections.size() * sectionHeaderSize;
}

/// Headers and sections in order of their place; sections without bytes take none.
std::vector<SectionSpan> takenSpans(const Xclbin& file) {
  std::vector<SectionSpan> spans{{0, headersEnd(file)}};
  for (const auto& section : file.sections)
    if (!section.data.empty())
      spans.push_back({section.offset, section.offset + section.data.size()});
  std::ranges::sort(spans, {}, &SectionSpan::begin);
  return spans;
}

/// Keeps what is between sections unless it is zeros that the writer makes by itself.
void takePieces(ByteReader& in, Xclbin& file, ByteSpan bytes) {
  uint64_t at = 0;
  const auto keep = [&](uint64_t end, bool evenZeros) {
    const ByteSpan gap = bytes.subspan(at, end - at);
    const bool isZero = std::ranges::all_of(gap, [](uint8_t byte) { return byte == 0; });
    if (!gap.empty() && (evenZeros || !isZero))
      file.pieces.push_back({at, ByteVector(gap.begin(), gap.end())});
  };
  for (const auto& span : takenSpans(file)) {
    if (span.begin < at) return in.refuseAt(span.begin, "sections overlap");
    keep(span.begin, false);
    at = span.end;
  }
  // The writer continues with zeros up to the length of the header, and no further.
  const uint64_t end = std::max(at, file.length);
  keep(end, false);
  at = end;
  keep(bytes.size(), true);
}

}  // namespace

std::string_view sectionKindName(uint32_t kind) {
  for (const auto& entry : sectionKindNames)
    if (uint32_t(entry.kind) == kind) return entry.name;
  return {};
}

std::optional<uint32_t> sectionKindNamed(std::string_view name) {
  for (const auto& entry : sectionKindNames)
    if (entry.name == name) return uint32_t(entry.kind);
  return std::nullopt;
}

ByteVector writeXclbin(const Xclbin& file) {
  ByteWriter out;
  putHeader(out, file);
  for (const auto& section : file.sections)
    putSectionHeader(out, section);
  for (const auto& section : file.sections)
    if (!section.data.empty()) out.putAt(section.offset, section.data);
  for (const auto& piece : file.pieces)
    out.putAt(piece.offset, piece.data);
  if (out.size() < file.length) out.zeros(file.length - out.size());
  return out.take();
}

Result<Xclbin> readXclbin(ByteSpan bytes) {
  Xclbin file;
  ByteReader in(bytes);
  const uint32_t sections = takeHeader(in, file);
  if (in.ok() && file.length > bytes.size())
    in.refuseAt(
        0x130, fmt::format("the header says {} bytes, the file has {}", file.length, bytes.size()));
  uint64_t copied = 0;
  for (uint32_t i = 0; i < sections && in.ok(); ++i) {
    takeSection(in, file, bytes);
    if (in.ok()) copied += file.sections.back().data.size();
    if (copied > bytes.size()) in.refuse("sections overlap");
  }
  if (in.ok()) takePieces(in, file, bytes);
  if (!in.ok()) return in.error();
  return file;
}

Xclbin emptyXclbin() {
  Xclbin file;
  file.reserved.fill(0xFF);
  file.keyBlock.fill(0xFF);
  return file;
}

void addSection(Xclbin& file, SectionKind kind, std::string_view name, ByteVector data) {
  XclbinSection section{.kind = uint32_t(kind), .data = std::move(data)};
  std::ranges::copy(name.substr(0, section.name.size() - 1), section.name.begin());
  file.sections.push_back(std::move(section));
}

void layOut(Xclbin& file) {
  uint64_t at = headersEnd(file);
  for (auto& section : file.sections) {
    at = (at + alignment - 1) / alignment * alignment;
    section.offset = at;
    at += section.data.size();
  }
  for (auto& piece : file.pieces) {
    piece.offset = at;
    at += piece.data.size();
  }
  file.length = at;
}

const XclbinSection* sectionOf(const Xclbin& file, SectionKind kind) {
  for (const auto& section : file.sections)
    if (section.kind == uint32_t(kind)) return &section;
  return nullptr;
}

}  // namespace airlite::npu
