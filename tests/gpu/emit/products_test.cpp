// Products of matrices by the recipe air-gpu: random shapes, element types and devices, in three orders
// of the work-items. Integers have the very bits of the sum, floats lie within the bound of docs/gpu.md.
#include "Numbers.hpp"
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/text/Printer.hpp"

#include <cmath>
#include <cstdlib>
#include <random>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;
using Catch::Matchers::Contains;

namespace {

// -- One product ------------------------------------------------------------------------------------

struct Product {
  std::string device, op, factor, result, options;
  std::int64_t m, n, k, batch;
  bool startsAtZero, isOpen;
  bool isAMade, isBMade;  ///< converted from f32, and from i8 divided by 16
  int launches = 1;
  std::string factorB = "";            ///< where it is another type than A's
  std::vector<std::string> followers;  ///< bias, scale (of rows), residual, relu; on C in place

  bool isBatch() const { return op == "batch_matmul"; }
  std::vector<std::int64_t> shape(std::int64_t rows, std::int64_t columns, bool swapped) const {
    std::vector<std::int64_t> sizes = {rows, columns};
    if (swapped) std::swap(sizes[0], sizes[1]);
    if (isBatch()) sizes.insert(sizes.begin(), batch);
    return sizes;
  }
  std::vector<std::int64_t> a() const { return shape(m, k, op == "matmul_transpose_a"); }
  std::vector<std::int64_t> b() const { return shape(k, n, op == "matmul_transpose_b"); }
  std::vector<std::int64_t> c() const { return shape(m, n, false); }

  std::string typeOf(const std::vector<std::int64_t>& sizes, const std::string& element) const {
    std::string text = "memref<";
    for (auto size : sizes)
      text += (isOpen ? "?" : std::to_string(size)) + "x";
    return text + element + ">";
  }

  /// `name` made from %from, in the first lines of the program.
  std::string maker(const std::string& name, const std::string& from,
                    const std::vector<std::int64_t>& sizes, const std::string& source) const {
    const std::string type = typeOf(sizes, factor), loops = isBatch() ? "g, i, j" : "i, j";
    std::string dims, text;
    for (std::size_t i = 0; isOpen && i < sizes.size(); ++i) {
      const auto number = std::to_string(i), size = name + "s" + number;
      text += name + "n" + number + " = arith.constant " + number + " : index\n" + size +
              " = memref.dim " + from + ", " + name + "n" + number + " : " + typeOf(sizes, source) +
              "\n";
      dims += (i ? ", " : "") + size;
    }
    return text + name + " = memref.alloc(" + dims + ") : " + type +
           "\nlinalg.generic {indexing_maps = [affine_map<(" + loops + ") -> (" + loops +
           ")>, affine_map<(" + loops + ") -> (" + loops + ")>], iterator_types = [" +
           (isBatch() ? "\"parallel\", " : "") + "\"parallel\", \"parallel\"]} ins(" + from +
           " : " + typeOf(sizes, source) + ") outs(" + name + " : " + type +
           ") {\n^bb0(%x: " + source + ", %y: " + factor + "):\n" +
           (source == "f32"
                ? "%w = arith.truncf %x : f32 to " + factor + "\n"
                : "%k = arith.constant 0.0625 : " + factor + "\n%u = arith.sitofp %x : i8 to " +
                      factor + "\n%w = arith.mulf %u, %k : " + factor + "\n") +
           "linalg.yield %w : " + factor + "\n}\n";
  }

  std::string sourceA() const { return isAMade ? "f32" : factor; }
  std::string typeB() const { return factorB.empty() ? factor : factorB; }
  std::string sourceB() const { return isBMade ? "i8" : typeB(); }

