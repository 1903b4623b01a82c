// Designs from text to cycles: configuration, the bytes that a driver would load, and the simulator
// that knows nothing else.
#include "../config/ConfigTesting.hpp"
#include "airlite/npu/device/StreamWords.hpp"
#include "airlite/npu/image/Container.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "airlite/npu/image/Txn.hpp"
#include "airlite/npu/link/ObjectSource.hpp"
#include "airlite/npu/route/SwitchWords.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/core/Core.hpp"
#include "airlite/support/SplitMix64.hpp"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;

namespace {

using Words32 = std::vector<uint32_t>;

Words32 randomWords(uint64_t seed, size_t count) {
  SplitMix64 random(seed);
  Words32 words(count);
  for (uint32_t& word : words)
    word = uint32_t(random.next());
  return words;
}

/// A host that starts shim channels by name, one descriptor after the other.
class Host {
 public:
  explicit Host(const ArrayConfig& config) : config_(config), txn_(txnFor(config.device)) {}

  /// `words` words of a buffer from or to a channel.
  void transfer(std::string_view name, unsigned argument, int64_t words) {
    const ShimChannel* shim = config_.shimNamed(name);
    REQUIRE(shim);
    const unsigned id = used_++;
    const auto bd = BdBuilder(TileKind::Shim).length(Words(words)).set(BdField::Burst, 2).make();
    REQUIRE(bd);
    const uint32_t address = addressOf(shim->tile, limitsOf(TileKind::Shim).bd.at(id)).value;
    txn_.ops.push_back(txnBlockWrite(address, encodeBd(*bd)));
    txn_.ops.push_back(txnPatch(address + 4, argument, 0));
    const auto entry = encode(TileKind::Shim, QueueEntry{uint8_t(id), 1, true});
    REQUIRE(entry);
    const uint32_t queue = startQueueOffset(TileKind::Shim, shim->direction, shim->channel);
    txn_.ops.push_back(txnWrite(addressOf(shim->tile, queue).value, *entry));
    waits_.push_back(txnSync({shim->tile, shim->direction, shim->channel}));
  }

  Txn take() {
    txn_.ops.insert(txn_.ops.end(), waits_.begin(), waits_.end());
    return std::move(txn_);
  }

 private:
  const ArrayConfig& config_;
  Txn txn_;
  std::vector<TxnOp> waits_;
  unsigned used_ = 0;
};

ByteVector xclbinOf(const ArrayConfig& config, unsigned buffers) {
  const auto parts = makeParts(config);
  INFO(parts.error().message);
  REQUIRE(parts);
  const ByteVector pdi = writePdi(makePdi(parts->merged()));
  return writeXclbin(makeXclbin(config.device, {.buffers = buffers}, pdi));
}

/// Runs the design with `in` sent to channel "in", and gives what comes from "out".
Words32 run(const ArrayConfig& config, const Words32& in, size_t outWords, bool reverses = false) {
  const auto cores = sim::makeAie2CoreFactory();
  sim::ArrayOptions options{.timing = sim::quickFirmware(), .reversesTileOrder = reverses};
  sim::Array array(config.device, options, cores.get());
  const auto fault = array.load(xclbinOf(config, 2));
  INFO((fault ? fault->text : std::string()));
  REQUIRE_FALSE(fault);
  array.addBuffer(toBytes(Words(int64_t(in.size()))));
  array.addBuffer(toBytes(Words(int64_t(outWords))));
  std::memcpy(array.buffer(0).data(), in.data(), in.size() * 4);
  Host host(config);
  host.transfer("in", 0, int64_t(in.size()));
  host.transfer("out", 1, int64_t(outWords));
  const auto result = array.run(host.take());
  INFO(result.text());
  REQUIRE(result);
  Words32 out(outWords);
  std::memcpy(out.data(), array.buffer(1).data(), outWords * 4);
  return out;
}

/// In by S2MM 0 of a memory tile to `%buf`, out by MM2S 0 with the descriptor `bd`.
std::string throughMemory(const std::string& type, const std::string& bd) {
  return design(R"(
    %mem = aie.logical_tile<MemTile>(?, ?)
    %shim = aie.logical_tile<ShimNOCTile>(?, ?)
    %free = aie.lock(%mem) {init = 1 : i32}
    %full = aie.lock(%mem) {init = 0 : i32}
    %buf = aie.buffer(%mem) : )" +
                type + R"(
    aie.memtile_dma(%mem) {
      aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      aie.use_lock(%free, AcquireGreaterEqual)
      aie.dma_bd(%buf : )" +
                type + R"()
      aie.use_lock(%full, Release)
      aie.next_bd ^in
    ^next:
      aie.dma_start(MM2S, 0, ^out, ^end)
    ^out:
      aie.use_lock(%full, AcquireGreaterEqual)
      )" + bd + R"(
      aie.use_lock(%free, Release)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    aie.flow(%shim, DMA : 0, %mem, DMA : 0)
    aie.flow(%mem, DMA : 0, %shim, DMA : 0)
    aie.shim_dma_allocation @in(%shim, MM2S, 0)
    aie.shim_dma_allocation @out(%shim, S2MM, 0)
  )");
}

}  // namespace

