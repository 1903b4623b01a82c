// The library door of the interpreter: arguments, results, seeds, limits, what a check notices.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <bit>
#include <cstring>

using namespace airlite;
using namespace airlite::interp;

namespace {

struct Loaded {
  Context context;
  OwningOp module;
  explicit Loaded(const std::string& text) {
    registerAllDialects(context);
    module = parseSource(context, text, "in.mlir");
    REQUIRE(module);
  }
  Outcome run(std::vector<Datum> arguments = {}, RunOptions options = {}) {
    Program program(*module);
    Operation* function = program.find("f");
    REQUIRE(function);
    return program.run(*function, std::move(arguments), options);
  }
};

MemRef memory(std::vector<float> values) {
  MemRef memref{std::make_shared<Memory>(), 0, {static_cast<int64_t>(values.size())}, {1}};
  memref.memory->data.resize(values.size() * sizeof(float));
  memref.memory->known.assign(values.size() * sizeof(float), 1);
  std::memcpy(memref.memory->data.data(), values.data(), values.size() * sizeof(float));
  return memref;
}

float floatAt(const MemRef& memref, size_t i) {
  float value = 0;
  std::memcpy(&value, memref.memory->data.data() + i * sizeof(float), sizeof value);
  return value;
}

}  // namespace

TEST_CASE("interp: scalars go in and come out", "[interp]") {
  Loaded in("func.func @f(%a: i8, %b: f32, %c: index) -> (i8, f32, index, i1) {\n"
            "  %0 = arith.addi %a, %a : i8\n  %1 = arith.addf %b, %b : f32\n"
            "  %2 = arith.muli %c, %c : index\n  %3 = arith.cmpi slt, %a, %0 : i8\n"
            "  return %0, %1, %2, %3 : i8, f32, index, i1\n}\n");
  Outcome outcome = in.run({Scalar{200}, Scalar{std::bit_cast<uint32_t>(1.5f)}, Scalar{7}});
  REQUIRE(outcome.status == RunStatus::Done);
  REQUIRE(outcome.results.size() == 4);
  CHECK(std::get<Scalar>(outcome.results[0]) == Scalar{144});
  CHECK(std::get<Scalar>(outcome.results[1]) == Scalar{std::bit_cast<uint32_t>(3.0f)});
  CHECK(std::get<Scalar>(outcome.results[2]) == Scalar{49});
  CHECK(std::get<Scalar>(outcome.results[3]) == Scalar{0});
}

TEST_CASE("interp: memory is changed in place, through strides", "[interp]") {
  Loaded in("func.func @f(%m: memref<2x2xf32, strided<[1, 2], offset: 1>>, %v: f32) {\n"
            "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
            "  memref.store %v, %m[%c0, %c1] : memref<2x2xf32, strided<[1, 2], offset: 1>>\n"
            "  return\n}\n");
  MemRef memref = memory({0, 1, 2, 3, 4});
  memref.offset = 1;
  memref.sizes = {2, 2};
  memref.strides = {1, 2};
  CHECK(in.run({memref, Scalar{std::bit_cast<uint32_t>(9.0f)}}).status == RunStatus::Done);
  CHECK(floatAt(memref, 3) == 9.0f);
  CHECK(floatAt(memref, 2) == 2.0f);
}

TEST_CASE("interp: a seed is a schedule", "[interp]") {
  Loaded in("func.func @f() -> i32 {\n"
            "  %c0 = arith.constant 0 : index\n  %m = memref.alloc() : memref<1xi32>\n"
            "  %c1 = arith.constant 1 : index\n  %c8 = arith.constant 8 : index\n"
            "  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n"
            "    %v = arith.index_cast %i : index to i32\n"
            "    memref.store %v, %m[%c0] : memref<1xi32>\n    scf.reduce\n  }\n"
            "  %r = memref.load %m[%c0] : memref<1xi32>\n  return %r : i32\n}\n");
  std::vector<bool> seen(8);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    RunOptions options;
    options.seed = seed;
    Datum first = in.run({}, options).results.at(0), again = in.run({}, options).results.at(0);
    CHECK(std::get<Scalar>(first) == std::get<Scalar>(again));
    seen[std::get<Scalar>(first).bits] = true;
  }
  CHECK(std::count(seen.begin(), seen.end(), true) == 8);  // everyone is last once
}

TEST_CASE("interp: a run has an end", "[interp]") {
  Loaded in("func.func @f() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n");
  RunOptions options;
  options.maxSteps = 500;
  Outcome outcome = in.run({}, options);
  CHECK(outcome.status == RunStatus::TooLong);
  CHECK(outcome.steps == 500);
}

