#include "image/Effect.hpp"

#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/StreamWords.hpp"
#include "image/FormatText.hpp"
#include "image/RegisterText.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace airlite::npu {
namespace {

std::string lineOf(const TextNode& node) {
  TextNode alone = node;
  alone.comment.clear();
  std::string text = printTree(alone);
  text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

class EffectMaker {
 public:
  EffectMaker(Effect& effect, Generation generation) : effect_(effect), generation_(generation) {}

  void write(uint32_t address, uint32_t value) { maskWrite(address, ~uint32_t(0), value); }
  void write(uint32_t address, std::span<const uint32_t> words) {
    for (const uint32_t word : words)
      write(address, word), address += 4;
  }
  void maskWrite(uint32_t address, uint32_t mask, uint32_t value) {
    if (isQueue(Address{address})) return task(Address{address}, value & mask);
    if (mask == 0) return;
    Cell& cell = effect_.cells[address];
    cell.known |= mask;
    cell.value = (cell.value & ~mask) | (value & mask);
  }
  void event(std::string text) { effect_.events.push_back(std::move(text)); }

 private:
  static bool isQueue(Address address) {
    const Tile tile = address.tile();
    return tile.row < Device::rows && channelOfStartQueue(kindOfRow(tile.row), address.offset());
  }

  /// The task, and the chain of BDs as it stands now: BDs are written again for later tasks.
  void task(Address address, uint32_t word) {
    TextNode node{.name = "task"};
    node.values.push_back(addressText(address, generation_));
    addValue(node, address, word, generation_);
    std::string text = lineOf(node);
    const auto kind = kindOfRow(address.tile().row);
    const auto entry = decodeQueueEntry(kind, word);
    std::set<unsigned> seen;
    for (unsigned bd = entry ? entry->bd : ~0u; bd < limitsOf(kind).bds && seen.insert(bd).second;)
      bd = chain(text, address.tile(), bd);
    event(std::move(text));
  }

  /// Adds BD `id` to the text; gives the next of the chain, or a number that no BD has.
  unsigned chain(std::string& text, Tile tile, unsigned id) {
    const auto kind = kindOfRow(tile.row);
    const Address start = addressOf(tile, limitsOf(kind).bd.at(id));
    std::vector<uint32_t> words;
    for (unsigned i = 0; i < limitsOf(kind).bdWords; ++i) {
      const auto found = effect_.cells.find(start.value + 4 * i);
      words.push_back(found == effect_.cells.end() ? 0 : found->second.value);
    }
    const auto meaning = meaningOf(start, words);
    text += " [";
    for (const uint32_t word : words)
      text += fmt::format("{:X} ", word);
    text += meaning + "]";
    const auto bd = decodeBd(kind, words);
    return bd && bd->get(BdField::UseNextBd) ? unsigned(bd->get(BdField::NextBd)) : ~0u;
  }

  Effect& effect_;
  Generation generation_;
};

void apply(Effect& effect, const Cdo& cdo, Generation generation) {
  EffectMaker maker(effect, generation);
  const TextNode whole = toText(cdo, generation);
  for (size_t i = 0; i < cdo.commands.size(); ++i) {
    const auto& command = cdo.commands[i];
    const uint32_t address = command.at(CdoField::AddressLow), value = command.at(CdoField::Value);
    const bool isFar = command.at(CdoField::AddressHigh) != 0;
    switch (isFar ? CdoCode(0) : CdoCode(command.code)) {
      case CdoCode::Write:
      case CdoCode::Write32: maker.write(address, value); break;
      case CdoCode::MaskWrite:
      case CdoCode::MaskWrite32: maker.maskWrite(address, command.at(CdoField::Mask), value); break;
      case CdoCode::BlockWrite: maker.write(address, command.data); break;
      case CdoCode::Nop: break;
      default: maker.event(lineOf(whole.children[i]));
    }
  }
}

void apply(Effect& effect, const Txn& txn, Generation generation) {
  EffectMaker maker(effect, generation);
  for (const auto& op : txn.ops) {
    const uint32_t address = op.at(TxnField::AddressLow), value = op.at(TxnField::Value);
    const bool isFar = op.at(TxnField::AddressHigh) != 0;
    switch (isFar ? TxnCode(0xFF) : TxnCode(op.code)) {
      case TxnCode::Write: maker.write(address, value); break;
      case TxnCode::MaskWrite: maker.maskWrite(address, op.at(TxnField::Mask), value); break;
      case TxnCode::BlockWrite: maker.write(address, op.data); break;
      case TxnCode::Nop: break;
      default: {
        TxnOp plain = op;  // where it is for, tools write or leave out
        if (plain.code != uint8_t(TxnCode::Preempt) && plain.code != uint8_t(TxnCode::LoadPdi))
          plain.at(TxnField::Tag) = 0;
        plain.at(TxnField::Tile) = 0;
        plain.omitted = 0;
        maker.event(lineOf(toText(plain, txn, generation)));
      }
    }
  }
}

/// Each node of a container as a line with its parents, without what only says where things are.
void addFacts(Effect& effect, TextNode node, const std::string& parents) {
  if (node.name == "cdo" || node.name == "piece") return;
  std::erase_if(node.attributes, [](const auto& attribute) {
    return attribute.first == "offset" || attribute.first == "length" ||
           attribute.first == "padding";
  });
  const auto children = std::move(node.children);
  node.children.clear();
  const auto line = parents + lineOf(node);
  effect.facts.push_back(line);
  const auto head = parents + node.name + (node.values.empty() ? "" : " " + node.values[0]) + " / ";
  for (const auto& child : children)
    addFacts(effect, child, head);
}

void applyXclbin(Effect& effect, const Xclbin& file, Generation generation) {
  addFacts(effect, toText(file, generation), "");
  const auto* section = sectionOf(file, SectionKind::AiePartition);
  if (!section) return;
  const auto partition = readAiePartition(section->data);
  if (!partition) return;
  for (const auto& entry : partition->pdis)
    if (const auto pdi = readPdi(entry.image)) apply(effect, pdi->cdo, generation);
}

/// What the segments of one core may have together; see loadsOf.
constexpr uint64_t mostZeroedMemory = 1 << 20;

void addSegment(Effect& effect, const CoreElf& elf, const ElfSegment& segment) {
  const auto data = fileBytes(elf, segment.offset, std::min(segment.filesz, segment.memsz));
  for (uint32_t i = 0; i < segment.memsz; ++i) {
    const uint32_t address = segment.paddr + i;
    const uint32_t byte = i < data.size() ? data[i] : 0;
    const unsigned shift = 8 * (address & 3);
    Cell& cell = effect.cells[address & ~3u];
    cell.known |= 0xFFu << shift;
    cell.value = (cell.value & ~(0xFFu << shift)) | byte << shift;
  }
}

Result<Effect> applyElf(ByteSpan bytes) {
  const auto elf = readCoreElf(bytes);
  if (!elf) return elf.error();
  Effect effect{.isArray = false};
  effect.facts.push_back(fmt::format("entry={:#x} flags={}", elf->header.entry, elf->header.flags));
  uint64_t size = 0;
  for (const auto* segment : loadable(*elf))
    size += segment->memsz;
  if (size > mostZeroedMemory) return Error{fmt::format("segments of {} bytes together", size), 0};
  for (const auto* segment : loadable(*elf))
    addSegment(effect, *elf, *segment);
  return effect;
}

template <class T, class F> Result<Effect> made(const Result<T>& value, F fill) {
  if (!value) return value.error();
  Effect effect;
  fill(effect, *value);
  return effect;
}

}  // namespace

Result<Effect> effectOf(ByteSpan bytes, Generation generation) {
  switch (imageKindOf(bytes)) {
    case ImageKind::CoreElf: return applyElf(bytes);
    case ImageKind::Cdo:
      return made(readCdo(bytes), [&](Effect& e, const Cdo& cdo) { apply(e, cdo, generation); });
    case ImageKind::Pdi:
      return made(readPdi(bytes), [&](Effect& e, const Pdi& pdi) {
        addFacts(e, toText(pdi, generation), "");
        apply(e, pdi.cdo, generation);
      });
    case ImageKind::Xclbin:
      return made(readXclbin(bytes),
                  [&](Effect& e, const Xclbin& f) { applyXclbin(e, f, generation); });
    case ImageKind::Txn:
      return made(readTxn(bytes), [&](Effect& e, const Txn& txn) {
        e.facts.push_back(fmt::format("for generation={} rows={} columns={} memory_rows={}",
                                      txn.generation, txn.rows, txn.columns, txn.memoryRows));
        apply(e, txn, generation);
      });
    case ImageKind::LegacyStream:
      return made(readLegacyStream(bytes), [](Effect& e, const LegacyStream& stream) {
        for (const auto& child : toText(stream).children)
          e.events.push_back(lineOf(child));
      });
    case ImageKind::Unknown: break;
  }
  return unknownImage(bytes);
}

}  // namespace airlite::npu
