// Random bodies of cores: everything in range, nothing undefined, so that the interpreter and the
// core have one answer.
#pragma once

#include "airlite/support/SplitMix64.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// The buffers that bodies use: a, b, c of 32 elements of i32, i16, i8 (CodegenTesting.hpp).
/// One class: each statement uses values that those before it left in the pool, and nests in the
/// others.
class RandomBody {
 public:
  struct Options {
    unsigned statements = 12;  ///< of each region
    unsigned depth = 3;        ///< of structured ops
    unsigned kept = 0;         ///< values that are all stored at the end: pressure
    bool blocks = false;       ///< cf blocks around
    bool calls = false;        ///< of @g0 and @g1, see functions()
  };

  RandomBody(SplitMix64& random, const Options& options) : random_(random), options_(options) {}

  std::string make() {
    for (int64_t i : {0, 1, 2, 3, 7, 31})
      line("%c{0} = arith.constant {0} : index", i);
    for (std::string_view type : kTypes)
      for (int64_t value : {0, 1, -1, 5, 31, 100})
        constant(type, value);
    constant("i32", 123456789);
    constant("i32", -987654321);
    if (options_.blocks)
      blocks();
    else
      statements(options_.depth);
    storeAll();
    return text_;
  }

  /// Functions that bodies with calls use.
  static std::string functions(SplitMix64& random) {
    std::string all;
    for (std::string_view signature :
         {"func.func private @g0(%a0: i32, %a1: i32) -> i32 attributes {noinline}",
          "func.func private @g1(%a: memref<32xi32, 2 : i32>, %a0: i32, %a2: i16) -> i32"}) {
      RandomBody body(random, {6, 1});
      bool first = signature.find("@g0") != std::string_view::npos;
      body.pool_["i32"] = {"%a0"};
      if (first)
        body.pool_["i32"].push_back("%a1");
      else
        body.pool_["i16"] = {"%a2"};
      body.buffers_ = first ? std::vector<std::string>{} : std::vector<std::string>{"a"};
      for (std::string_view type : kTypes)
        for (int64_t value : {0, 1, 31})
          body.constant(type, value);
      for (int64_t i : {0, 1, 2, 3, 7, 31})
        body.line("%c{0} = arith.constant {0} : index", i);
      body.statements(1);
      body.line("return {} : i32", body.any("i32"));
      all += fmt::format("{} {{\n{}}}\n", signature, body.text_);
    }
    return all;
  }

 private:
  static constexpr std::string_view kTypes[] = {"i32", "i16", "i8"};
  using Pool = std::map<std::string, std::vector<std::string>, std::less<>>;

  template <typename... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  uint64_t below(uint64_t n) { return random_.next() % n; }
  std::string name() { return fmt::format("%v{}", next_++); }
  std::string_view type() { return kTypes[below(3)]; }

  /// Values of the inner regions more often.
  std::string any(std::string_view type) {
    const std::vector<std::string>& all = pool_.find(type)->second;
    size_t window = below(2) ? std::min<size_t>(all.size(), 6) : all.size();
    return all[all.size() - 1 - below(window)];
  }
  void keep(std::string_view type, const std::string& value) {
    pool_[std::string(type)].push_back(value);
  }
  void constant(std::string_view type, int64_t value) {
    std::string result = name();
    line("{} = arith.constant {} : {}", result, value, type);
    keep(type, result);
  }

  void statements(unsigned depth) {
    for (unsigned i = 0, count = 1 + static_cast<unsigned>(below(options_.statements)); i < count;
         ++i)
      statement(depth);
  }

  void statement(unsigned depth) {
    switch (below(depth ? 12 : 8)) {
      case 0: return load();
      case 1: return store();
      case 2: return select();
      case 3: return width();
      case 4: return below(8) ? binary() : division();
      case 5: return options_.calls && !below(3) ? call() : shift();
      case 8: return ifOp(depth - 1);
      case 9:
      case 10: return below(5) ? forOp(depth - 1) : whileOp(depth - 1);
      default: return binary();
    }
  }

