// Attention by the recipe air-gpu: random shapes, masks, element types and devices, in three orders of the
// work-items, compared with the exact numbers within the bound of docs/gpu.md.
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

/// q [b, h, m, d], k [b, n, d] or [b, h, n, d], v likewise, o [b, m, h, e] or [b, h, m, e].
struct AttentionCase {
  std::string device, factor, scores, result, mask;
  std::int64_t b, h, m, n, d, e, offset;
  bool isShared, isOpen, isTurned, hasOld, hasKeysAcross;
  std::string kept =
      "";  ///< elements of keys and values, where they are others than those of queries

  std::string keyType() const { return kept.empty() ? factor : kept; }

  std::string size(std::int64_t number, bool mayBeOpen = true) const {
    return isOpen && mayBeOpen ? "?x" : std::to_string(number) + "x";
  }
  std::string memref(const Sizes& sizes, const std::string& element, bool hasHead) const {
    std::string text = "memref<";
    for (std::size_t i = 0; i < sizes.size(); ++i)
      text += size(sizes[i], !hasHead || i + 1 < sizes.size());
    return text + element + ">";
  }
  Sizes q() const { return {b, h, m, d}; }
  Sizes k() const {
    const Sizes own = isShared ? Sizes{b, n, d} : Sizes{b, h, n, d};
    if (!hasKeysAcross) return own;
    return isShared ? Sizes{b, d, n} : Sizes{b, h, d, n};
  }
  Sizes v() const { return isShared ? Sizes{b, n, e} : Sizes{b, h, n, e}; }
  Sizes o() const { return isTurned ? Sizes{b, m, h, e} : Sizes{b, h, m, e}; }
  Sizes bias() const { return mask == "keys" ? Sizes{b, n} : Sizes{h, m, n}; }
  bool hasBias() const { return mask == "keys" || mask == "heads"; }
  bool isCausal() const { return mask == "causal" || isFloored(); }
  /// An op after the mask makes numbers of what it leaves out.
  bool isFloored() const { return mask == "floor"; }

  std::string describe() const {
    return device + " " + factor + " " + keyType() + " " + scores + " " + result + " " + mask +
           " b" + std::to_string(b) + " h" + std::to_string(h) + " m" + std::to_string(m) + " n" +
           std::to_string(n) + " d" + std::to_string(d) + " e" + std::to_string(e) + " offset " +
           std::to_string(offset) + (isShared ? " shared" : "") + (isOpen ? " open" : "") +
           (isTurned ? " turned" : "") + (hasOld ? " old" : "") + (hasKeysAcross ? " across" : "");
  }
};

constexpr double kScale = 0.375;

std::string alloc(const AttentionCase& c, const std::string& name, const std::string& type,
                  const std::vector<std::string>& sizes) {
  std::string open;
  for (const auto& one : sizes)
    open += (open.empty() ? "" : ", ") + one;
  return name + " = memref.alloc(" + (c.isOpen ? open : "") + ") : " + type + "\n";
}

std::string product(const std::string& maps, const std::string& ins, const std::string& types,
                    const std::string& out, const std::string& type, const std::string& factor,
                    const std::string& other, const std::string& sum) {
  const auto widened = [&](const std::string& name, const std::string& from) {
    return from == sum ? "" : name + "w = arith.extf " + name + " : " + from + " to " + sum + "\n";
  };
  const std::string x = factor == sum ? "%x" : "%xw", y = other == sum ? "%y" : "%yw";
  return "linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\", "
         "\"reduction\"]} ins(" +
         ins + " : " + types + ") outs(" + out + " : " + type + ") {\n^bb0(%x: " + factor +
         ", %y: " + other + ", %z: " + sum + "):\n" + widened("%x", factor) + widened("%y", other) +
         "%prod = arith.mulf " + x + ", " + y + " : " + sum + "\n" +
         "%total = arith.addf %z, %prod : " + sum + "\nlinalg.yield %total : " + sum + "\n}\n";
}

