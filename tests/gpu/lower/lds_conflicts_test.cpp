// The model of the banks of LDS, on single accesses and on a kernel.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/gpu/lower/LdsConflicts.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <string>

using namespace airlite;
using namespace airlite::gpu;

namespace {

/// Lane i begins at i * stride bytes.
LdsCycles strided(int64_t stride, int64_t bytes, int64_t piece, int64_t lanes = 64) {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < lanes; ++lane)
    addresses.push_back(lane * stride);
  return ldsCycles(addresses, bytes, piece);
}

std::vector<LdsLoop> loopsOf(const std::string& body) {
  Context context;
  registerAllDialects(context);
  DiagnosticCollector problems(context);
  OwningOp module = parseSource(context,
                                "module attributes {gpu.container_module} {\ngpu.module @k "
                                "{\ngpu.func @kernel(%m: memref<64x64xf32, 3>, "
                                "%n: index) kernel attributes {known_block_size = array<i32: 64, "
                                "1, 1>} {\n%c0 = arith.constant 0 : "
                                "index\n%c1 = arith.constant 1 : index\n%i = gpu.thread_id x\n%z = "
                                "arith.constant 0.0 : f32\n" +
                                    body + "\ngpu.return\n}\n}\n}\n",
                                "test.mlir");
  REQUIRE(module);
  std::vector<LdsLoop> loops;
  module->walk([&](Operation& op) {
    if (op.is("gpu.func")) loops = ldsConflicts(op, 64);
  });
  return loops;
}

}  // namespace

TEST_CASE("lanes side by side use all banks", "[lds]") {
  CHECK(strided(4, 4, 4).all == 2);
  CHECK(strided(4, 4, 4).lost == 0);
  CHECK(strided(8, 8, 8).all == 4);
  CHECK(strided(8, 8, 8).lost == 0);
  CHECK(strided(16, 16, 16).all == 8);
  CHECK(strided(16, 16, 16).lost == 0);
  CHECK(strided(2, 2, 2).all == 2);  // two lanes in each word
  CHECK(strided(16, 16, 16, 32).all == 4);
}

TEST_CASE("lanes in one bank wait for each other", "[lds]") {
  CHECK(strided(128, 4, 4).all == 64);
  CHECK(strided(128, 4, 4).lost == 62);
  CHECK(strided(8, 4, 4).lost == 2);  // every second bank
  CHECK(strided(0, 4, 4).lost == 0);  // the same word
  CHECK(strided(64, 16, 16).lost == 3 * 8);
  CHECK(strided(80, 16, 16).lost == 0);  // rows of 64 bytes with 16 between
}

TEST_CASE("an access that is not aligned is one of its pieces", "[lds]") {
  CHECK(strided(16, 16, 4).all == 4 * 2 * 4);
  CHECK(strided(16, 16, 4).lost == 4 * 2 * 3);
}

TEST_CASE("accesses of a kernel belong to their loop", "[lds]") {
  const auto loops = loopsOf(R"(
    memref.store %z, %m[%c0, %i] : memref<64x64xf32, 3>
    scf.for %k = %c0 to %n step %c1 {
      %a = memref.load %m[%i, %k] : memref<64x64xf32, 3>
      scf.for %l = %c0 to %n step %c1 {
        memref.store %a, %m[%l, %i] : memref<64x64xf32, 3>
      }
    })");
  REQUIRE(loops.size() == 3);
  CHECK(loops[0].depth == 0);
  CHECK(loops[0].writes == 1);
  CHECK(loops[0].writeConflicts == 0);
  CHECK(loops[1].depth == 1);
  CHECK(loops[1].reads == 1);
  CHECK(loops[1].readCycles == 64);
  CHECK(loops[1].readConflicts == 62);
  CHECK(loops[2].depth == 2);
  CHECK(loops[2].writeCycles == 2);
}

TEST_CASE("lanes that are not there take no part", "[lds]") {
  const auto loops = loopsOf(R"(
    %c2 = arith.constant 2 : index
    %first = arith.cmpi ult, %i, %c2 : index
    scf.if %first {
      memref.store %z, %m[%i, %c0] : memref<64x64xf32, 3>
    } else {
      memref.store %z, %m[%c0, %c0] : memref<64x64xf32, 3>
    })");
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].writes == 2);
  CHECK(loops[0].writeCycles == 2 + 2);
  CHECK(loops[0].writeConflicts == 1);
}

TEST_CASE("an address that memory holds is not known", "[lds]") {
  const auto loops = loopsOf(R"(
    %a = memref.load %m[%c0, %i] : memref<64x64xf32, 3>
    %b = arith.fptoui %a : f32 to i32
    %j = arith.index_castui %b : i32 to index
    memref.store %z, %m[%c0, %j] : memref<64x64xf32, 3>)");
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].unknown == 1);
  CHECK(loops[0].reads == 1);
}
