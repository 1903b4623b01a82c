// Random programs: what the analysis says is held at once, against an enumeration.
//
// The oracle knows nothing of the IR or the graph. A program is a tree of statements; it is run in
// every way that its conditions allow, each run being a list of instances with the instances that
// must have ended before them; and of the sets of instances of which none waits for another one the
// heaviest is found by trying them all. Where the analysis says "exact" both must agree; where it
// says "at least" it must not be above.
#include "airlite/analysis/Resources.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>

using namespace airlite;
using namespace airlite::analysis;

namespace {

struct Statement {
  enum class Kind { Herd, Dma, Alloc, Free, Join, For, Parallel, If, Segment } kind;
  int id = 0;  // its token is %t<id>; of a loop with two: %t<id>#0 and %t<id>#1
  bool isSync = false;
  int amount = 0;  // tiles, bytes, iterations, instances; 0 iterations: not known
  std::vector<std::string> waits = {};
  int of = 0;  // Free: the Alloc
  std::vector<std::string> inits = {}, yields = {}, otherYields = {};
  std::vector<Statement> body = {}, otherwise = {};
};

// -- Making programs ------------------------------------------------------------------------------

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  std::vector<Statement> block(unsigned depth, std::vector<std::string> tokens) {
    std::vector<Statement> statements;
    std::vector<int> allocated;
    unsigned count = 1 + pick(depth == 0 ? 5 : 3);
    for (unsigned i = 0; i < count; ++i) {
      statements.push_back(statement(depth, tokens));
      const Statement& made = statements.back();
      if (made.kind == Statement::Kind::Alloc) allocated.push_back(made.id);
      for (const std::string& name : tokensOf(made))
        tokens.push_back(name);
    }
    for (int id : allocated)
      if (pick(4) != 0) {
        Statement free{Statement::Kind::Free, next_++};
        free.of = id;
        free.waits = some(tokens);
        free.waits.push_back("%t" + std::to_string(id));
        statements.push_back(free);
        tokens.push_back("%t" + std::to_string(free.id));
      }
    return statements;
  }

 private:
  unsigned pick(unsigned below) { return random_() % below; }

  static std::vector<std::string> tokensOf(const Statement& s) {
    std::string name = "%t" + std::to_string(s.id);
    if (s.isSync) return {};
    if (s.kind == Statement::Kind::For) {
      std::vector<std::string> names;
      for (size_t i = 0; i < s.inits.size(); ++i)
        names.push_back(name + "#" + std::to_string(i));
      return names;
    }
    return {name};
  }

  std::vector<std::string> some(const std::vector<std::string>& tokens) {
    std::vector<std::string> chosen;
    for (unsigned i = pick(3); i > 0 && !tokens.empty(); --i)
      chosen.push_back(one(tokens));
    return chosen;
  }
  std::string one(const std::vector<std::string>& tokens) {
    // The newest are the likeliest.
    size_t back = std::min<size_t>(pick(4), tokens.size() - 1);
    return tokens[tokens.size() - 1 - back];
  }

  Statement statement(unsigned depth, const std::vector<std::string>& tokens) {
    unsigned kind = pick(depth < 2 ? 13 : 7);
    Statement s{Statement::Kind::Herd, next_++};
    s.waits = some(tokens);
    s.amount = 1 + static_cast<int>(pick(4));
    s.isSync = pick(6) == 0;
    if (kind < 3) return s;
    if (kind < 5) s.kind = Statement::Kind::Dma;
    if (kind == 5) s.kind = Statement::Kind::Alloc, s.isSync = false, s.amount *= 10;
    if (kind == 6) s.kind = Statement::Kind::Join, s.isSync = false;
    if (kind < 7) return s;
    s.isSync = false;
    if (kind < 10) return makeLoop(std::move(s), depth, tokens);
    if (kind == 10) return makeParallel(std::move(s), depth, tokens);
    if (kind == 11) return makeIf(std::move(s), depth, tokens);
    s.kind = Statement::Kind::Segment;
    s.amount = 1 + static_cast<int>(pick(2));
    s.body = block(2, {});
    return s;
  }