TEST_CASE("a passthrough runs", "[npu][lower][sim]") {
  DesignText text(throughMemory("memref<64xi32>", "aie.dma_bd(%buf : memref<64xi32>)"));
  const auto config = configured(text);
  const Words32 data = randomWords(1, 256);  // four times through the buffer
  CHECK(run(config, data, 256) == data);
  CHECK(run(config, data, 256, true) == data);
}

TEST_CASE("a transposing DMA runs", "[npu][lower][sim]") {
  DesignText text(throughMemory("memref<12x20xi32>",
                                "aie.dma_bd(%buf : memref<12x20xi32> len = 240 sizes = [20, 12] "
                                "strides = [1, 20])"));
  const auto config = configured(text);
  const Words32 data = randomWords(2, 240);
  Words32 expected(240);
  for (size_t row = 0; row < 12; ++row)
    for (size_t column = 0; column < 20; ++column)
      expected[column * 12 + row] = data[row * 20 + column];
  CHECK(run(config, data, 240) == expected);
}

TEST_CASE("padding runs", "[npu][lower][sim]") {
  DesignText text(
      throughMemory("memref<4x8xi16>",
                    "aie.dma_bd(%buf : memref<4x8xi16> len = 60 sizes = [4, 8] strides = [8, 1] "
                    "pad [<const_pad_before = 1, const_pad_after = 0>, <const_pad_before = 2, "
                    "const_pad_after = 2>])"));
  const auto config = configured(text);
  const Words32 data = randomWords(3, 16);
  Words32 expected(30);
  for (size_t row = 0; row < 4; ++row)
    for (size_t i = 0; i < 4; ++i)
      expected[(row + 1) * 6 + 1 + i] = data[row * 4 + i];
  CHECK(run(config, data, 30) == expected);
}