/// Scale and mask, in place.
std::string onScores(const AttentionCase& c, const std::string& type) {
  const std::string s = c.scores;
  std::string maps = "affine_map<(b, h, m, n) -> (b, h, m, n)>", ins, args, body;
  if (c.hasBias()) {
    maps = "affine_map<(b, h, m, n) -> (" + std::string(c.mask == "keys" ? "b, n" : "h, m, n") +
           ")>, " + maps;
    ins = " ins(%bias : " + c.memref(c.bias(), c.factor, false) + ")";
    args = "%w: " + c.factor + ", ";
  }
  body = "%t = arith.mulf %x, %scale : " + s + "\n";
  std::string made = "%t";
  if (c.hasBias()) {
    const bool isWide = c.factor != s;
    if (isWide) body += "%ww = arith.extf %w : " + c.factor + " to " + s + "\n";
    body += "%u = arith.addf %t, " + std::string(isWide ? "%ww" : "%w") + " : " + s + "\n";
    made = "%u";
  }
  if (c.isCausal()) {
    body += "%im = linalg.index 2 : index\n%in = linalg.index 3 : index\n%off = arith.constant " +
            std::to_string(c.offset) +
            " : index\n%imo = arith.addi %im, %off : index\n%is = arith.cmpi slt, %in, %imo : "
            "index\n%u = arith.select %is, %t, %least : " +
            s + "\n";
    made = "%u";
  }
  return "linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]}" + ins +
         " outs(%s : " + type + ") {\n^bb0(" + args + "%x: " + s + "):\n" + body + "linalg.yield " +
         made + " : " + s + "\n}\n";
}

std::string convert(const std::string& from, const std::string& fromType, const std::string& to,
                    const std::string& toType, const std::string& a, const std::string& b) {
  const std::string name = a == "f32" ? "truncf" : "extf";
  return "linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, "
         "affine_map<(i, j, k, l) -> (i, j, k, l)>], iterator_types = [\"parallel\", \"parallel\", "
         "\"parallel\", \"parallel\"]} ins(" +
         from + " : " + fromType + ") outs(" + to + " : " + toType + ") {\n^bb0(%x: " + a +
         ", %y: " + b + "):\n%w = arith." + name + " %x : " + a + " to " + b +
         "\nlinalg.yield %w : " + b + "\n}\n";
}

std::string textOf(const AttentionCase& c) {
  const auto tq = c.memref(c.q(), c.factor, true), tv = c.memref(c.v(), c.keyType(), true);
  const auto tk = c.hasKeysAcross ? "memref<" + c.size(c.b) + (c.isShared ? "" : c.size(c.h)) +
                                        c.size(c.d, false) + c.size(c.n) + c.keyType() + ">"
                                  : c.memref(c.k(), c.keyType(), true);
  const auto to = c.memref(c.o(), c.result, true);
  const auto ts = c.memref({c.b, c.h, c.m, c.n}, c.scores, false);
  const auto tp = c.memref({c.b, c.h, c.m, c.n}, c.factor, false);
  const std::string heads = c.isShared ? "b, " : "b, h, ";
  const std::vector<std::string> sizes = {"%b", "%h", "%m", "%n"};
  std::string text =
      "func.func @main(%q: " + tq + ", %k: " + tk + ", %v: " + tv +
      ", %bias: " + (c.hasBias() ? c.memref(c.bias(), c.factor, false) : tv) + ", %o: " + to +
      ") {\n%i0 = arith.constant 0 : index\n%i1 = arith.constant 1 : index\n"
      "%i2 = arith.constant 2 : index\n%zero = arith.constant 0.0 : " +
      c.scores + "\n%zeroo = arith.constant 0.0 : " + c.result +
      "\n%scale = arith.constant 0.375 : " + c.scores + "\n%least = arith.constant 0x" +
      (c.scores == "f32"    ? "FF800000"
       : c.scores == "bf16" ? "FF80"
                            : "FC00") +
      " : " + c.scores + "\n";
  text += "%b = memref.dim %q, %i0 : " + tq + "\n%h = memref.dim %q, %i1 : " + tq +
          "\n%m = memref.dim %q, %i2 : " + tq + "\n";
  text += "%at = arith.constant " + std::to_string(c.isShared ? 1 : 2) +
          " : index\n%n = memref.dim %v, %at : " + tv + "\n";
  text += alloc(c, "%s", ts, sizes) + "linalg.fill ins(%zero : " + c.scores + ") outs(%s : " + ts +
          ")\n";
  text += product("affine_map<(b, h, m, n, d) -> (b, h, m, d)>, affine_map<(b, h, m, n, d) -> (" +
                      heads + (c.hasKeysAcross ? "d, n" : "n, d") +
                      ")>, affine_map<(b, h, m, n, d) -> (b, h, m, n)>",
                  "%q, %k", tq + ", " + tk, "%s", ts, c.factor, c.keyType(), c.scores);
  text += onScores(c, ts);
  if (c.isFloored())
    text += "linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>], "
            "iterator_types = "
            "[\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} outs(%s : " +
            ts + ") {\n^bb0(%x: " + c.scores + "):\n%floor = arith.constant -2.0 : " + c.scores +
            "\n%y = arith.maximumf %x, %floor : " + c.scores + "\nlinalg.yield %y : " + c.scores +
            "\n}\n";
  text += alloc(c, "%p", ts, sizes) + "linalg.softmax dimension(3) ins(%s : " + ts +
          ") outs(%p : " + ts + ")\n";
  std::string p = "%p";
  if (c.scores != c.factor) {
    text += alloc(c, "%pn", tp, sizes) + convert("%p", ts, "%pn", tp, c.scores, c.factor);
    p = "%pn";
  }
  if (!c.hasOld) text += "linalg.fill ins(%zeroo : " + c.result + ") outs(%o : " + to + ")\n";
  text += product("affine_map<(b, h, m, e, n) -> (b, h, m, n)>, affine_map<(b, h, m, e, n) -> (" +
                      heads + "n, e)>, affine_map<(b, h, m, e, n) -> (" +
                      (c.isTurned ? "b, m, h, e" : "b, h, m, e") + ")>",
                  p + ", %v", tp + ", " + tv, "%o", to, c.factor, c.keyType(), c.result);
  text += "memref.dealloc %s : " + ts + "\nmemref.dealloc %p : " + ts + "\n";
  if (p == "%pn") text += "memref.dealloc %pn : " + tp + "\n";
  return text + "return\n}\n";
}

