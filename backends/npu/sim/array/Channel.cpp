#include "sim/array/Channel.hpp"

#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// Bits of a control register [AM025: DMA_S2MM_0_Ctrl and its like of the three modules].
constexpr uint32_t controllerMask = 0xFF00;
constexpr uint32_t formerEnableBit = 1 << 0;  // "Reserved (previously Enable)": streams set it
constexpr uint32_t resetBit = 1 << 1, compressionBit = 1 << 4;        // not shims
constexpr uint32_t pauseMemoryBit = 1 << 1, pauseStreamBit = 1 << 2;  // shims
constexpr uint32_t outOfOrderBit = 1 << 3;                            // S2MM
constexpr uint32_t finishOnTlastMask = 3 << 16;                       // S2MM

uint32_t controlBits(TileKind kind, bool isSender) {
  const uint32_t own =
      kind == TileKind::Shim ? pauseMemoryBit | pauseStreamBit : resetBit | compressionBit;
  return controllerMask | formerEnableBit | own | (isSender ? 0 : outOfOrderBit);
}

}  // namespace

Channel::Channel(TileState& tile, DmaDirection direction, unsigned number)
    : tile_(tile),
      direction_(direction),
      number_(number),
      fifo_(depth()),
      shape_(blockShape(tile.array.device.generation)) {
  if (tile.kind != TileKind::Shim) port_ = tile.portOf(direction, number);
}

unsigned Channel::depth() const {
  const Timing& timing = tile_.array.options.timing;
  return isSender() ? timing.egressDepth : timing.ingressDepth;
}

std::string Channel::name() const { return fmt::format("{} {}", npu::name(direction_), number_); }

void Channel::fault(std::string text) { tile_.fault(name() + ": " + std::move(text), origin()); }

Origin Channel::origin() const {
  if (state_ == State::Idle || state_ == State::AwaitingPacket) return {};
  Origin origin{.bd = bdId_};
  const auto& writers = tile_.array.bdWriters;
  const auto writer = writers.find(addressOf(tile_.place, limitsOf(tile_.kind).bd.at(bdId_)).value);
  if (writer != writers.end()) origin.operation = writer->second;
  return origin;
}

bool Channel::releases(const BufferDescriptor& bd, Tile owner, unsigned lock) const {
  unsigned number = 0;
  const Tile tile = lockTile(unsigned(bd.get(BdField::LockReleaseId)), number);
  return bd.get(BdField::LockReleaseValue) != 0 && tile == owner && number == lock;
}

/// Packets may ask for any descriptor of the channel's bank.
bool Channel::someBdReleases(Tile owner, unsigned lock) {
  const Range bank = bdsOfChannel(tile_.kind, number_);
  for (unsigned id = bank.begin; id < bank.end; ++id) {
    const auto bd = decodeBd(tile_.kind, tile_.bd(id));
    if (bd && bd->get(BdField::Valid) && releases(*bd, owner, lock)) return true;
  }
  return false;
}

bool Channel::willRelease(Tile owner, unsigned lock) {
  if (state_ == State::Idle) return false;
  if (isOutOfOrder_) return someBdReleases(owner, lock);
  std::vector<bool> seen(limitsOf(tile_.kind).bds);
  for (unsigned id = bdId_; !seen[id];) {
    seen[id] = true;
    const auto bd = decodeBd(tile_.kind, tile_.bd(id));
    if (!bd) return false;
    if (releases(*bd, owner, lock)) return true;
    id = unsigned(bd->get(BdField::UseNextBd) ? bd->get(BdField::NextBd) : task_.bd);
    if (id >= seen.size()) return false;
  }
  return false;
}

unsigned Channel::key() const {
  const unsigned own = number_ + (isSender() ? 6 : 0);
  return unsigned(tile_.place.column) << 12 | unsigned(tile_.place.row) << 8 | own;
}

std::optional<std::string> Channel::push(uint32_t word) {
  const auto entry = decodeQueueEntry(tile_.kind, word);
  if (!entry) return entry.error().message;
  if (isHeld_) return fmt::format("{} is in reset: this task would be lost", name());
  if (queue_.size() >= taskQueueDepth)
    return fmt::format("the start queue of {} is full ({} tasks): this one would be lost", name(),
                       taskQueueDepth);
  queue_.push_back(*entry);
  return std::nullopt;
}

