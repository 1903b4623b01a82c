// air-unroll-segments: a segment for each instance of a segment's iteration space.
//
// Matches air.segment with constant sizes, inner ones first. Each instance becomes an asynchronous
// segment of its own, `NAME_i_j`, with its ids and the sizes as constants. What waited for the
// segment waits for all of them: by an air.wait_all, which blocks where the segment did.
//
// Declines, with a remark: sizes that are not constants, no instance or more than 64, and segments
// with affinity or concurrency lists, which speak of the op as a whole.
#include "airlite/transform/UnrollSegments.hpp"

#include "Hierarchy.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

using Numbers = std::vector<int64_t>;

/// More than any device has room for.
constexpr int64_t kMostInstances = 64;

class SegmentUnroller {
 public:
  explicit SegmentUnroller(air::SegmentOp segment)
      : segment_(segment), sizes_(*segment.constantSizes()) {}

  std::vector<air::SegmentInstance> run() {
    Builder builder = Builder::before(*segment_.op());
    std::vector<Value> tokens;
    Numbers ids(sizes_.size(), 0);
    do {
      tokens.push_back(makeInstance(builder, ids));
    } while (advance(ids));
    Value token = segment_.token();
    std::vector<Type> types;
    if (token) types.push_back(token.type());
    Operation* all = builder.create(segment_->location(), "air.wait_all", tokens, types);
    if (token) token.replaceAllUsesWith(all->result());
    segment_->erase();
    return std::move(instances_);
  }

 private:
  /// To the next instance, the last dimension first; false after the last one.
  bool advance(Numbers& ids) const {
    for (size_t i = ids.size(); i-- > 0; ids[i] = 0)
      if (++ids[i] < sizes_[i]) return true;
    return false;
  }

  Value makeInstance(Builder& builder, const Numbers& ids) {
    std::vector<Value> dependencies = segment_.dependencies().vec();
    air::HierarchyOp instance =
        air::createHierarchy(builder, segment_->location(), "air.segment", {}, &dependencies);
    air::copyAttributes(segment_, instance);
    if (!segment_.symbol().empty()) instance->setAttr(kSymbolName, builder.stringAttr(nameOf(ids)));
    air::addKernelOperands(instance, segment_.kernelOperands().vec());
    fill(instance, ids);
    instances_.push_back({air::SegmentOp(instance.op()), ids});
    return instance.token();
  }

  std::string nameOf(const Numbers& ids) const {
    std::string name(segment_.symbol());
    for (int64_t id : ids)
      name += "_" + std::to_string(id);
    return name;
  }

  void fill(air::HierarchyOp instance, const Numbers& ids) const {
    Builder inside = Builder::before(instance.body().back());
    IRMapping mapping;
    for (unsigned i = 0; i < segment_.numDims(); ++i) {
      mapping.map(segment_.id(i), inside.constantIndex(segment_->location(), ids[i]));
      mapping.map(segment_.sizeArgument(i), inside.constantIndex(segment_->location(), sizes_[i]));
    }
    for (unsigned i = 0; i < segment_.numKernelOperands(); ++i)
      mapping.map(segment_.kernelArgument(i), instance.kernelArgument(i));
    for (Operation& op : segment_.body().ops())
      if (!op.hasTrait(Trait::Terminator)) inside.clone(op, mapping);
  }

  air::SegmentOp segment_;
  Numbers sizes_;
  std::vector<air::SegmentInstance> instances_;
};

class UnrollSegments : public Pass {
 public:
  UnrollSegments() : Pass("air-unroll-segments", "Makes a segment of each instance of a segment") {
    anchor("builtin.module");
    example("airlite-opt --air-unroll-segments in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> segments;
    module.walk(
        [&](Operation& op) {
          if (isa<air::SegmentOp>(&op) && air::SegmentOp(&op).numDims()) segments.push_back(&op);
        },
        WalkOrder::PostOrder);
    bool changed = false;
    for (Operation* segment : segments) {
      std::string_view obstacle = air::obstacleToUnroll(air::SegmentOp(segment));
      if (!obstacle.empty()) {
        context.remark(*segment, obstacle);
        continue;
      }
      air::unrollSegment(air::SegmentOp(segment));
      changed = true;
    }
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                 CountedEffect::Dma, CountedEffect::Store})
      if (changed) context.declareEffectChange(effect, "one for each instance of a segment");
    return changedIf(changed);
  }
};

}  // namespace

namespace air {

std::string_view obstacleToUnroll(SegmentOp segment) {
  std::optional<Numbers> sizes = segment.constantSizes();
  if (!sizes) return "not unrolled: its sizes are not constants";
  int64_t instances = 1;
  for (int64_t size : *sizes) {
    instances *= size;
    if (size < 1 || instances > kMostInstances)
      return "not unrolled: it has no instance, or more than 64";
  }
  if (!segment.affinity().empty() || !segment.concurrency().empty())
    return "not unrolled: its affinity and concurrency lists speak of it as a whole";
  return {};
}

std::vector<SegmentInstance> unrollSegment(SegmentOp segment) {
  return SegmentUnroller(segment).run();
}

}  // namespace air

void registerUnrollSegments(PassRegistry& registry) { registry.add<UnrollSegments>(); }

}  // namespace airlite
