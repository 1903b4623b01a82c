// Core ELF files as text.
#include "image/FormatText.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

/// The members of a table's row by name: printing and reading go through the same list.
template <class Row> struct Member {
  const char* name;
  uint32_t Row::*field;
};
constexpr Member<ElfSegment> segmentMembers[] = {
    {"type", &ElfSegment::type},   {"offset", &ElfSegment::offset}, {"vaddr", &ElfSegment::vaddr},
    {"paddr", &ElfSegment::paddr}, {"filesz", &ElfSegment::filesz}, {"memsz", &ElfSegment::memsz},
    {"flags", &ElfSegment::flags}, {"align", &ElfSegment::align},
};
constexpr Member<ElfSection> sectionMembers[] = {
    {"name", &ElfSection::name},           {"type", &ElfSection::type},
    {"flags", &ElfSection::flags},         {"addr", &ElfSection::addr},
    {"offset", &ElfSection::offset},       {"size", &ElfSection::size},
    {"link", &ElfSection::link},           {"info", &ElfSection::info},
    {"addralign", &ElfSection::addralign}, {"entsize", &ElfSection::entsize},
};
constexpr Member<ElfHeader> wideMembers[] = {
    {"version", &ElfHeader::version}, {"entry", &ElfHeader::entry}, {"phoff", &ElfHeader::phoff},
    {"shoff", &ElfHeader::shoff},     {"flags", &ElfHeader::flags},
};
struct NarrowMember {
  const char* name;
  uint16_t ElfHeader::*field;
};
// Machine, and how many rows the tables have, follow.
constexpr NarrowMember narrowMembers[] = {
    {"type", &ElfHeader::type},           {"ehsize", &ElfHeader::ehsize},
    {"phentsize", &ElfHeader::phentsize}, {"shentsize", &ElfHeader::shentsize},
    {"shstrndx", &ElfHeader::shstrndx},
};

constexpr uint32_t usualHeader = 0;
constexpr uint16_t mostHalf = 0xFFFF;

template <class Row, size_t N>
void addMembers(TextNode& node, const Row& row, const Member<Row> (&members)[N]) {
  for (const auto& member : members)
    node.addUnless(usualHeader, member.name, row.*member.field);
}

template <class Row, size_t N>
void takeMembers(NodeReader& in, Row& row, const Member<Row> (&members)[N]) {
  for (const auto& member : members)
    row.*member.field = in.word(member.name);
}

template <class Row, size_t N>
Row rowOfText(const TextNode& node, const Member<Row> (&members)[N],
              std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  Row row;
  takeMembers(in, row, members);
  in.end();
  return row;
}

std::string segmentMeaning(const ElfSegment& segment) {
  if (segment.type != 1) return "";
  return fmt::format("{} bytes to {}", segment.memsz,
                     segment.paddr < 0x4000 ? "program memory" : "data memory");
}

/// Whole words as words: programs are easier to follow.
void addContent(TextNode& node, const Piece& piece) {
  if (piece.data.size() % 4) return addBytes(node, piece.data);
  std::vector<uint32_t> words(piece.data.size() / 4);
  for (size_t i = 0; i < piece.data.size(); ++i)
    words[i / 4] |= uint32_t(piece.data[i]) << 8 * (i % 4);
  addWords(node, words);
}

Piece pieceOfText(const TextNode& node, std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  Piece piece{.offset = in.number("offset", 0, 1u << 28)};
  in.end();
  for (const auto& line : node.children) {
    if (line.name == "bytes") {
      const auto more = takeBytes(line, refusal);
      piece.data.insert(piece.data.end(), more.begin(), more.end());
      continue;
    }
    if (line.name != "data") in.refuse(fmt::format("{} is neither data nor bytes", line.name));
    for (const uint32_t word : takeWords(line, refusal))
      for (int shift = 0; shift < 32; shift += 8)
        piece.data.push_back(uint8_t(word >> shift));
  }
  return piece;
}

}  // namespace

TextNode toText(const CoreElf& elf) {
  TextNode node{.name = "elf"};
  node.add("ident", hexText(elf.header.ident));
  for (const auto& member : narrowMembers)
    node.add(member.name, elf.header.*member.field);
  addMembers(node, elf.header, wideMembers);
  for (const auto& segment : elf.segments) {
    auto& line = node.child("segment");
    addMembers(line, segment, segmentMembers);
    line.comment = segmentMeaning(segment);
  }
  for (const auto& section : elf.sections) {
    auto& line = node.child("section");
    addMembers(line, section, sectionMembers);
    line.comment = sectionName(elf, section);
  }
  for (const auto& piece : elf.pieces)
    addContent(node.child("piece").add("offset", piece.offset), piece);
  return node;
}

CoreElf elfOfText(const TextNode& node, std::optional<Error>& refusal) {
  CoreElf elf;
  NodeReader in(node, refusal);
  in.bytes("ident", elf.header.ident);
  for (const auto& member : narrowMembers)
    elf.header.*member.field = uint16_t(in.number(member.name, elf.header.*member.field, mostHalf));
  takeMembers(in, elf.header, wideMembers);
  in.end();
  for (const auto& child : node.children) {
    if (child.name == "segment")
      elf.segments.push_back(rowOfText(child, segmentMembers, refusal));
    else if (child.name == "section")
      elf.sections.push_back(rowOfText(child, sectionMembers, refusal));
    else if (child.name == "piece")
      elf.pieces.push_back(pieceOfText(child, refusal));
    else
      in.refuse(fmt::format("an ELF file has no {}", child.name));
  }
  const size_t rows = std::max(elf.segments.size(), elf.sections.size());
  if (rows > mostHalf) in.refuse(fmt::format("{} rows in a table", rows));
  const uint32_t tables = std::max(elf.header.phoff, elf.header.shoff);
  if (tables > 1u << 28) in.refuse(fmt::format("a table at {:#x}", tables));
  elf.header.phnum = uint16_t(elf.segments.size());
  elf.header.shnum = uint16_t(elf.sections.size());
  return elf;
}

}  // namespace airlite::npu
