// air-dependency on random synchronous programs: what it makes verifies, and tokens or nesting
// order every pair of accesses that conflicted in the program, as an independent judge finds
// (order_oracle). A dependency taken away must be missed by the judge, or the judge is not a test.
// AIRLITE_ORDER_RUNS=N runs that many programs, AIRLITE_ORDER_SEED=N begins elsewhere.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/transform/Passes.hpp"
#include "order_oracle.hpp"
#include "support/catch_all.hpp"
#include "support/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

using namespace airlite;

namespace {

using Random = std::mt19937_64;

unsigned setting(const char* name, unsigned fallback) {
  const char* text = std::getenv(name);
  return text ? static_cast<unsigned>(std::atoi(text)) : fallback;
}

/// Programs over buffers of 64 elements, in one or two dimensions.
/// One class: statements nest in each other and share the names in scope.
class Writer {
 public:
  /// `mixed`: with ops that are asynchronous already.
  Writer(uint64_t seed, bool mixed) : random_(seed), mixed_(mixed) {}

  std::string program() {
    line("module attributes {airlite.wave_size = 64 : i64} {");  // cores may access L3
    line("air.channel @c [4]");
    line("memref.global @g : memref<64xf32>");
    line("func.func private @k(memref<64xf32>)");
    line("func.func private @h(index)");
    line("func.func @f(%A: memref<64xf32>, %B: memref<64xf32>, %M: memref<8x8xf32>, %n: index, "
         "%x: f32) {");
    constants();
    Names names{{"%A", "%B"}, {"%M"}, {}, {}};
    statements(names, 3 + pick(5), 0, false);
    line("return\n}\n}");
    return text_;
  }

 private:
  struct Names {
    std::vector<std::string> flat, square, indices, tokens;
  };

  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  const std::string& pick(const std::vector<std::string>& names) {
    return names[pick(static_cast<unsigned>(names.size()))];
  }
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string fresh() { return fmt::format("%v{}", next_++); }

  /// In a function and in each body of a hierarchy op, which sees nothing else.
  void constants() {
    for (int i : {0, 1, 2, 3, 4, 8, 16})
      line(fmt::format("%c{} = arith.constant {} : index", i, i));
    line("%yes = arith.constant true");
    line("%no = arith.constant false");
    line("%f0 = arith.constant 0.0 : f32");
  }
  std::string constant() {
    static constexpr int kNumbers[] = {0, 1, 2, 3, 4, 8, 16};
    return fmt::format("%c{}", kNumbers[pick(7)]);
  }

  std::string index(const Names& names) {
    if (names.indices.empty() || pick(4) == 0) return constant();
    std::string base = pick(names.indices);
    if (pick(3) == 0) return base;
    std::string result = fresh(), product = fresh();
    if (pick(2)) {
      line(fmt::format("{} = affine.apply affine_map<(d0) -> (d0 * {} + {})>({})", result,
                       1 + pick(5), pick(9), base));
      return result;
    }
    line(fmt::format("{} = arith.muli {}, {} : index", product, base, constant()));
    line(fmt::format("{} = arith.addi {}, {} : index", result, product, index(names)));
    return result;
  }

  /// Lists of a transfer, in constants and values.
  std::string lists(const Names& names) {
    if (pick(3) == 0) return "[] [] []";
    std::string offset = index(names);
    if (pick(2)) return fmt::format("[{}] [{}] [{}]", offset, 1 + pick(9), 1 + pick(4));
    return fmt::format("[{}, {}] [{}, {}] [{}, {}]", index(names), offset, 1 + pick(3), 1 + pick(5),
                       1 + pick(12), 1 + pick(2));
  }

  /// Some are asynchronous already, and wait for some that are.
  std::string transfer(Names& names, const std::string& op) {
    if (!mixed_ || pick(2)) return op + " ";
    std::string token = fresh(), list;
    if (!names.tokens.empty() && pick(2)) list = fmt::format(" [{}]", pick(names.tokens));
    names.tokens.push_back(token);
    return fmt::format("{} = {} async{} ", token, op, list);
  }

  void statements(Names names, unsigned count, unsigned depth, bool isBody) {
    for (unsigned i = 0; i < count; ++i)
      statement(names, depth, isBody);
  }