  Statement makeLoop(Statement s, unsigned depth, std::vector<std::string> tokens) {
    s.kind = Statement::Kind::For;
    s.amount = static_cast<int>(pick(5));
    size_t carried = 1 + pick(2);
    std::vector<std::string> arguments;
    for (size_t i = 0; i < carried; ++i) {
      s.inits.push_back(one(tokens));
      arguments.push_back("%a" + std::to_string(s.id) + "_" + std::to_string(i));
    }
    tokens.insert(tokens.end(), arguments.begin(), arguments.end());
    s.body = block(depth + 1, tokens);
    tokens = arguments;
    for (const Statement& inner : s.body)
      for (const std::string& name : tokensOf(inner))
        tokens.push_back(name);
    for (size_t i = 0; i < carried; ++i)
      s.yields.push_back(one(tokens));
    return s;
  }

  Statement makeParallel(Statement s, unsigned depth, const std::vector<std::string>& tokens) {
    s.kind = Statement::Kind::Parallel;
    s.amount = 1 + static_cast<int>(pick(2));
    s.inits = {one(tokens)};
    s.body = block(depth + 1, tokens);
    s.yields = {s.inits[0]};
    for (const Statement& inner : s.body)
      for (const std::string& name : tokensOf(inner))
        s.yields[0] = name;
    return s;
  }

  Statement makeIf(Statement s, unsigned depth, const std::vector<std::string>& tokens) {
    s.kind = Statement::Kind::If;
    auto region = [&](std::vector<Statement>& body, std::vector<std::string>& yields) {
      body = block(depth + 1, tokens);
      yields = {one(tokens)};
      for (const Statement& inner : body)
        for (const std::string& name : tokensOf(inner))
          yields[0] = name;
    };
    region(s.body, s.yields);
    region(s.otherwise, s.otherYields);
    return s;
  }

  std::mt19937 random_;
  int next_ = 0;
};

// -- As text --------------------------------------------------------------------------------------

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}
std::string waitList(const Statement& s) {
  return s.waits.empty() ? "" : " [" + list(s.waits) + "]";
}

std::string constants() {
  std::string text;
  for (int i = 0; i <= 4; ++i)
    text += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index\n";
  return text;
}

std::string print(const std::vector<Statement>& statements, const std::string& buffer);

std::string print(const Statement& s, const std::string& buffer) {
  std::string name = "%t" + std::to_string(s.id), token = "!air.async.token";
  std::string head = s.isSync ? "" : name + " = ";
  std::string async = (s.isSync ? "" : " async") + waitList(s);
  std::string size = "%c" + std::to_string(s.amount);
  std::string type = "memref<" + std::to_string(s.amount) + "xi8, 1>";
  switch (s.kind) {
    case Statement::Kind::Herd:
      return head + "air.herd" + async + " tile (%x) in (%sx = " + size + ") {\n}\n";
    case Statement::Kind::Dma:
      return head + "air.dma_memcpy_nd" + async + " (" + buffer + "[] [] [], " + buffer +
             "[] [] []) : (memref<4xf32>, memref<4xf32>)\n";
    case Statement::Kind::Alloc:
      return name + ", %m" + std::to_string(s.id) + " = air.execute" + waitList(s) + " -> (" +
             type + ") {\n%i" + std::to_string(s.id) + " = memref.alloc() : " + type +
             "\nair.execute_terminator %i" + std::to_string(s.id) + " : " + type + "\n}\n";
    case Statement::Kind::Free:
      return name + " = air.execute" + waitList(s) + " {\n\"test.free\"(%m" + std::to_string(s.of) +
             ") : (TYPE" + std::to_string(s.of) + ") -> ()\n}\n";
    case Statement::Kind::Join: return name + " = air.wait_all" + async + "\n";
    case Statement::Kind::For: {
      std::string arguments, types, bound = s.amount == 0 ? "%n" : size;
      for (size_t i = 0; i < s.inits.size(); ++i) {
        arguments += (i ? ", %a" : "%a") + std::to_string(s.id) + "_" + std::to_string(i) + " = " +
                     s.inits[i];
        types += (i ? ", " : "") + token;
      }
      return name + ":" + std::to_string(s.inits.size()) + " = scf.for %v" + std::to_string(s.id) +
             " = %c0 to " + bound + " step %c1 iter_args(" + arguments + ") -> (" + types +
             ") {\n" + print(s.body, buffer) + "scf.yield " + list(s.yields) + " : " + types +
             "\n}\n";
    }
    case Statement::Kind::Parallel: {
      std::string id = std::to_string(s.id);
      return name + " = scf.parallel (%v" + id + ") = (%c0) to (" + size + ") step (%c1) init (" +
             s.inits[0] + ") -> " + token + " {\n" + print(s.body, buffer) + "scf.reduce(" +
             s.yields[0] + " : " + token + ") {\n^bb0(%u" + id + ": " + token + ", %w" + id + ": " +
             token + "):\n%k" + id + " = air.wait_all async [%u" + id + ", %w" + id +
             "]\nscf.reduce.return %k" + id + " : " + token + "\n}\n}\n";
    }
    case Statement::Kind::If:
      return name + " = scf.if %if -> " + token + " {\n" + print(s.body, buffer) + "scf.yield " +
             s.yields[0] + " : " + token + "\n} else {\n" + print(s.otherwise, buffer) +
             "scf.yield " + s.otherYields[0] + " : " + token + "\n}\n";
    case Statement::Kind::Segment:
      return name + " = air.segment async" + waitList(s) + " unroll (%ux) in (%us = " + size +
             ") args(%if = %if, %n = %n, %b = " + buffer + ") : i1, index, memref<4xf32> {\n" +
             constants() + print(s.body, "%b") + "}\n";
  }
  return "";
}

