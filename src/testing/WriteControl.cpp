// Loops and branches, with tokens through them or without.
#include "WriteState.hpp"

#include <algorithm>

namespace airlite::testing::writing {

namespace {

/// Resources that share a token through a loop or branch. What is only read must not wait for
/// others that read it: it could be someone who needs what comes after the loop.
using Groups = std::vector<Touch>;

Groups partition(WriteState& writer, const Touch& touch) {
  std::set<int> all = touch.all();
  size_t wanted =
      writer.random.chance(50) ? 1 : std::min<size_t>(all.size(), 2 + writer.random.below(3));
  Groups groups(wanted);
  size_t i = 0;
  for (int r : all) {
    Touch& group = groups[i++ % wanted];
    (touch.writes.count(r) ? group.writes : group.reads).insert(r);
  }
  return groups;
}

Strings repeated(const std::string& text, size_t count) { return Strings(count, text); }

std::string resultName(const std::string& op, size_t i, size_t count) {
  return count == 1 ? op : fmt::format("{}#{}", op, i);
}

/// In a body: all that was before is one token.
void setTokens(WriteState& writer, const Groups& groups, const Strings& tokens) {
  for (size_t i = 0; i < groups.size(); ++i)
    for (int r : groups[i].all())
      writer.scope->state[r] = {{tokens[i]}, {}};
}

void noteTokens(WriteState& writer, const Groups& groups, const Strings& tokens) {
  for (size_t i = 0; i < groups.size(); ++i)
    noteToken(writer, groups[i], tokens[i]);
}

void yieldTokens(WriteState& writer, const Groups& groups) {
  Strings tokens;
  for (const Touch& group : groups)
    tokens.push_back(join(writer, pendingOf(writer, group.all())));
  writer.line("scf.yield {} : {}", joined(tokens), joined(repeated(kToken, tokens.size())));
}

Strings resultNames(const std::string& op, size_t count) {
  Strings names;
  for (size_t i = 0; i < count; ++i)
    names.push_back(resultName(op, i, count));
  return names;
}

std::string head(const std::string& op, size_t count) {
  return count == 1 ? op : fmt::format("{}:{}", op, count);
}

/// What began in a body that hands no token on is done when it ends.
void waitForNew(WriteState& writer, const State& before) {
  Strings known = tokensOf(before), now = tokensOf(writer.scope->state), made;
  for (const std::string& token : now)
    if (std::find(known.begin(), known.end(), token) == known.end()) made.push_back(token);
  waitFor(writer, made);
}

void nested(WriteState& writer, const Block& body, const std::function<void()>& end) {
  ++writer.indent;
  std::set<std::string> dims = writer.scope->dims;
  block(writer, body);
  end();
  writer.scope->dims = dims;
  --writer.indent;
}

void reduce(WriteState& writer, const std::string& token) {
  std::string a = writer.fresh("t"), b = writer.fresh("t"), both = writer.fresh("t");
  writer.line("scf.reduce({} : {}) {{", token, kToken);
  writer.line("^bb0({}: {}, {}: {}):", a, kToken, b, kToken);
  writer.line("  {} = air.wait_all async [{}, {}]", both, a, b);
  writer.line("  scf.reduce.return {} : {}", both, kToken);
  writer.line("}}");
}

std::string conditionOf(WriteState& writer, const Condition& condition) {
  std::string number = value(writer, condition.value), result = writer.fresh("b");
  if (condition.divisor)
    number = binary(writer, "remui", number, constant(writer, condition.divisor));
  std::string with = constant(writer, condition.equals);
  writer.line("{} = arith.cmpi {}, {}, {} : index", result, condition.divisor ? "eq" : "slt",
              number, with);
  return result;
}

}  // namespace

void loop(WriteState& writer, const Stmt& stmt) {
  Touch touch = Survey(writer.plan).of(stmt.body);
  int variable = stmt.variables[0];
  std::string upper =
      stmt.trips >= 0
          ? writer.scope->coordinates.at(stmt.trips)
          : constant(writer, writer.plan.coordinates[static_cast<size_t>(variable)].extent);
  std::string zero = constant(writer, 0), one = constant(writer, 1), i = writer.fresh("i");
  bool carries = !touch.all().empty() && isAsync(writer);
  Groups groups = carries ? partition(writer, touch) : Groups();
  Strings inits, arguments;
  for (const Touch& group : groups) {
    arguments.push_back(writer.fresh("t"));
    inits.push_back(arguments.back() + " = " + join(writer, needed(writer, group)));
  }
  State before = writer.scope->state;
  writer.scope->coordinates[variable] = i;
  std::string result = writer.fresh("r"),
              bounds = fmt::format("{} = {} to {} step {}", i, zero, upper, one);
  if (!carries) {
    writer.line("scf.for {} {{", bounds);
    nested(writer, stmt.body, [&] { waitForNew(writer, before); });
  } else {
    writer.line("{} = scf.for {} iter_args({}) -> ({}) {{", head(result, groups.size()), bounds,
                joined(inits), joined(repeated(kToken, groups.size())));
    setTokens(writer, groups, arguments);
    nested(writer, stmt.body, [&] { yieldTokens(writer, groups); });
  }
  writer.line("}}");
  writer.scope->state = before;
  noteTokens(writer, groups, resultNames(result, groups.size()));
}

void parallel(WriteState& writer, const Stmt& stmt) {
  Touch touch = Survey(writer.plan).of(stmt.body);
  Groups groups{touch};
  Strings variables, lower, upper, step;
  for (int variable : stmt.variables) {
    variables.push_back(writer.fresh("i"));
    lower.push_back(constant(writer, 0));
    upper.push_back(
        constant(writer, writer.plan.coordinates[static_cast<size_t>(variable)].extent));
    step.push_back(constant(writer, 1));
  }
  std::string space = fmt::format("({}) = ({}) to ({}) step ({})", joined(variables), joined(lower),
                                  joined(upper), joined(step));
  bool async = isAsync(writer);
  std::string init, result = writer.fresh("r");
  if (async)
    init = join(writer, needed(writer, touch));
  else
    waitFor(writer, needed(writer, touch)), noteDone(writer, touch);
  State before = writer.scope->state;
  for (size_t i = 0; i < variables.size(); ++i)
    writer.scope->coordinates[stmt.variables[i]] = variables[i];
  if (!async) {
    writer.line("scf.parallel {} {{", space);
    nested(writer, stmt.body, [&] { waitForNew(writer, before); });
    writer.line("}}");
    writer.scope->state = before;
    return;
  }
  writer.line("{} = scf.parallel {} init ({}) -> {} {{", result, space, init, kToken);
  setTokens(writer, groups, {init});
  nested(writer, stmt.body, [&] { reduce(writer, join(writer, pendingOf(writer, touch.all()))); });
  writer.line("}}");
  writer.scope->state = before;
  noteTokens(writer, groups, {result});
}

void branch(WriteState& writer, const Stmt& stmt) {
  Touch touch = Survey(writer.plan).of(stmt.body), other = Survey(writer.plan).of(stmt.other);
  touch.reads.merge(other.reads);
  touch.writes.merge(other.writes);
  std::string condition = conditionOf(writer, stmt.condition);
  bool yields = !touch.all().empty() && isAsync(writer);
  Groups groups = yields ? partition(writer, touch) : Groups();
  std::string result = writer.fresh("r");
  State before = writer.scope->state;
  State inside = before;
  for (int r : touch.reads)
    if (yields && !touch.writes.count(r)) inside[r].readers.clear();
  writer.scope->state = inside;
  auto end = [&] {
    yields ? yieldTokens(writer, groups) : waitForNew(writer, before);
    writer.scope->state = inside;
  };
  if (yields)
    writer.line("{} = scf.if {} -> ({}) {{", head(result, groups.size()), condition,
                joined(repeated(kToken, groups.size())));
  else
    writer.line("scf.if {} {{", condition);
  nested(writer, stmt.body, end);
  if (yields || !stmt.other.empty()) {
    writer.line("}} else {{");
    nested(writer, stmt.other, end);
  }
  writer.line("}}");
  writer.scope->state = before;
  noteTokens(writer, groups, resultNames(result, groups.size()));
}

}  // namespace airlite::testing::writing