  void statement(Names& names, unsigned depth, bool isBody) {
    unsigned kind = pick(depth < 3 ? 24 : 14);
    const std::string buffer = pick(names.flat);
    switch (kind) {
      case 0:
      case 1:
        return line(
            fmt::format("memref.store {}, {}[{}] : memref<64xf32>", "%f0", buffer, index(names)));
      case 2: return loadAndStore(names);
      case 3:
      case 4:
      case 5: {
        std::string to = pick(names.flat), first = lists(names), second = lists(names);
        return line(fmt::format("{}({}{}, {}{}) : (memref<64xf32>, memref<64xf32>)",
                                transfer(names, "air.dma_memcpy_nd"), to, first, buffer, second));
      }
      case 6: {
        std::string place = constant(), piece = lists(names);
        std::string op = transfer(names, pick(2) ? "air.channel.put" : "air.channel.get");
        return line(fmt::format("{}@c[{}] ({}{}) : (memref<64xf32>)", op, place, buffer, piece));
      }
      case 7: return copy(names);
      case 8: return subview(names);
      case 9: return line(fmt::format("func.call @k({}) : (memref<64xf32>) -> ()", buffer));
      case 10: return line(fmt::format("func.call @h({}) : (index) -> ()", index(names)));
      case 11: return local(names);
      case 12: return square(names);
      case 13: return pick(3) ? global(names) : line("gpu.barrier");
      case 14:
      case 15:
      case 16: return loop(names, depth, isBody);
      case 17: return accumulate(names, depth, isBody);
      case 18: return branch(names, depth, isBody);
      case 19: return parallel(names, depth, isBody);
      case 20: return pick(2) ? affineLoop(names, depth, isBody) : rotate(names, depth, isBody);
      case 21: return select(names, depth, isBody);
      default: return isBody ? loop(names, depth, isBody) : herd(names, depth);
    }
  }

  void loadAndStore(Names& names) {
    std::string value = fresh(), sum = fresh(), from = index(names), to = index(names);
    line(fmt::format("{} = memref.load {}[{}] : memref<64xf32>", value, pick(names.flat), from));
    line(fmt::format("{} = arith.addf {}, {} : f32", sum, value, "%f0"));
    line(fmt::format("memref.store {}, {}[{}] : memref<64xf32>", sum, pick(names.flat), to));
  }

  void copy(Names& names) {
    line(fmt::format("memref.copy {}, {} : memref<64xf32> to memref<64xf32>", pick(names.flat),
                     pick(names.flat)));
  }

  void subview(Names& names) {
    std::string view = fresh(), offset = index(names);
    unsigned size = 1 + pick(8), stride = 1 + pick(3);
    std::string type = fmt::format("memref<{}xf32, strided<[{}], offset: ?>>", size, stride);
    line(fmt::format("{} = memref.subview {}[{}] [{}] [{}] : memref<64xf32> to {}", view,
                     pick(names.flat), offset, size, stride, type));
    if (pick(2))
      line(fmt::format("linalg.fill ins(%f0 : f32) outs({} : {})", view, type));
    else
      line(fmt::format("air.dma_memcpy_nd ({}[] [] [], {}[] [] []) : (memref<64xf32>, {})",
                       pick(names.flat), view, type));
  }

  void local(Names& names) {
    std::string buffer = fresh();
    line(fmt::format("{} = memref.alloc() : memref<64xf32>", buffer));
    Names inner = names;
    inner.flat.push_back(buffer);
    line(fmt::format("memref.store %f0, {}[{}] : memref<64xf32>", buffer, constant()));
    statements(inner, 1 + pick(3), 3, true);
    if (pick(2))
      line(fmt::format("memref.dealloc {} : memref<64xf32>", buffer));
    else
      names.flat.push_back(buffer);
  }

  void square(Names& names) {
    if (names.square.empty()) return copy(names);
    std::string i = index(names), j = index(names);
    if (pick(2))
      return line(
          fmt::format("memref.store %f0, {}[{}, {}] : memref<8x8xf32>", pick(names.square), i, j));
    std::string piece = fmt::format("[{}, {}] [{}, {}] [8, 1]", i, j, 1 + pick(4), 1 + pick(4));
    line(fmt::format("air.dma_memcpy_nd ({}{}, {}[] [] []) : (memref<8x8xf32>, memref<64xf32>)",
                     pick(names.square), piece, pick(names.flat)));
  }

  void global(Names& names) {
    std::string buffer = fresh();
    line(fmt::format("{} = memref.get_global @g : memref<64xf32>", buffer));
    Names inner = names;
    inner.flat = {buffer, pick(names.flat)};
    statements(inner, 1 + pick(2), 3, true);
  }

