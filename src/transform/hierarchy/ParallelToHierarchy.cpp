// air-par-to-herd, air-par-to-launch, air-par-to-segment: parallel loops become hierarchy ops.
//
// Matches scf.parallel and scf.forall, the herd pass affine.parallel with two dimensions as well.
// `depth` says which of nested loops: all (-2), those with no parallel loop inside (-1), or those
// with exactly that many parallel loops around them. Bounds and steps must be constants and the
// steps must divide the ranges.
//
// Produces an op whose sizes are the numbers of iterations; where a loop does not count from 0 by
// 1, its variable becomes an affine.apply of the id. Values from outside become kernel operands,
// constants are cloned inside. air.actual_sizes, air.same_values and air.reads_first move along.
//  - A herd has two dimensions: a loop of one becomes N x 1 (1 x N with first-dim=1), of more than
//    two dimensions the first ones stay as an scf.parallel around the herd. It takes the link_with
//    of the first function that its body calls. Herds that are given the same L1 buffer share a
//    name, the others are herd_N. A reduction becomes a pipeline (see ReduceToCascade.hpp). In a launch
//    or segment a loop around a herd and this herd become one herd (air-fuse-nested-herd).
//  - A launch may be filled with one segment that takes all ids, sizes and operands of the launch
//    (has-air-segment). Segments are called <function>_N.
//
// Declines, with a remark: a loop inside of a herd or around a launch; for the launch pass a loop
// inside of a launch (the outermost of nested loops wins) or segment; for the segment pass a loop
// inside of a segment; for the herd pass a loop around a segment, one of a launch or segment that only puts
// and gets, and a loop in a loop that becomes a herd, when a segment or launch is around both. A copy from or to L1 that is left outside of
// herds gets a remark, too. Bounds that do not fit, other numbers of affine dimensions, results of
// loops other than reductions into a herd, a called function without link_with, and a body that
// allocates or accesses memory which is not allowed at that level are errors.
#include "ParallelToHierarchy.hpp"

#include "Hierarchy.hpp"
#include "ReduceToCascade.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/ParallelBounds.hpp"

#include <limits>

namespace airlite {

namespace {

struct Dimension {
  int64_t lower = 0, upper = 0, step = 1;
  int64_t count() const { return upper > lower ? (upper - lower) / step : 0; }
  bool isUnit() const { return lower == 0 && step == 1; }
};

/// The bounds as constants; the first that does not fit is reported.
LogicalResult normalize(Operation& loop, std::vector<Dimension>& dimensions) {
  for (const ParallelBounds& raw : parallelBounds(loop)) {
    auto error = [&](const std::string& what) -> LogicalResult {
      return loop.emitOpError() << "failed to normalize: " << what;
    };
    if (!raw.step) return error("step is not a constant");
    if (!raw.lower) return error("lower bound is not a constant");
    if (!raw.upper) return error("upper bound is not a constant");
    Dimension one{*raw.lower, *raw.upper, *raw.step};
    int64_t range = 0;
    if (one.step <= 0) return error("step '" + std::to_string(one.step) + "' is not positive");
    if (__builtin_sub_overflow(one.upper, one.lower, &range))
      return error("the range of bounds is too large");
    if (range > 0 && range % one.step)
      return error("step '" + std::to_string(one.step) + "' does not evenly divide range '" +
                   std::to_string(range) + "'");
    dimensions.push_back(one);
  }
  return success();
}

/// Loops by how many parallel loops are around and inside.
struct Candidate {
  Operation* loop = nullptr;
  unsigned above = 0;
  bool innermost = true;
};

void findLoops(Operation& op, unsigned above, std::vector<Candidate>& found) {
  size_t self = found.size();
  bool loop = isParallelLoop(op);
  if (loop) found.push_back({&op, above, true});
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        findLoops(inner, above + loop, found);
  if (loop) found[self].innermost = found.size() == self + 1;
}

template <class Op> bool holds(Operation& loop) {
  bool found = false;
  loop.walk([&](Operation& op) { found |= isa<Op>(&op); });
  return found;
}

bool transfersL1(Operation& loop) {
  bool found = false;
  loop.walk([&](Operation& op) {
    found |=
        air::isChannelAccess(op) &&
        air::memoryLevel(air::ChannelAccessOp(&op).access().memref.type()) == air::MemoryLevel::L1;
  });
  return found;
}

/// Puts and gets for what is elsewhere, and nothing that would be in a design itself; memory where that
/// `mayAllocate`.
bool onlyFeedsChannels(Operation& loop, bool mayAllocate = false) {
  bool hasTransfer = false, hasMore = false;
  loop.walk([&](Operation& op) {
    hasTransfer |= air::isChannelAccess(op);
    const bool isOuter = op.numRegions() > 0 && !air::asHierarchy(&op);
    const bool isMemory = mayAllocate && (op.is("memref.alloc") || op.is("memref.dealloc"));
    hasMore |= !air::isChannelAccess(op) && !isa<air::WaitAllOp>(&op) && !isOuter && !isMemory &&
               !op.hasTrait(Trait::Terminator) && !isPure(op);
  });
  return hasTransfer && !hasMore;
}

/// What a launch or segment does beside its herds.
bool feedsCores(Operation& loop) {
  const bool isInside = loop.parentOfName("air.segment") || loop.parentOfName("air.launch");
  return isInside && !holds<air::HerdOp>(loop) && onlyFeedsChannels(loop, true) &&
         !transfersL1(loop);
}

class ParallelToHierarchy : public Pass {
 protected:
  ParallelToHierarchy(std::string_view name, std::string_view summary, std::string_view opName)
      : Pass(name, summary), opName_(opName) {
    anchor("builtin.module");
    option("depth", depth_,
           "which of nested loops: -1 innermost, n >= 0 those below n parallel loops, else all");
  }

