#include "airlite/npu/image/XclbinSections.hpp"

#include "image/ByteIo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr size_t tagSize = 16, ipNameSize = 64;

void putFixedText(ByteWriter& out, std::string_view text, size_t size) {
  const auto kept = text.substr(0, size);
  for (const char c : kept)
    out.put(uint8_t(c));
  out.zeros(size - kept.size());
}

/// Text that zeros fill up to `size`; anything after the first zero is refused.
std::string takeFixedText(ByteReader& in, size_t size, const char* what) {
  const ByteSpan raw = in.takeBytes(size, what);
  const auto end = std::ranges::find(raw, 0);
  if (std::any_of(end, raw.end(), [](uint8_t byte) { return byte != 0; }))
    in.refuse(fmt::format("bytes after the end of the text in {}", what));
  return std::string(raw.begin(), end);
}

void demandZeros(ByteReader& in, size_t count, const char* what) {
  const ByteSpan raw = in.takeBytes(count, what);
  if (std::ranges::any_of(raw, [](uint8_t byte) { return byte != 0; }))
    in.refuse(fmt::format("padding of {} is not zero", what));
}

/// A counted list that must fill the section.
template <class T, class F>
Result<std::vector<T>> takeList(ByteSpan bytes, unsigned padding, const char* what, F takeOne) {
  ByteReader in(bytes);
  std::vector<T> list;
  const uint32_t count = in.word(what);
  demandZeros(in, padding, what);
  for (uint32_t i = 0; i < count && in.ok(); ++i)
    list.push_back(takeOne(in));
  if (in.ok() && in.left()) in.refuse(fmt::format("{} bytes after {}", in.left(), what));
  if (!in.ok()) return in.error();
  return list;
}

MemoryBank takeBank(ByteReader& in) {
  constexpr const char* what = "a memory bank";
  MemoryBank bank;
  bank.type = in.take<uint8_t>(what);
  bank.used = in.take<uint8_t>(what);
  demandZeros(in, 6, what);
  bank.kilobytes = in.take<uint64_t>(what);
  bank.base = in.take<uint64_t>(what);
  bank.tag = takeFixedText(in, tagSize, what);
  return bank;
}

IpEntry takeIp(ByteReader& in) {
  constexpr const char* what = "an IP";
  IpEntry ip;
  ip.type = in.word(what);
  const auto kinds = in.take<uint8_t>(what);
  ip.subtype = kinds & 15;
  ip.functional = kinds >> 4;
  ip.reserved = in.take<uint8_t>(what);
  ip.kernelId = in.take<uint16_t>(what);
  ip.base = in.take<uint64_t>(what);
  ip.name = takeFixedText(in, ipNameSize, what);
  return ip;
}

ArgumentBank takeConnection(ByteReader& in) {
  constexpr const char* what = "a connection";
  ArgumentBank connection;
  connection.argument = in.word(what);
  connection.ip = in.word(what);
  connection.memory = in.word(what);
  return connection;
}

// The partition: a fixed part, then a heap of items padded to 8 bytes. Offsets count from its
// start.
constexpr uint64_t heapAlignment = 8;
constexpr uint64_t partitionNameAt = 4, columnCountAt = 40, columnsAt = 44, pdiCountAt = 120,
                   pdisAt = 124, commitAt = 128, fixedSize = 184;
constexpr uint64_t pdiRecordSize = 96, groupRecordSize = 96;

/// Puts an item on the heap and gives its offset; an item without bytes takes `least`.
uint32_t heapItem(ByteWriter& out, ByteSpan item, uint64_t least = 0) {
  const auto at = uint32_t(out.size());
  out.bytes(item);
  out.zeros(item.size() < least ? least - item.size() : 0);
  out.alignTo(heapAlignment);
  return at;
}

ByteVector textItem(std::string_view text) {
  ByteVector bytes(text.begin(), text.end());
  bytes.push_back(0);
  return bytes;
}

template <class T> ByteVector numbersItem(const std::vector<T>& numbers) {
  ByteWriter out;
  for (const T number : numbers)
    out.put(number);
  return out.take();
}

struct GroupPlaces {
  uint32_t name, kernels, preGroups;
};

ByteVector groupRecord(const CdoGroup& group, const GroupPlaces& places) {
  ByteWriter out;
  out.word(places.name);
  out.put(group.type);
  out.zeros(3);
  out.put(group.pdiId);
  out.word(uint32_t(group.kernelIds.size()));
  out.word(places.kernels);
  out.word(uint32_t(group.preGroups.size()));
  out.word(places.preGroups);
  out.zeros(64);
  return out.take();
}

