// xclbin files as text: sections that we know by their content, the others as bytes.
#include "image/FormatText.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr uint64_t mostOffset = 1u << 28;

bool isAll(ByteSpan bytes, uint8_t value) {
  return std::ranges::all_of(bytes, [&](uint8_t byte) { return byte == value; });
}

void addBlob(TextNode& node, const char* key, ByteSpan bytes, uint8_t usual) {
  if (!isAll(bytes, usual)) node.add(key, hexText(bytes));
}

template <size_t N> std::string textOf(const std::array<char, N>& text) {
  const auto end = std::find_if(text.rbegin(), text.rend(), [](char c) { return c != 0; }).base();
  return std::string(text.begin(), end);
}

template <size_t N> void takeText(NodeReader& in, const char* key, std::array<char, N>& out) {
  const auto text = in.text(key);
  if (text.size() > N) return in.refuse(fmt::format("{} has more than {} bytes", key, N));
  std::ranges::copy(text, out.begin());
}

/// Lines of text as texts, other bytes as bytes.
void addContent(TextNode& node, ByteSpan bytes) {
  const bool isText =
      std::ranges::all_of(bytes, [](uint8_t c) { return (c >= ' ' && c < 127) || c == '\n'; });
  if (!isText) return addBytes(node, bytes);
  for (auto at = bytes.begin(); at != bytes.end();) {
    auto end = std::find(at, bytes.end(), '\n');
    if (end != bytes.end()) ++end;
    node.child("text").values.emplace_back(at, end);
    at = end;
  }
}

// -- typed sections: shown when writing them again gives the same bytes --------------------------

template <class T> using List = std::vector<T>;

void addRow(TextNode& node, const MemoryBank& bank) {
  node.child("bank")
      .add("tag", bank.tag)
      .add("type", bank.type)
      .add("used", bank.used)
      .add("kilobytes", bank.kilobytes)
      .add("base", bank.base);
}
void addRow(TextNode& node, const IpEntry& ip) {
  node.child("ip")
      .add("name", ip.name)
      .add("type", ip.type)
      .add("subtype", ip.subtype)
      .add("functional", ip.functional)
      .addUnless(0, "reserved", ip.reserved)
      .add("kernel_id", ip.kernelId)
      .add("base", ip.base);
}
void addRow(TextNode& node, const ArgumentBank& connection) {
  node.child("connect")
      .add("argument", connection.argument)
      .add("ip", connection.ip)
      .add("memory", connection.memory);
}

void takeRow(NodeReader& in, MemoryBank& bank) {
  bank.tag = in.text("tag");
  bank.type = uint8_t(in.number("type", bank.type, 255));
  bank.used = uint8_t(in.number("used", bank.used, 255));
  bank.kilobytes = in.number("kilobytes", 0);
  bank.base = in.number("base", 0);
}
void takeRow(NodeReader& in, IpEntry& ip) {
  ip.name = in.text("name");
  ip.type = in.word("type", ip.type);
  ip.subtype = uint8_t(in.number("subtype", ip.subtype, 15));
  ip.functional = uint8_t(in.number("functional", 0, 15));
  ip.reserved = uint8_t(in.number("reserved", 0, 255));
  ip.kernelId = uint16_t(in.number("kernel_id", 0, 0xFFFF));
  ip.base = in.number("base", ip.base);
}
void takeRow(NodeReader& in, ArgumentBank& connection) {
  connection.argument = in.word("argument");
  connection.ip = in.word("ip");
  connection.memory = in.word("memory");
}

template <class T>
bool addList(TextNode& node, ByteSpan data, Result<List<T>> (*read)(ByteSpan),
             ByteVector (*write)(const List<T>&)) {
  const auto list = read(data);
  if (!list || list->empty() || !std::ranges::equal(write(*list), data)) return false;
  for (const auto& row : *list)
    addRow(node, row);
  return true;
}

template <class T>
ByteVector listOfText(const TextNode& node, ByteVector (*write)(const List<T>&),
                      std::optional<Error>& refusal) {
  List<T> list;
  for (const auto& child : node.children) {
    NodeReader in(child, refusal);
    takeRow(in, list.emplace_back());
    in.end();
  }
  return write(list);
}

std::string uuidText(const Uuid& uuid) { return hexText(uuid); }

template <class T> std::string numbersText(const List<T>& numbers) {
  std::string out;
  for (const auto number : numbers)
    out += (out.empty() ? "" : ",") + numberText(number);
  return out;
}

