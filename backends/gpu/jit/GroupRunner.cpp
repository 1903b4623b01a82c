#include "GroupRunner.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace airlite::gpu {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;

/// NaN as f16, bf16, f32 and f64, and a conspicuous integer: uninitialised LDS must not look
/// like 0.
constexpr std::uint64_t ldsPoison = 0x7ffd7ffd7ffd7ffd;
/// After the LDS, to notice writes past its end.
constexpr std::uint64_t ldsCanary = 0xa1721e0c0ffee1d5;
constexpr std::size_t canaryWords = 32;
/// LDS variables may ask for more than vector alignment; nobody asks for more than this.
constexpr std::size_t ldsAlign = 128;

std::size_t ldsWords(const HostKernel& kernel) { return (kernel.ldsBytes + 7) / 8; }

std::string coordinates(const std::uint32_t (&id)[3]) {
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) +
         ")";
}

/// The first aligned word of an over-allocated buffer.
std::uint64_t* aligned(std::vector<std::uint64_t>& memory) {
  void* start = memory.data();
  auto space = memory.size() * sizeof(std::uint64_t);
  return static_cast<std::uint64_t*>(std::align(ldsAlign, 1, start, space));
}

std::uint64_t bitsBelow(unsigned lane) { return (std::uint64_t{1} << lane) - 1; }

}  // namespace

Dim3 unflatten(std::uint64_t index, const Dim3& sizes) {
  const auto row = index / sizes[0];
  return {static_cast<std::uint32_t>(index % sizes[0]), static_cast<std::uint32_t>(row % sizes[1]),
          static_cast<std::uint32_t>(row / sizes[1])};
}

GroupRunner::GroupRunner(const Launch& launch, StackPool& pool)
    : launch_(launch),
      pool_(pool),
      ldsMemory_(ldsWords(launch.kernel) + canaryWords + ldsAlign / 8),
      lds_(aligned(ldsMemory_)),
      items_(launch.itemCount()),
      operands_(launch.itemCount()),
      order_(launch.itemCount()) {
  if (launch.kernel.barrierSites > 0)
    stacks_ = pool.take(launch.itemCount(), launch.kernel.stackBytes);
  std::iota(order_.begin(), order_.end(), 0);
  if (launch.order == RunOrder::Reverse) std::reverse(order_.begin(), order_.end());
  for (std::uint32_t i = 0; i < launch.itemCount(); ++i)
    describeItem(i);
}

GroupRunner::~GroupRunner() { pool_.giveBack(std::move(stacks_)); }

void GroupRunner::describeItem(std::uint32_t index) {
  auto& item = items_[index];
  const auto id = unflatten(index, launch_.block);
  std::copy(id.begin(), id.end(), item.context.itemId);
  const auto mask = bitsBelow(index % launch_.waveSize);
  item.context.laneMask[0] = static_cast<std::uint32_t>(mask);
  item.context.laneMask[1] = static_cast<std::uint32_t>(mask >> 32);
  item.context.kernargs = launch_.kernargs;
  item.runner = this;
}

Result<void> GroupRunner::run(std::uint64_t group) {
  const bool needsFibers = launch_.kernel.barrierSites > 0;
  if (needsFibers && !stacks_) return Error{"out of memory for the stacks of the work-items"};
  beginGroup(group);
  if (!needsFibers) {
    runWithoutFibers();
  } else if (auto done = runRounds(); !done) {
    return done;
  }
  return checkLdsEnd();
}

void GroupRunner::beginGroup(std::uint64_t group) {
  const auto id = unflatten(group, launch_.grid);
  poisonLds();
  for (auto& item : items_) {
    std::copy(id.begin(), id.end(), item.context.groupId);
    item.context.lds = reinterpret_cast<std::byte*>(lds_);
  }
  // Seeded per group: its order does not depend on which thread takes it.
  random_.seed(launch_.seed ^ (group * 0x9e3779b97f4a7c15));
}

void GroupRunner::poisonLds() {
  const auto count = ldsWords(launch_.kernel);
  std::fill_n(lds_, count, ldsPoison);
  std::fill_n(lds_ + count, canaryWords, ldsCanary);
}

void GroupRunner::runWithoutFibers() {
  round_ = order_;
  arrange();
  for (auto index : round_)
    launch_.entry(&items_[index].context);
}

Result<void> GroupRunner::runRounds() {
  startFibers();
  runAll();
  while (!allFinished()) {
    if (completeWaves()) {
      runRound();
      continue;
    }
    if (auto together = checkAllWait(); !together) return together;
    ++barriers_;
    runAll();
  }
  return {};
}

void GroupRunner::runAll() {
  round_ = order_;
  runRound();
}

/// Does what all lanes of a wave have come to. The next round is theirs.
bool GroupRunner::completeWaves() {
  const std::size_t wave = launch_.waveSize;
  round_.clear();
  std::vector<bool> runs(items_.size());
  for (std::size_t first = 0; first + wave <= items_.size(); first += wave) {
    if (!isWholeWave(first)) continue;
    completeWave(first);
    std::fill_n(runs.begin() + static_cast<std::ptrdiff_t>(first), wave, true);
  }
  for (auto index : order_)
    if (runs[index]) round_.push_back(index);
  return !round_.empty();
}

void GroupRunner::completeWave(std::size_t first) {
  const std::size_t wave = launch_.waveSize;
  if (items_[first].state == State::InWave) return;
  if (items_[first].state == State::InMatrix)
    return multiplyWave(amdgpu::kMatrixInstructions[items_[first].row],
                        std::span<const MatrixOperands>(operands_).subspan(first, wave));
  std::vector<std::uint32_t> brought;
  for (std::size_t i = 0; i < wave; ++i)
    brought.push_back(items_[first + i].number);
  for (std::size_t i = 0; i < wave; ++i)
    items_[first + i].number = brought[items_[first + i].row / 4 % wave];
}

