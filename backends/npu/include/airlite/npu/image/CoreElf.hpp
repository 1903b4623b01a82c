// ELF files for cores: 32 bit, little endian, machine 264. Executables carry a core's program and
// data to the loader; objects are what `link_with` names. Source: docs/hardware/formats.md section
// 5.
//
//   Result<CoreElf> elf = readCoreElf(bytes);
//   for (const ElfSegment& segment : elf->segments) visit(segment.paddr, segment.filesz);
#pragma once

#include "airlite/npu/device/Tile.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::npu {

/// The file header, in the order and with the names of the ELF specification.
struct ElfHeader {
  std::array<uint8_t, 16> ident{};
  uint16_t type = 2;  ///< 1 object, 2 executable
  uint16_t machine = 264;
  uint32_t version = 1;
  uint32_t entry = 0;
  uint32_t phoff = 0;
  uint32_t shoff = 0;
  uint32_t flags = 2;  ///< 1 AIE1, 2 AIE2, 3 AIE2P
  uint16_t ehsize = 52;
  uint16_t phentsize = 32;
  uint16_t phnum = 0;
  uint16_t shentsize = 40;
  uint16_t shnum = 0;
  uint16_t shstrndx = 0;
  friend bool operator==(const ElfHeader&, const ElfHeader&) = default;
};
struct ElfSegment {
  uint32_t type = 1;  ///< 1 is PT_LOAD
  uint32_t offset = 0;
  uint32_t vaddr = 0;
  uint32_t paddr = 0;
  uint32_t filesz = 0;
  uint32_t memsz = 0;
  uint32_t flags = 0;
  uint32_t align = 1;
  friend bool operator==(const ElfSegment&, const ElfSegment&) = default;
};
struct ElfSection {
  uint32_t name = 0;  ///< offset in the section of names
  uint32_t type = 0;
  uint32_t flags = 0;
  uint32_t addr = 0;
  uint32_t offset = 0;
  uint32_t size = 0;
  uint32_t link = 0;
  uint32_t info = 0;
  uint32_t addralign = 0;
  uint32_t entsize = 0;
  friend bool operator==(const ElfSection&, const ElfSection&) = default;
};

/// A whole file: the tables, and every byte that is not in one of them.
struct CoreElf {
  ElfHeader header;
  std::vector<ElfSegment> segments;
  std::vector<ElfSection> sections;
  std::vector<Piece> pieces;  ///< in order, neither touching nor overlapping
  friend bool operator==(const CoreElf&, const CoreElf&) = default;
};

ByteVector writeCoreElf(const CoreElf& elf);
/// Refuses other classes, byte orders and machines, tables that overlap or are outside, and
/// segments and sections that are outside.
Result<CoreElf> readCoreElf(ByteSpan bytes);

/// The segments that a loader loads.
std::vector<const ElfSegment*> loadable(const CoreElf& elf);

/// `size` bytes of the file from `offset`, tables read as zeros.
ByteVector fileBytes(const CoreElf& elf, uint64_t offset, uint64_t size);
/// The first 256 bytes of its name.
std::string sectionName(const CoreElf& elf, const ElfSection& section);

/// A program or data for a core: `address` as the core sees it (program memory from 0, its own data
/// memory from 0x70000).
struct CoreChunk {
  uint32_t address = 0;
  ByteVector data;
  uint32_t zeros = 0;  ///< bytes of zeros after the data
  friend bool operator==(const CoreChunk&, const CoreChunk&) = default;
};
/// An executable of those chunks, program headers directly after the header as loaders expect.
CoreElf makeCoreElf(std::span<const CoreChunk> chunks, uint32_t entry, uint32_t flags = 2);

/// What a loader writes: an address within a tile and whole words for it.
struct CoreLoad {
  Tile tile;
  uint32_t offset;  ///< within the tile
  std::vector<uint32_t> words;
  friend bool operator==(const CoreLoad&, const CoreLoad&) = default;
};
/// The writes that loading the executable into the core at `tile` means, in the order of the
/// segments. Refuses what does not fit program memory or has no tile.
Result<std::vector<CoreLoad>> loadsOf(const CoreElf& elf, Tile tile);

}  // namespace airlite::npu