/// "1,2,3"; none when it is not a list of numbers of that size.
template <class T> std::optional<List<T>> numbersOf(std::string_view text) {
  List<T> out;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const auto value = numberOf(text.substr(0, comma));
    if (!value || *value > T(~T(0))) return std::nullopt;
    out.push_back(T(*value));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

template <class T> List<T> takeNumbers(NodeReader& in, const char* key) {
  const auto numbers = numbersOf<T>(in.text(key));
  if (!numbers) in.refuse(fmt::format("{} is not a list of numbers", key));
  return numbers.value_or(List<T>());
}

void addGroup(TextNode& pdi, const CdoGroup& group) {
  pdi.child("group")
      .add("name", group.name)
      .add("type", group.type)
      .add("pdi_id", group.pdiId)
      .add("kernel_ids", numbersText(group.kernelIds))
      .add("pre_groups", numbersText(group.preGroups));
}

CdoGroup groupOfText(const TextNode& node, std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  CdoGroup group{.name = in.text("name", "DPU")};
  group.type = uint8_t(in.number("type", group.type, 255));
  group.pdiId = in.number("pdi_id", group.pdiId);
  group.kernelIds = takeNumbers<uint64_t>(in, "kernel_ids");
  group.preGroups = takeNumbers<uint32_t>(in, "pre_groups");
  in.end();
  return group;
}

void addPdi(TextNode& node, const PartitionPdi& entry, Generation generation) {
  auto& record = node.child("program").add("uuid", uuidText(entry.uuid));
  for (const auto& group : entry.groups)
    addGroup(record, group);
  const auto pdi = readPdi(entry.image);
  if (pdi && writePdi(*pdi) == entry.image)
    record.children.push_back(toText(*pdi, generation));
  else
    addBytes(record, entry.image);
}

PartitionPdi pdiEntryOfText(const TextNode& node, Generation generation,
                            std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  PartitionPdi entry;
  in.bytes("uuid", entry.uuid);
  in.end();
  for (const auto& child : node.children) {
    if (child.name == "group") {
      entry.groups.push_back(groupOfText(child, refusal));
      continue;
    }
    const auto more = child.name == "pdi" ? writePdi(pdiOfText(child, generation, refusal))
                                          : takeBytes(child, refusal);
    entry.image.insert(entry.image.end(), more.begin(), more.end());
  }
  return entry;
}

bool addPartition(TextNode& node, ByteSpan data, Generation generation) {
  const auto partition = readAiePartition(data);
  if (!partition || !std::ranges::equal(writeAiePartition(*partition), data)) return false;
  auto& line = node.child("partition");
  line.add("name", partition->name);
  if (partition->commitId) line.add("commit_id", *partition->commitId);
  line.add("operations_per_cycle", partition->operationsPerCycle);
  line.add("inference_fingerprint", partition->inferenceFingerprint);
  line.add("pre_post_fingerprint", partition->prePostFingerprint);
  line.add("column_width", partition->columnWidth);
  line.add("start_columns", numbersText(partition->startColumns));
  for (const auto& pdi : partition->pdis)
    addPdi(line, pdi, generation);
  return true;
}

ByteVector partitionOfText(const TextNode& node, Generation generation,
                           std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  AiePartition partition{.name = in.text("name")};
  if (!in.has("commit_id"))
    partition.commitId.reset();
  else
    partition.commitId = in.text("commit_id");
  partition.operationsPerCycle = in.word("operations_per_cycle", partition.operationsPerCycle);
  partition.inferenceFingerprint =
      in.number("inference_fingerprint", partition.inferenceFingerprint);
  partition.prePostFingerprint = in.number("pre_post_fingerprint", partition.prePostFingerprint);
  partition.columnWidth = uint16_t(in.number("column_width", 0, 0xFFFF));
  partition.startColumns = takeNumbers<uint16_t>(in, "start_columns");
  in.end();
  for (const auto& child : node.children)
    partition.pdis.push_back(pdiEntryOfText(child, generation, refusal));
  return writeAiePartition(partition);
}

bool addTyped(TextNode& node, const XclbinSection& section, Generation generation) {
  switch (SectionKind(section.kind)) {
    case SectionKind::MemTopology:
    case SectionKind::GroupTopology:
      return addList(node, section.data, readMemTopology, writeMemTopology);
    case SectionKind::IpLayout: return addList(node, section.data, readIpLayout, writeIpLayout);
    case SectionKind::Connectivity:
    case SectionKind::GroupConnectivity:
      return addList(node, section.data, readConnectivity, writeConnectivity);
    case SectionKind::AiePartition: return addPartition(node, section.data, generation);
    default: return false;
  }
}

ByteVector contentOfText(const TextNode& node, Generation generation,
                         std::optional<Error>& refusal) {
  const std::string first = node.children.empty() ? "" : node.children[0].name;
  if (first == "bank") return listOfText(node, writeMemTopology, refusal);
  if (first == "ip") return listOfText(node, writeIpLayout, refusal);
  if (first == "connect") return listOfText(node, writeConnectivity, refusal);
  if (first == "partition") return partitionOfText(node.children[0], generation, refusal);
  ByteVector bytes;
  for (const auto& child : node.children) {
    if (child.name == "text")
      for (const auto& text : child.values)
        bytes.insert(bytes.end(), text.begin(), text.end());
    else if (child.name == "bytes")
      std::ranges::copy(takeBytes(child, refusal), std::back_inserter(bytes));
    else
      NodeReader(child, refusal).refuse(fmt::format("a section has no {}", child.name));
  }
  return bytes;
}

TextNode toText(const XclbinSection& section, Generation generation) {
  TextNode node{.name = "section"};
  const auto kind = sectionKindName(section.kind);
  node.values.push_back(kind.empty() ? numberText(section.kind) : std::string(kind));
  node.add("name", textOf(section.name)).add("offset", section.offset);
  node.addUnless(0, "padding", section.padding);
  if (!addTyped(node, section, generation)) addContent(node, section.data);
  return node;
}

XclbinSection sectionOfText(const TextNode& node, Generation generation,
                            std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  XclbinSection section;
  const auto& text = in.value(0);
  const auto kind = sectionKindNamed(text);
  const auto number = numberOf(text);
  if (!kind && !number) in.refuse(fmt::format("no section is called {}", text));
  section.kind = kind ? *kind : uint32_t(number.value_or(0));
  takeText(in, "name", section.name);
  section.offset = in.number("offset", 0, mostOffset);
  section.padding = in.word("padding");
  in.end(1);
  section.data = contentOfText(node, generation, refusal);
  return section;
}

/// "2.17.103" as major, minor, patch.
void takeVersion(NodeReader& in, Xclbin& file) {
  std::string text = in.text("version", "2.0.0");
  std::ranges::replace(text, '.', ',');
  const auto numbers = numbersOf<uint16_t>(text);
  if (!numbers || numbers->size() != 3) return in.refuse("version needs three numbers");
  file.versionMajor = uint8_t((*numbers)[0]);
  file.versionMinor = uint8_t((*numbers)[1]);
  file.versionPatch = (*numbers)[2];
}

Xclbin headerOfText(const TextNode& node, std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  Xclbin file = emptyXclbin();
  file.signatureLength = in.word("signature_length", file.signatureLength);
  in.bytes("reserved", file.reserved);
  in.bytes("key_block", file.keyBlock);
  file.uniqueId = in.number("unique_id", 0);
  file.length = in.number("length", 0, mostOffset);
  file.timeStamp = in.number("time_stamp", 0);
  file.featureRomTimeStamp = in.number("feature_rom_time_stamp", 0);
  takeVersion(in, file);
  file.mode = uint16_t(in.number("mode", 0, 0xFFFF));
  file.action = uint16_t(in.number("action", 0, 0xFFFF));
  in.bytes("interface_uuid", file.interfaceUuid);
  takeText(in, "platform", file.platform);
  in.bytes("uuid", file.uuid);
  in.bytes("debug_file", file.debugFile);
  file.padding = in.word("padding");
  in.end();
  return file;
}

}  // namespace