  void loop(Names& names, unsigned depth, bool isBody) {
    std::string variable = fresh();
    line(fmt::format("scf.for {} = {} to {} step %c{} {{", variable, constant(),
                     pick(3) ? "%c4" : "%c3", 1 + pick(2)));
    Names inner = names;
    inner.indices.push_back(variable);
    statements(inner, 1 + pick(3), depth + 1, isBody);
    line("}");
  }

  void accumulate(Names& names, unsigned depth, bool isBody) {
    std::string variable = fresh(), sum = fresh(), value = fresh(), next = fresh(),
                result = fresh(), buffer = pick(names.flat);
    line(fmt::format("{} = scf.for {} = %c0 to %c3 step %c1 iter_args({} = %f0) -> (f32) {{",
                     result, variable, sum));
    Names inner = names;
    inner.indices.push_back(variable);
    line(fmt::format("{} = memref.load {}[{}] : memref<64xf32>", value, buffer, variable));
    statements(inner, pick(2), depth + 1, isBody);
    line(fmt::format("{} = arith.addf {}, {} : f32", next, sum, value));
    line(fmt::format("scf.yield {} : f32\n}}", next));
    line(fmt::format("memref.store {}, {}[{}] : memref<64xf32>", result, pick(names.flat),
                     constant()));
  }

  void branch(Names& names, unsigned depth, bool isBody) {
    std::string condition = pick(2) ? "%yes" : "%no";
    if (!names.indices.empty() && pick(2)) {
      condition = fresh();
      line(fmt::format("{} = arith.cmpi eq, {}, %c1 : index", condition, pick(names.indices)));
    }
    line(fmt::format("scf.if {} {{", condition));
    statements(names, 1 + pick(2), depth + 1, isBody);
    if (pick(2)) {
      line("} else {");
      statements(names, 1 + pick(2), depth + 1, isBody);
    }
    line("}");
  }

  void select(Names& names, unsigned depth, bool isBody) {
    line(pick(2) ? "scf.index_switch %c1" : "scf.index_switch %c2");
    line("case 1 {");
    statements(names, 1 + pick(2), depth + 1, isBody);
    line("scf.yield\n}\ndefault {");
    statements(names, pick(2), depth + 1, isBody);
    line("scf.yield\n}");
  }

  void parallel(Names& names, unsigned depth, bool isBody) {
    std::string variable = fresh();
    line(fmt::format("scf.parallel ({}) = (%c0) to (%c3) step (%c1) {{", variable));
    Names inner = names;
    inner.indices.push_back(variable);
    statements(inner, 1 + pick(3), depth + 1, isBody);
    line("}");
  }

  /// With a transfer inside it stays as it is; without, it goes into an execute.
  void affineLoop(Names& names, unsigned depth, bool isBody) {
    std::string variable = fresh(), buffer = pick(names.flat);
    line(fmt::format("affine.for {} = 0 to 3 {{", variable));
    Names inner = names;
    inner.indices = {variable};
    if (!isBody && pick(3) == 0) {
      herd(inner, depth);
    } else if (pick(2)) {
      line(fmt::format("affine.store %f0, {}[{} * {} + {}] : memref<64xf32>", buffer, variable,
                       1 + pick(4), pick(5)));
    } else {
      statements(inner, 1 + pick(2), std::max(depth + 1, 3u), true);
    }
    line("}");
  }

  /// Buffers that change places in each run.
  void rotate(Names& names, unsigned depth, bool isBody) {
    std::string variable = fresh(), a = fresh(), b = fresh(), result = fresh();
    line(fmt::format("{}:2 = scf.for {} = %c0 to %c3 step %c1 iter_args({} = {}, {} = {}) -> "
                     "(memref<64xf32>, memref<64xf32>) {{",
                     result, variable, a, pick(names.flat), b, pick(names.flat)));
    Names inner = names;
    inner.flat = {a, b, pick(names.flat)};
    inner.indices.push_back(variable);
    statements(inner, 1 + pick(3), depth + 1, isBody);
    std::string made = b;
    if (pick(3) == 0) {
      made = fresh();
      line(fmt::format("{} = memref.alloc() : memref<64xf32>", made));
    }
    line(fmt::format("scf.yield {}, {} : memref<64xf32>, memref<64xf32>\n}}", made, a));
    if (pick(2)) names.flat.push_back(result + (pick(2) ? "#0" : "#1"));
  }