TEST_CASE("interp: a run is stopped when it is asked to", "[interp]") {
  Loaded in("func.func @f() {\n  cf.br ^bb1\n^bb1:\n  cf.br ^bb1\n}\n");
  uint64_t questions = 0, last = 0;
  RunOptions options;
  options.wantsStop = [&](uint64_t steps) {
    CHECK(steps >= last);
    last = steps;
    return ++questions == 3;
  };
  Outcome outcome = in.run({}, options);
  CHECK(outcome.status == RunStatus::Stopped);
  CHECK(outcome.steps == last);
  CHECK(questions == 3);
}

TEST_CASE("interp: calls without a body are recorded", "[interp]") {
  Loaded in("func.func private @g(i32)\nfunc.func @f(%a: i32) {\n"
            "  call @g(%a) : (i32) -> ()\n  return\n}\n");
  RunOptions options;
  options.recordCalls = true;
  Outcome outcome = in.run({Scalar{5}}, options);
  CHECK(outcome.status == RunStatus::Done);
  CHECK(outcome.calls == std::vector<Scalar>{Scalar{5}});
  CHECK(in.run({Scalar{5}}).status == RunStatus::Unsupported);
}

TEST_CASE("interp: the check notices what a pass does to a program", "[interp]") {
  auto program = [](std::string_view body) {
    return "func.func @f(%m: memref<4xi32>, %v: i32) -> i32 {\n"
           "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n" +
           std::string(body) + "  return %v : i32\n}\nair.channel @c []\n";
  };
  std::string store = "  memref.store %v, %m[%c0] : memref<4xi32>\n";
  Loaded good(program(store));
  MeaningCheck check;
  check.begin(*good.module);
  auto problem = [&](const std::string& body) -> std::string {
    DiagnosticCollector collector(good.context);
    OwningOp after = parseSource(good.context, program(body), "in.mlir");
    REQUIRE(after);
    bool fine = check.check(*after, "p");
    CHECK(fine == collector.diagnostics().empty());
    return fine ? "" : collector.diagnostics()[0].message;
  };
  CHECK(problem(store + store) == "");
  CHECK(problem("  memref.store %v, %m[%c1] : memref<4xi32>\n")
            .starts_with("pass 'p' changes what '@f' computes: element 0 of argument 0 was"));
  CHECK(problem("") != "");
  CHECK(problem(store + "  air.channel.put @c[] (%m[] [] []) : (memref<4xi32>)\n") ==
        "pass 'p' changes what '@f' computes: it hangs now (argument set 0, schedule 0)");
  CHECK(problem(
            store +
            "  memref.dealloc %m : memref<4xi32>\n  memref.store %v, %m[%c0] : memref<4xi32>\n") ==
        "pass 'p' changes what '@f' computes: it fails now (argument set 0, schedule 0)");
}

TEST_CASE("interp: a check gives values to vectors and tensors", "[interp]") {
  auto program = [](const char* op) {
    return std::string("func.func @f(%v: vector<4xi32>, %t: tensor<?xi32>) -> (vector<4xi32>, ") +
           "tensor<?xi32>) {\n  %x = arith." + op + " %v, %v : vector<4xi32>\n  %y = arith." + op +
           " %t, %t : tensor<?xi32>\n  return %x, %y : vector<4xi32>, tensor<?xi32>\n}\n";
  };
  Loaded good(program("addi"));
  MeaningCheck check;
  check.begin(*good.module);
  DiagnosticCollector collector(good.context);
  CHECK(check.check(*parseSource(good.context, program("addi"), "in.mlir"), "p"));
  CHECK_FALSE(check.check(*parseSource(good.context, program("muli"), "in.mlir"), "p"));
  REQUIRE(collector.diagnostics().size() == 1);
  CHECK(collector.diagnostics()[0].message.starts_with(
      "pass 'p' changes what '@f' computes: element 0 of result 0 was"));
}

TEST_CASE("interp: globals lie in memory as their layout says", "[interp]") {
  Loaded loaded(R"(
memref.global "private" constant @g : memref<2x2xi32, strided<[1, 3], offset: 1>> = dense<[[1, 2], [3, 4]]>
func.func @f() -> (i32, i32) {
  %g = memref.get_global @g : memref<2x2xi32, strided<[1, 3], offset: 1>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %g[%c0, %c1] : memref<2x2xi32, strided<[1, 3], offset: 1>>
  %p = memref.reinterpret_cast %g to offset: [2], sizes: [1], strides: [1] : memref<2x2xi32, strided<[1, 3], offset: 1>> to memref<1xi32, strided<[1], offset: 2>>
  %y = memref.load %p[%c0] : memref<1xi32, strided<[1], offset: 2>>
  return %x, %y : i32, i32
}
)");
  Outcome outcome = loaded.run();
  REQUIRE(outcome.status == RunStatus::Done);
  CHECK(std::get<Scalar>(outcome.results[0]).bits == 2);
  CHECK(std::get<Scalar>(outcome.results[1]).bits == 3);
}
