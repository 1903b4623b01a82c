// air-aie-row-values: what an op needs once for each row, for all rows at once.
//
// Matches, in the programs of cores, linalg.generic on buffers of static shape with numbers of floats
// that are computed from some of its loops alone, as 1 / s[i] in out[i, j] = x[i, j] / s[i]. They
// are computed before it for all i, by an op that becomes a loop over vectors, and lie in a buffer
// that the op reads. In the loop over rows each would be a chain of scalar floats, one row after the
// other.
//
// Numbers of all rounds, which inputs of one element give, are computed before it in the same way, and loaded once.
//
// The vector unit computes 16 floats at a time: rows that are not a multiple of that are filled up,
// with numbers that nobody reads.
//
// Declines: less work than it saves, and buffers that the core has no room for (with a remark).
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "ProductParts.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace airlite::npu {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

constexpr int64_t kLanes = 16;
/// Rounds of the loops that a value does not change with: fewer gain nothing.
constexpr int64_t kLeastRounds = 8;

/// A set of loops, bit n: loop n.
using Loops = uint32_t;

/// What happens once for each setting of some loops of an op.
struct RowWork {
  Loops loops = 0;
  std::vector<Operation*> ops;   ///< in their order
  std::vector<Value> results;    ///< what the other ops use of them
  std::vector<unsigned> inputs;  ///< operands of the op that they read
};

bool isFloatWork(Operation& op) {
  const Type type = elementTypeOrSelf(op.result().type());
  return (type.isF32() || type.isBF16()) && !op.is("arith.constant") && !op.is("arith.extf") &&
         !op.is("arith.truncf") && !op.is("arith.bitcast");
}

/// The only element of an input that all rounds read, loaded.
Value numberOf(Builder& builder, StructuredOp op, unsigned input) {
  std::vector<Value> indices;
  for (AffineExpr result : op.indexingMaps()[input].results())
    indices.push_back(builder.constantIndex(op->location(), result.value()));
  return memref::LoadOp::create(builder, op->location(), op->operand(input), indices).result();
}

/// Which loops the values of a body change with, and the work that is worth to be done before.
class RowWorkFinder {
 public:
  explicit RowWorkFinder(StructuredOp op)
      : op_(op), maps_(op.indexingMaps()), sizes_(op.loopSizes()) {}

  std::optional<RowWork> run() {
    if (sizes_.empty() || std::ranges::count(sizes_, kDynamic)) return std::nullopt;
    for (unsigned i = 0; i < op_->numOperands(); ++i)
      loopsOf_[op_.bodyArgument(i)] = i < op_.numInputs() ? loopsOf(maps_[i]) : allLoops();
    std::set<Loops> sets;
    for (Operation& op : op_.body().ops())
      if (op.numResults() == 1) sets.insert(loopsOf_[op.result()] = loopsOf(op));
    for (Loops loops : sets)
      if (auto work = workOf(loops)) return work;
    return std::nullopt;
  }

 private:
  Loops allLoops() const { return (Loops{1} << sizes_.size()) - 1; }

  Loops loopsOf(AffineMap map) const {
    Loops loops = 0;
    for (unsigned r = 0; r < map.numResults(); ++r)
      for (unsigned loop = 0; loop < sizes_.size(); ++loop)
        if (map.result(r).usesDim(loop)) loops |= Loops{1} << loop;
    return loops;
  }

  Loops loopsOf(Operation& op) const {
    if (op.numRegions() != 0 || op.is("linalg.index")) return allLoops();
    Loops loops = 0;
    for (Value operand : op.operands())
      if (auto found = loopsOf_.find(operand); found != loopsOf_.end()) loops |= found->second;
    return loops;
  }

  int64_t rounds(Loops loops) const {
    int64_t product = 1;
    for (unsigned loop = 0; loop < sizes_.size(); ++loop)
      if (loops >> loop & 1) product *= sizes_[loop];
    return product;
  }

