#include "sim/array/BdMover.hpp"

#include "sim/array/BdLocks.hpp"
#include "sim/array/State.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim {
namespace {

/// Where Iteration_Current is in the words of a BD [docs/hardware/formats.md section 3].
struct Bits {
  unsigned word, lsb;
};
constexpr Bits iterationBits(TileKind kind) {
  if (kind == TileKind::Core) return {4, 19};
  return kind == TileKind::Mem ? Bits{6, 23} : Bits{6, 26};
}
constexpr uint32_t iterationMask = 0x3F;

}  // namespace

BdMover::BdMover(TileState& tile, DmaDirection direction, unsigned key)
    : tile_(tile),
      direction_(direction),
      key_(key),
      fifo_(depth()),
      shape_(blockShape(tile.array.device.generation)) {}

unsigned BdMover::depth() const {
  const Timing& timing = tile_.array.options.timing;
  return isSender() ? timing.egressDepth : timing.ingressDepth;
}

void BdMover::reset() { fifo_ = Fifo<Flit>(depth()); }

/// The bit of the BD works where that of the channel does, both as they are when the BD is loaded:
/// a BD that already waited when the bits were written went uncompressed through a Phoenix (see
/// Compression.hpp).
std::optional<std::string> BdMover::wrongCompression(const BufferDescriptor& bd) const {
  if (!bd.get(BdField::EnableCompression)) return std::nullopt;
  const int64_t block = shape_.words, length = bd.get(BdField::Length);
  if (length % block != 0)
    return fmt::format(
        "Enable_Compression with {} words: what becomes of the last {}, which are not a "
        "block of {} bits, is not known",
        length, length % block, 32 * block);
  return std::nullopt;
}

std::optional<std::string> BdMover::load(const BufferDescriptor& bd, unsigned id,
                                         const ChannelControl& control) {
  const bool unpacks = control.mayCompress && bd.get(BdField::EnableCompression);
  if (control.finishesOnTlast && (control.isOutOfOrder || unpacks))
    return "finish on TLAST of packets that are compressed or out of order: not modelled";
  if (control.mayCompress)
    if (auto wrong = wrongCompression(bd)) return wrong;
  bd_ = bd;
  bdId_ = id;
  cursor_ = BdCursor(bd);
  line_ = nullptr;
  ddrRun_.end();
  left_ = arriving_ = bd.get(BdField::Length);
  isOutOfOrder_ = control.isOutOfOrder;
  finishesOnTlast_ = control.finishesOnTlast;
  compresses_ = control.mayCompress && bd.get(BdField::EnableCompression);
  compressor_ = Compressor(shape_), decompressor_ = Decompressor(shape_);
  needsHeader_ = isSender() && bd.get(BdField::EnablePacket);
  return std::nullopt;
}

uint8_t* BdMover::wordAt(int64_t offset) {
  const auto current = tile_.bd(bdId_);
  const auto [word, lsb] = iterationBits(tile_.kind);
  const int64_t iteration = current[word] >> lsb & iterationMask;
  const int64_t words = offset + iteration * bd_->get(BdField::IterationStep);
  if (tile_.kind == TileKind::Shim)
    return useDdr(uint64_t(bd_->get(BdField::Base) + words * bytesPerWord));
  const int64_t size = limitsOf(tile_.kind).dataMemory.value;
  const int64_t base = bd_->get(BdField::Base) * bytesPerWord;
  const int64_t within = base % size + words * bytesPerWord;
  if (within + bytesPerWord > size) return nullptr;
  Tile owner = tile_.place;
  if (tile_.kind == TileKind::Mem)
    owner = windowTile(tile_, base / size);
  else if (base >= size)
    return nullptr;
  TileState* tile = tile_.array.at(owner);
  return tile ? useBank(*tile, within) : nullptr;
}

/// The word there. A bank serves 16 bytes at once: words of the same line need it no more.
uint8_t* BdMover::useBank(TileState& owner, int64_t byte) {
  constexpr int64_t width = 16;
  const uint8_t* line = owner.memory.data() + byte / width * width;
  if (line != line_) owner.useBanks(uint32_t(byte), size_t(bytesPerWord), key_, memory_);
  line_ = line;
  owner_ = &owner;
  return owner.memory.data() + byte;
}

/// The word there; the first of each request asks for the way to DDR.
uint8_t* BdMover::useDdr(uint64_t address) {
  auto& array = tile_.array;
  owner_ = nullptr;
  if (ddrRun_.begins(address, array.options.timing))
    array.ddrTraffic[size_t(direction_)].request(key_, memory_);
  return array.ddr.word(address);
}

BdMover::Step BdMover::move() {
  if (waitsForMemory(tile_.array.now)) return tile_.array.progress(), Step::Goes;
  if (!isSender()) return compresses_ ? writeUnpacked() : writeWord();
  if (compresses_ && !needsHeader_) return sendPacked();
  if (!fifo_.hasRoom(tile_.array.now)) return Step::Goes;
  if (needsHeader_) return sendHeader();
  // The shim pauses one cycle after so many words.
  const unsigned burst = tile_.array.options.timing.shimMm2sBurst;
  if (tile_.kind == TileKind::Shim && ++sent_ % (burst + 1) == 0)
    return tile_.array.progress(), Step::Goes;
  return readWord();
}