std::int64_t countOf(const Sizes& sizes) {
  std::int64_t count = 1;
  for (auto size : sizes)
    count *= size;
  return count;
}

class AttentionRun {
 public:
  AttentionRun(const AttentionCase& c, std::mt19937& random)
      : c_(c),
        q_(c.factor, countOf(c.q())),
        k_(c.keyType(), countOf(c.k())),
        v_(c.keyType(), countOf(c.v())),
        bias_(c.hasBias() ? c.factor : c.keyType(),
              c.hasBias() ? countOf(c.bias()) : countOf(c.v())),
        o_(c.result, countOf(c.o())) {
    std::uniform_int_distribution<int> small(-24, 24);
    for (Numbers* each : {&q_, &k_, &v_, &bias_, &o_})
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(each->bytes.size()) / each->width();
           ++i)
        each->put(i, small(random));
  }

  void check() {
    Program program(textOf(c_));
    runPasses(program, "air-gpu{device=" + c_.device + "}," + gpuPipelineText());
    const auto text = printToString(*program.module);
    CHECK(text.find("linalg") == std::string::npos);
    CHECK(text.find("main_launch_0") != std::string::npos);
    CHECK(text.find("main_launch_1") == std::string::npos);  // one kernel
    const auto host = hostOf(program);
    const auto before = o_.bytes;
    for (auto order : {RunOrder::Forward, RunOrder::Reverse, RunOrder::Random}) {
      o_.bytes = before;
      RunOptions options;
      options.order = order;
      runMain(
          host,
          {HostValue::buffer(q_.bytes.data(), c_.q()), HostValue::buffer(k_.bytes.data(), c_.k()),
           HostValue::buffer(v_.bytes.data(), c_.v()),
           HostValue::buffer(bias_.bytes.data(), c_.hasBias() ? c_.bias() : c_.v()),
           HostValue::buffer(o_.bytes.data(), c_.o())},
          options);
      Numbers old(c_.result, 0);
      old.bytes = before;
      compare(old);
    }
  }

 private:
  double key(std::int64_t b, std::int64_t h, std::int64_t n, std::int64_t d) {
    const auto head = c_.isShared ? b : b * c_.h + h;
    return k_.get(c_.hasKeysAcross ? (head * c_.d + d) * c_.n + n : (head * c_.n + n) * c_.d + d);
  }
  double value(std::int64_t b, std::int64_t h, std::int64_t n, std::int64_t e) {
    return v_.get(((c_.isShared ? b : b * c_.h + h) * c_.n + n) * c_.e + e);
  }

  void compare(Numbers& old) {
    std::int64_t wrong = 0;
    for (std::int64_t b = 0; b < c_.b; ++b)
      for (std::int64_t h = 0; h < c_.h; ++h)
        for (std::int64_t m = 0; m < c_.m; ++m)
          wrong += compareRow(old, b, h, m);
    CHECK(wrong == 0);
  }

  std::int64_t compareRow(Numbers& old, std::int64_t b, std::int64_t h, std::int64_t m) {
    std::vector<double> weight(static_cast<std::size_t>(c_.n));
    double greatest = -INFINITY, error = 0, sum = 0;
    for (std::int64_t n = 0; n < c_.n; ++n) {
      double score = 0, size = 0;
      for (std::int64_t d = 0; d < c_.d; ++d) {
        const double one = q_.get(((b * c_.h + h) * c_.m + m) * c_.d + d) * key(b, h, n, d);
        score += kScale * one;
        size += kScale * std::fabs(one);
      }
      if (c_.hasBias()) {
        const double bias = bias_.get(c_.mask == "keys" ? b * c_.n + n : (h * c_.m + m) * c_.n + n);
        score += bias;
        size += std::fabs(bias);
      }
      error = std::max(error, static_cast<double>(c_.d + 8) * 0x1p-24 * size);
      if (c_.isCausal() && n >= m + c_.offset) score = -INFINITY;
      if (c_.isFloored()) score = std::max(score, -2.0);
      weight[static_cast<std::size_t>(n)] = score;
      greatest = std::max(greatest, score);
    }
    for (double& w : weight)
      sum += w = std::exp(w - greatest);
    std::int64_t wrong = 0;
    for (std::int64_t e = 0; e < c_.e; ++e) {
      const auto at =
          (c_.isTurned ? ((b * c_.m + m) * c_.h + h) : ((b * c_.h + h) * c_.m + m)) * c_.e + e;
      double exact = 0, size = 0, most = 0;
      for (std::int64_t n = 0; n < c_.n; ++n) {
        const double one = value(b, h, n, e), part = weight[static_cast<std::size_t>(n)] / sum;
        exact += part * one;
        size += part * std::fabs(one);
        most = std::max(most, std::fabs(one));
      }
      const double found = o_.get(at);
      if (greatest == -INFINITY) {
        wrong += !std::isnan(found);
        continue;
      }
      const double before = c_.hasOld ? old.get(at) : 0;
      const double rounding =
          q_.epsilon() + 2 * error + 0x1p-24 * static_cast<double>(2 * c_.n + 32);
      const double bound =
          rounding * size + (c_.factor == "f16" ? 0x1p-25 * most * static_cast<double>(c_.n) : 0);
      const double all = exact + before;
      wrong += !(std::fabs(found - all) <=
                 bound + (o_.epsilon() + 0x1p-24) * (std::fabs(all) + std::fabs(before) + bound));
    }
    return wrong;
  }

  const AttentionCase& c_;
  Numbers q_, k_, v_, bias_, o_;
};