  void binary() {
    static constexpr std::string_view kOps[] = {"addi", "subi",  "muli",  "andi",  "ori",
                                                "xori", "minsi", "maxsi", "minui", "maxui"};
    std::string_view of = type();
    std::string a = any(of), b = any(of), r = name();
    line("{} = arith.{} {}, {} : {}", r, kOps[below(10)], a, b, of);
    keep(of, r);
  }

  void shift() {
    static constexpr std::string_view kOps[] = {"shli", "shrsi", "shrui"};
    std::string_view of = type();
    std::string a = any(of), mask = name(), amount = name(), r = name();
    line("{} = arith.constant {} : {}", mask, of == "i32" ? 31 : of == "i16" ? 15 : 7, of);
    line("{} = arith.andi {}, {} : {}", amount, any(of), mask, of);
    line("{} = arith.{} {}, {} : {}", r, kOps[below(3)], a, amount, of);
    keep(of, r);
  }

  void division() {
    static constexpr std::string_view kOps[] = {"divsi", "divui", "remsi", "remui"};
    std::string_view of = type();
    std::string mask = name(), one = name(), masked = name(), divisor = name(), r = name();
    line("{} = arith.constant {} : {}", mask, 62, of);
    line("{} = arith.constant {} : {}", one, below(4) ? 1 : -63, of);
    line("{} = arith.andi {}, {} : {}", masked, any(of), mask, of);
    // 1 to 63, or -63 with some of its bits: never 0; -1 only for what is not the smallest number.
    line("{} = arith.ori {}, {} : {}", divisor, masked, one, of);
    std::string dividend = name(), half = name();
    line("{} = arith.constant 1 : {}", half, of);
    line("{} = arith.ori {}, {} : {}", dividend, any(of), half, of);
    line("{} = arith.{} {}, {} : {}", r, kOps[below(4)], dividend, divisor, of);
    keep(of, r);
  }

