#include "sim/model/CoreTrace.hpp"

#include "airlite/npu/sim/core/Core.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace airlite::npu::sim::model {
namespace {

/// A core that nobody hears of for so long is not run on before somebody asks for more.
constexpr uint64_t kLongest = 100'000;

// FNV-1a.
constexpr uint64_t kBasis = 0xCBF29CE484222325, kPrime = 0x100000001B3;

uint64_t hashOf(uint32_t address, std::span<const uint8_t> bytes) {
  uint64_t hash = (kBasis ^ address) * kPrime;
  for (const uint8_t byte : bytes)
    hash = (hash ^ byte) * kPrime;
  return hash;
}

}  // namespace

/// Says yes to everything, and notes what it was asked.
class CoreTrace::Host final : public CoreHost {
 public:
  Host(TileState& tile, std::deque<CoreEvent>& events) : tile_(tile), events_(events) {}

  /// A cycle of the core. Requests of one cycle to one bank cost a cycle each but for the first.
  void beginCycle() { ++now_, ++since_, requests_ = {}; }
  void endCycle() {
    for (size_t bank = 0; bank < requests_.size(); ++bank)
      accesses_[bank] += requests_[bank];
    const unsigned most = std::ranges::max(requests_);
    if (most < 2) return;
    since_ += most - 1, now_ += most - 1, stalls_ += most - 1;
  }
  uint64_t sinceEvent() const { return since_; }
  /// Of the words that it has stored one by one, such as counters on the stack.
  uint64_t memoryHash() const { return memoryHash_; }
  void note(CoreEvent::Kind kind, unsigned lock = 0, int value = 0) {
    const uint32_t counter = tile_.core->status().programCounter;
    const CoreWork work = tile_.core->work();
    events_.push_back({kind, uint32_t(since_), counter, lock, value, accesses_,
                       uint32_t(work.bundles - work_.bundles),
                       uint32_t(work.products - work_.products), stalls_});
    work_ = work;
    since_ = stalls_ = 0;
    accesses_ = {};
  }

  Reply load(uint32_t address, std::span<uint8_t> to) override {
    const uint8_t* from = placeOf(address, to.size());
    if (!from) return fail("a load outside of memory");
    std::copy_n(from, to.size(), to.begin());
    return Reply::Done;
  }
  Reply store(uint32_t address, std::span<const uint8_t> from) override {
    uint8_t* to = placeOf(address, from.size());
    if (!to) return fail("a store outside of memory");
    const bool isScalar = from.size() <= 4;
    if (isScalar) memoryHash_ ^= hashOf(address, {to, from.size()});
    std::ranges::copy(from, to);
    if (isScalar) memoryHash_ ^= hashOf(address, {to, from.size()});
    return Reply::Done;
  }
  Reply readRegister(uint32_t offset, uint32_t& value) override {
    const auto read = sim::readRegister(tile_, offset);
    if (!read) return fail(read.error().message);
    value = *read;
    return Reply::Done;
  }
  Reply writeRegister(uint32_t offset, uint32_t value) override {
    if (auto wrong = sim::writeRegister(tile_, offset, value, ~uint32_t(0)))
      return fail(std::move(*wrong));
    return Reply::Done;
  }
  Reply acquire(unsigned lock, int value) override {
    note(CoreEvent::Kind::Acquire, lock, value);
    return Reply::Done;
  }
  Reply release(unsigned lock, int change) override {
    note(CoreEvent::Kind::Release, lock, change);
    return Reply::Done;
  }
  Reply readStream(StreamWord& word) override {
    word = {};
    note(CoreEvent::Kind::StreamIn);
    return Reply::Done;
  }
  Reply writeStream(StreamWord) override {
    note(CoreEvent::Kind::StreamOut);
    return Reply::Done;
  }
  Reply readCascade(std::span<uint8_t, cascadeBytes> to) override {
    std::ranges::fill(to, uint8_t{0});
    note(CoreEvent::Kind::CascadeIn);
    return Reply::Done;
  }
  Reply writeCascade(std::span<const uint8_t, cascadeBytes>) override {
    note(CoreEvent::Kind::CascadeOut);
    return Reply::Done;
  }
  std::string faultText() const override { return fault_; }
  uint64_t cycle() const override { return now_; }