  std::string text() const {
    const auto ta = typeOf(a(), factor), tb = typeOf(b(), typeB()), tc = typeOf(c(), result);
    std::string body, end;
    if (isAMade) body += maker("%a", "%fa", a(), "f32");
    if (isBMade) body += maker("%b", "%fb", b(), "i8");
    if (isAMade) end += "memref.dealloc %a : " + ta + "\n";
    if (isBMade) end += "memref.dealloc %b : " + tb + "\n";
    if (startsAtZero)
      body += "%z = arith.constant " + std::string(result[0] == 'i' ? "0" : "0.0") + " : " +
              result + "\nlinalg.fill ins(%z : " + result + ") outs(%c : " + tc + ")\n";
    return "func.func @main(" + std::string(isAMade ? "%fa" : "%a") + ": " +
           typeOf(a(), sourceA()) + ", " + (isBMade ? "%fb" : "%b") + ": " +
           typeOf(b(), sourceB()) + ", %c: " + tc + ", %bias: " + typeOf({n}, result) +
           ", %scale: " + typeOf({m}, result) + ", %residual: " + tc + ") {\n" + body + "linalg." +
           op + " ins(%a, %b : " + ta + ", " + tb + ") outs(%c : " + tc + ")\n" + followersText() +
           end + "return\n}\n";
  }

  std::string followersText() const {
    const std::string loops = isBatch() ? "g, i, j" : "i, j",
                      rest = isBatch() ? "\"parallel\", " : "";
    const std::string whole = "affine_map<(" + loops + ") -> (" + loops + ")>";
    std::string text;
    for (const auto& kind : followers) {
      const bool isRelu = kind == "relu";
      const std::string map = kind == "bias" ? "j" : kind == "scale" ? "i" : loops;
      const auto type = kind == "bias"    ? typeOf({n}, result)
                        : kind == "scale" ? typeOf({m}, result)
                                          : typeOf(c(), result);
      text += "linalg.generic {indexing_maps = [" +
              (isRelu ? "" : "affine_map<(" + loops + ") -> (" + map + ")>, ") + whole +
              "], iterator_types = [" + rest + "\"parallel\", \"parallel\"]}" +
              (isRelu ? "" : " ins(%" + kind + " : " + type + ")") +
              " outs(%c : " + typeOf(c(), result) + ") {\n^bb0(" +
              (isRelu ? "" : "%y: " + result + ", ") + "%x: " + result + "):\n";
      if (isRelu)
        text += "%zr = arith.constant 0.0 : " + result +
                "\n%t = arith.maximumf %x, %zr : " + result + "\n";
      else
        text += "%t = arith." + std::string(kind == "scale" ? "mulf" : "addf") +
                " %x, %y : " + result + "\n";
      text += "linalg.yield %t : " + result + "\n}\n";
    }
    return text;
  }

  std::string describe() const {
    std::string after;
    for (const auto& kind : followers)
      after += " " + kind;
    return device + " " + op + " " + factor + " " + typeB() + " " + result + " " +
           std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " batch " +
           std::to_string(batch) + (startsAtZero ? " zero" : "") + (isOpen ? " open" : "") +
           (isAMade ? " a made" : "") + (isBMade ? " b made" : "") + options + after;
  }
};

std::int64_t countOf(const std::vector<std::int64_t>& sizes) {
  std::int64_t count = 1;
  for (auto size : sizes)
    count *= size;
  return count;
}

class ProductRun {
 public:
  ProductRun(const Product& product, std::mt19937& random)
      : p_(product),
        a_(p_.sourceA(), countOf(p_.a())),
        b_(p_.sourceB(), countOf(p_.b())),
        c_(p_.result, countOf(p_.c())),
        bias_(p_.result, p_.n),
        scale_(p_.result, p_.m),
        residual_(p_.result, countOf(p_.c())) {
    std::uniform_int_distribution<int> small(-8, 8);
    for (Numbers* each : {&a_, &b_, &c_, &bias_, &scale_, &residual_})
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(each->bytes.size()) / each->width();
           ++i)
        each->put(i, small(random));
  }

