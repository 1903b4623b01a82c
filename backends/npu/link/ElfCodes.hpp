// Numbers of the ELF specification that objects use, for the reader and the writer of this room.
#pragma once

#include <cstdint>

namespace airlite::npu::link::elf {

constexpr uint16_t objectType = 1, executableType = 2;

// Types of sections.
constexpr uint32_t progBits = 1, symbolTable = 2, strings = 3, rela = 4, noBits = 8, rel = 9,
                   initArray = 14, finiArray = 15, preinitArray = 16, group = 17,
                   extendedIndices = 18;
// Flags of sections.
constexpr uint32_t write = 0x1, alloc = 0x2, executable = 0x4, infoLink = 0x40, inGroup = 0x200,
                   threadLocal = 0x400, retain = 0x200000;
// Section numbers of symbols.
constexpr uint16_t reservedSections = 0xFF00, absolute = 0xFFF1, common = 0xFFF2;
// Bindings and types of symbols.
constexpr uint8_t uniqueBinding = 10, threadLocalSymbol = 6, indirectFunction = 10;

constexpr uint32_t onlyOne = 1;  // first word of a group: COMDAT

constexpr uint32_t symbolBytes = 16, relaBytes = 12, relBytes = 8, wordBytes = 4;

}  // namespace airlite::npu::link::elf
