// Runtime sequences that run on the simulated array: what they move is compared with the elements
// that their accesses name.
#include "RuntimeTesting.hpp"

#include <algorithm>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;

namespace {

std::vector<uint8_t> randomBytes(uint64_t seed, size_t count) {
  SplitMix64 random(seed);
  std::vector<uint8_t> bytes(count);
  for (auto& byte : bytes)
    byte = uint8_t(random.next());
  return bytes;
}

/// An access in elements, outermost first.
struct Access {
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;

  int64_t elements() const {
    int64_t count = 1;
    for (const int64_t size : sizes)
      count *= size;
    return count;
  }
  int64_t reach() const {
    int64_t last = offset;
    for (size_t i = 0; i < sizes.size(); ++i)
      last += (sizes[i] - 1) * strides[i];
    return last + 1;
  }
};

/// The bytes of the elements in their order, by counting through the dimensions.
std::vector<uint8_t> gathered(const std::vector<uint8_t>& from, const Access& access,
                              size_t bytes) {
  std::vector<uint8_t> result;
  std::vector<int64_t> index(access.sizes.size());
  for (int64_t n = access.elements(); n > 0; --n) {
    int64_t at = access.offset;
    for (size_t i = 0; i < index.size(); ++i)
      at += index[i] * access.strides[i];
    result.insert(result.end(), from.begin() + at * int64_t(bytes),
                  from.begin() + (at + 1) * int64_t(bytes));
    for (size_t i = index.size(); i-- > 0 && ++index[i] == access.sizes[i];)
      index[i] = 0;
  }
  return result;
}

std::string listOf(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "[" + text + "]";
}

std::string copyText(const char* name, const std::string& argument, const Access& access,
                     unsigned id, const std::string& type) {
  const int64_t first = access.offset == 0 ? 0 : access.offset / access.strides.back();
  return "aiex.npu.dma_memcpy_nd(" + argument + "[0, 0, 0, " + std::to_string(first) + "]" +
         listOf(access.sizes) + listOf(access.strides) + ") {id = " + std::to_string(id) +
         " : i64, metadata = @" + name + "} : " + type + "\n";
}

std::string taskText(const char* value, const char* name, const std::string& argument,
                     const Access& access, int64_t length, const std::string& type,
                     const std::string& attributes) {
  return std::string(value) + " = aiex.dma_configure_task_for @" + name + " {\n  aie.dma_bd(" +
         argument + " : " + type + " offset = " + std::to_string(access.offset) +
         " len = " + std::to_string(length) + " sizes = " + listOf(access.sizes) +
         " strides = " + listOf(access.strides) + ")\n  aie.end\n} {" + attributes + "}\n";
}

struct Element {
  const char* name;
  size_t bytes;
};
constexpr Element elements[] = {{"i32", 4}, {"i8", 1}, {"bf16", 2}, {"i64", 8}};

/// Four dimensions whose innermost is whole words; strides overlap and leave gaps.
Access randomAccess(SplitMix64& random, size_t bytes) {
  const int64_t perWord = bytes < 4 ? int64_t(4 / bytes) : 1;
  Access access;
  for (int i = 0; i < 4; ++i) {
    const bool isInner = i == 3;
    access.sizes.push_back(int64_t(1 + random.next() % (isInner ? 6 : 4)) *
                           (isInner ? perWord : 1));
    const int64_t step = bytes != 4 && isInner ? 1 : int64_t(1 + random.next() % 9);
    access.strides.push_back(isInner ? step : step * perWord);
  }
  access.offset = int64_t(random.next() % 8) * perWord * access.strides.back();
  return access;
}

std::string bufferType(int64_t size, const char* element) {
  return "memref<" + std::to_string(size) + "x" + element + ">";
}

}  // namespace

TEST_CASE("copies of random accesses move their elements", "[npu][lower][runtime]") {
  SplitMix64 random(11);
  for (int round = 0; round < 40; ++round) {
    const Element element = elements[random.next() % std::size(elements)];
    const Access access = randomAccess(random, element.bytes);
    const int64_t count = access.elements(), total = 2048;
    const std::string type = bufferType(total, element.name);
    const Access line{0, {1, 1, 1, count}, {0, 0, 0, 1}};
    const auto result =
        loweredOps(copyText("out", "%b", line, 0, type) + copyText("in", "%a", access, 1, type) +
                       "aiex.npu.dma_wait {symbol = @out}\n",
                   type);
    const auto in = randomBytes(100 + uint64_t(round), size_t(total) * element.bytes);
    INFO(listOf(access.sizes) << listOf(access.strides) << " of " << element.name);
    REQUIRE(access.reach() <= total);
    result.ops();
    const int64_t words = count * int64_t(element.bytes) / 4;
    auto out = runThrough(result.stream->txn, in, in.size(), words);
    out.resize(size_t(count) * element.bytes);
    CHECK(out == gathered(in, access, element.bytes));
  }
}