 private:
  Reply fail(std::string text) {
    fault_ = std::move(text);
    return Reply::Faulted;
  }
  uint8_t* placeOf(uint32_t address, size_t size) {
    const auto place = coreMemoryAt(address);
    TileState* owner = place ? tile_.array.neighbour(tile_.place, place->neighbour) : nullptr;
    if (!owner || place->offset + size > owner->memory.size()) return nullptr;
    useBanks(*owner, place->offset, size);
    return owner->memory.data() + place->offset;
  }
  void useBanks(const TileState& owner, uint32_t offset, size_t size) {
    const Generation generation = tile_.array.device.generation;
    if (!tile_.array.options.timing.chargesBanks || &owner != &tile_) return;
    const uint32_t width = coreBankBytes(generation);
    for (uint32_t at = offset / width * width; at < offset + size; at += width)
      ++requests_[physicalBank(tile_.kind, at, generation)];
  }

  TileState& tile_;
  std::deque<CoreEvent>& events_;
  std::array<unsigned, Banks::count> requests_{};
  std::array<uint32_t, Banks::count> accesses_{};
  CoreWork work_;  ///< until the last event
  uint64_t now_ = 0, since_ = 0, memoryHash_ = 0;
  uint32_t stalls_ = 0;
  std::string fault_;
};

CoreTrace::CoreTrace(TileState& tile) : tile_(tile), host_(std::make_unique<Host>(tile, events_)) {}
CoreTrace::~CoreTrace() = default;

const CoreEvent& CoreTrace::at(size_t number) {
  while (number >= events_.size() && period_ == 0)
    extend();
  if (number < events_.size()) return events_[number];
  const size_t first = events_.size() - period_;
  return events_[first + (number - first) % period_];
}

/// Whether the program is again where it was before: what follows is what followed then. The data that it
/// computes with is left out, since the model has none.
void CoreTrace::findPeriod() {
  const CoreEvent& last = events_.back();
  if (last.kind != CoreEvent::Kind::Nothing &&
      last.programCounter != events_.front().programCounter)
    return;
  const auto [visit, isNew] = visits_.try_emplace(stateHash(), events_.size());
  if (!isNew) period_ = events_.size() - visit->second;
}

uint64_t CoreTrace::stateHash() const {
  const auto* core = dynamic_cast<const Aie2Core*>(tile_.core.get());
  uint64_t hash = host_->memoryHash() + events_.back().programCounter;
  if (!core) return hash + visits_.size();  // of other cores nothing is known
  constexpr auto kFirst = unsigned(isa::Reg::r0), kLast = unsigned(isa::Reg::SP);
  for (unsigned reg = kFirst; reg <= kLast; ++reg)
    for (const uint8_t byte : core->read(isa::Reg(reg)))
      hash = (hash ^ byte) * kPrime;
  return hash;
}

/// Until the core has asked for something, or ends.
void CoreTrace::extend() {
  const size_t before = events_.size();
  while (events_.size() == before) {
    host_->beginCycle();
    tile_.core->step(*host_);
    host_->endCycle();
    const CoreStatus status = tile_.core->status();
    if (status.state == CoreState::Faulted) fault_ = status.text;
    if (status.state == CoreState::Done || status.state == CoreState::Faulted)
      return host_->note(CoreEvent::Kind::End);
    if (host_->sinceEvent() >= kLongest) host_->note(CoreEvent::Kind::Nothing);
  }
  findPeriod();
}

}  // namespace airlite::npu::sim::model
