// The runtime stream as text, both of its forms and the legacy one.
#include "image/FormatText.hpp"
#include "image/RegisterText.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr const char* customName = "custom";
constexpr uint32_t mostTag = 0xFFFFFF;
constexpr uint8_t firstCodeWithSize = 0x80;

/// Fields that are shown as plain numbers, when they are not 0.
struct NumberField {
  TxnField field;
  const char* name;
};
constexpr NumberField numberFields[] = {
    {TxnField::Tag, "tag"},
    {TxnField::Tile, "tile"},
    {TxnField::AddressHigh, "high"},
    {TxnField::Argument, "argument"},
    {TxnField::PlusLow, "plus"},
    {TxnField::PlusHigh, "plus_high"},
    {TxnField::Count, "count"},
    {TxnField::Reserved0, "reserved0"},
    {TxnField::Reserved1, "reserved1"},
    {TxnField::Reserved2, "reserved2"},
    {TxnField::Reserved3, "reserved3"},
    {TxnField::Reserved4, "reserved4"},
};

bool has(const TxnLayout& layout, TxnField field) {
  return std::ranges::find(layout.fields, field) != layout.fields.end();
}

bool isBlock(const TxnLayout& layout) { return layout.code == TxnCode::BlockWrite; }
/// Its address words are those of something in DDR.
bool isRegister(const TxnLayout& layout) {
  return has(layout, TxnField::AddressLow) && layout.code != TxnCode::LoadPdi;
}

void addSync(TextNode& node, const TxnOp& op) {
  const auto sync = syncOf(op);
  if (!sync) {
    node.add("where", op.at(TxnField::Direction)).add("extent", op.at(TxnField::Extent));
    return;
  }
  node.add("column", sync->tile.column).add("row", sync->tile.row);
  node.add("direction", std::string(name(sync->direction))).add("channel", sync->channel);
  node.add("columns", sync->columns).add("rows", sync->rows);
}

void takeSync(NodeReader& in, TxnOp& op) {
  if (in.has("where")) {
    op.at(TxnField::Direction) = in.word("where");
    op.at(TxnField::Extent) = in.word("extent");
    return;
  }
  const auto byte = [&](const char* key, uint8_t usual) {
    return uint8_t(in.number(key, usual, 255));
  };
  SyncOn on{.tile = {byte("column", 0), byte("row", 0)}};
  const auto direction = in.text("direction", "S2MM");
  if (direction != "S2MM" && direction != "MM2S")
    in.refuse(fmt::format("direction is '{}', not S2MM or MM2S", direction));
  on.direction = direction == "MM2S" ? DmaDirection::Mm2s : DmaDirection::S2mm;
  on.channel = byte("channel", 0);
  on.columns = byte("columns", 1);
  on.rows = byte("rows", 1);
  op.fields = [&] {
    auto fields = op.fields;
    const TxnOp sync = txnSync(on);
    fields[unsigned(TxnField::Direction)] = sync.at(TxnField::Direction);
    fields[unsigned(TxnField::Extent)] = sync.at(TxnField::Extent);
    return fields;
  }();
}

void addNumbers(TextNode& node, const TxnLayout& layout, const TxnOp& op) {
  for (const auto& number : numberFields)
    if (has(layout, number.field)) node.addUnless(0, number.name, op.at(number.field));
  if (has(layout, TxnField::Size) && !layout.isSized)
    node.addUnless(0, "size", op.at(TxnField::Size));
  if (has(layout, TxnField::AddressLow) && !isRegister(layout))
    node.addUnless(0, "low", op.at(TxnField::AddressLow));
  node.addUnless(0, "omitted", op.omitted);
}

void takeNumbers(NodeReader& in, const TxnLayout& layout, TxnOp& op) {
  for (const auto& number : numberFields)
    if (has(layout, number.field)) op.at(number.field) = in.word(number.name);
  if (op.at(TxnField::Tag) > mostTag) in.refuse("tag has more than 24 bits");
  if (has(layout, TxnField::Size) && !layout.isSized) op.at(TxnField::Size) = in.word("size");
  if (has(layout, TxnField::AddressLow) && !isRegister(layout))
    op.at(TxnField::AddressLow) = in.word("low");
  op.omitted = uint8_t(in.number("omitted", 0, layout.fields.size() - layout.leastWords));
}

void addRegister(TextNode& node, const TxnLayout& layout, const TxnOp& op, Generation generation) {
  const Address address{op.at(TxnField::AddressLow)};
  const uint32_t value = op.at(TxnField::Value);
  const bool isMasked = has(layout, TxnField::Mask),
             isWrite = has(layout, TxnField::Value) && !isMasked;
  node.values.push_back(addressText(address, generation));
  if (isMasked) addMasked(node, address, op.at(TxnField::Mask), value, generation);
  if (isWrite) addValue(node, address, value, generation);
  if (isBlock(layout)) addBlock(node, address, op.data, generation);
  if (isWrite) node.comment = meaningOf(address, {&value, 1});
  if (isBlock(layout)) node.comment = meaningOf(address, op.data);
}

void takeRegister(const TextNode& node, NodeReader& in, const TxnLayout& layout, TxnOp& op,
                  Generation generation, std::optional<Error>& refusal) {
  const auto address = addressOfText(in.value(0), generation);
  if (!address) return in.refuse(fmt::format("no register is called {}", in.value(0)));
  op.at(TxnField::AddressLow) = address->value;
  if (isBlock(layout)) op.data = takeBlock(node, *address, generation, refusal);
  if (has(layout, TxnField::Mask)) {
    const auto masked = takeMasked(in, *address, generation);
    op.at(TxnField::Mask) = masked.mask;
    op.at(TxnField::Value) = masked.value;
  } else if (has(layout, TxnField::Value)) {
    op.at(TxnField::Value) = takeValue(in, *address, generation);
  }
}