  /// Why `loop` is left alone; empty: it is not.
  virtual std::string_view obstacle(Operation& loop) const = 0;
  /// The number of dimensions that the op has; 0: as many as the loop.
  virtual unsigned fixedDims() const { return 0; }
  virtual int64_t firstDim() const { return 0; }
  virtual LogicalResult checkLoop(Operation& loop) const { return checkResults(loop); }
  virtual LogicalResult finish(air::HierarchyOp, Operation& /*loop*/, PassContext&) {
    return success();
  }
  /// A level that may not stand in itself: joins the new op with one inside of it.
  virtual LogicalResult joinInner(air::HierarchyOp, Operation& /*loop*/) const { return success(); }
  virtual void nameAll(Operation& module) = 0;

  /// A body may do what is not allowed at that level: the rules of the op say so at the place.
  static LogicalResult checkBody(air::HierarchyOp op) {
    VerifyFn rules = op->def().verifyFn;
    return rules ? rules(*op.op()) : success();
  }

  static LogicalResult checkResults(Operation& loop) {
    if (loop.numResults() == 0) return success();
    return loop.emitOpError() << "not supported: a parallel loop with results";
  }

 public:
  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Candidate> loops;
    findLoops(module, 0, loops);
    bool changed = false;
    for (const Candidate& candidate : loops) {
      if (!isChosen(candidate)) continue;
      if (std::string_view why = obstacle(*candidate.loop); !why.empty()) {
        context.remark(*candidate.loop, why);
        continue;
      }
      if (!convert(*candidate.loop, context)) return PassResult::Failed;
      changed = true;
    }
    if (changed) nameAll(module);
    return changedIf(changed);
  }

  /// One loop, chosen by somebody else.
  air::HierarchyOp convertOne(Operation& loop, PassContext& context) {
    if (std::string_view why = obstacle(loop); !why.empty()) {
      loop.emitOpError() << why;
      return air::HierarchyOp();
    }
    air::HierarchyOp op = convert(loop, context);
    if (op) nameAll(*op->parentOfName("builtin.module"));
    return op;
  }

 private:
  /// Null: an error has been reported.
  air::HierarchyOp convert(Operation& loop, PassContext& context) {
    air::HierarchyOp op;
    if (succeeded(convertInto(op, loop, context))) return op;
    loop.emitError() << "failed to legalize operation '" << loop.name() << "'";
    return air::HierarchyOp();
  }

  bool isChosen(const Candidate& candidate) const {
    if (depth_ == -1) return candidate.innermost;
    return depth_ < 0 || candidate.above == static_cast<uint64_t>(depth_);
  }

