#include "airlite/npu/image/CoreElf.hpp"

#include "airlite/npu/device/Device.hpp"
#include "image/ByteIo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr uint64_t elfHeaderSize = 52, segmentSize = 32, sectionSize = 40;
constexpr uint16_t aieMachine = 264;
constexpr uint32_t loadType = 1;
constexpr uint32_t noBits = 8;
constexpr uint8_t elfMagic[] = {0x7F, 'E', 'L', 'F'};
constexpr uint8_t class32 = 1, littleEndian = 1;
/// Memory sizes above this, of all segments together, are refused: nothing a core sees is as large.
constexpr uint64_t mostMemory = 1 << 20;
/// Longer names are cut where they are shown.
constexpr uint32_t mostSymbolNameBytes = 256;

// One list of members for each table: reading, writing and the text form go through it.
template <class F> void eachField(ElfSegment& s, F&& f) {
  for (uint32_t* field :
       {&s.type, &s.offset, &s.vaddr, &s.paddr, &s.filesz, &s.memsz, &s.flags, &s.align})
    f(*field);
}
template <class F> void eachField(ElfSection& s, F&& f) {
  for (uint32_t* field : {&s.name, &s.type, &s.flags, &s.addr, &s.offset, &s.size, &s.link, &s.info,
                          &s.addralign, &s.entsize})
    f(*field);
}

void take(ByteReader& in, ElfHeader& h) {
  h.ident = in.array<16>("the ELF header");
  for (uint16_t* field : {&h.type, &h.machine})
    *field = in.take<uint16_t>("the ELF header");
  for (uint32_t* field : {&h.version, &h.entry, &h.phoff, &h.shoff, &h.flags})
    *field = in.word("the ELF header");
  for (uint16_t* field : {&h.ehsize, &h.phentsize, &h.phnum, &h.shentsize, &h.shnum, &h.shstrndx})
    *field = in.take<uint16_t>("the ELF header");
}

void put(ByteWriter& out, const ElfHeader& h) {
  out.bytes(h.ident);
  for (const uint16_t field : {h.type, h.machine})
    out.put(field);
  for (const uint32_t field : {h.version, h.entry, h.phoff, h.shoff, h.flags})
    out.word(field);
  for (const uint16_t field : {h.ehsize, h.phentsize, h.phnum, h.shentsize, h.shnum, h.shstrndx})
    out.put(field);
}

template <class Row>
void takeTable(ByteReader in, ByteReader& report, std::vector<Row>& rows, size_t count,
               const char* what) {
  for (size_t i = 0; i < count && in.ok(); ++i)
    eachField(rows.emplace_back(), [&](uint32_t& field) { field = in.word(what); });
  if (!in.ok()) report.refuseAt(*in.error().place, in.error().message);
}

template <class Row> ByteVector tableBytes(const std::vector<Row>& rows) {
  ByteWriter out;
  for (Row row : rows)
    eachField(row, [&](uint32_t& field) { out.word(field); });
  return out.take();
}

struct Span {
  uint64_t begin;
  uint64_t end;
};

/// The header and the two tables, in order.
std::vector<Span> tables(const ElfHeader& h) {
  std::vector<Span> spans{{0, elfHeaderSize}};
  if (h.phnum) spans.push_back({h.phoff, h.phoff + h.phnum * segmentSize});
  if (h.shnum) spans.push_back({h.shoff, h.shoff + h.shnum * sectionSize});
  std::ranges::sort(spans, {}, &Span::begin);
  return spans;
}

void checkHeader(ByteReader& in, const ElfHeader& h) {
  if (!in.ok()) return;
  if (!std::equal(std::begin(elfMagic), std::end(elfMagic), h.ident.begin()))
    in.refuseAt(0, "not an ELF file");
  if (h.ident[4] != class32 || h.ident[5] != littleEndian)
    in.refuseAt(4, "not supported: an ELF file that is not 32 bit, little endian");
  if (h.machine != aieMachine)
    in.refuseAt(18, fmt::format("an ELF file for machine {}, cores are {}", h.machine, aieMachine));
  if (h.phnum && h.phentsize != segmentSize)
    in.refuseAt(42, fmt::format("program headers of {} bytes", h.phentsize));
  if (h.shnum && h.shentsize != sectionSize)
    in.refuseAt(46, fmt::format("section headers of {} bytes", h.shentsize));
}

