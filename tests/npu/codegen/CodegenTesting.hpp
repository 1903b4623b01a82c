// What the tests of code generation share: a body goes through the interpreter as a function and,
// compiled, through the simulated core; both have the same memory before and must have the same
// after.
#pragma once

#include "airlite/dialect/Dialects.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"
#include "airlite/npu/sim/core/Core.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// A buffer of the core's memory that bodies know as %NAME.
struct TestBuffer {
  std::string name;
  std::string element;
  unsigned count = 0;
  unsigned elementBytes = 4;

  std::string type() const {
    return "memref<" + std::to_string(count) + "x" + element + ", 2 : i32>";
  }
  unsigned bytes() const { return count * elementBytes; }
};

inline constexpr uint32_t kStackAddress = 0x70000, kFirstBuffer = 0x70800;

/// Memory, locks that count, and a record of who asked when.
class TestHost : public sim::CoreHost {
 public:
  std::vector<uint8_t> memory = std::vector<uint8_t>(0x80000);
  std::array<int, 64> locks{};
  std::vector<std::pair<unsigned, int>> lockCalls;  ///< lock, change
  std::deque<uint32_t> streamIn;
  std::array<uint8_t, sim::cascadeBytes> cascadeIn{}, cascadeOut{};

  sim::Reply load(uint32_t address, std::span<uint8_t> to) override {
    if (address < 0x70000 || address + to.size() > memory.size()) return sim::Reply::Faulted;
    std::copy_n(memory.begin() + address, to.size(), to.begin());
    return sim::Reply::Done;
  }
  sim::Reply store(uint32_t address, std::span<const uint8_t> from) override {
    if (address < 0x70000 || address + from.size() > memory.size()) return sim::Reply::Faulted;
    std::copy(from.begin(), from.end(), memory.begin() + address);
    return sim::Reply::Done;
  }
  sim::Reply readRegister(uint32_t, uint32_t&) override { return sim::Reply::Faulted; }
  sim::Reply writeRegister(uint32_t, uint32_t) override { return sim::Reply::Faulted; }
  sim::Reply acquire(unsigned lock, int value) override {
    bool holds = value < 0 ? locks[lock] >= -value : locks[lock] == value;
    if (!holds) return sim::Reply::Stalled;
    locks[lock] += std::min(value, 0);
    lockCalls.emplace_back(lock, value < 0 ? value : -value);
    return sim::Reply::Done;
  }
  sim::Reply release(unsigned lock, int change) override {
    locks[lock] += change;
    lockCalls.emplace_back(lock, change);
    return sim::Reply::Done;
  }
  sim::Reply readStream(sim::StreamWord& word) override {
    if (streamIn.empty()) return sim::Reply::Stalled;
    word.value = streamIn.front();
    streamIn.pop_front();
    return sim::Reply::Done;
  }
  sim::Reply writeStream(sim::StreamWord) override { return sim::Reply::Done; }
  sim::Reply readCascade(std::span<uint8_t, sim::cascadeBytes> to) override {
    std::copy(cascadeIn.begin(), cascadeIn.end(), to.begin());
    return sim::Reply::Done;
  }
  sim::Reply writeCascade(std::span<const uint8_t, sim::cascadeBytes> from) override {
    std::copy(from.begin(), from.end(), cascadeOut.begin());
    return sim::Reply::Done;
  }
  std::string faultText() const override { return "no memory there"; }
  uint64_t cycle() const override { return 0; }
};

/// A device with one core in a context of its own.
class TestDevice {
 public:
  TestDevice(std::vector<TestBuffer> buffers, const std::string& body,
             const std::string& members = "", const std::string& coreAttributes = "")
      : buffers_(std::move(buffers)) {
    registerAllDialects(context);
    std::string text = "aie.device(npu1_1col) {\n  %tile = aie.tile(0, 2)\n";
    for (const TestBuffer& b : buffers_)
      text += "  %" + b.name + " = aie.buffer(%tile) {sym_name = \"" + b.name +
              "\"} : " + b.type() + "\n";
    text += "  %lock0 = aie.lock(%tile, 0) {init = 1 : i32}\n  %lock1 = aie.lock(%tile, 1)\n" +
            members + "  %core = aie.core(%tile) {\n" + body + "\n  }" + coreAttributes + "\n}\n";
    module = parseSource(context, text, "device.mlir");
    INFO(text);
    REQUIRE(module);
    module->walk([&](Operation& op) { note(op); });
    surroundings.stackAddress = kStackAddress;
    surroundings.stackSize = Bytes(0x400);
    surroundings.constantsAddress = kStackAddress + 0x400;
    surroundings.constantsSize = Bytes(0x400);
  }

  std::optional<CoreCode> compile() { return generateCore(*core, surroundings); }

  uint32_t addressOf(const TestBuffer& wanted) const {
    uint32_t address = kFirstBuffer;
    for (const TestBuffer& b : buffers_) {
      if (b.name == wanted.name) return address;
      address += (b.bytes() + 63) / 64 * 64;
    }
    return 0;
  }

  Context context;
  OwningOp module;
  Operation* core = nullptr;
  CoreSurroundings surroundings;

 private:
  void note(Operation& op) {
    if (op.is("aie.core")) core = &op;
    if (op.is("aie.lock"))
      surroundings.locks[op.result()] =
          48 + static_cast<unsigned>(op.attrOf<IntegerAttr>("lockID").value());
    if (!op.is("aie.buffer") || next_ == buffers_.size()) return;
    surroundings.buffers[op.result()] = addressOf(buffers_[next_++]);
  }