TEST_CASE("tasks whose sizes exceed a field are joined and split", "[npu][lower][runtime]") {
  // Sizes above 1023 in each dimension, of which some can be joined with a neighbour.
  const Access cases[] = {
      {0, {2, 1500}, {1500, 1}},
      {3, {2, 1500}, {1600, 2}},
      {0, {3, 2048}, {2048, 1}},
      {0, {1, 1, 3000}, {1, 1, 1}},
      {0, {2, 2, 1024}, {4096, 2048, 1}},
      {1, {2, 3, 2}, {2, 500, 1000}},
      {0, {1100, 2}, {3, 1}},
      {0, {3, 4}, {0, 1}},
      {0, {2, 2, 3}, {0, 8, 2}},
  };
  for (const Access& access : cases) {
    const int64_t count = access.elements(), total = access.reach();
    const int64_t size = std::max(total, count);
    const std::string type = bufferType(size, "i32");
    const Access line{0, {count}, {1}};
    const std::string ops =
        taskText("%0", "out", "%b", line, count, type, "issue_token = true") +
        taskText("%1", "in", "%a", access, count, type, "repeat_count = 0 : i32") +
        "aiex.dma_start_task(%0)\naiex.dma_start_task(%1)\naiex.dma_await_task(%0)\n";
    // The verifier refuses some of these before anyone could split them.
    const auto result = lowered(designWith(ops, type), nullptr, false);
    INFO(listOf(access.sizes) << listOf(access.strides));
    result.ops();
    const auto in = randomBytes(7, size_t(size) * 4);
    auto out = runThrough(result.stream->txn, in, in.size(), count);
    out.resize(size_t(count) * 4);
    CHECK(out == gathered(in, access, 4));
  }
}

TEST_CASE("an outermost dimension is runs of the task, with its own step",
          "[npu][lower][runtime]") {
  const Access access{0, {4, 2, 4}, {32, 8, 1}};
  const Access four{0, {4, 1, 2, 4}, {32, 1, 8, 1}};
  const std::string type = "memref<128xi32>";
  const auto result =
      loweredOps(taskText("%0", "out", "%b", {0, {32}, {1}}, 32, type, "issue_token = true") +
                     taskText("%1", "in", "%a", four, 8, type, "repeat_count = 3 : i32") +
                     "aiex.dma_start_task(%0)\naiex.dma_start_task(%1)\naiex.dma_await_task(%0)\n",
                 type);
  CHECK(result.count(TxnCode::Write) == 2);
  const auto in = randomBytes(9, 512);
  auto out = runThrough(result.stream->txn, in, 512, 32);
  out.resize(128);
  CHECK(out == gathered(in, access, 4));
}

TEST_CASE("a chain of descriptors is one task", "[npu][lower][runtime]") {
  const std::string type = "memref<128xi32>";
  const auto result = loweredOps(
      "%0 = aiex.dma_configure_task_for @out {\n"
      "  aie.dma_bd(%b : memref<128xi32> offset = 64 len = 16)\n  aie.next_bd ^bb1\n^bb1:\n"
      "  aie.dma_bd(%b : memref<128xi32> offset = 0 len = 16)\n  aie.end\n} {issue_token = true}\n"
      "%1 = aiex.dma_configure_task_for @in {\n"
      "  aie.dma_bd(%a : memref<128xi32> offset = 32 len = 32)\n  aie.end\n}\n"
      "aiex.dma_start_task(%0)\naiex.dma_start_task(%1)\naiex.dma_await_task(%0)\n",
      type);
  const auto in = randomBytes(10, 512);
  const auto out = runThrough(result.stream->txn, in, 512, 32);
  CHECK(std::equal(out.begin() + 256, out.begin() + 320, in.begin() + 128));
  CHECK(std::equal(out.begin(), out.begin() + 64, in.begin() + 192));
}