  void herd(Names& names, unsigned depth) {
    std::string x = fresh(), y = fresh(), sx = fresh(), sy = fresh();
    Names inner;
    std::string args, types;
    auto pass = [&](const std::string& operand, const std::string& type,
                    std::vector<std::string>& list) {
      std::string name = fresh();
      args += fmt::format("{}{}={}", args.empty() ? "" : ", ", name, operand);
      types += fmt::format("{}{}", types.empty() ? "" : ", ", type);
      list.push_back(name);
    };
    pass(pick(names.flat), "memref<64xf32>", inner.flat);
    if (pick(2)) pass(pick(names.flat), "memref<64xf32>", inner.flat);
    if (!names.indices.empty()) pass(pick(names.indices), "index", inner.indices);
    inner.indices.push_back(x);
    line(fmt::format("air.herd tile ({}, {}) in ({}=%c2, {}=%c1) args({}) : {} {{", x, y, sx, sy,
                     args, types));
    constants();
    statements(inner, pick(4), depth + 1, true);
    line("}");
  }

  Random random_;
  bool mixed_;
  std::string text_;
  unsigned next_ = 0;
};

std::string shown(const Context& context, const DiagnosticCollector& collector) {
  std::string out;
  for (const Diagnostic& diagnostic : collector.diagnostics())
    out += formatDiagnostic(context, diagnostic);
  return out;
}

bool runPass(Context& context, Operation& module, const char* text) {
  PassRegistry registry;
  registerAllPasses(registry);
  Pipeline pipeline;
  if (!parsePipeline(context, registry, text, pipeline)) return false;
  PipelineOptions options;
  options.reproducerOnInternalError = false;
  return runPipeline(module, pipeline, options).result != PassResult::Failed;
}

/// Takes one token away from one list; false when there is none.
bool dropDependency(Operation& module, Random& random) {
  std::vector<Operation*> waiting;
  module.walk([&](Operation& op) {
    if (air::isAsyncOp(op) && !air::AsyncOp(&op).dependencies().empty()) waiting.push_back(&op);
  });
  if (waiting.empty()) return false;
  Operation& op = *waiting[random() % waiting.size()];
  std::vector<Value> tokens = air::AsyncOp(&op).dependencies().vec();
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(random() % tokens.size()));
  if (op.hasTrait(Trait::AttrSizedOperandSegments))
    air::AsyncOp(&op).setDependencies(tokens);
  else
    op.setOperands(tokens);
  return true;
}

}  // namespace

TEST_CASE("air-dependency orders every conflict of random programs", "[dependency]") {
  uint64_t seed = setting("AIRLITE_ORDER_SEED", 1);
  unsigned runs = setting("AIRLITE_ORDER_RUNS", testing::inputs(400)), mutants = 0, caught = 0;
  unsigned long conflicts = 0, events = 0;
  for (unsigned run = 0; run < runs; ++run) {
    bool mixed = run % 4 == 0;
    std::string text = Writer(seed + run, mixed).program();
    Context context;
    registerAllDialects(context);
    DiagnosticCollector collector(context);
    OwningOp module = parseSource(context, text, "random.mlir");
    INFO("seed " << seed + run << "\n" << text << "\n" << shown(context, collector));
    REQUIRE(module);
    const order::Verdict asWritten = order::judge(*module);
    if (!mixed) REQUIRE(asWritten.missing.empty());  // synchronous: all is in order
    // What the program itself leaves beside each other may stay so.
    const auto isKept = [&](const order::Verdict& now) {
      return std::includes(asWritten.places.begin(), asWritten.places.end(), now.places.begin(),
                           now.places.end());
    };
    REQUIRE(runPass(context, *module, "air-dependency"));
    order::Verdict verdict = order::judge(*module);
    INFO(module->str());
    REQUIRE(verdict.unsupported == "");
    if (!isKept(verdict))
      for (const std::string& pair : verdict.missing)
        FAIL_CHECK("not ordered: " << pair);
    REQUIRE(isKept(verdict));
    REQUIRE(runPass(context, *module, "air-dependency-canonicalize"));
    INFO(module->str());
    REQUIRE(isKept(order::judge(*module)));
    if (mixed) continue;
    conflicts += verdict.conflicts, events += verdict.events;
    Random random(seed + run);
    if (!dropDependency(*module, random)) continue;
    ++mutants;
    caught += !order::judge(*module).missing.empty();
  }
  std::cout << runs << " programs, " << events << " events, " << conflicts
            << " conflicts in order; of " << mutants << " programs with a dependency less, "
            << caught << " have a conflict that nothing orders\n";
  CHECK(conflicts > 10 * runs);
  CHECK(caught * 3 > mutants);
}
