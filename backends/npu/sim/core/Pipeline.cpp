#include "Pipeline.hpp"

#include "airlite/npu/isa/Timing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::sim::core {
namespace {

using isa::Reg;

/// Bundles from the one that sets ls, le or lc to the last of the loop (docs/hardware/isa.md,
/// rules.zol).
constexpr uint64_t kLoopDistance = 7;
/// When DONE is over, from issue (docs/hardware/isa.md, rules.program_memory).
constexpr unsigned kDoneCycles = 4;
constexpr uint32_t kRegistersBegin = 0x80000;  ///< of pointers that lda.tm and st.tm take

void copyOverlap(Value& to, const Place& toPlace, const uint8_t* from, const Place& fromPlace) {
  unsigned toBase = 0;
  for (const Range& t : toPlace.all()) {
    unsigned fromBase = 0;
    for (const Range& f : fromPlace.all()) {
      unsigned begin = std::max(t.offset, f.offset);
      unsigned end = std::min(t.offset + t.bytes, f.offset + f.bytes);
      if (begin < end)
        std::memcpy(&to.bytes[toBase + begin - t.offset], &from[fromBase + begin - f.offset],
                    end - begin);
      fromBase += f.bytes;
    }
    toBase += t.bytes;
  }
}

}  // namespace

Pipeline::Pipeline(Tile tile, const isa::InstructionSet& set)
    : tile_(tile), program_(set), flights_(kFlights) {
  reset();
}

/// The signs of AIE2P are bits that instructions name: upssign1 says that there is a sign.
/// CORE_ID is wired: the column from bit 16 on, the row below [xdna-emu; kernels that take it
/// apart]. Columns are those of the partition here, of the whole array in hardware.
void Pipeline::reset() {
  registers_.clear();
  registers_.setU32(isa::Reg::CORE_ID, uint32_t(tile_.column) << 16 | tile_.row);
  for (const Reg sign :
       {Reg::packSign1, Reg::unpackSign1, Reg::srsSign1, Reg::upsSign1, Reg::vaddSign1})
    registers_.setU32(sign, 1);
  status_ = {};
  counters_ = {};
  now_ = 0;
  pc_ = 0;
  hasLanded_ = isFinishing_ = isEnabled_ = false;
  delaySlots_ = 0;
  loopSetBundle_ = 0;
  nextEvent_ = 0;
  for (unsigned i = 0; i < kRing; ++i) {
    landings_[i].clear();
    events_[i].clear();
  }
  freeFlights_.clear();
  for (unsigned i = 0; i < kFlights; ++i)
    freeFlights_.push_back(static_cast<uint8_t>(i));
}

void Pipeline::enable(bool isEnabled) {
  isEnabled_ = isEnabled;
  if (status_.state == CoreState::Faulted || status_.state == CoreState::Done) return;
  status_.state = isEnabled ? CoreState::Running : CoreState::Disabled;
}

CoreStatus Pipeline::status() const { return status_; }

void Pipeline::writeProgram(uint32_t offset, std::span<const uint8_t> bytes) {
  program_.write(offset, bytes);
  if (freeFlights_.size() == kFlights) program_.dropReplaced();
}

std::vector<uint8_t> Pipeline::read(Reg reg) const {
  std::vector<uint8_t> bytes;
  for (const Range& range : placeOf(reg).all())
    bytes.insert(bytes.end(), registers_.at(range), registers_.at(range) + range.bytes);
  return bytes;
}

void Pipeline::write(Reg reg, std::span<const uint8_t> bytes) {
  const Place& place = placeOf(reg);
  Value value;
  std::copy_n(bytes.begin(), std::min(bytes.size(), value.bytes.size()), value.bytes.begin());
  if (place.bytes() == 4) return registers_.setU32(reg, value.u32());
  unsigned base = 0;
  for (const Range& range : place.all()) {
    std::memcpy(registers_.at(range), &value.bytes[base], range.bytes);
    base += range.bytes;
  }
}

void Pipeline::fault(uint32_t pc, std::string text) {
  if (status_.state == CoreState::Faulted) return;
  status_.state = CoreState::Faulted;
  status_.programCounter = pc;
  status_.text = std::move(text);
}

void Pipeline::step(CoreHost& host) {
  if (!isEnabled_ || status_.state == CoreState::Done || status_.state == CoreState::Faulted)
    return;
  host_ = &host;
  ++counters_.cycles;
  status_.state = CoreState::Running;
  if (!hasLanded_) land();
  hasLanded_ = true;
  if (!runEvents()) {
    counters_.stalls += status_.state != CoreState::Faulted;
    countCycle(&BundleCycles::stalled);
    return;
  }
  if (isFinishing_)
    endIfDrained();
  else
    issue();
  countCycle(&BundleCycles::issued);
  ++now_;
  hasLanded_ = false;
}

