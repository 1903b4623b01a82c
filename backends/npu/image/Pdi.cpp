#include "airlite/npu/image/Pdi.hpp"

#include "image/ByteIo.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

constexpr uint32_t magicWords[] = {0x000000DD, 0x11223344, 0x55667788, 0x99AABBCC};
constexpr uint64_t tableOffset = 0x10, imageOffset = 0x90, partitionOffset = 0xD0;
constexpr uint64_t dataOffset = 0x150;

constexpr PdiWord tableLayout[] = {
    {"version", 0, 0x00040000},
    {"images", 1, 1},
    {"image_header", 2, imageOffset / 4},
    {"partitions", 3, 1},
    {"partition_header", 4, partitionOffset / 4},
    {"secondary_boot", 5, 0},
    {"id_code", 6, 0x14CA8093},
    {"attributes", 7, 0},
    {"identification", 10, 0x50504449},
    {"headers", 11, 0x00201020},
    {"header_words", 12, 0x30},
    {"extended_id_code", 17, 1},
};

constexpr PdiWord imageLayout[] = {
    {"partition_header", 0, partitionOffset / 4},
    {"sections", 1, 1},
    {"name_0", 4, 0x5F656961},  // "aie_image"
    {"name_1", 5, 0x67616D69},
    {"name_2", 6, 0x00000065},
    {"name_3", 7, 0},
    {"id", 8, 0x1C000000},
};

constexpr unsigned encryptedWord = 0, plainWord = 1, totalWord = 2;
constexpr PdiWord partitionLayout[] = {
    {"load_address_low", 6, 0xFFFFFFFF},
    {"load_address_high", 7, 0xFFFFFFFF},
    {"data", 8, dataOffset / 4},
    {"attributes", 9, 0x02000006},
    {"sections", 10, 1},
};

template <size_t N> uint32_t checksumOf(const std::array<uint32_t, N>& words) {
  uint32_t sum = 0;
  for (size_t i = 0; i + 1 < N; ++i)
    sum += words[i];
  return ~sum;
}

template <size_t N> void fill(std::array<uint32_t, N>& words, std::span<const PdiWord> layout) {
  for (const auto& word : layout)
    words[word.index] = word.usual;
}

template <size_t N> void putHeader(ByteWriter& out, std::array<uint32_t, N> words) {
  words[N - 1] = checksumOf(words);
  out.words(words);
}

template <size_t N>
void takeHeader(ByteReader& in, std::array<uint32_t, N>& words, const char* what) {
  for (auto& word : words)
    word = in.word(what);
  const uint32_t expected = checksumOf(words);
  if (words[N - 1] != expected)
    in.refuse(fmt::format("the checksum of {} is {:#010x}, it should be {:#010x}", what,
                          words[N - 1], expected));
  words[N - 1] = 0;
}

/// Images of AMD's own designs (2023 on) have a 1 here, two more words after it that the checksum
/// does not cover, and other commands in fewer words than the lengths say.
void refuseCompressed(ByteSpan bytes, ByteReader& in) {
  constexpr uint64_t flagOffset = partitionOffset + 4 * 28;
  ByteReader ahead(bytes, flagOffset);
  if (ahead.word("the partition header") == 1)
    in.refuseAt(flagOffset, "not supported: a compressed CDO");
}

/// Headers may hold anything but places and counts that this reader does not follow.
void demand(ByteReader& in, std::span<const uint32_t> words, uint64_t offset, const PdiWord& word) {
  if (words[word.index] != word.usual)
    in.refuseAt(offset + 4 * word.index, fmt::format("not supported: {} is {:#x}, not {:#x}",
                                                     word.name, words[word.index], word.usual));
}

void demandPlaces(ByteReader& in, const Pdi& pdi) {
  for (unsigned i = 1; i <= 4; ++i)
    demand(in, pdi.table, tableOffset, tableLayout[i]);
  demand(in, pdi.image, imageOffset, imageLayout[0]);
  demand(in, pdi.partition, partitionOffset, partitionLayout[2]);
}

uint32_t paddedWords(uint32_t words) { return (words + 3) / 4 * 4; }

/// Words of the CDO; the other two lengths of the partition must follow from it.
uint32_t takeLengths(ByteReader& in, Pdi& pdi) {
  auto& words = pdi.partition;
  const uint32_t plain = words[plainWord], total = words[totalWord];
  const bool isUsual =
      words[encryptedWord] == total && plain <= total && total - plain < 4 && total % 4 == 0;
  if (!isUsual)
    in.refuseAt(partitionOffset, fmt::format("not supported: partition lengths {}, {}, {} words",
                                             words[encryptedWord], plain, total));
  words[encryptedWord] = words[plainWord] = words[totalWord] = 0;
  return plain;
}

void takeData(ByteReader& in, Pdi& pdi, uint32_t words) {
  const ByteSpan raw = in.takeBytes(uint64_t(words) * 4, "the CDO of the PDI");
  for (uint32_t i = words; i < paddedWords(words); ++i)
    if (in.word("the end of the PDI") != 0) in.refuse("words after the CDO are not zero");
  if (in.left() != 0) in.refuse(fmt::format("{} bytes after the partition", in.left()));
  if (!in.ok()) return;
  auto cdo = readCdo(raw);
  if (!cdo) return in.refuseAt(dataOffset + cdo.error().place.value_or(0), cdo.error().message);
  pdi.cdo = std::move(*cdo);
}

}  // namespace

std::span<const PdiWord> pdiTableLayout() { return tableLayout; }
std::span<const PdiWord> pdiImageLayout() { return imageLayout; }
std::span<const PdiWord> pdiPartitionLayout() { return partitionLayout; }

Pdi makePdi(Cdo cdo) {
  Pdi pdi{.cdo = std::move(cdo)};
  fill(pdi.table, tableLayout);
  fill(pdi.image, imageLayout);
  fill(pdi.partition, partitionLayout);
  return pdi;
}

ByteVector writePdi(const Pdi& pdi) {
  const ByteVector data = writeCdo(pdi.cdo);
  const auto words = uint32_t(data.size() / 4);
  auto partition = pdi.partition;
  partition[encryptedWord] = partition[totalWord] = paddedWords(words);
  partition[plainWord] = words;
  ByteWriter out;
  out.words(magicWords);
  putHeader(out, pdi.table);
  putHeader(out, pdi.image);
  putHeader(out, partition);
  out.bytes(data);
  out.zeros((paddedWords(words) - words) * 4);
  return out.take();
}

Result<Pdi> readPdi(ByteSpan bytes) {
  Pdi pdi;
  ByteReader in(bytes);
  for (const uint32_t word : magicWords)
    if (in.word("the PDI header") != word) in.refuse("not a PDI: no magic number");
  takeHeader(in, pdi.table, "the image header table");
  takeHeader(in, pdi.image, "the image header");
  refuseCompressed(bytes, in);
  takeHeader(in, pdi.partition, "the partition header");
  if (!in.ok()) return in.error();
  demandPlaces(in, pdi);
  const uint32_t words = takeLengths(in, pdi);
  takeData(in, pdi, words);
  if (!in.ok()) return in.error();
  return pdi;
}

}  // namespace airlite::npu