bool GroupRunner::isWholeWave(std::size_t first) const {
  const auto& one = items_[first];
  if (one.state == State::Waiting || one.state == State::Finished) return false;
  for (std::size_t i = first; i < first + launch_.waveSize; ++i)
    if (items_[i].state != one.state || items_[i].site != one.site) return false;
  return true;
}

void GroupRunner::startFibers() {
  for (std::size_t i = 0; i < items_.size(); ++i) {
    items_[i].fiber = make_fcontext(stacks_->top(i), stacks_->bytes(), fiberMain);
    items_[i].state = State::Waiting;
  }
}

/// Every work-item of the round runs up to its next barrier, matrix instruction or its end.
void GroupRunner::runRound() {
  arrange();
  next_ = 0;
  leave(nullptr);
}

/// Hands the thread to the next work-item of the round, after the last one back to run(). Directly,
/// because switching is most of the cost of a kernel with barriers.
void GroupRunner::leave(Item* item) {
  leaving_ = item;
  const auto target = next_ < round_.size() ? items_[round_[next_++]].fiber : scheduler_;
  arrive(jump_fcontext(target, this));
}

/// The first thing anybody does who gets the thread: note where the previous holder is parked.
void GroupRunner::arrive(Transfer transfer) {
  (leaving_ ? leaving_->fiber : scheduler_) = transfer.fctx;
}

/// A fresh order for each round, where the launch asks for one.
void GroupRunner::arrange() {
  if (launch_.order != RunOrder::Random) return;
  for (auto i = round_.size(); i > 1; --i)
    std::swap(round_[i - 1], round_[random_() % i]);
}

void GroupRunner::fiberMain(Transfer transfer) {
  auto& runner = *static_cast<GroupRunner*>(transfer.data);
  runner.arrive(transfer);
  auto& item = runner.items_[runner.round_[runner.next_ - 1]];
  runner.launch_.entry(&item.context);
  item.state = State::Finished;
  runner.leave(&item);
}

void GroupRunner::barrier(ItemContext* context, std::uint32_t site) {
  waitAs(State::Waiting, context, site);
}

void GroupRunner::waveBarrier(ItemContext* context, std::uint32_t site) {
  waitAs(State::InWave, context, site);
}

void GroupRunner::waitAs(State state, ItemContext* context, std::uint32_t site) {
  auto* item = reinterpret_cast<Item*>(context);
  item->state = state;
  item->site = site;
  item->runner->leave(item);
}

void GroupRunner::matrix(ItemContext* context, std::uint32_t site, std::uint32_t row, const void* a,
                         const void* b, void* sum) {
  auto* item = reinterpret_cast<Item*>(context);
  auto* runner = item->runner;
  item->state = State::InMatrix;
  item->site = site;
  item->row = row;
  runner->operands_[static_cast<std::size_t>(item - runner->items_.data())] = {a, b, sum};
  runner->leave(item);
}

std::uint32_t GroupRunner::permute(ItemContext* context, std::uint32_t site,
                                   std::uint32_t fourTimesLane, std::uint32_t number) {
  auto* item = reinterpret_cast<Item*>(context);
  item->state = State::InPermute;
  item->site = site;
  item->row = fourTimesLane;
  item->number = number;
  item->runner->leave(item);
  return item->number;
}

bool GroupRunner::allFinished() const {
  return std::all_of(items_.begin(), items_.end(),
                     [](const Item& item) { return item.state == State::Finished; });
}

Result<void> GroupRunner::checkAllWait() const {
  const auto waits = [](const Item& item) { return item.state != State::Finished; };
  const auto& waiting = *std::find_if(items_.begin(), items_.end(), waits);
  const auto differs = [&](const Item& item) {
    return item.state != waiting.state || item.site != waiting.site;
  };
  const auto other = std::find_if(items_.begin(), items_.end(), differs);
  if (other == items_.end() && waiting.state == State::Waiting) return {};
  if (other == items_.end())
    return Error{"kernel '" + launch_.kernel.name + "', " + inGroup() + ": " + place(waiting) +
                 " " + doing(waiting) + ", which takes whole waves of " +
                 std::to_string(launch_.waveSize) + " work-items"};
  const auto count = std::count_if(items_.begin(), items_.end(), differs);
  return Error{"barrier divergence in kernel '" + launch_.kernel.name + "', " + inGroup() + ": " +
               place(waiting) + " " + doing(waiting) + ", but " + place(*other) + " " +
               doing(*other) + " (" + std::to_string(count) + " of " +
               std::to_string(items_.size()) + " work-items are elsewhere)"};
}

Result<void> GroupRunner::checkLdsEnd() const {
  const auto* canary = lds_ + ldsWords(launch_.kernel);
  const auto isIntact = [](std::uint64_t word) { return word == ldsCanary; };
  if (std::all_of(canary, canary + canaryWords, isIntact)) return {};
  return Error{"kernel '" + launch_.kernel.name + "' wrote past the end of its " +
               std::to_string(launch_.kernel.ldsBytes) + " bytes of LDS in " + inGroup()};
}

std::string GroupRunner::inGroup() const {
  return "workgroup " + coordinates(items_.front().context.groupId);
}

std::string GroupRunner::place(const Item& item) const {
  return "work-item " + coordinates(item.context.itemId);
}

std::string GroupRunner::doing(const Item& item) const {
  if (item.state == State::Finished) return "has finished";
  return "waits at " + launch_.barrierSites[item.site];
}

}  // namespace airlite::gpu
