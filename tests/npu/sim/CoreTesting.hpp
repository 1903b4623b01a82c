// What the tests of the core share: a program from text, a host with plain memory, registers.
#pragma once

#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/sim/core/Core.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "support/catch_all.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace airlite::npu::sim {

/// 512 KiB of memory, 64 locks and endless FIFOs, which can be told to refuse.
class TestHost : public CoreHost {
 public:
  std::vector<uint8_t> memory = std::vector<uint8_t>(0x80000);
  std::array<int, 64> locks{};
  std::map<uint32_t, uint32_t> registers;  ///< that were written
  std::deque<StreamWord> streamIn, streamOut;
  std::deque<std::array<uint8_t, cascadeBytes>> cascadeIn, cascadeOut;
  int refusals = 0;  ///< of the next memory accesses and stream writes

  Reply load(uint32_t address, std::span<uint8_t> to) override {
    if (refuses()) return Reply::Stalled;
    if (address < 0x40000 || address + to.size() > memory.size()) return Reply::Faulted;
    std::copy_n(memory.begin() + address, to.size(), to.begin());
    return Reply::Done;
  }
  Reply store(uint32_t address, std::span<const uint8_t> from) override {
    if (refuses()) return Reply::Stalled;
    if (address < 0x40000 || address + from.size() > memory.size()) return Reply::Faulted;
    std::copy(from.begin(), from.end(), memory.begin() + address);
    return Reply::Done;
  }
  Reply readRegister(uint32_t offset, uint32_t& value) override {
    if (!registers.contains(offset)) return Reply::Faulted;
    value = registers[offset];
    return Reply::Done;
  }
  Reply writeRegister(uint32_t offset, uint32_t value) override {
    registers[offset] = value;
    return Reply::Done;
  }
  Reply acquire(unsigned lock, int value) override {
    bool holds = value < 0 ? locks[lock] >= -value : locks[lock] == value;
    if (!holds) return Reply::Stalled;
    locks[lock] += std::min(value, 0);
    return Reply::Done;
  }
  Reply release(unsigned lock, int change) override {
    locks[lock] += change;
    return Reply::Done;
  }
  Reply readStream(StreamWord& word) override { return take(streamIn, word); }
  Reply writeStream(StreamWord word) override {
    if (refuses()) return Reply::Stalled;
    streamOut.push_back(word);
    return Reply::Done;
  }
  Reply readCascade(std::span<uint8_t, cascadeBytes> to) override {
    std::array<uint8_t, cascadeBytes> word{};
    Reply reply = take(cascadeIn, word);
    std::copy(word.begin(), word.end(), to.begin());
    return reply;
  }
  Reply writeCascade(std::span<const uint8_t, cascadeBytes> from) override {
    std::array<uint8_t, cascadeBytes> word{};
    std::copy(from.begin(), from.end(), word.begin());
    cascadeOut.push_back(word);
    return Reply::Done;
  }
  std::string faultText() const override { return "no memory there"; }
  uint64_t cycle() const override { return 0x123456789; }

 private:
  bool refuses() { return refusals > 0 && refusals-- > 0; }
  template <typename T> static Reply take(std::deque<T>& from, T& to) {
    if (from.empty()) return Reply::Stalled;
    to = from.front();
    from.pop_front();
    return Reply::Done;
  }
};

/// A core with a program, stepped until it ends. `done` and its delay are added.
class TestCore {
 public:
  explicit TestCore(const std::string& source, unsigned column = 0, unsigned row = 2,
                    const isa::InstructionSet& set = isa::aie2())
      : core(makeCore(set, column, row)) {
    isa::Assembly assembly = isa::assemble(
        source + "\n" + repeat("nop\n", 12) + "done\n" + repeat("nop\n", 6), {.set = &set});
    for (const isa::SourceError& error : assembly.errors)
      FAIL_CHECK(error.line << ": " << error.message << " in\n" << source);
    std::vector<uint8_t> bytes(assembly.bytes.size());
    std::memcpy(bytes.data(), assembly.bytes.data(), bytes.size());
    core->writeProgram(0, bytes);
    core->enable(true);
  }

  static std::string repeat(const std::string& text, unsigned count) {
    std::string all;
    while (count--)
      all += text;
    return all;
  }

  void steps(unsigned count) {
    while (count--)
      core->step(host);
  }
  /// Until it is done, faults, or `limit` cycles are over.
  CoreStatus run(unsigned limit = 100000) {
    while (limit-- && core->status().state != CoreState::Done &&
           core->status().state != CoreState::Faulted)
      core->step(host);
    return core->status();
  }
  void runToEnd() {
    CoreStatus status = run();
    INFO(status.text << " at " << status.programCounter);
    REQUIRE(status.state == CoreState::Done);
  }

  template <typename T> std::vector<T> lanes(isa::Reg reg) const {
    std::vector<uint8_t> bytes = core->read(reg);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }
  uint32_t u32(isa::Reg reg) const { return lanes<uint32_t>(reg)[0]; }
  uint64_t u64(isa::Reg reg) const { return lanes<uint64_t>(reg)[0]; }

  template <typename T> void set(isa::Reg reg, const std::vector<T>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    core->write(reg, bytes);
  }
  void set(isa::Reg reg, uint32_t value) { set(reg, std::vector{value}); }
  template <typename T> T at(uint32_t address) const {
    T value;
    std::memcpy(&value, &host.memory[address], sizeof(T));
    return value;
  }

  std::unique_ptr<Aie2Core> core;
  TestHost host;
};

template <typename T> std::vector<T> randomLanes(SplitMix64& random, size_t count) {
  std::vector<T> values(count);
  for (T& value : values)
    value = static_cast<T>(random.next() >> (random.next() % 4 * 13));
  return values;
}

}  // namespace airlite::npu::sim
