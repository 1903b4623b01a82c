// air-split-long-ops: ops that compute more than the program memory of a core holds become several.
//
// Matches linalg.generic on buffers of static shape with parallel loops only and more than `functions` functions of floats
// (ops of math, quotients) in its body. The body is cut where the fewest values go from one part to the next;
// these go through buffers with an element for each round of the loops. Constants are in each part that uses them.
//
//   y = f(g(x))   ->   t = g(x); y = f(t)
//
// Declines: reductions, sizes that are not known, and, with a remark, bodies that pass i1 or an index from part to part wherever
// they are cut.
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/LongOps.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

class LongOp {
 public:
  explicit LongOp(StructuredOp op) : op_(op) {
    for (Operation& inner : op.body().ops())
      if (!inner.is("linalg.yield"))
        (inner.is("arith.constant") ? constants_ : work_).push_back(&inner);
  }

  bool isMatch(int64_t most) const {
    const auto isParallel = [](IteratorKind kind) { return kind == IteratorKind::Parallel; };
    const std::vector<int64_t> sizes = op_.loopSizes();
    return op_.onBuffers() && !sizes.empty() && std::ranges::count(sizes, kDynamic) == 0 &&
           std::ranges::all_of(op_.iterators(), isParallel) &&
           std::ranges::all_of(work_,
                               [](Operation* op) {
                                 return op->numResults() == 1 && op->numRegions() == 0 &&
                                        isPure(*op);
                               }) &&
           functionsIn(*op_.op()) > most;
  }

  /// False when no place for a cut was found.
  bool run(int64_t most) {
    std::vector<size_t> ends;
    for (size_t begin = 0; begin < work_.size(); begin = ends.back()) {
      ends.push_back(endOf(begin, most));
      if (ends.back() == begin) return false;
    }
    Builder builder = Builder::before(*op_.op());
    size_t begin = 0;
    for (size_t end : ends) {
      emitPart(builder, begin, end);
      begin = end;
    }
    for (Value buffer : made_)
      memref::DeallocOp::create(builder, op_->location(), buffer);
    op_->erase();
    return true;
  }

 private:
  /// Where the part that begins at `begin` ends; `begin` where it cannot.
  size_t endOf(size_t begin, int64_t most) const {
    int64_t functions = 0, fewest = std::numeric_limits<int64_t>::max();
    size_t best = begin;
    for (size_t end = begin; end < work_.size(); ++end) {
      functions += isLongFunction(*work_[end]);
      if (functions > most) return best;
      if (2 * functions < most) continue;
      const auto crossing = crossingAt(end + 1);
      if (crossing && *crossing <= fewest) fewest = *crossing, best = end + 1;
    }
    return work_.size();
  }

  /// Values that are made before a place and used after it; none where no buffer holds one of them.
  std::optional<int64_t> crossingAt(size_t place) const {
    int64_t count = 0;
    for (size_t i = 0; i < place; ++i) {
      if (!isUsedFrom(*work_[i], place)) continue;
      if (work_[i]->result().type().isInteger(1) || work_[i]->result().type().isIndex())
        return std::nullopt;
      ++count;
    }
    return count;
  }

  bool isUsedFrom(Operation& op, size_t place) const {
    return std::ranges::any_of(op.result().uses(), [&](OpOperand& use) {
      const auto found = std::ranges::find(work_, use.owner());
      return static_cast<size_t>(found - work_.begin()) >= place;  // a yield is after everything
    });
  }

  /// What a part reads and writes, in the order of its operands.
  struct Part {
    size_t begin, end;
    std::vector<Value> inputs, outputs;
    std::vector<AffineMap> maps;  ///< of inputs, then outputs
    std::vector<Value>
        arguments;  ///< what the body of the op as it was calls the elements of the inputs
    std::vector<Value> results;  ///< values of that body
  };

  bool isLast(const Part& part) const { return part.end == work_.size(); }

  void emitPart(Builder& builder, size_t begin, size_t end) {
    Part part{begin, end, {}, {}, {}, {}, {}};
    takeOperands(part);
    takeBuffers(part);
    if (isLast(part))
      giveOutputs(part);
    else
      giveBuffers(builder, part);
    StructuredOp made = linalg::createGeneric(builder, op_->location(), part.inputs, part.outputs,
                                              part.maps, op_.iterators());
    IRMapping values;
    for (unsigned i = 0; i < part.arguments.size(); ++i)
      values.map(part.arguments[i], made.bodyArgument(i));
    for (unsigned i = 0; isLast(part) && i < op_.numOutputs(); ++i)
      values.map(op_.bodyArgument(op_.numInputs() + i), made.bodyArgument(made.numInputs() + i));
    emitBody(made, part, values);
  }

