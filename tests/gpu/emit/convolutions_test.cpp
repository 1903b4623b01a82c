// Convolutions by the recipe air-gpu: random shapes, layouts, strides, element types and devices, in three
// orders of the work-items. Integers have the very bits of the sum, floats lie within the bound of docs/gpu.md.
#include "Numbers.hpp"
#include "airlite/text/Printer.hpp"

#include <cmath>
#include <cstdlib>
#include <random>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;

namespace {

using Sizes = std::vector<std::int64_t>;

struct Convolution {
  std::string device, layout, factor, result;
  std::int64_t n, h, w, c, f, kh, kw, strideH, strideW, dilationH, dilationW;
  bool startsAtZero, isOpen, hasBias;

  bool isChannelsFirst() const { return layout == "nchw_fchw"; }
  std::int64_t inputH() const { return (h - 1) * strideH + (kh - 1) * dilationH + 1; }
  std::int64_t inputW() const { return (w - 1) * strideW + (kw - 1) * dilationW + 1; }
  Sizes input() const {
    return isChannelsFirst() ? Sizes{n, c, inputH(), inputW()} : Sizes{n, inputH(), inputW(), c};
  }
  Sizes filter() const {
    if (isChannelsFirst()) return {f, c, kh, kw};
    return layout == "nhwc_fhwc" ? Sizes{f, kh, kw, c} : Sizes{kh, kw, c, f};
  }
  Sizes output() const { return isChannelsFirst() ? Sizes{n, f, h, w} : Sizes{n, h, w, f}; }

  std::string typeOf(const Sizes& sizes, const std::string& element) const {
    std::string text = "memref<";
    for (auto size : sizes)
      text += (isOpen ? "?" : std::to_string(size)) + "x";
    return text + element + ">";
  }

  std::string text() const {
    const auto ti = typeOf(input(), factor), tf = typeOf(filter(), factor),
               to = typeOf(output(), result), tb = typeOf({f}, result);
    std::string body;
    if (startsAtZero)
      body = "%z = arith.constant " + std::string(result[0] == 'i' ? "0" : "0.0") + " : " + result +
             "\nlinalg.fill ins(%z : " + result + ") outs(%o : " + to + ")\n";
    const auto pair = [](std::int64_t a, std::int64_t b) {
      return "dense<[" + std::to_string(a) + ", " + std::to_string(b) + "]> : tensor<2xi64>";
    };
    body += "linalg.conv_2d_" + layout + " {dilations = " + pair(dilationH, dilationW) +
            ", strides = " + pair(strideH, strideW) + "} ins(%i, %f : " + ti + ", " + tf +
            ") outs(%o : " + to + ")\n";
    if (hasBias)
      body += "linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (" +
              std::string(isChannelsFirst() ? "b" : "d") +
              ")>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = [\"parallel\", "
              "\"parallel\", \"parallel\", \"parallel\"]} ins(%b : " +
              tb + ") outs(%o : " + to + ") {\n^bb0(%x: " + result + ", %y: " + result +
              "):\n%s = arith.add" + (result[0] == 'i' ? "i" : "f") + " %x, %y : " + result +
              "\nlinalg.yield %s : " + result + "\n}\n";
    return "func.func @main(%i: " + ti + ", %f: " + tf + ", %o: " + to + ", %b: " + tb + ") {\n" +
           body + "return\n}\n";
  }

  std::string describe() const {
    std::string sizes;
    for (auto size : {n, h, w, c, f, kh, kw, strideH, strideW, dilationH, dilationW})
      sizes += " " + std::to_string(size);
    return device + " " + layout + " " + factor + " " + result + sizes + (isOpen ? " open" : "") +
           (startsAtZero ? " zero" : "") + (hasBias ? " bias" : "");
  }
};

std::int64_t countOf(const Sizes& sizes) {
  std::int64_t count = 1;
  for (auto size : sizes)
    count *= size;
  return count;
}

std::int64_t at(const Sizes& sizes, const Sizes& place) {
  std::int64_t index = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    index = index * sizes[i] + place[i];
  return index;
}

class ConvolutionRun {
 public:
  ConvolutionRun(const Convolution& c, std::mt19937& random)
      : c_(c),
        input_(c.factor, countOf(c.input())),
        filter_(c.factor, countOf(c.filter())),
        output_(c.result, countOf(c.output())),
        bias_(c.result, c.f) {
    std::uniform_int_distribution<int> small(-8, 8);
    for (Numbers* each : {&input_, &filter_, &output_, &bias_})
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(each->bytes.size()) / each->width();
           ++i)
        each->put(i, small(random));
  }

