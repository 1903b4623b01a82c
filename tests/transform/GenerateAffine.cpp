// Affine maps, accesses and control flow.
#include "GenerateOps.hpp"

namespace airlite::evaluation {

namespace {

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

void addOperand(std::string& list, std::string& declared, std::vector<std::string>& names,
                const std::string& operand, char letter, size_t i) {
  const char* comma = list.empty() ? "" : ", ";
  names.push_back(fmt::format("{}{}", letter, i));
  list += comma + operand;
  declared += comma + names.back();
}

Operands affineOperands(Draft& d) {
  Operands out;
  size_t dims = d.scope.dims.empty() ? 0 : d.below(3), symbols = d.below(3);
  for (size_t i = 0; i < dims; ++i)
    addOperand(out.dims, out.declaredDims, out.names, d.pick(d.scope.dims).name, 'd', i);
  for (size_t i = 0; i < symbols; ++i)
    addOperand(out.symbols, out.declaredSymbols, out.names, d.pick(d.scope.symbols), 's', i);
  return out;
}

std::string expression(Draft& d, const std::vector<std::string>& names, size_t depth = 0) {
  static constexpr int64_t kConstants[] = {0, 1, 2, 3, -1, -3, 4, 8, 5};
  static constexpr int64_t kDivisors[] = {1, 2, 3, 4, 7, 8};
  if (depth > 2 || d.chance(25))
    return names.empty() || d.chance(30) ? std::to_string(d.pick(kConstants)) : d.pick(names);
  std::string a = expression(d, names, depth + 1);
  switch (d.below(6)) {
    case 0: return fmt::format("({} + {})", a, expression(d, names, depth + 1));
    case 1: return fmt::format("({} - {})", a, expression(d, names, depth + 1));
    case 2: return fmt::format("({} * {})", a, d.pick(kConstants));
    case 3: return fmt::format("({} mod {})", a, d.pick(kDivisors));
    case 4: return fmt::format("({} floordiv {})", a, d.pick(kDivisors));
    default: return fmt::format("({} ceildiv {})", a, d.pick(kDivisors));
  }
}

/// `%i * 2 + symbol(%n)` modulo the size of each dim.
std::string affineIndices(Draft& d, const Memory& memory) {
  std::vector<std::string> names, list;
  for (const Counter& dim : d.scope.dims)
    names.push_back(dim.name);
  if (!d.scope.symbols.empty() && d.chance(60))
    names.push_back("symbol(" + d.pick(d.scope.symbols) + ")");
  for (int64_t size : memory.sizes) {
    const Counter* dim = d.scope.dims.empty() ? nullptr : &d.pick(d.scope.dims);
    bool bare = dim && dim->limit <= size && d.chance(40);
    list.push_back(bare ? dim->name : fmt::format("{} mod {}", expression(d, names), size));
  }
  return joined(list);
}

}  // namespace

void applyOp(Draft& d) {
  static constexpr const char* kOps[] = {"apply", "apply", "min", "max"};
  Operands operands = affineOperands(d);
  std::string op = d.pick(kOps), results = expression(d, operands.names), name = d.fresh();
  for (size_t more = op == "apply" ? 0 : d.below(3); more > 0; --more)
    results += ", " + expression(d, operands.names);
  d.line("{} = affine.{} {}", name, op, operands.map(results));
  d.define(name, "index");
}

void affineLoadOp(Draft& d) {
  const Memory memory = d.pick(d.scope.memories);
  std::string name = d.fresh();
  d.line("{} = affine.load {}[{}] : {}", name, memory.name, affineIndices(d, memory), memory.type);
  d.define(name, memory.element);
}
void affineStoreOp(Draft& d) {
  const Memory memory = d.pick(d.scope.memories);
  std::string stored = d.value(memory.element);
  d.line("affine.store {}, {}[{}] : {}", stored, memory.name, affineIndices(d, memory),
         memory.type);
}

void affineForOp(Draft& d, size_t depth) {
  int64_t limit = int64_t(1) << d.below(3);
  Carried state = carried(d);
  std::string iv = d.fresh(), name, head = d.resultHead(state.types, name);
  std::string lower = d.chance(60) ? "0" : "1", upper = std::to_string(limit);
  if (d.chance(30)) {
    Operands operands = affineOperands(d);
    lower = "max " + operands.map("0, " + expression(d, operands.names));
  }
  if (d.chance(40)) {
    Operands operands = affineOperands(d);
    upper = "min " + operands.map(fmt::format("{}, {}", expression(d, operands.names), limit));
  }
  std::string step = d.chance(60) ? "" : fmt::format(" step {}", 1 + d.below(3));
  d.line("{}affine.for {} = {} to {}{}{} {{", head, iv, lower, upper, step, iterArgs(state));
  d.region([&] {
    d.define(iv, "index");
    d.scope.counters.push_back({iv, limit});
    d.scope.dims.push_back({iv, limit});
    enter(d, state);
    bodyAndYield(d, "affine.yield", state.types, depth);
  });
  d.line("}}");
  d.defineResults(name, state.types);
}

void affineIfOp(Draft& d, size_t depth) {
  std::vector<std::string> types = d.someTypes(1);
  Operands operands = affineOperands(d);
  std::string constraints = expression(d, operands.names) + (d.chance(75) ? " >= 0" : " == 0");
  if (d.chance(40)) constraints += ", " + expression(d, operands.names) + " >= 0";
  std::string name, head = d.resultHead(types, name);
  d.line("{}affine.if affine_set<({})[{}] : ({})>({})[{}]{} {{", head, operands.declaredDims,
         operands.declaredSymbols, constraints, operands.dims, operands.symbols,
         types.empty() ? "" : " -> " + joined(types));
  d.region([&] { bodyAndYield(d, "affine.yield", types, depth); });
  if (!types.empty() || d.chance(50)) {
    d.line("}} else {{");
    d.region([&] { bodyAndYield(d, "affine.yield", types, depth); });
  }
  d.line("}}");
  d.defineResults(name, types);
}

}  // namespace airlite::evaluation
