// What the tests of runtime streams share: a design around the ops of a sequence, its stream or its
// errors, and an array that sends what comes in back out.
#pragma once

#include "../../sim/array_testing.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/npu/lower/RuntimeStream.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::npu::tests {

using sim::tests::Setup;

constexpr Tile shimTile{0, 0}, memTile{0, 1};

/// A device with names for both directions of shim (0,0), and a sequence with two arguments.
inline std::string designWith(const std::string& ops, const std::string& type,
                              const std::string& before = "") {
  return "aie.device(npu1) @design {\n"
         "%shim = aie.tile(0, 0)\n%mem = aie.tile(0, 1)\n%core = aie.tile(0, 2)\n"
         "%go = aie.lock(%core, 3) {init = 0 : i32, sym_name = \"go\"}\n"
         "%rtp = aie.buffer(%core) {address = 1024 : i32, sym_name = \"rtp\"} : memref<4xi32>\n"
         "%l2 = aie.buffer(%mem) {address = 4096 : i32, sym_name = \"l2\"} : memref<64xi32, 1>\n"
         "aie.shim_dma_allocation @in(%shim, MM2S, 0)\n"
         "aie.shim_dma_allocation @out(%shim, S2MM, 0)\n" +
         before + "aie.runtime_sequence @run(%a: " + type + ", %b: " + type + ") {\n" + ops +
         "}\n}\n";
}

/// The places that a configuration would give.
inline ArrayConfig configOf(aie::DeviceOp device) {
  ArrayConfig config{.name = "design", .device = *Device::named("npu1")};
  for (Operation& op : device.body().ops()) {
    const auto shim = dynCast<aie::ShimDmaAllocationOp>(&op);
    if (!shim) continue;
    const auto place = *shim.tile().id();
    const bool sends = shim.channel().direction == aie::Direction::MM2S;
    config.shims.push_back({.name = std::string(shim.name()),
                            .tile = {uint8_t(place.col), uint8_t(place.row)},
                            .direction = sends ? DmaDirection::Mm2s : DmaDirection::S2mm,
                            .channel = uint8_t(shim.channel().index)});
  }
  return config;
}

struct Lowered {
  std::optional<RuntimeStream> stream;
  std::vector<std::string> messages;  ///< of errors and warnings, without the op's name
  std::vector<std::string> notes;

  const std::vector<TxnOp>& ops() const {
    INFO((messages.empty() ? std::string() : messages.front()));
    REQUIRE(stream);
    return stream->txn.ops;
  }
  unsigned count(TxnCode code) const {
    unsigned found = 0;
    for (const TxnOp& op : ops())
      found += op.code == uint8_t(code);
    return found;
  }
};

using ChangeConfig = void (*)(ArrayConfig&);

/// Lowers the first sequence of the design.
inline Lowered lowered(const std::string& text, ChangeConfig change = nullptr, bool verify = true) {
  Context context;
  registerAllDialects(context);
  DiagnosticCollector collector(context);
  OwningOp module = parseSource(context, text, "test.mlir", {.verify = verify});
  Lowered result;
  if (module) {
    Operation* sequence = nullptr;
    module->walk([&](Operation& op) {
      if (!sequence && airlite::isa<aie::RuntimeSequenceOp>(&op)) sequence = &op;
    });
    REQUIRE(sequence);
    ArrayConfig config = configOf(sequence->parentOf<aie::DeviceOp>());
    if (change) change(config);
    result.stream = makeRuntimeStream(*sequence, config);
  }
  for (const Diagnostic& diagnostic : collector.diagnostics()) {
    result.messages.push_back(diagnostic.message);
    for (const Diagnostic& note : diagnostic.notes)
      result.notes.push_back(note.message);
  }
  return result;
}

inline Lowered loweredOps(const std::string& ops, const std::string& type = "memref<4096xi32>",
                          ChangeConfig change = nullptr) {
  return lowered(designWith(ops, type), change);
}

/// The one message that the ops get.
inline std::string messageOf(const std::string& ops, const std::string& type = "memref<4096xi32>") {
  const Lowered result = loweredOps(ops, type);
  INFO("expected an error");
  REQUIRE_FALSE(result.messages.empty());
  return result.messages.front();
}

/// Shim MM2S 0 comes back at S2MM 0 by way of the memory tile, in one buffer of `chunk` words.
inline Setup passthrough(int64_t chunk) {
  using namespace sim::tests;
  Setup setup;
  setup.lock(memTile, 0, 1);
  for (unsigned bd = 0; bd < 2; ++bd)
    setup.bd(memTile, bd,
             BdBuilder(TileKind::Mem)
                 .length(Words(chunk))
                 .base(Bytes(0x80000))
                 .acquire(64 + bd, -1)
                 .release(65 - bd, 1)
                 .next(bd));
  routeThroughMemory(setup, shimTile, memTile);
  return setup;
}

/// What the stream makes of argument 1, by its bytes, on an array that passes words through.
inline std::vector<uint8_t> runThrough(const Txn& txn, const std::vector<uint8_t>& in,
                                       size_t outBytes, int64_t chunk) {
  sim::Array array(*Device::named("npu1"), {sim::quickFirmware(), false, 2'000'000});
  sim::tests::applied(array, passthrough(chunk));
  const unsigned first = array.addBuffer(Bytes(int64_t(in.size())));
  const unsigned second = array.addBuffer(Bytes(int64_t(outBytes)));
  std::ranges::copy(in, array.buffer(first).begin());
  const auto read = readTxn(writeTxn(txn));
  REQUIRE(bool(read));
  sim::tests::finishes(array.run(*read));
  const auto out = array.buffer(second);
  return {out.begin(), out.end()};
}

}  // namespace airlite::npu::tests
