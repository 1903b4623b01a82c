// Random programs as text, so that what fails can be read and run as it is.
#include "Generate.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace airlite::evaluation {

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> list = {
      {"%i0", "i32", nullptr, {}},
      {"%i1", "i32", nullptr, {}},
      {"%j0", "i64", nullptr, {}},
      {"%k0", "i8", nullptr, {}},
      {"%p0", "i1", nullptr, {}},
      {"%x0", "index", nullptr, {}},
      {"%x1", "index", nullptr, {}},
      {"%f0", "f32", nullptr, {}},
      {"%g0", "f64", nullptr, {}},
      {"%m0", "memref<8xi32>", "i32", {8}},
      {"%m1", "memref<4x4xf32>", "f32", {4, 4}},
      {"%m2", "memref<2x8xi64, strided<[?, 1], offset: ?>>", "i64", {2, 8}},
      {"%m3", "memref<?xindex>", "index", {4}},
      {"%m4", "memref<8xi32>", "i32", {8}},
  };
  return list;
}

namespace {

constexpr const char* kInts[] = {"i1", "i5", "i8", "i16", "i32", "i64", "index"};
constexpr const char* kFloats[] = {"f32", "f64"};

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

unsigned widthOf(std::string_view type) {
  if (type == "index") return 64;
  return static_cast<unsigned>(std::stoul(std::string(type.substr(1))));
}

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  std::string structured() {
    open();
    statements(4 + below(14), 0);
    returnSome();
    return close();
  }

  std::string unstructured() {
    open();
    size_t count = 2 + below(4);
    // The signatures of all blocks first: branches go to later blocks only.
    std::vector<std::vector<std::string>> arguments(count);
    for (size_t i = 1; i < count; ++i)
      for (size_t n = below(3); n > 0; --n)
        arguments[i].push_back(anyType());
    statements(2 + below(5), 2);
    branch(0, arguments);
    Scope entry = scope_;
    for (size_t i = 1; i < count; ++i) {
      scope_ = entry;
      label(i, arguments[i]);
      statements(1 + below(4), 2);
      if (i + 1 < count) branch(i, arguments);
    }
    returnSome();
    return close();
  }

 private:
  struct Scope {
    std::vector<Variable> variables;
    std::vector<Memory> memories;
    std::vector<Counter> counters;
    std::vector<Counter> dims;         // of affine loops
    std::vector<std::string> symbols;  // index values at the top of the function
  };

  // -- Choosing

  size_t below(size_t bound) { return random_() % bound; }
  bool chance(size_t percent) { return below(100) < percent; }
  template <class List> auto pick(const List& list) -> decltype(list[0]) {
    return list[below(std::size(list))];
  }
  std::string anyInt() { return pick(kInts); }
  std::string anyType() { return chance(75) ? anyInt() : std::string(pick(kFloats)); }
  static bool isFloat(std::string_view type) { return type[0] == 'f'; }

  // -- Writing

  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    text_.append(static_cast<size_t>(2 * indent_), ' ');
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string fresh() { return fmt::format("%v{}", next_++); }
  std::string define(const std::string& name, const std::string& type) {
    scope_.variables.push_back({name, type});
    if (type == "index" && atTop_) scope_.symbols.push_back(name);
    return name;
  }

