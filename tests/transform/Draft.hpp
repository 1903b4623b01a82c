// A random program while it is written: its text, and the names that ops may use.
#pragma once

#include "Generate.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airlite::evaluation {

inline constexpr const char* kInts[] = {"i1", "i5", "i8", "i16", "i32", "i64", "index"};
inline constexpr const char* kFloats[] = {"f32", "f64"};

struct Variable {
  std::string name;
  std::string type;
};
struct Memory {
  std::string name;
  std::string type;
  std::string element;
  std::vector<int64_t> sizes;
};
/// An index known to lie in [0, limit).
struct Counter {
  std::string name;
  int64_t limit;
};

inline unsigned widthOf(std::string_view type) {
  if (type == "index") return 64;
  return static_cast<unsigned>(std::stoul(std::string(type.substr(1))));
}

inline bool isFloat(std::string_view type) { return type[0] == 'f'; }

inline std::string joined(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& entry : list)
    out += (out.empty() ? "" : ", ") + entry;
  return out;
}

class Draft {
 public:
  explicit Draft(Random& random) : random_(random) {}

  struct Scope {
    std::vector<Variable> variables;
    std::vector<Memory> memories;
    std::vector<Counter> counters;
    std::vector<Counter> dims;         // of affine loops
    std::vector<std::string> symbols;  // index values at the top of the function
  };
  Scope scope;

  // -- Choosing

  size_t below(size_t bound) { return random_() % bound; }
  bool chance(size_t percent) { return below(100) < percent; }
  template <class List> auto pick(const List& list) -> decltype(list[0]) {
    return list[below(std::size(list))];
  }
  std::string anyInt() { return pick(kInts); }
  std::string anyType() { return chance(75) ? anyInt() : std::string(pick(kFloats)); }

  // -- Writing

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    text_.append(static_cast<size_t>(2 * indent_), ' ');
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string fresh() { return fmt::format("%v{}", next_++); }
  std::string define(const std::string& name, const std::string& type) {
    scope.variables.push_back({name, type});
    if (type == "index" && atTop_) scope.symbols.push_back(name);
    return name;
  }

  void open() {
    text_ = "func.func private @observe(i32)\nfunc.func @f(";
    for (const Parameter& parameter : parameters()) {
      text_ +=
          fmt::format("{}{}: {}", text_.back() == '(' ? "" : ", ", parameter.name, parameter.type);
      if (parameter.element)
        scope.memories.push_back(
            {parameter.name, parameter.type, parameter.element, parameter.sizes});
      else
        define(parameter.name, parameter.type);
    }
    text_ += ") -> (@RESULTS@) {\n";
    indent_ = 1;
  }

  void returnSome() {
    std::string names, types;
    for (size_t i = 1 + below(4); i > 0; --i) {
      // What was defined last depends on most.
      size_t back = below(std::min<size_t>(scope.variables.size(), 12));
      const Variable& variable = scope.variables[scope.variables.size() - 1 - back];
      names += (names.empty() ? "" : ", ") + variable.name;
      types += (types.empty() ? "" : ", ") + variable.type;
    }
    line("return {} : {}", names, types);
    text_.replace(text_.find("@RESULTS@"), 9, types);
  }

  std::string close() { return text_ + "}\n"; }

  // -- Operands

  int64_t interesting(unsigned width) {
    static constexpr int64_t kSmall[] = {0, 1, -1, 2, 3, 4, 7, 8, -2, 5, 16, 31, 32, 63};
    if (chance(70)) return clamp(pick(kSmall), width);
    if (chance(50))
      return clamp(chance(50) ? INT64_MIN >> (64 - width) : INT64_MAX >> (64 - width), width);
    return clamp(static_cast<int64_t>(random_()), width);
  }
  static int64_t clamp(int64_t value, unsigned width) {
    if (width == 1) return value & 1;
    return width >= 64 ? value : (value << (64 - width)) >> (64 - width);
  }

