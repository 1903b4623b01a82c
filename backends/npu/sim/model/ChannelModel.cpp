#include "sim/model/ChannelModel.hpp"

#include "sim/array/BdLocks.hpp"
#include "sim/array/State.hpp"
#include "sim/model/Model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace airlite::npu::sim::model {
namespace {

/// Cycles of a token from its channel to the firmware: a few switches, of which each costs about four.
constexpr unsigned kTokenCycles = 12;

}  // namespace

uint64_t contiguousWords(const BufferDescriptor& bd) {
  const auto length = uint64_t(bd.get(BdField::Length));
  constexpr std::pair<BdField, BdField> kDims[] = {{BdField::D0Step, BdField::D0Wrap},
                                                   {BdField::D1Step, BdField::D1Wrap},
                                                   {BdField::D2Step, BdField::D2Wrap}};
  uint64_t run = 1;
  for (const auto& [step, wrap] : kDims) {
    if (uint64_t(bd.get(step)) != run) break;
    const int64_t count = bd.get(wrap);
    if (count == 0) return length;
    run *= uint64_t(count);
  }
  return std::min(run, length);
}

BankAccesses bankAccessesOf(const BufferDescriptor& bd, Generation generation) {
  constexpr int64_t kLine = 16, kWords = kLine / bytesPerWord;
  const int64_t length = bd.get(BdField::Length), wrap = bd.get(BdField::D0Wrap);
  const int64_t together =
      bd.get(BdField::D0Step) != 1 ? 1 : std::min(wrap == 0 ? kWords : wrap, kWords);
  // Of a long buffer a sample: an odd number of lines apart, since lines alternate between banks.
  const int64_t base = bd.get(BdField::Base) * bytesPerWord,
                lines = std::max<int64_t>(1, length / kWords), step = lines / 64 * 2 + 1;
  BankAccesses accesses{};
  int64_t count = 0;
  for (int64_t line = 0; line < lines; line += step, ++count)
    ++accesses[physicalBank(TileKind::Core, uint32_t(base + line * kLine), generation)];
  for (double& bank : accesses)
    bank /= double(count) * double(together);
  return accesses;
}

ChannelPlace ChannelModel::place() const { return {tile_.place, place_.direction, place_.channel}; }

void ChannelModel::push(const QueueEntry& entry) {
  queue_.push_back(entry);
  if (state_ == State::Idle) takeTask();
}

void ChannelModel::wakeIn(uint64_t cycles) {
  model_.events.add(model_.now + cycles, Turn::Channel, id_);
}

void ChannelModel::takeTask() {
  const Timing& timing = tile_.array.options.timing;
  task_ = queue_.front();
  queue_.pop_front();
  runsLeft_ = task_.repeat;
  bdId_ = task_.bd;
  unsigned wait = timing.channelStart + timing.bdSetup;
  if (tile_.kind == TileKind::Shim)
    wait = hasRun_ ? (isSender() ? timing.shimLaterMm2s : timing.shimLaterS2mm)
                   : (isSender() ? timing.shimFirstMm2s : timing.shimFirstS2mm);
  hasRun_ = true;
  state_ = State::Starting;
  tell(model_.now, ChannelActivity::Starting);
  wakeIn(wait);
}

void ChannelModel::turn() {
  switch (state_) {
    case State::Idle:
      if (!queue_.empty()) takeTask();
      return;
    case State::Starting: return loadBd();
    case State::Acquiring: return startMoving();
    case State::Releasing: return goOn();
    case State::Token: return sendToken();
    case State::Moving: return;
  }
}

void ChannelModel::loadBd() {
  auto bd = decodeBd(tile_.kind, tile_.bd(bdId_));
  if (!bd) return model_.fail(tile_.place, fmt::format("BD {}: {}", bdId_, bd.error().message));
  if (!bd->get(BdField::Valid))
    return model_.fail(tile_.place, fmt::format("BD {} is not valid", bdId_));
  if (const auto wrong = misuse(*bd, bdId_, place_.direction, place_.channel))
    return model_.fail(tile_.place, fmt::format("BD {}: {}", bdId_, wrong->message));
  bd_ = std::move(*bd);
  if (!bd_->get(BdField::LockAcquireEnable)) return startMoving();
  const TileLock lock = lockOfDma(tile_, unsigned(bd_->get(BdField::LockAcquireId)));
  if (!tile_.array.at(lock.tile))
    return model_.fail(tile_.place, "a BD acquires a lock of a tile that is not there");
  state_ = State::Acquiring;
  tell(model_.now, ChannelActivity::StalledOnLock);
  model_.locks.acquire(lock.tile, lock.number, int(bd_->get(BdField::LockAcquireValue)), model_.now,
                       Turn::Channel, id_);
}

void ChannelModel::startMoving() {
  state_ = State::Moving;
  const int64_t words = bd_->get(BdField::Length);
  if (words == 0) return ended();
  const Timing& timing = tile_.array.options.timing;
  double fastest = 1;
  uint64_t run = 0;
  if (tile_.kind == TileKind::Shim) {
    run = contiguousWords(*bd_);
    const uint64_t most = std::max(1u, timing.ddrRequestBytes / 4);
    requestsOfBd_ = (uint64_t(words) + run - 1) / run * ((run + most - 1) / most);
    if (isSender()) fastest = timing.shimMm2sBurst / (timing.shimMm2sBurst + 1.0);
  }
  if (tile_.kind == TileKind::Core && timing.chargesBanks)
    accessesOfWord_ = bankAccessesOf(*bd_, tile_.array.device.generation);
  const bool isPacket = isSender() && bd_->get(BdField::EnablePacket);
  model_.streams.open(end_, model_.now, double(words), fastest, run,
                      isPacket ? int(bd_->get(BdField::PacketId)) : -1);
}