std::optional<std::string> Channel::setControl(uint32_t word) {
  const uint32_t known = controlBits(tile_.kind, isSender());
  if (!isSender() && (word & finishOnTlastMask))
    return fmt::format("FoT_Mode of {} (finish on TLAST): not modelled", name());
  if (word & ~known)
    return fmt::format("control bits {:#x} of {}: not modelled", word & ~known, name());
  const uint32_t id = word >> 8;
  if (id >= packetIdCount)
    return fmt::format("controller id {} of {}, a packet id is below {}", id, name(),
                       packetIdCount);
  const bool becomesOutOfOrder = word & outOfOrderBit;
  if (becomesOutOfOrder != isOutOfOrder_ && state_ != State::Idle)
    return fmt::format("Enable_Out_of_Order of {} changes while it is at work: not modelled",
                       name());
  controllerId_ = uint8_t(id);
  isOutOfOrder_ = becomesOutOfOrder;
  mayCompress_ = word & compressionBit;
  if (tile_.kind == TileKind::Shim) {
    pausesMemory_ = word & pauseMemoryBit, pausesStream_ = word & pauseStreamBit;
    return std::nullopt;
  }
  isHeld_ = word & resetBit;
  if (isHeld_) reset();
  return std::nullopt;
}

/// Tasks and words between memory and stream are gone; what is in the switch stays.
void Channel::reset() {
  if (lock_.state == LockClient::State::Waiting) tile_.array.at(lock_.tile)->locks.withdraw(lock_);
  lock_ = {};
  queue_.clear();
  fifo_ = Fifo<Flit>(depth());
  state_ = State::Idle;
  bd_.reset();
  compresses_ = false;
}

bool Channel::isBusy() const {
  if (!fifo_.isEmpty()) return true;
  if (state_ == State::Acquiring) return lock_.state != LockClient::State::Waiting;
  if (state_ == State::AwaitingPacket) return false;  // it comes by the switch
  if (state_ == State::Moving && !isSender())         // so do words, but for those of a block
    return compresses_ && left_ > arriving_;
  return state_ != State::Idle || !queue_.empty();
}

bool Channel::ripens() const {
  const bool waits = state_ == State::Starting || state_ == State::Releasing;
  return (waits && until_ + 1 >= tile_.array.now) || fifo_.ripens(tile_.array.now);
}

void Channel::step() {
  const uint64_t now = tile_.array.now;
  if (state_ == State::Idle && !queue_.empty())
    takeTask();
  else if (state_ == State::Starting && now >= until_)
    startRun();
  else if (state_ == State::AwaitingPacket)
    takeHeader();
  else if (state_ == State::Releasing && now >= until_)
    endRelease();
  else if (state_ == State::Acquiring && lock_.state == LockClient::State::Granted)
    startMoving();
  else if (state_ == State::Token)
    sendToken();
  if (state_ == State::Moving) moveWord();
  exchange();
}

void Channel::takeTask() {
  const Timing& timing = tile_.array.options.timing;
  task_ = queue_.front();
  queue_.pop_front();
  runsLeft_ = task_.repeat;
  bdId_ = task_.bd;
  state_ = State::Starting;
  unsigned wait = timing.channelStart + timing.bdSetup;
  if (tile_.kind == TileKind::Shim)
    wait = hasRun_ ? (isSender() ? timing.shimLaterMm2s : timing.shimLaterS2mm)
                   : (isSender() ? timing.shimFirstMm2s : timing.shimFirstS2mm);
  until_ = tile_.array.now + wait;
  hasRun_ = true;
  tile_.array.progress();
}

void Channel::startRun() {
  if (!isOutOfOrder_) return loadBd();
  state_ = State::AwaitingPacket;
  tile_.array.progress();
}

/// Out of order, the header says which BD takes the packet; it is not stored. Documented: the
/// word's bits; that a task's count is one of packets and its BD of no meaning; that locks and
/// iterations are those of the BD named; that BDs do not chain; that a packet for a locked BD holds
/// up those after it [AM025, mlir-aie: test/npu-xrt/dma_s2mm_ooo, run on hardware]. Whether the
/// receiver's BD has Enable_Packet makes no difference: AM025 gives it to MM2S alone.
void Channel::takeHeader() {
  const Flit* head = fifo_.head(tile_.array.now);
  if (!head) return;
  if (head->isToken) return fault("a task-completion token came as a packet's header");
  const auto header = decodePacketHeader(head->value);
  if (!header)
    return fault(fmt::format("{:#010x} came where a packet begins: {}", head->value,
                             header.error().message));
  if (head->isLast) return fault("a packet of nothing but its header came: not modelled");
  bdId_ = header->outOfOrderId;
  fifo_.pop(tile_.array.now);
  if (bdId_ >= limitsOf(tile_.kind).bds)
    return fault(
        fmt::format("a packet asks for BD {}, the tile has {}", bdId_, limitsOf(tile_.kind).bds));
  loadBd();
}