  std::optional<RowWork> workOf(Loops loops) {
    const bool isOfAll = loops == 0;  // one value for all rounds
    if (loops == allLoops() || (!isOfAll && rounds(loops) < 2) ||
        rounds(allLoops() & ~loops) < kLeastRounds)
      return std::nullopt;
    RowWork work{loops, {}, {}, {}};
    for (Operation& op : op_.body().ops())
      if (op.numResults() == 1 && !(loopsOf_.at(op.result()) & ~loops)) work.ops.push_back(&op);
    // A single scalar op takes no longer than to go through memory.
    if (std::ranges::count_if(work.ops, [](Operation* op) { return isFloatWork(*op); }) <
        (isOfAll ? 2 : 1))
      return std::nullopt;
    for (Operation* op : work.ops)
      if ((isOfAll ? isFloatWork(*op) : loopsOf_.at(op->result()) != 0) &&
          isUsedElsewhere(*op, work))
        work.results.push_back(op->result());
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      if (isUsedIn(op_.bodyArgument(i), work)) work.inputs.push_back(i);
    return work.results.empty() || writesInput(work) ? std::nullopt : std::optional(work);
  }

  static bool isIn(Operation* op, const RowWork& work) {
    return std::ranges::find(work.ops, op) != work.ops.end();
  }
  static bool isUsedElsewhere(Operation& op, const RowWork& work) {
    return std::ranges::any_of(op.result().uses(),
                               [&](OpOperand& use) { return !isIn(use.owner(), work); });
  }
  static bool isUsedIn(Value argument, const RowWork& work) {
    return std::ranges::any_of(argument.uses(),
                               [&](OpOperand& use) { return isIn(use.owner(), work); });
  }

  /// Does the op change what the work reads?
  bool writesInput(const RowWork& work) const {
    for (Value output : op_.outputs())
      for (unsigned input : work.inputs)
        if (memref::viewSource(output) == memref::viewSource(op_->operand(input))) return true;
    return false;
  }

  StructuredOp op_;
  std::vector<AffineMap> maps_;
  std::vector<int64_t> sizes_;
  std::unordered_map<Value, Loops> loopsOf_;
};

/// Puts the work before the op.
class RowWorkMover {
 public:
  RowWorkMover(StructuredOp op, const RowWork& work, ScratchBuffers& scratch)
      : op_(op),
        work_(work),
        scratch_(scratch),
        location_(op->location()),
        maps_(op.indexingMaps()),
        builder_(Builder::before(*op.op())) {
    const std::vector<int64_t> sizes = op.loopSizes();
    for (unsigned loop = 0; loop < sizes.size(); ++loop) {
      if (!(work.loops >> loop & 1)) continue;
      loops_.push_back(loop);
      sizes_.push_back(sizes[loop]);
      rows_ *= sizes[loop];
    }
    inLanes_ = (rows_ + kLanes - 1) / kLanes * kLanes;
  }

  /// Buffers for what the work reads and what it gives.
  std::vector<Type> bufferTypes() const {
    std::vector<Type> types;
    for (unsigned input : work_.inputs)
      types.push_back(bufferType(elementTypeOrSelf(op_->operand(input).type())));
    for (Value result : work_.results)
      types.push_back(bufferType(result.type()));
    return types;
  }

  void run() {
    std::vector<Value> inputs, outputs;
    for (unsigned input : work_.inputs)
      inputs.push_back(collected(input));
    for (Value result : work_.results)
      outputs.push_back(scratch_.take(bufferType(result.type())));
    compute(inputs, outputs);
    if (loops_.empty()) return useNumbers(outputs);
    useResults(outputs);
    op_->erase();
  }

 private:
  Type bufferType(Type element) const {
    return MemRefType::get(element.context(), {&inLanes_, 1}, element, Attribute(),
                           op_->operand(op_.numInputs()).type().cast<MemRefType>().memorySpace());
  }

