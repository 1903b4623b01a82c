// air-pipeline-reduce: a reduction becomes a herd whose cores add up one after the other.
//
// Matches a linalg op on buffers with one reduction loop, of constant size `tile-size` *
// `pipeline-depth` (tile-size 0: whatever that leaves). Each of `pipeline-depth` cores, along x
// (pipeline-direction=horiz) or y (vert), takes `tile-size` elements of that loop: a subview of
// each input that depends on it. The first core adds to the output itself and sends it on; each
// other one receives what is there so far in a buffer of L1, adds its part to it, and sends it on.
// The last one copies it to the output. Hops are channels of their own. The order of all additions
// stays.
//
// Declines, with a remark: ops with more reduction loops, sizes that are not known or do not fit,
// inputs that use the loop in a sum, linalg.index of it, an output that is also an input or is not
// added to; ops in parallel loops, launches, segments, herds or executes: several herds would share
// the channels.
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

constexpr int64_t kMostCores = 256;  // more than any array has

/// Where an input has the reduction loop; null: nowhere.
using LoopDim = std::optional<unsigned>;

struct Pipeline {
  StructuredOp op;
  unsigned loop = 0;
  int64_t depth = 0, tile = 0;
  bool isVertical = false;
  std::vector<LoopDim> dims;  // of the inputs
};

bool isSequentialRegion(Operation& op) {
  return isa<scf::ForOp>(&op) || isa<affine::ForOp>(&op) || isa<scf::IfOp>(&op);
}

/// In the body of a function, or loops and branches of it.
bool runsAlone(Operation& op) {
  Operation* at = op.parentOp();
  while (at && isSequentialRegion(*at))
    at = at->parentOp();
  return at && at->hasTrait(Trait::Function);
}

/// The dimension of a map that is the loop; false when the loop stands in a sum or twice.
bool findDim(AffineMap map, unsigned loop, LoopDim& found) {
  for (unsigned i = 0; i < map.numResults(); ++i) {
    AffineExpr expr = map.results()[i];
    if (!expr.usesDim(loop)) continue;
    if (found || expr != AffineExpr::dim(expr.context(), loop)) return false;
    found = i;
  }
  return true;
}

class PipelinePlanner {
 public:
  PipelinePlanner(int64_t depth, int64_t tile, bool isVertical, analysis::AccessReader& reader)
      : depth_(depth), tile_(tile), isVertical_(isVertical), reader_(reader) {}

  /// Empty when `pipeline` is what `op` becomes, else why not.
  std::string_view plan(StructuredOp op, Pipeline& pipeline) {
    pipeline = {op, 0, depth_, tile_, isVertical_, {}};
    std::vector<IteratorKind> kinds = op.iterators();
    auto isReduction = [](IteratorKind kind) { return kind != IteratorKind::Parallel; };
    if (std::ranges::count_if(kinds, isReduction) != 1) return "it has not one reduction loop";
    auto at = std::ranges::find_if(kinds, isReduction);
    pipeline.loop = static_cast<unsigned>(at - kinds.begin());
    if (!op.onBuffers() || op.numOutputs() != 1) return "it has not one output that is a buffer";
    if (!runsAlone(*op)) return "several of it may run at once";
    if (!op.readsOutput(0)) return "it does not add to its output";
    if (std::string_view obstacle = planSizes(pipeline); !obstacle.empty()) return obstacle;
    return planOperands(pipeline);
  }

 private:
  std::string_view planSizes(Pipeline& pipeline) const {
    std::vector<int64_t> sizes = pipeline.op.loopSizes();
    int64_t size = sizes.empty() ? kDynamic : sizes[pipeline.loop];
    if (size == kDynamic) return "the size of the reduction is not known";
    if (!pipeline.tile) pipeline.tile = size / depth_;
    bool fits = pipeline.tile > 0 && size % depth_ == 0 && pipeline.tile == size / depth_;
    return fits ? std::string_view() : "the reduction is not tile-size * pipeline-depth";
  }

