// Structured control flow.
#include "GenerateOps.hpp"

namespace airlite::evaluation {

namespace {

void yield(Draft& d, const char* op, const std::vector<std::string>& types) {
  std::string names = d.valuesOf(types);
  if (!types.empty()) d.line("{} {} : {}", op, names, joined(types));
}

}  // namespace

void ifOp(Draft& d, size_t depth) {
  std::vector<std::string> types = d.someTypes(2);
  std::string condition = d.value("i1"), name, head = d.resultHead(types, name);
  std::string arrow = types.empty() ? "" : fmt::format(" -> ({})", joined(types));
  d.line("{}scf.if {}{} {{", head, condition, arrow);
  d.region([&] { bodyAndYield(d, "scf.yield", types, depth); });
  if (!types.empty() || d.chance(50)) {
    d.line("}} else {{");
    d.region([&] { bodyAndYield(d, "scf.yield", types, depth); });
  }
  d.line("}}");
  d.defineResults(name, types);
}

void bodyAndYield(Draft& d, const char* op, const std::vector<std::string>& types, size_t depth) {
  statements(d, d.below(4), depth + 1);
  yield(d, op, types);
}

Carried carried(Draft& d) {
  Carried out{d.someTypes(2), {}, ""};
  for (const std::string& type : out.types) {
    std::string start = d.value(type);
    out.names.push_back(d.fresh());
    out.assignments +=
        fmt::format("{}{} = {}", out.assignments.empty() ? "" : ", ", out.names.back(), start);
  }
  return out;
}
std::string iterArgs(const Carried& carried) {
  if (carried.types.empty()) return "";
  return fmt::format(" iter_args({}) -> ({})", carried.assignments, joined(carried.types));
}
void enter(Draft& d, const Carried& carried) {
  for (size_t i = 0; i < carried.types.size(); ++i)
    d.define(carried.names[i], carried.types[i]);
}

void forOp(Draft& d, size_t depth) {
  int64_t limit = int64_t(1) << d.below(3);
  Carried state = carried(d);
  std::string lower = d.constantIndex(d.chance(70) ? 0 : 1),
              step = d.constantIndex(1 + static_cast<int64_t>(d.below(2)));
  std::string upper = d.chance(50) ? d.constantIndex(limit) : d.indexBelow(limit);
  std::string iv = d.fresh(), name, head = d.resultHead(state.types, name);
  d.line("{}scf.for {} = {} to {} step {}{} {{", head, iv, lower, upper, step, iterArgs(state));
  d.region([&] {
    d.define(iv, "index");
    d.scope.counters.push_back({iv, limit});
    enter(d, state);
    bodyAndYield(d, "scf.yield", state.types, depth);
  });
  d.line("}}");
  d.defineResults(name, state.types);
}

/// Counts an i32 up to a constant; a random condition may end it sooner.
void whileOp(Draft& d, size_t depth) {
  Carried state = carried(d);
  std::string counter = d.fresh(), zero = d.constant32(0), name = d.fresh();
  std::vector<std::string> types = state.types;
  types.insert(types.begin(), "i32");
  std::string list = joined(types);
  d.line("{}{} = scf.while ({} = {}{}) : ({}) -> ({}) {{", name,
         types.size() == 1 ? "" : fmt::format(":{}", types.size()), counter, zero,
         state.assignments.empty() ? "" : ", " + state.assignments, list, list);
  d.region([&] {
    d.define(counter, "i32");
    enter(d, state);
    statements(d, d.below(3), depth + 1);
    std::string limit = d.constant32(static_cast<int64_t>(d.below(4))), below = d.fresh(),
                both = d.fresh();
    d.line("{} = arith.cmpi slt, {}, {} : i32", below, counter, limit);
    d.line("{} = arith.andi {}, {} : i1", both, below, d.value("i1"));
    std::string passed = counter;
    for (const std::string& type : state.types)
      passed += ", " + d.value(type);
    d.line("scf.condition({}) {} : {}", d.chance(50) ? both : below, passed, list);
  });
  d.line("}} do {{");
  std::string arguments;
  std::vector<std::string> names;
  for (const std::string& type : types) {
    names.push_back(d.fresh());
    arguments += fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", names.back(), type);
  }
  d.region([&] {
    d.line("^bb0({}):", arguments);
    for (size_t i = 0; i < types.size(); ++i)
      d.define(names[i], types[i]);
    statements(d, d.below(3), depth + 1);
    std::string one = d.constant32(1), next = d.fresh();
    d.line("{} = arith.addi {}, {} : i32", next, names[0], one);
    std::string passed = next;
    for (const std::string& type : state.types)
      passed += ", " + d.value(type);
    d.line("scf.yield {} : {}", passed, list);
  });
  d.line("}}");
  d.defineResults(name, types);
}
void switchOp(Draft& d, size_t depth) {
  std::vector<std::string> types = d.someTypes(2);
  std::string arg = d.chance(70) ? d.indexBelow(4) : d.value("index"), name,
              head = d.resultHead(types, name);
  d.line("{}scf.index_switch {}{}", head, arg, types.empty() ? "" : " -> " + joined(types));
  for (size_t i = 0, cases = 1 + d.below(3); i < cases; ++i) {
    d.line("case {} {{", i * 2);
    d.region([&] {
      bodyAndYield(d, "scf.yield", types, depth);
      if (types.empty()) d.line("scf.yield");
    });
    d.line("}}");
  }
  d.line("default {{");
  d.region([&] {
    bodyAndYield(d, "scf.yield", types, depth);
    if (types.empty()) d.line("scf.yield");
  });
  d.line("}}");
  d.defineResults(name, types);
}

void executeRegionOp(Draft& d, size_t depth) {
  std::string name = d.fresh(), type = d.anyType();
  d.line("{} = scf.execute_region -> {} {{", name, type);
  d.region([&] { bodyAndYield(d, "scf.yield", {type}, depth); });
  d.line("}}");
  d.define(name, type);
}

}  // namespace airlite::evaluation