BdMover::Step BdMover::sendHeader() {
  const PacketHeader header{uint8_t(bd_->get(BdField::PacketId)),
                            uint8_t(bd_->get(BdField::PacketType)), tile_.place,
                            uint8_t(bd_->get(BdField::OutOfOrderId))};
  fifo_.push({*encode(header), false}, tile_.array.now, 1);
  needsHeader_ = false;
  tile_.array.progress();
  return Step::Goes;
}

/// The next word of the BD; none, with an error, where there is no memory.
std::optional<uint32_t> BdMover::fromMemory() {
  const auto offset = cursor_.next();
  const uint8_t* at = offset ? wordAt(*offset) : nullptr;
  if (offset && !at) {
    error_ = fmt::format("BD {} leaves its memory", bdId_);
    return std::nullopt;
  }
  if (at && owner_ && !owner_->isWritten(at))
    tile_.array.warn(
        tile_.place,
        fmt::format("BD {} sends byte {:#x} of ({},{}), which nobody has written", bdId_,
                    at - owner_->memory.data(), owner_->place.column, owner_->place.row),
        Origin{.bd = bdId_});
  --left_, ++words_;
  tile_.array.progress();
  return at ? wordFrom(at) : 0;
}

BdMover::Step BdMover::readWord() {
  const auto word = fromMemory();
  if (!word) return Step::Fault;
  const bool isLast = left_ == 0 && !bd_->get(BdField::TlastSuppress);
  fifo_.push({*word, isLast}, tile_.array.now, tile_.array.options.timing.memoryLatency);
  return ended();
}

/// A word of the block that is packed into the stream, and one of memory into the next: as many
/// cycles as the side takes that has more. How many the hardware takes is not known.
BdMover::Step BdMover::sendPacked() {
  const auto word = compressor_.next();
  if (word && fifo_.hasRoom(tile_.array.now)) {
    compressor_.pop();
    const bool isEnd = left_ == 0 && compressor_.isEmpty();
    fifo_.push({*word, isEnd && !bd_->get(BdField::TlastSuppress)}, tile_.array.now,
               tile_.array.options.timing.memoryLatency);
    tile_.array.progress();
    if (isEnd) return Step::Done;
  }
  if (left_ == 0 || !compressor_.takes()) return Step::Goes;
  const auto next = fromMemory();
  if (!next) return Step::Fault;
  compressor_.take(*next);
  return Step::Goes;
}

/// False, with an error, where there is no memory.
bool BdMover::toMemory(uint32_t word) {
  uint8_t* at = wordAt(*cursor_.next());
  if (!at) {
    error_ = fmt::format("BD {} leaves its memory", bdId_);
    return false;
  }
  wordTo(at, word);
  if (owner_) owner_->noteWritten(at, sizeof(word));
  --left_, ++words_;
  tile_.array.progress();
  return true;
}

/// Words of the BD have come. Out of order, a packet is one BD: what else it could be nothing says.
bool BdMover::hasCome(int64_t words, bool isLast) {
  arriving_ -= words;
  if (!isOutOfOrder_ || isLast == (arriving_ == 0)) return true;
  error_ = isLast ? fmt::format("a packet ends {} words before BD {}, which takes it: not modelled",
                                arriving_, bdId_)
                  : fmt::format("a packet continues after the words of BD {}, which takes it: not "
                                "modelled",
                                bdId_);
  return false;
}

BdMover::Step BdMover::writeWord() {
  const Flit* head = fifo_.head(tile_.array.now);
  if (!head) return Step::Goes;
  if (head->isToken) return fault("a task-completion token came as data");
  const bool isLast = head->isLast;
  if (!toMemory(head->value) || !hasCome(1, isLast)) return Step::Fault;
  fifo_.pop(tile_.array.now);
  if (!finishesOnTlast_) return ended();
  if (!isLast && left_ == 0)
    return fault(fmt::format("BD {} is full before TLAST (Error_FoT_Length_Exceeded): what becomes "
                             "of the rest is not modelled",
                             bdId_));
  if (isLast) left_ = arriving_ = 0;
  return ended();
}

BdMover::Step BdMover::writeUnpacked() {
  if (arriving_ > 0 && decompressor_.takes() && !takePacked()) return Step::Fault;
  const auto word = decompressor_.next();
  if (!word) return Step::Goes;
  decompressor_.pop();
  return toMemory(*word) ? ended() : Step::Fault;
}

/// A word of the stream, if one is there; false is an error.
bool BdMover::takePacked() {
  const Flit* head = fifo_.head(tile_.array.now);
  if (!head) return true;
  if (head->isToken) {
    error_ = "a task-completion token came as data";
    return false;
  }
  const bool isLast = head->isLast;
  decompressor_.take(head->value);
  fifo_.pop(tile_.array.now);
  tile_.array.progress();
  if (decompressor_.isBetweenBlocks()) return hasCome(shape_.words, isLast);
  if (isLast)
    error_ = fmt::format("BD {}: a stream ends within a compressed block: what becomes of it is "
                         "not known",
                         bdId_);
  return !isLast;
}

void BdMover::countIteration() {
  const auto [word, lsb] = iterationBits(tile_.kind);
  uint32_t& stored = tile_.bd(bdId_)[word];
  const uint32_t next = (stored >> lsb & iterationMask) + 1;
  const uint32_t current = next >= bd_->get(BdField::IterationWrap) ? 0 : next;
  stored = (stored & ~(iterationMask << lsb)) | current << lsb;
}

}  // namespace airlite::npu::sim
