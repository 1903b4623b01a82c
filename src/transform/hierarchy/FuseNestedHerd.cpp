// air-fuse-nested-herd: a herd of herds becomes one herd.
//
// Matches an air.herd whose body holds, besides calculations, nothing but another air.herd. Each of
// the two has constant sizes of which at most one is above 1. The result has the outer number of
// cores as its first size and the inner one as its second; with `order=inner-outer` the other way
// round. Ids of the two become the ids of the result, ids of size 1 the constant 0; name and
// attributes are those of the outer herd, then those of the inner one that it lacks. An affine.if
// on some of the ids gets both, in their order, with the bounds of the one that was missing: sets
// over all ids are what passes that tell cores apart read.
//
// Declines, with a remark: sizes that are not constant, or two of them above 1; other ops beside
// the inner herd (a buffer there is one for all of its cores); an inner herd that waits for tokens
// or is waited for; herds that have a place, or differ in an attribute that both have.
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>

namespace airlite {

namespace {

using air::HerdOp;

constexpr unsigned kHerdSizesGroup = 1;

/// The dimension along which the cores of a herd lie, and how many there are.
struct Line {
  unsigned dim = 0;
  int64_t cores = 1;
};

/// Null when the herd has no constant sizes, or two of them are above 1.
std::optional<Line> lineOf(HerdOp herd) {
  std::optional<std::vector<int64_t>> sizes = herd.constantSizes();
  if (!sizes) return std::nullopt;
  Line line;
  for (unsigned i = 0; i < sizes->size(); ++i) {
    if ((*sizes)[i] == 1) continue;
    if (line.cores != 1 || (*sizes)[i] < 1) return std::nullopt;
    line = {i, (*sizes)[i]};
  }
  return line;
}

/// The herd directly in the body of `outer`; null when there is none.
HerdOp innerOf(HerdOp outer) {
  for (Operation& op : outer.body().ops())
    if (isa<HerdOp>(&op)) return HerdOp(&op);
  return HerdOp();
}

bool holdsNothingElse(HerdOp outer, HerdOp inner) {
  for (Operation& op : outer.body().ops()) {
    bool isCalculation = op.hasTrait(Trait::Pure) && op.numRegions() == 0;
    if (&op != inner.op() && !op.hasTrait(Trait::Terminator) && !isCalculation) return false;
  }
  return true;
}

bool hasPlace(HerdOp herd) { return herd->hasAttr("x_loc") || herd->hasAttr("y_loc"); }

/// What counts an op, names it or says how its operands are grouped may differ.
bool isOwn(std::string_view name) {
  return name == "id" || name == kSymbolName || name == "operandSegmentSizes";
}

bool attributesAgree(HerdOp outer, HerdOp inner) {
  return std::ranges::all_of(inner->attributes().value(), [&](const NamedAttribute& attr) {
    Attribute other = outer->attr(attr.name.str());
    return isOwn(attr.name.str()) || !other || other == attr.value;
  });
}

/// Joins a herd with the one that it holds.
class Fusion {
 public:
  Fusion(HerdOp outer, HerdOp inner, Line outerLine, Line innerLine, bool innerFirst)
      : outer_(outer), inner_(inner), builder_(outer->context()), innerFirst_(innerFirst) {
    lines_[0] = outerLine;
    lines_[1] = innerLine;
  }

  void run() {
    builder_.setToStart(outer_.body());
    Operation* innerBegin = inner_.body().empty() ? nullptr : &inner_.body().front();
    splitIds();
    takeBody(innerBegin);
    takeAttributes();
    resize();
    outer_->walk([&](Operation& op) {
      if (isa<affine::IfOp>(&op)) nameBothIds(affine::IfOp(&op));
    });
  }

 private:
  unsigned outerDim() const { return innerFirst_ ? 1 : 0; }
  Value newId(bool ofInner) const { return outer_.id(ofInner ? 1 - outerDim() : outerDim()); }
  Value constant(int64_t value) { return builder_.constantIndex(outer_->location(), value); }

  /// Ids and sizes of both herds as values of the outer body. The outer ones first: the new ids are
  /// the same block arguments.
  void splitIds() {
    Line line = lines_[0];
    std::vector<Value> old(outer_.numDims());
    for (unsigned i = 0; i < outer_.numDims(); ++i)
      old[i] = outer_.id(i).hasUses() && i != line.dim ? constant(0) : Value();
    replaceSizes(outer_, line);
    for (unsigned i = 0; i < old.size(); ++i)
      if (old[i]) outer_.id(i).replaceAllUsesWith(old[i]);
    if (line.dim != outerDim()) outer_.id(line.dim).replaceAllUsesWith(outer_.id(outerDim()));
    replaceSizes(inner_, lines_[1]);
    for (unsigned i = 0; i < inner_.numDims(); ++i)
      if (inner_.id(i).hasUses())
        inner_.id(i).replaceAllUsesWith(i == lines_[1].dim ? newId(true) : constant(0));
    for (unsigned i = 0; i < inner_.numKernelOperands(); ++i)
      inner_.kernelArgument(i).replaceAllUsesWith(inner_.kernelOperands()[i]);
  }

