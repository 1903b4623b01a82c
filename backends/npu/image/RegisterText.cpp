#include "image/RegisterText.hpp"

#include "airlite/npu/device/Device.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

constexpr uint64_t mostWord = ~uint32_t(0);

bool isInArray(Tile tile) { return tile.row < Device::rows; }

std::string fieldValueText(const FieldRow& field, uint32_t value) {
  return field.width > 16 ? fmt::format("0x{:X}", value) : numberText(value);
}

uint32_t fieldBits(const Register& found) {
  uint32_t bits = 0;
  for (const auto& field : found.fields())
    bits |= maskOf(field);
  return bits;
}

/// Whether the mask takes each field whole or not at all, and no other bits.
bool masksWholeFields(const Register& found, uint32_t mask) {
  for (const auto& field : found.fields()) {
    const uint32_t part = mask & maskOf(field);
    if (part != 0 && part != maskOf(field)) return false;
  }
  return mask != 0 && (mask & ~fieldBits(found)) == 0;
}

MaskedValue takeFields(NodeReader& in, Address address, Generation generation) {
  MaskedValue out{0, 0};
  const auto found = fieldsAt(address, generation);
  in.rest([&](const std::string& key, const std::string& text) {
    const auto* field = found ? found->field(key) : nullptr;
    if (!field)
      return in.refuse(fmt::format("{} has no {}", addressText(address, generation), key));
    const auto value = numberOf(text);
    if (!value || *value > maskOf(*field) >> field->lsb)
      return in.refuse(fmt::format("{} is '{}', it has {} bits", key, text, field->width));
    out.mask |= maskOf(*field);
    out.value |= uint32_t(*value) << field->lsb;
  });
  return out;
}

std::optional<uint32_t> numberIn(std::string_view text, uint32_t most) {
  const auto value = numberOf(text);
  return value && *value <= most ? std::optional(uint32_t(*value)) : std::nullopt;
}

}  // namespace

std::optional<Register> fieldsAt(Address address, Generation generation) {
  if (!isInArray(address.tile())) return std::nullopt;
  const auto found = registerAt(kindOfRow(address.tile().row), generation, address.offset());
  return found && found->row->width == 32 && found->row->fieldCount > 0 ? found : std::nullopt;
}

std::string addressText(Address address, Generation generation) {
  const Tile tile = address.tile();
  if (!isInArray(tile)) return fmt::format("0x{:08X}", address.value);
  const auto found = registerAt(kindOfRow(tile.row), generation, address.offset());
  // Memories are known by their first address alone: an offset says more.
  const bool isNamed = found && found->row->width == 32;
  return fmt::format("({},{})+{}", tile.column, tile.row,
                     isNamed ? found->name() : fmt::format("0x{:X}", address.offset()));
}

std::optional<Address> addressOfText(std::string_view text, Generation generation) {
  if (!text.starts_with('(')) {
    const auto value = numberIn(text, mostWord);
    return value ? std::optional(Address{*value}) : std::nullopt;
  }
  const size_t comma = text.find(','), close = text.find(")+");
  if (comma == text.npos || close == text.npos || comma > close) return std::nullopt;
  const auto column = numberIn(text.substr(1, comma - 1), 127);
  const auto row = numberIn(text.substr(comma + 1, close - comma - 1), 31);
  if (!column || !row) return std::nullopt;
  const Tile tile{uint8_t(*column), uint8_t(*row)};
  const auto rest = text.substr(close + 2);
  if (const auto offset = numberIn(rest, Address::offsetMask)) return addressOf(tile, *offset);
  const auto found = registerNamed(kindOfRow(tile.row), generation, rest);
  return found ? std::optional(addressOf(tile, found->offset())) : std::nullopt;
}

void addValue(TextNode& node, Address address, uint32_t value, Generation generation) {
  const auto found = fieldsAt(address, generation);
  if (!found || value == 0 || (value & ~fieldBits(*found)) != 0) {
    node.add("value", numberText(value));
    return;
  }
  for (const auto& field : found->fields())
    if (const uint32_t part = valueIn(field, value))
      node.add(field.name, fieldValueText(field, part));
}

void addMasked(TextNode& node, Address address, uint32_t mask, uint32_t value,
               Generation generation) {
  const auto found = fieldsAt(address, generation);
  if (!found || (value & ~mask) != 0 || !masksWholeFields(*found, mask)) {
    node.add("mask", mask).add("value", value);
    return;
  }
  for (const auto& field : found->fields())
    if (mask & maskOf(field)) node.add(field.name, fieldValueText(field, valueIn(field, value)));
}

void addBlock(TextNode& node, Address address, std::span<const uint32_t> words,
              Generation generation) {
  size_t plainFrom = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const Address here{address.value + uint32_t(4 * i)};
    const auto found = fieldsAt(here, generation);
    if (!found) continue;
    addWords(node, words.subspan(plainFrom, i - plainFrom));
    addValue(node.child(found->name()), here, words[i], generation);
    plainFrom = i + 1;
  }
  addWords(node, words.subspan(plainFrom));
}

uint32_t takeValue(NodeReader& in, Address address, Generation generation) {
  if (in.has("value")) return in.word("value");
  return takeFields(in, address, generation).value;
}

MaskedValue takeMasked(NodeReader& in, Address address, Generation generation) {
  if (!in.has("mask")) return takeFields(in, address, generation);
  const uint32_t mask = in.word("mask");
  return {mask, in.word("value")};
}

std::vector<uint32_t> takeBlock(const TextNode& node, Address address, Generation generation,
                                std::optional<Error>& refusal) {
  std::vector<uint32_t> words;
  for (const auto& line : node.children) {
    if (line.name == "data") {
      const auto more = takeWords(line, refusal);
      words.insert(words.end(), more.begin(), more.end());
      continue;
    }
    const Address here{address.value + uint32_t(4 * words.size())};
    const auto found = fieldsAt(here, generation);
    NodeReader in(line, refusal);
    if (!found || found->name() != line.name)
      in.refuse(fmt::format("word {} of the block is at {}, not {}", words.size(),
                            addressText(here, generation), line.name));
    words.push_back(takeValue(in, here, generation));
    in.end();
  }
  return words;
}

}  // namespace airlite::npu
