// air-split-divided-loops: a loop whose variable is divided by a constant becomes two loops, over the quotient and over the remainder.
//
//   for %t = 0 to 4096:  a[%t / 64, %t % 64]   ->   for %i = 0 to 64: for %j = 0 to 64:  a[%i, %j]
//
// Matches scf.for, affine.for, scf.parallel and affine.parallel that count from 0 by ones to a constant outside of the hierarchy, where
// divisions (arith.divui, divsi, floordivsi) and remainders (arith.remui, remsi) of the variable, or floordiv and mod in the maps of
// affine.apply, load and store, are by multiples of the least divisor, and that divides the number of rounds. A parallel loop
// becomes loops one in another. What has several divisors (`t / 4096`, `t / 64 % 64`, `t % 64`) is split again.
//
// Declines all other loops, and those with attributes that are not their own, without a remark.
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/ParallelBounds.hpp"
#include "transform/hierarchy/Hierarchy.hpp"
#include "transform/tiling/LoopStatements.hpp"

#include <algorithm>
#include <set>

namespace airlite {

namespace {

bool isDivision(const Operation& op) {
  return op.is("arith.divui") || op.is("arith.divsi") || op.is("arith.floordivsi");
}
bool isRemainder(const Operation& op) { return op.is("arith.remui") || op.is("arith.remsi"); }

bool hasMap(const Operation& op) {
  return op.is("affine.apply") || op.is("affine.load") || op.is("affine.store");
}

/// Of an op that has one, its map with operands.
affine::Application applicationOf(Operation& op) {
  return op.is("affine.apply") ? affine::ApplyOp(&op).application()
                               : affine::AccessOp(&op).access();
}

/// `dim floordiv c` or `dim mod c`.
bool dividesDim(AffineExpr expr, unsigned dim) {
  const bool divides = expr.kind() == AffineKind::FloorDiv || expr.kind() == AffineKind::Mod;
  return divides && expr.lhs().kind() == AffineKind::Dim && expr.lhs().position() == dim &&
         expr.rhs().constantValue().value_or(0) > 0;
}

void findDivisors(AffineExpr expr, unsigned dim, std::set<int64_t>& divisors) {
  if (!expr.isBinary()) return;
  if (dividesDim(expr, dim)) {
    divisors.insert(*expr.rhs().constantValue());
    return;
  }
  findDivisors(expr.lhs(), dim, divisors);
  findDivisors(expr.rhs(), dim, divisors);
}

/// By which constant an op divides its first operand; 0: it does not.
int64_t divisorIn(const OpOperand& use) {
  const Operation& op = *use.owner();
  if ((!isDivision(op) && !isRemainder(op)) || use.index() != 0) return 0;
  const auto by = constantIntOf(op.operand(1));
  return by && *by > 1 ? *by : 0;
}

/// By which constants a number is divided, and its remainders.
void findDivisors(Value number, std::set<int64_t>& divisors) {
  for (OpOperand& use : number.uses()) {
    Operation& op = *use.owner();
    if (const int64_t by = divisorIn(use)) {
      divisors.insert(by);
      if (isRemainder(op)) findDivisors(op.result(), divisors);
    }
    if (!hasMap(op)) continue;
    const affine::Application application = applicationOf(op);
    for (unsigned dim = 0; dim < application.map.numDims(); ++dim)
      if (application.operands[dim] == number)
        for (AffineExpr expr : application.map.results())
          findDivisors(expr, dim, divisors);
  }
}

/// The least divisor where the loop can be split by it; 0: it cannot.
int64_t divisorFor(Value variable, int64_t rounds) {
  std::set<int64_t> divisors;
  findDivisors(variable, divisors);
  divisors.erase(1);
  if (divisors.empty()) return 0;
  const int64_t least = *divisors.begin();
  const bool isEven = rounds % least == 0 && std::ranges::all_of(divisors, [&](int64_t divisor) {
                        return divisor % least == 0;
                      });
  return isEven ? least : 0;
}

/// A loop that counts from 0 by ones, in each dimension; none: it is another one.
std::optional<tiling::LoopView> countingLoop(Operation& op) {
  const tiling::LoopView view = tiling::readLoop(op);
  const bool counts =
      view.isKnown && std::ranges::all_of(view.loops, [](const tiling::StatementLoop& loop) {
        return loop.lower == 0 && loop.step == 1;
      });
  return counts ? std::optional(view) : std::nullopt;
}

/// A loop of the dialect of `like` over so many rounds.
Operation* makeLoop(Builder& builder, const Operation& like, int64_t rounds,
                    std::span<const Value> inits) {
  if (like.name().starts_with("affine.")) {
    const auto bound = [&](int64_t value) {
      return affine::Application{AffineMap::constant(builder.context(), value), {}};
    };
    return affine::ForOp::create(builder, like.location(), bound(0), bound(rounds), 1, inits).op();
  }
  return scf::ForOp::create(builder, like.location(), builder.constantIndex(like.location(), 0),
                            builder.constantIndex(like.location(), rounds),
                            builder.constantIndex(like.location(), 1), inits)
      .op();
}

/// Gives the uses of a number what they need of its quotient and remainder by `divisor`.
class UseWriter {
 public:
  UseWriter(Value variable, Value quotient, Value rest, int64_t divisor)
      : variable_(variable),
        quotient_(quotient),
        rest_(rest),
        divisor_(divisor),
        context_(variable.type().context()) {}

