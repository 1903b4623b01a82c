#include "sim/array/Channel.hpp"

#include "sim/array/State.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::sim {
namespace {

/// Where Iteration_Current is in the words of a BD [formats.md section 3].
struct Bits {
  unsigned word, lsb;
};
constexpr Bits iterationBits(TileKind kind) {
  if (kind == TileKind::Core) return {4, 19};
  return kind == TileKind::Mem ? Bits{6, 23} : Bits{6, 26};
}
constexpr uint32_t iterationMask = 0x3F;

constexpr uint32_t controllerMask = 0xFF00;  ///< of a control register
constexpr uint32_t resetMask = 2;            ///< there, but for shims

/// Fields of a BD that the model refuses to guess.
constexpr BdField notModelled[] = {BdField::EnableCompression};

}  // namespace

Channel::Channel(TileState& tile, DmaDirection direction, unsigned number)
    : tile_(tile),
      direction_(direction),
      number_(number),
      fifo_(depth()) {}

unsigned Channel::depth() const {
  const Timing& timing = tile_.array.options.timing;
  return isSender() ? timing.egressDepth : timing.ingressDepth;
}

std::string Channel::name() const { return fmt::format("{} {}", npu::name(direction_), number_); }

void Channel::fault(std::string text) { tile_.fault(name() + ": " + std::move(text), origin()); }

Origin Channel::origin() const {
  if (state_ == State::Idle) return {};
  Origin origin{.bd = bdId_};
  const auto& writers = tile_.array.bdWriters;
  const auto writer =
      writers.find(addressOf(tile_.place, limitsOf(tile_.kind).bd.at(bdId_)).value);
  if (writer != writers.end()) origin.operation = writer->second;
  return origin;
}

