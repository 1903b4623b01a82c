// The table of matrix instructions against the register layouts that AMD publishes.
#include "airlite/device/GpuMatrix.hpp"
#include "support/catch_all.hpp"

#include <functional>
#include <map>
#include <set>

using namespace airlite::amdgpu;

namespace {

using Coordinate = std::function<std::int64_t(std::int64_t lane, std::int64_t element)>;

/// i of A, k of A, i of D: as the ISA documents write them. j of B and D is the lane as i of A is, k
/// of B as of A.
struct Published {
  Coordinate i, k, row;
};

const Coordinate lane16 = [](std::int64_t lane, std::int64_t) { return lane % 16; };
const Coordinate lane32 = [](std::int64_t lane, std::int64_t) { return lane % 32; };
const Coordinate inOrder = [](std::int64_t, std::int64_t e) { return e; };

/// k of instructions whose groups of `lanes` lanes have `part` each.
Coordinate grouped(std::int64_t lanes, std::int64_t part) {
  return [=](std::int64_t lane, std::int64_t e) { return part * (lane / lanes) + e; };
}

const Coordinate rows16 = [](std::int64_t lane, std::int64_t e) { return 4 * (lane / 16) + e % 4; };
const Coordinate rows32 = [](std::int64_t lane, std::int64_t e) {
  return 8 * (e / 4) + 4 * (lane / 32) + e % 4;
};
const Coordinate rowsF64 = [](std::int64_t lane, std::int64_t e) { return 4 * e + lane / 16; };
const Coordinate rowsRdna3 = [](std::int64_t lane, std::int64_t e) { return 2 * e + lane / 16; };
const Coordinate rowsRdna4 = [](std::int64_t lane, std::int64_t e) { return 8 * (lane / 16) + e; };

const std::map<std::string_view, Published> published = {
    {"mfma_f32_16x16x16_f16", {lane16, grouped(16, 4), rows16}},
    {"mfma_f32_32x32x8_f16", {lane32, grouped(32, 4), rows32}},
    {"mfma_f32_16x16x16_bf16", {lane16, grouped(16, 4), rows16}},
    {"mfma_f32_32x32x8_bf16", {lane32, grouped(32, 4), rows32}},
    {"mfma_f32_16x16x4_f32", {lane16, grouped(16, 1), rows16}},
    {"mfma_f32_32x32x2_f32", {lane32, grouped(32, 1), rows32}},
    {"mfma_f64_16x16x4_f64", {lane16, grouped(16, 1), rowsF64}},
    {"mfma_i32_16x16x16_i8", {lane16, grouped(16, 4), rows16}},
    {"mfma_i32_16x16x32_i8", {lane16, grouped(16, 8), rows16}},
    {"mfma_i32_32x32x16_i8", {lane32, grouped(32, 8), rows32}},
    {"mfma_f32_16x16x32_fp8_fp8", {lane16, grouped(16, 8), rows16}},
    {"mfma_f32_16x16x32_bf8_bf8", {lane16, grouped(16, 8), rows16}},
    {"mfma_f32_32x32x16_fp8_fp8", {lane32, grouped(32, 8), rows32}},
    {"mfma_f32_32x32x16_bf8_bf8", {lane32, grouped(32, 8), rows32}},
    {"wmma_f32_16x16x16_f16", {lane16, inOrder, rowsRdna3}},
    {"wmma_f32_16x16x16_bf16", {lane16, inOrder, rowsRdna3}},
    {"wmma_i32_16x16x16_iu8", {lane16, inOrder, rowsRdna3}},
    // k in another order than the document's, the same for A and B: the product is the same.
    {"wmma_gfx12_f32_16x16x16_f16", {lane16, grouped(16, 8), rowsRdna4}},
    {"wmma_gfx12_f32_16x16x16_bf16", {lane16, grouped(16, 8), rowsRdna4}},
    {"wmma_gfx12_i32_16x16x16_iu8", {lane16, grouped(16, 8), rowsRdna4}},
    {"wmma_gfx12_f32_16x16x16_fp8_fp8", {lane16, grouped(16, 8), rowsRdna4}},
    {"wmma_gfx12_f32_16x16x16_bf8_bf8", {lane16, grouped(16, 8), rowsRdna4}},
};

/// How many lanes hold each element.
std::map<std::pair<std::int64_t, std::int64_t>, int> holders(const Fragment& fragment,
                                                             std::int64_t wave) {
  std::map<std::pair<std::int64_t, std::int64_t>, int> count;
  for (std::int64_t lane = 0; lane < wave; ++lane)
    for (std::int64_t e = 0; e < fragment.elements; ++e)
      ++count[{fragment.row.at(lane, e), fragment.column.at(lane, e)}];
  return count;
}

void checkCovers(const Fragment& fragment, std::int64_t wave, std::int64_t rows,
                 std::int64_t columns) {
  const auto count = holders(fragment, wave);
  CHECK(count.size() == static_cast<std::size_t>(rows * columns));
  for (const auto& [place, times] : count) {
    CHECK((place.first >= 0 && place.first < rows));
    CHECK((place.second >= 0 && place.second < columns));
    CHECK(times == count.begin()->second);
  }
}

}  // namespace

