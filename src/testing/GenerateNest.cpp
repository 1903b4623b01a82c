// Random linalg programs for the recipe: products, convolutions, maps and sums over memrefs of any
// layout of dimensions, several one after the other. Each output is written by one op, or by a fill
// and then one op; later ops may read it.
#include "Random.hpp"
#include "airlite/testing/Generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace airlite::testing {

namespace {

using Shape = std::vector<int64_t>;

struct Buffer {
  std::string name;
  Shape shape;
  std::string element;
  std::string type() const {
    std::string text = "memref<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + element + ">";
  }
};

/// An indexing map: per result, the loops that are added up.
using Map = std::vector<std::vector<unsigned>>;

class NestWriter {
 public:
  explicit NestWriter(uint64_t seed) : random_(seed) {}

  std::string write() {
    unsigned ops = 1 + static_cast<unsigned>(random_.below(3));
    for (unsigned i = 0; i < ops; ++i)
      writeOp();
    std::string arguments;
    for (const Buffer& buffer : buffers_)
      arguments += (arguments.empty() ? "" : ", ") + buffer.name + ": " + buffer.type();
    return "func.func @f(" + arguments + ") {\n" + body_ + "  return\n}\n";
  }

 private:
  template <class T> const T& pick(const std::vector<T>& from) {
    return from[random_.below(from.size())];
  }

  int64_t size() { return pick<int64_t>({1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 16, 16, 24}); }
  std::string element() { return pick<std::string>({"i8", "i16", "i32", "i32", "bf16", "f32"}); }
  static bool isFloat(const std::string& element) { return element.find('f') != element.npos; }
  static std::string wide(const std::string& element) { return isFloat(element) ? "f32" : "i32"; }

  /// An argument of this shape and element: one that is there already, or a new one.
  Buffer input(const Shape& shape, const std::string& element) {
    for (const Buffer& buffer : buffers_)
      if (buffer.shape == shape && buffer.element == element && random_.chance(50)) return buffer;
    return fresh(shape, element);
  }
  Buffer fresh(const Shape& shape, const std::string& element) {
    buffers_.push_back({"%m" + std::to_string(buffers_.size()), shape, element});
    return buffers_.back();
  }

  void writeOp() {
    switch (random_.below(6)) {
      case 0:
      case 1: return product();
      case 2: return elementwise();
      case 3: return reduction();
      case 4: return convolution();
      default: return anyMap();
    }
  }

  // -- Ops --------------------------------------------------------------------------------------

  /// Batches in front, each operand with its dimensions in some order.
  void product() {
    Shape loops{size(), size(), size()};
    if (random_.chance(30)) loops.insert(loops.begin(), random_.between(1, 3));
    auto last = static_cast<unsigned>(loops.size());
    unsigned m = last - 3, n = last - 2, k = last - 1;
    std::vector<unsigned> a{m, k}, b{k, n}, c{m, n};
    if (random_.chance(20)) std::swap(b[0], b[1]);
    if (random_.chance(10)) std::swap(a[0], a[1]);
    if (random_.chance(10)) b.pop_back();  // the columns are all the same
    if (loops.size() == 4)
      for (auto* map : {&a, &b, &c})
        map->insert(map->begin(), 0u);
    std::string element = this->element();
    generic(loops, {k}, {plain(a), plain(b)}, plain(c), element, "mul", true);
  }

  void elementwise() {
    Shape loops(1 + random_.below(3));
    for (int64_t& size : loops)
      size = this->size();
    Map whole = plain(all(loops));
    generic(loops, {}, {whole, shuffledSome(loops)}, shuffled(loops), element(), "add", false);
  }

  void reduction() {
    Shape loops(2 + random_.below(2));
    for (int64_t& size : loops)
      size = this->size();
    std::vector<unsigned> kept, summed;
    for (unsigned loop = 0; loop < loops.size(); ++loop)
      (random_.chance(50) ? kept : summed).push_back(loop);
    if (summed.empty()) std::swap(kept, summed);
    generic(loops, summed, {plain(all(loops))}, plain(kept), element(), "", true);
  }

  /// Rows and columns of a window on the input, one or two dimensional.
  void convolution() {
    Shape loops{1 + random_.between(1, 7), pick<int64_t>({2, 4, 8}), pick<int64_t>({1, 2, 3}),
                size()};
    // d0: place, d1: feature, d2: window, d3: channel
    Map image{{0, 2}, {3}}, filter{{2}, {3}, {1}}, out{{0}, {1}};
    if (random_.chance(40)) {
      loops.push_back(random_.between(1, 4));
      image.push_back({4});
      out.push_back({4});
    }
    generic(loops, {2, 3}, {image, filter}, out, element(), "mul", true);
  }

  /// A permuted copy, or a fill.
  void anyMap() {
    Shape loops(1 + random_.below(3));
    for (int64_t& size : loops)
      size = this->size();
    if (random_.chance(30)) {
      fill(fresh(loops, element()));
      return;
    }
    generic(loops, {}, {shuffled(loops)}, plain(all(loops)), element(), "", false);
  }

  // -- Maps -------------------------------------------------------------------------------------