bool Channel::willRelease(Tile owner, unsigned lock) {
  if (state_ == State::Idle) return false;
  std::vector<bool> seen(limitsOf(tile_.kind).bds);
  for (unsigned id = bdId_; !seen[id];) {
    seen[id] = true;
    const auto bd = decodeBd(tile_.kind, tile_.bd(id));
    if (!bd) return false;
    unsigned number = 0;
    const bool releases = bd->get(BdField::LockReleaseValue) != 0;
    const Tile tile = lockTile(unsigned(bd->get(BdField::LockReleaseId)), number);
    if (releases && tile == owner && number == lock) return true;
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
  if (!entry) return entry.refusal().message;
  if (isHeld_) return fmt::format("{} is in reset: this task would be lost", name());
  if (queue_.size() >= taskQueueDepth)
    return fmt::format("the start queue of {} is full ({} tasks): this one would be lost", name(),
                       taskQueueDepth);
  queue_.push_back(*entry);
  return std::nullopt;
}

std::optional<std::string> Channel::setControl(uint32_t word) {
  const uint32_t known = controllerMask | (tile_.kind == TileKind::Shim ? 0 : resetMask);
  if (word & ~known)
    return fmt::format("control bits {:#x} of {}: not modelled", word & ~known, name());
  const uint32_t id = word >> 8;
  if (id >= packetIdCount)
    return fmt::format("controller id {} of {}, a packet id is below {}", id, name(),
                       packetIdCount);
  controllerId_ = uint8_t(id);
  isHeld_ = word & resetMask;
  if (isHeld_) reset();
  return std::nullopt;
}

/// Tasks and words between memory and stream are gone; what is in the switch stays.
void Channel::reset() {
  if (lock_.state == LockClient::State::Waiting)
    tile_.array.at(lock_.tile)->locks.withdraw(lock_);
  lock_ = {};
  queue_.clear();
  fifo_ = Fifo<Flit>(depth());
  state_ = State::Idle;
  bd_.reset();
}

bool Channel::isBusy() const {
  if (!fifo_.isEmpty()) return true;
  if (state_ == State::Acquiring) return lock_.state != LockClient::State::Waiting;
  if (state_ == State::Moving && !isSender()) return false;  // the words come by the switch
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
    loadBd();
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

void Channel::loadBd() {
  auto bd = decodeBd(tile_.kind, tile_.bd(bdId_));
  if (!bd) return fault(fmt::format("BD {}: {}", bdId_, bd.refusal().message));
  if (!bd->get(BdField::Valid)) return fault(fmt::format("BD {} is not valid", bdId_));
  if (bd->get(BdField::Length) == 0) return fault(fmt::format("BD {} has no words", bdId_));
  if (const auto wrong = misuse(*bd, bdId_, direction_, number_))
    return fault(fmt::format("BD {}: {}", bdId_, wrong->message));
  for (const auto field : notModelled)
    if (bd->get(field))
      return fault(fmt::format("BD {}: {} is not modelled", bdId_, npu::name(field)));
  bd_ = *bd;
  cursor_ = BdCursor(*bd_);
  line_ = nullptr;
  left_ = bd_->get(BdField::Length);
  needsHeader_ = isSender() && bd_->get(BdField::EnablePacket);
  tile_.array.progress();
  if (!bd_->get(BdField::LockAcquireEnable)) {
    state_ = State::Moving;
    return;
  }
  unsigned number = 0;
  const Tile owner = lockTile(unsigned(bd_->get(BdField::LockAcquireId)), number);
  TileState* tile = tile_.array.at(owner);
  if (!tile) return fault(fmt::format("BD {} acquires a lock of a tile that is not there", bdId_));
  lock_ = {LockClient::State::None, owner, number, int(bd_->get(BdField::LockAcquireValue))};
  tile->locks.acquire(key(), lock_);
  state_ = State::Acquiring;
}

/// The tile behind a window of a memory tile's DMA: west, own, east. No tile for what lies beyond.
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

void Channel::startMoving() {
  lock_ = {};
  state_ = State::Moving;
  tile_.array.progress();
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
  if (banks_.blockedUntil > tile_.array.now) return tile_.array.progress();
  if (!isSender()) return writeWord();
  if (!fifo_.hasRoom(tile_.array.now)) return;
  if (needsHeader_) return sendHeader();
  // The shim pauses one cycle after so many words.
  const unsigned burst = tile_.array.options.timing.shimMm2sBurst;
  if (tile_.kind == TileKind::Shim && ++sent_ % (burst + 1) == 0) return tile_.array.progress();
  readWord();
}

void Channel::sendHeader() {
  const PacketHeader header{uint8_t(bd_->get(BdField::PacketId)),
                            uint8_t(bd_->get(BdField::PacketType)), tile_.place};
  fifo_.push({*encode(header), false}, tile_.array.now, 1);
  needsHeader_ = false;
  tile_.array.progress();
}

void Channel::readWord() {
  const auto offset = cursor_.next();
  const uint8_t* at = offset ? wordAt(*offset) : nullptr;
  if (offset && !at) return fault(fmt::format("BD {} leaves its memory", bdId_));
  --left_, ++words_;
  const bool isLast = left_ == 0 && !bd_->get(BdField::TlastSuppress);
  fifo_.push({at ? wordFrom(at) : 0, isLast}, tile_.array.now,
             tile_.array.options.timing.memoryLatency);
  tile_.array.progress();
  if (left_ == 0) endBd();
}

void Channel::writeWord() {
  const Flit* head = fifo_.head(tile_.array.now);
  if (!head) return;
  if (head->isToken) return fault("a task-completion token came as data");
  uint8_t* at = wordAt(*cursor_.next());
  if (!at) return fault(fmt::format("BD {} leaves its memory", bdId_));
  wordTo(at, head->value);
  ++words_;
  fifo_.pop(tile_.array.now);
  tile_.array.progress();
  if (--left_ == 0) endBd();
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
  if (bd_->get(BdField::UseNextBd)) {
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

/// Behind the stream header its layout is not known; the model carries who sent it beside the word.
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
  const auto port = tile_.portOf(direction_, number_);
  if (!port) return;
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

ChannelActivity Channel::activity(bool moved) const {
  switch (state_) {
    case State::Idle:
      return queue_.empty() ? ChannelActivity::Idle : ChannelActivity::Starting;
    case State::Acquiring:
      return ChannelActivity::StalledOnLock;
    case State::Token:
      return ChannelActivity::SendingToken;
    case State::Moving:
      if (moved) return ChannelActivity::Moving;
      return banks_.blockedUntil > tile_.array.now ? ChannelActivity::StalledOnMemory
                                                   : ChannelActivity::StalledOnStream;
    default:
      return moved ? ChannelActivity::Moving : ChannelActivity::Starting;
  }
}

uint32_t Channel::status() const {
  const uint32_t state = state_ == State::Idle ? 0 : state_ == State::Starting ? 1 : 2;
  const uint32_t stalled = state_ == State::Acquiring ? 1u << 2
                           : state_ == State::Token   ? 1u << 5
                                                      : 0;
  const uint32_t running = state_ == State::Idle ? 0 : 1u << 19;
  return state | stalled | running | uint32_t(queue_.size()) << 20 | uint32_t(bdId_) << 24;
}

std::optional<Wait> Channel::wait() const {
  Wait wait{.tile = tile_.place,
            .who = name(),
            .kind = WaitKind::StreamIn,
            .other = {},
            .text = {},
            .origin = origin()};
  const std::string start =
      fmt::format("({},{}) {} ", tile_.place.column, tile_.place.row, wait.who);
  if (state_ == State::Acquiring) {
    wait.kind = WaitKind::Lock, wait.other = lock_.tile, wait.lock = lock_.lock;
    const unsigned have = tile_.array.at(lock_.tile)->locks.value(lock_.lock);
    wait.text =
        start + fmt::format("BD {} waits for lock {} of ({},{}): it holds {}, needs {}{}", bdId_,
                            lock_.lock, lock_.tile.column, lock_.tile.row, have,
                            lock_.value < 0 ? "at least " : "exactly ", std::abs(lock_.value));
    return wait;
  }
  if (isSender() && !fifo_.isEmpty()) {
    wait.kind = WaitKind::StreamOut;
    wait.text = start + (tile_.portOf(direction_, number_) ? "has no room in its stream"
                                                           : "is not connected to the switch");
    return wait;
  }
  if (state_ == State::Token) {
    wait.kind = WaitKind::Token, wait.text = start + "has no room for its token at CTRL0";
    return wait;
  }
  if (!isSender() && state_ == State::Moving) {
    wait.text = start + fmt::format("BD {} waits for {} more words from its stream", bdId_, left_);
    return wait;
  }
  if (!isSender() && !fifo_.isEmpty()) {
    wait.kind = WaitKind::StreamOut;
    wait.text = start + "has received words, and no task to take them";
    return wait;
  }
  return std::nullopt;
}

}  // namespace airlite::npu::sim