  /// The rows of a buffer with the shape of the loops.
  Value shaped(Value buffer) {
    auto type = buffer.type().cast<MemRefType>();
    const auto view = MemRefType::get(type.context(), sizes_, type.elementType(), Attribute(),
                                      type.memorySpace());
    std::vector<memref::MixedIndex> sizes(sizes_.begin(), sizes_.end()), steps(sizes_.size(), 1);
    for (size_t i = sizes_.size() - 1; i-- > 0;)
      steps[i] = steps[i + 1].constant * sizes_[i + 1];
    return memref::ReinterpretCastOp::create(builder_, location_, buffer, 0, sizes, steps, view)
        ->result();
  }

  /// A map of the op as one of the loops of the work.
  AffineMap ofLoops(AffineMap map) const {
    std::vector<AffineExpr> dims(maps_.front().numDims(),
                                 AffineExpr::constant(builder_.context(), 0));
    for (unsigned i = 0; i < loops_.size(); ++i)
      dims[loops_[i]] = AffineExpr::dim(builder_.context(), i);
    std::vector<AffineExpr> results;
    for (unsigned r = 0; r < map.numResults(); ++r)
      results.push_back(map.result(r).replace(dims, {}));
    return AffineMap::get(builder_.context(), static_cast<unsigned>(loops_.size()), 0, results);
  }

  /// What the work reads of an operand, row after row.
  Value collected(unsigned input) {
    const Type element = elementTypeOrSelf(op_->operand(input).type());
    Value buffer = scratch_.take(bufferType(element));
    if (loops_.empty()) {
      Value number = numberOf(builder_, op_, input);
      linalg::createNamedOp(builder_, location_, "linalg.fill", {&number, 1}, {&buffer, 1});
      return buffer;
    }
    if (inLanes_ != rows_) {
      Value zero = builder_.constant(location_, zeroOf(element));
      linalg::createNamedOp(builder_, location_, "linalg.fill", {&zero, 1}, {&buffer, 1});
    }
    const auto rank = static_cast<unsigned>(loops_.size());
    const std::vector<AffineMap> maps = {ofLoops(maps_[input]),
                                         AffineMap::identity(builder_.context(), rank)};
    const std::vector<IteratorKind> kinds(rank, IteratorKind::Parallel);
    Value from = op_->operand(input), to = shaped(buffer);
    StructuredOp copy =
        linalg::createGeneric(builder_, location_, {&from, 1}, {&to, 1}, maps, kinds);
    Builder::atEnd(copy.body()).create(location_, "linalg.yield", {copy.bodyArgument(0)}, {});
    return buffer;
  }

  static Attribute zeroOf(Type element) {
    if (element.isFloat()) return FloatAttr::get(element, 0);
    return IntegerAttr::get(element, int64_t{0});
  }

  void compute(const std::vector<Value>& inputs, const std::vector<Value>& outputs) {
    const std::vector<AffineMap> maps(inputs.size() + outputs.size(),
                                      AffineMap::identity(builder_.context(), 1));
    const IteratorKind parallel = IteratorKind::Parallel;
    StructuredOp rows =
        linalg::createGeneric(builder_, location_, inputs, outputs, maps, {&parallel, 1});
    IRMapping values;
    for (unsigned i = 0; i < inputs.size(); ++i)
      values.map(op_.bodyArgument(work_.inputs[i]), rows.bodyArgument(i));
    Builder body = Builder::atEnd(rows.body());
    for (Operation* op : work_.ops)
      body.clone(*op, values);
    std::vector<Value> results;
    for (Value result : work_.results)
      results.push_back(values.lookupOr(result));
    body.create(location_, "linalg.yield", results, {});
  }

  /// In the op as it is, whose own numbers nobody needs any more.
  void useNumbers(const std::vector<Value>& buffers) {
    const Value first = builder_.constantIndex(location_, 0);
    for (size_t i = 0; i < buffers.size(); ++i) {
      Value result = work_.results[i];
      result.replaceAllUsesWith(
          memref::LoadOp::create(builder_, location_, buffers[i], {&first, 1}).result());
    }
  }