std::string print(const std::vector<Statement>& statements, const std::string& buffer) {
  std::string text;
  std::map<int, int> bytes;
  for (const Statement& s : statements) {
    if (s.kind == Statement::Kind::Alloc) bytes[s.id] = s.amount;
    std::string line = print(s, buffer);
    if (s.kind == Statement::Kind::Free) {
      std::string type = "memref<" + std::to_string(bytes[s.of]) + "xi8, 1>";
      size_t at = line.find("\"test.free\"");
      line =
          line.substr(0, at) + "memref.dealloc %m" + std::to_string(s.of) + " : " + type + "\n}\n";
    }
    text += line;
  }
  return text;
}

// -- The oracle -----------------------------------------------------------------------------------

using Held = std::array<int64_t, 3>;  // tiles, bytes, channels

struct Instance {
  const Statement* statement;
  Held held{};
  std::set<int> after;                // instances that end before it begins
  std::optional<int> slotAfter = {};  // of memory: the Free of the iteration before
  int alloc = -1;                     // of a Free: the instance of its Alloc
  std::vector<int> lane;              // which instance of the parallel loops around
};

/// Choices in the order in which a run makes them; counts through all.
class Choices {
 public:
  int choose(int options) {
    if (at_ == taken_.size()) taken_.push_back({0, options});
    return taken_[at_++].first;
  }
  bool next() {
    at_ = 0;
    while (!taken_.empty() && ++taken_.back().first == taken_.back().second)
      taken_.pop_back();
    return !taken_.empty();
  }

 private:
  std::vector<std::pair<int, int>> taken_;
  size_t at_ = 0;
};

struct TooLarge {};

class Oracle {
  using Tokens = std::map<std::string, std::set<int>>;

 public:
  static Held most(const std::vector<Statement>& statements) {
    Held result{};
    Choices choices;
    unsigned runs = 0;
    do {
      if (++runs > 200) throw TooLarge();
      Oracle oracle(choices);
      Tokens tokens;
      std::set<int> flow;
      oracle.findFreed(statements);
      oracle.run(statements, tokens, flow);
      for (size_t r = 0; r < result.size(); ++r) {
        oracle.close(r == 1);
        result[r] = std::max(result[r], oracle.heaviest(r));
      }
    } while (choices.next());
    return result;
  }

 private:
  explicit Oracle(Choices& choices) : choices_(choices) {}

  static void join(std::set<int>& into, const std::set<int>& other) {
    into.insert(other.begin(), other.end());
  }

  int add(const Statement& s, const Tokens& tokens, std::set<int>& flow, const Held& held) {
    Instance instance{&s, held, flow};
    instance.lane = lane_;
    for (const std::string& name : s.waits)
      join(instance.after, tokens.at(name));
    instances_.push_back(instance);
    int number = static_cast<int>(instances_.size()) - 1;
    if (s.isSync) flow.insert(number);
    if (instances_.size() > 40) throw TooLarge();
    return number;
  }

  /// `flow`: what has ended when the next statement is reached.
  void run(const std::vector<Statement>& statements, Tokens& tokens, std::set<int>& flow) {
    for (const Statement& s : statements)
      run(s, tokens, flow);
  }