  std::vector<TestBuffer> buffers_;
  size_t next_ = 0;
};

/// Runs the bytes of a program until the core is done.
class TestRun {
 public:
  explicit TestRun(const CoreCode& code)
      : core(sim::makeCore(code.program.bundles.at(0).bundle.set())) {
    std::vector<std::byte> program = encode(code.program);
    std::vector<uint8_t> bytes(program.size());
    std::memcpy(bytes.data(), program.data(), bytes.size());
    core->writeProgram(0, bytes);
    for (const CoreData& data : code.data)
      std::memcpy(&host.memory[data.address], data.words.data(), data.words.size() * 4);
    core->enable(true);
  }
  void run(uint64_t limit = 2'000'000) {
    sim::CoreState state = core->status().state;
    for (; limit && state != sim::CoreState::Done && state != sim::CoreState::Faulted; --limit) {
      core->step(host);
      state = core->status().state;
    }
    INFO(core->status().text << " at " << core->status().programCounter);
    REQUIRE(state == sim::CoreState::Done);
  }

  TestHost host;
  std::unique_ptr<sim::Aie2Core> core;
};

using Memories = std::vector<std::vector<uint8_t>>;

/// What the interpreter leaves in memory when `body` runs as a function.
inline Memories interpret(const std::vector<TestBuffer>& buffers, const std::string& body,
                          const Memories& before, const std::string& members = "") {
  Context context;
  registerAllDialects(context);
  std::string arguments;
  for (const TestBuffer& b : buffers)
    arguments += (arguments.empty() ? "%" : ", %") + b.name + ": " + b.type();
  OwningOp module = parseSource(
      context, members + "func.func @f(" + arguments + ") {\n" + body + "\n  return\n}\n",
      "f.mlir");
  REQUIRE(module);
  interp::Program program(*module);
  std::vector<interp::Datum> data;
  std::vector<std::shared_ptr<interp::Memory>> memories;
  for (size_t i = 0; i < buffers.size(); ++i) {
    auto memory = std::make_shared<interp::Memory>();
    memory->data.resize(before[i].size());
    std::memcpy(memory->data.data(), before[i].data(), before[i].size());
    memory->known.assign(before[i].size(), 1);
    memory->level = 2;
    memories.push_back(memory);
    data.push_back(interp::MemRef{memory, 0, {buffers[i].count}, {1}});
  }
  interp::RunOptions options;
  options.levels = interp::LevelRule::Free;
  interp::Outcome outcome = program.run(*program.find("f"), std::move(data), options);
  INFO(outcome.message);
  REQUIRE(outcome.status == interp::RunStatus::Done);
  Memories after;
  for (const auto& memory : memories) {
    after.emplace_back(memory->data.size());
    std::memcpy(after.back().data(), memory->data.data(), memory->data.size());
  }
  return after;
}

inline Memories randomMemories(const std::vector<TestBuffer>& buffers, SplitMix64& random) {
  Memories all;
  for (const TestBuffer& b : buffers) {
    std::vector<uint8_t>& bytes = all.emplace_back(b.bytes());
    for (uint8_t& byte : bytes)
      byte = static_cast<uint8_t>(random.next());
  }
  return all;
}

/// The code of a device's core; none when it is larger than program memory.
inline std::optional<CoreCode> compileIfFits(TestDevice& device) {
  DiagnosticCollector messages(device.context);
  std::optional<CoreCode> code = device.compile();
  for (const Diagnostic& message : messages.diagnostics()) {
    if (message.message.find("becomes a program of") != std::string::npos) return std::nullopt;
    UNSCOPED_INFO(formatDiagnostic(device.context, message));
  }
  REQUIRE(code);
  return code;
}

/// Runs code on the simulated core and compares what it leaves in memory.
inline void checkRun(const TestDevice& device, const std::vector<TestBuffer>& buffers,
                     const CoreCode& code, const Memories& before, const Memories& expected) {
  TestRun run(code);
  for (size_t i = 0; i < buffers.size(); ++i)
    std::copy(before[i].begin(), before[i].end(),
              run.host.memory.begin() + device.addressOf(buffers[i]));
  INFO(printAssembly(code));
  run.run();
  for (size_t i = 0; i < buffers.size(); ++i) {
    const uint8_t* found = &run.host.memory[device.addressOf(buffers[i])];
    INFO("buffer " << buffers[i].name);
    REQUIRE(std::vector<uint8_t>(found, found + buffers[i].bytes()) == expected[i]);
  }
}

/// Runs `body`, without its end, both ways. False when it is larger than program memory.
inline bool checkSame(const std::vector<TestBuffer>& buffers, const std::string& body,
                      SplitMix64& random, const std::string& members = "",
                      const isa::InstructionSet& set = isa::aie2()) {
  Memories before = randomMemories(buffers, random);
  Memories expected = interpret(buffers, body, before, members);
  TestDevice device(buffers, body + "\n  aie.end", members);
  device.surroundings.set = &set;
  INFO(body);
  std::optional<CoreCode> code = compileIfFits(device);
  if (!code) return false;
  checkRun(device, buffers, *code, before, expected);
  return true;
}

}  // namespace airlite::npu::codegen
