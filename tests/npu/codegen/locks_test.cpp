// Locks: which ones, by how much, in the order of the program, and what memory has seen by then.
// Words of a stream, in their order.
#include "CodegenTesting.hpp"

#include <fmt/format.h>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

constexpr std::string_view kHead =
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    "  %c4 = arith.constant 4 : index\n  %k1 = arith.constant 1 : i32\n"
    "  %k2 = arith.constant 2 : i32\n";

const std::vector<TestBuffer> kBuffers = {{"a", "i32", 16, 4}, {"c", "i8", 16, 1}};

std::optional<CoreCode> compile(TestDevice& device) {
  DiagnosticCollector messages(device.context);
  std::optional<CoreCode> code = device.compile();
  for (const Diagnostic& message : messages.diagnostics())
    UNSCOPED_INFO(message.message);
  return code;
}

using Calls = std::vector<std::pair<unsigned, int>>;

/// A host that looks at the memory when a lock is released.
struct WatchingHost : TestHost {
  uint32_t address = 0;
  std::vector<uint8_t> seen;
  sim::Reply release(unsigned lock, int change) override {
    seen.push_back(memory[address]);
    return TestHost::release(lock, change);
  }
};

}  // namespace

TEST_CASE("locks are taken and given in the order of the program", "[codegen]") {
  TestDevice device(kBuffers, std::string(kHead) +
                                  "  aie.use_lock(%lock0, AcquireGreaterEqual, %k2)\n"
                                  "  aie.use_lock(%lock1, Release, %k1)\n"
                                  "  aie.use_lock(%lock1, Acquire, %k1)\n"
                                  "  aie.use_lock(%lock0, Release, %k2)\n  aie.end");
  auto code = compile(device);
  REQUIRE(code);
  TestRun run(*code);
  run.host.locks[48] = 3;
  run.run();
  CHECK(run.host.lockCalls == Calls{{48, -2}, {49, 1}, {49, -1}, {48, 2}});
  CHECK(run.host.locks[48] == 3);
}

TEST_CASE("an amount may be computed", "[codegen]") {
  TestDevice device(kBuffers, std::string(kHead) +
                                  "  %n = memref.load %a[%c0] : memref<16xi32, 2 : i32>\n"
                                  "  aie.use_lock(%lock0, AcquireGreaterEqual, %n)\n"
                                  "  aie.use_lock(%lock1, Release, %n)\n  aie.end");
  auto code = compile(device);
  REQUIRE(code);
  TestRun run(*code);
  run.host.locks[48] = 5;
  run.host.memory[device.addressOf(kBuffers[0])] = 5;
  run.run();
  CHECK(run.host.lockCalls == Calls{{48, -5}, {49, 5}});
}

TEST_CASE("a core waits for its lock", "[codegen]") {
  TestDevice device(kBuffers, std::string(kHead) +
                                  "  aie.use_lock(%lock0, AcquireGreaterEqual, %k1)\n"
                                  "  memref.store %k2, %a[%c0] : memref<16xi32, 2 : i32>\n"
                                  "  aie.end");
  auto code = compile(device);
  REQUIRE(code);
  TestRun run(*code);
  for (int i = 0; i < 100; ++i)
    run.core->step(run.host);
  CHECK(run.core->status().state == sim::CoreState::StalledOnLock);
  CHECK(run.core->status().lock == 48);
  CHECK(run.host.memory[device.addressOf(kBuffers[0])] == 0);
  run.host.locks[48] = 1;
  run.run();
  CHECK(run.host.memory[device.addressOf(kBuffers[0])] == 2);
}

TEST_CASE("what is stored before a release is in memory then", "[codegen]") {
  // A part-word store writes in its eleventh cycle.
  TestDevice device(kBuffers,
                    std::string(kHead) +
                        "  scf.for %i = %c0 to %c4 step %c1 {\n"
                        "    %w = arith.index_cast %i : index to i32\n"
                        "    %n = arith.addi %w, %k1 : i32\n    %v = arith.trunci %n : i32 to i8\n"
                        "    aie.use_lock(%lock0, AcquireGreaterEqual, %k1)\n"
                        "    memref.store %v, %c[%c1] : memref<16xi8, 2 : i32>\n"
                        "    aie.use_lock(%lock0, Release, %k1)\n  }\n  aie.end");
  auto code = compile(device);
  REQUIRE(code);
  WatchingHost host;
  host.address = device.addressOf(kBuffers[1]) + 1;
  host.locks[48] = 1;
  TestRun run(*code);
  while (run.core->status().state != sim::CoreState::Done) {
    run.core->step(host);
    REQUIRE(run.core->status().state != sim::CoreState::Faulted);
  }
  CHECK(host.seen == std::vector<uint8_t>{1, 2, 3, 4});
}

TEST_CASE("distances to locks hold wherever the accesses stand", "[codegen]") {
  // generateCore checks all distances; that it finds a way is what is asked here.
  for (std::string_view access :
       {"%x = memref.load %a[%c0] : memref<16xi32, 2 : i32>\n    memref.store %x, %a[%c1] : "
        "memref<16xi32, 2 : i32>\n",
        "%x = memref.load %c[%c0] : memref<16xi8, 2 : i32>\n    memref.store %x, %c[%c1] : "
        "memref<16xi8, 2 : i32>\n"})
    for (std::string_view order : {"{1}{0}", "{0}{1}", "{1}{0}{1}"}) {
      std::string lock = "    aie.use_lock(%lock0, Release, %k1)\n";
      std::string body = fmt::format(fmt::runtime(order), "    " + std::string(access), lock);
      TestDevice device(kBuffers, std::string(kHead) + "  scf.for %i = %c0 to %c4 step %c1 {\n" +
                                      body + "  }\n  aie.end");
      auto code = compile(device);
      REQUIRE(code);
      TestRun run(*code);
      run.run();
      CHECK(run.host.locks[48] == static_cast<int>(run.host.lockCalls.size()));
    }
}

TEST_CASE("words of a stream come in the order of the program", "[codegen]") {
  TestDevice device(kBuffers, std::string(kHead) +
                                  "  %stream = arith.constant 0 : i32\n"
                                  "  scf.for %i = %c0 to %c4 step %c1 {\n"
                                  "    %x = aie.get_stream(%stream : i32) : i32\n"
                                  "    %y = aie.get_stream(%stream : i32) : i32\n"
                                  "    %z = arith.subi %x, %y : i32\n"
                                  "    memref.store %z, %a[%i] : memref<16xi32, 2 : i32>\n"
                                  "  }\n  aie.end");
  auto code = compile(device);
  REQUIRE(code);
  TestRun run(*code);
  run.host.streamIn = {9, 4, 8, 2, 7, 7, 1, 3};
  run.run();
  CHECK(run.host.streamIn.empty());
  const uint32_t at = device.addressOf(kBuffers[0]);
  for (uint32_t i = 0; i < 4; ++i)
    CHECK(static_cast<int8_t>(run.host.memory[at + 4 * i]) == std::array{5, 6, 0, -2}[i]);
}