  std::string comparison() {
    static constexpr std::string_view kPredicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                                       "sge", "ult", "ule", "ugt", "uge"};
    std::string_view of = type();
    std::string r = name();
    line("{} = arith.cmpi {}, {}, {} : {}", r, kPredicates[below(10)], any(of), any(of), of);
    if (below(3)) return r;
    std::string low = name();
    line("{} = arith.trunci {} : i32 to i1", low, any("i32"));
    std::string both = name();
    line("{} = arith.{} {}, {} : i1", both, below(2) ? "andi" : "xori", r, low);
    return both;
  }

  void select() {
    std::string_view of = type();
    std::string condition = comparison(), r = name();
    line("{} = arith.select {}, {}, {} : {}", r, condition, any(of), any(of), of);
    keep(of, r);
  }

  void width() {
    std::string r = name();
    switch (below(5)) {
      case 0: line("{} = arith.extsi {} : i8 to i32", r, any("i8")); return keep("i32", r);
      case 1: line("{} = arith.extui {} : i16 to i32", r, any("i16")); return keep("i32", r);
      case 2: line("{} = arith.trunci {} : i32 to i8", r, any("i32")); return keep("i8", r);
      case 3: line("{} = arith.trunci {} : i32 to i16", r, any("i32")); return keep("i16", r);
      default: line("{} = arith.extui {} : i8 to i16", r, any("i8")); return keep("i16", r);
    }
  }

  /// An index from 0 to 31.
  std::string index() {
    if (!indices_.empty() && below(2)) return indices_[below(indices_.size())];
    if (below(2)) return fmt::format("%c{}", std::array{0, 1, 2, 3, 7, 31}[below(6)]);
    std::string mask = name(), low = name(), r = name();
    line("{} = arith.constant {} : i32", mask, below(2) ? 31 : 3);
    line("{} = arith.andi {}, {} : i32", low, any("i32"), mask);
    line("{} = arith.index_cast {} : i32 to index", r, low);
    if (below(2)) return r;
    std::string less = name(), sum = name(), cast = name(), part = name();
    line("{} = arith.constant 24 : i32", part);
    line("{} = arith.andi {}, {} : i32", less, any("i32"), part);
    line("{} = arith.index_cast {} : i32 to index", cast, less);
    std::string small = name(), three = name(), again = name();
    line("{} = arith.constant 4 : i32", three);
    line("{} = arith.andi {}, {} : i32", small, any("i32"), three);
    line("{} = arith.index_cast {} : i32 to index", again, small);
    std::string first = name();
    line("{} = arith.addi {}, {} : index", first, cast, again);
    line("{} = arith.addi {}, %c{} : index", sum, first, std::array{0, 1, 2, 3}[below(4)]);
    return sum;
  }

  std::string memref(std::string_view of) { return fmt::format("memref<32x{}, 2 : i32>", of); }
  static std::string_view elementOf(std::string_view buffer) {
    return buffer == "a" ? "i32" : buffer == "b" ? "i16" : "i8";
  }

  void load() {
    if (buffers_.empty()) return binary();
    std::string buffer = buffers_[below(buffers_.size())], at = index(), r = name();
    std::string_view of = elementOf(buffer);
    line("{} = memref.load %{}[{}] : {}", r, buffer, at, memref(of));
    keep(of, r);
  }

  void store() {
    if (buffers_.empty()) return binary();
    std::string buffer = buffers_[below(buffers_.size())], at = index();
    std::string_view of = elementOf(buffer);
    line("memref.store {}, %{}[{}] : {}", any(of), buffer, at, memref(of));
  }

  void call() {
    std::string r = name();
    if (below(2))
      line("{} = func.call @g0({}, {}) : (i32, i32) -> i32", r, any("i32"), any("i32"));
    else
      line("{} = func.call @g1(%a, {}, {}) : (memref<32xi32, 2 : i32>, i32, i16) -> i32", r,
           any("i32"), any("i16"));
    keep("i32", r);
  }

  // -- Structure ----------------------------------------------------------------------------------

  /// What is made inside is not seen outside.
  template <typename Body> void scope(Body body) {
    Pool outer = pool_;
    std::vector<std::string> indices = indices_;
    body();
    pool_ = std::move(outer);
    indices_ = std::move(indices);
  }

  void ifOp(unsigned depth) {
    std::string condition = comparison(), r = name();
    std::string_view of = type();
    if (!below(3)) {
      line("scf.if {} {{", condition);
      scope([&] { statements(depth); });
      return line("}}");
    }
    line("{} = scf.if {} -> ({}) {{", r, condition, of);
    scope([&] {
      statements(depth);
      line("scf.yield {} : {}", any(of), of);
    });
    line("}} else {{");
    scope([&] {
      statements(depth);
      line("scf.yield {} : {}", any(of), of);
    });
    line("}}");
    keep(of, r);
  }

  void forOp(unsigned depth) {
    std::string iv = name(), r = name(), x = name(), y = name();
    std::string_view of = type(), second = type();
    std::string lower = fmt::format("%c{}", below(3)), upper = "%c7", step = "%c1";
    if (!below(3)) step = fmt::format("%c{}", 2 + below(2));
    if (!below(2)) {
      std::string mask = name(), low = name();
      upper = name();
      line("{} = arith.constant 7 : i32", mask);
      line("{} = arith.andi {}, {} : i32", low, any("i32"), mask);
      line("{} = arith.index_cast {} : i32 to index", upper, low);
    }
    line("{}:2 = scf.for {} = {} to {} step {} iter_args({} = {}, {} = {}) -> ({}, {}) {{", r, iv,
         lower, upper, step, x, any(of), y, any(second), of, second);
    scope([&] {
      indices_.push_back(iv);
      keep(of, x);
      keep(second, y);
      std::string number = name();
      line("{} = arith.index_cast {} : index to i32", number, iv);
      keep("i32", number);
      statements(depth);
      // Often what goes round is another's value: parallel copies.
      std::string a = of == second && !below(3) ? y : any(of), b = !below(3) ? y : any(second);
      if (of == second && a == y) b = x;
      line("scf.yield {}, {} : {}, {}", a, b, of, second);
    });
    line("}}");
    keep(of, r + "#0");
    keep(second, r + "#1");
  }

  /// Counts an i32 down from at most 7.
  void whileOp(unsigned depth) {
    std::string start = name(), mask = name(), r = name(), n = name(), x = name(), zero = name();
    std::string_view of = type();
    line("{} = arith.constant 7 : i32", mask);
    line("{} = arith.andi {}, {} : i32", start, any("i32"), mask);
    line("{} = arith.constant 0 : i32", zero);
    line("{}:2 = scf.while ({} = {}, {} = {}) : (i32, {}) -> (i32, {}) {{", r, n, start, x, any(of),
         of, of);
    std::string goesOn = name(), m = name(), y = name();
    scope([&] {
      keep(of, x);
      statements(0);
      line("{} = arith.cmpi sgt, {}, {} : i32", goesOn, n, zero);
      line("scf.condition({}) {}, {} : i32, {}", goesOn, n, any(of), of);
    });
    line("}} do {{");
    line("^bb0({}: i32, {}: {}):", m, y, of);
    scope([&] {
      std::string one = name(), less = name();
      keep(of, y);
      statements(depth);
      line("{} = arith.constant 1 : i32", one);
      line("{} = arith.subi {}, {} : i32", less, m, one);
      line("scf.yield {}, {} : i32, {}", less, any(of), of);
    });
    line("}}");
    keep("i32", r + "#0");
    keep(of, r + "#1");
  }

  // -- Blocks -------------------------------------------------------------------------------------

  /// A chain of blocks with two arguments each; some run again while a count lasts, some are jumped
  /// over.
  void blocks() {
    const unsigned count = 2 + static_cast<unsigned>(below(5));
    line("cf.br ^bb0({}, {} : i32, i16)", any("i32"), any("i16"));
    for (unsigned b = 0; b < count; ++b)
      scope([&] { block(b, count); });
    line("^bb{}(%end: i32, %end16: i16):", count);
    keep("i32", "%end");
    keep("i16", "%end16");
  }

  void block(unsigned number, unsigned count) {
    std::string x = name(), y = name();
    line("^bb{}({}: i32, {}: i16):", number, x, y);
    bool loops = !below(3);
    if (loops) {  // counts in a block of its own
      std::string seven = name(), start = name(), n = name(), v = name();
      line("{} = arith.constant 7 : i32", seven);
      line("{} = arith.andi {}, {} : i32", start, x, seven);
      line("cf.br ^loop{}({}, {} : i32, i32)", number, start, x);
      line("^loop{}({}: i32, {}: i32):", number, n, v);
      keep("i32", v);
      keep("i16", y);
      scope([&] {
        statements(1);
        std::string one = name(), less = name(), zero = name(), goesOn = name(), w = any("i32");
        line("{} = arith.constant 1 : i32", one);
        line("{} = arith.subi {}, {} : i32", less, n, one);
        line("{} = arith.constant 0 : i32", zero);
        line("{} = arith.cmpi sgt, {}, {} : i32", goesOn, n, zero);
        line("cf.cond_br {}, ^loop{}({}, {} : i32, i32), ^bb{}({}, {} : i32, i16)", goesOn, number,
             less, w, number + 1, w, any("i16"));
      });
      return;
    }
    keep("i32", x);
    keep("i16", y);
    statements(2);
    unsigned far = std::min(number + 2, count);
    line("cf.cond_br {}, ^bb{}({}, {} : i32, i16), ^bb{}({}, {} : i32, i16)", comparison(),
         number + 1, any("i32"), any("i16"), far, any("i32"), any("i16"));
  }

  void storeAll() {
    for (unsigned i = 0; i < options_.kept + 4; ++i) {
      std::string_view of = type();
      std::string_view buffer = of == "i32" ? "a" : of == "i16" ? "b" : "c";
      const std::vector<std::string>& all = pool_.find(of)->second;
      std::string at = name();
      line("{} = arith.constant {} : index", at, below(32));
      line("memref.store {}, %{}[{}] : {}", all[below(all.size())], buffer, at, memref(of));
    }
  }

  SplitMix64& random_;
  Options options_;
  std::string text_;
  unsigned next_ = 0;
  Pool pool_;
  std::vector<std::string> indices_;
  std::vector<std::string> buffers_ = {"a", "b", "c"};
};

}  // namespace airlite::npu::codegen
