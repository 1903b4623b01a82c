// Every limit is an error at the op that asks for more, with the number needed and the number
// there.
#include "ConfigTesting.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;
using Catch::Matchers::Contains;

namespace {

/// What is said about `members`, each line `line: message`; the first member is on line 2.
std::string wrong(const std::string& members, const CoreCompiler& compile = {},
                  const std::string& device = "npu1") {
  DesignText text(design(members, device));
  const auto config = configure(text.device(), compile);
  CHECK_FALSE(config);
  return text.errors();
}

/// A DMA program of one channel that starts at ^a.
std::string memDma(const std::string& start, const std::string& blocks) {
  return "aie.memtile_dma(%mem) {\n aie.dma_start(" + start + ", ^a, ^end)\n" + blocks +
         "^end:\n aie.end\n}\n";
}

constexpr const char* mem = "%mem = aie.tile(1, 1)\n";

}  // namespace

TEST_CASE("memory that is not there", "[npu][lower]") {
  CHECK_THAT(wrong("%c = aie.tile(0, 2)\n"
                   "%a = aie.buffer(%c) : memref<10000xi32>\n"
                   "%b = aie.buffer(%c) : memref<6200xi32>\n"
                   "aie.core(%c) {\n aie.end\n}"),
             Contains("4: 'aie.buffer' op of 24800 bytes finds no place on (0,2): 2 buffers and a "
                      "stack of 1024 bytes need 65824 bytes, a core tile has 65536"));
  CHECK_THAT(
      wrong("%c = aie.tile(0, 2)\n"
            "%a = aie.buffer(%c) {address = 1000 : i32} : memref<8xi32>\n"
            "aie.core(%c) {\n aie.end\n}"),
      Contains("3: 'aie.buffer' op at address 1000 lies in the stack, the first 1024 bytes"));
  CHECK_THAT(wrong(std::string(mem) + "%a = aie.buffer(%mem) {address = 0 : i32} : memref<8xi32>\n"
                                      "%b = aie.buffer(%mem) {address = 16 : i32} : memref<8xi32>"),
             Contains("4: 'aie.buffer' op at address 16 overlaps another buffer\n"
                      "3: which has 32 bytes at address 0\n"));
  CHECK_THAT(wrong("%c = aie.tile(0, 2)\n"
                   "%a = aie.buffer(%c) {mem_bank = 4 : i32} : memref<8xi32>"),
             Contains("asks for bank 4, a core tile has 0 to 3"));
  CHECK_THAT(wrong("%c = aie.tile(0, 2)\n"
                   "%a = aie.buffer(%c) {mem_bank = 1 : i32} : memref<3000xi32>\n"
                   "%b = aie.buffer(%c) {mem_bank = 1 : i32} : memref<3000xi32>"),
             Contains("4: 'aie.buffer' op of 12000 bytes finds no place in bank 1 of (0,2), which "
                      "has 16384"));
  CHECK_THAT(wrong("%m = aie.logical_tile<MemTile>(?, ?)\n"
                   "%a = aie.buffer(%m) : memref<100000xi32>\n"
                   "%b = aie.buffer(%m) : memref<100000xi32>"),
             Contains("2: 'aie.logical_tile' op needs 800000 bytes of memory, a memory tile has "
                      "524288"));
}

TEST_CASE("locks that are not there", "[npu][lower]") {
  CHECK_THAT(wrong("%c = aie.tile(0, 2)\n" + repeat("aie.lock(%c)\n", 17)),
             Contains("19: 'aie.lock' op is one of 17 locks on (0,2), a core tile has 16"));
}

