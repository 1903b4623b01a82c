// Addresses and register values by name, and what a write means in a few words.
#pragma once

#include "airlite/npu/device/Registers.hpp"
#include "image/TextTree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace airlite::npu {

/// "(0,2)+Core_Control", "(0,2)+0x400" or "0x7F000000": always reads back to the same address.
std::string addressText(Address address, Generation generation);
std::optional<Address> addressOfText(std::string_view text, Generation generation);

/// The 32-bit register there, if one is known and has fields.
std::optional<Register> fieldsAt(Address address, Generation generation);

/// Fields that are not 0, or value=... when bits are set that no field names.
void addValue(TextNode& node, Address address, uint32_t value, Generation generation);
/// The fields under the mask, or mask=... value=... when they are not whole fields.
void addMasked(TextNode& node, Address address, uint32_t mask, uint32_t value,
               Generation generation);
/// The words of a block write, a line for each register with fields.
void addBlock(TextNode& node, Address address, std::span<const uint32_t> words,
              Generation generation);

uint32_t takeValue(NodeReader& in, Address address, Generation generation);
struct MaskedValue {
  uint32_t mask;
  uint32_t value;
};
MaskedValue takeMasked(NodeReader& in, Address address, Generation generation);
std::vector<uint32_t> takeBlock(const TextNode& node, Address address, Generation generation,
                                std::optional<Error>& refusal);

/// What writing `words` from `address` on means: a BD, a route, a task; empty when there is nothing
/// to say.
std::string meaningOf(Address address, std::span<const uint32_t> words);

}  // namespace airlite::npu