  LogicalResult convertInto(air::HierarchyOp& op, Operation& loop, PassContext& context) {
    std::vector<Dimension> dimensions;
    if (failed(checkLoop(loop)) || failed(normalize(loop, dimensions))) return failure();
    Builder builder = Builder::before(loop);
    std::vector<Value> outerVariables;
    size_t inner =
        fixedDims() ? std::min<size_t>(fixedDims(), dimensions.size()) : dimensions.size();
    size_t numOuter = dimensions.size() - inner;
    if (numOuter > 0) {
      outerVariables = makeOuterLoop(builder, loop, std::span(dimensions).first(numOuter));
      dimensions.erase(dimensions.begin(), dimensions.begin() + static_cast<ptrdiff_t>(numOuter));
    }
    op = makeHierarchy(builder, loop, dimensions);
    bindVariables(op, loop, dimensions, outerVariables);
    moveBody(op, loop);
    if (failed(finish(op, loop, context))) return failure();
    air::isolate(op, std::vector<Value>(outerVariables.rbegin(), outerVariables.rend()));
    if (failed(joinInner(op, loop)) || failed(checkBody(op))) return failure();
    loop.erase();
    return success();
  }

  /// scf.parallel over the dimensions that the op has no room for; `builder` goes into it.
  static std::vector<Value> makeOuterLoop(Builder& builder, Operation& loop,
                                          std::span<const Dimension> dimensions) {
    std::vector<Value> lower, upper, step;
    for (const Dimension& dimension : dimensions) {
      lower.push_back(builder.constantIndex(loop.location(), dimension.lower));
      upper.push_back(builder.constantIndex(loop.location(), dimension.upper));
      step.push_back(builder.constantIndex(loop.location(), dimension.step));
    }
    auto outer = scf::ParallelOp::create(builder, loop.location(), lower, upper, step);
    builder.setBefore(outer.body().back());
    return outer.inductionVars();
  }

  /// Position of loop dimension `i` among the ids.
  unsigned idOf(unsigned i, unsigned numDims) const {
    return static_cast<unsigned>((static_cast<uint64_t>(firstDim()) + i) % numDims);
  }

  air::HierarchyOp makeHierarchy(Builder& builder, Operation& loop,
                                 std::span<const Dimension> dimensions) const {
    std::vector<int64_t> counts(std::max<size_t>(fixedDims(), dimensions.size()), 1);
    unsigned numDims = static_cast<unsigned>(counts.size());
    for (unsigned i = 0; i < dimensions.size(); ++i)
      counts[idOf(i, numDims)] = dimensions[i].count();
    std::vector<Value> sizes;
    for (int64_t count : counts)
      sizes.push_back(builder.constantIndex(loop.location(), count));
    air::HierarchyOp op = air::createHierarchy(builder, loop.location(), opName_, sizes);
    for (std::string_view name :
         {std::string_view("air.actual_sizes"), air::kSameValues, air::kReadsFirst})
      if (Attribute said = loop.attr(name)) op->setAttr(name, said);
    return op;
  }

  /// Loop variables become outer variables, ids, or what affine.apply makes of ids.
  void bindVariables(air::HierarchyOp op, Operation& loop, std::span<const Dimension> dimensions,
                     std::span<const Value> outerVariables) const {
    Block& from = loop.region().front();
    unsigned numOuter = static_cast<unsigned>(outerVariables.size());
    for (unsigned i = 0; i < numOuter; ++i)
      from.argument(i).replaceAllUsesWith(outerVariables[i]);
    for (unsigned i = 0; i < dimensions.size(); ++i) {
      Value id = op.id(idOf(i, op.numDims()));
      Value variable = from.argument(numOuter + i);
      if (!dimensions[i].isUnit() && variable.hasUses()) id = makeApply(op, id, dimensions[i]);
      variable.replaceAllUsesWith(id);
    }
  }

  static Value makeApply(air::HierarchyOp op, Value id, const Dimension& dimension) {
    Builder builder = Builder::atStart(op.body());
    AffineExpr expr = AffineExpr::dim(builder.context(), 0) * dimension.step + dimension.lower;
    AffineMap map = AffineMap::get(builder.context(), 1, 0, std::span(&expr, 1));
    return affine::ApplyOp::create(builder, op->location(), {map, {id}})->result();
  }

  static void moveBody(air::HierarchyOp op, Operation& loop) {
    Block& from = loop.region().front();
    if (&from.front() != &from.back())
      op.body().splice(&op.body().back(), from, &from.front(), &from.back());
  }