  /// Operands of the op that the part needs; the last one has its outputs as outputs.
  void takeOperands(Part& part) const {
    const std::vector<AffineMap> maps = op_.indexingMaps();
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      const Value argument = op_.bodyArgument(i);
      if ((isLast(part) && i >= op_.numInputs()) || !isUsedIn(argument, part)) continue;
      part.inputs.push_back(op_->operand(i));
      part.maps.push_back(maps[i]);
      part.arguments.push_back(argument);
    }
  }

  /// Results of earlier parts.
  void takeBuffers(Part& part) const {
    for (size_t i = 0; i < part.begin; ++i) {
      const auto buffer = bufferOf_.find(work_[i]->result());
      if (buffer == bufferOf_.end() || !isUsedIn(buffer->first, part)) continue;
      part.inputs.push_back(buffer->second);
      part.maps.push_back(ofLoops());
      part.arguments.push_back(buffer->first);
    }
  }

  void giveOutputs(Part& part) const {
    const std::vector<AffineMap> maps = op_.indexingMaps();
    part.outputs = op_.outputs().vec();
    part.maps.insert(part.maps.end(), maps.begin() + op_.numInputs(), maps.end());
    part.results = op_.body().back().operands().vec();
  }

  void giveBuffers(Builder& builder, Part& part) {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (!isUsedFrom(*work_[i], part.end)) continue;
      part.results.push_back(work_[i]->result());
      part.outputs.push_back(bufferFor(builder, work_[i]->result()));
      part.maps.push_back(ofLoops());
    }
  }

  AffineMap ofLoops() const { return AffineMap::identity(op_->context(), op_.numLoops()); }

  /// By the ops of a part, the yield with the last one.
  bool isUsedIn(Value value, const Part& part) const {
    return std::ranges::any_of(value.uses(), [&](OpOperand& use) {
      const auto found = std::ranges::find(work_, use.owner());
      if (found == work_.end()) return isLast(part);
      const auto place = static_cast<size_t>(found - work_.begin());
      return part.begin <= place && place < part.end;
    });
  }

  Value bufferFor(Builder& builder, Value value) {
    const std::vector<int64_t> sizes = op_.loopSizes();
    const auto like = op_->operand(op_.numInputs()).type().cast<MemRefType>();
    const MemRefType type =
        MemRefType::get(op_->context(), sizes, value.type(), Attribute(), like.memorySpace());
    made_.push_back(memref::AllocOp::create(builder, op_->location(), type).result());
    return bufferOf_[value] = made_.back();
  }

  void emitBody(StructuredOp made, const Part& part, IRMapping& values) const {
    Builder body = Builder::atEnd(made.body());
    for (Operation* constant : constants_)
      if (isUsedIn(constant->result(), part)) body.clone(*constant, values);
    for (size_t i = part.begin; i < part.end; ++i)
      body.clone(*work_[i], values);
    std::vector<Value> results;
    for (Value value : part.results)
      results.push_back(values.lookupOr(value));
    body.create(op_->location(), "linalg.yield", results, {});
  }

  StructuredOp op_;
  std::vector<Operation*> constants_, work_;
  std::vector<Value> made_;
  std::unordered_map<Value, Value> bufferOf_;
};

class SplitLongOps : public Pass {
 public:
  SplitLongOps() : Pass("air-split-long-ops", "Makes several ops of one with a long body") {
    option("functions", functions_, "of floats in the body of an op, at most");
    example("airlite-opt --pipeline='air-split-long-ops{functions=4}' in.mlir");
  }

  PassResult run(Operation& root, PassContext& context) override {
    if (functions_ < 1) {
      emitError(root.context(), root.location())
          << "air-split-long-ops: expected 'functions' to be positive";
      return PassResult::Failed;
    }
    std::vector<StructuredOp> found;
    root.walk([&](Operation& op) {
      if (op.is("linalg.generic") && LongOp(StructuredOp(&op)).isMatch(functions_))
        found.push_back(StructuredOp(&op));
    });
    bool changed = false;
    for (StructuredOp op : found) {
      if (LongOp(op).run(functions_))
        changed = true;
      else
        context.remark(*op.op(), "its body is long, and cannot be cut");
    }
    return changedIf(changed);
  }

 private:
  int64_t functions_ = 8;
};

}  // namespace

bool isLongFunction(const Operation& op) {
  if (op.numResults() != 1 || !op.result().type().isFloat()) return false;
  if (op.is("arith.divf")) return true;
  return op.name().starts_with("math.") && !op.is("math.absf") && !op.is("math.copysign") &&
         !op.is("math.fma");
}

int64_t functionsIn(Operation& op) {
  if (!op.is("linalg.generic")) return 0;
  int64_t count = 0;
  for (Operation& inner : StructuredOp(&op).body().ops())
    count += isLongFunction(inner);
  return count;
}

void registerSplitLongOps(PassRegistry& registry) { registry.add<SplitLongOps>(); }

}  // namespace airlite