namespace {

/// Waits for the lock "full" of the core, adds 1 to each of 8 words, gives "done", and again.
std::string adder(uint32_t in, uint32_t out) {
  const auto hex = [](uint32_t n) { return "#" + std::to_string(n); };
  return "again:\n movxm p0, " + hex(in) + "\n movxm p1, " + hex(out) +
         "\n mova r1, #-1\n acq #48, r1\n acq #51, r1\n" + repeat("nop\n", 4) +
         repeat("lda r2, [p0], #4\n" + repeat("nop\n", 7) + "add r2, r2, #1\n st r2, [p1], #4\n",
                8) +
         repeat("nop\n", 8) + "mova r3, #1\n rel #49, r3\n rel #50, r3\n" + repeat("nop\n", 8) +
         "j #again\n" + repeat("nop\n", 5);
}

constexpr const char* addOne = R"(
    %core = aie.tile(1, 3)
    %shim = aie.logical_tile<ShimNOCTile>(?, ?)
    %in_full = aie.lock(%core, 0) {init = 0 : i32}
    %in_free = aie.lock(%core, 1) {init = 1 : i32}
    %out_full = aie.lock(%core, 2) {init = 0 : i32}
    %out_free = aie.lock(%core, 3) {init = 1 : i32}
    %a = aie.buffer(%core) {address = 4096 : i32} : memref<8xi32>
    %b = aie.buffer(%core) {address = 8192 : i32} : memref<8xi32>
    aie.mem(%core) {
      aie.dma_start(S2MM, 1, ^in, ^next)
    ^in:
      aie.use_lock(%in_free, AcquireGreaterEqual)
      aie.dma_bd(%a : memref<8xi32>)
      aie.use_lock(%in_full, Release)
      aie.next_bd ^in
    ^next:
      aie.dma_start(MM2S, 0, ^out, ^end)
    ^out:
      aie.use_lock(%out_full, AcquireGreaterEqual)
      aie.dma_bd(%b : memref<8xi32>)
      aie.use_lock(%out_free, Release)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    aie.flow(%shim, DMA : 0, %core, DMA : 1)
    aie.flow(%core, DMA : 0, %shim, DMA : 0)
    aie.shim_dma_allocation @in(%shim, MM2S, 0)
    aie.shim_dma_allocation @out(%shim, S2MM, 0)
)";
constexpr const char* emptyCore = "    aie.core(%core) {\n      aie.end\n    }\n";

void save(const std::string& path, const ByteVector& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

Words32 plusOne(Words32 words) {
  for (uint32_t& word : words)
    ++word;
  return words;
}

}  // namespace

TEST_CASE("a core with a program runs", "[npu][lower][sim]") {
  DesignText text(design(std::string(addOne) + emptyCore));
  const auto config = configured(text, assembling(adder(0x71000, 0x72000)));
  const Words32 data = randomWords(4, 40);
  CHECK(run(config, data, 40) == plusOne(data));
  CHECK(run(config, data, 40, true) == plusOne(data));
  const auto source = coreSource(*config.of({1, 3})->core, text.context);
  const auto again = isa::assemble(source);
  REQUIRE(again.ok());
  CHECK(again.bytes == programImage(*config.of({1, 3})->core));
  CHECK(source.find("// design.mlir:32:5") != source.npos);
}

TEST_CASE("a core from a file runs, and is the same bytes", "[npu][lower][sim]") {
  DesignText compiled(design(std::string(addOne) + emptyCore));
  const auto config = configured(compiled, assembling(adder(0x71000, 0x72000)));
  const CoreConfig& core = *config.of({1, 3})->core;
  const std::string path = "/tmp/airlite_npu_lower_" + std::to_string(getpid()) + ".elf";
  const ByteVector bytes = writeCoreElf(coreElfOf(core, Generation::Aie2));
  save(path, bytes);
  DesignText text(
      design(addOne + ("    aie.core(%core) {\n aie.end\n } {elf_file = \"" + path) + "\"}\n"));
  const auto loaded = configured(text);
  std::remove(path.c_str());
  CHECK(loaded.of({1, 3})->core->elf == bytes);
  CHECK(programImage(*loaded.of({1, 3})->core) == programImage(core));
  CHECK(makeParts(loaded)->merged() == makeParts(config)->merged());
}

TEST_CASE("generated code runs, with an object that it calls", "[npu][lower][sim]") {
  const std::string path = "/tmp/airlite_npu_lower_" + std::to_string(getpid()) + ".o";
  const auto object = link::assembleObject(
      ".text\n.global plus_one\nplus_one:\n ret lr\n" + repeat("nop\n", 4) + "add r0, r1, #1\n",
      "plus_one.s");
  for (const isa::SourceError& error : object.errors)
    FAIL_CHECK(error.line << ": " << error.message);
  save(path, link::writeObject(object.object));
  DesignText text(design("    func.func private @plus_one(i32) -> i32\n" + std::string(addOne) + R"(
    aie.core(%core) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      cf.br ^again
    ^again:
      aie.use_lock(%in_full, AcquireGreaterEqual)
      aie.use_lock(%out_free, AcquireGreaterEqual)
      scf.for %i = %c0 to %c8 step %c1 {
        %0 = memref.load %a[%i] : memref<8xi32>
        %1 = func.call @plus_one(%0) : (i32) -> i32
        memref.store %1, %b[%i] : memref<8xi32>
      }
      aie.use_lock(%in_free, Release)
      aie.use_lock(%out_full, Release)
      cf.br ^again
    } {link_with = ")" + path +
                         "\"}\n"));
  const auto config = configured(text, codegen::generateCore);
  std::remove(path.c_str());
  const Words32 data = randomWords(8, 24);
  CHECK(run(config, data, 24) == plusOne(data));
}

TEST_CASE("every configuration word of a design has its line", "[npu][lower]") {
  DesignText text(design(std::string(addOne) + emptyCore));
  const auto config = configured(text, assembling(adder(0x71000, 0x72000)));
  const LocationMap map = locationsOf(config, text.context);
  const uint32_t bd = addressOf({1, 3}, limitsOf(TileKind::Core).bd.at(0)).value;
  REQUIRE(map.ofConfig({bd}));
  CHECK(*map.ofConfig({bd + 20}) == SourcePlace{"design.mlir", 15, 7});
  CHECK(map.ofConfig({bd + 24}) == nullptr);
  REQUIRE(map.ofProgram({1, 3}, 16));
  CHECK(*map.ofProgram({1, 3}, 16) == SourcePlace{"design.mlir", 32, 5});
  CHECK(*readLocationMap(writeLocationMap(map)) == map);
}

TEST_CASE("a design may be loaded where it has run", "[npu][lower][sim]") {
  DesignText text(design(std::string(addOne) + emptyCore));
  const auto config = configured(text, assembling(adder(0x71000, 0x72000)));
  const auto parts = makeParts(config);
  REQUIRE(parts);
  const auto cores = sim::makeAie2CoreFactory();
  sim::Array array(config.device, {.timing = sim::quickFirmware()}, cores.get());
  array.addBuffer(Bytes(64));
  array.addBuffer(Bytes(64));
  for (uint64_t seed : {5, 6}) {
    const Words32 data = randomWords(seed, 16);
    std::memcpy(array.buffer(0).data(), data.data(), 64);
    const auto fault = array.apply(parts->merged());
    INFO((fault ? fault->text : std::string()));
    REQUIRE_FALSE(fault);
    Host host(config);
    host.transfer("in", 0, 16);
    host.transfer("out", 1, 16);
    const auto result = array.run(host.take());
    INFO(result.text());
    REQUIRE(result);
    Words32 out(16);
    std::memcpy(out.data(), array.buffer(1).data(), 64);
    CHECK(out == plusOne(data));
  }
}

TEST_CASE("the switches of the image are the routes of the configuration", "[npu][lower]") {
  DesignText text(design(std::string(addOne) + emptyCore));
  const auto config = configured(text, assembling("done\n" + repeat("nop\n", 6)));
  std::vector<SwitchWrite> writes;
  for (const CdoCommand& command : makeParts(config)->merged().commands) {
    if (command.code == uint16_t(CdoCode::Write32))
      writes.push_back({{uint32_t(command.address())}, command.at(CdoField::Value)});
    if (command.code == uint16_t(CdoCode::MaskWrite32))
      writes.push_back(
          {{uint32_t(command.address())}, command.at(CdoField::Value), command.at(CdoField::Mask)});
  }
  const auto routes = decodeRoutes(config.device, writes);
  INFO(routes.error().message);
  REQUIRE(routes);
  CHECK(*routes == config.routes);
}