  void write() {
    std::vector<OpOperand*> uses;
    for (OpOperand& use : variable_.uses())
      uses.push_back(&use);
    std::set<Operation*> done;
    for (OpOperand* use : uses) {
      Operation& op = *use->owner();
      if (hasMap(op)) {
        if (done.insert(&op).second) rewriteMap(op);
        continue;
      }
      if (const int64_t by = divisorIn(*use))
        replaceDivision(op, by);
      else
        use->set(whole(op));
    }
  }

 private:
  AffineExpr dim(unsigned position) const { return AffineExpr::dim(context_, position); }

  /// The number itself, for an op.
  Value whole(Operation& op) {
    Builder builder = Builder::before(op);
    const AffineExpr sum = dim(0) * divisor_ + dim(1);
    return affine::ApplyOp::create(
               builder, op.location(),
               {AffineMap::get(context_, 2, 0, std::span(&sum, 1)), {quotient_, rest_}})
        ->result();
  }

  void replaceDivision(Operation& op, int64_t by) {
    Builder builder = Builder::before(op);
    Value quotient = quotient_;
    if (by != divisor_) {
      const Value left = builder.constantIndex(op.location(), by / divisor_);
      quotient =
          builder.create(op.location(), op.name(), {quotient, left}, {left.type()})->result();
    }
    if (isDivision(op))
      op.result().replaceAllUsesWith(quotient);
    else if (by == divisor_)
      op.result().replaceAllUsesWith(rest_);
    else
      UseWriter(op.result(), quotient, rest_, divisor_).write();
    op.erase();
  }

  /// The variable's dimension becomes two at the end.
  void rewriteMap(Operation& op) {
    const affine::Application application = applicationOf(op);
    const unsigned numDims = application.map.numDims(), numSymbols = application.map.numSymbols();
    std::vector<AffineExpr> results;
    for (AffineExpr expr : application.map.results()) {
      for (unsigned i = 0; i < numDims; ++i)
        if (application.operands[i] == variable_) expr = rewritten(expr, i, numDims);
      results.push_back(expr);
    }
    std::vector<Value> operands(application.operands.begin(),
                                application.operands.begin() + numDims);
    // No result has the dimension any more.
    for (Value& operand : operands)
      if (operand == variable_) operand = quotient_;
    operands.push_back(quotient_);
    operands.push_back(rest_);
    for (unsigned i = numDims; i < application.operands.size(); ++i)
      operands.push_back(application.operands[i] == variable_ ? whole(op)
                                                              : application.operands[i]);
    op.setAttr("map",
               AffineMapAttr::get(AffineMap::get(context_, numDims + 2, numSymbols, results)));
    std::vector<Value> all;
    if (!op.is("affine.apply"))
      for (unsigned i = 0; i <= affine::AccessOp(&op).memrefIndex(); ++i)
        all.push_back(op.operand(i));
    all.insert(all.end(), operands.begin(), operands.end());
    op.setOperands(all);
  }

  AffineExpr rewritten(AffineExpr expr, unsigned from, unsigned numDims) const {
    const AffineExpr quotient = dim(numDims), rest = dim(numDims + 1);
    if (expr.kind() == AffineKind::Dim && expr.position() == from)
      return quotient * divisor_ + rest;
    if (!expr.isBinary()) return expr;
    if (!dividesDim(expr, from) || *expr.rhs().constantValue() == 1)
      return AffineExpr::binary(expr.kind(), rewritten(expr.lhs(), from, numDims),
                                rewritten(expr.rhs(), from, numDims));
    const AffineExpr left = AffineExpr::constant(context_, *expr.rhs().constantValue() / divisor_);
    if (expr.kind() == AffineKind::FloorDiv)
      return left.isConstant(1) ? quotient : quotient.floorDiv(left);
    return left.isConstant(1) ? rest : quotient.mod(left) * divisor_ + rest;
  }