  std::string_view planOperands(Pipeline& pipeline) {
    StructuredOp op = pipeline.op;
    std::vector<AffineMap> maps = op.indexingMaps();
    Value output = op.outputs()[0];
    for (int64_t size : output.type().cast<MemRefType>().shape())
      if (size == kDynamic) return "the size of the output is not known";
    for (unsigned i = 0; i < op.numInputs(); ++i) {
      LoopDim dim;
      if (!findDim(maps[i], pipeline.loop, dim)) return "an input uses the loop in a sum";
      pipeline.dims.push_back(dim);
      if (mayBeOne(op.inputs()[i], output)) return "its output is an input";
    }
    return op.usesIndices() ? "its body asks for the index" : std::string_view();
  }

  bool mayBeOne(Value input, Value output) {
    if (!input.type().isa<MemRefType>()) return false;
    analysis::Buffer a = reader_.bufferOf(input), b = reader_.bufferOf(output);
    return !a.isKnown() || !b.isKnown() || a == b;
  }

  int64_t depth_, tile_;
  bool isVertical_;
  analysis::AccessReader& reader_;
};

class PipelineBuilder {
 public:
  explicit PipelineBuilder(const Pipeline& plan)
      : plan_(plan), op_(plan.op), builder_(Builder::before(*op_)) {}

  void run() {
    for (int64_t hop = 1; hop < plan_.depth; ++hop) {
      int64_t one = 1;
      channels_.push_back(air::createChannel(*op_, std::span(&one, 1), "npu_dma_stream"));
    }
    air::HierarchyOp herd = makeHerd();
    id_ = herd.id(plan_.isVertical ? 1 : 0);
    other_ = herd.id(plan_.isVertical ? 0 : 1);
    builder_.setBefore(herd.body().back());
    takeParts();
    for (int64_t stage = 0; stage < plan_.depth; ++stage)
      makeStage(stage);
    op_->erase();
    air::isolate(herd);
  }

 private:
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }

  air::HierarchyOp makeHerd() {
    Operation* function = op_->parentOfName("func.func");
    Builder top = function ? Builder::atStart(function->region().front()) : builder_;
    Value one = top.constantIndex(location(), 1);
    Value depth = top.constantIndex(location(), plan_.depth);
    Value sizes[] = {plan_.isVertical ? one : depth, plan_.isVertical ? depth : one};
    return air::createHierarchy(builder_, location(), "air.herd", sizes);
  }

  /// The elements of each input that this core takes.
  void takeParts() {
    AffineExpr place = AffineExpr::symbol(context(), 0) * plan_.tile;
    AffineMap map = AffineMap::get(context(), 0, 1, std::span(&place, 1));
    Value start;
    for (unsigned i = 0; i < op_.numInputs(); ++i) {
      parts_.push_back(op_.inputs()[i]);
      if (!plan_.dims[i]) continue;
      if (!start) start = affine::ApplyOp::create(builder_, location(), {map, {id_}})->result();
      parts_.back() = partOf(op_.inputs()[i], *plan_.dims[i], start);
    }
  }

  Value partOf(Value input, unsigned dim, Value start) {
    std::vector<memref::MixedIndex> offsets, sizes, strides;
    std::span<const int64_t> shape = input.type().cast<MemRefType>().shape();
    for (unsigned i = 0; i < shape.size(); ++i) {
      bool isTiled = i == dim;
      offsets.push_back(isTiled ? memref::MixedIndex(start) : memref::MixedIndex(0));
      sizes.push_back(sizeOf(input, i, isTiled ? plan_.tile : shape[i]));
      strides.push_back(1);
    }
    return memref::SubViewOp::create(builder_, location(), input, offsets, sizes, strides).result();
  }

  memref::MixedIndex sizeOf(Value input, unsigned dim, int64_t size) {
    if (size != kDynamic) return size;
    return memref::DimOp::create(builder_, location(), input, dim)->result();
  }

  void makeStage(int64_t stage) {
    Builder around = builder_;
    Operation* branch = makeBranch(stage);
    builder_ = Builder::before(branch->region(0).front().back());
    bool isFirst = stage == 0, isLast = stage + 1 == plan_.depth;
    Value output = op_.outputs()[0];
    Value sum = isFirst ? output : receive(stage);
    compute(sum);
    if (!isLast)
      air::createChannelPut(builder_, location(), channels_[static_cast<size_t>(stage)], {}, sum);
    if (!isFirst && isLast) memref::CopyOp::create(builder_, location(), sum, output);
    if (!isFirst) memref::DeallocOp::create(builder_, location(), sum);
    builder_ = around;
  }

  /// On the core with this number.
  Operation* makeBranch(int64_t stage) {
    unsigned place = plan_.isVertical ? 1 : 0;
    AffineExpr id = AffineExpr::symbol(context(), place) - stage;
    AffineExpr other = AffineExpr::symbol(context(), 1 - place);
    AffineExpr constraints[] = {id, other};
    IntegerSet set = IntegerSet::get(context(), 0, 2, constraints, {true, false});
    OperationState state(context(), location(), "affine.if");
    state.operands = {plan_.isVertical ? other_ : id_, plan_.isVertical ? id_ : other_};
    state.addAttribute(context(), "condition", IntegerSetAttr::get(set));
    Block& body = state.addRegion().addBlock(context());
    state.addRegion();
    Operation* branch = builder_.create(state);
    Builder::atEnd(body).create(location(), "affine.yield", {}, {});
    return branch;
  }

  Value receive(int64_t stage) {
    auto type = op_.outputs()[0].type().cast<MemRefType>();
    Attribute l1 = builder_.i32Attr(static_cast<int64_t>(air::MemoryLevel::L1));
    MemRefType own = MemRefType::get(context(), type.shape(), type.elementType(), {}, l1);
    Value buffer = memref::AllocOp::create(builder_, location(), own).result();
    air::createChannelGet(builder_, location(), channels_[static_cast<size_t>(stage - 1)], {},
                          buffer);
    return buffer;
  }

  void compute(Value sum) {
    Operation* copy = builder_.clone(*op_);
    for (unsigned i = 0; i < parts_.size(); ++i)
      copy->setOperand(i, parts_[i]);
    copy->setOperand(static_cast<unsigned>(parts_.size()), sum);
  }

  const Pipeline& plan_;
  StructuredOp op_;
  Builder builder_;
  Value id_, other_;
  std::vector<std::string> channels_;
  std::vector<Value> parts_;
};