TEST_CASE("descriptors that are not there", "[npu][lower]") {
  std::string blocks, more;
  for (int i = 0; i < 13; ++i) {
    const auto name = [&](const char* stem, int n) {
      return n == 13                  ? std::string("^end")
             : n == 0 && *stem == 'a' ? std::string("^a")
                                      : "^" + std::string(stem) + std::to_string(n);
    };
    blocks += name("a", i) + ":\n aie.dma_bd(%b : memref<8xi32>)\n aie.next_bd " +
              name("a", i + 1) + "\n";
  }
  // 13 on each of two logical tiles that have to share one.
  std::string members = "%core = aie.tile(0, 2)\n";
  for (const std::string tile : {"x", "y"}) {
    members += "%" + tile + " = aie.logical_tile<MemTile>(?, ?)\n%b" + tile + " = aie.buffer(%" +
               tile + ") : memref<8xi32>\n";
    std::string program = blocks;
    for (size_t at = 0; (at = program.find("%b ", at)) != program.npos; at += 3)
      program.replace(at, 3, "%b" + tile + " ");
    members += "aie.memtile_dma(%" + tile + ") {\n aie.dma_start(MM2S, " +
               (tile == "x" ? "0" : "2") + ", ^a, ^end)\n" + program + "^end:\n aie.end\n}\n";
    members += "aie.flow(%" + tile + ", DMA : " + (tile == "x" ? "0" : "2") +
               ", %core, DMA : " + (tile == "x" ? "0" : "1") + ")\n";
  }
  CHECK_THAT(
      wrong(members, {}, "npu1_1col"),
      Contains("the open tiles do not fit into 1 columns: 2 memory tiles need 0 S2MM and 2 MM2S "
               "channels, a column has 6 each; their channels need 26 buffer descriptors, a "
               "column has 24 for those with even numbers and 24 for the others"));
}

TEST_CASE("what a descriptor cannot say", "[npu][lower]") {
  const std::string buffer = "%b = aie.buffer(%mem) : memref<64xi32>\n";
  const auto bd = [&](const std::string& op) {
    return wrong(mem + buffer + memDma("MM2S, 4", "^a:\n " + op + "\n aie.next_bd ^end\n"));
  };
  CHECK_THAT(bd("aie.dma_bd(%b : memref<64xi32> len = 8) {pad_value = 3 : i32}"),
             Contains("7: 'aie.dma_bd' op not supported: padding with another value than 0"));
  CHECK_THAT(bd("aie.dma_bd(%b : memref<64xi32> len = 0)"), Contains("Buffer_Length is 0"));
  // 16 more than the dimension has: it continues.
  CHECK_THAT(bd("aie.dma_bd(%b : memref<64xi32> len = 80 sizes = [64] strides = [1])"),
             Contains("reaches byte 319 of a buffer of 256 bytes"));
}

TEST_CASE("memory and locks that a DMA or a core does not reach", "[npu][lower]") {
  const std::string apart = "%x = aie.logical_tile<MemTile>(?, ?)\n"
                            "%near = aie.tile(0, 2)\n%far = aie.tile(3, 2)\n"
                            "%y = aie.logical_tile<MemTile>(?, ?)\n"
                            "%b = aie.buffer(%y) : memref<8xi32>\n"
                            "%l = aie.lock(%y)\n"
                            "aie.flow(%x, DMA : 0, %near, DMA : 0)\n"
                            "aie.flow(%y, DMA : 0, %far, DMA : 0)\n"
                            "aie.memtile_dma(%x) {\n aie.dma_start(MM2S, 0, ^a, ^end)\n^a:\n";
  CHECK_THAT(wrong(apart + "aie.dma_bd(%b : memref<8xi32>)\n aie.next_bd ^end\n^end:\n aie.end\n}"),
             Contains("13: 'aie.dma_bd' op needs memory of (3,1), which the DMA of (0,1) does not "
                      "reach"));
}

TEST_CASE("open tiles need flows, and a place", "[npu][lower]") {
  CHECK_THAT(wrong("%m = aie.logical_tile<MemTile>(?, ?)\n"
                   "%b = aie.buffer(%m) : memref<8xi32>\n"
                   "aie.memtile_dma(%m) {\n aie.dma_start(MM2S, 3, ^a, ^end)\n^a:\n"
                   "aie.dma_bd(%b : memref<8xi32>)\n aie.next_bd ^end\n^end:\n aie.end\n}"),
             Contains("5: 'aie.dma_start' op uses MM2S 3 of a tile without a column, but no flow "
                      "uses it"));
  CHECK_THAT(wrong("%c = aie.logical_tile<CoreTile>(?, ?)"),
             Contains("2: 'aie.logical_tile' op not supported: a core without a column and a row"));
  CHECK_THAT(wrong("%a = aie.logical_tile<ShimNOCTile>(?, ?)\n"
                   "%b = aie.logical_tile<ShimNOCTile>(?, ?)\n"
                   "%c = aie.tile(0, 2)\n%d = aie.tile(0, 3)\n"
                   "aie.flow(%a, DMA : 0, %c, DMA : 0)\naie.flow(%a, DMA : 1, %c, DMA : 1)\n"
                   "aie.flow(%b, DMA : 0, %d, DMA : 0)",
                   {}, "npu1_1col"),
             Contains("the open tiles do not fit into 1 columns") &&
                 Contains("2 shim tiles need 0 S2MM and 3 MM2S channels, a column has 2 each"));
}

