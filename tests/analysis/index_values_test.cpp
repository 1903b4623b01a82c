// What index values are on one core of a herd: the one evaluator, with ids as its environment.
#include "airlite/analysis/CoreValues.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

using namespace airlite;

namespace {

/// The operands of the test.use at the end of a herd of 4 x 8 cores, on the core (3, 5).
std::vector<std::optional<int64_t>> onCore(std::string_view body) {
  Context context;
  context.setAllowUnregistered(true);
  registerAllDialects(context);
  const std::string source = R"(
    func.func @f(%open: index) {
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      air.herd tile (%x, %y) in (%sx = %c4, %sy = %c8) args(%eight = %c8, %unknown = %open)
          : index, index {
        %c0 = arith.constant 0 : index
        %c10 = arith.constant 10 : index
)" + std::string(body) + "\n}\nreturn }";
  OwningOp module = parseSource(context, source, "test");
  REQUIRE(module);
  std::vector<std::optional<int64_t>> found;
  module->walk([&](Operation& op) {
    if (!op.is("test.use")) return;
    analysis::CoreValues values(op.parentOf<air::HerdOp>(), {3, 5});
    for (Value operand : op.operands())
      found.push_back(values(operand));
  });
  return found;
}

using Numbers = std::vector<std::optional<int64_t>>;

}  // namespace

TEST_CASE("index values: ids, sizes and operands of a herd") {
  CHECK(onCore(R"("test.use"(%x, %y, %sx, %eight, %unknown)
                  : (index, index, index, index, index) -> ())") ==
        Numbers{3, 5, 4, 8, std::nullopt});
}

TEST_CASE("index values: arithmetic and affine maps") {
  CHECK(onCore(R"(
    %sum = arith.addi %x, %y : index
    %rest = arith.remui %sum, %c0 : index
    %map = affine.apply affine_map<(d0)[s0] -> (d0 * 10 + s0)>(%x)[%y]
    %min = affine.min affine_map<(d0, d1) -> (d0, d1)>(%x, %y)
    %max = affine.max affine_map<(d0, d1) -> (d0, d1)>(%x, %y)
    %byte = arith.constant 127 : i8
    %wrapped = arith.addi %byte, %byte : i8
    "test.use"(%sum, %rest, %map, %min, %max, %wrapped)
        : (index, index, index, index, index, i8) -> ())") ==
        Numbers{8, std::nullopt, 35, 3, 5, -2});
}

TEST_CASE("index values: only the chosen operand of a select has to be known") {
  CHECK(onCore(R"(
    %is = arith.cmpi ult, %x, %y : index
    %known = arith.select %is, %x, %unknown : index
    %open = arith.select %is, %unknown, %x : index
    "test.use"(%is, %known, %open) : (i1, index, index) -> ())") == Numbers{1, 3, std::nullopt});
}

TEST_CASE("index values: an execute hands on what its body computes") {
  CHECK(onCore(R"(
    %token, %twice = air.execute -> (index) {
      %sum = arith.addi %x, %x : index
      air.execute_terminator %sum : index
    }
    "test.use"(%twice) : (index) -> ())") == Numbers{6});
}
