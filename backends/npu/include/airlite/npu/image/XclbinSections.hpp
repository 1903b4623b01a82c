// What is inside the sections of an xclbin. Each reader refuses what it would not write back byte
// for byte in its own layout; the tolerant reader of the partition follows offsets anywhere.
// Source: docs/hardware/formats.md section 8.
//
//   Result<std::vector<MemoryBank>> banks = readMemTopology(section.data);
#pragma once

#include "airlite/npu/image/Xclbin.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::npu {

struct MemoryBank {
  uint8_t type = 2;  ///< 2 DRAM
  uint8_t used = 1;
  uint64_t kilobytes = 0;
  uint64_t base = 0;
  std::string tag;  ///< at most 16 bytes, no zero inside
  friend bool operator==(const MemoryBank&, const MemoryBank&) = default;
};
ByteVector writeMemTopology(const std::vector<MemoryBank>& banks);
Result<std::vector<MemoryBank>> readMemTopology(ByteSpan bytes);

/// A kernel. Subtype and functional share a byte, four bits each: a file whose functional is 1 has
/// 0x11 there (docs/hardware/formats.md section 8).
struct IpEntry {
  uint32_t type = 7;       ///< 7 PS kernel
  uint8_t subtype = 1;     ///< 0..15; 1 DPU
  uint8_t functional = 0;  ///< 0..15; 0 DPU, 1 PrePost
  uint8_t reserved = 0;
  uint16_t kernelId = 0;
  uint64_t base = ~uint64_t(0);
  std::string name;  ///< at most 64 bytes: "KERNEL:INSTANCE"
  friend bool operator==(const IpEntry&, const IpEntry&) = default;
};
ByteVector writeIpLayout(const std::vector<IpEntry>& entries);
Result<std::vector<IpEntry>> readIpLayout(ByteSpan bytes);

/// Which memory holds an argument of a kernel. (Not `Connection`: the routes have that name, and
/// both are linked into one program.)
struct ArgumentBank {
  uint32_t argument = 0;
  uint32_t ip = 0;
  uint32_t memory = 0;
  friend bool operator==(const ArgumentBank&, const ArgumentBank&) = default;
};
ByteVector writeConnectivity(const std::vector<ArgumentBank>& connections);
Result<std::vector<ArgumentBank>> readConnectivity(ByteSpan bytes);

/// Which kernels a PDI serves.
struct CdoGroup {
  std::string name = "DPU";
  uint8_t type = 1;  ///< 1 primary
  uint64_t pdiId = 1;
  std::vector<uint64_t> kernelIds;
  std::vector<uint32_t> preGroups;
  friend bool operator==(const CdoGroup&, const CdoGroup&) = default;
};
struct PartitionPdi {
  Uuid uuid{};
  ByteVector image;
  std::vector<CdoGroup> groups;
  friend bool operator==(const PartitionPdi&, const PartitionPdi&) = default;
};
struct AiePartition {
  std::string name;
  uint32_t operationsPerCycle = 2048;
  uint64_t inferenceFingerprint = 23423;
  uint64_t prePostFingerprint = 12345;
  uint16_t columnWidth = 0;
  std::vector<uint16_t> startColumns;
  /// Of the tool; older files have no such text.
  std::optional<std::string> commitId = std::string();
  std::vector<PartitionPdi> pdis;
  friend bool operator==(const AiePartition&, const AiePartition&) = default;
};
ByteVector writeAiePartition(const AiePartition& partition);
/// Follows the offsets wherever they point within the section.
Result<AiePartition> readAiePartition(ByteSpan bytes);

}  // namespace airlite::npu