TextNode toText(const Xclbin& file, Generation generation) {
  TextNode node{.name = "xclbin"};
  node.addUnless(0xFFFFFFFF, "signature_length", file.signatureLength);
  addBlob(node, "reserved", file.reserved, 0xFF);
  addBlob(node, "key_block", file.keyBlock, 0xFF);
  node.add("unique_id", file.uniqueId).add("length", file.length).add("time_stamp", file.timeStamp);
  node.addUnless(0, "feature_rom_time_stamp", file.featureRomTimeStamp);
  node.add("version",
           fmt::format("{}.{}.{}", file.versionMajor, file.versionMinor, file.versionPatch));
  node.addUnless(0, "mode", file.mode).addUnless(0, "action", file.action);
  addBlob(node, "interface_uuid", file.interfaceUuid, 0);
  node.add("platform", textOf(file.platform)).add("uuid", uuidText(file.uuid));
  addBlob(node, "debug_file", file.debugFile, 0);
  node.addUnless(0, "padding", file.padding);
  for (const auto& section : file.sections)
    node.children.push_back(toText(section, generation));
  for (const auto& piece : file.pieces)
    addContent(node.child("piece").add("offset", piece.offset), piece.data);
  return node;
}

Xclbin xclbinOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal) {
  Xclbin file = headerOfText(node, refusal);
  bool isPlaced = true;
  for (const auto& child : node.children) {
    NodeReader in(child, refusal);
    if (child.name == "section") {
      isPlaced = isPlaced && in.has("offset");
      file.sections.push_back(sectionOfText(child, generation, refusal));
    } else if (child.name == "piece") {
      const uint64_t offset = in.number("offset", 0, mostOffset);
      file.pieces.push_back({offset, contentOfText(child, generation, refusal)});
    } else {
      in.refuse(fmt::format("an xclbin has no {}", child.name));
    }
  }
  if (!isPlaced) layOut(file);
  return file;
}

}  // namespace airlite::npu
