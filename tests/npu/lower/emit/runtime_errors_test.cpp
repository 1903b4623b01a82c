// What a runtime sequence cannot do is said at the op that asks.
#include "RuntimeTesting.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;

namespace {

/// A task of one descriptor.
std::string task(const std::string& value, const std::string& name, const std::string& bd,
                 const std::string& attributes = "") {
  return value + " = aiex.dma_configure_task_for @" + name + " {\n  aie.dma_bd(" + bd +
         ")\n  aie.end\n} {" + attributes + "}\n";
}

const std::string all = "%a : memref<4096xi32> offset = 0 len = 8";
const std::string token = "issue_token = true";

}  // namespace

TEST_CASE("descriptors run out: the op and who holds them", "[npu][lower][runtime]") {
  std::string ops;
  for (int i = 0; i < 17; ++i)
    ops += task("%t" + std::to_string(i), i % 2 ? "in" : "out", all);
  const auto result = loweredOps(ops);
  REQUIRE(result.messages.size() == 1);
  CHECK(result.messages[0] == "'aie.dma_bd' op needs a buffer descriptor for S2MM 0 of (0,0), all "
                              "16 are in use");
  REQUIRE(result.notes.size() == 3);
  CHECK(result.notes[0] == "BD 0 is held by this task, which is neither awaited nor freed before");
}

TEST_CASE("descriptors of the configuration are not given out", "[npu][lower][runtime]") {
  const auto change = [](ArrayConfig& config) {
    const auto bd = BdBuilder(TileKind::Shim).length(Words(1)).make();
    config.tiles.push_back({.tile = shimTile, .bds = {{.number = 0, .bd = *bd}}});
  };
  const auto result = loweredOps(task("%0", "in", all), "memref<4096xi32>", change);
  CHECK(result.ops()[0].at(TxnField::AddressLow) == 0x1D020);
  const auto wrong = loweredOps("%0 = aiex.dma_configure_task_for @in {\n  aie.dma_bd(" + all +
                                    ") {bd_id = 0 : i32}\n  aie.end\n}\n",
                                "memref<4096xi32>", change);
  CHECK(wrong.messages.front() ==
        "'aie.dma_bd' op wants BD 0 of MM2S 0 of (0,0), which is in use by the configuration");
}

TEST_CASE("waits that would never end, and tasks used after their end", "[npu][lower][runtime]") {
  CHECK(messageOf(task("%0", "out", all, token) + "aiex.dma_await_task(%0)\n") ==
        "'aiex.dma_await_task' op would wait forever: the task is not started since the last wait");
  CHECK(messageOf(task("%0", "out", all, token) +
                  "aiex.dma_start_task(%0)\naiex.dma_await_task(%0)\naiex.dma_await_task(%0)\n") ==
        "'aiex.dma_await_task' op would wait forever: the task is not started since the last wait");
  const auto freed =
      loweredOps(task("%0", "in", all) + "aiex.dma_free_task(%0)\naiex.dma_start_task(%0)\n");
  CHECK(freed.messages.front() ==
        "'aiex.dma_start_task' op starts a task whose descriptors may be in use by others");
  CHECK(freed.notes.front() == "they were given back here");
  CHECK(messageOf("aiex.npu.dma_wait {symbol = @in}\n") ==
        "'aiex.npu.dma_wait' op would wait forever: nothing that issues a token is started on MM2S "
        "0 of (0,0) since the last wait");
}

TEST_CASE("an output that nobody waits for is a warning", "[npu][lower][runtime]") {
  const auto result =
      loweredOps(task("%0", "out", "%b : memref<4096xi32>") + "aiex.dma_start_task(%0)\n");
  CHECK(result.stream);
  CHECK(result.messages.front().starts_with("nothing waits for the end of this transfer"));
}