void Pipeline::land() {
  std::vector<Landing>& due = landings_[now_ % kRing];
  for (const Landing& landing : due) {
    const Place& place = *landing.place;
    unsigned base = 0;
    for (const Range& range : place.all()) {
      uint8_t* to = registers_.at(range);
      if (place.sticky)
        for (unsigned i = 0; i < range.bytes; ++i)
          to[i] |= landing.bytes[base + i];
      else
        std::memcpy(to, &landing.bytes[base], range.bytes);
      base += range.bytes;
    }
  }
  due.clear();
}

/// Continues where a refusal stopped it.
bool Pipeline::runEvents() {
  std::vector<uint8_t>& due = events_[now_ % kRing];
  for (; nextEvent_ < due.size(); ++nextEvent_)
    if (!advance(flights_[due[nextEvent_]])) return false;
  due.clear();
  nextEvent_ = 0;
  return true;
}

void Pipeline::issue() {
  const uint32_t pc = pc_;
  status_.programCounter = pc;
  const DecodedBundle& bundle = program_.at(pc);
  if (!bundle.fault.empty()) return fault(pc, bundle.fault);
  ++counters_.bundles, ++work_.bundles;
  const bool inDelaySlot = delaySlots_ > 0;
  for (unsigned i = 0; i < bundle.count; ++i) {
    const Operation& op = bundle.operations[i];
    if (op.isJump && inDelaySlot) return fault(pc, "a jump in a delay slot");
    if (op.setsLoop) loopSetBundle_ = counters_.bundles;
    start(op);
  }
  pc_ = nextAddress(pc, bundle.bytes);
}

uint32_t Pipeline::nextAddress(uint32_t pc, unsigned bytes) {
  uint32_t next = pc + bytes;
  const bool isLoopEnd = pc == registers_.u32(Reg::LE) && registers_.u32(Reg::LC);
  if (isLoopEnd && delaySlots_) fault(pc, "the last bundle of a loop in a delay slot");
  if (isLoopEnd) next = loopBack(next);
  // The bundle of the jump itself passes here too.
  if (delaySlots_ && --delaySlots_ == 0) next = target_;
  return next;
}

uint32_t Pipeline::loopBack(uint32_t next) {
  if (loopSetBundle_ && counters_.bundles - loopSetBundle_ < kLoopDistance)
    fault(pc_, "ls, le or lc is written too shortly before the end of the loop");
  uint32_t count = registers_.u32(Reg::LC) - 1;
  registers_.setU32(Reg::LC, count);
  return count ? registers_.u32(Reg::LS) : next;
}

void Pipeline::jump(uint32_t target) {
  target_ = target;
  delaySlots_ = isa::kDelaySlots + 1;
}

uint32_t Pipeline::afterDelaySlots(uint32_t pc) {
  for (unsigned i = 0; i <= isa::kDelaySlots; ++i) {
    const DecodedBundle& bundle = program_.at(pc);
    if (!bundle.bytes) fault(pc, bundle.fault);
    pc += bundle.bytes;
  }
  return pc;
}

void Pipeline::endIfDrained() {
  if (++delaySlots_ < kDoneCycles || freeFlights_.size() != kFlights) return;
  status_.state = CoreState::Done;
}

void Pipeline::start(const Operation& op) {
  Flight& flight = flights_[freeFlights_.back()];
  freeFlights_.pop_back();
  flight.op = &op;
  flight.pipe = this;
  flight.issued = now_;
  flight.pc = pc_;
  flight.step = 0;
  if (op.address.mode != isa::AddressMode::None) addressStep(flight);
  advance(flight);
}

/// Does what is due in this cycle and waits for the next step. False: refused, or faulted.
bool Pipeline::advance(Flight& flight) {
  const Operation& op = *flight.op;
  const uint64_t stage = now_ - flight.issued + 1;
  for (; flight.step < op.stepCount && op.steps[flight.step].cycle <= stage; ++flight.step)
    if (perform(flight, op.steps[flight.step]) != Reply::Done) return false;
  const auto number = static_cast<uint8_t>(&flight - flights_.data());
  if (flight.step < op.stepCount)
    events_[(flight.issued + op.steps[flight.step].cycle - 1) % kRing].push_back(number);
  else
    freeFlights_.push_back(number);
  return status_.state != CoreState::Faulted;
}