  std::string_view opName_;
  int64_t depth_ = -2;
};

class ParallelToHerd : public ParallelToHierarchy {
 public:
  ParallelToHerd()
      : ParallelToHierarchy("air-par-to-herd", "Turns parallel loops into herds", "air.herd") {
    option("first-dim", firstDim_,
           "the herd dimension that takes the first loop dimension: 0 or 1");
    example("airlite-opt --air-par-to-herd='depth=1' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (firstDim_ != 0 && firstDim_ != 1) {
      module.emitError() << "expected 0 or 1 for option 'first-dim', found " << firstDim_;
      return PassResult::Failed;
    }
    PassResult result = ParallelToHierarchy::run(module, context);
    if (result == PassResult::Changed) remarkCopies(module, context);
    return result;
  }

 private:
  std::string_view obstacle(Operation& loop) const override {
    if (holds<air::LaunchOp>(loop) || holds<air::SegmentOp>(loop))
      return "stays a loop: a launch or segment is inside of it";
    air::HerdOp herd = loop.parentOf<air::HerdOp>();
    if (!herd) return feedsCores(loop) ? "stays a loop: it only puts and gets, for cores" : "";
    if (herd->parentOf<air::SegmentOp>() || herd->parentOf<air::LaunchOp>())
      return "stays a loop: it is inside of a herd";
    return {};  // parts of programs may have herds in herds
  }
  unsigned fixedDims() const override { return 2; }
  int64_t firstDim() const override { return firstDim_; }

  LogicalResult checkLoop(Operation& loop) const override {
    auto affineLoop = dynCast<affine::ParallelOp>(&loop);
    if (affineLoop && affineLoop.numDims() != 2)
      return loop.emitOpError() << "failed conversion to 'air.herd': only 2d loops are supported";
    if (isa<scf::ParallelOp>(&loop) && loop.numResults()) return checkReduction(loop);
    return checkResults(loop);
  }

  /// In a launch or segment the loop and the herd in it are one herd, in parts of programs a herd in a
  /// herd, for air-fuse-nested-herd.
  LogicalResult joinInner(air::HierarchyOp op, Operation& loop) const override {
    const bool isWhole = op->parentOfName("air.segment") || op->parentOfName("air.launch");
    bool holdsHerd = false;
    op->walk([&](Operation& inner) { holdsHerd |= isa<air::HerdOp>(&inner) && &inner != op.op(); });
    if (!isWhole || !holdsHerd) return success();
    const std::string_view why = air::fuseNestedHerd(air::HerdOp(op.op()), firstDim_ == 1);
    if (why.empty()) return success();
    return loop.emitOpError() << "not supported: a loop around a herd that cannot become one herd: "
                              << why;
  }

  LogicalResult finish(air::HierarchyOp herd, Operation& loop, PassContext& context) override {
    if (failed(copyLinkWith(herd))) return failure();
    if (loop.numResults() == 0) return success();
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                 CountedEffect::Store, CountedEffect::Dma})
      context.declareEffectChange(effect, "a reduction becomes a pipeline over a cascade");
    reduceToCascade(air::HerdOp(herd.op()), scf::ParallelOp(&loop));
    return success();
  }

  /// Only cores reach L1, so such a copy belongs into a herd; no pass tiles it for one yet.
  static void remarkCopies(Operation& module, PassContext& context) {
    module.walk([&](Operation& op) {
      if (!isa<air::DmaMemcpyNdOp>(&op) || op.parentOf<air::HerdOp>()) return;
      air::DmaMemcpyNdOp dma(&op);
      std::optional<air::MemoryLevel> dst = air::memoryLevel(dma.dst().memref.type());
      std::optional<air::MemoryLevel> src = air::memoryLevel(dma.src().memref.type());
      if (dst != src && (dst == air::MemoryLevel::L1 || src == air::MemoryLevel::L1))
        context.remark(op, "a copy from or to L1 stays outside of herds");
    });
  }

  static LogicalResult copyLinkWith(air::HierarchyOp herd) {
    Operation* call = nullptr;
    herd->walk([&](Operation& op) {
      if (!call && isa<func::CallOp>(&op)) call = &op;
    });
    if (!call) return success();
    func::FuncOp function = func::CallOp(call).function();
    if (!function) return call->emitOpError() << "expected function declaration";
    Attribute object = function->attr("link_with");
    if (!object)
      return call->emitOpError() << "expected 'link_with' construct for the function declaration";
    herd->setAttr("link_with", object);
    return success();
  }

  void nameAll(Operation& module) override { air::nameHerds(module); }

  int64_t firstDim_ = 0;
};