ByteVector pdiRecord(const PartitionPdi& pdi, uint32_t image, uint32_t groups) {
  ByteWriter out;
  out.bytes(pdi.uuid);
  out.word(uint32_t(pdi.image.size()));
  out.word(image);
  out.word(uint32_t(pdi.groups.size()));
  out.word(groups);
  out.zeros(64);
  return out.take();
}

/// The image, the items of its groups and their records; gives the record of the PDI.
ByteVector putPdi(ByteWriter& out, const PartitionPdi& pdi) {
  const uint32_t image = heapItem(out, pdi.image);
  ByteWriter records;
  for (const auto& group : pdi.groups) {
    const GroupPlaces places{heapItem(out, textItem(group.name)),
                             heapItem(out, numbersItem(group.kernelIds)),
                             heapItem(out, numbersItem(group.preGroups))};
    records.bytes(groupRecord(group, places));
  }
  return pdiRecord(pdi, image, heapItem(out, records.take()));
}

void putFixedPart(ByteWriter& out, const AiePartition& partition) {
  out.zeros(8);
  out.word(partition.operationsPerCycle);
  out.zeros(4);
  out.put(partition.inferenceFingerprint);
  out.put(partition.prePostFingerprint);
  out.put(partition.columnWidth);
  out.zeros(6);
  out.word(uint32_t(partition.startColumns.size()));
  out.zeros(fixedSize - out.size());
}

/// Reads items of a section by offset.
struct Heap {
  ByteSpan bytes;
  ByteReader& report;
  uint64_t copied = 0;

  /// A part of the section; what hostile offsets copy together is bounded.
  ByteSpan part(uint64_t offset, uint64_t size, const char* what) {
    copied += size;
    const bool isInside = offset <= bytes.size() && size <= bytes.size() - offset;
    if (isInside && copied <= 4 * bytes.size()) return bytes.subspan(offset, size);
    report.refuseAt(offset, fmt::format("{} lies outside of the section", what));
    return {};
  }
  std::string text(uint64_t offset, const char* what) {
    if (offset >= bytes.size())
      return report.refuseAt(offset, fmt::format("{} lies outside of the section", what)), "";
    const auto begin = bytes.begin() + offset, end = std::find(begin, bytes.end(), 0);
    if (end == bytes.end()) report.refuseAt(offset, fmt::format("{} does not end", what));
    copied += end - begin;
    if (copied > 4 * bytes.size()) report.refuseAt(offset, "texts overlap");
    return std::string(begin, end);
  }
  template <class T> std::vector<T> numbers(uint64_t offset, uint64_t count, const char* what) {
    ByteReader in(part(offset, count * sizeof(T), what));
    std::vector<T> out;
    for (uint64_t i = 0; i < count && report.ok(); ++i)
      out.push_back(in.take<T>(what));
    return out;
  }
};

CdoGroup takeGroup(Heap& heap, ByteSpan record) {
  ByteReader in(record);
  CdoGroup group;
  const uint32_t name = in.word("a CDO group");
  group.type = in.take<uint8_t>("a CDO group");
  in.takeBytes(3, "a CDO group");
  group.pdiId = in.take<uint64_t>("a CDO group");
  const uint32_t kernels = in.word("a CDO group"), kernelsAt = in.word("a CDO group");
  const uint32_t preGroups = in.word("a CDO group"), preGroupsAt = in.word("a CDO group");
  group.name = heap.text(name, "the name of a CDO group");
  group.kernelIds = heap.numbers<uint64_t>(kernelsAt, kernels, "the kernels of a CDO group");
  group.preGroups = heap.numbers<uint32_t>(preGroupsAt, preGroups, "the groups of a CDO group");
  return group;
}

PartitionPdi takePdi(Heap& heap, ByteSpan record) {
  ByteReader in(record);
  PartitionPdi pdi;
  pdi.uuid = in.array<16>("a PDI record");
  const uint32_t size = in.word("a PDI record"), at = in.word("a PDI record");
  const uint32_t groups = in.word("a PDI record"), groupsAt = in.word("a PDI record");
  const ByteSpan image = heap.part(at, size, "a PDI");
  pdi.image.assign(image.begin(), image.end());
  const ByteSpan records = heap.part(groupsAt, groups * groupRecordSize, "the groups of a PDI");
  for (uint64_t i = 0; i < groups && heap.report.ok(); ++i)
    pdi.groups.push_back(takeGroup(heap, records.subspan(i * groupRecordSize, groupRecordSize)));
  return pdi;
}

}  // namespace