/// The bit of the BD works where that of the channel does, both as they are when the BD is loaded:
/// a BD that already waited when the bits were written went uncompressed through a Phoenix (see
/// Compression.hpp).
std::optional<std::string> Channel::wrongCompression(const BufferDescriptor& bd) const {
  if (!mayCompress_ || !bd.get(BdField::EnableCompression)) return std::nullopt;
  const int64_t block = shape_.words, length = bd.get(BdField::Length);
  if (length % block != 0)
    return fmt::format(
        "Enable_Compression with {} words: what becomes of the last {}, which are no "
        "block of {} bits, is not known",
        length, length % block, 32 * block);
  return std::nullopt;
}

/// Sent with a header, or taken for its header.
bool Channel::isPacket(const BufferDescriptor& bd) const {
  return isSender() ? bd.get(BdField::EnablePacket) != 0 : isOutOfOrder_;
}

void Channel::loadBd() {
  auto bd = decodeBd(tile_.kind, tile_.bd(bdId_));
  if (!bd) return fault(fmt::format("BD {}: {}", bdId_, bd.error().message));
  if (!bd->get(BdField::Valid)) return fault(fmt::format("BD {} is not valid", bdId_));
  if (bd->get(BdField::Length) == 0 && isPacket(*bd))
    return fault(fmt::format("BD {} is a packet without words: not modelled", bdId_));
  if (const auto wrong = misuse(*bd, bdId_, direction_, number_))
    return fault(fmt::format("BD {}: {}", bdId_, wrong->message));
  if (const auto wrong = wrongCompression(*bd))
    return fault(fmt::format("BD {}: {}", bdId_, *wrong));
  bd_ = *bd;
  cursor_ = BdCursor(*bd_);
  line_ = nullptr;
  left_ = arriving_ = bd_->get(BdField::Length);
  compresses_ = mayCompress_ && bd_->get(BdField::EnableCompression);
  compressor_ = Compressor(shape_), decompressor_ = Decompressor(shape_);
  needsHeader_ = isSender() && bd_->get(BdField::EnablePacket);
  tile_.array.progress();
  if (!bd_->get(BdField::LockAcquireEnable)) return startMoving();
  unsigned number = 0;
  const Tile owner = lockTile(unsigned(bd_->get(BdField::LockAcquireId)), number);
  TileState* tile = tile_.array.at(owner);
  if (!tile) return fault(fmt::format("BD {} acquires a lock of a tile that is not there", bdId_));
  lock_ = {LockClient::State::None, owner, number, int(bd_->get(BdField::LockAcquireValue))};
  tile->locks.acquire(key(), lock_);
  state_ = State::Acquiring;
}

/// The tile that a window of a memory tile's DMA shows: west, own, east. No tile for what is beyond.
Tile Channel::memTile(int64_t window) const {
  constexpr Tile nowhere{0xFF, 0xFF};
  if (window > 2) return nowhere;
  return {uint8_t(tile_.place.column + window - 1), tile_.place.row};
}

/// The tile whose lock that is, as the DMA counts; `number` is the lock's there.
Tile Channel::lockTile(unsigned lock, unsigned& number) const {
  number = lock;
  if (tile_.kind != TileKind::Mem) return tile_.place;
  const unsigned count = limitsOf(TileKind::Mem).locks;
  number = lock % count;
  return memTile(lock / count);
}

/// A BD of no words only takes and gives locks: AMD's gemm_4x4_a16fw4acc32f chains such BDs (0 is
/// in the range of Buffer_Length [AM025]).
void Channel::startMoving() {
  lock_ = {};
  state_ = State::Moving;
  tile_.array.progress();
  if (left_ == 0) endBd();
}