  void check() {
    Program program(c_.text());
    runPasses(program, "air-gpu{device=" + c_.device + "}," + gpuPipelineText());
    const auto text = printToString(*program.module);
    CHECK(text.find("linalg") == std::string::npos);
    CHECK(text.find("gpu.matrix_product") != std::string::npos);
    CHECK(text.find("main_launch_1") == std::string::npos);
    const auto host = hostOf(program);
    const auto before = output_.bytes;
    for (auto order : {RunOrder::Forward, RunOrder::Reverse, RunOrder::Random}) {
      output_.bytes = before;
      RunOptions options;
      options.order = order;
      runMain(host,
              {HostValue::buffer(input_.bytes.data(), c_.input()),
               HostValue::buffer(filter_.bytes.data(), c_.filter()),
               HostValue::buffer(output_.bytes.data(), c_.output()),
               HostValue::buffer(bias_.bytes.data(), {c_.f})},
              options);
      Numbers old(c_.result, 0);
      old.bytes = before;
      compare(old);
    }
  }

 private:
  void compare(Numbers& old) {
    std::int64_t wrong = 0;
    for (std::int64_t n = 0; n < c_.n; ++n)
      for (std::int64_t h = 0; h < c_.h; ++h)
        for (std::int64_t w = 0; w < c_.w; ++w)
          for (std::int64_t f = 0; f < c_.f; ++f)
            wrong += !isResult(old, n, h, w, f);
    CHECK(wrong == 0);
  }

  double inputAt(std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
    return input_.get(at(c_.input(), c_.isChannelsFirst() ? Sizes{n, c, h, w} : Sizes{n, h, w, c}));
  }
  double filterAt(std::int64_t kh, std::int64_t kw, std::int64_t c, std::int64_t f) {
    if (c_.isChannelsFirst()) return filter_.get(at(c_.filter(), {f, c, kh, kw}));
    return filter_.get(
        at(c_.filter(), c_.layout == "nhwc_fhwc" ? Sizes{f, kh, kw, c} : Sizes{kh, kw, c, f}));
  }

  bool isResult(Numbers& old, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t f) {
    const auto place =
        at(c_.output(), c_.isChannelsFirst() ? Sizes{n, f, h, w} : Sizes{n, h, w, f});
    double sum = c_.startsAtZero ? 0 : old.get(place), size = std::fabs(sum);
    for (std::int64_t kh = 0; kh < c_.kh; ++kh)
      for (std::int64_t kw = 0; kw < c_.kw; ++kw)
        for (std::int64_t c = 0; c < c_.c; ++c) {
          const double one = inputAt(n, h * c_.strideH + kh * c_.dilationH,
                                     w * c_.strideW + kw * c_.dilationW, c) *
                             filterAt(kh, kw, c, f);
          sum += one;
          size += std::fabs(one);
        }
    if (c_.hasBias) sum += bias_.get(f);
    const double found = output_.get(place);
    if (c_.result == "i32") return found == sum;
    const double error = 0x1p-24 * static_cast<double>(c_.kh * c_.kw * c_.c + 2) * (size + 1);
    return std::fabs(found - sum) <= error + output_.epsilon() * (std::fabs(sum) + error);
  }

  const Convolution& c_;
  Numbers input_, filter_, output_, bias_;
};

Convolution randomConvolution(std::mt19937& random) {
  Convolution c;
  c.device = oneOf<std::string>(random, {"gfx90a", "gfx942", "gfx1100", "gfx1201"});
  const bool isRdna = c.device.size() > 6;
  c.layout = oneOf<std::string>(random, {"nhwc_hwcf", "nhwc_hwcf", "nhwc_fhwc", "nchw_fchw"});
  c.factor = oneOf<std::string>(random, {"f16", "bf16", "i8", isRdna ? "f16" : "f32"});
  c.result = c.factor == "i8" ? "i32" : random() % 2 ? "f32" : c.factor;
  c.n = 1 + random() % 2;
  c.h = oneOf<std::int64_t>(random, {1, 3, 6});
  c.w = oneOf<std::int64_t>(random, {1, 7, 16, 17, 33});
  c.c = oneOf<std::int64_t>(random, {1, 3, 16, 20, 64});
  c.f = oneOf<std::int64_t>(random, {1, 8, 16, 33, 64});
  c.kh = 1 + random() % 3;
  c.kw = 1 + random() % 3;
  c.strideH = 1 + random() % 2;
  c.strideW = 1 + random() % 3;
  c.dilationH = 1 + random() % 2;
  c.dilationW = 1 + random() % 2;
  c.startsAtZero = random() % 2;
  c.isOpen = random() % 4 == 0;
  c.hasBias = random() % 2;
  return c;
}

}  // namespace

TEST_CASE("random convolutions", "[convolutions]") {
  const char* runs = std::getenv("AIRLITE_CONVOLUTION_RUNS");
  std::mt19937 random(20261127);
  for (int i = 0, count = runs ? std::atoi(runs) : 24; i < count; ++i) {
    const Convolution c = randomConvolution(random);
    INFO(i << ": " << c.describe());
    ConvolutionRun(c, random).check();
  }
}
