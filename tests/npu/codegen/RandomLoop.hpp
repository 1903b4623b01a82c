// Random innermost loops as kernels have them: accesses of vectors and of scalars at sums of loop
// variables, values that are carried from round to round, few rounds and many. With all units in
// use, also lanes of floats, comparisons of lanes, and products of tiles.
#pragma once

#include "CodegenTesting.hpp"

#include <fmt/format.h>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// One class: each value that a loop computes is taken from the pools of those before it.
class RandomLoop {
 public:
  enum class Units { Integers, All };
  explicit RandomLoop(SplitMix64& random, Units units = Units::Integers,
                      const isa::InstructionSet& set = isa::aie2())
      : random_(random), usesAll_(units == Units::All), isAie2_(&set == &isa::aie2()) {}

  /// The buffers that loops use, of 2,048 bytes each.
  static const std::vector<TestBuffer>& buffers(Units units = Units::Integers) {
    static const std::vector<TestBuffer> kIntegers = {
        {"a", "i32", 512, 4}, {"b", "i16", 1024, 2}, {"c", "i8", 2048, 1}};
    static const std::vector<TestBuffer> kAll = {{"a", "i32", 512, 4},
                                                 {"b", "i16", 1024, 2},
                                                 {"c", "i8", 2048, 1},
                                                 {"f", "f32", 512, 4},
                                                 {"h", "bf16", 1024, 2}};
    return units == Units::All ? kAll : kIntegers;
  }

  std::string make() {
    for (const Kind& kind : kinds()) {
      std::string type = typeOf(kind), zero = name(), one = name();
      line("{} = arith.constant {} : {}", zero, constantOf(kind, 0), type);
      line("{} = arith.constant {} : {}", one, constantOf(kind, below(2) ? 3 : -5), type);
      values_[type] = {zero, one};
    }
    line("%k0 = arith.constant 0 : index");
    for (const Product& product : products())
      loadSum(product, "%k0");
    line("%k1 = arith.constant 1 : index");
    hasOuter_ = below(2);
    rows_ = below(4) ? 0 : 2 + below(5);
    line("%outer = arith.constant {} : index", 1 + below(3));
    if (hasOuter_) line("scf.for %j = %k0 to %outer step %k1 {{");
    loop();
    if (hasOuter_) line("}}");
    return text_;
  }

 private:
  struct Kind {
    std::string_view buffer, element;
    unsigned elementBytes, lanes;  ///< one lane: a scalar
    bool isFloat() const { return element == "f32" || element == "bf16"; }
  };
  /// A product of the matrix unit: rows of elements, the tiles that they are, and the sums.
  struct Product {
    std::string_view left, leftTile, right, rightTile, row, wide, sum, buffer, depth;
    unsigned lanes;           ///< of the row of sums
    std::string_view column;  ///< of the left tile, which alone is multiplied; empty: the tile
  };
  static constexpr Kind kKinds[] = {
      {"a", "i32", 4, 1},  {"b", "i16", 2, 1},  {"c", "i8", 1, 1},    {"a", "i32", 4, 8},
      {"a", "i32", 4, 16}, {"b", "i16", 2, 16}, {"b", "i16", 2, 32},  {"c", "i8", 1, 32},
      {"c", "i8", 1, 64},  {"f", "f32", 4, 16}, {"h", "bf16", 2, 16}, {"h", "bf16", 2, 32}};
  static constexpr size_t kIntegerKinds = 9;
  static constexpr Product kProducts[] = {
      {"vector<32xi8>", "vector<4x8xi8>", "vector<64xi8>", "vector<8x8xi8>", "vector<32xi32>",
       "vector<32xi32>", "vector<4x8xi32>", "a", "", 32, ""},
      {"vector<16xi16>", "vector<4x4xi16>", "vector<16xi16>", "vector<4x4xi16>", "vector<16xi32>",
       "vector<16xi64>", "vector<4x4xi64>", "a", "", 16, ""},
      {"vector<32xbf16>", "vector<4x8xbf16>", "vector<32xbf16>", "vector<8x4xbf16>",
       "vector<16xf32>", "vector<16xf32>", "vector<4x4xf32>", "f", "air.sum_depth = 8 : i64, ", 16,
       ""}};
  static constexpr Product kAie2pProducts[] = {
      {"vector<64xi8>", "vector<8x8xi8>", "vector<64xi8>", "vector<8x8xi8>", "vector<64xi32>",
       "vector<64xi32>", "vector<8x8xi32>", "a", "", 64, ""},
      {"vector<16xi16>", "vector<8x2xi16>", "vector<16xi16>", "vector<2x8xi16>", "vector<64xi32>",
       "vector<64xi32>", "vector<8x8xi32>", "a", "", 64, ""},
      {"vector<32xbf16>", "vector<2x16xbf16>", "vector<32xbf16>", "vector<1x32xbf16>",
       "vector<64xf32>", "vector<64xf32>", "vector<2x32xf32>", "f", "air.sum_depth = 1 : i64, ", 64,
       "vector<2x1xbf16>"}};
  static constexpr unsigned kBufferBytes = 2048, kMostOuter = 3;