AttentionCase randomAttention(std::mt19937& random) {
  AttentionCase c;
  c.device = oneOf<std::string>(random, {"gfx90a", "gfx942", "gfx1100", "gfx1201"});
  const bool isRdna = c.device.size() > 6;
  c.factor = oneOf<std::string>(random, {"f16", "bf16", isRdna ? "f16" : "f32"});
  c.scores = random() % 2 ? "f32" : c.factor;
  c.result = random() % 2 ? "f32" : c.factor;
  c.mask = oneOf<std::string>(random, {"none", "causal", "causal", "keys", "heads", "floor"});
  c.b = 1 + random() % 2;
  c.h = 1 + random() % 2;
  c.m = oneOf<std::int64_t>(random, {1, 7, 16, 33, 64, 65, 130});
  c.n = oneOf<std::int64_t>(random, {1, 15, 32, 33, 64, 65, 96, 128, 150});
  c.d = oneOf<std::int64_t>(random, {64, 128, 16, 32, 80, 96, 40, 5});
  c.e = oneOf<std::int64_t>(random, {c.d, c.d, 64, 128, 48, 7});
  c.offset = oneOf<std::int64_t>(random, {1, 1, c.n - c.m + 1, 5, 0, -3});
  c.isShared = random() % 4 == 0;
  c.isOpen = random() % 4 == 0;
  c.isTurned = random() % 3 == 0;
  c.hasOld = random() % 4 == 0;
  c.hasKeysAcross = random() % 4 == 0;
  return c;
}

}  // namespace

TEST_CASE("random attention", "[attention]") {
  const char* runs = std::getenv("AIRLITE_ATTENTION_RUNS");
  std::mt19937 random(20261127);
  for (int i = 0, count = runs ? std::atoi(runs) : 12; i < count; ++i) {
    const AttentionCase c = randomAttention(random);
    INFO(i << ": " << c.describe());
    AttentionRun(c, random).check();
  }
}

TEST_CASE("attention with keys and values of eight bits", "[attention]") {
  std::mt19937 random(12);
  for (int i = 0; i < 12; ++i) {
    AttentionCase c = randomAttention(random);
    c.kept = oneOf<std::string>(random, {"f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"});
    INFO(i << ": " << c.describe());
    AttentionRun(c, random).check();
  }
}

TEST_CASE("attention of heads in the order of the XCDs", "[attention]") {
  std::mt19937 random(3);
  for (const std::string mask : {"none", "causal"}) {
    AttentionCase c;
    c.device = "gfx942";
    c.factor = c.scores = c.result = "f16";
    c.mask = mask;
    c.b = 2;
    c.h = 4;
    c.m = 200;
    c.n = 65;
    c.d = c.e = 16;
    c.offset = 1;
    c.isShared = c.isOpen = c.isTurned = c.hasOld = c.hasKeysAcross = false;
    INFO(c.describe());
    AttentionRun(c, random).check();
  }
}