TEST_CASE("accesses that no descriptor can do", "[npu][lower][runtime]") {
  CHECK(messageOf(task("%0", "in", "%a : memref<64xi8> offset = 0 len = 3"), "memref<64xi8>") ==
        "'aie.dma_bd' op a run of 3 elements of 1 bytes is not whole words");
  CHECK(messageOf(task("%0", "in", "%a : memref<64xi8> offset = 2 len = 4"), "memref<64xi8>") ==
        "'aie.dma_bd' op begins at byte 2 of its buffer: expected a multiple of 4");
  CHECK(
      messageOf(task("%0", "in",
                     "%a : memref<4096xi32> offset = 0 len = 9 sizes = [2, 4] strides = [8, 1]")) ==
      "'aie.dma_bd' op its length is 9 elements, its sizes give 8 in each run");
  CHECK(messageOf(task("%0", "in",
                       "%a : memref<4096xi32> offset = 0 len = 8 sizes = [4, 1, 2, 4] strides = "
                       "[32, 1, 8, 1]")) ==
        "'aie.dma_bd' op has an outermost dimension of 4, but its task runs 1 time: expected "
        "repeat_count = 3");
  CHECK(messageOf(task("%0", "in",
                       "%a : memref<4096xi32> offset = 0 len = 2062 sizes = [2, 1031] strides = "
                       "[2048, 1]")) ==
        "'aie.dma_bd' op size of 1031 words exceeds the limit of 1023");
}

TEST_CASE("memory out of reach", "[npu][lower][runtime]") {
  CHECK(messageOf(task("%0", "in", "%l2 : memref<64xi32, 1>")) ==
        "'aie.dma_bd' op memory of tile (0,1) is out of reach of MM2S 0 of (0,0)");
  CHECK(messageOf("%0 = aiex.dma_configure_task(%mem, MM2S, 0) {\n  aie.dma_bd(" + all +
                  ")\n  aie.end\n}\n") ==
        "'aie.dma_bd' op memory of the host is out of reach of MM2S 0 of (0,1)");
  CHECK(
      messageOf("%m = memref.alloc() : memref<8xi32>\n" + task("%0", "in", "%m : memref<8xi32>")) ==
      "'aie.dma_bd' op its memory is neither an argument of the sequence nor an aie.buffer");
}

TEST_CASE("a descriptor used twice without a wait", "[npu][lower][runtime]") {
  const std::string copy = "aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 2 "
                           ": i64, metadata = @in} : memref<4096xi32>\n";
  const auto result = loweredOps(copy + copy);
  CHECK(result.messages.front() ==
        "'aiex.npu.dma_memcpy_nd' op uses BD 2 again without a wait in between");
  CHECK(result.notes.front() == "it may still be in use by this copy");
}

TEST_CASE("what is not known or not supported", "[npu][lower][runtime]") {
  const auto open = lowered(
      "aie.device(npu1) {\n%s = aie.tile(0, 0)\naie.shim_dma_allocation @in(%s, MM2S, 0)\n"
      "aie.runtime_sequence @run(%a: memref<64xi32>, %n: i32) {\n"
      "%0 = aiex.dma_configure_task_for @in {\n  aie.dma_bd(%a : memref<64xi32> offset = %n len = "
      "8)\n  aie.end\n}\n}\n}\n");
  CHECK(open.messages.front() == "'aie.dma_bd' op its offset is not known when the stream is made");
  CHECK(messageOf("aiex.control_packet {address = 126976 : ui32, data = array<i32: 1>, length = 1 "
                  ": i32, opcode = 0 : i32, stream_id = 0 : i32}\n") ==
        "'aiex.control_packet' op not supported in a runtime sequence");
  CHECK(messageOf("aiex.npu.load_pdi {device_ref = @design}\n") ==
        "'aiex.npu.load_pdi' op not supported: an image by the name of its device");
  CHECK(messageOf("%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                  "%n = arith.constant 9000000 : index\nscf.for %i = %c0 to %n step %c1 {\n}\n") ==
        "'scf.for' op runs more than 4000000 times: too many to be unrolled into a stream");
}

TEST_CASE("sequences that run sequences", "[npu][lower][runtime]") {
  const auto text = [](const std::string& other) {
    return "aie.device(npu1) @d {\n%s = aie.tile(0, 0)\naie.shim_dma_allocation @in(%s, MM2S, 0)\n"
           "aie.runtime_sequence @all(%a: memref<64xi32>) {\naiex.configure @d {\n"
           "  aiex.run @part(%a) : (memref<64xi32>)\n}\n}\n"
           "aie.runtime_sequence @part(%x: memref<64xi32>) {\n" +
           other + "}\n}\n";
  };
  const auto fine = lowered(text("aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) "
                                 "{id = 0 : i64, metadata = @in} : memref<64xi32>\n"));
  CHECK(fine.ops().size() == 3);
  const auto loop =
      lowered(text("aiex.configure @d {\n  aiex.run @part(%x) : (memref<64xi32>)\n}\n"));
  CHECK(loop.messages.front() == "'aiex.run' op runs a sequence that runs this one");
}
