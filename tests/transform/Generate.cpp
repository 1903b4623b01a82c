// Random programs as text, so that what fails can be read and run as it is.
#include "GenerateOps.hpp"

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

std::string successor(Draft& d, size_t from,
                      const std::vector<std::vector<std::string>>& arguments) {
  size_t to = from + 1 + d.below(arguments.size() - from - 1);
  if (arguments[to].empty()) return fmt::format("^bb{}", to);
  return fmt::format("^bb{}({} : {})", to, d.valuesOf(arguments[to]), joined(arguments[to]));
}

void branch(Draft& d, size_t from, const std::vector<std::vector<std::string>>& arguments) {
  size_t kind = d.below(4);
  if (kind == 0) {
    std::string to = successor(d, from, arguments);
    return d.line("cf.br {}", to);
  }
  std::string first = successor(d, from, arguments), second = successor(d, from, arguments);
  if (kind < 3) {
    std::string condition = d.value("i1");
    return d.line("cf.cond_br {}, {}, {}", condition, first, second);
  }
  std::string third = successor(d, from, arguments), flag = d.value("i32");
  d.line("cf.switch {} : i32, [default: {}, 0: {}, {}: {}]", flag, first, second,
         d.chance(50) ? 1 : -1, third);
}

void statement(Draft& d, size_t depth) {
  static constexpr PlainOp kPlain[] = {
      integerOp,    integerOp, integerOp, integerOp,  compareOp, compareOp, selectOp, conversionOp,
      conversionOp, floatOp,   floatOp,   extendedOp, loadOp,    loadOp,    storeOp,  storeOp,
      allocOp,      castOp,    subviewOp, dimOp,      copyOp,    observeOp};
  static constexpr PlainOp kAffine[] = {applyOp, affineLoadOp, affineStoreOp};
  static constexpr NestedOp kNested[] = {ifOp,        ifOp,      forOp,           forOp,
                                         whileOp,     switchOp,  executeRegionOp, affineForOp,
                                         affineForOp, affineIfOp};
  // In functions of several blocks the depth starts at 2: values there are no symbols.
  if (depth < 2 && d.chance(25)) return d.pick(kNested)(d, depth);
  if (depth < 2 && d.chance(20)) return d.pick(kAffine)(d);
  d.pick(kPlain)(d);
}

std::string structured(Draft& d) {
  d.open();
  statements(d, 4 + d.below(14), 0);
  d.returnSome();
  return d.close();
}

std::string unstructured(Draft& d) {
  d.open();
  size_t count = 2 + d.below(4);
  // The signatures of all blocks first: branches go to later blocks only.
  std::vector<std::vector<std::string>> arguments(count);
  for (size_t i = 1; i < count; ++i)
    for (size_t n = d.below(3); n > 0; --n)
      arguments[i].push_back(d.anyType());
  statements(d, 2 + d.below(5), 2);
  branch(d, 0, arguments);
  Draft::Scope entry = d.scope;
  for (size_t i = 1; i < count; ++i) {
    d.scope = entry;
    d.label(i, arguments[i]);
    statements(d, 1 + d.below(4), 2);
    if (i + 1 < count) branch(d, i, arguments);
  }
  d.returnSome();
  return d.close();
}

}  // namespace

void statements(Draft& d, size_t count, size_t depth) {
  for (; count > 0; --count)
    statement(d, depth);
}

std::string randomProgram(Random& random, bool blocks) {
  Draft draft(random);
  return blocks ? unstructured(draft) : structured(draft);
}

}  // namespace airlite::evaluation
