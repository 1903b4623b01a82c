// The exposed pipeline of one core: one bundle issues per cycle, nothing waits for registers, and
// memory, locks, streams and the cascade stop all of it.
//
// Time is that of the pipeline: it stands still while the core stalls. An instruction that issues
// in cycle T does in cycle T + c - 1 what its itinerary says of stage c. What it writes after stage
// d is in the register file from cycle T + d on, and one cycle earlier for a reader with the same
// bypass (docs/hardware/isa.md, rules.scheduling).
#pragma once

#include "ProgramMemory.hpp"
#include "airlite/npu/device/Tile.hpp"
#include "airlite/npu/sim/core/Core.hpp"

#include <algorithm>

namespace airlite::npu::sim::core {

/// One class: a cycle lands results, runs the steps that are due and issues, all on the same rings
/// of events; what can stall one of these stalls the others.
class Pipeline final : public Aie2Core {
 public:
  Pipeline(Tile tile, const isa::InstructionSet& set);

  void reset() override;
  void enable(bool isEnabled) override;
  void step(CoreHost& host) override;
  CoreStatus status() const override;
  void writeProgram(uint32_t offset, std::span<const uint8_t> bytes) override;
  bool mayRelease(unsigned lock) const override { return program_.mayRelease(lock); }
  std::vector<uint8_t> read(isa::Reg reg) const override;
  void write(isa::Reg reg, std::span<const uint8_t> bytes) override;
  CoreCounters counters() const override { return counters_; }
  CoreWork work() const override { return work_; }
  void countCycles() override { cyclesAt_.resize(programBytes); }
  std::span<const BundleCycles> cyclesAt() const override { return cyclesAt_; }

  // What instructions do beside their results.

  /// Continues at `target` after the delay slots.
  void jump(uint32_t target);
  /// The address after the delay slots of the jump at `pc`.
  uint32_t afterDelaySlots(uint32_t pc);
  /// Ends the program once what is under way is over.
  void finish() { isFinishing_ = true; }
  void fault(uint32_t pc, std::string text);
  /// An instruction of the matrix unit adds up so many products of elements.
  void countProducts(unsigned count) {
    work_.products += count;
    work_.mostProducts = std::max(work_.mostProducts, count);
  }
  void waitForLock(unsigned lock, int value) { status_.lock = lock, status_.lockValue = value; }
  /// Where the core stands: packet headers say it.
  Tile tile() const { return tile_; }
  uint64_t hostCycle() const { return host_->cycle(); }

 private:
  struct Landing {
    const Place* place;
    char bypass;
    alignas(32) std::array<uint8_t, sizeof(Value)> bytes;  // as many as the place has

    Landing() {}  // leaves the bytes: clearing them for each write takes a tenth of a run
  };

  static constexpr unsigned kRing = 16;  // a power of two above isa::kLastCycle
  static constexpr unsigned kFlights = 96;

  /// Where somebody asks, and the program has not left its memory.
  void countCycle(uint64_t BundleCycles::*kind) {
    if (status_.programCounter < cyclesAt_.size()) ++(cyclesAt_[status_.programCounter].*kind);
  }
  void land();
  bool runEvents();
  void issue();
  void start(const Operation& op);
  void addressStep(Flight& flight);
  void movePointer(const Flight& flight, uint32_t pointer);
  void checkAlignment(const Flight& flight);
  bool advance(Flight& flight);
  Reply perform(Flight& flight, const Step& step);
  Reply loadRegister(Flight& flight);
  Reply storeRegister(Flight& flight);
  Reply answer(Flight& flight, Reply reply, CoreState waits);
  void readInput(Flight& flight, unsigned input);
  void takeBypass(Value& value, const Input& input) const;
  void writeOutputs(Flight& flight);
  void push(const Place& place, const Value& value, uint64_t cycle, char bypass);
  void pushU32(isa::Reg reg, uint32_t value);
  uint32_t nextAddress(uint32_t pc, unsigned bytes);
  uint32_t loopBack(uint32_t next);
  void endIfDrained();

  Tile tile_;
  ProgramMemory program_;
  RegisterFile registers_;
  CoreHost* host_ = nullptr;
  CoreStatus status_;
  CoreCounters counters_;
  CoreWork work_;
  std::vector<BundleCycles> cyclesAt_;  ///< empty: nobody asks
  uint64_t now_ = 0;
  uint32_t pc_ = 0;
  bool hasLanded_ = false;  ///< the writes of this cycle are done, its events may be not
  bool isFinishing_ = false, isEnabled_ = false;
  unsigned delaySlots_ = 0;  ///< still to execute before the jump
  uint32_t target_ = 0;
  uint64_t loopSetBundle_ = 0;  ///< when ls, le or lc was written last, in bundles; 0: never

  std::array<std::vector<Landing>, kRing> landings_;
  std::array<std::vector<uint8_t>, kRing> events_;  ///< flights with a step in that cycle
  size_t nextEvent_ = 0;
  std::vector<Flight> flights_;
  std::vector<uint8_t> freeFlights_;
};

}  // namespace airlite::npu::sim::core