uint8_t* Channel::wordAt(int64_t offset) {
  const auto current = tile_.bd(bdId_);
  const auto [word, lsb] = iterationBits(tile_.kind);
  const int64_t iteration = current[word] >> lsb & iterationMask;
  const int64_t words = offset + iteration * bd_->get(BdField::IterationStep);
  if (tile_.kind == TileKind::Shim)
    return tile_.array.ddr.word(uint64_t(bd_->get(BdField::Base) + words * bytesPerWord));
  const int64_t size = limitsOf(tile_.kind).dataMemory.value;
  const int64_t base = bd_->get(BdField::Base) * bytesPerWord;
  const int64_t within = base % size + words * bytesPerWord;
  if (within + bytesPerWord > size) return nullptr;
  Tile owner = tile_.place;
  if (tile_.kind == TileKind::Mem)
    owner = memTile(base / size);
  else if (base >= size)
    return nullptr;
  TileState* tile = tile_.array.at(owner);
  return tile ? useBank(*tile, within) : nullptr;
}

/// The word there. A bank serves 16 bytes at once: words of the same line need it no more.
uint8_t* Channel::useBank(TileState& owner, int64_t byte) {
  constexpr int64_t width = 16;
  const uint8_t* line = owner.memory.data() + byte / width * width;
  if (line != line_) owner.useBanks(uint32_t(byte), size_t(bytesPerWord), key(), banks_);
  line_ = line;
  return owner.memory.data() + byte;
}

void Channel::moveWord() {
  if (pausesMemory_) return;
  if (banks_.blockedUntil > tile_.array.now) return tile_.array.progress();
  if (!isSender()) return compresses_ ? writeUnpacked() : writeWord();
  if (compresses_ && !needsHeader_) return sendPacked();
  if (!fifo_.hasRoom(tile_.array.now)) return;
  if (needsHeader_) return sendHeader();
  // The shim pauses one cycle after so many words.
  const unsigned burst = tile_.array.options.timing.shimMm2sBurst;
  if (tile_.kind == TileKind::Shim && ++sent_ % (burst + 1) == 0) return tile_.array.progress();
  readWord();
}

void Channel::sendHeader() {
  const PacketHeader header{uint8_t(bd_->get(BdField::PacketId)),
                            uint8_t(bd_->get(BdField::PacketType)), tile_.place,
                            uint8_t(bd_->get(BdField::OutOfOrderId))};
  fifo_.push({*encode(header), false}, tile_.array.now, 1);
  needsHeader_ = false;
  tile_.array.progress();
}

/// The next word of the BD; none, and a fault, where there is no memory.
std::optional<uint32_t> Channel::fromMemory() {
  const auto offset = cursor_.next();
  const uint8_t* at = offset ? wordAt(*offset) : nullptr;
  if (offset && !at) return fault(fmt::format("BD {} leaves its memory", bdId_)), std::nullopt;
  --left_, ++words_;
  tile_.array.progress();
  return at ? wordFrom(at) : 0;
}

void Channel::readWord() {
  const auto word = fromMemory();
  if (!word) return;
  const bool isLast = left_ == 0 && !bd_->get(BdField::TlastSuppress);
  fifo_.push({*word, isLast}, tile_.array.now, tile_.array.options.timing.memoryLatency);
  if (left_ == 0) endBd();
}

/// A word of the block that is packed into the stream, and one of memory into the next: as many
/// cycles as the side takes that has more. How many the hardware takes is not known.
void Channel::sendPacked() {
  const auto word = compressor_.next();
  if (word && fifo_.hasRoom(tile_.array.now)) {
    compressor_.pop();
    const bool isEnd = left_ == 0 && compressor_.isEmpty();
    fifo_.push({*word, isEnd && !bd_->get(BdField::TlastSuppress)}, tile_.array.now,
               tile_.array.options.timing.memoryLatency);
    tile_.array.progress();
    if (isEnd) return endBd();
  }
  if (left_ == 0 || !compressor_.takes()) return;
  if (const auto next = fromMemory()) compressor_.take(*next);
}

bool Channel::toMemory(uint32_t word) {
  uint8_t* at = wordAt(*cursor_.next());
  if (!at) return fault(fmt::format("BD {} leaves its memory", bdId_)), false;
  wordTo(at, word);
  --left_, ++words_;
  tile_.array.progress();
  return true;
}

/// Words of the BD have come. Out of order, a packet is one BD: what else it could be nothing says.
bool Channel::hasCome(int64_t words, bool isLast) {
  arriving_ -= words;
  if (!isOutOfOrder_ || isLast == (arriving_ == 0)) return true;
  fault(isLast ? fmt::format("a packet ends {} words before BD {}, which takes it: not modelled",
                             arriving_, bdId_)
               : fmt::format("a packet goes on behind the words of BD {}, which takes it: not "
                             "modelled",
                             bdId_));
  return false;
}