  void check() {
    Program program(p_.text());
    runPasses(program, "air-gpu{device=" + p_.device + p_.options + "}," + gpuPipelineText());
    const auto text = printToString(*program.module);
    CHECK(text.find("linalg") == std::string::npos);
    if (!p_.isOpen || (!p_.isAMade && !p_.isBMade)) {
      CHECK(text.find("main_launch_" + std::to_string(p_.launches - 1)) != std::string::npos);
      CHECK(text.find("main_launch_" + std::to_string(p_.launches)) == std::string::npos);
    }
    const auto host = hostOf(program);
    const auto before = c_.bytes;
    for (auto order : {RunOrder::Forward, RunOrder::Reverse, RunOrder::Random}) {
      c_.bytes = before;
      RunOptions options;
      options.order = order;
      runMain(
          host,
          {HostValue::buffer(a_.bytes.data(), p_.a()), HostValue::buffer(b_.bytes.data(), p_.b()),
           HostValue::buffer(c_.bytes.data(), p_.c()),
           HostValue::buffer(bias_.bytes.data(), {p_.n}),
           HostValue::buffer(scale_.bytes.data(), {p_.m}),
           HostValue::buffer(residual_.bytes.data(), p_.c())},
          options);
      Numbers old(p_.result, 0);
      old.bytes = before;
      compare(old);
    }
  }

 private:
  void compare(Numbers& old) {
    const auto batches = p_.isBatch() ? p_.batch : 1;
    std::int64_t wrong = 0;
    for (std::int64_t g = 0; g < batches; ++g)
      for (std::int64_t i = 0; i < p_.m; ++i)
        for (std::int64_t j = 0; j < p_.n; ++j) {
          const auto at = (g * p_.m + i) * p_.n + j;
          double sum = p_.startsAtZero ? 0 : old.get(at), size = std::fabs(sum);
          for (std::int64_t k = 0; k < p_.k; ++k) {
            const double product = factorA(g, i, k) * factorB(g, k, j);
            sum += product;
            size += std::fabs(product);
          }
          wrong += !isResult(at, i, j, sum, size);
        }
    CHECK(wrong == 0);
  }

  double factorA(std::int64_t g, std::int64_t i, std::int64_t k) {
    const auto start = g * p_.m * p_.k;
    return a_.get(start + (p_.op == "matmul_transpose_a" ? k * p_.m + i : i * p_.k + k));
  }
  double factorB(std::int64_t g, std::int64_t k, std::int64_t j) {
    const auto start = g * p_.k * p_.n;
    return (p_.isBMade ? 0.0625 : 1) *
           b_.get(start + (p_.op == "matmul_transpose_b" ? j * p_.k + k : k * p_.n + j));
  }

  bool isResult(std::int64_t at, std::int64_t i, std::int64_t j, double sum, double size) {
    const double found = c_.get(at);
    if (p_.result == "i8")
      return static_cast<std::int8_t>(static_cast<std::int64_t>(sum)) ==
             static_cast<std::int8_t>(found);
    if (p_.result == "i32") return found == sum;
    const double unit = p_.factor == "f64" ? 0x1p-53 : 0x1p-24;
    double error = unit * static_cast<double>(p_.k + 1) * size;
    for (const auto& kind : p_.followers) {
      const double other = kind == "bias"    ? bias_.get(j)
                           : kind == "scale" ? scale_.get(i)
                                             : residual_.get(at);
      if (kind == "scale") error *= std::fabs(other);
      sum = kind == "relu" ? std::max(sum, 0.0) : kind == "scale" ? sum * other : sum + other;
      error += unit * (std::fabs(sum) + error);
    }
    return std::fabs(found - sum) <= error + c_.epsilon() * (std::fabs(sum) + error);
  }

  const Product& p_;
  Numbers a_, b_, c_, bias_, scale_, residual_;
};

