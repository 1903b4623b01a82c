// Random designs against what their text says: descriptors touch the words that sizes and strides
// name, in their order; buffers never meet, whatever the stack, addresses and banks are.
#include "ConfigTesting.hpp"
#include "airlite/npu/device/BdAccess.hpp"
#include "airlite/support/SplitMix64.hpp"

#include <algorithm>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;

namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : bits_(seed) {}
  int64_t upTo(int64_t most) { return int64_t(bits_.next() % uint64_t(most + 1)); }
  int64_t in(int64_t least, int64_t most) { return least + upTo(most - least); }

 private:
  SplitMix64 bits_;
};

// -- Descriptors ----------------------------------------------------------------------------------

struct Dim {
  int64_t size, stride;
};

/// A transfer that its tile can say: the innermost dimension has whole words.
struct Transfer {
  int64_t elementBytes = 4, offset = 0;
  std::vector<Dim> dims;  // outermost first
};

Transfer randomTransfer(Random& random, TileKind kind) {
  Transfer transfer;
  transfer.elementBytes = int64_t(1) << random.upTo(3);
  const int64_t perWord = std::max<int64_t>(1, 4 / transfer.elementBytes);
  const bool isWord = transfer.elementBytes == 4;
  transfer.offset = perWord * random.upTo(8);
  const int64_t numDims = random.in(1, kind == TileKind::Core ? 3 : 4);
  transfer.dims.assign(size_t(numDims), {1, 1});
  for (Dim& dim : transfer.dims)
    dim = {random.in(1, 5), perWord * random.in(1, 12)};
  Dim& inner = transfer.dims.back();
  // One wide element alone would make the next dimension the innermost, with a stride of its own.
  const int64_t least = transfer.elementBytes > 4 ? 2 : 1;
  inner = {perWord * random.in(least, 6), isWord ? random.in(1, 7) : 1};
  return transfer;
}

int64_t lengthOf(const Transfer& transfer) {
  int64_t elements = 1;
  for (const Dim& dim : transfer.dims)
    elements *= dim.size;
  return elements;
}

/// The bytes of the buffer in the order of the stream.
std::vector<int64_t> bytesOf(const Transfer& transfer) {
  std::vector<int64_t> starts{transfer.offset};
  for (const Dim& dim : transfer.dims) {
    std::vector<int64_t> next;
    for (const int64_t start : starts)
      for (int64_t i = 0; i < dim.size; ++i)
        next.push_back(start + i * dim.stride);
    starts = std::move(next);
  }
  std::vector<int64_t> bytes;
  for (const int64_t start : starts)
    for (int64_t b = 0; b < transfer.elementBytes; ++b)
      bytes.push_back(start * transfer.elementBytes + b);
  return bytes;
}

std::string listOf(const Transfer& transfer, int64_t Dim::*part) {
  std::string text;
  for (const Dim& dim : transfer.dims)
    text += (text.empty() ? "" : ", ") + std::to_string(dim.*part);
  return "[" + text + "]";
}

std::string designOf(const Transfer& transfer, TileKind kind) {
  const std::string type = "memref<4096xi" + std::to_string(8 * transfer.elementBytes) + ">";
  const bool isCore = kind == TileKind::Core;
  return design(
      "%t = aie.tile(1, " + std::string(isCore ? "3" : "1") +
      ")\n%b = aie.buffer(%t) {address = 8192 : i32} : " + type + "\n" +
      (isCore ? "aie.mem" : "aie.memtile_dma") +
      "(%t) {\n aie.dma_start(MM2S, 1, ^a, ^end)\n^a:\n aie.dma_bd(%b : " + type +
      " offset = " + std::to_string(transfer.offset) +
      " len = " + std::to_string(lengthOf(transfer)) + " sizes = " + listOf(transfer, &Dim::size) +
      " strides = " + listOf(transfer, &Dim::stride) + ")\n aie.next_bd ^a\n^end:\n aie.end\n}");
}

/// Words of the tile's memory in the order of the stream, as bytes of the buffer.
std::vector<int64_t> bytesOf(const BufferDescriptor& bd, TileKind kind) {
  const Bytes window = kind == TileKind::Core ? Bytes(0) : *memDmaWindow(Neighbour::Own);
  const int64_t base = toBytes(Words(bd.get(BdField::Base))).value - window.value - 8192;
  std::vector<int64_t> bytes;
  for (int64_t i = 0; i < bd.get(BdField::Length); ++i)
    for (int64_t b = 0; b < bytesPerWord; ++b)
      bytes.push_back(base + toBytes(wordOf(bd, i).value()).value + b);
  return bytes;
}

// -- Memory ---------------------------------------------------------------------------------------

std::string randomBuffers(Random& random, int64_t stack, int64_t& bytes) {
  std::string members = "%c = aie.tile(0, 2)\n";
  bytes = stack;
  for (int64_t i = random.in(1, 14); i > 0; --i) {
    const int64_t size = random.upTo(2) ? random.in(1, 3000) : random.in(1, 24000);
    const bool wantsBank = random.upTo(5) == 0;
    members +=
        "aie.buffer(%c) " +
        (wantsBank ? "{mem_bank = " + std::to_string(random.upTo(3)) + " : i32} " : std::string()) +
        ": memref<" + std::to_string(size) + "xi8>\n";
    bytes += size;
  }
  return members + "aie.core(%c) {\n aie.end\n} {stack_size = " + std::to_string(stack) + " : i32}";
}

bool meet(const BufferConfig& a, const BufferConfig& b) {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

std::optional<codegen::CoreCode> emptyCode(Operation&, const codegen::CoreSurroundings&) {
  return codegen::CoreCode{};
}

}  // namespace

TEST_CASE("random transfers move the bytes that they name", "[npu][lower][random]") {
  Random random(11);
  for (int i = 0; i < 400; ++i) {
    const TileKind kind = i % 2 ? TileKind::Core : TileKind::Mem;
    const Transfer transfer = randomTransfer(random, kind);
    DesignText text(designOf(transfer, kind));
    const auto config = configured(text);
    INFO(designOf(transfer, kind));
    REQUIRE(config.tiles.size() == 1);
    REQUIRE(bytesOf(config.tiles[0].bds.at(0).bd, kind) == bytesOf(transfer));
  }
}

TEST_CASE("random buffers lie apart, in their banks, after the stack", "[npu][lower][random]") {
  Random random(12);
  unsigned placed = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    const int64_t stack = 32 * random.upTo(100);
    int64_t bytes = 0;
    const std::string members = randomBuffers(random, stack, bytes);
    DesignText text(design(members));
    const auto config = configure(text.device(), emptyCode);
    INFO(members << text.errors());
    if (!config) {
      CHECK(text.errors().find("finds no place") != std::string::npos);
      // Without banks only what comes near the whole memory is refused.
      const bool hasBanks = members.find("mem_bank") != std::string::npos;
      CHECK((hasBanks || bytes > 65536 - 14 * 32));
      ++refused;
      continue;
    }
    ++placed;
    const auto& buffers = config->tiles.at(0).buffers;
    for (size_t a = 0; a < buffers.size(); ++a) {
      CHECK(buffers[a].offset.value % 32 == 0);
      CHECK(buffers[a].offset.value >= stack);
      CHECK((buffers[a].offset + buffers[a].size).value <= 65536);
      for (size_t b = 0; b < a; ++b)
        CHECK_FALSE(meet(buffers[a], buffers[b]));
    }
  }
  CHECK(placed > 100);
  CHECK(refused > 20);
}