  /// The op again, with the results as inputs.
  void useResults(const std::vector<Value>& buffers) {
    const std::vector<Value> operands = op_->operands().vec();
    std::vector<Value> inputs(operands.begin(), operands.begin() + op_.numInputs()),
        outputs(operands.begin() + op_.numInputs(), operands.end());
    std::vector<AffineMap> maps(maps_.begin(), maps_.begin() + op_.numInputs());
    std::vector<AffineExpr> dims;
    for (unsigned loop : loops_)
      dims.push_back(AffineExpr::dim(builder_.context(), loop));
    for (Value buffer : buffers) {
      inputs.push_back(shaped(buffer));
      maps.push_back(AffineMap::get(builder_.context(), maps_.front().numDims(), 0, dims));
    }
    maps.insert(maps.end(), maps_.begin() + op_.numInputs(), maps_.end());
    StructuredOp made =
        linalg::createGeneric(builder_, location_, inputs, outputs, maps, op_.iterators());
    IRMapping values;
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      values.map(op_.bodyArgument(i), made.bodyArgument(i));
    for (unsigned i = 0; i < outputs.size(); ++i)
      values.map(op_.bodyArgument(op_.numInputs() + i), made.bodyArgument(made.numInputs() + i));
    Builder body = Builder::atEnd(made.body());
    for (Operation& op : op_.body().ops()) {
      auto result = std::ranges::find_if(work_.results,
                                         [&](Value value) { return value.definingOp() == &op; });
      if (result == work_.results.end())
        body.clone(op, values);
      else
        values.map(*result,
                   made.bodyArgument(op_.numInputs() +
                                     static_cast<unsigned>(result - work_.results.begin())));
    }
  }

  StructuredOp op_;
  const RowWork& work_;
  ScratchBuffers& scratch_;
  Location location_;
  std::vector<AffineMap> maps_;
  Builder builder_;
  std::vector<unsigned> loops_;
  std::vector<int64_t> sizes_;
  int64_t rows_ = 1, inLanes_ = 0;
};

/// Inputs of one element, which the op does not write, are loaded in front of it.
bool loadNumbers(StructuredOp op) {
  bool changed = false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    const Value memory = op->operand(i);
    Value element = op.bodyArgument(i);
    const auto isFixed = [](AffineExpr result) { return result.kind() == AffineKind::Constant; };
    const bool isWritten = std::ranges::any_of(op.outputs(), [&](Value output) {
      return memref::viewSource(output) == memref::viewSource(memory);
    });
    if (!memory.type().isa<MemRefType>() || isWritten || !element.hasUses() ||
        !std::ranges::all_of(maps[i].results(), isFixed))
      continue;
    Builder builder = Builder::before(*op.op());
    element.replaceAllUsesWith(numberOf(builder, op, i));
    changed = true;
  }
  return changed;
}

class RowValues : public CorePass {
 public:
  RowValues()
      : CorePass("air-aie-row-values", "Computes what rows need once for all rows at once") {
    example("airlite-opt --air-aie-row-values design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "numbers of rows lie in buffers");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      auto core = dynCast<aie::CoreOp>(program.root);
      if (!core) continue;  // there are no buffers to be had
      std::vector<Operation*> found;
      for (Operation* op : opsInside(*program.root))
        if (op->is("linalg.generic")) found.push_back(op);
      ScratchBuffers scratch(core);
      for (Operation* op : found)
        changed |= move(StructuredOp(op), scratch, context);
    }
    return changedIf(changed);
  }

 private:
  static bool move(StructuredOp op, ScratchBuffers& scratch, PassContext& context) {
    if (!op.onBuffers() || linalg::sumDepth(*op.op())) return false;
    // First what all rounds have in common, which leaves the op in its place, then what rows have.
    bool changed = false;
    while (const auto work = RowWorkFinder(op).run()) {
      scratch.releaseAll();
      RowWorkMover mover(op, *work, scratch);
      if (!scratch.haveRoom(mover.bufferTypes())) {
        context.remark(
            *op, "computes its numbers of rows one after the other: there is no room for all");
        break;
      }
      mover.run();
      changed = true;
      if (work->loops != 0) return true;
    }
    return loadNumbers(op) || changed;
  }
};

}  // namespace

void registerRowValues(PassRegistry& registry) { registry.add<RowValues>(); }

}  // namespace airlite::npu