  template <typename... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  uint64_t below(uint64_t n) { return random_.next() % n; }
  std::string name() { return fmt::format("%v{}", next_++); }
  static std::string typeOf(const Kind& kind) {
    return kind.lanes == 1 ? std::string(kind.element)
                           : fmt::format("vector<{}x{}>", kind.lanes, kind.element);
  }
  static std::string memrefOf(const Kind& kind) {
    return fmt::format("memref<{}x{}, 2 : i32>", kBufferBytes / kind.elementBytes, kind.element);
  }
  static std::string constantOf(const Kind& kind, int value) {
    std::string number = fmt::format("{}", value);
    if (kind.isFloat()) number = fmt::format("{:.2f}", value * 0.25);
    return kind.lanes == 1 ? number : fmt::format("dense<{}>", number);
  }
  std::span<const Kind> kinds() const {
    return std::span(kKinds).first(usesAll_ ? std::size(kKinds) : kIntegerKinds);
  }
  std::span<const Product> products() const {
    if (!usesAll_) return {};
    return isAie2_ ? std::span<const Product>(kProducts) : kAie2pProducts;
  }
  const Kind& kind() { return kinds()[below(kinds().size())]; }
  std::string any(const std::string& type) {
    const std::vector<std::string>& all = values_[type];
    return all[all.size() - 1 - below(std::min<size_t>(all.size(), 4))];
  }

  void loop() {
    trips_ = below(4) ? 1 + below(24) : 1 + below(3);
    const uint64_t step = rows_ || below(3) ? 1 : 2, lower = rows_ ? 0 : below(3);
    std::string from = name(), to = name(), by = name();
    line("{} = arith.constant {} : index", from, lower);
    line("{} = arith.constant {} : index", to, lower + trips_ * step - below(step));
    line("{} = arith.constant {} : index", by, step);
    largest_ = lower + (trips_ - 1) * step;
    const Kind &first = kind(), &second = kind();
    const bool carriesSum = usesAll_ && below(3) == 0;
    const Product* product = carriesSum ? &products()[below(products().size())] : nullptr;
    const std::string one = product ? std::string(product->sum) : typeOf(first);
    const std::string two = typeOf(second), result = name();
    line("{}:2 = scf.for %i = {} to {} step {} iter_args(%x = {}, %y = {}) -> ({}, {}) {{", result,
         from, to, by, any(one), any(two), one, two);
    auto outside = values_;
    values_[one].push_back("%x");
    values_[two].push_back("%y");
    for (uint64_t i = 0, count = 2 + below(10); i < count; ++i)
      statement();
    line("scf.yield {}, {} : {}, {}", any(one), any(two), one, two);
    line("}}");
    values_ = std::move(outside);
    if (product)
      storeSum(*product, result + "#0", "%k0");
    else
      store(first, result + "#0", "%k0");
    store(second, result + "#1", "%k0");
  }

  void statement() {
    if (usesAll_ && below(4) == 0) return unitOp();
    const Kind& of = kind();
    switch (below(5)) {
      case 0:
      case 1: return load(of);
      case 2: return store(of, any(typeOf(of)), index(of));
      case 3:
        if (of.lanes > 1 && !of.isFloat()) return broadcast(of);
        [[fallthrough]];
      default: return binary(of);
    }
  }