  std::string constant(const std::string& type) {
    static constexpr const char* kNumbers[] = {"0.0", "-0.0",   "1.0",  "-1.0",    "0.5",
                                               "3.0", "1.0e10", "-2.5", "1.0e-30", "1.0e38"};
    std::string name = fresh();
    if (type == "i1")
      line("{} = arith.constant {}", name, chance(50) ? "true" : "false");
    else if (isFloat(type))
      line("{} = arith.constant {} : {}", name, pick(kNumbers), type);
    else
      line("{} = arith.constant {} : {}", name, interesting(widthOf(type)), type);
    return define(name, type);
  }
  std::string constantIndex(int64_t value) {
    std::string name = fresh();
    line("{} = arith.constant {} : index", name, value);
    return define(name, "index");
  }

  /// A value of `type`: mostly one that was defined lately.
  std::string value(const std::string& type) {
    std::vector<const Variable*> found;
    for (const Variable& variable : scope.variables)
      if (variable.type == type) found.push_back(&variable);
    if (found.empty() || chance(15)) return constant(type);
    if (chance(60)) return found[found.size() - 1 - below(std::min<size_t>(3, found.size()))]->name;
    return pick(found)->name;
  }

  std::string valuesOf(const std::vector<std::string>& types) {
    std::string names;
    for (const std::string& type : types)
      names += (names.empty() ? "" : ", ") + value(type);
    return names;
  }
  /// A value in [0, limit); limits are powers of two.
  std::string indexBelow(int64_t limit) {
    for (const Counter& counter : scope.counters)
      if (counter.limit <= limit && chance(40)) return counter.name;
    if (chance(40)) return constantIndex(static_cast<int64_t>(below(static_cast<size_t>(limit))));
    std::string from = value("index"), bound = constantIndex(chance(50) ? limit : limit - 1);
    std::string name = fresh();
    bool exact = text_.find(fmt::format("{} = arith.constant {} :", bound, limit)) != text_.npos;
    line("{} = arith.{} {}, {} : index", name, exact ? "remui" : "andi", from, bound);
    return define(name, "index");
  }

  std::string indices(const Memory& memory) {
    std::vector<std::string> list;
    for (int64_t size : memory.sizes)
      list.push_back(indexBelow(size));
    return joined(list);
  }

  std::string constant32(int64_t value) {
    std::string name = fresh();
    line("{} = arith.constant {} : i32", name, value);
    return define(name, "i32");
  }

  // -- Regions and results

  /// Writes `inside` as a region with its own scope; what it defines is gone afterwards.
  template <class Inside> void region(Inside inside) {
    Scope saved = scope;
    bool top = std::exchange(atTop_, false);
    ++indent_;
    inside();
    --indent_;
    atTop_ = top;
    scope = saved;
  }

  std::vector<std::string> someTypes(size_t most) {
    std::vector<std::string> types;
    for (size_t n = below(most + 1); n > 0; --n)
      types.push_back(anyType());
    return types;
  }
  std::string resultHead(const std::vector<std::string>& types, std::string& name) {
    name = fresh();
    if (types.empty()) return "";
    return types.size() == 1 ? name + " = " : fmt::format("{}:{} = ", name, types.size());
  }
  void defineResults(const std::string& name, const std::vector<std::string>& types) {
    for (size_t i = 0; i < types.size(); ++i)
      define(types.size() == 1 ? name : fmt::format("{}#{}", name, i), types[i]);
  }

  /// The label of a block, with new arguments of these types.
  void label(size_t i, const std::vector<std::string>& types) {
    std::string arguments;
    for (const std::string& type : types) {
      std::string name = fresh();
      arguments += fmt::format("{}{}: {}", arguments.empty() ? "(" : ", ", name, type);
      define(name, type);
    }
    --indent_;
    line("^bb{}{}:", i, arguments.empty() ? "" : arguments + ")");
    ++indent_;
  }

 private:
  Random& random_;
  std::string text_;
  int indent_ = 0;
  int next_ = 0;
  bool atTop_ = true;
};

}  // namespace airlite::evaluation
