// xclbin (AXLF): the container that a host program gives to the driver. Source:
// docs/hardware/formats.md section 8 (whole files equal to those of xclbinutil).
//
//   Result<Xclbin> file = readXclbin(bytes);
//   const XclbinSection* partition = sectionOf(*file, SectionKind::AiePartition);
#pragma once

#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu {

enum class SectionKind : uint32_t {
  EmbeddedMetadata = 2,
  MemTopology = 6,
  Connectivity = 7,
  IpLayout = 8,
  GroupTopology = 26,
  GroupConnectivity = 27,
  AiePartition = 32,
};
/// "MEM_TOPOLOGY"; empty for a kind that airlite does not know and keeps as it is.
std::string_view sectionKindName(uint32_t kind);
std::optional<uint32_t> sectionKindNamed(std::string_view name);

using Uuid = std::array<uint8_t, 16>;

struct XclbinSection {
  uint32_t kind = 0;
  std::array<char, 16> name{};
  uint32_t padding = 0;
  uint64_t offset = 0;
  ByteVector data;
  friend bool operator==(const XclbinSection&, const XclbinSection&) = default;
};

struct Xclbin {
  uint32_t signatureLength = 0xFFFFFFFF;
  std::array<uint8_t, 28> reserved{};
  std::array<uint8_t, 256> keyBlock{};
  uint64_t uniqueId = 0;
  uint64_t length = 0;
  uint64_t timeStamp = 0;
  uint64_t featureRomTimeStamp = 0;
  uint16_t versionPatch = 0;
  uint8_t versionMajor = 2;
  uint8_t versionMinor = 0;
  uint16_t mode = 0;
  uint16_t action = 0;
  Uuid interfaceUuid{};
  std::array<char, 64> platform{};
  Uuid uuid{};
  std::array<uint8_t, 16> debugFile{};
  uint32_t padding = 0;
  std::vector<XclbinSection> sections;
  /// Bytes that belong to no header and no section: the text for xclbinutil at the end, or what a
  /// tool left between sections. Zeros between sections are not kept.
  std::vector<Piece> pieces;
  friend bool operator==(const Xclbin&, const Xclbin&) = default;
};

ByteVector writeXclbin(const Xclbin& file);
/// Refuses sections that are outside, or overlap each other or the headers.
Result<Xclbin> readXclbin(ByteSpan bytes);

/// A file without sections, with the bytes of the fixed fields as xclbinutil writes them.
Xclbin emptyXclbin();
/// Adds a section; `name` is cut to 15 characters as the tool does.
void addSection(Xclbin& file, SectionKind kind, std::string_view name, ByteVector data);
/// Gives each section its place, 8-aligned in order, and sets the length.
void layOut(Xclbin& file);
const XclbinSection* sectionOf(const Xclbin& file, SectionKind kind);

}  // namespace airlite::npu
