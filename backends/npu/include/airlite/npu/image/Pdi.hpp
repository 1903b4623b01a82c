// PDI: the boot image that wraps one CDO. Source: docs/hardware/formats.md section 7.
//
//   ByteVector file = writePdi(makePdi(cdo));
//   Result<Pdi> same = readPdi(file);
#pragma once

#include "airlite/npu/image/Cdo.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace airlite::npu {

constexpr unsigned pdiTableWords = 32;
constexpr unsigned pdiImageWords = 16;
constexpr unsigned pdiPartitionWords = 32;

/// The three headers as words; the last of each is its checksum, and lengths of the partition
/// follow from the CDO: both are made when written and 0 here.
struct Pdi {
  std::array<uint32_t, pdiTableWords> table{};
  std::array<uint32_t, pdiImageWords> image{};
  std::array<uint32_t, pdiPartitionWords> partition{};
  Cdo cdo;
  friend bool operator==(const Pdi&, const Pdi&) = default;
};

/// A word of a header by name, and what a design for npu1 has there; words not listed are 0.
struct PdiWord {
  const char* name;
  uint8_t index;
  uint32_t usual;
};
std::span<const PdiWord> pdiTableLayout();
std::span<const PdiWord> pdiImageLayout();
std::span<const PdiWord> pdiPartitionLayout();

/// The headers as every toolchain writes them for the NPU, around that CDO.
Pdi makePdi(Cdo cdo);

ByteVector writePdi(const Pdi& pdi);
/// Refuses by name what it cannot keep: several images, encryption, other places of the headers, a
/// wrong checksum, the compressed form of newer runtimes.
Result<Pdi> readPdi(ByteSpan bytes);

}  // namespace airlite::npu
