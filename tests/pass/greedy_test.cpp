// The greedy driver: what is looked at in which order.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/pass/GreedyRewriter.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

using namespace airlite;

namespace {

/// What the patterns below did, in order: "e1" for the eager one on the op with `id = 1`.
std::vector<std::string> steps;

std::string idOf(Operation& op) { return std::to_string(op.attrOf<IntegerAttr>("id").value()); }

void setMark(Operation& op, std::string_view name, Rewriter& rewriter) {
  rewriter.modify(op, [&] { op.setAttr(name, UnitAttr::get(op.context())); });
}

/// Takes the mark `eager` off, once.
LogicalResult eager(Operation& op, Rewriter& rewriter) {
  if (!op.hasAttr("eager")) return failure();
  steps.push_back("e" + idOf(op));
  rewriter.modify(op, [&] { op.removeAttr("eager"); });
  return success();
}

/// Gives the op before the mark `eager`, where this one has `gives`; notes each look at an op.
LogicalResult late(Operation& op, Rewriter& rewriter) {
  steps.push_back("l" + idOf(op));
  if (!op.hasAttr("gives")) return failure();
  rewriter.modify(op, [&] { op.removeAttr("gives"); });
  setMark(*op.prev(), "eager", rewriter);
  return success();
}

/// Erases the op after this one, where this one has `erases`.
LogicalResult lateErase(Operation& op, Rewriter& rewriter) {
  if (!op.hasAttr("erases")) return failure();
  steps.push_back("x" + idOf(*op.next()));
  rewriter.eraseOp(*op.next());
  rewriter.modify(op, [&] { op.removeAttr("erases"); });
  return success();
}

std::vector<std::string> stepsOn(std::string_view body) {
  Context context;
  registerAllDialects(context);
  Dialect dialect(context, "demo", "A dialect.");
  dialect.op("op")
      .doc("An op.")
      .canonicalizeLate("late-erase", lateErase)
      .canonicalizeLate("late", late)
      .canonicalize("eager", eager);
  OwningOp module = parseSource(context, std::string(body), "test.mlir");
  REQUIRE(module);
  steps.clear();
  GreedyOutcome outcome = applyCanonicalization(*module);
  CHECK(outcome.converged);
  return steps;
}

}  // namespace

TEST_CASE("late patterns are tried when nothing else is left to do, the first op first") {
  CHECK(stepsOn(R"("demo.op"() {id = 1} : () -> ()
                   "demo.op"() {id = 2, eager} : () -> ()
                   "demo.op"() {id = 3, eager} : () -> ())") ==
        std::vector<std::string>{"e2", "e3", "l1", "l2", "l3"});
}

TEST_CASE("what a late pattern changes is looked at before the next late one") {
  auto found = stepsOn(R"("demo.op"() {id = 1} : () -> ()
                          "demo.op"() {id = 2, gives} : () -> ()
                          "demo.op"() {id = 3} : () -> ())");
  // 2 marks 1, which was judged already; then the rest, and a round in which nothing changes.
  REQUIRE(found.size() > 4);
  found.resize(4);
  CHECK(found == std::vector<std::string>{"l1", "l2", "e1", "l3"});
}

TEST_CASE("ops that go are not looked at any more, whichever list they are on") {
  auto found = stepsOn(R"("demo.op"() {id = 1, erases} : () -> ()
                          "demo.op"() {id = 2} : () -> ()
                          "demo.op"() {id = 3} : () -> ())");
  CHECK(found.front() == "x2");
  CHECK(std::find(found.begin(), found.end(), "l2") == found.end());
}