  static std::vector<unsigned> all(const Shape& loops) {
    std::vector<unsigned> list(loops.size());
    std::iota(list.begin(), list.end(), 0u);
    return list;
  }
  static Map plain(const std::vector<unsigned>& loops) {
    Map map;
    for (unsigned loop : loops)
      map.push_back({loop});
    return map;
  }
  Map shuffled(const Shape& loops) {
    std::vector<unsigned> order = all(loops);
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random_.below(i)]);
    return plain(order);
  }
  /// Some of the loops in any order: an operand that is the same along the others.
  Map shuffledSome(const Shape& loops) {
    Map map = shuffled(loops);
    while (map.size() > 1 && random_.chance(30))
      map.pop_back();
    return map;
  }

  static std::string mapText(const Map& map, size_t numLoops) {
    std::string dims, results;
    for (size_t i = 0; i < numLoops; ++i)
      dims += fmt::format("{}d{}", i ? ", " : "", i);
    for (const auto& sum : map) {
      std::string text;
      for (unsigned loop : sum)
        text += (text.empty() ? "d" : " + d") + std::to_string(loop);
      results += (results.empty() ? "" : ", ") + text;
    }
    return "affine_map<(" + dims + ") -> (" + results + ")>";
  }

  static Shape shapeOf(const Map& map, const Shape& loops) {
    Shape shape;
    for (const auto& sum : map) {
      int64_t extent = 1;
      for (unsigned loop : sum)
        extent += loops[loop] - 1;
      shape.push_back(extent);
    }
    return shape;
  }

  // -- Text -------------------------------------------------------------------------------------

  std::string fresh() { return "%v" + std::to_string(nextValue_++); }
  void line(const std::string& text) { body_ += "  " + text + "\n"; }

  std::string zero(const std::string& element) {
    std::string name = fresh();
    line(name + " = arith.constant " + (isFloat(element) ? "0.0" : "0") + " : " + element);
    return name;
  }

  void fill(const Buffer& out) {
    std::string value = zero(out.element);
    line("linalg.fill ins(" + value + " : " + out.element + ") outs(" + out.name + " : " +
         out.type() + ")");
  }

  /// out = sum of in0 `op` in1 (or of in0), or just that where nothing is summed up.
  void generic(const Shape& loops, const std::vector<unsigned>& summed, const std::vector<Map>& ins,
               const Map& outMap, const std::string& element, std::string_view op, bool sums) {
    std::vector<Buffer> inputs;
    for (const Map& map : ins)
      inputs.push_back(input(shapeOf(map, loops), element));
    Buffer out = fresh(shapeOf(outMap, loops), sums ? wide(element) : element);
    if (sums && random_.chance(70)) fill(out);
    std::string maps, kinds, names, types;
    for (const Map& map : ins)
      maps += mapText(map, loops.size()) + ", ";
    for (unsigned loop = 0; loop < loops.size(); ++loop) {
      bool isSum = std::find(summed.begin(), summed.end(), loop) != summed.end();
      kinds += std::string(loop ? ", " : "") + (isSum ? "\"reduction\"" : "\"parallel\"");
    }
    for (const Buffer& buffer : inputs) {
      names += (names.empty() ? "" : ", ") + buffer.name;
      types += (types.empty() ? "" : ", ") + buffer.type();
    }
    line("linalg.generic {indexing_maps = [" + maps + mapText(outMap, loops.size()) +
         "], iterator_types = [" + kinds + "]} ins(" + names + " : " + types + ") outs(" +
         out.name + " : " + out.type() + ") {");
    body(inputs.size(), element, out.element, op, sums);
    line("}");
  }

  void body(size_t numInputs, const std::string& element, const std::string& result,
            std::string_view op, bool sums) {
    std::string arguments;
    for (size_t i = 0; i < numInputs; ++i)
      arguments += fmt::format("%in{}: {}, ", i, element);
    line("^bb0(" + arguments + "%out: " + result + "):");
    std::string suffix = isFloat(result) ? "f" : "i";
    std::vector<std::string> values;
    for (size_t i = 0; i < numInputs; ++i)
      values.push_back(widened(fmt::format("%in{}", i), element, result));
    std::string value = values[0];
    if (values.size() > 1) {
      std::string combined = fresh();
      line(fmt::format("  {} = arith.{}{} {}, {} : {}", combined, op, suffix, value, values[1],
                       result));
      value = combined;
    }
    if (sums) {
      std::string sum = fresh();
      line(fmt::format("  {} = arith.add{} %out, {} : {}", sum, suffix, value, result));
      value = sum;
    }
    line("  linalg.yield " + value + " : " + result);
  }

  std::string widened(const std::string& value, const std::string& from, const std::string& to) {
    if (from == to) return value;
    std::string name = fresh();
    line(fmt::format("  {} = arith.{} {} : {} to {}", name, isFloat(to) ? "extf" : "extsi", value,
                     from, to));
    return name;
  }

  Random random_;
  std::vector<Buffer> buffers_;
  std::string body_;
  unsigned nextValue_ = 0;
};

}  // namespace

std::string generateNest(uint64_t seed) { return NestWriter(seed).write(); }

}  // namespace airlite::testing