Product randomProduct(std::mt19937& random) {
  const std::vector<std::int64_t> sizes = {1,  2,  5,  15, 16, 17,  31, 32,
                                           33, 48, 64, 65, 96, 100, 129};
  const std::map<std::string, std::vector<std::string>> results = {{"f16", {"f32", "f16"}},
                                                                   {"bf16", {"f32", "bf16"}},
                                                                   {"f32", {"f32"}},
                                                                   {"f64", {"f64"}},
                                                                   {"i8", {"i32", "i8"}}};
  Product p;
  p.device = oneOf<std::string>(random, {"gfx90a", "gfx942", "gfx1100", "gfx1201"});
  const bool isRdna = p.device.size() > 6;
  p.factor = oneOf<std::string>(random, {"f16", "bf16", "f32", "i8", isRdna ? "f32" : "f64"});
  p.result = oneOf(random, results.at(p.factor));
  p.op = oneOf<std::string>(random,
                            {"matmul", "matmul_transpose_a", "matmul_transpose_b", "batch_matmul"});
  p.options = oneOf<std::string>(random, {"", "", " buffers=1", " buffers=2"});
  p.m = oneOf(random, sizes);
  p.n = oneOf(random, sizes);
  p.k = oneOf(random, sizes);
  p.batch = 1 + random() % 3;
  p.startsAtZero = random() % 2;
  p.isOpen = random() % 4 == 0;
  const bool isHalf = p.factor == "f16" || p.factor == "bf16";
  p.isAMade = isHalf && random() % 3 == 0;
  p.isBMade = isHalf && random() % 3 == 0;
  if (p.result[0] != 'i')
    for (std::size_t count = random() % 4; count > 0; --count)
      p.followers.push_back(oneOf<std::string>(random, {"bias", "scale", "residual", "relu"}));
  return p;
}

}  // namespace

TEST_CASE("random products of matrices", "[products]") {
  const char* runs = std::getenv("AIRLITE_PRODUCT_RUNS");
  std::mt19937 random(20261126);
  for (int i = 0, count = runs ? std::atoi(runs) : 40; i < count; ++i) {
    const Product product = randomProduct(random);
    INFO(i << ": " << product.describe());
    ProductRun(product, random).check();
  }
}

TEST_CASE("each block is one workgroup's, in the order of the XCDs", "[products]") {
  std::mt19937 random(11);
  Product p;
  p.device = "gfx942";
  p.factor = "f16";
  p.result = "f32";
  p.op = "matmul";
  p.options = " block=32,32";
  p.batch = 1;
  p.startsAtZero = false;
  p.isOpen = p.isAMade = p.isBMade = false;
  p.k = 32;
  for (const auto& [m, n] : {std::pair{256, 192}, {320, 128}, {128, 32 * 7 - 3}, {500, 250}}) {
    p.m = m;
    p.n = n;
    INFO(p.describe());
    ProductRun(p, random).check();
  }
}

TEST_CASE("products of floats of eight bits", "[products]") {
  std::mt19937 random(8);
  for (int i = 0; i < 24; ++i) {
    Product p = randomProduct(random);
    // Those of gfx942 and of gfx1201; the other devices multiply f16 in their place.
    p.device = oneOf<std::string>(random, {"gfx90a", "gfx942", "gfx942", "gfx1100", "gfx1201"});
    p.factor = oneOf<std::string>(random, {"f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"});
    p.result = oneOf<std::string>(random, {"f32", "f32", "bf16"});
    p.isAMade = i % 3 == 0;
    p.isBMade = false;  // multiplication by 1/16 is no op of eight bits
    p.followers.clear();
    if (p.result == "f32" && random() % 2) p.followers = {"scale", "bias"};
    INFO(i << ": " << p.describe());
    ProductRun(p, random).check();
  }
}

