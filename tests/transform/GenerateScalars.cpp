// Ops on numbers.
#include "GenerateOps.hpp"

namespace airlite::evaluation {

namespace {

constexpr const char* kFlags[] = {" overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"};
constexpr const char* kExtended[] = {"addui_extended", "mulsi_extended", "mului_extended"};
constexpr const char* kFromInt[] = {"sitofp", "uitofp"};
constexpr const char* kToInt[] = {"fptosi", "fptoui"};
constexpr const char* kIndexCasts[] = {"index_cast", "index_castui"};
constexpr const char* kExtensions[] = {"extsi", "extui"};

std::string noIndex(const std::string& type) { return type == "index" ? "i64" : type; }

void convert(Draft& d, const char* op, const std::string& from, const std::string& to) {
  std::string operand = d.value(from), name = d.fresh();
  d.line("{} = arith.{} {} : {} to {}", name, op, operand, from, to);
  d.define(name, to);
}

}  // namespace

void integerOp(Draft& d) {
  static constexpr const char* kOps[] = {
      "addi",  "addi",      "subi",      "muli",       "divsi", "divui", "remsi",
      "remui", "ceildivsi", "ceildivui", "floordivsi", "andi",  "ori",   "xori",
      "shli",  "shrsi",     "shrui",     "maxsi",      "minsi", "maxui", "minui"};
  std::string op = d.pick(kOps), type = d.anyInt(), a = d.value(type), b = d.value(type), flags;
  bool mayOverflow = op == "addi" || op == "subi" || op == "muli" || op == "shli";
  if (mayOverflow && d.chance(25)) flags = d.pick(kFlags);
  std::string name = d.fresh();
  d.line("{} = arith.{} {}, {}{} : {}", name, op, a, b, flags, type);
  d.define(name, type);
}

void extendedOp(Draft& d) {
  std::string op = d.pick(kExtended), type = d.anyInt(), a = d.value(type), b = d.value(type);
  std::string first = d.fresh(), second = d.fresh(), high = op == "addui_extended" ? "i1" : type;
  std::string types = op == "addui_extended" ? type + ", i1" : type;
  d.line("{}, {} = arith.{} {}, {} : {}", first, second, op, a, b, types);
  d.define(first, type);
  d.define(second, high);
}

void compareOp(Draft& d) {
  static constexpr const char* kPredicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                                "sge", "ult", "ule", "ugt", "uge"};
  static constexpr const char* kOrders[] = {"oeq", "ogt", "oge",   "olt", "ole", "one",
                                            "ord", "ueq", "ugt",   "uge", "ult", "ule",
                                            "une", "uno", "false", "true"};
  std::string type = d.anyType(), a = d.value(type), b = d.value(type), name = d.fresh();
  if (isFloat(type))
    d.line("{} = arith.cmpf {}, {}, {} : {}", name, d.pick(kOrders), a, b, type);
  else
    d.line("{} = arith.cmpi {}, {}, {} : {}", name, d.pick(kPredicates), a, b, type);
  d.define(name, "i1");
}

void selectOp(Draft& d) {
  std::string type = d.anyType(), condition = d.value("i1"), a = d.value(type), b = d.value(type);
  std::string name = d.fresh();
  d.line("{} = arith.select {}, {}, {} : {}", name, condition, a, b, type);
  d.define(name, type);
}

void floatOp(Draft& d) {
  static constexpr const char* kOps[] = {"addf",     "subf",     "mulf",    "divf",   "remf",
                                         "maximumf", "minimumf", "maxnumf", "minnumf"};
  std::string type = d.pick(kFloats), a = d.value(type), b = d.value(type), name = d.fresh();
  if (d.chance(15))
    d.line("{} = arith.negf {} : {}", name, a, type);
  else
    d.line("{} = arith.{} {}, {} : {}", name, d.pick(kOps), a, b, type);
  d.define(name, type);
}

void conversionOp(Draft& d) {
  std::string a = d.anyInt(), b = d.anyInt();
  if (d.chance(30))
    return convert(d, d.pick(kFromInt), d.value(a).empty() ? a : noIndex(a), d.pick(kFloats));
  if (d.chance(15)) return convert(d, d.pick(kToInt), d.pick(kFloats), noIndex(a));
  if (d.chance(10)) return convert(d, "bitcast", "f32", "i32");
  if (d.chance(10)) return convert(d, "bitcast", "i64", "f64");
  if (d.chance(10)) return convert(d, "extf", "f32", "f64");
  if (d.chance(10)) return convert(d, "truncf", "f64", "f32");
  if (a == "index" || b == "index") {
    std::string other = noIndex(a == "index" ? b : a);
    bool to = d.chance(50);
    return convert(d, d.pick(kIndexCasts), to ? other : "index", to ? "index" : other);
  }
  if (widthOf(a) == widthOf(b)) return;
  bool widens = widthOf(a) < widthOf(b);
  convert(d, widens ? d.pick(kExtensions) : "trunci", a, b);
}
std::string noIndex(const std::string& type) { return type == "index" ? "i64" : type; }

}  // namespace airlite::evaluation
