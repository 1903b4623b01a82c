// Herds of the program itself: what the lanes of a wave share has the results of the ops, in every order of
// work-items. Numbers are small integers, so that all sums are exact in every type.
#include "EmitTest.hpp"
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/transform/Passes.hpp"

#include <bit>
#include <cstdlib>
#include <random>

namespace airlite::gpu::test {
namespace {

/// The bits of a small integer in a type of factors.
std::uint32_t bitsOf(int number, const std::string& type) {
  if (type == "i8") return static_cast<std::uint8_t>(number);
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (type == "f32") return single;
  if (type == "bf16") return single >> 16;
  if (number == 0) return 0;
  const std::uint32_t exponent = ((single >> 23) & 255) - 127 + 15;
  return (single >> 31 << 15) | exponent << 10 | ((single >> 13) & 1023);
}

unsigned bytesOf(const std::string& type) { return type == "i8" ? 1 : type == "f32" ? 4 : 2; }

struct Case {
  std::string device, type, op;
  std::int64_t m, n, k, steps, x, y;

  std::string sum() const { return type == "i8" ? "i32" : "f32"; }
  std::int64_t rows() const { return m * x; }
  std::int64_t columns() const { return n * y; }
  std::int64_t depth() const { return k * steps; }
  /// A and B as a whole lie in L2 first, where that leaves LDS for what a core has in L1.
  bool isStaged() const {
    const std::int64_t factors = bytesOf(type) * depth() * (rows() + columns());
    const std::int64_t core = 2 * 4 * m * n + bytesOf(type) * k * (m + n);
    return factors + core <= 60'000;
  }
};

std::string memrefOf(std::int64_t rows, std::int64_t columns, const std::string& type,
                     const char* space = "") {
  return "memref<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + space +
         ">";
}

/// What is said of a factor in the segment: the name that its herd gets it by.
std::string staged(const Case& c, const std::string& name, const std::string& type,
                   const std::string& l2) {
  if (!c.isStaged()) return "";
  return "%" + name + "2 = memref.alloc() : " + l2 + "\nair.dma_memcpy_nd (%" + name +
         "2[] [] [], %s" + name + "[] [] []) : (" + l2 + ", " + type + ")\n";
}

std::string constant(const std::string& name, std::int64_t value) {
  return "%" + name + " = arith.constant " + std::to_string(value) + " : index\n";
}

/// Each core adds up a tile of A B in steps along k, doubles it in loops of its own, adds to each element the one
/// before it in its row (which no two lanes can do at once), and takes the last number of its first row everywhere.
std::string textOf(const Case& c) {
  const bool aTurned = c.op == "linalg.matmul_transpose_a",
             bTurned = c.op == "linalg.matmul_transpose_b";
  const auto factorA = [&](const char* space) {
    return aTurned ? memrefOf(c.depth(), c.rows(), c.type, space)
                   : memrefOf(c.rows(), c.depth(), c.type, space);
  };
  const auto factorB = [&](const char* space) {
    return bTurned ? memrefOf(c.columns(), c.depth(), c.type, space)
                   : memrefOf(c.depth(), c.columns(), c.type, space);
  };
  const auto a = factorA(""), b = factorB("");
  const auto near = c.isStaged() ? ", 1" : "";
  const auto a2 = factorA(near), b2 = factorB(near);
  const auto out = memrefOf(c.rows(), c.columns(), c.sum());
  const auto at = aTurned ? memrefOf(c.k, c.m, c.type, ", 2") : memrefOf(c.m, c.k, c.type, ", 2");
  const auto bt = bTurned ? memrefOf(c.n, c.k, c.type, ", 2") : memrefOf(c.k, c.n, c.type, ", 2");
  const auto ct = memrefOf(c.m, c.n, c.sum(), ", 2");
  const std::string add = c.sum() == "i32" ? "arith.addi" : "arith.addf";
  const std::string types = a + ", " + b + ", " + out;
  const auto copyIn = [](const std::string& to, const std::string& toType, const std::string& from,
                         const std::string& fromType, const std::string& place,
                         const std::string& sizes, std::int64_t stride) {
    return "air.dma_memcpy_nd (" + to + "[] [] [], " + from + "[" + place + "] [" + sizes + "] [" +
           std::to_string(stride) + ", 1]) : (" + toType + ", " + fromType + ")\n";
  };
  const auto pair = [](std::int64_t p, std::int64_t q) {
    return std::to_string(p) + ", " + std::to_string(q);
  };
  return "func.func @main(%A: " + a + ", %B: " + b + ", %C: " + out + ") {\n" +
         "air.launch () in () args(%la = %A, %lb = %B, %lc = %C) : " + types + " {\n" +
         "air.segment args(%sa = %la, %sb = %lb, %sc = %lc) : " + types + " {\n" +
         staged(c, "a", a, a2) + staged(c, "b", b, b2) + constant("nx", c.x) + constant("ny", c.y) +
         "air.herd tile (%tx, %ty) in (%hx = %nx, %hy = %ny) args(%a = " +
         (c.isStaged() ? "%a2, %b = %b2" : "%sa, %b = %sb") + ", %c = %sc) : " + a2 + ", " + b2 +
         ", " + out + " {\n" + constant("c0", 0) + constant("c1", 1) + constant("m", c.m) +
         constant("n", c.n) + constant("k", c.k) + constant("depth", c.depth()) +
         constant("last", c.n - 1) + "%zero = arith.constant 0" + (c.sum() == "i32" ? "" : ".0") +
         " : " + c.sum() + "\n" +
         "%row = arith.muli %tx, %m : index\n%column = arith.muli %ty, %n : index\n" +
         "%acc = memref.alloc() : " + ct + "\n" + "linalg.fill ins(%zero : " + c.sum() +
         ") outs(%acc : " + ct + ")\n" + "scf.for %kk = %c0 to %depth step %k {\n" +
         "%at = memref.alloc() : " + at + "\n" + "%bt = memref.alloc() : " + bt + "\n" +
         copyIn("%at", at, "%a", a2, aTurned ? "%kk, %row" : "%row, %kk",
                aTurned ? pair(c.k, c.m) : pair(c.m, c.k), aTurned ? c.rows() : c.depth()) +
         copyIn("%bt", bt, "%b", b2, bTurned ? "%column, %kk" : "%kk, %column",
                bTurned ? pair(c.n, c.k) : pair(c.k, c.n), bTurned ? c.depth() : c.columns()) +
         c.op + " ins(%at, %bt : " + at + ", " + bt + ") outs(%acc : " + ct + ")\n" + "}\n" +
         "scf.for %i = %c0 to %m step %c1 {\nscf.for %j = %c0 to %n step %c1 {\n" +
         "%v = memref.load %acc[%i, %j] : " + ct + "\n%w = " + add + " %v, %v : " + c.sum() +
         "\nmemref.store %w, %acc[%i, %j] : " + ct + "\n}\n}\n" +
         "scf.for %i = %c0 to %m step %c1 {\nscf.for %j = %c1 to %n step %c1 {\n" +
         "%before = arith.subi %j, %c1 : index\n%v = memref.load %acc[%i, %j] : " + ct +
         "\n%u = memref.load %acc[%i, %before] : " + ct + "\n%w = " + add + " %v, %u : " + c.sum() +
         "\nmemref.store %w, %acc[%i, %j] : " + ct + "\n}\n}\n" +
         "%number = memref.load %acc[%c0, %last] : " + ct + "\n" +
         "%more = memref.alloc() : " + ct + "\n" + "linalg.fill ins(%number : " + c.sum() +
         ") outs(%more : " + ct + ")\n" + "linalg.add ins(%acc, %more : " + ct + ", " + ct +
         ") outs(%acc : " + ct + ")\n" + "air.dma_memcpy_nd (%c[%row, %column] [" + pair(c.m, c.n) +
         "] [" + std::to_string(c.columns()) + ", 1], %acc[] [] []) : (" + out + ", " + ct +
         ")\n}\n}\n}\nreturn\n}\n";
}

using Matrix = std::vector<int>;

Matrix expected(const Case& c, const Matrix& a, const Matrix& b) {
  Matrix sums(static_cast<size_t>(c.rows() * c.columns()));
  const auto at = [&](std::int64_t i, std::int64_t j) -> int& {
    return sums[static_cast<size_t>(i * c.columns() + j)];
  };
  for (std::int64_t i = 0; i < c.rows(); ++i)
    for (std::int64_t j = 0; j < c.columns(); ++j)
      for (std::int64_t k = 0; k < c.depth(); ++k)
        at(i, j) += 2 * a[static_cast<size_t>(i * c.depth() + k)] *
                    b[static_cast<size_t>(k * c.columns() + j)];
  for (std::int64_t i = 0; i < c.rows(); ++i)
    for (std::int64_t j = 0; j < c.columns(); ++j)
      if (j % c.n) at(i, j) += at(i, j - 1);
  Matrix results = sums;
  for (std::int64_t i = 0; i < c.rows(); ++i)
    for (std::int64_t j = 0; j < c.columns(); ++j)
      results[static_cast<size_t>(i * c.columns() + j)] +=
          at(i / c.m * c.m, j / c.n * c.n + c.n - 1);
  return results;
}

/// The bytes of a matrix, or of its transpose.
std::vector<std::uint8_t> bytesOf(const Matrix& matrix, std::int64_t rows, std::int64_t columns,
                                  bool isTurned, const std::string& type) {
  std::vector<std::uint8_t> bytes;
  for (std::int64_t i = 0; i < (isTurned ? columns : rows); ++i)
    for (std::int64_t j = 0; j < (isTurned ? rows : columns); ++j) {
      const auto place = isTurned ? j * columns + i : i * columns + j;
      const std::uint32_t bits = bitsOf(matrix[static_cast<size_t>(place)], type);
      for (unsigned byte = 0; byte < bytesOf(type); ++byte)
        bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * byte)));
    }
  return bytes;
}

