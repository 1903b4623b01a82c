// Random innermost loops as kernels have them: accesses of vectors and of scalars at sums of loop
// variables, values that are carried from round to round, few rounds and many.
#pragma once

#include "CodegenTesting.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

class RandomLoop {
 public:
  explicit RandomLoop(SplitMix64& random) : random_(random) {}

  /// The buffers that loops use, of 2,048 bytes each.
  static const std::vector<TestBuffer>& buffers() {
    static const std::vector<TestBuffer> kBuffers = {
        {"a", "i32", 512, 4}, {"b", "i16", 1024, 2}, {"c", "i8", 2048, 1}};
    return kBuffers;
  }

  std::string make() {
    for (const Kind& kind : kKinds) {
      std::string type = typeOf(kind), zero = name(), one = name();
      line("{} = arith.constant {} : {}", zero, constantOf(kind, 0), type);
      line("{} = arith.constant {} : {}", one, constantOf(kind, below(2) ? 3 : -5), type);
      values_[type] = {zero, one};
    }
    line("%k0 = arith.constant 0 : index");
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
  };
  static constexpr Kind kKinds[] = {{"a", "i32", 4, 1},  {"b", "i16", 2, 1},  {"c", "i8", 1, 1},
                                    {"a", "i32", 4, 8},  {"a", "i32", 4, 16}, {"b", "i16", 2, 16},
                                    {"b", "i16", 2, 32}, {"c", "i8", 1, 32},  {"c", "i8", 1, 64}};
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
    return kind.lanes == 1 ? fmt::format("{}", value) : fmt::format("dense<{}>", value);
  }
  const Kind& kind() { return kKinds[below(std::size(kKinds))]; }
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
    const std::string one = typeOf(first), two = typeOf(second), result = name();
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
    store(first, result + "#0", "%k0");
    store(second, result + "#1", "%k0");
  }

  void statement() {
    const Kind& of = kind();
    switch (below(5)) {
      case 0:
      case 1: return load(of);
      case 2: return store(of, any(typeOf(of)), index(of));
      case 3:
        if (of.lanes > 1) return broadcast(of);
        [[fallthrough]];
      default: return binary(of);
    }
  }

  void binary(const Kind& of) {
    static constexpr std::string_view kOps[] = {"addi", "subi", "muli", "andi", "xori", "maxsi"};
    std::string type = typeOf(of), r = name();
    line("{} = arith.{} {}, {} : {}", r, kOps[below(std::size(kOps))], any(type), any(type), type);
    values_[type].push_back(r);
  }

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

  /// A sum of the loop variables that stays inside of the buffer, in steps of 32 bytes for vectors.
  std::string index(const Kind& of) {
    const uint64_t unit = of.lanes == 1 ? 1 : 32 / of.elementBytes;
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
  std::string text_;
  unsigned next_ = 0;
  bool hasOuter_ = false;
  uint64_t rows_ = 0, trips_ = 0, largest_ = 0;
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace airlite::npu::codegen