  void replaceSizes(HerdOp herd, Line line) {
    for (unsigned i = 0; i < herd.numDims(); ++i)
      if (herd.sizeArgument(i).hasUses())
        herd.sizeArgument(i).replaceAllUsesWith(constant(i == line.dim ? line.cores : 1));
  }

  void takeBody(Operation* begin) {
    Operation* end = inner_.body().terminator();
    if (begin && begin != end) outer_.body().splice(inner_.op(), inner_.body(), begin, end);
  }

  void takeAttributes() {
    for (const NamedAttribute& attr : inner_->attributes().value())
      if (!isOwn(attr.name.str()) && !outer_->hasAttr(attr.name.str()))
        outer_->setAttr(attr.name.str(), attr.value);
    inner_->erase();
  }

  void resize() {
    builder_.setBefore(*outer_);
    Value sizes[2];
    for (unsigned i : {0u, 1u})
      sizes[i] = constant(lines_[i == outerDim() ? 0 : 1].cores);
    outer_->setOperandGroup(kHerdSizesGroup, sizes);
  }

  /// Sets of ids only, without one of them: it comes in, with its bounds.
  void nameBothIds(affine::IfOp op) {
    IntegerSet set = op.condition();
    std::vector<unsigned> place;
    for (Value operand : op.setOperands()) {
      if (operand != outer_.id(0) && operand != outer_.id(1)) return;
      place.push_back(operand.index());
    }
    if (set.numDims() > 0 || place.size() != 1) return;
    Context& context = op->context();
    AffineExpr known[] = {AffineExpr::symbol(context, place[0])};
    AffineExpr other = AffineExpr::symbol(context, 1 - place[0]);
    std::vector<AffineExpr> constraints;
    std::vector<bool> equality;
    for (unsigned i = 0; i < set.constraints().size(); ++i) {
      constraints.push_back(set.constraints()[i].replace({}, known));
      equality.push_back(set.isEquality(i));
    }
    int64_t cores = lines_[(1 - place[0]) == outerDim() ? 0 : 1].cores;
    constraints.insert(constraints.end(), {other, -other + (cores - 1)});
    equality.insert(equality.end(), 2, false);
    op->setAttr("condition",
                IntegerSetAttr::get(IntegerSet::get(context, 0, 2, constraints, equality)));
    Value ids[] = {outer_.id(0), outer_.id(1)};
    op->setOperands(ids);
  }

  HerdOp outer_, inner_;
  Builder builder_;
  bool innerFirst_;
  Line lines_[2];  // of the outer herd, of the inner one
};

}  // namespace

std::string_view air::fuseNestedHerd(HerdOp outer, bool innerFirst) {
  HerdOp inner = innerOf(outer);
  if (!inner || !holdsNothingElse(outer, inner))
    return "it holds more than a herd and calculations";
  if (outer.numDims() != 2 || inner.numDims() > 2) return "the herd has not two sizes";
  std::optional<Line> outerLine = lineOf(outer), innerLine = lineOf(inner);
  if (!outerLine || !innerLine) return "the cores of both herds are not each in one line";
  if (!inner.dependencies().empty()) return "the herd inside waits for tokens";
  if (inner.token() && inner.token().hasUses()) return "the herd inside is waited for";
  if (hasPlace(outer) || hasPlace(inner)) return "a herd has a place";
  if (!attributesAgree(outer, inner)) return "the herds differ in an attribute that both have";
  Fusion(outer, inner, *outerLine, *innerLine, innerFirst).run();
  return {};
}

namespace {

class FuseNestedHerd : public Pass {
 public:
  FuseNestedHerd() : Pass("air-fuse-nested-herd", "Makes one herd of a herd of herds") {
    anchor("func.func");
    option("order", order_, "whose cores are the first size", {"outer-inner", "inner-outer"});
    example("airlite-opt --air-fuse-nested-herd='order=inner-outer' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> outers;
    function.walk([&](Operation& op) {
      if (isa<HerdOp>(&op) && innerOf(HerdOp(&op))) outers.push_back(&op);
    });
    bool changed = false;
    for (Operation* outer : outers) {
      std::string_view obstacle = air::fuseNestedHerd(HerdOp(outer), order_ == "inner-outer");
      if (!obstacle.empty()) context.remark(*outer, obstacle);
      changed |= obstacle.empty();
    }
    return changedIf(changed);
  }

 private:
  std::string order_ = "outer-inner";
};

}  // namespace

void registerFuseNestedHerd(PassRegistry& registry) { registry.add<FuseNestedHerd>(); }

}  // namespace airlite