std::vector<std::int64_t> shapeOf(std::int64_t rows, std::int64_t columns, bool isTurned) {
  return isTurned ? std::vector{columns, rows} : std::vector{rows, columns};
}

void lower(Program& program, const Case& c) {
  const auto* device = amdgpu::findGpuDevice(c.device);
  Operation& module = *program.module;
  module.setAttr(kDeviceAttr, StringAttr::get(program.context, c.device));
  module.setAttr(kWaveSizeAttr,
                 IntegerAttr::get(IntegerType::get(program.context, 64), device->wave));
  PassRegistry registry;
  registerAllPasses(registry);
  registerGpuPasses(registry);
  Pipeline pipeline;
  REQUIRE(parsePipeline(program.context, registry, gpuPipelineText(), pipeline));
  const bool isDone = runPipeline(module, pipeline, {}).result != PassResult::Failed;
  INFO(program.messages());
  REQUIRE(isDone);
}

void check(const Case& c, std::mt19937& random) {
  INFO(c.device << " " << c.op << " " << c.type << ", tiles " << c.m << "x" << c.n << "x" << c.k
                << ", " << c.steps << " steps, herd " << c.x << "x" << c.y);
  Matrix a(static_cast<size_t>(c.rows() * c.depth())),
      b(static_cast<size_t>(c.depth() * c.columns()));
  for (Matrix* matrix : {&a, &b})
    for (int& number : *matrix)
      number = static_cast<int>(random() % 7) - 3;
  const bool aTurned = c.op == "linalg.matmul_transpose_a",
             bTurned = c.op == "linalg.matmul_transpose_b";
  auto aBytes = bytesOf(a, c.rows(), c.depth(), aTurned, c.type);
  auto bBytes = bytesOf(b, c.depth(), c.columns(), bTurned, c.type);
  const Matrix wanted = expected(c, a, b);
  Program program(textOf(c));
  lower(program, c);
  GpuTargetOptions target;
  target.cpu = c.device;
  target.waveSize = static_cast<unsigned>(amdgpu::findGpuDevice(c.device)->wave);
  const auto compiled = compileForGpu(*program.module, target, {});
  INFO(compiled.error().message);
  REQUIRE(compiled);
  CHECK(compiled->modules[0].info.kernels[0].privateBytes == 0);
  const HostProgram host = hostOf(program);
  for (const RunOrder order : {RunOrder::Forward, RunOrder::Reverse, RunOrder::Random}) {
    std::vector<std::uint32_t> out(wanted.size(), 0x7fc00000);
    RunOptions options;
    options.order = order;
    runMain(host,
            {HostValue::buffer(aBytes.data(), shapeOf(c.rows(), c.depth(), aTurned)),
             HostValue::buffer(bBytes.data(), shapeOf(c.depth(), c.columns(), bTurned)),
             HostValue::buffer(out.data(), {c.rows(), c.columns()})},
            options);
    for (size_t i = 0; i < out.size(); ++i) {
      const auto bits =
          c.sum() == "i32" ? static_cast<std::uint32_t>(wanted[i]) : bitsOf(wanted[i], "f32");
      if (out[i] == bits) continue;
      FAIL_CHECK("element " << i << ", order " << static_cast<int>(order) << ": " << out[i]
                            << " in place of " << bits);
      return;
    }
  }
}

}  // namespace

TEST_CASE("lanes share the ops of herds", "[herds]") {
  const char* runs = std::getenv("AIRLITE_HERD_RUNS");
  std::mt19937 random(20);
  const auto oneOf = [&](const auto& choices) { return choices[random() % std::size(choices)]; };
  const char* devices[] = {"gfx90a", "gfx942", "gfx1100", "gfx1201"};
  const char* types[] = {"i8", "f16", "bf16", "f32"};
  const char* ops[] = {"linalg.matmul", "linalg.matmul_transpose_a", "linalg.matmul_transpose_b"};
  const std::int64_t sizes[] = {2, 5, 8, 16, 16, 24, 32, 32, 48, 64};
  const std::int64_t counts[] = {1, 1, 2, 3, 4};
  for (int run = runs ? std::atoi(runs) : 16; run > 0; --run)
    check({oneOf(devices), oneOf(types), oneOf(ops), oneOf(sizes), oneOf(sizes), oneOf(sizes),
           oneOf(counts), oneOf(counts), oneOf(counts)},
          random);
}

}  // namespace airlite::gpu::test
