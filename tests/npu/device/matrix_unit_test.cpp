#include "airlite/device/AieMatrix.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"
#include "support/catch_all.hpp"

using namespace airlite;
using namespace airlite::npu;

namespace {

/// The block that products are cut into is the one that the unit multiplies.
void checkBlock(aie::Generation generation, aie::ProductFactors factors, MatrixElements elements) {
  const MatrixShape* shape = anyMatrixShape(generation, elements);
  REQUIRE(shape);
  CHECK(aie::productBlock(generation, factors) ==
        aie::ProductBlock{shape->rows, shape->columns, shape->depth});
}

}  // namespace

TEST_CASE("products are cut into blocks of the matrix unit", "[npu][device]") {
  for (const auto generation : {aie::Generation::Aie2, aie::Generation::Aie2p}) {
    checkBlock(generation, {8, 8}, MatrixElements::integers(8, 8));
    checkBlock(generation, {16, 16}, MatrixElements::integers(16, 16));
    checkBlock(generation, {16, 8}, MatrixElements::integers(16, 16));  // i8 becomes i16 first
    checkBlock(generation, {.areFloats = true}, MatrixElements::bf16());
  }
  checkBlock(aie::Generation::Aie2p, {.areFloats = true, .inBlocks = true},
             MatrixElements::blocks());
}
