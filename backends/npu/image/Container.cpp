#include "airlite/npu/image/Container.hpp"

#include "airlite/npu/image/XclbinSections.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

constexpr uint32_t hostBank = 0, sramBank = 1;
constexpr uint32_t instructionArgument = 1;
constexpr uint32_t preGroup = 0xC1;

std::vector<MemoryBank> memoryBanks() {
  return {{.kilobytes = 0x10000, .base = 0x4000000, .tag = "HOST"},
          {.kilobytes = 0xC000, .base = 0x4000000, .tag = "SRAM"}};
}

std::vector<ArgumentBank> connections(const ContainerSpec& spec) {
  std::vector<ArgumentBank> out{{instructionArgument, 0, sramBank}};
  for (uint32_t i = 0; i < spec.buffers; ++i)
    out.push_back({firstBufferArgument + i, 0, hostBank});
  return out;
}

struct Argument {
  std::string name;
  const char* type;
  unsigned size;
  bool isGlobal;
};

std::vector<Argument> arguments(const ContainerSpec& spec) {
  std::vector<Argument> out{{"opcode", "uint64_t", 8, false},
                            {"instr", "char *", 8, true},
                            {"ninstr", "uint32_t", 4, false}};
  for (unsigned i = 0; i < spec.buffers; ++i)
    out.push_back({fmt::format("bo{}", i), "void*", 8, true});
  return out;
}

/// Text inside an attribute.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// FNV-1a over all bytes with two starts: files of the same content have the same uuid.
Uuid hashOf(ByteSpan bytes) {
  Uuid uuid;
  for (unsigned half = 0; half < 2; ++half) {
    uint64_t hash = 0xCBF29CE484222325 + half;
    for (const uint8_t byte : bytes)
      hash = (hash ^ byte) * 0x100000001B3;
    for (unsigned i = 0; i < 8; ++i)
      uuid[8 * half + i] = uint8_t(hash >> 8 * i);
  }
  return uuid;
}

AiePartition partitionFor(const Device& device, const ContainerSpec& spec, ByteVector pdi) {
  AiePartition partition{.columnWidth = uint16_t(device.columns)};
  const Range starts = device.startColumns();
  for (unsigned column = starts.begin; column < starts.end; ++column)
    partition.startColumns.push_back(uint16_t(column));
  const Uuid uuid = hashOf(pdi);
  const CdoGroup group{.kernelIds = {spec.kernelId}, .preGroups = {preGroup}};
  partition.pdis.push_back({.uuid = uuid, .image = std::move(pdi), .groups = {group}});
  return partition;
}

}  // namespace

std::string kernelXml(const ContainerSpec& spec) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<project>\n  <platform>\n    <device>\n      "
      "<core>\n";
  out += fmt::format("        <kernel name=\"{}\" language=\"c\" type=\"dpu\">\n",
                     escaped(spec.kernel));
  out += fmt::format(
      "          <extended-data subtype=\"1\" functional=\"0\" dpu_kernel_id=\"0x{:x}\"/>\n",
      spec.kernelId);
  unsigned id = 0, offset = 0;
  for (const auto& argument : arguments(spec)) {
    out +=
        fmt::format("          <arg name=\"{}\" addressQualifier=\"{}\" id=\"{}\" size=\"0x{:x}\" "
                    "offset=\"0x{:02x}\" hostOffset=\"0x0\" hostSize=\"0x{:x}\" type=\"{}\"/>\n",
                    argument.name, int(argument.isGlobal), id++, argument.size, offset,
                    argument.size, argument.type);
    offset += argument.size;
  }
  out += fmt::format("          <instance name=\"{}\"/>\n", escaped(spec.instance));
  return out + "        </kernel>\n      </core>\n    </device>\n  </platform>\n</project>\n";
}

Xclbin makeXclbin(const Device& partition, const ContainerSpec& spec, ByteVector pdi) {
  Xclbin file = emptyXclbin();
  const auto banks = writeMemTopology(memoryBanks());
  const std::string xml = kernelXml(spec);
  const auto wires = connections(spec);
  auto grouped = wires;  // the tool lists each twice
  grouped.insert(grouped.end(), wires.begin(), wires.end());
  const auto section = [&](SectionKind kind, std::string_view name, ByteVector data) {
    addSection(file, kind, name, std::move(data));
  };
  section(SectionKind::MemTopology, "mem_topology", banks);
  section(SectionKind::AiePartition, "aie_partition",
          writeAiePartition(partitionFor(partition, spec, std::move(pdi))));
  section(SectionKind::EmbeddedMetadata, "", ByteVector(xml.begin(), xml.end()));
  section(SectionKind::IpLayout, "",
          writeIpLayout({{.kernelId = spec.kernelId, .name = spec.kernel + ":" + spec.instance}}));
  section(SectionKind::Connectivity, "", writeConnectivity(wires));
  section(SectionKind::GroupConnectivity, "", writeConnectivity(grouped));
  section(SectionKind::GroupTopology, "", banks);
  file.timeStamp = file.uniqueId = spec.timeStamp;
  layOut(file);
  file.uuid = hashOf(writeXclbin(file));
  return file;
}

}  // namespace airlite::npu