  void open() {
    text_ = "func.func private @observe(i32)\nfunc.func @f(";
    for (const Parameter& parameter : parameters()) {
      text_ +=
          fmt::format("{}{}: {}", text_.back() == '(' ? "" : ", ", parameter.name, parameter.type);
      if (parameter.element)
        scope_.memories.push_back(
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
      size_t back = below(std::min<size_t>(scope_.variables.size(), 12));
      const Variable& variable = scope_.variables[scope_.variables.size() - 1 - back];
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
    for (const Variable& variable : scope_.variables)
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
  static std::string joined(const std::vector<std::string>& list) {
    std::string out;
    for (const std::string& entry : list)
      out += (out.empty() ? "" : ", ") + entry;
    return out;
  }

  /// A value in [0, limit); limits are powers of two.
  std::string indexBelow(int64_t limit) {
    for (const Counter& counter : scope_.counters)
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

  // -- Scalars

  void integerOp() {
    static constexpr const char* kOps[] = {
        "addi",  "addi",      "subi",      "muli",       "divsi", "divui", "remsi",
        "remui", "ceildivsi", "ceildivui", "floordivsi", "andi",  "ori",   "xori",
        "shli",  "shrsi",     "shrui",     "maxsi",      "minsi", "maxui", "minui"};
    std::string op = pick(kOps), type = anyInt(), a = value(type), b = value(type), flags;
    bool mayOverflow = op == "addi" || op == "subi" || op == "muli" || op == "shli";
    if (mayOverflow && chance(25)) flags = pick(kFlags_);
    std::string name = fresh();
    line("{} = arith.{} {}, {}{} : {}", name, op, a, b, flags, type);
    define(name, type);
  }

  void extendedOp() {
    std::string op = pick(kExtended_), type = anyInt(), a = value(type), b = value(type);
    std::string first = fresh(), second = fresh(), high = op == "addui_extended" ? "i1" : type;
    std::string types = op == "addui_extended" ? type + ", i1" : type;
    line("{}, {} = arith.{} {}, {} : {}", first, second, op, a, b, types);
    define(first, type);
    define(second, high);
  }

  void compareOp() {
    static constexpr const char* kPredicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                                  "sge", "ult", "ule", "ugt", "uge"};
    static constexpr const char* kOrders[] = {"oeq", "ogt", "oge",   "olt", "ole", "one",
                                              "ord", "ueq", "ugt",   "uge", "ult", "ule",
                                              "une", "uno", "false", "true"};
    std::string type = anyType(), a = value(type), b = value(type), name = fresh();
    if (isFloat(type))
      line("{} = arith.cmpf {}, {}, {} : {}", name, pick(kOrders), a, b, type);
    else
      line("{} = arith.cmpi {}, {}, {} : {}", name, pick(kPredicates), a, b, type);
    define(name, "i1");
  }

  void selectOp() {
    std::string type = anyType(), condition = value("i1"), a = value(type), b = value(type);
    std::string name = fresh();
    line("{} = arith.select {}, {}, {} : {}", name, condition, a, b, type);
    define(name, type);
  }

  void floatOp() {
    static constexpr const char* kOps[] = {"addf",     "subf",     "mulf",    "divf",   "remf",
                                           "maximumf", "minimumf", "maxnumf", "minnumf"};
    std::string type = pick(kFloats), a = value(type), b = value(type), name = fresh();
    if (chance(15))
      line("{} = arith.negf {} : {}", name, a, type);
    else
      line("{} = arith.{} {}, {} : {}", name, pick(kOps), a, b, type);
    define(name, type);
  }

  void convert(const char* op, const std::string& from, const std::string& to) {
    std::string operand = value(from), name = fresh();
    line("{} = arith.{} {} : {} to {}", name, op, operand, from, to);
    define(name, to);
  }

  void conversionOp() {
    std::string a = anyInt(), b = anyInt();
    if (chance(30))
      return convert(pick(kFromInt_), value(a).empty() ? a : noIndex(a), pick(kFloats));
    if (chance(15)) return convert(pick(kToInt_), pick(kFloats), noIndex(a));
    if (chance(10)) return convert("bitcast", "f32", "i32");
    if (chance(10)) return convert("bitcast", "i64", "f64");
    if (chance(10)) return convert("extf", "f32", "f64");
    if (chance(10)) return convert("truncf", "f64", "f32");
    if (a == "index" || b == "index") {
      std::string other = noIndex(a == "index" ? b : a);
      bool to = chance(50);
      return convert(pick(kIndexCasts_), to ? other : "index", to ? "index" : other);
    }
    if (widthOf(a) == widthOf(b)) return;
    bool widens = widthOf(a) < widthOf(b);
    convert(widens ? pick(kExtensions_) : "trunci", a, b);
  }
  std::string noIndex(const std::string& type) { return type == "index" ? "i64" : type; }

  // -- Memory

  void loadOp() {
    const Memory memory = pick(scope_.memories);
    std::string at = indices(memory), name = fresh();
    line("{} = memref.load {}[{}] : {}", name, memory.name, at, memory.type);
    define(name, memory.element);
  }
  void storeOp() {
    const Memory memory = pick(scope_.memories);
    std::string at = indices(memory), stored = value(memory.element);
    line("memref.store {}, {}[{}] : {}", stored, memory.name, at, memory.type);
  }

  void allocOp() {
    static constexpr const char* kElements[] = {"i32", "i64", "f32", "index", "i1"};
    Memory memory{fresh(), "", pick(kElements), {}};
    std::string shape;
    for (size_t dims = 1 + below(2); dims > 0; --dims) {
      memory.sizes.push_back(int64_t(1) << below(4));
      shape += fmt::format("{}x", memory.sizes.back());
    }
    memory.type = fmt::format("memref<{}{}>", shape, memory.element);
    line("{} = memref.{}() : {}", memory.name, chance(50) ? "alloc" : "alloca", memory.type);
    scope_.memories.push_back(memory);
  }

  void castOp() {
    const Memory memory = pick(scope_.memories);
    if (memory.type.find(',') != memory.type.npos || memory.type.find('?') != memory.type.npos)
      return;
    std::string shape;
    for (size_t i = 0; i < memory.sizes.size(); ++i)
      shape += i == 0 || chance(50) ? std::string("?x") : fmt::format("{}x", memory.sizes[i]);
    Memory result{fresh(), fmt::format("memref<{}{}>", shape, memory.element), memory.element,
                  memory.sizes};
    line("{} = memref.cast {} : {} to {}", result.name, memory.name, memory.type, result.type);
    scope_.memories.push_back(result);
  }

  /// Half of each dim, at a static or dynamic offset.
  void subviewOp() {
    const Memory memory = pick(scope_.memories);
    std::string offsets, sizes, steps, type;
    Memory result{"", "", memory.element, {}};
    for (int64_t size : memory.sizes) {
      if (size < 2) return;
      bool strided = chance(30);
      std::string offset = strided      ? "0"
                           : chance(50) ? std::to_string(below(static_cast<size_t>(size / 2 + 1)))
                                        : indexBelow(size / 2);
      const char* comma = offsets.empty() ? "" : ", ";
      offsets += comma + offset;
      sizes += comma + std::to_string(size / 2);
      steps += comma + std::string(strided ? "2" : "1");
      type += fmt::format("{}x", size / 2);
      result.sizes.push_back(size / 2);
    }
    std::string unknown;
    for (size_t i = 0; i < memory.sizes.size(); ++i)
      unknown += i ? ", ?" : "?";
    std::string name = fresh();
    std::string loose =
        fmt::format("memref<{}{}, strided<[{}], offset: ?>>", type, memory.element, unknown);
    subview(memory, result, fmt::format("[{}] [{}] [{}]", offsets, sizes, steps), loose);
  }

  /// The exact type of a subview is the reader's to infer; a reinterpretation with all unknown comes
  /// first, so that the loose type is the exact one.
  void subview(const Memory& memory, Memory result, const std::string& lists,
               const std::string& type) {
    std::string unknown, shape;
    for (size_t i = 0; i < memory.sizes.size(); ++i) {
      unknown += i ? ", ?" : "?";
      shape += fmt::format("{}x", memory.sizes[i]);
    }
    std::string loose =
        fmt::format("memref<{}{}, strided<[{}], offset: ?>>", shape, memory.element, unknown);
    std::string from = memory.name;
    if (loose != memory.type) {
      from = fresh();
      line("{} = memref.cast {} : {} to {}", from, memory.name, memory.type, loose);
    }
    result.name = fresh();
    result.type = type;
    line("{} = memref.subview {}{} : {} to {}", result.name, from, lists, loose, type);
    scope_.memories.push_back(result);
  }

  void dimOp() {
    const Memory memory = pick(scope_.memories);
    std::string which = constantIndex(static_cast<int64_t>(below(memory.sizes.size())));
    std::string name = fresh();
    line("{} = memref.dim {}, {} : {}", name, memory.name, which, memory.type);
    define(name, "index");
  }

  void copyOp() {
    const Memory from = pick(scope_.memories), to = pick(scope_.memories);
    if (from.sizes != to.sizes || from.element != to.element) return;
    line("memref.copy {}, {} : {} to {}", from.name, to.name, from.type, to.type);
  }

  void observeOp() { line("func.call @observe({}) : (i32) -> ()", value("i32")); }

  // -- scf

  /// Writes `inside` as a region with its own scope; what it defines is gone afterwards.
  template <class Inside> void region(Inside inside) {
    Scope saved = scope_;
    bool top = std::exchange(atTop_, false);
    ++indent_;
    inside();
    --indent_;
    atTop_ = top;
    scope_ = saved;
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
  void yield(const char* op, const std::vector<std::string>& types) {
    std::string names = valuesOf(types);
    if (!types.empty()) line("{} {} : {}", op, names, joined(types));
  }

  void ifOp(size_t depth) {
    std::vector<std::string> types = someTypes(2);
    std::string condition = value("i1"), name, head = resultHead(types, name);
    std::string arrow = types.empty() ? "" : fmt::format(" -> ({})", joined(types));
    line("{}scf.if {}{} {{", head, condition, arrow);
    region([&] { bodyAndYield("scf.yield", types, depth); });
    if (!types.empty() || chance(50)) {
      line("}} else {{");
      region([&] { bodyAndYield("scf.yield", types, depth); });
    }
    line("}}");
    defineResults(name, types);
  }

  void bodyAndYield(const char* op, const std::vector<std::string>& types, size_t depth) {
    statements(below(4), depth + 1);
    yield(op, types);
  }

  struct Carried {
    std::vector<std::string> types;
    std::vector<std::string> names;  // in the body
    std::string assignments;         // "%a = %b, ..."
  };
  Carried carried() {
    Carried out{someTypes(2), {}, ""};
    for (const std::string& type : out.types) {
      std::string start = value(type);
      out.names.push_back(fresh());
      out.assignments +=
          fmt::format("{}{} = {}", out.assignments.empty() ? "" : ", ", out.names.back(), start);
    }
    return out;
  }
  std::string iterArgs(const Carried& carried) {
    if (carried.types.empty()) return "";
    return fmt::format(" iter_args({}) -> ({})", carried.assignments, joined(carried.types));
  }
  void enter(const Carried& carried) {
    for (size_t i = 0; i < carried.types.size(); ++i)
      define(carried.names[i], carried.types[i]);
  }

  void forOp(size_t depth) {
    int64_t limit = int64_t(1) << below(3);
    Carried state = carried();
    std::string lower = constantIndex(chance(70) ? 0 : 1),
                step = constantIndex(1 + static_cast<int64_t>(below(2)));
    std::string upper = chance(50) ? constantIndex(limit) : indexBelow(limit);
    std::string iv = fresh(), name, head = resultHead(state.types, name);
    line("{}scf.for {} = {} to {} step {}{} {{", head, iv, lower, upper, step, iterArgs(state));
    region([&] {
      define(iv, "index");
      scope_.counters.push_back({iv, limit});
      enter(state);
      bodyAndYield("scf.yield", state.types, depth);
    });
    line("}}");
    defineResults(name, state.types);
  }

  /// Counts an i32 up to a constant; a random condition may end it sooner.
  void whileOp(size_t depth) {
    Carried state = carried();
    std::string counter = fresh(), zero = constant32(0), name = fresh();
    std::vector<std::string> types = state.types;
    types.insert(types.begin(), "i32");
    std::string list = joined(types);
    line("{}{} = scf.while ({} = {}{}) : ({}) -> ({}) {{", name,
         types.size() == 1 ? "" : fmt::format(":{}", types.size()), counter, zero,
         state.assignments.empty() ? "" : ", " + state.assignments, list, list);
    region([&] {
      define(counter, "i32");
      enter(state);
      statements(below(3), depth + 1);
      std::string limit = constant32(static_cast<int64_t>(below(4))), below = fresh(),
                  both = fresh();
      line("{} = arith.cmpi slt, {}, {} : i32", below, counter, limit);
      line("{} = arith.andi {}, {} : i1", both, below, value("i1"));
      std::string passed = counter;
      for (const std::string& type : state.types)
        passed += ", " + value(type);
      line("scf.condition({}) {} : {}", chance(50) ? both : below, passed, list);
    });
    line("}} do {{");
    std::string arguments;
    std::vector<std::string> names;
    for (const std::string& type : types) {
      names.push_back(fresh());
      arguments += fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", names.back(), type);
    }
    region([&] {
      line("^bb0({}):", arguments);
      for (size_t i = 0; i < types.size(); ++i)
        define(names[i], types[i]);
      statements(below(3), depth + 1);
      std::string one = constant32(1), next = fresh();
      line("{} = arith.addi {}, {} : i32", next, names[0], one);
      std::string passed = next;
      for (const std::string& type : state.types)
        passed += ", " + value(type);
      line("scf.yield {} : {}", passed, list);
    });
    line("}}");
    defineResults(name, types);
  }
  std::string constant32(int64_t value) {
    std::string name = fresh();
    line("{} = arith.constant {} : i32", name, value);
    return define(name, "i32");
  }

  void switchOp(size_t depth) {
    std::vector<std::string> types = someTypes(2);
    std::string arg = chance(70) ? indexBelow(4) : value("index"), name,
                head = resultHead(types, name);
    line("{}scf.index_switch {}{}", head, arg, types.empty() ? "" : " -> " + joined(types));
    for (size_t i = 0, cases = 1 + below(3); i < cases; ++i) {
      line("case {} {{", i * 2);
      region([&] {
        bodyAndYield("scf.yield", types, depth);
        if (types.empty()) line("scf.yield");
      });
      line("}}");
    }
    line("default {{");
    region([&] {
      bodyAndYield("scf.yield", types, depth);
      if (types.empty()) line("scf.yield");
    });
    line("}}");
    defineResults(name, types);
  }

  void executeRegionOp(size_t depth) {
    std::string name = fresh(), type = anyType();
    line("{} = scf.execute_region -> {} {{", name, type);
    region([&] { bodyAndYield("scf.yield", {type}, depth); });
    line("}}");
    define(name, type);
  }

  // -- affine

  /// Operands of a map and the expressions that may use them: `d0`, `s0`, ...
  struct Operands {
    std::string dims, symbols;
    std::string declaredDims, declaredSymbols;
    std::vector<std::string> names;
    std::string map(const std::string& results) const {
      return fmt::format("affine_map<({})[{}] -> ({})>({})[{}]", declaredDims, declaredSymbols,
                         results, dims, symbols);
    }
  };

  static void addOperand(std::string& list, std::string& declared, std::vector<std::string>& names,
                         const std::string& operand, char letter, size_t i) {
    const char* comma = list.empty() ? "" : ", ";
    names.push_back(fmt::format("{}{}", letter, i));
    list += comma + operand;
    declared += comma + names.back();
  }

  Operands affineOperands() {
    Operands out;
    size_t dims = scope_.dims.empty() ? 0 : below(3), symbols = below(3);
    for (size_t i = 0; i < dims; ++i)
      addOperand(out.dims, out.declaredDims, out.names, pick(scope_.dims).name, 'd', i);
    for (size_t i = 0; i < symbols; ++i)
      addOperand(out.symbols, out.declaredSymbols, out.names, pick(scope_.symbols), 's', i);
    return out;
  }

  std::string expression(const std::vector<std::string>& names, size_t depth = 0) {
    static constexpr int64_t kConstants[] = {0, 1, 2, 3, -1, -3, 4, 8, 5};
    static constexpr int64_t kDivisors[] = {1, 2, 3, 4, 7, 8};
    if (depth > 2 || chance(25))
      return names.empty() || chance(30) ? std::to_string(pick(kConstants)) : pick(names);
    std::string a = expression(names, depth + 1);
    switch (below(6)) {
      case 0: return fmt::format("({} + {})", a, expression(names, depth + 1));
      case 1: return fmt::format("({} - {})", a, expression(names, depth + 1));
      case 2: return fmt::format("({} * {})", a, pick(kConstants));
      case 3: return fmt::format("({} mod {})", a, pick(kDivisors));
      case 4: return fmt::format("({} floordiv {})", a, pick(kDivisors));
      default: return fmt::format("({} ceildiv {})", a, pick(kDivisors));
    }
  }

  void applyOp() {
    static constexpr const char* kOps[] = {"apply", "apply", "min", "max"};
    Operands operands = affineOperands();
    std::string op = pick(kOps), results = expression(operands.names), name = fresh();
    for (size_t more = op == "apply" ? 0 : below(3); more > 0; --more)
      results += ", " + expression(operands.names);
    line("{} = affine.{} {}", name, op, operands.map(results));
    define(name, "index");
  }

  /// `%i * 2 + symbol(%n)` modulo the size of each dim.
  std::string affineIndices(const Memory& memory) {
    std::vector<std::string> names, list;
    for (const Counter& dim : scope_.dims)
      names.push_back(dim.name);
    if (!scope_.symbols.empty() && chance(60))
      names.push_back("symbol(" + pick(scope_.symbols) + ")");
    for (int64_t size : memory.sizes) {
      const Counter* dim = scope_.dims.empty() ? nullptr : &pick(scope_.dims);
      bool bare = dim && dim->limit <= size && chance(40);
      list.push_back(bare ? dim->name : fmt::format("{} mod {}", expression(names), size));
    }
    return joined(list);
  }
  void affineLoadOp() {
    const Memory memory = pick(scope_.memories);
    std::string name = fresh();
    line("{} = affine.load {}[{}] : {}", name, memory.name, affineIndices(memory), memory.type);
    define(name, memory.element);
  }
  void affineStoreOp() {
    const Memory memory = pick(scope_.memories);
    std::string stored = value(memory.element);
    line("affine.store {}, {}[{}] : {}", stored, memory.name, affineIndices(memory), memory.type);
  }

  void affineForOp(size_t depth) {
    int64_t limit = int64_t(1) << below(3);
    Carried state = carried();
    std::string iv = fresh(), name, head = resultHead(state.types, name);
    std::string lower = chance(60) ? "0" : "1", upper = std::to_string(limit);
    if (chance(30)) {
      Operands operands = affineOperands();
      lower = "max " + operands.map("0, " + expression(operands.names));
    }
    if (chance(40)) {
      Operands operands = affineOperands();
      upper = "min " + operands.map(fmt::format("{}, {}", expression(operands.names), limit));
    }
    std::string step = chance(60) ? "" : fmt::format(" step {}", 1 + below(3));
    line("{}affine.for {} = {} to {}{}{} {{", head, iv, lower, upper, step, iterArgs(state));
    region([&] {
      define(iv, "index");
      scope_.counters.push_back({iv, limit});
      scope_.dims.push_back({iv, limit});
      enter(state);
      bodyAndYield("affine.yield", state.types, depth);
    });
    line("}}");
    defineResults(name, state.types);
  }

  void affineIfOp(size_t depth) {
    std::vector<std::string> types = someTypes(1);
    Operands operands = affineOperands();
    std::string constraints = expression(operands.names) + (chance(75) ? " >= 0" : " == 0");
    if (chance(40)) constraints += ", " + expression(operands.names) + " >= 0";
    std::string name, head = resultHead(types, name);
    line("{}affine.if affine_set<({})[{}] : ({})>({})[{}]{} {{", head, operands.declaredDims,
         operands.declaredSymbols, constraints, operands.dims, operands.symbols,
         types.empty() ? "" : " -> " + joined(types));
    region([&] { bodyAndYield("affine.yield", types, depth); });
    if (!types.empty() || chance(50)) {
      line("}} else {{");
      region([&] { bodyAndYield("affine.yield", types, depth); });
    }
    line("}}");
    defineResults(name, types);
  }

  // -- cf

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

  std::string successor(size_t from, const std::vector<std::vector<std::string>>& arguments) {
    size_t to = from + 1 + below(arguments.size() - from - 1);
    if (arguments[to].empty()) return fmt::format("^bb{}", to);
    return fmt::format("^bb{}({} : {})", to, valuesOf(arguments[to]), joined(arguments[to]));
  }

  void branch(size_t from, const std::vector<std::vector<std::string>>& arguments) {
    size_t kind = below(4);
    if (kind == 0) {
      std::string to = successor(from, arguments);
      return line("cf.br {}", to);
    }
    std::string first = successor(from, arguments), second = successor(from, arguments);
    if (kind < 3) {
      std::string condition = value("i1");
      return line("cf.cond_br {}, {}, {}", condition, first, second);
    }
    std::string third = successor(from, arguments), flag = value("i32");
    line("cf.switch {} : i32, [default: {}, 0: {}, {}: {}]", flag, first, second,
         chance(50) ? 1 : -1, third);
  }

  // -- Statements

  void statements(size_t count, size_t depth) {
    for (; count > 0; --count)
      statement(depth);
  }

  void statement(size_t depth) {
    using Plain = void (Writer::*)();
    using Nested = void (Writer::*)(size_t);
    static constexpr Plain kPlain[] = {
        &Writer::integerOp,    &Writer::integerOp, &Writer::integerOp, &Writer::integerOp,
        &Writer::compareOp,    &Writer::compareOp, &Writer::selectOp,  &Writer::conversionOp,
        &Writer::conversionOp, &Writer::floatOp,   &Writer::floatOp,   &Writer::extendedOp,
        &Writer::loadOp,       &Writer::loadOp,    &Writer::storeOp,   &Writer::storeOp,
        &Writer::allocOp,      &Writer::castOp,    &Writer::subviewOp, &Writer::dimOp,
        &Writer::copyOp,       &Writer::observeOp};
    static constexpr Plain kAffine[] = {&Writer::applyOp, &Writer::affineLoadOp,
                                        &Writer::affineStoreOp};
    static constexpr Nested kNested[] = {
        &Writer::ifOp,        &Writer::ifOp,      &Writer::forOp,           &Writer::forOp,
        &Writer::whileOp,     &Writer::switchOp,  &Writer::executeRegionOp, &Writer::affineForOp,
        &Writer::affineForOp, &Writer::affineIfOp};
    // In functions of several blocks the depth starts at 2: values there are no symbols.
    if (depth < 2 && chance(25)) return (this->*pick(kNested))(depth);
    if (depth < 2 && chance(20)) return (this->*pick(kAffine))();
    (this->*pick(kPlain))();
  }

  static constexpr const char* kFlags_[] = {" overflow<nsw>", " overflow<nuw>",
                                            " overflow<nsw, nuw>"};
  static constexpr const char* kExtended_[] = {"addui_extended", "mulsi_extended",
                                               "mului_extended"};
  static constexpr const char* kFromInt_[] = {"sitofp", "uitofp"};
  static constexpr const char* kToInt_[] = {"fptosi", "fptoui"};
  static constexpr const char* kIndexCasts_[] = {"index_cast", "index_castui"};
  static constexpr const char* kExtensions_[] = {"extsi", "extui"};

  Random& random_;
  std::string text_;
  Scope scope_;
  int indent_ = 0;
  int next_ = 0;
  bool atTop_ = true;
};

}  // namespace

std::string randomProgram(Random& random, bool blocks) {
  return blocks ? Writer(random).unstructured() : Writer(random).structured();
}

}  // namespace airlite::evaluation