  Value variable_, quotient_, rest_;
  int64_t divisor_;
  Context& context_;
};

class SplitDividedLoops : public Pass {
 public:
  SplitDividedLoops()
      : Pass("air-split-divided-loops", "Makes two loops of one whose variable is divided") {
    anchor("func.func");
    example("airlite-opt --air-split-divided-loops in.mlir");
  }

  PassResult run(Operation& function, PassContext&) override {
    std::vector<Operation*> loops;
    function.walk([&](Operation& op) {
      if (tiling::isStatementLoop(op) && !hasHints(op) && !air::isInHierarchy(op))
        loops.push_back(&op);
    });
    bool changed = false;
    for (Operation* op : loops)
      for (Operation* loop : isParallelLoop(*op) ? sequence(*op) : std::vector{op})
        changed |= split(loop);
    return changedIf(changed);
  }

 private:
  /// Attributes that are not the loop's own: somebody asks for something of this very loop.
  static bool hasHints(const Operation& op) {
    const NamedAttrList attributes(op.attributes());
    return std::ranges::any_of(attributes.entries(), [&](const NamedAttribute& entry) {
      return entry.name.str() != "operandSegmentSizes" &&
             std::ranges::none_of(op.def().attributes,
                                  [&](const AttrDef& def) { return def.name == entry.name.str(); });
    });
  }

  /// Until nothing is left to divide.
  static bool split(Operation* loop) {
    bool changed = false;
    for (;;) {
      const auto view = countingLoop(*loop);
      const int64_t divisor = view ? divisorFor(view->loops[0].variable, view->loops[0].count) : 0;
      if (divisor == 0) return changed;
      loop = splitBy(*loop, *view, divisor);
      changed = true;
    }
  }

  /// The loop over the quotient.
  static Operation* splitBy(Operation& loop, const tiling::LoopView& view, int64_t divisor) {
    Builder builder = Builder::before(loop);
    const std::vector<Value>& inits = view.inits;
    Operation* outer = makeLoop(builder, loop, view.loops[0].count / divisor, inits);
    Block& outside = outer->region(0).front();
    if (inits.empty())
      builder.setBefore(outside.back());
    else
      builder.setToEnd(outside);
    std::vector<Value> carried;
    for (unsigned i = 0; i < inits.size(); ++i)
      carried.push_back(outside.argument(i + 1));
    Operation* inner = makeLoop(builder, loop, divisor, carried);
    const std::string_view yield = loop.is("affine.for") ? "affine.yield" : "scf.yield";
    if (!inits.empty()) {
      std::vector<Value> results;
      for (unsigned i = 0; i < inits.size(); ++i)
        results.push_back(inner->result(i));
      builder.create(loop.location(), yield, results, {});
    }
    Block &from = loop.region(0).front(), &to = inner->region(0).front();
    for (unsigned i = 0; i < inits.size(); ++i)
      Value(view.arguments[i]).replaceAllUsesWith(to.argument(i + 1));
    if (!to.empty()) to.back().erase();
    to.splice(nullptr, from, &from.front(), nullptr);
    UseWriter(view.loops[0].variable, outside.argument(0), to.argument(0), divisor).write();
    for (unsigned i = 0; i < inits.size(); ++i)
      loop.result(i).replaceAllUsesWith(outer->result(i));
    loop.erase();
    return outer;
  }

  /// The loops, one in another, that a parallel one becomes where one of its variables is divided; none: it stays.
  static std::vector<Operation*> sequence(Operation& loop) {
    const auto view = loop.is("scf.forall") ? std::nullopt : countingLoop(loop);
    if (!view) return {};
    bool isDivided = false;
    for (const tiling::StatementLoop& dimension : view->loops) {
      if (dimension.count < 1) return {};
      isDivided |= divisorFor(dimension.variable, dimension.count) != 0;
    }
    if (!isDivided) return {};
    std::vector<Operation*> made;
    Builder builder = Builder::before(loop);
    for (const tiling::StatementLoop& dimension : view->loops) {
      made.push_back(makeLoop(builder, loop, dimension.count, {}));
      Block& body = made.back()->region(0).front();
      Value(dimension.variable).replaceAllUsesWith(body.argument(0));
      builder.setBefore(body.back());
    }
    Block &from = loop.region(0).front(), &to = made.back()->region(0).front();
    if (&from.front() != &from.back()) to.splice(&to.back(), from, &from.front(), &from.back());
    loop.erase();
    return made;
  }
};

}  // namespace

void registerSplitDividedLoops(PassRegistry& registry) { registry.add<SplitDividedLoops>(); }

}  // namespace airlite
