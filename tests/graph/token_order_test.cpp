// The order of tokens, and air-dependency-canonicalize on top of it, against what runs do: random
// programs of joins, loops, conditionals and herds are unfolded into the joins that really run. The
// order among those must be implied where TokenOrder says so, and the same after the pass.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"
#include "support/inputs.hpp"

#include <boost/dynamic_bitset.hpp>

#include <map>
#include <random>

using namespace airlite;
using namespace airlite::graph;

namespace {

// -- Random programs ------------------------------------------------------------------------------

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string program() {
    std::string text = "func.func @f(%n: index, %yes: i1) {\n  %c0 = arith.constant 0 : index\n"
                       "  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n";
    std::vector<std::string> tokens;
    block(text, tokens, 0);
    return text + "  return\n}\n";
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string fresh() { return "%t" + std::to_string(next_++); }
  std::string any(const std::vector<std::string>& tokens) { return tokens[pick(tokens.size())]; }

  void block(std::string& text, std::vector<std::string>& tokens, unsigned depth) {
    unsigned ops = 2 + pick(5);
    for (unsigned i = 0; i < ops; ++i) {
      unsigned what = tokens.empty() || depth > 3 ? 0 : pick(10);
      if (what < 6)
        join(text, tokens);
      else if (what < 8)
        loop(text, tokens, depth);
      else if (what < 9)
        branch(text, tokens, depth);
      else
        parallel(text, tokens, depth);
    }
  }

  void join(std::string& text, std::vector<std::string>& tokens) {
    std::string list, token = fresh();
    for (unsigned i = 0, n = tokens.empty() ? 0 : pick(5); i < n; ++i)
      list += (i ? ", " : "") + any(tokens);
    text += token + " = air.wait_all async" + (list.empty() ? "" : " [" + list + "]") + "\n";
    tokens.push_back(token);
  }

  std::string types(unsigned count) {
    std::string text = "!air.async.token";
    for (unsigned i = 1; i < count; ++i)
      text += ", !air.async.token";
    return text;
  }

  void loop(std::string& text, std::vector<std::string>& tokens, unsigned depth) {
    unsigned count = 1 + pick(3);
    std::string result = fresh(), inits, yields;
    std::vector<std::string> inner = tokens;
    for (unsigned i = 0; i < count; ++i) {
      std::string argument = fresh();
      inits += (i ? ", " : "") + argument + " = " + any(tokens);
      inner.push_back(argument);
    }
    const char* upper[] = {"%n", "%c1", "%c2"};
    text += result + ":" + std::to_string(count) + " = scf.for " + fresh() + " = %c0 to " +
            upper[pick(3)] + " step %c1 iter_args(" + inits + ") -> (" + types(count) + ") {\n";
    block(text, inner, depth + 1);
    for (unsigned i = 0; i < count; ++i)
      yields += (i ? ", " : "") + any(inner);
    text += "scf.yield " + yields + " : " + types(count) + "\n}\n";
    for (unsigned i = 0; i < count; ++i)
      tokens.push_back(result + "#" + std::to_string(i));
  }

  void branch(std::string& text, std::vector<std::string>& tokens, unsigned depth) {
    std::string result = fresh();
    text += result + " = scf.if %yes -> (!air.async.token) {\n";
    for (bool isElse : {false, true}) {
      std::vector<std::string> inner = tokens;
      if (isElse) text += "} else {\n";
      block(text, inner, depth + 1);
      text += "scf.yield " + any(inner) + " : !air.async.token\n";
    }
    text += "}\n";
    tokens.push_back(result);
  }

  void parallel(std::string& text, std::vector<std::string>& tokens, unsigned depth) {
    std::string result = fresh(), a = fresh(), b = fresh(), joined = fresh();
    std::vector<std::string> inner = tokens;
    text += result + " = scf.parallel (" + fresh() + ") = (%c0) to (" + (pick(2) ? "%n" : "%c2") +
            ") step (%c1) init (" + any(tokens) + ") -> !air.async.token {\n";
    block(text, inner, depth + 1);
    text += "scf.reduce(" + any(inner) + " : !air.async.token) {\n^bb0(" + a +
            ": !air.async.token, " + b + ": !air.async.token):\n" + joined +
            " = air.wait_all async [" + a + ", " + b + "]\nscf.reduce.return " + joined +
            " : !air.async.token\n}\n}\n";
    tokens.push_back(result);
  }

  std::mt19937 random_;
  unsigned next_ = 0;
};

// -- Runs -----------------------------------------------------------------------------------------

/// Events, by their number.
using Events = boost::dynamic_bitset<>;

bool isSubset(const Events& a, Events b) {
  b.resize(a.size());
  return a.is_subset_of(b);
}

/// What a run does with tokens: each is a set of the events that have happened when it has fired.
class Run {
 public:
  Run(int64_t n, unsigned seed) : n_(n), random_(seed) {}

