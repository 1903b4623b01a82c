// The array with real cores: data comes by DMA, a program changes it under locks, DMA takes it on.
#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/sim/core/Core.hpp"
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile tile{0, 2};
constexpr uint32_t programMemory = 0x20000, coreControl = 0x32000;
constexpr int64_t words = 8;
constexpr unsigned arrived = 2, changed = 3;
constexpr uint32_t source = 0, in = 0x1000, out = 0x2000, target = 0x3000;

std::string repeat(const std::string& text, int count) {
  std::string all;
  while (count--)
    all += text;
  return all;
}

/// Waits for `arrived`, adds 1 to each word on the way from `in` to `out`, gives `changed`.
Words32 program() {
  const std::string text =
      "movxm p0, #0x71000\n movxm p1, #0x72000\n mova r1, #-1\n acq #50, r1\n" +
      repeat("nop\n", 4) +
      repeat("lda r2, [p0], #4\n" + repeat("nop\n", 7) + "add r2, r2, #1\n st r2, [p1], #4\n",
             words) +
      repeat("nop\n", 8) + "mova r3, #1\n rel #51, r3\n" + repeat("nop\n", 8) + "done\n" +
      repeat("nop\n", 6);
  const isa::Assembly assembly = isa::assemble(text);
  for (const isa::SourceError& error : assembly.errors)
    FAIL_CHECK(error.line << ": " << error.message);
  Words32 code((assembly.bytes.size() + 3) / 4);
  std::memcpy(code.data(), assembly.bytes.data(), assembly.bytes.size());
  return code;
}

BdBuilder part(uint32_t at) {
  return BdBuilder(TileKind::Core).length(Words(words)).base(Bytes(at)).set(BdField::Valid, 1);
}

/// `source` goes by MM2S 0 and S2MM 0 to `in`, the core makes `out`, which goes by MM2S 1 and S2MM
/// 1 to `target`.
Setup design(const Words32& data) {
  Setup setup;
  setup.block(tile, programMemory, program());
  setup.block(tile, source, data);
  setup.circuit(tile, dma(0), dma(0));
  setup.circuit(tile, dma(1), dma(1));
  setup.bd(tile, 0, part(source));
  setup.bd(tile, 1, part(in).release(arrived, 1));
  setup.bd(tile, 2, part(out).acquire(changed, -1));
  setup.bd(tile, 3, part(target));
  setup.start(tile, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(tile, DmaDirection::S2mm, 0, {.bd = 1});
  setup.start(tile, DmaDirection::Mm2s, 1, {.bd = 2});
  setup.start(tile, DmaDirection::S2mm, 1, {.bd = 3});
  return setup;
}

}  // namespace

TEST_CASE("a core works on what the DMA brings", "[npu][sim][array][core]") {
  const auto cores = makeAie2CoreFactory();
  Array array(npu1(), {}, cores.get());
  const Words32 data = randomWords(3, words);
  Setup setup = design(data);
  setup.write(tile, coreControl, 1);
  applied(array, setup);
  finishes(array.settle());
  Words32 expected = data;
  for (uint32_t& word : expected)
    ++word;
  CHECK(wordsAt(array.memory(tile), target, words) == expected);
  CHECK(array.lock(tile, arrived) == 0);
  CHECK(array.lock(tile, changed) == 0);
}

TEST_CASE("a core that was not started keeps the DMA waiting", "[npu][sim][array][core]") {
  const auto cores = makeAie2CoreFactory();
  Array array(npu1(), {}, cores.get());
  applied(array, design(randomWords(4, words)));
  const auto hung = array.settle();
  CHECK(hung.outcome == Outcome::Hung);
  INFO(hung.text());
  CHECK(hung.text().find("waits for lock 3 of (0,2)") != std::string::npos);
}