void checkPlaces(ByteReader& in, const CoreElf& elf, uint64_t fileSize) {
  const auto spans = tables(elf.header);
  for (size_t i = 1; i < spans.size(); ++i)
    if (spans[i].begin < spans[i - 1].end)
      in.refuseAt(spans[i].begin, "tables of the ELF file overlap");
  for (const auto& segment : elf.segments)
    if (uint64_t(segment.offset) + segment.filesz > fileSize)
      in.refuseAt(segment.offset, "a segment lies outside of the file");
  for (const auto& section : elf.sections)
    if (section.type != noBits && uint64_t(section.offset) + section.size > fileSize)
      in.refuseAt(section.offset, "a section lies outside of the file");
}

/// Everything outside of the tables.
std::vector<Piece> piecesOf(ByteSpan bytes, const ElfHeader& header) {
  std::vector<Piece> pieces;
  uint64_t at = 0;
  const auto keep = [&](uint64_t end) {
    if (end > at) pieces.push_back({at, ByteVector(bytes.begin() + at, bytes.begin() + end)});
  };
  for (const auto& span : tables(header)) {
    keep(span.begin);
    at = span.end;
  }
  keep(bytes.size());
  return pieces;
}

std::vector<uint32_t> toWordVector(const ByteVector& bytes, uint32_t memsz) {
  std::vector<uint32_t> words((memsz + 3) / 4);
  for (size_t i = 0; i < bytes.size() && i / 4 < words.size(); ++i)
    words[i / 4] |= uint32_t(bytes[i]) << 8 * (i % 4);
  return words;
}

/// The tile whose memory a core at `tile` sees in a window. No device is known here: the array may
/// end above and to the right of it.
std::optional<Tile> tileInWindow(Tile tile, Neighbour neighbour) {
  if (neighbour == Neighbour::South && tile.row > Device::firstCoreRow)
    return Tile{tile.column, uint8_t(tile.row - 1)};
  if (neighbour == Neighbour::West && tile.column > 0)
    return Tile{uint8_t(tile.column - 1), tile.row};
  if (neighbour == Neighbour::North) return Tile{tile.column, uint8_t(tile.row + 1)};
  if (neighbour == Neighbour::Own) return tile;
  return std::nullopt;
}

/// Splits at the windows onto memory; refuses what no tile holds.
std::optional<Error> appendDataLoads(std::vector<CoreLoad>& loads, Tile tile, uint32_t address,
                                     std::span<const uint32_t> words) {
  while (!words.empty()) {
    const auto place = coreMemoryAt(address);
    const auto target = place ? tileInWindow(tile, place->neighbour) : std::nullopt;
    if (!target) return Error{fmt::format("no memory of a core is at {:#x}", address)};
    const auto left = size_t(limitsOf(TileKind::Core).dataMemory.value) - place->offset;
    const size_t here = std::min(words.size(), left / size_t(bytesPerWord));
    loads.push_back({*target, place->offset, {words.begin(), words.begin() + here}});
    words = words.subspan(here);
    address += uint32_t(here * 4);
  }
  return std::nullopt;
}

std::optional<Error> appendLoads(std::vector<CoreLoad>& loads, const CoreElf& elf, Tile tile,
                                 const ElfSegment& segment) {
  const auto& limits = limitsOf(TileKind::Core);
  const auto programBytes = uint32_t(limits.programMemory.value);
  if (segment.paddr % 4) return Error{fmt::format("a segment at {:#x}", segment.paddr)};
  // A file size of 0 means zeros; otherwise whole words come from the file, after filesz too.
  const uint32_t fromFile = segment.filesz ? (segment.memsz + 3) / 4 * 4 : 0;
  const auto words = toWordVector(fileBytes(elf, segment.offset, fromFile), segment.memsz);
  if (segment.paddr >= *coreWindow(Neighbour::South))
    return appendDataLoads(loads, tile, segment.paddr, words);
  if (uint64_t(segment.paddr) + segment.memsz > programBytes)
    return Error{fmt::format("a segment of {} bytes at {:#x}: program memory has {} bytes",
                             segment.memsz, segment.paddr, programBytes)};
  loads.push_back({tile, limits.programOffset + segment.paddr, words});
  return std::nullopt;
}

}  // namespace