TEST_CASE("products of two element types", "[products]") {
  std::mt19937 random(9);
  const std::pair<const char*, const char*> types[] = {
      {"bf16", "f8E4M3FN"},   {"f8E5M2", "f16"}, {"f32", "f8E4M3FNUZ"},
      {"f8E4M3FN", "f8E5M2"}, {"f16", "f32"},    {"f8E4M3FNUZ", "f8E5M2FNUZ"},
      {"f32", "bf16"}};
  for (const auto& [a, b] : types)
    for (const std::string device : {"gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
      Product p = randomProduct(random);
      p.device = device;
      p.factor = a;
      p.factorB = b;
      p.result = "f32";
      p.isAMade = p.isBMade = false;
      p.followers.clear();
      INFO(p.describe());
      ProductRun(p, random).check();
    }
}

TEST_CASE("long sums of few results are made in parts", "[products]") {
  std::mt19937 random(5);
  for (const std::string device : {"gfx90a", "gfx942", "gfx1100", "gfx1201"})
    for (const std::string factor : {"bf16", "f32", "i8"}) {
      Product p;
      p.device = device;
      p.factor = factor;
      p.result = factor == "i8" ? "i32" : "f32";
      p.op = oneOf<std::string>(
          random, {"matmul", "matmul_transpose_a", "matmul_transpose_b", "batch_matmul"});
      p.m = 17;
      p.n = 33;
      p.k = 1024;
      p.batch = 2;
      p.startsAtZero = random() % 2;
      p.isOpen = p.isAMade = p.isBMade = false;
      if (factor != "i8" && p.op != "batch_matmul") p.followers = {"bias", "relu"};
      p.launches = 2;
      INFO(p.describe());
      ProductRun(p, random).check();
    }
}

TEST_CASE("every matrix instruction multiplies as its table says", "[products]") {
  std::mt19937 random(7);
  const std::map<amdgpu::MatrixElement, std::string> names = {
      {amdgpu::MatrixElement::F16, "f16"},
      {amdgpu::MatrixElement::BF16, "bf16"},
      {amdgpu::MatrixElement::F32, "f32"},
      {amdgpu::MatrixElement::F64, "f64"},
      {amdgpu::MatrixElement::I8, "i8"},
      {amdgpu::MatrixElement::I32, "i32"},
      {amdgpu::MatrixElement::F8, "f8E4M3FN"},
      {amdgpu::MatrixElement::BF8, "f8E5M2"},
      {amdgpu::MatrixElement::F8Fnuz, "f8E4M3FNUZ"},
      {amdgpu::MatrixElement::BF8Fnuz, "f8E5M2FNUZ"}};
  for (const auto& row : amdgpu::kMatrixInstructions)
    for (const auto& device : amdgpu::kGpuDevices) {
      if (!(row.devices & device.bit)) continue;
      INFO(row.name << " on " << device.name);
      const auto factor = names.at(row.factor), sum = names.at(row.sum);
      const auto vector = [](std::int64_t r, std::int64_t c, const std::string& type) {
        return std::to_string(r) + "x" + std::to_string(c) + "x" + type + ">";
      };
      const auto ta = vector(row.m, 2 * row.k, factor), tb = vector(2 * row.k, row.n, factor),
                 tc = vector(row.m, row.n, sum);
      // Two instructions: the vectors hold the factors of both.
      Program program(
          "func.func @main(%a: memref<" + ta + ", %b: memref<" + tb + ", %c: memref<" + tc +
          ") {\nair.launch () in () args(%la = %a, %lb = %b, %lc = %c) : memref<" + ta +
          ", memref<" + tb + ", memref<" + tc +
          " {\n%c1 = arith.constant 1 : index\n"
          "air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %la, %hb = %lb, %hc = %lc) "
          ": "
          "memref<" +
          ta + ", memref<" + tb + ", memref<" + tc +
          " attributes {airlite.spread} {\n%z = arith.constant 0 : index\n"
          "%va = vector.load %ha[%z, %z] : memref<" +
          ta + ", vector<" + ta + "\n%vb = vector.load %hb[%z, %z] : memref<" + tb + ", vector<" +
          tb + "\n%vc = vector.load %hc[%z, %z] : memref<" + tc + ", vector<" + tc +
          "\n%vd = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, "
          "affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = "
          "[\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %va, %vb, %vc : "
          "vector<" +
          ta + ", vector<" + tb + " into vector<" + tc +
          "\nvector.store %vd, %hc[%z, %z] : memref<" + tc + ", vector<" + tc +
          "\n}\n}\nreturn\n}\n");
      Operation& module = *program.module;
      module.setAttr(kDeviceAttr, StringAttr::get(program.context, device.name));
      module.setAttr(kWaveSizeAttr,
                     IntegerAttr::get(IntegerType::get(program.context, 64), device.wave));
      runPasses(program, gpuPipelineText());
      Numbers a(factor, row.m * row.k * 2), b(factor, row.n * row.k * 2), c(sum, row.m * row.n);
      std::uniform_int_distribution<int> small(-8, 8);
      for (Numbers* each : {&a, &b, &c})
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(each->bytes.size()) / each->width();
             ++i)
          each->put(i, small(random));
      Numbers before = c;
      runMain(hostOf(program), {HostValue::buffer(a.bytes.data(), {row.m, 2 * row.k}),
                                HostValue::buffer(b.bytes.data(), {2 * row.k, row.n}),
                                HostValue::buffer(c.bytes.data(), {row.m, row.n})});
      for (std::int64_t i = 0; i < row.m; ++i)
        for (std::int64_t j = 0; j < row.n; ++j) {
          double expected = before.get(i * row.n + j);
          for (std::int64_t k = 0; k < 2 * row.k; ++k)
            expected += a.get(i * 2 * row.k + k) * b.get(k * row.n + j);
          // All partial sums are multiples of 1/256 below 2^16: exact in any order.
          REQUIRE(c.get(i * row.n + j) == expected);
        }
      GpuTargetOptions target;
      target.cpu = device.name;
      target.waveSize = static_cast<unsigned>(device.wave);
      CHECK(compileForGpu(*program.module, target, {}));
    }
}