  void function(Operation& function) { block(function.region().front()); }

  /// The events that each event comes after, in the order of the run.
  const std::vector<Events>& events() const { return events_; }
  /// Called wherever tokens are known, with all that are: checks what holds at that moment.
  std::function<void(const std::map<detail::ValueImpl*, Events>&)> atJoin;

 private:
  static void add(Events& set, Events other) {
    const size_t size = std::max(set.size(), other.size());
    set.resize(size);
    other.resize(size);
    set |= other;
  }

  Events& of(Value value) { return fired_[value.impl()]; }
  int64_t number(Value value) { return constantIntOf(value).value_or(n_); }

  void block(Block& block) {
    for (Operation& op : block.ops())
      run(op);
  }

  void run(Operation& op) {
    if (isa<air::WaitAllOp>(&op)) return join(op);
    if (scf::ForOp loop = dynCast<scf::ForOp>(&op)) return runLoop(loop);
    if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(&op)) return runParallel(loop);
    if (scf::IfOp branch = dynCast<scf::IfOp>(&op)) {
      Block& chosen = random_() % 2 ? branch.thenBlock() : branch.elseBlock();
      block(chosen);
      of(op.result()) = of(chosen.back().operand(0));
    }
  }

  void join(Operation& op) {
    Events set(events_.size() + 1);
    for (Value token : op.operands())
      add(set, of(token));
    set[events_.size()] = true;
    events_.push_back(set);
    of(op.result()) = set;
    if (atJoin) atJoin(fired_);
  }

  void runLoop(scf::ForOp loop) {
    std::vector<Events> carried;
    for (Value init : loop.initArgs())
      carried.push_back(of(init));
    for (int64_t i = 0; i < number(loop.upperBound()); ++i) {
      for (unsigned k = 0; k < carried.size(); ++k)
        of(loop.regionIterArg(k)) = carried[k];
      block(loop.body());
      for (unsigned k = 0; k < carried.size(); ++k)
        carried[k] = of(loop.yielded(k));
    }
    for (unsigned k = 0; k < carried.size(); ++k)
      of(loop->result(k)) = carried[k];
  }

  void runParallel(scf::ParallelOp loop) {
    Events result = of(loop.initVals()[0]);
    for (int64_t i = 0; i < number(loop.upperBounds()[0]); ++i) {
      block(loop.body());
      add(result, of(loop.reduce().values()[0]));
    }
    of(loop->result()) = result;
  }

  int64_t n_;
  std::mt19937 random_;
  std::map<detail::ValueImpl*, Events> fired_;
  std::vector<Events> events_;
};

bool isVisible(Value value, Operation& at) {
  Operation* parent = value.parentBlock()->parentOp();
  return parent->isProperAncestor(&at);
}

constexpr unsigned kPrograms = testing::inputs(1500);

Operation& functionOf(Operation& module) { return module.region().front().front(); }

}  // namespace