  void run(const Statement& s, Tokens& tokens, std::set<int>& flow) {
    std::string name = "%t" + std::to_string(s.id);
    switch (s.kind) {
      case Statement::Kind::Herd: tokens[name] = {add(s, tokens, flow, {s.amount, 0, 0})}; return;
      case Statement::Kind::Dma: tokens[name] = {add(s, tokens, flow, {0, 0, 1})}; return;
      case Statement::Kind::Alloc: return runAlloc(s, tokens, flow);
      case Statement::Kind::Free: {
        int number = add(s, tokens, flow, {});
        instances_[number].alloc = lastAlloc_.at(s.of);
        frees_[{s.of, lane_}] = number;
        tokens[name] = {number};
        return;
      }
      case Statement::Kind::Join: tokens[name] = {add(s, tokens, flow, {})}; return;
      case Statement::Kind::Segment: {
        Held one = most(s.body);
        for (int64_t& amount : one)
          amount *= s.amount;
        tokens[name] = {add(s, tokens, flow, one)};
        return;
      }
      case Statement::Kind::For: return runLoop(s, tokens, flow);
      case Statement::Kind::Parallel: return runParallel(s, tokens, flow);
      case Statement::Kind::If: {
        bool then = choices_.choose(2) == 0;
        run(then ? s.body : s.otherwise, tokens, flow);
        std::set<int> result = tokens.at((then ? s.yields : s.otherYields)[0]);
        tokens[name] = result;
        return;
      }
    }
  }

  /// Memory that is never freed is there from the begin of the outermost loop around on; iterations
  /// that free it use one slot, one after the other.
  void runAlloc(const Statement& s, Tokens& tokens, std::set<int>& flow) {
    std::string name = "%t" + std::to_string(s.id);
    bool stays = freed_.count(s.id) == 0 && loops_ > 0;
    int made = add(s, tokens, flow, {0, stays ? 0 : s.amount, 0});
    tokens[name] = {made};
    auto slot = std::make_pair(s.id, lane_);
    if (stays) instances_.push_back({&s, {0, s.amount, 0}, loopStart_, {}, -1, lane_});
    auto before = frees_.find(slot);
    if (!stays && before != frees_.end()) instances_[made].slotAfter = before->second;
    lastAlloc_[s.id] = made;
  }

  void runLoop(const Statement& s, Tokens& tokens, std::set<int>& flow) {
    std::string name = "%t" + std::to_string(s.id);
    if (loops_++ == 0) loopStart_ = flow;
    std::vector<std::set<int>> carried;
    for (const std::string& init : s.inits)
      carried.push_back(tokens.at(init));
    int iterations = s.amount == 0 ? choices_.choose(4) : s.amount;
    for (int i = 0; i < iterations; ++i) {
      for (size_t k = 0; k < carried.size(); ++k)
        tokens["%a" + std::to_string(s.id) + "_" + std::to_string(k)] = carried[k];
      run(s.body, tokens, flow);
      for (size_t k = 0; k < carried.size(); ++k)
        carried[k] = tokens.at(s.yields[k]);
    }
    for (size_t k = 0; k < carried.size(); ++k)
      tokens[name + "#" + std::to_string(k)] = carried[k];
    --loops_;
  }

  void runParallel(const Statement& s, Tokens& tokens, std::set<int>& flow) {
    std::string name = "%t" + std::to_string(s.id);
    std::set<int> result = tokens.at(s.inits[0]), ends = flow, start = flow;
    join(start, result);
    for (int i = 0; i < s.amount; ++i) {
      Tokens inner = tokens;
      std::set<int> innerFlow = start;
      lane_.push_back(i);
      run(s.body, inner, innerFlow);
      lane_.pop_back();
      join(result, inner.at(s.yields[0]));
      if (blocks(s.body)) join(ends, innerFlow);
    }
    tokens[name] = result;
    flow = ends;
  }

  void findFreed(const std::vector<Statement>& statements) {
    for (const Statement& s : statements) {
      if (s.kind == Statement::Kind::Free) freed_.insert(s.of);
      findFreed(s.body);
      findFreed(s.otherwise);
    }
  }

  /// Who runs such statements waits until they may begin, whether or not all are reached.
  static bool blocks(const std::vector<Statement>& statements) {
    return std::any_of(statements.begin(), statements.end(), [](const Statement& s) {
      bool isLevel = s.kind == Statement::Kind::Segment;
      return s.isSync || (!isLevel && (blocks(s.body) || blocks(s.otherwise)));
    });
  }

  /// `slots`: memory waits for its slot. What other resources do does not depend on that.
  void close(bool slots) {
    size_t n = instances_.size();
    before_.assign(n, std::vector<bool>(n, false));
    for (size_t i = 0; i < n; ++i) {  // what comes before has a smaller number
      std::set<int> after = instances_[i].after;
      if (slots && instances_[i].slotAfter) after.insert(*instances_[i].slotAfter);
      for (int j : after) {
        before_[j][i] = true;
        for (size_t k = 0; k < n; ++k)
          if (before_[k][j]) before_[k][i] = true;
      }
    }
  }