TEST_CASE("flows that cannot be", "[npu][lower]") {
  // Seven streams into a column of one: six wires lead from the memory tile to the north.
  std::string members = "%m = aie.tile(0, 1)\n%s = aie.tile(0, 0)\n";
  for (int row = 2; row < 6; ++row)
    members += "%c" + std::to_string(row) + " = aie.tile(0, " + std::to_string(row) + ")\n";
  for (int i = 0; i < 6; ++i)
    members += "aie.flow(%m, DMA : " + std::to_string(i) + ", %c" + std::to_string(2 + i / 2) +
               ", DMA : " + std::to_string(i % 2) + ")\n";
  members += "aie.flow(%s, DMA : 0, %c5, DMA : 0)";
  CHECK_THAT(wrong(members, {}, "npu1_1col"),
             Contains("cannot be routed: ") && Contains("competes with this flow"));
  CHECK_THAT(wrong("%m = aie.tile(0, 1)\n%c = aie.tile(0, 2)\n%d = aie.tile(0, 3)\n"
                   "aie.flow(%m, DMA : 0, %c, DMA : 0)\naie.flow(%d, DMA : 0, %c, DMA : 0)"),
             Contains("flow flow_1: DMA0 of (0,2) is used by flow flow_0 too, and circuits share "
                      "no port"));
}

TEST_CASE("cascades that cannot be", "[npu][lower]") {
  CHECK_THAT(wrong("%a = aie.tile(0, 2)\n%b = aie.tile(0, 3)\naie.cascade_flow(%a, %b)"),
             Contains("4: 'aie.cascade_flow' op goes from (0,2) to (0,3), but cascades go to the "
                      "east and to the south"));
  CHECK_THAT(wrong("%a = aie.tile(0, 3)\n%b = aie.tile(0, 2)\n%c = aie.tile(1, 3)\n"
                   "aie.cascade_flow(%a, %b)\naie.cascade_flow(%a, %c)"),
             Contains("6: 'aie.cascade_flow' op sends the output of (0,3) to another side\n"
                      "5: than this\n"));
}

TEST_CASE("programs that cannot be", "[npu][lower]") {
  const std::string core = "%c = aie.tile(0, 2)\naie.core(%c) {\n aie.end\n}";
  CHECK_THAT(wrong(core), Contains("3: 'aie.core' op not supported: a program that is not in an "
                                   "elf_file"));
  const auto with = [&](codegen::CoreCode code) {
    return wrong(
        core, [code](Operation&, const codegen::CoreSurroundings&) { return std::optional(code); });
  };
  const auto deep = [](Operation&, const codegen::CoreSurroundings&) {
    return std::optional(codegen::CoreCode{.stackUsed = Bytes(1056)});
  };
  CHECK_THAT(
      wrong("%c = aie.tile(0, 2)\naie.core(%c) {\n aie.end\n} {stack_size = 1024 : i32}", deep),
      Contains("3: 'aie.core' op needs 1056 bytes of stack, stack_size is 1024"));
  CHECK_THAT(
      with({.undefined = {"gemm"}}),
      Contains("calls 'gemm', which nothing defines and no object is named for (link_with)"));
  CHECK_THAT(with({.data = {{"table", 0x70000, {1, 2}}}}),
             Contains("has data of 8 bytes at -1024 of the 64512 bytes that are left"));
  CHECK_THAT(wrong(core, assembling(repeat("nopa ; nopb ; nops ; nopx ; nopm ; nopv\n", 1025))),
             Contains("has a program of 16400 bytes, program memory has 16384"));
  CHECK_THAT(wrong("%c = aie.tile(0, 2)\naie.core(%c) {\n aie.end\n} {elf_file = \"/none.elf\"}"),
             Contains("3: 'aie.core' op cannot read elf_file '/none.elf'"));
}

TEST_CASE("what does not become an image", "[npu][lower]") {
  CHECK_THAT(wrong("%s = aie.tile(0, 0)\naie.switchbox(%s) {\n aie.end\n}"),
             Contains("3: 'aie.switchbox' op not supported: in a design that becomes an image"));
  CHECK_THAT(wrong("", {}, "xcvc1902"), Contains("not supported: images for device 'xcvc1902'"));
}
