// CDO and PDI as text.
#include "image/FormatText.hpp"
#include "image/RegisterText.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

constexpr const char* unknownName = "command";

bool isZero(std::span<const uint32_t> words) {
  for (const uint32_t word : words)
    if (word) return false;
  return true;
}

bool has(const CdoLayout& layout, CdoField field) {
  for (const auto one : layout.fields)
    if (one == field) return true;
  return false;
}

TextNode toText(const CdoCommand& command, Generation generation) {
  const auto* layout = cdoLayout(command.code);
  TextNode node{.name = layout ? layout->name : unknownName};
  const bool isNop = command.code == uint16_t(CdoCode::Nop);
  const size_t words = (layout ? layout->fields.size() : 0) + command.data.size();
  if (!layout) node.values.push_back(fmt::format("0x{:X}", command.code));
  if (isNop && isZero(command.data)) node.values.push_back(numberText(command.data.size()));
  if (command.hasLongLength && words < 255) node.add("long", 1);
  if (!layout || (isNop && !isZero(command.data))) addWords(node, command.data);
  if (!layout || isNop) return node;
  const Address address{command.at(CdoField::AddressLow)};
  const uint32_t value = command.at(CdoField::Value);
  node.values.push_back(addressText(address, generation));
  node.addUnless(0, "high", command.at(CdoField::AddressHigh));
  if (has(*layout, CdoField::Timeout)) node.add("timeout", command.at(CdoField::Timeout));
  if (has(*layout, CdoField::Mask))
    addMasked(node, address, command.at(CdoField::Mask), value, generation);
  else if (has(*layout, CdoField::Value))
    addValue(node, address, value, generation);
  if (layout->hasData) addBlock(node, address, command.data, generation);
  const bool isWrite = has(*layout, CdoField::Value) && !has(*layout, CdoField::Mask);
  node.comment =
      meaningOf(address, isWrite ? std::span(&value, 1) : std::span<const uint32_t>(command.data));
  return node;
}

const CdoLayout* layoutNamed(const std::string& name) {
  for (const auto& layout : cdoLayouts())
    if (name == layout.name) return &layout;
  return nullptr;
}

std::vector<uint32_t> plainData(const TextNode& node, std::optional<Error>& refusal) {
  std::vector<uint32_t> words;
  for (const auto& line : node.children) {
    const auto more = takeWords(line, refusal);
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

constexpr uint64_t mostNopWords = 1 << 20;

CdoCommand nopOfText(const TextNode& node, NodeReader& in, std::optional<Error>& refusal) {
  CdoCommand command = cdoNop(0);
  command.data = plainData(node, refusal);
  if (node.values.empty()) return command;
  const auto count = numberOf(node.values[0]);
  if (!count || *count > mostNopWords)
    in.refuse(fmt::format("a nop of '{}' words", node.values[0]));
  else
    command.data.resize(*count);
  return command;
}

CdoCommand unknownOfText(const TextNode& node, NodeReader& in, std::optional<Error>& refusal) {
  const auto code = numberOf(in.value(0));
  if (!code || *code > 0xFFFF)
    in.refuse(fmt::format("'{}' is not a code of a command", in.value(0)));
  return {.code = uint16_t(code.value_or(0)), .data = plainData(node, refusal)};
}

CdoCommand writeOfText(const TextNode& node, const CdoLayout& layout, NodeReader& in,
                       Generation generation, std::optional<Error>& refusal) {
  CdoCommand command{.code = uint16_t(layout.code)};
  const auto address = addressOfText(in.value(0), generation);
  if (!address) return in.refuse(fmt::format("no register is called {}", in.value(0))), command;
  command.at(CdoField::AddressLow) = address->value;
  if (has(layout, CdoField::AddressHigh)) command.at(CdoField::AddressHigh) = in.word("high");
  if (has(layout, CdoField::Timeout)) command.at(CdoField::Timeout) = in.word("timeout");
  if (layout.hasData) command.data = takeBlock(node, *address, generation, refusal);
  if (has(layout, CdoField::Mask)) {
    const auto masked = takeMasked(in, *address, generation);
    command.at(CdoField::Mask) = masked.mask;
    command.at(CdoField::Value) = masked.value;
  } else if (has(layout, CdoField::Value)) {
    command.at(CdoField::Value) = takeValue(in, *address, generation);
  }
  return command;
}

CdoCommand commandOfText(const TextNode& node, Generation generation,
                         std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  const bool isLong = in.number("long", 0, 1) == 1;
  CdoCommand command;
  const auto* layout = layoutNamed(node.name);
  if (node.name == unknownName)
    command = unknownOfText(node, in, refusal);
  else if (!layout)
    in.refuse(fmt::format("no command of a CDO is called {}", node.name));
  else if (layout->code == CdoCode::Nop)
    command = nopOfText(node, in, refusal);
  else
    command = writeOfText(node, *layout, in, generation, refusal);
  in.end(1);
  command.hasLongLength = isLong || wordCount(command) > 255;
  return command;
}

using HeaderWords = std::span<uint32_t>;

void addHeader(TextNode& pdi, const char* name, std::span<const uint32_t> words,
               std::span<const PdiWord> layout) {
  auto& node = pdi.child(name);
  std::vector<bool> isNamed(words.size());
  for (const auto& word : layout) {
    node.add(word.name, words[word.index]);
    isNamed[word.index] = true;
  }
  for (size_t i = 0; i < words.size(); ++i)
    if (!isNamed[i]) node.addUnless(0, fmt::format("word{}", i), words[i]);
}

void takeHeader(const TextNode& node, HeaderWords words, std::span<const PdiWord> layout,
                std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  for (const auto& word : layout)
    words[word.index] = in.word(word.name, word.usual);
  for (size_t i = 0; i < words.size(); ++i) {
    const auto key = fmt::format("word{}", i);
    if (in.has(key)) words[i] = in.word(key);
  }
  in.end();
}

}  // namespace

TextNode toText(const Cdo& cdo, Generation generation) {
  TextNode node{.name = "cdo"};
  node.add("version", cdo.version);
  for (const auto& command : cdo.commands)
    node.children.push_back(toText(command, generation));
  return node;
}

Cdo cdoOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  Cdo cdo{.version = in.word("version", Cdo{}.version)};
  in.end();
  for (const auto& child : node.children)
    cdo.commands.push_back(commandOfText(child, generation, refusal));
  return cdo;
}

TextNode toText(const Pdi& pdi, Generation generation) {
  TextNode node{.name = "pdi"};
  addHeader(node, "table", pdi.table, pdiTableLayout());
  addHeader(node, "image", pdi.image, pdiImageLayout());
  addHeader(node, "partition", pdi.partition, pdiPartitionLayout());
  node.children.push_back(toText(pdi.cdo, generation));
  return node;
}

Pdi pdiOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal) {
  Pdi pdi = makePdi({});
  NodeReader in(node, refusal);
  in.end();
  for (const auto& child : node.children) {
    if (child.name == "table")
      takeHeader(child, pdi.table, pdiTableLayout(), refusal);
    else if (child.name == "image")
      takeHeader(child, pdi.image, pdiImageLayout(), refusal);
    else if (child.name == "partition")
      takeHeader(child, pdi.partition, pdiPartitionLayout(), refusal);
    else if (child.name == "cdo")
      pdi.cdo = cdoOfText(child, generation, refusal);
    else
      NodeReader(child, refusal).refuse(fmt::format("a PDI has no {}", child.name));
  }
  return pdi;
}

}  // namespace airlite::npu