TEST_CASE("fragments lie as the ISA documents say") {
  for (const auto& row : kMatrixInstructions) {
    if (row.form == MatrixForm::Lanes) continue;
    INFO(row.name);
    REQUIRE(published.count(row.name) == 1);
    const auto& wanted = published.at(row.name);
    for (std::int64_t lane = 0; lane < row.wave; ++lane) {
      for (std::int64_t e = 0; e < row.a.elements; ++e) {
        CHECK(row.a.row.at(lane, e) == wanted.i(lane, e));
        CHECK(row.a.column.at(lane, e) == wanted.k(lane, e));
        CHECK(row.b.row.at(lane, e) == wanted.k(lane, e));
        CHECK(row.b.column.at(lane, e) == wanted.i(lane, e));
      }
      for (std::int64_t e = 0; e < row.d.elements; ++e) {
        CHECK(row.d.row.at(lane, e) == wanted.row(lane, e));
        CHECK(row.d.column.at(lane, e) == wanted.i(lane, e));
      }
    }
  }
}

TEST_CASE("fragments hold every element of their matrices") {
  for (const auto& row : kMatrixInstructions) {
    INFO(row.name);
    checkCovers(row.a, row.wave, row.m, row.k);
    checkCovers(row.b, row.wave, row.k, row.n);
    checkCovers(row.d, row.wave, row.m, row.n);
    CHECK(holders(row.d, row.wave).begin()->second == 1);
  }
}

TEST_CASE("instructions one after the other take the factors of one fragment") {
  for (const auto& row : kMatrixInstructions)
    for (std::int64_t steps : {1, 2, 4}) {
      INFO(row.name << ", " << steps << " steps");
      const auto a = repeated(row.a, steps, true), b = repeated(row.b, steps, false);
      checkCovers(a, row.wave, row.m, row.k * steps);
      checkCovers(b, row.wave, row.k * steps, row.n);
      // Which k a lane has in a step is the same for A and B where the instruction has one k for both.
      for (std::int64_t step = 0; step < steps; ++step) {
        std::map<std::int64_t, std::int64_t> kOf;
        for (std::int64_t lane = 0; lane < row.wave; ++lane) {
          for (std::int64_t e = 0; e < row.a.elements; ++e)
            kOf[row.a.column.at(lane, e)] = a.column.at(lane, step * row.a.elements + e);
          for (std::int64_t e = 0; e < row.b.elements; ++e) {
            const auto k = row.b.row.at(lane, e);
            if (kOf.count(k)) CHECK(kOf[k] == b.row.at(lane, step * row.b.elements + e));
          }
        }
      }
    }
}

TEST_CASE("devices are found by their families") {
  CHECK(findGpuDevice("gfx942")->name == "gfx942");
  CHECK(findGpuDevice("gfx1101")->name == "gfx1100");
  CHECK(findGpuDevice("gfx1200")->name == "gfx1201");
  CHECK(findGpuDevice("gfx906") == nullptr);
  for (const auto& row : kMatrixInstructions)
    for (std::size_t i = 0; i < std::size(kGpuDevices); ++i)
      if (row.form != MatrixForm::Lanes)
        CHECK(((row.devices & kGpuDevices[i].bit) != 0) == (row.cycles[i] != 0));
}