void Channel::writeWord() {
  const Flit* head = fifo_.head(tile_.array.now);
  if (!head) return;
  if (head->isToken) return fault("a task-completion token came as data");
  if (!toMemory(head->value) || !hasCome(1, head->isLast)) return;
  fifo_.pop(tile_.array.now);
  if (left_ == 0) endBd();
}

void Channel::writeUnpacked() {
  if (arriving_ > 0 && decompressor_.takes() && !takePacked()) return;
  const auto word = decompressor_.next();
  if (!word) return;
  decompressor_.pop();
  if (toMemory(*word) && left_ == 0) endBd();
}

/// A word of the stream, if one is there; false is a fault.
bool Channel::takePacked() {
  const Flit* head = fifo_.head(tile_.array.now);
  if (!head) return true;
  if (head->isToken) return fault("a task-completion token came as data"), false;
  const bool isLast = head->isLast;
  decompressor_.take(head->value);
  fifo_.pop(tile_.array.now);
  tile_.array.progress();
  if (decompressor_.isBetweenBlocks()) return hasCome(shape_.words, isLast);
  if (isLast)
    fault(fmt::format("BD {}: a stream ends within a compressed block: what becomes of it is not "
                      "known",
                      bdId_));
  return !isLast;
}

void Channel::countIteration() {
  const auto [word, lsb] = iterationBits(tile_.kind);
  uint32_t& stored = tile_.bd(bdId_)[word];
  const uint32_t next = (stored >> lsb & iterationMask) + 1;
  const uint32_t current = next >= bd_->get(BdField::IterationWrap) ? 0 : next;
  stored = (stored & ~(iterationMask << lsb)) | current << lsb;
}

void Channel::endBd() {
  countIteration();
  until_ = tile_.array.now + 1;
  state_ = State::Releasing;
  const int change = int(bd_->get(BdField::LockReleaseValue));
  if (change == 0) return;
  unsigned number = 0;
  TileState* tile = tile_.array.at(lockTile(unsigned(bd_->get(BdField::LockReleaseId)), number));
  if (!tile) return fault(fmt::format("BD {} releases a lock of a tile that is not there", bdId_));
  tile->locks.release(number, change);
  until_ = tile_.array.now + tile_.array.options.timing.lockRelease;
}

void Channel::endRelease() {
  const Timing& timing = tile_.array.options.timing;
  tile_.array.progress();
  state_ = State::Starting;
  until_ = tile_.array.now + timing.chainedBd;
  if (!isOutOfOrder_ && bd_->get(BdField::UseNextBd)) {
    bdId_ = unsigned(bd_->get(BdField::NextBd));
    return;
  }
  bdId_ = task_.bd;
  if (--runsLeft_ == 0) endTask();
}

void Channel::endTask() {
  state_ = task_.issuesToken ? State::Token : State::Idle;
  bd_.reset();
}

/// After the stream header its layout is not known; the model carries who sent it beside the word.
void Channel::sendToken() {
  const unsigned port = tile_.tokenSlave();
  // What a sender has read must have left; a receiver may hold words of the next task already.
  if ((isSender() && !fifo_.isEmpty()) || !tile_.streams.canEnter(port, tile_.array.now)) return;
  const PacketHeader header{controllerId_, 0, tile_.place};
  const TokenActor actor{tile_.place.column, tile_.place.row, isSender(), uint8_t(number_)};
  tile_.streams.enter(port, {*encode(header), true, true, actor}, tile_.array.now);
  state_ = State::Idle;
  tile_.array.progress();
}

void Channel::exchange() {
  const uint64_t now = tile_.array.now;
  if (isSender() ? fifo_.isEmpty() : tile_.streams.fullMasters() == 0) return;
  const auto port = tile_.kind == TileKind::Shim ? tile_.portOf(direction_, number_) : port_;
  if (!port || pausesStream_) return;
  if (isSender()) {
    const Flit* head = fifo_.head(now);
    if (!head || !tile_.streams.canEnter(*port, now)) return;
    tile_.streams.enter(*port, *head, now);
    fifo_.pop(now);
    return tile_.array.progress();
  }
  const Flit* head = tile_.streams.atMaster(*port, now);
  if (!head || !fifo_.hasRoom(now)) return;
  fifo_.push(*head, now, 1);
  tile_.streams.leave(*port, now);
  tile_.array.progress();
}

}  // namespace airlite::npu::sim