Reply Pipeline::perform(Flight& flight, const Step& step) {
  const Operation& op = *flight.op;
  std::span<uint8_t> data(flight.memory.bytes.data(), op.memoryBytes);
  const uint32_t address = op.alignment < op.memoryBytes ? flight.address & ~3u : flight.address;
  switch (step.kind) {
    case StepKind::Read: readInput(flight, step.input); return Reply::Done;
    case StepKind::Load:
      if (op.isOnBus) return loadRegister(flight);
      return answer(flight, host_->load(address, data), CoreState::StalledOnMemory);
    case StepKind::Store:
      if (op.isOnBus) return storeRegister(flight);
      return answer(flight, host_->store(address, data), CoreState::StalledOnMemory);
    case StepKind::Ask: return answer(flight, op.semantic.ask(flight, *host_), op.semantic.waits);
    case StepKind::Run:
      op.semantic.run(flight);
      writeOutputs(flight);
      return Reply::Done;
  }
  return Reply::Done;
}

/// Registers begin at 0x80000 of the pointer [llvm-aie: read_tm and write_tm of aiev2intrin.h].
Reply Pipeline::loadRegister(Flight& flight) {
  uint32_t value = 0;
  const Reply reply = host_->readRegister(flight.address - kRegistersBegin, value);
  flight.memory.set(value);
  return answer(flight, reply, CoreState::StalledOnMemory);
}

Reply Pipeline::storeRegister(Flight& flight) {
  const uint32_t offset = flight.address - kRegistersBegin;
  return answer(flight, host_->writeRegister(offset, flight.memory.u32()),
                CoreState::StalledOnMemory);
}

Reply Pipeline::answer(Flight& flight, Reply reply, CoreState waits) {
  if (reply == Reply::Faulted)
    fault(flight.pc, fmt::format("{}: {}", row(flight.op->form).mnemonic(), host_->faultText()));
  if (reply == Reply::Stalled) {
    status_.state = waits;
    status_.programCounter = flight.pc;
  }
  return reply;
}

void Pipeline::readInput(Flight& flight, unsigned index) {
  const Input& input = flight.op->in[index];
  Value& value = flight.in[index];
  if (!input.place) return value.set(input.immediate);
  unsigned base = 0;
  for (const Range& range : input.place->all()) {
    std::memcpy(&value.bytes[base], registers_.at(range), range.bytes);
    base += range.bytes;
  }
  if (input.bypass != '-') takeBypass(value, input);
}

/// What lands in the next cycle is seen already by readers with the same bypass.
void Pipeline::takeBypass(Value& value, const Input& input) const {
  for (const Landing& landing : landings_[(now_ + 1) % kRing])
    if (landing.bypass == input.bypass)
      copyOverlap(value, *input.place, landing.bytes.data(), *landing.place);
}

void Pipeline::writeOutputs(Flight& flight) {
  const Operation& op = *flight.op;
  for (unsigned i = 0; i < op.outCount; ++i)
    push(*op.out[i].place, flight.out[i], flight.issued + op.out[i].cycle, op.out[i].bypass);
}

void Pipeline::push(const Place& place, const Value& value, uint64_t cycle, char bypass) {
  Landing& landing = landings_[cycle % kRing].emplace_back();
  landing.place = &place;
  landing.bypass = bypass;
  std::memcpy(landing.bytes.data(), value.bytes.data(), place.bytes());
  if (place.mask == ~0u) return;
  const uint32_t masked = value.u32() & place.mask;
  std::memcpy(landing.bytes.data(), &masked, sizeof(masked));
}

void Pipeline::pushU32(Reg reg, uint32_t value) {
  Value wide;
  wide.set(value);
  push(placeOf(reg), wide, now_ + 1, '-');
}

}  // namespace airlite::npu::sim::core

namespace airlite::npu::sim {
namespace {

struct SetCoreFactory final : CoreFactory {
  explicit SetCoreFactory(const isa::InstructionSet& set) : set_(set) {}
  std::unique_ptr<Core> make(unsigned column, unsigned row) override {
    return makeCore(set_, column, row);
  }

 private:
  const isa::InstructionSet& set_;
};

}  // namespace

std::unique_ptr<Aie2Core> makeCore(const isa::InstructionSet& set, unsigned column, unsigned row) {
  return std::make_unique<core::Pipeline>(
      Tile{static_cast<uint8_t>(column), static_cast<uint8_t>(row)}, set);
}
std::unique_ptr<Aie2Core> makeAie2Core(unsigned column, unsigned row) {
  return makeCore(isa::aie2(), column, row);
}
std::unique_ptr<CoreFactory> makeCoreFactory(const isa::InstructionSet& set) {
  return std::make_unique<SetCoreFactory>(set);
}
std::unique_ptr<CoreFactory> makeAie2CoreFactory() { return makeCoreFactory(isa::aie2()); }
bool hasSemantics(isa::Form form) { return row(form).is(isa::kNop) || core::semanticOf(form); }

}  // namespace airlite::npu::sim
