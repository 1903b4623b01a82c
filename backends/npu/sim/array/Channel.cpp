#include "sim/array/Channel.hpp"

#include "sim/array/BdLocks.hpp"
#include "sim/array/State.hpp"

#include <fmt/format.h>

namespace airlite::npu::sim {
Channel::Channel(TileState& tile, DmaDirection direction, unsigned number)
    : tile_(tile), direction_(direction), number_(number), mover_(tile, direction, key()) {
  if (tile.kind != TileKind::Shim) port_ = tile.portOf(direction, number);
}

std::string Channel::name() const { return fmt::format("{} {}", npu::name(direction_), number_); }

unsigned Channel::wordsWaiting() const {
  return direction_ == DmaDirection::S2mm ? mover_.fifo().size() : 0;
}

void Channel::fault(std::string text) { tile_.fault(name() + ": " + std::move(text), origin()); }

Origin Channel::origin() const {
  if (state_ == State::Idle || state_ == State::AwaitingPacket) return {};
  Origin origin{.bd = bdId_};
  const auto& writers = tile_.array.bdWriters;
  const auto writer = writers.find(addressOf(tile_.place, limitsOf(tile_.kind).bd.at(bdId_)).value);
  if (writer != writers.end()) origin.operation = writer->second;
  return origin;
}

bool Channel::willRelease(Tile owner, unsigned lock) {
  if (state_ == State::Idle) return false;
  if (control_.isOutOfOrder) return someBdReleases(tile_, number_, {owner, lock});
  return chainReleases(tile_, bdId_, task_.bd, {owner, lock});
}

unsigned Channel::key() const {
  const unsigned own = number_ + (isSender() ? 6 : 0);
  return unsigned(tile_.place.column) << 12 | unsigned(tile_.place.row) << 8 | own;
}

std::optional<std::string> Channel::push(uint32_t word) {
  const auto entry = decodeQueueEntry(tile_.kind, word);
  if (!entry) return entry.error().message;
  if (control_.isHeld) return fmt::format("{} is in reset: this task would be lost", name());
  if (queue_.size() >= taskQueueDepth)
    return fmt::format("the start queue of {} is full ({} tasks): this one would be lost", name(),
                       taskQueueDepth);
  queue_.push_back(*entry);
  return std::nullopt;
}

std::optional<std::string> Channel::setControl(uint32_t word) {
  const auto control = decodeChannelControl(tile_.kind, isSender(), name(), word);
  if (!control) return control.error().message;
  if (control->isOutOfOrder != control_.isOutOfOrder && state_ != State::Idle)
    return fmt::format("Enable_Out_of_Order of {} changes while it is at work: not modelled",
                       name());
  control_ = *control;
  if (control_.isHeld) reset();
  return std::nullopt;
}

/// Tasks and words between memory and stream are gone; what is in the switch stays.
void Channel::reset() {
  if (lock_.state == LockClient::State::Waiting) tile_.array.at(lock_.tile)->locks.withdraw(lock_);
  lock_ = {};
  queue_.clear();
  mover_.reset();
  state_ = State::Idle;
}

bool Channel::isBusy() const {
  if (!mover_.fifo().isEmpty()) return true;
  if (state_ == State::Acquiring) return lock_.state != LockClient::State::Waiting;
  if (state_ == State::AwaitingPacket) return false;  // it comes by the switch
  if (state_ == State::Moving && !isSender())         // so do words, but for those of a block
    return mover_.hasUnpacked();
  return state_ != State::Idle || !queue_.empty();
}

bool Channel::ripens() const {
  const bool waits = state_ == State::Starting || state_ == State::Releasing;
  return (waits && until_ + 1 >= tile_.array.now) || mover_.fifo().ripens(tile_.array.now);
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
  if (!control_.isOutOfOrder) return loadBd();
  state_ = State::AwaitingPacket;
  tile_.array.progress();
}

/// Out of order, the header says which BD takes the packet; it is not stored. Documented: the
/// word's bits; that a task's count is one of packets and its BD of no meaning; that locks and
/// iterations are those of the BD named; that BDs do not chain; that a packet for a locked BD holds
/// up those after it [AM025, mlir-aie: test/npu-xrt/dma_s2mm_ooo, run on hardware]. Whether the
/// receiver's BD has Enable_Packet makes no difference: AM025 gives it to MM2S alone.
void Channel::takeHeader() {
  const Flit* head = mover_.fifo().head(tile_.array.now);
  if (!head) return;
  if (head->isToken) return fault("a task-completion token came as a packet's header");
  const auto header = decodePacketHeader(head->value);
  if (!header)
    return fault(fmt::format("{:#010x} came where a packet begins: {}", head->value,
                             header.error().message));
  if (head->isLast) return fault("a packet of nothing but its header came: not modelled");
  bdId_ = header->outOfOrderId;
  mover_.fifo().pop(tile_.array.now);
  if (bdId_ >= limitsOf(tile_.kind).bds)
    return fault(
        fmt::format("a packet asks for BD {}, the tile has {}", bdId_, limitsOf(tile_.kind).bds));
  loadBd();
}

/// Sent with a header, or taken for its header.
bool Channel::isPacket(const BufferDescriptor& bd) const {
  return isSender() ? bd.get(BdField::EnablePacket) != 0 : control_.isOutOfOrder;
}

void Channel::loadBd() {
  auto bd = decodeBd(tile_.kind, tile_.bd(bdId_));
  if (!bd) return fault(fmt::format("BD {}: {}", bdId_, bd.error().message));
  if (!bd->get(BdField::Valid)) return fault(fmt::format("BD {} is not valid", bdId_));
  if (bd->get(BdField::Length) == 0 && isPacket(*bd))
    return fault(fmt::format("BD {} is a packet without words: not modelled", bdId_));
  if (const auto wrong = misuse(*bd, bdId_, direction_, number_))
    return fault(fmt::format("BD {}: {}", bdId_, wrong->message));
  if (const auto wrong = mover_.load(*bd, bdId_, control_))
    return fault(fmt::format("BD {}: {}", bdId_, *wrong));
  tile_.array.progress();
  if (!bd->get(BdField::LockAcquireEnable)) return startMoving();
  const TileLock lock = lockOfDma(tile_, unsigned(bd->get(BdField::LockAcquireId)));
  TileState* owner = tile_.array.at(lock.tile);
  if (!owner) return fault(fmt::format("BD {} acquires a lock of a tile that is not there", bdId_));
  lock_ = {LockClient::State::None, lock.tile, lock.number,
           int(bd->get(BdField::LockAcquireValue))};
  owner->locks.acquire(key(), lock_);
  state_ = State::Acquiring;
}

/// A BD of no words only takes and gives locks: AMD's gemm_4x4_a16fw4acc32f chains such BDs (0 is
/// in the range of Buffer_Length [AM025]).
void Channel::startMoving() {
  lock_ = {};
  state_ = State::Moving;
  tile_.array.progress();
  if (mover_.left() == 0) endBd();
}

void Channel::moveWord() {
  if (control_.pausesMemory) return;
  switch (mover_.move()) {
    case BdMover::Step::Goes: return;
    case BdMover::Step::Done: return endBd();
    case BdMover::Step::Fault: return fault(mover_.error());
  }
}

void Channel::endBd() {
  mover_.countIteration();
  until_ = tile_.array.now + 1;
  state_ = State::Releasing;
  const int change = int(mover_.bd().get(BdField::LockReleaseValue));
  if (change == 0) return;
  const TileLock lock = lockOfDma(tile_, unsigned(mover_.bd().get(BdField::LockReleaseId)));
  TileState* owner = tile_.array.at(lock.tile);
  if (!owner) return fault(fmt::format("BD {} releases a lock of a tile that is not there", bdId_));
  owner->locks.release(lock.number, change);
  until_ = tile_.array.now + tile_.array.options.timing.lockRelease;
}

void Channel::endRelease() {
  const Timing& timing = tile_.array.options.timing;
  tile_.array.progress();
  state_ = State::Starting;
  until_ = tile_.array.now + timing.chainedBd;
  if (!control_.isOutOfOrder && mover_.bd().get(BdField::UseNextBd)) {
    bdId_ = unsigned(mover_.bd().get(BdField::NextBd));
    return;
  }
  bdId_ = task_.bd;
  if (--runsLeft_ == 0) endTask();
}

void Channel::endTask() { state_ = task_.issuesToken ? State::Token : State::Idle; }

/// After the stream header its layout is not known; the model carries who sent it beside the word.
void Channel::sendToken() {
  const unsigned port = tile_.tokenSlave();
  // What a sender has read must have left; a receiver may hold words of the next task already.
  if ((isSender() && !mover_.fifo().isEmpty()) || !tile_.streams.canEnter(port, tile_.array.now))
    return;
  const PacketHeader header{control_.controllerId, 0, tile_.place};
  const TokenActor actor{tile_.place.column, tile_.place.row, isSender(), uint8_t(number_)};
  tile_.streams.enter(port, {*encode(header), true, true, actor}, tile_.array.now);
  state_ = State::Idle;
  tile_.array.progress();
}

void Channel::exchange() {
  const uint64_t now = tile_.array.now;
  if (isSender() ? mover_.fifo().isEmpty() : tile_.streams.fullMasters() == 0) return;
  const auto port = tile_.kind == TileKind::Shim ? tile_.portOf(direction_, number_) : port_;
  if (!port || control_.pausesStream) return;
  if (isSender()) {
    const Flit* head = mover_.fifo().head(now);
    if (!head || !tile_.streams.canEnter(*port, now)) return;
    tile_.streams.enter(*port, *head, now);
    mover_.fifo().pop(now);
    return tile_.array.progress();
  }
  const Flit* head = tile_.streams.atMaster(*port, now);
  if (!head || !mover_.fifo().hasRoom(now)) return;
  mover_.fifo().push(*head, now, 1);
  tile_.streams.leave(*port, now);
  tile_.array.progress();
}

}  // namespace airlite::npu::sim