TEST_CASE("a product that not all lanes of a wave reach is reported", "[products]") {
  Program program(oneKernel("%out: memref<64x4xf32>", R"(
    %a = arith.constant dense<1.0> : vector<1xf32>
    %c = arith.constant dense<0.0> : vector<4xf32>
    %z = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %i = gpu.thread_id x
    %first = arith.cmpi ult, %i, %c32 : index
    scf.if %first {
      %d = gpu.matrix_product "mfma_f32_16x16x4_f32" %a, %a, %c
          : vector<1xf32>, vector<1xf32>, vector<4xf32>
      vector.store %d, %out[%i, %z] : memref<64x4xf32>, vector<4xf32>
    })",
                            64));
  std::vector<float> out(256);
  const auto run = hostOf(program).run("main", {{bufferOf(out, {64, 4})}}, {});
  REQUIRE_FALSE(run);
  CHECK_THAT(run.error().message, Contains("waits at matrix product"));
}

TEST_CASE("matrix instructions of another device are refused", "[products]") {
  Program program(oneKernel("%out: memref<64x4xf32>", R"(
    %a = arith.constant dense<1> : vector<8xi8>
    %c = arith.constant dense<0> : vector<4xi32>
    %d = gpu.matrix_product "mfma_i32_16x16x32_i8" %a, %a, %c
        : vector<8xi8>, vector<8xi8>, vector<4xi32>
    %e = vector.extract %d[0] : i32 from vector<4xi32>
    %f = arith.sitofp %e : i32 to f32
    %z = arith.constant 0 : index
    memref.store %f, %out[%z, %z] : memref<64x4xf32>)",
                            64));
  GpuTargetOptions target;
  target.cpu = "gfx90a";
  const auto compiled = compileForGpu(*program.module, target, {});
  REQUIRE_FALSE(compiled);
  CHECK_THAT(compiled.error().message, Contains("that gfx90a does not have"));
  compileFor(program, "gfx942");
}