  /// `a` is given back before `b` is taken.
  bool isOrdered(size_t a, size_t b) const {
    if (instances_[a].statement->kind != Statement::Kind::Alloc) return before_[a][b];
    // All iterations of one allocation use one slot.
    if (instances_[a].statement == instances_[b].statement)
      return instances_[a].lane == instances_[b].lane;
    for (size_t free = 0; free < instances_.size(); ++free)
      if (instances_[free].alloc == static_cast<int>(a) && (before_[free][b])) return true;
    return false;
  }

  int64_t heaviest(size_t resource) const {
    std::vector<size_t> holders;
    for (size_t i = 0; i < instances_.size(); ++i)
      if (instances_[i].held[resource] > 0) holders.push_back(i);
    if (holders.size() > 18) throw TooLarge();
    std::vector<uint32_t> excludes(holders.size(), 0);
    for (size_t i = 0; i < holders.size(); ++i)
      for (size_t j = 0; j < holders.size(); ++j)
        if (i != j && (isOrdered(holders[i], holders[j]) || isOrdered(holders[j], holders[i])))
          excludes[i] |= 1u << j;
    int64_t most = 0;
    for (uint32_t set = 0; set < (1u << holders.size()); ++set) {
      int64_t sum = 0;
      for (size_t i = 0; i < holders.size() && sum >= 0; ++i)
        if (set >> i & 1)
          sum = excludes[i] & set ? -1 : sum + instances_[holders[i]].held[resource];
      most = std::max(most, sum);
    }
    return most;
  }

  Choices& choices_;
  std::vector<Instance> instances_;
  std::map<int, int> lastAlloc_;
  std::map<std::pair<int, std::vector<int>>, int> frees_;
  std::set<int> freed_, loopStart_;
  int loops_ = 0;
  std::vector<int> lane_;
  std::vector<std::vector<bool>> before_;
};

}  // namespace

TEST_CASE("random programs hold what an enumeration says") {
  const char* wanted = std::getenv("AIRLITE_RESOURCE_PROGRAMS");
  uint32_t seeds = wanted ? static_cast<uint32_t>(std::atoi(wanted)) : testing::inputs(2000);
  unsigned compared = 0, exact = 0, numbers = 0;
  for (uint32_t seed = 1; seed <= seeds; ++seed) {
    Maker maker(seed);
    Statement start{Statement::Kind::Join, 1 << 20};
    std::vector<Statement> statements = maker.block(0, {"%t1048576"});
    statements.insert(statements.begin(), start);
    Held expected;
    try {
      expected = Oracle::most(statements);
    } catch (const TooLarge&) {
      continue;
    }
    std::string text =
        "func.func @f(%bo: memref<4xf32>, %io: i1, %no: index) {\nair.launch () in () "
        "args(%bl = %bo, %il = %io, %nl = %no) : memref<4xf32>, i1, index {\n"
        "air.segment args(%b = %bl, %if = %il, %n = %nl) : memref<4xf32>, i1, index "
        "{\n" +
        constants() + print(statements, "%b") + "}\n}\nreturn\n}\n";
    INFO("seed " << seed << "\n" << text);
    Context context;
    registerAllDialects(context);
    std::string errors;
    context.diagnostics().setHandler(
        [&](const Diagnostic& d) { errors += formatDiagnostic(context, d); });
    OwningOp module = parseSource(context, text, "random.mlir");
    INFO(errors);
    REQUIRE(module);
    ResourceAnalysis analysis = analyseResources(*module);
    const ResourceFootprint& level = analysis.levels.at(1);
    constexpr Resource kOrder[] = {Resource::ComputeTiles, Resource::L2Bytes,
                                   Resource::DmaChannels};
    ++compared;
    for (size_t r = 0; r < 3; ++r) {
      const Amount& amount = level.perInstance[kOrder[r]];
      INFO(resourceName(kOrder[r]) << " exact " << amount.isExact);
      ++numbers;
      exact += amount.isExact;
      if (amount.isExact)
        CHECK(amount.value == expected[r]);
      else
        CHECK(amount.value <= expected[r]);
    }
  }
  std::cout << "resources: " << compared << " programs, " << numbers << " numbers, exact in "
            << 100 * exact / std::max(1u, numbers) << " %\n";
  CHECK(compared > seeds / 2);
  // Most numbers are exact, or the test would say little.
  CHECK(exact * 10 > numbers * 7);
}