void ChannelModel::ended() {
  const Timing& timing = tile_.array.options.timing;
  const int64_t words = bd_->get(BdField::Length);
  words_ += uint64_t(words);
  requests_ += std::exchange(requestsOfBd_, 0);
  if (isSender() && words != 0)
    model_.addTraffic(end_, bd_->get(BdField::EnablePacket) ? int(bd_->get(BdField::PacketId)) : -1,
                      uint64_t(words));
  state_ = State::Releasing;
  // Rates end with the cycle after the last word.
  const uint64_t lastWord = model_.now - (words != 0 ? 1 : 0);
  tell(model_.now, ChannelActivity::Starting);
  if (const int change = int(bd_->get(BdField::LockReleaseValue)); change != 0) {
    const TileLock lock = lockOfDma(tile_, unsigned(bd_->get(BdField::LockReleaseId)));
    if (!tile_.array.at(lock.tile))
      return model_.fail(tile_.place, "a BD releases a lock of a tile that is not there");
    model_.locks.release(lock.tile, lock.number, change, lastWord);
  }
  wakeIn(lastWord + timing.lockRelease - model_.now);
}

/// To the next descriptor, the next run of the chain, or the end of the task.
void ChannelModel::goOn() {
  state_ = State::Starting;
  if (bd_->get(BdField::UseNextBd)) {
    bdId_ = unsigned(bd_->get(BdField::NextBd));
    return wakeIn(tile_.array.options.timing.chainedBd);
  }
  bdId_ = task_.bd;
  if (--runsLeft_ != 0) return wakeIn(tile_.array.options.timing.chainedBd);
  state_ = task_.issuesToken ? State::Token : State::Idle;
  tell(model_.now, task_.issuesToken ? ChannelActivity::SendingToken : ChannelActivity::Idle);
  wakeIn(task_.issuesToken ? kTokenCycles : 1);
}

void ChannelModel::sendToken() {
  ++model_.tokens[{tile_.place.column, tile_.place.row, isSender(), uint8_t(place_.channel)}];
  state_ = State::Idle;
  tell(model_.now, ChannelActivity::Idle);
  if (!queue_.empty()) takeTask();
}

// -- What it says of itself ---------------------------------------------------------------------------

void ChannelModel::tell(uint64_t cycle, ChannelActivity activity) {
  Observer* observer = model_.observer();
  if (!observer || (activity == told_ && bdId_ == toldBd_)) return;
  told_ = activity, toldBd_ = bdId_;
  Origin origin;
  if (activity != ChannelActivity::Idle) origin.bd = bdId_;
  const auto& writers = tile_.array.bdWriters;
  const auto writer = writers.find(addressOf(tile_.place, limitsOf(tile_.kind).bd.at(bdId_)).value);
  if (origin.bd && writer != writers.end()) origin.operation = writer->second;
  observer->channel(place(), cycle, activity, origin);
}

/// At less than its rate, a channel moves words first and waits then: the sums are right.
void ChannelModel::moved(uint64_t from, uint64_t to, double words) {
  for (size_t bank = 0; bank < accesses_.size(); ++bank)
    accesses_[bank] += words * accessesOfWord_[bank];
  if (!model_.observer() || state_ != State::Moving) return;
  const StreamEnd& end = model_.streams.end(end_);
  const auto busy = std::min(to - from, uint64_t(std::ceil(words / end.fastest - 1e-6)));
  if (busy > 0) tell(from, ChannelActivity::Moving);
  if (busy == to - from) return;
  const bool isMemory = end.run > 0 && end.limit < end.fastest && words > 0;
  tell(from + busy, isMemory ? ChannelActivity::StalledOnMemory : ChannelActivity::StalledOnStream);
}

std::optional<Wait> ChannelModel::wait() const {
  Wait wait{.tile = tile_.place,
            .who = fmt::format("{} {}", npu::name(place_.direction), place_.channel),
            .kind = WaitKind::StreamIn,
            .other = {},
            .text = {},
            .origin = {.bd = bdId_}};
  const std::string who =
      fmt::format("({},{}) {} BD {} ", tile_.place.column, tile_.place.row, wait.who, bdId_);
  if (state_ == State::Acquiring) {
    const TileLock lock = lockOfDma(tile_, unsigned(bd_->get(BdField::LockAcquireId)));
    const int value = int(bd_->get(BdField::LockAcquireValue));
    wait.kind = WaitKind::Lock, wait.other = lock.tile, wait.lock = lock.number;
    wait.text = who + fmt::format("waits for lock {} of ({},{}): it holds {}, needs {}{}",
                                  lock.number, lock.tile.column, lock.tile.row,
                                  model_.locks.value(lock.tile, lock.number),
                                  value < 0 ? "at least " : "exactly ", std::abs(value));
    return wait;
  }
  if (state_ != State::Moving) return std::nullopt;
  const double left = model_.streams.end(end_).left;
  if (isSender()) wait.kind = WaitKind::StreamOut;
  wait.text = who + (isSender() ? fmt::format("has no room for {:.0f} words in its stream", left)
                                : fmt::format("waits for {:.0f} more words from its stream", left));
  return wait;
}

}  // namespace airlite::npu::sim::model