void takeData(const TextNode& node, std::vector<uint32_t>& data, std::optional<Error>& refusal) {
  for (const auto& line : node.children) {
    if (line.name != "data")
      NodeReader(line, refusal).refuse(fmt::format("{} is not data", line.name));
    const auto more = takeWords(line, refusal);
    data.insert(data.end(), more.begin(), more.end());
  }
}

TxnOp customOfText(const TextNode& node, NodeReader& in, const Txn& txn,
                   std::optional<Error>& refusal) {
  TxnOp op{.code = uint8_t(in.number("code", firstCodeWithSize, 255))};
  if (op.code < firstCodeWithSize || txnLayout(txn.major, txn.minor, op.code))
    in.refuse(fmt::format("code {:#x} is not a custom one", op.code));
  op.at(TxnField::Tag) = uint32_t(in.number("tag", 0, mostTag));
  takeData(node, op.data, refusal);
  in.end();
  return op;
}

TxnOp opOfText(const TextNode& node, const Txn& txn, Generation generation,
               std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  if (node.name == customName) return customOfText(node, in, txn, refusal);
  TxnOp op;
  const auto layouts = txnLayouts(txn.major, txn.minor);
  const auto layout =
      std::ranges::find_if(layouts, [&](const auto& l) { return node.name == l.name; });
  if (layout == layouts.end())
    return in.refuse(fmt::format("no operation of a TXN {}.{} is called {}", txn.major, txn.minor,
                                 node.name)),
           op;
  op.code = uint8_t(layout->code);
  takeNumbers(in, *layout, op);
  if (has(*layout, TxnField::Direction)) takeSync(in, op);
  if (isRegister(*layout)) takeRegister(node, in, *layout, op, generation, refusal);
  if (!isBlock(*layout)) takeData(node, op.data, refusal);
  if (!layout->isSized && !op.data.empty()) in.refuse(fmt::format("{} takes no data", node.name));
  in.end(isRegister(*layout));
  return op;
}

}  // namespace

TextNode toText(const TxnOp& op, const Txn& txn, Generation generation) {
  const auto* layout = txnLayout(txn.major, txn.minor, op.code);
  TextNode node{.name = layout ? layout->name : customName};
  if (!layout) {
    node.add("code", op.code).addUnless(0, "tag", op.at(TxnField::Tag));
    addWords(node, op.data);
    return node;
  }
  addNumbers(node, *layout, op);
  if (has(*layout, TxnField::Direction)) addSync(node, op);
  if (isRegister(*layout)) addRegister(node, *layout, op, generation);
  if (!isBlock(*layout)) addWords(node, op.data);
  return node;
}

TextNode toText(const Txn& txn, Generation generation) {
  TextNode node{.name = "txn"};
  node.add("version", fmt::format("{}.{}", txn.major, txn.minor));
  node.add("generation", txn.generation).add("rows", txn.rows).add("columns", txn.columns);
  node.add("memory_rows", txn.memoryRows).addUnless(0, "reserved", txn.reserved);
  if (!txn.trailing.empty()) node.add("trailing", hexText(txn.trailing));
  for (const auto& op : txn.ops)
    node.children.push_back(toText(op, txn, generation));
  return node;
}

Txn txnOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal) {
  NodeReader in(node, refusal);
  Txn txn;
  const auto version = in.text("version", "0.1");
  if (version == "1.0")
    txn.major = 1, txn.minor = 0;
  else if (version != "0.1")
    in.refuse(fmt::format("not supported: TXN version {}", version));
  txn.generation = uint8_t(in.number("generation", txn.generation, 255));
  txn.rows = uint8_t(in.number("rows", txn.rows, 255));
  txn.columns = uint8_t(in.number("columns", txn.columns, 255));
  txn.memoryRows = uint8_t(in.number("memory_rows", txn.memoryRows, 255));
  txn.reserved = uint16_t(in.number("reserved", 0, 0xFFFF));
  const auto trailing = bytesOfHex(in.text("trailing"));
  if (!trailing) in.refuse("trailing is not hexadecimal");
  txn.trailing = trailing.value_or(ByteVector());
  in.end();
  for (const auto& child : node.children) {
    if (!in.ok()) break;
    txn.ops.push_back(opOfText(child, txn, generation, refusal));
  }
  return txn;
}

TextNode toText(const LegacyStream& stream) {
  TextNode node{.name = "legacy"};
  addWords(node.child("prolog"), stream.prolog);
  for (const auto& op : stream.ops) {
    auto& line = node.child(legacyName(op.code));
    line.add("tag", op.tag);
    addWords(line, op.data);
  }
  return node;
}

LegacyStream legacyOfText(const TextNode& node, std::optional<Error>& refusal) {
  LegacyStream stream;
  for (const auto& child : node.children) {
    NodeReader in(child, refusal);
    std::vector<uint32_t> words;
    takeData(child, words, refusal);
    if (child.name == "prolog") {
      if (words.size() != stream.prolog.size())
        in.refuse("the prolog has 17 words");
      else
        std::ranges::copy(words, stream.prolog.begin());
      continue;
    }
    LegacyOp op{.tag = uint32_t(in.number("tag", 0, mostTag)), .data = std::move(words)};
    for (unsigned code = 1; code < 256; ++code)
      if (legacyName(uint8_t(code)) && child.name == legacyName(uint8_t(code)))
        op.code = uint8_t(code);
    if (legacyDataWords(op.code) != op.data.size())
      in.refuse(fmt::format("{} with {} words is not an operation of a legacy stream", child.name,
                            op.data.size()));
    in.end();
    stream.ops.push_back(std::move(op));
  }
  return stream;
}

}  // namespace airlite::npu
