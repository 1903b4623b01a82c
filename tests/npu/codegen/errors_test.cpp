// What cannot be compiled is said at the op, and nothing is made.
#include "CodegenTesting.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

const std::vector<TestBuffer> kBuffers = {{"a", "i32", 16, 4}};

std::string messageOf(TestDevice& device) {
  DiagnosticCollector messages(device.context);
  std::optional<CoreCode> code = device.compile();
  CHECK(!code);
  REQUIRE(messages.diagnostics().size() == 1);
  CHECK(!messages.diagnostics()[0].location.isUnknown());
  return messages.diagnostics()[0].message;
}

std::string messageOf(const std::string& body, const std::string& members = "") {
  TestDevice device(kBuffers, body + "\n  aie.end", members);
  return messageOf(device);
}

bool says(const std::string& message, std::string_view part) {
  INFO(message);
  return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("ops and types that a core has not", "[codegen][errors]") {
  CHECK(says(messageOf("  %m = memref.alloc() : memref<4xi32, 2 : i32>"),
             "'memref.alloc' op is nothing that a core can run"));
  CHECK(says(messageOf("  %x = arith.constant 3 : i64\n  %y = arith.addi %x, %x : i64"),
             "for which a core has no register"));
  CHECK(says(messageOf("  %c0 = arith.constant 0 : index\n"
                       "  %x = memref.load %m[%c0, %c0] : memref<4x4xi32, 2 : i32>",
                       "  %m = aie.buffer(%tile) : memref<4x4xi32, 2 : i32>\n"),
             "needs a memref of one dimension"));
}

TEST_CASE("sums of a width that no load makes", "[codegen][errors]") {
  TestDevice device({{"a", "i8", 64, 4}},
                    "  %c0 = arith.constant 0 : index\n"
                    "  %x = vector.load %a[%c0] : memref<64xi8, 2 : i32>, vector<32xi8>\n"
                    "  %y = arith.extsi %x : vector<32xi8> to vector<32xi64>\n"
                    "  aie.end",
                    "");
  CHECK(says(messageOf(device), "changes lanes of 8 bits and sums of 64 bits into each other"));
}

TEST_CASE("buffers and locks without a place", "[codegen][errors]") {
  TestDevice device(kBuffers, "  %c0 = arith.constant 0 : index\n"
                              "  %x = memref.load %a[%c0] : memref<16xi32, 2 : i32>\n"
                              "  memref.store %x, %a[%c0] : memref<16xi32, 2 : i32>\n  aie.end");
  device.surroundings.buffers.clear();
  CHECK(says(messageOf(device), "no address that the core can reach"));
  TestDevice locks(kBuffers, "  %k = arith.constant 1 : i32\n"
                             "  aie.use_lock(%lock0, Release, %k)\n  aie.end");
  locks.surroundings.locks.clear();
  CHECK(says(messageOf(locks), "uses a lock that the core cannot reach"));
}

TEST_CASE("recursion; the stack that calls need is for others to judge", "[codegen][errors]") {
  CHECK(says(messageOf("  func.call @r() : () -> ()",
                       "  func.func private @r() {\n    func.call @r() : () -> ()\n"
                       "    func.return\n  }\n"),
             "calls itself"));
  TestDevice device(kBuffers, "  func.call @s() : () -> ()\n  aie.end",
                    "  func.func private @s() {\n    func.call @t() : () -> ()\n    func.return\n"
                    "  }\n  func.func private @t() {\n    func.return\n  }\n");
  device.surroundings.stackSize = Bytes(16);
  const auto code = compileIfFits(device);
  REQUIRE(code);
  CHECK(code->stackUsed == Bytes(32));
}

TEST_CASE("more arguments than registers", "[codegen][errors]") {
  std::string values, types, parameters;
  for (int i = 0; i < 9; ++i) {
    values += i ? ", %k" : "%k";
    types += i ? ", i32" : "i32";
    parameters += (i ? ", %a" : "%a") + std::to_string(i) + ": i32";
  }
  CHECK(says(messageOf("  %k = arith.constant 1 : i32\n  func.call @f(" + values + ") : (" + types +
                           ") -> ()",
                       "  func.func private @f(" + parameters + ") {\n    func.return\n  }\n"),
             "more than 8 scalars as arguments"));
}

TEST_CASE("program memory has an end", "[codegen][errors]") {
  std::string body = "  %c0 = arith.constant 0 : index\n"
                     "  %v0 = memref.load %a[%c0] : memref<16xi32, 2 : i32>\n";
  int last = 0;
  for (; last < 140; ++last)
    body += "  %v" + std::to_string(last + 1) + " = arith.divui %v0, %v" + std::to_string(last) +
            " : i32\n";
  body += "  memref.store %v" + std::to_string(last) + ", %a[%c0] : memref<16xi32, 2 : i32>";
  CHECK(says(messageOf(body), "a core has room for 16384"));
}

/// So many loops of vectors, whose rounds overlap by several stages.
static std::string manyLoops(int count) {
  std::string body = "  %c0 = arith.constant 0 : index\n  %c32 = arith.constant 32 : index\n"
                     "  %c1024 = arith.constant 1024 : index\n";
  for (int i = 0; i < count; ++i)
    body += "  scf.for %i = %c0 to %c1024 step %c32 {\n"
            "    %x = vector.load %a[%i] : memref<1024xi16, 2 : i32>, vector<32xi16>\n"
            "    %y = arith.maxsi %x, %x : vector<32xi16>\n"
            "    %z = arith.addi %y, %x : vector<32xi16>\n"
            "    %w = arith.subi %z, %y : vector<32xi16>\n"
            "    vector.store %w, %a[%i] : memref<1024xi16, 2 : i32>, vector<32xi16>\n  }\n";
  return body + "  aie.end";
}

TEST_CASE("where all loops that overlap would be too large, as many do as there is room for",
          "[codegen]") {
  const std::vector<TestBuffer> buffers = {{"a", "i16", 1024, 2}};
  auto overlapping = [](const CoreCode& code) {
    return std::ranges::count_if(code.loops,
                                 [](const LoopReport& loop) { return loop.interval > 0; });
  };
  TestDevice few(buffers, manyLoops(2)), many(buffers, manyLoops(90));
  DiagnosticCollector messages(many.context);
  const auto small = few.compile(), large = many.compile();
  REQUIRE(small);
  REQUIRE(large);
  CHECK(overlapping(*small) == 2);
  CHECK(overlapping(*large) > 30);
  CHECK(overlapping(*large) < 90);
  for (const LoopReport& loop : large->loops)
    CHECK((loop.interval > 0) == loop.why.empty());
  CHECK(messages.diagnostics().empty());
}

TEST_CASE("what is far too large is refused before it costs time", "[codegen][errors]") {
  std::string body = "  %c0 = arith.constant 0 : index\n"
                     "  %v0 = memref.load %a[%c0] : memref<16xi32, 2 : i32>\n";
  for (int i = 0; i < 20000; ++i)
    body += "  memref.store %v0, %a[%c0] : memref<16xi32, 2 : i32>\n";
  CHECK(says(messageOf(body), "instructions; a core has room for 16384 bytes"));
}

TEST_CASE("every bundle has a place in the source", "[codegen]") {
  TestDevice device(kBuffers, "  func.call @f() : () -> ()\n  aie.end",
                    "  func.func private @f() {\n    func.return\n  }\n");
  auto code = device.compile();
  REQUIRE(code);
  REQUIRE(code->bundleLocations.size() == code->program.bundles.size());
  for (Location location : code->bundleLocations)
    CHECK(!location.isUnknown());
}

TEST_CASE("external functions stay open", "[codegen]") {
  TestDevice device(kBuffers,
                    "  func.call @elsewhere(%a) : (memref<16xi32, 2 : i32>) -> ()\n"
                    "  func.call @elsewhere(%a) : (memref<16xi32, 2 : i32>) -> ()\n"
                    "  aie.end",
                    "  func.func private @elsewhere(memref<16xi32, 2 : i32>)\n");
  auto code = device.compile();
  REQUIRE(code);
  CHECK(code->undefined == std::vector<std::string>{"elsewhere"});
  REQUIRE(code->relocations.size() == 2);
  for (const isa::SymbolUse& use : code->relocations) {
    CHECK(use.symbol == "elsewhere");
    CHECK(code->program.indexAt(use.address) < code->program.bundles.size());
  }
}

TEST_CASE("globals are data of the program", "[codegen]") {
  TestDevice device(kBuffers,
                    "  %c1 = arith.constant 1 : index\n"
                    "  %g = memref.get_global @table : memref<3xi16, 2 : i32>\n"
                    "  %x = memref.load %g[%c1] : memref<3xi16, 2 : i32>\n"
                    "  %y = arith.extsi %x : i16 to i32\n"
                    "  memref.store %y, %a[%c1] : memref<16xi32, 2 : i32>\n  aie.end",
                    "  memref.global \"private\" constant @table : memref<3xi16, 2 : i32> = "
                    "dense<[7, -300, 9]>\n");
  auto code = device.compile();
  REQUIRE(code);
  REQUIRE(code->data.size() == 1);
  CHECK(code->data[0].name == "table");
  CHECK(code->data[0].words == std::vector<uint32_t>{0xfed40007u, 9});
  TestRun run(*code);
  run.run();
  int32_t found = 0;
  std::memcpy(&found, &run.host.memory[device.addressOf(kBuffers[0]) + 4], 4);
  CHECK(found == -300);
}

TEST_CASE("a core has one stream", "[codegen][errors]") {
  CHECK(says(messageOf("  %k = arith.constant 1 : i32\n"
                       "  %x = aie.get_stream(%k : i32) : i32\n"),
             "expects stream 0, the only one of a core of AIE2"));
}