ByteVector writeMemTopology(const std::vector<MemoryBank>& banks) {
  ByteWriter out;
  out.word(uint32_t(banks.size()));
  out.zeros(4);
  for (const auto& bank : banks) {
    out.put(bank.type);
    out.put(bank.used);
    out.zeros(6);
    out.put(bank.kilobytes);
    out.put(bank.base);
    putFixedText(out, bank.tag, tagSize);
  }
  return out.take();
}

Result<std::vector<MemoryBank>> readMemTopology(ByteSpan bytes) {
  return takeList<MemoryBank>(bytes, 4, "the memory topology", takeBank);
}

ByteVector writeIpLayout(const std::vector<IpEntry>& entries) {
  ByteWriter out;
  out.word(uint32_t(entries.size()));
  out.zeros(4);
  for (const auto& ip : entries) {
    out.word(ip.type);
    out.put(uint8_t(ip.functional << 4 | (ip.subtype & 15)));
    out.put(ip.reserved);
    out.put(ip.kernelId);
    out.put(ip.base);
    putFixedText(out, ip.name, ipNameSize);
  }
  return out.take();
}

Result<std::vector<IpEntry>> readIpLayout(ByteSpan bytes) {
  return takeList<IpEntry>(bytes, 4, "the IP layout", takeIp);
}

ByteVector writeConnectivity(const std::vector<ArgumentBank>& connections) {
  ByteWriter out;
  out.word(uint32_t(connections.size()));
  for (const auto& connection : connections)
    for (const uint32_t word : {connection.argument, connection.ip, connection.memory})
      out.word(word);
  return out.take();
}

Result<std::vector<ArgumentBank>> readConnectivity(ByteSpan bytes) {
  return takeList<ArgumentBank>(bytes, 0, "the connectivity", takeConnection);
}

ByteVector writeAiePartition(const AiePartition& partition) {
  ByteWriter out;
  putFixedPart(out, partition);
  out.wordAt(partitionNameAt, heapItem(out, textItem(partition.name)));
  if (partition.commitId) out.wordAt(commitAt, heapItem(out, textItem(*partition.commitId)));
  out.wordAt(columnsAt, heapItem(out, numbersItem(partition.startColumns)));
  ByteWriter records;
  for (const auto& pdi : partition.pdis)
    records.bytes(putPdi(out, pdi));
  out.wordAt(pdiCountAt, uint32_t(partition.pdis.size()));
  out.wordAt(pdisAt, heapItem(out, records.take()));
  return out.take();
}

Result<AiePartition> readAiePartition(ByteSpan bytes) {
  constexpr const char* what = "the AIE partition";
  AiePartition partition;
  ByteReader in(bytes);
  in.takeBytes(partitionNameAt, what);
  const uint32_t name = in.word(what);
  partition.operationsPerCycle = in.word(what);
  in.takeBytes(4, what);
  partition.inferenceFingerprint = in.take<uint64_t>(what);
  partition.prePostFingerprint = in.take<uint64_t>(what);
  partition.columnWidth = in.take<uint16_t>(what);
  in.takeBytes(columnCountAt - in.at(), what);
  const uint32_t columns = in.word(what), columnsOffset = in.word(what);
  in.takeBytes(in.ok() ? pdiCountAt - in.at() : 0, what);
  const uint32_t pdis = in.word(what), pdisOffset = in.word(what), commit = in.word(what);
  in.takeBytes(in.ok() ? fixedSize - in.at() : 0, what);
  if (!in.ok()) return in.error();
  Heap heap{bytes, in};
  partition.name = heap.text(name, "the name of the partition");
  partition.commitId.reset();
  if (commit != 0) partition.commitId = heap.text(commit, "the commit id");
  partition.startColumns = heap.numbers<uint16_t>(columnsOffset, columns, "the start columns");
  const ByteSpan records = heap.part(pdisOffset, pdis * pdiRecordSize, "the PDI records");
  for (uint64_t i = 0; i < pdis && in.ok(); ++i)
    partition.pdis.push_back(takePdi(heap, records.subspan(i * pdiRecordSize, pdiRecordSize)));
  if (!in.ok()) return in.error();
  return partition;
}

}  // namespace airlite::npu