ByteVector writeCoreElf(const CoreElf& elf) {
  ByteWriter out;
  put(out, elf.header);
  out.putAt(elf.header.phoff, tableBytes(elf.segments));
  out.putAt(elf.header.shoff, tableBytes(elf.sections));
  for (const auto& piece : elf.pieces)
    out.putAt(piece.offset, piece.data);
  return out.take();
}

Result<CoreElf> readCoreElf(ByteSpan bytes) {
  CoreElf elf;
  ByteReader in(bytes);
  take(in, elf.header);
  checkHeader(in, elf.header);
  if (!in.ok()) return in.error();
  takeTable(ByteReader(bytes, elf.header.phoff), in, elf.segments, elf.header.phnum,
            "the program headers");
  takeTable(ByteReader(bytes, elf.header.shoff), in, elf.sections, elf.header.shnum,
            "the section headers");
  if (in.ok()) checkPlaces(in, elf, bytes.size());
  if (!in.ok()) return in.error();
  elf.pieces = piecesOf(bytes, elf.header);
  return elf;
}

ByteVector fileBytes(const CoreElf& elf, uint64_t offset, uint64_t size) {
  ByteVector out(size);
  for (const auto& piece : elf.pieces) {
    const uint64_t begin = std::max(offset, piece.offset);
    const uint64_t end = std::min(offset + size, piece.offset + piece.data.size());
    if (begin < end)
      std::copy_n(piece.data.begin() + (begin - piece.offset), end - begin,
                  out.begin() + (begin - offset));
  }
  return out;
}

std::vector<const ElfSegment*> loadable(const CoreElf& elf) {
  std::vector<const ElfSegment*> out;
  for (const auto& segment : elf.segments)
    if (segment.type == loadType && segment.memsz > 0) out.push_back(&segment);
  return out;
}

std::string sectionName(const CoreElf& elf, const ElfSection& section) {
  if (elf.header.shstrndx >= elf.sections.size()) return "";
  const auto& names = elf.sections[elf.header.shstrndx];
  if (names.type == noBits || section.name >= names.size) return "";
  const uint32_t most = std::min(mostSymbolNameBytes, names.size - section.name);
  const auto raw = fileBytes(elf, names.offset + uint64_t(section.name), most);
  return std::string(raw.begin(), std::find(raw.begin(), raw.end(), 0));
}

CoreElf makeCoreElf(std::span<const CoreChunk> chunks, uint32_t entry, uint32_t flags) {
  CoreElf elf;
  std::copy(std::begin(elfMagic), std::end(elfMagic), elf.header.ident.begin());
  elf.header.ident[4] = class32;
  elf.header.ident[5] = littleEndian;
  elf.header.ident[6] = 1;
  elf.header.entry = entry;
  elf.header.flags = flags;
  elf.header.phoff = elfHeaderSize;
  elf.header.phnum = uint16_t(chunks.size());
  uint64_t at = elfHeaderSize + chunks.size() * segmentSize;
  for (const auto& chunk : chunks) {
    const auto size = uint32_t(chunk.data.size());
    const bool isProgram = chunk.address < *coreWindow(Neighbour::South);
    elf.segments.push_back({.offset = uint32_t(at),
                            .vaddr = chunk.address,
                            .paddr = chunk.address,
                            .filesz = size,
                            .memsz = size + chunk.zeros,
                            .flags = isProgram ? 5u : 6u,  // read + execute, read + write
                            .align = 4});
    // Loaders take whole words, zeros included, straight from the file.
    ByteVector data = chunk.data;
    if (size) data.resize((size + chunk.zeros + 3) / 4 * 4);
    if (!data.empty()) elf.pieces.push_back({at, data});
    at += data.size();
  }
  return *readCoreElf(writeCoreElf(elf));  // pieces that touch become one
}

Result<std::vector<CoreLoad>> loadsOf(const CoreElf& elf, Tile tile) {
  uint64_t size = 0;
  for (const auto* segment : loadable(elf))
    size += segment->memsz;
  if (size > mostMemory) return Error{fmt::format("segments of {} bytes together", size)};
  std::vector<CoreLoad> loads;
  for (const auto* segment : loadable(elf))
    if (auto refusal = appendLoads(loads, elf, tile, *segment)) return *refusal;
  return loads;
}

}  // namespace airlite::npu