  void binary(const Kind& of) {
    static constexpr std::string_view kOps[] = {"addi", "subi", "muli", "andi", "xori", "maxsi"};
    static constexpr std::string_view kFloats[] = {"addf", "subf", "mulf", "maximumf", "minimumf"};
    std::string_view op = kOps[0];
    if (!of.isFloat()) op = kOps[below(std::size(kOps))];
    if (of.isFloat()) op = kFloats[below(of.element == "f32" ? 2 : std::size(kFloats))];
    std::string type = typeOf(of), r = name();
    line("{} = arith.{} {}, {} : {}", r, op, any(type), any(type), type);
    values_[type].push_back(r);
  }

  // -- What only some units of the core do --------------------------------------------------------

  void unitOp() {
    const Product& product = products()[below(products().size())];
    switch (below(6)) {
      case 0: return loadSum(product, sumIndex(product));
      case 1: return storeSum(product, any(std::string(product.sum)), sumIndex(product));
      case 2: return selectLanes(kKinds[3 + below(kIntegerKinds - 3)]);
      case 3: return convert();
      case 4: return productOfF32();
      default: return contract(product);
    }
  }

  static Kind rowsOf(const Product& product) {
    return {product.buffer, product.buffer == "a" ? "i32" : "f32", 4, product.lanes};
  }
  std::string sumIndex(const Product& product) { return index(rowsOf(product)); }

  void loadSum(const Product& product, const std::string& at) {
    std::string row = name(), wide = row, sum = name();
    line("{} = vector.load %{}[{}] : {}, {}", row, product.buffer, at, memrefOf(rowsOf(product)),
         product.row);
    if (product.wide != product.row)
      line("{} = arith.extsi {} : {} to {}", wide = name(), row, product.row, product.wide);
    line("{} = vector.shape_cast {} : {} to {}", sum, wide, product.wide, product.sum);
    values_[std::string(product.sum)].push_back(sum);
  }

  void storeSum(const Product& product, const std::string& sum, const std::string& at) {
    std::string wide = name(), row = wide;
    line("{} = vector.shape_cast {} : {} to {}", wide, sum, product.sum, product.wide);
    if (product.wide != product.row)
      line("{} = arith.trunci {} : {} to {}", row = name(), wide, product.wide, product.row);
    line("vector.store {}, %{}[{}] : {}, {}", row, product.buffer, at, memrefOf(rowsOf(product)),
         product.row);
  }

  void contract(const Product& product) {
    std::string left = name(), right = name(), r = name(), type(product.sum);
    line("{} = vector.shape_cast {} : {} to {}", left, any(std::string(product.left)), product.left,
         product.leftTile);
    line("{} = vector.shape_cast {} : {} to {}", right, any(std::string(product.right)),
         product.right, product.rightTile);
    std::string tile(product.leftTile);
    if (!product.column.empty()) {
      const std::string column = name();
      line(
          "{} = vector.extract_strided_slice {} {{offsets = [0, {}], sizes = [2, 1], strides = [1, "
          "1]}} : {} to {}",
          column, left, below(16), product.leftTile, product.column);
      left = column;
      tile = product.column;
    }
    line(
        "{} = vector.contract {{{}indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, "
        "n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", "
        "\"parallel\", \"reduction\"], kind = #vector.kind<add>}} {}, {}, {} : {}, {} into {}",
        r, product.depth, left, right, any(type), tile, product.rightTile, type);
    values_[type].push_back(r);
  }

  void selectLanes(const Kind& of) {
    static constexpr std::string_view kPredicates[] = {"eq", "slt", "sge", "ult"};
    std::string type = typeOf(of), mask = name(), r = name();
    line("{} = arith.cmpi {}, {}, {} : {}", mask, kPredicates[below(std::size(kPredicates))],
         any(type), any(type), type);
    line("{} = arith.select {}, {}, {} : vector<{}xi1>, {}", r, mask, any(type), any(type),
         of.lanes, type);
    values_[type].push_back(r);
  }