TEST_CASE("loops are unrolled, descriptors come back after each wait", "[npu][lower][runtime]") {
  // 64 pieces in each direction: twice 16 descriptors are not enough at once.
  const auto result = loweredOps(
      "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%c64 = arith.constant 64 : index\n%c8 = arith.constant 8 : i32\n"
      "scf.for %i = %c0 to %c64 step %c1 {\n"
      "  %n = arith.index_cast %i : index to i32\n  %o = arith.muli %n, %c8 : i32\n"
      "  %0 = aiex.dma_configure_task_for @out {\n"
      "    aie.dma_bd(%b : memref<512xi32> offset = %o len = 8)\n    aie.end\n"
      "  } {issue_token = true}\n"
      "  aiex.dma_start_task(%0)\n"
      "  %1 = aiex.dma_configure_task_for @in {\n"
      "    aie.dma_bd(%a : memref<512xi32> offset = %o len = 8)\n    aie.end\n  }\n"
      "  aiex.dma_start_task(%1)\n  aiex.dma_await_task(%0)\n  aiex.dma_free_task(%1)\n}\n",
      "memref<512xi32>");
  CHECK(result.count(TxnCode::Sync) == 64);
  CHECK(result.count(TxnCode::MaskPoll) == 0);
  const auto in = randomBytes(12, 2048);
  CHECK(runThrough(result.stream->txn, in, 2048, 8) == in);
}

TEST_CASE("tasks carried from one iteration to the next", "[npu][lower][runtime]") {
  // Depth 2: the piece of the iteration before is awaited when the next has been started.
  const std::string task =
      "aiex.dma_configure_task_for @out {\n    aie.dma_bd(%b : memref<512xi32> offset = ";
  const auto result = loweredOps(
      "%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n"
      "%c64 = arith.constant 64 : i32\n"
      "%first = " +
          task +
          "0 len = 64)\n    aie.end\n  } {issue_token = true}\n"
          "%all = aiex.dma_configure_task_for @in {\n"
          "  aie.dma_bd(%a : memref<512xi32> offset = 0 len = 512)\n  aie.end\n}\n"
          "aiex.dma_start_task(%first)\naiex.dma_start_task(%all)\n"
          "%last = scf.for %i = %c1 to %c8 step %c1 iter_args(%before = %first) -> (index) {\n"
          "  %n = arith.index_cast %i : index to i32\n  %o = arith.muli %n, %c64 : i32\n"
          "  %0 = " +
          task +
          "%o len = 64)\n    aie.end\n  } {issue_token = true}\n"
          "  aiex.dma_start_task(%0)\n  aiex.dma_await_task(%before)\n  scf.yield %0 : index\n}\n"
          "aiex.dma_await_task(%last)\n",
      "memref<512xi32>");
  CHECK(result.count(TxnCode::Sync) == 8);
  const auto in = randomBytes(13, 2048);
  CHECK(runThrough(result.stream->txn, in, 2048, 64) == in);
}

TEST_CASE("a full queue is waited for, not lost", "[npu][lower][runtime]") {
  // Six pieces are sent without a token; with the firmware's real times they all fit, with quick
  // ones the queue would overflow, which the array calls a fault.
  std::string ops = "%0 = aiex.dma_configure_task_for @out {\n"
                    "  aie.dma_bd(%b : memref<600xi32>)\n  aie.end\n} {issue_token = true}\n"
                    "aiex.dma_start_task(%0)\n";
  for (int i = 0; i < 6; ++i) {
    const std::string name = "%in" + std::to_string(i);
    ops += name +
           " = aiex.dma_configure_task_for @in {\n  aie.dma_bd(%a : memref<600xi32> "
           "offset = " +
           std::to_string(100 * i) +
           " len = 100)\n  aie.end\n}\n"
           "aiex.dma_start_task(" +
           name + ")\n";
  }
  const auto result = loweredOps(ops + "aiex.dma_await_task(%0)\n", "memref<600xi32>");
  CHECK(result.count(TxnCode::MaskPoll) == 2);
  const auto in = randomBytes(14, 2400);
  CHECK(runThrough(result.stream->txn, in, 2400, 600) == in);
}

TEST_CASE("awaiting the later of two tasks takes both tokens", "[npu][lower][runtime]") {
  const auto result = loweredOps(
      "%0 = aiex.dma_configure_task_for @out {\n  aie.dma_bd(%b : memref<64xi32> offset = 0 len = "
      "32)\n  aie.end\n} {issue_token = true}\n"
      "%1 = aiex.dma_configure_task_for @out {\n  aie.dma_bd(%b : memref<64xi32> offset = 32 len "
      "= 32)\n  aie.end\n} {issue_token = true}\n"
      "%2 = aiex.dma_configure_task_for @in {\n  aie.dma_bd(%a : memref<64xi32>)\n  aie.end\n}\n"
      "aiex.dma_start_task(%0)\naiex.dma_start_task(%1)\naiex.dma_start_task(%2)\n"
      "aiex.dma_await_task(%1)\n",
      "memref<64xi32>");
  CHECK(result.count(TxnCode::Sync) == 2);
  const auto in = randomBytes(15, 256);
  CHECK(runThrough(result.stream->txn, in, 256, 64) == in);
}