class PipelineReduce : public Pass {
 public:
  PipelineReduce() : Pass("air-pipeline-reduce", "Makes a herd of a reduction, core after core") {
    anchor("builtin.module");
    option("tile-size", tile_, "elements of the reduction for each core; 0: what is left");
    option("pipeline-depth", depth_, "how many cores");
    option("pipeline-direction", direction_, "how they lie", {"horiz", "vert"});
    example("airlite-opt --air-pipeline-reduce='pipeline-depth=4' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (depth_ < 2 || depth_ > kMostCores || tile_ < 0) {
      module.emitError() << "air-pipeline-reduce needs a pipeline-depth from 2 to " << kMostCores
                         << " and a tile-size of at least 0, not " << depth_ << " and " << tile_;
      return PassResult::Failed;
    }
    std::vector<Operation*> ops;
    module.walk([&](Operation& op) {
      if (StructuredOp linalg = linalg::asStructured(&op); linalg && linalg.reduces())
        ops.push_back(&op);
    });
    analysis::AccessReader reader;
    std::vector<Pipeline> plans;
    for (Operation* op : ops) {
      Pipeline pipeline;
      PipelinePlanner planner(depth_, tile_, direction_ == "vert", reader);
      std::string_view obstacle = planner.plan(linalg::asStructured(op), pipeline);
      if (obstacle.empty())
        plans.push_back(pipeline);
      else
        context.remark(*op, obstacle);
    }
    for (const Pipeline& plan : plans)
      PipelineBuilder(plan).run();
    if (plans.empty()) return PassResult::Unchanged;
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet})
      context.declareEffectChange(effect, "sums go from core to core");
    context.declareEffectChange(CountedEffect::Store, "each core adds its part");
    return PassResult::Changed;
  }

 private:
  int64_t tile_ = 0;
  int64_t depth_ = 4;
  std::string direction_ = "horiz";
};

}  // namespace

void registerPipelineReduce(PassRegistry& registry) { registry.add<PipelineReduce>(); }

}  // namespace airlite