  void convert() {
    const std::string wide = "vector<16xf32>", narrow = "vector<16xbf16>", r = name();
    const bool widens = below(2);
    line("{} = arith.{} {} : {} to {}", r, widens ? "extf" : "truncf", any(widens ? narrow : wide),
         widens ? narrow : wide, widens ? wide : narrow);
    values_[widens ? wide : narrow].push_back(r);
  }

  void productOfF32() {
    static constexpr std::string_view kPieces[] = {"1, 1", "1, 2", "2, 1", "2, 2", "3, 3"};
    const std::string type = "vector<16xf32>", r = name();
    line("{} = math.fma {}, {}, {} {{air.bf16_pieces = array<i64: {}{}>}} : {}", r, any(type),
         any(type), any(type), kPieces[below(std::size(kPieces))], isAie2_ ? "" : ", 1", type);
    values_[type].push_back(r);
  }

  // -- Memory ------------------------------------------------------------------------------------

  void broadcast(const Kind& of) {
    std::string type = typeOf(of), r = name();
    line("{} = vector.broadcast {} : {} to {}", r, any(std::string(of.element)), of.element, type);
    values_[type].push_back(r);
  }

  void load(const Kind& of) {
    std::string at = index(of), r = name(), type = typeOf(of);
    if (of.lanes == 1)
      line("{} = memref.load %{}[{}] : {}", r, of.buffer, at, memrefOf(of));
    else
      line("{} = vector.load %{}[{}] : {}, {}", r, of.buffer, at, memrefOf(of), type);
    values_[type].push_back(r);
  }

  void store(const Kind& of, const std::string& value, const std::string& at) {
    if (of.lanes == 1)
      line("memref.store {}, %{}[{}] : {}", value, of.buffer, at, memrefOf(of));
    else
      line("vector.store {}, %{}[{}] : {}, {}", value, of.buffer, at, memrefOf(of), typeOf(of));
  }

  /// A sum of the loop variables that stays inside of the buffer, in steps of 32 bytes for vectors,
  /// on AIE2P of 64 for those of 512 bits or more.
  std::string index(const Kind& of) {
    const bool isWide = !isAie2_ && of.lanes * of.elementBytes >= 64;
    const uint64_t unit = of.lanes == 1 ? 1 : (isWide ? 64 : 32) / of.elementBytes;
    const uint64_t end = (kBufferBytes / of.elementBytes - of.lanes) / unit;  // the largest index
    const uint64_t perRound = below(std::min<uint64_t>(end / (largest_ + 1), 5) + 1);
    uint64_t left = end - perRound * largest_;
    std::string sum = scaled("%i", perRound * unit);
    if (rows_ && below(2)) sum = rowIndex(perRound * unit);
    if (hasOuter_ && below(2)) {
      const uint64_t perOuter = below(std::min<uint64_t>(left / kMostOuter, 7) + 1);
      left -= perOuter * (kMostOuter - 1);
      sum = plus(sum, scaled("%j", perOuter * unit));
    }
    std::string constant = name();
    line("{} = arith.constant {} : index", constant,
         unit * below(std::min<uint64_t>(left, 40) + 1));
    return plus(sum, constant);
  }
  std::string scaled(const std::string& value, uint64_t factor) {
    std::string by = name(), r = name();
    line("{} = arith.constant {} : index", by, factor);
    line("{} = arith.muli {}, {} : index", r, value, by);
    return r;
  }
  std::string plus(const std::string& a, const std::string& b) {
    std::string r = name();
    line("{} = arith.addi {}, {} : index", r, a, b);
    return r;
  }
  /// At most as large as `factor` times the round: its row, or its place in the row.
  std::string rowIndex(uint64_t factor) {
    std::string length = name(), part = name();
    line("{} = arith.constant {} : index", length, rows_);
    line("{} = arith.{} %i, {} : index", part, below(2) ? "remui" : "divui", length);
    return scaled(part, factor);
  }

  SplitMix64& random_;
  bool usesAll_, isAie2_;
  std::string text_;
  unsigned next_ = 0;
  bool hasOuter_ = false;
  uint64_t rows_ = 0, trips_ = 0, largest_ = 0;
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace airlite::npu::codegen