TEST_CASE("tokens fire in the order that is claimed, and lists lose nothing") {
  size_t removed = 0;
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    Context context;
    registerAllDialects(context);
    std::string text = Generator(seed).program();
    OwningOp module = parseSource(context, text, "random.mlir");
    INFO("seed " << seed << "\n" << text);
    REQUIRE(module);
    Operation& function = functionOf(*module);
    std::vector<std::pair<Operation*, std::vector<Value>>> lists;
    function.walk([&](Operation& op) {
      if (isa<air::WaitAllOp>(&op)) lists.push_back({&op, op.operands().vec()});
    });
    TokenOrder order(function);
    std::vector<std::vector<Events>> before;
    for (int64_t n = 0; n < 4; ++n) {
      Run run(n, seed);
      run.function(function);
      before.push_back(run.events());
    }
    for (auto& [op, list] : lists) {
      std::vector<Value> kept = order.latest(list);
      removed += list.size() - kept.size();
      op->setOperands(kept);
    }
    for (int64_t n = 0; n < 4; ++n) {
      Run run(n, seed);
      run.function(function);
      if (run.events() != before[n]) FAIL("another order with n = " << n);
    }
  }
  CHECK(removed > kPrograms);  // else this tests nothing
}

TEST_CASE("what is implied holds in every run") {
  size_t implied = 0;
  for (unsigned seed = 0; seed < kPrograms / 40; ++seed) {
    Context context;
    registerAllDialects(context);
    OwningOp module = parseSource(context, Generator(seed).program(), "random.mlir");
    Operation& function = functionOf(*module);
    TokenOrder order(function);
    for (int64_t n = 0; n < 3; ++n) {
      Run run(n, seed + 7);
      run.atJoin = [&](const auto& fired) {
        // The newest join is at hand with all that is visible there; others may be of runs before.
        for (auto& [a, setA] : fired)
          for (auto& [b, setB] : fired) {
            Operation* at = Value(b).definingOp();
            if (!at || a == b || !isVisible(Value(a), *at)) continue;
            if (!order.isImplied(Value(a), Value(b))) continue;
            bool isFresh = setB.size() == run.events().size() && setB.test(setB.size() - 1);
            if (!isFresh) continue;
            ++implied;
            if (!isSubset(setA, setB)) FAIL("seed " << seed << ", n = " << n);
          }
      };
      run.function(function);
    }
  }
  CHECK(implied > 100);
}

TEST_CASE("order through loops and conditionals") {
  Context context;
  registerAllDialects(context);
  OwningOp module = parseSource(context, R"(
func.func @f(%n: index, %yes: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = air.wait_all async
  %b = air.wait_all async
  %carries = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!air.async.token) {
    %u = air.wait_all async [%x, %b]
    scf.yield %u : !air.async.token
  }
  %forgets = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!air.async.token) {
    scf.yield %b : !air.async.token
  }
  %runs = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> (!air.async.token) {
    scf.yield %b : !air.async.token
  }
  %if = scf.if %yes -> (!air.async.token) {
    %v = air.wait_all async [%a, %b]
    scf.yield %v : !air.async.token
  } else {
    scf.yield %a : !air.async.token
  }
  %end = air.wait_all async [%carries, %forgets, %runs, %if]
  return
})",
                                "order.mlir");
  REQUIRE(module);
  std::vector<Operation*> ops;
  for (Operation& op : functionOf(*module).region().front().ops())
    ops.push_back(&op);
  Value a = ops[2]->result(), b = ops[3]->result();
  Value carries = ops[4]->result(), forgets = ops[5]->result(), runs = ops[6]->result();
  Value branch = ops[7]->result();
  TokenOrder order(functionOf(*module));
  CHECK(order.isImplied(a, carries));
  CHECK(!order.isImplied(b, carries));  // the loop may not run
  CHECK(!order.isImplied(a, forgets));
  CHECK(!order.isImplied(b, forgets));
  CHECK(order.isImplied(b, runs));
  CHECK(!order.isImplied(a, runs));
  CHECK(order.isImplied(a, branch));
  CHECK(!order.isImplied(b, branch));
  CHECK(order.isImplied(a, a));
  CHECK(order.latest(std::vector{a, a, b, branch, b}) == std::vector{b, branch});
}