/// Such parts of programs stand outside of launches and segments only.
bool holdsNestedHerds(Operation& loop) {
  bool found = false;
  loop.walk([&](Operation& op) {
    if (isa<air::HerdOp>(&op)) found |= static_cast<bool>(op.parentOf<air::HerdOp>());
  });
  return found;
}

class ParallelToLaunch : public ParallelToHierarchy {
 public:
  ParallelToLaunch()
      : ParallelToHierarchy("air-par-to-launch", "Turns parallel loops into launches",
                            "air.launch") {
    option("has-air-segment", hasSegment_, "put the body of each launch into a segment");
    example("airlite-opt --air-par-to-launch='has-air-segment=true' in.mlir");
  }

 private:
  std::string_view obstacle(Operation& loop) const override {
    if (isa<affine::ParallelOp>(&loop)) return "stays a loop: affine.parallel becomes herds only";
    if (loop.parentOf<air::LaunchOp>()) return "stays a loop: it is inside of a launch";
    if (loop.parentOf<air::HerdOp>()) return "stays a loop: it is inside of a herd";
    if (loop.parentOf<air::SegmentOp>()) return "stays a loop: it is inside of a segment";
    if (holds<air::LaunchOp>(loop)) return "stays a loop: a launch is inside of it";
    if (onlyFeedsChannels(loop))
      return "stays a loop: it only puts and gets, for cores that are not inside of it";
    return holdsNestedHerds(loop) ? "stays a loop: herds in herds are inside of it"
                                  : std::string_view();
  }

  LogicalResult finish(air::HierarchyOp launch, Operation&, PassContext&) override {
    if (!hasSegment_) return success();
    air::isolate(launch);
    Builder builder = Builder::atStart(launch.body());
    air::HierarchyOp segment = air::createHierarchy(builder, launch->location(), "air.segment", {});
    Block& from = launch.body();
    if (segment->next() != &from.back())
      segment.body().splice(&segment.body().back(), from, segment->next(), &from.back());
    std::vector<Value> outside = from.arguments();
    unsigned first = air::addKernelOperands(segment, outside);
    for (size_t i = 0; i < outside.size(); ++i)
      outside[i].replaceUsesIf(segment.body().argument(first + static_cast<unsigned>(i)),
                               [&](OpOperand& use) { return use.owner() != segment.op(); });
    return checkBody(segment);
  }

  void nameAll(Operation& module) override { air::nameSegments(module); }

  bool hasSegment_ = false;
};

class ParallelToSegment : public ParallelToHierarchy {
 public:
  ParallelToSegment()
      : ParallelToHierarchy("air-par-to-segment", "Turns parallel loops into segments",
                            "air.segment") {
    example("airlite-opt --air-par-to-segment in.mlir");
  }

 private:
  std::string_view obstacle(Operation& loop) const override {
    if (isa<affine::ParallelOp>(&loop)) return "stays a loop: affine.parallel becomes herds only";
    if (loop.parentOf<air::SegmentOp>()) return "stays a loop: it is inside of a segment";
    if (loop.parentOf<air::HerdOp>()) return "stays a loop: it is inside of a herd";
    if (holds<air::LaunchOp>(loop)) return "stays a loop: a launch is inside of it";
    if (onlyFeedsChannels(loop))
      return "stays a loop: it only puts and gets, for cores that are not inside of it";
    return holdsNestedHerds(loop) ? "stays a loop: herds in herds are inside of it"
                                  : std::string_view();
  }
  void nameAll(Operation& module) override { air::nameSegments(module); }
};

}  // namespace

air::HierarchyOp convertLoop(Operation& loop, const LoopConversion& how, PassContext& context) {
  if (how.level == HierarchyLevel::Segment) return ParallelToSegment().convertOne(loop, context);
  if (how.level == HierarchyLevel::Launch) {
    ParallelToLaunch pass;
    pass.setOption("has-air-segment", how.hasAirSegment ? "true" : "false");
    return pass.convertOne(loop, context);
  }
  ParallelToHerd pass;
  pass.setOption("first-dim", std::to_string(how.firstDim));
  return pass.convertOne(loop, context);
}

void registerParallelToHierarchy(PassRegistry& registry) {
  registry.add<ParallelToHerd>();
  registry.add<ParallelToLaunch>();
  registry.add<ParallelToSegment>();
}

}  // namespace airlite
