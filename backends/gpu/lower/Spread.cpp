// Spreads the vectors of a herd over the lanes of its waves (attribute airlite.spread): a vector of
// the wave becomes the fragment that a lane has of it. Products become matrix instructions, loads
// and stores those of the lane's elements, up to 16 bytes at a time.
#include "IndexMath.hpp"
#include "SpreadLayout.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

namespace airlite::gpu {
namespace {

constexpr int64_t kWidestAccess = 16;  // bytes
/// Dialects and ops whose meaning does not change when each lane runs them on its part.
constexpr std::string_view kPlainDialects[] = {"arith", "math", "affine", "gpu"};
constexpr std::string_view kPlainOps[] = {
    "scf.for",        "scf.if",         "scf.yield",          "memref.load",
    "memref.dim",     "memref.subview", "memref.cast",        "memref.collapse_shape",
    "air.herd_terminator"};

/// Elements of a lane that lie next to each other in memory: their numbers in the fragment.
struct AccessRun {
  std::vector<int64_t> elements;
};

class HerdSpreader {
 public:
  HerdSpreader(Kernel& kernel, air::HerdOp herd)
      : kernel_(kernel), herd_(herd), builder_(herd->context()) {}

  LogicalResult run() {
    if (failed(checkOps())) return failure();
    separateConstants();
    if (failed(findLayouts(kernel_, herd_, layouts_))) return failure();
    for (const auto& [value, layout] : layouts_)
      fragments_[value] = fragmentType(value, layout.elements);
    std::vector<Operation*> ops;
    herd_->walk([&](Operation& op) { ops.push_back(&op); }, WalkOrder::PreOrder);
    for (Operation* op : ops)
      plan(*op);
    for (Operation* op : ops)
      if (op != herd_.op() && failed(rewrite(*op))) return failure();
    for (Operation* op : dead_)
      op->erase();
    return success();
  }

 private:
  // -- Before --------------------------------------------------------------------------------------

  LogicalResult checkOps() {
    LogicalResult result = success();
    herd_->walk([&](Operation& op) {
      if (&op == herd_.op() || isKnown(op)) return;
      result = failure();
      op.emitOpError() << "not supported in a herd whose vectors are spread over lanes ("
                       << kSpreadAttr << ")";
    });
    return result;
  }

  static bool isKnown(const Operation& op) {
    const std::string_view name = op.name();
    for (Value operand : op.operands())
      if (isLevel(operand, air::MemoryLevel::L1)) return false;  // a lane's own, not the wave's
    if (std::ranges::count(kPlainOps, name) || op.def().dialect == "vector") return true;
    return std::ranges::count(kPlainDialects, std::string_view(op.def().dialect)) != 0;
  }

  /// Each use gets a constant of its own, which lies as the use asks for.
  void separateConstants() {
    std::vector<Operation*> sources;
    herd_->walk([&](Operation& op) {
      const bool isSplat = op.is("vector.broadcast") && !op.operand(0).type().isa<VectorType>();
      if (!isSplat && !op.is("arith.constant")) return;
      if (op.result().type().isa<VectorType>()) sources.push_back(&op);
    });
    for (Operation* op : sources) {
      std::vector<OpOperand*> uses;
      for (OpOperand& use : op->result().uses())
        uses.push_back(&use);
      for (size_t i = 1; i < uses.size(); ++i) {
        builder_.setBefore(*op);
        uses[i]->set(builder_.clone(*op)->result());
      }
    }
  }

  static Type fragmentType(Value value, int64_t elements) {
    return VectorType::get(value.type().context(), std::span(&elements, 1),
                           elementTypeOrSelf(value.type()));
  }

  /// What later depends on types and values that are replaced on the way.
  void plan(Operation& op) {
    if (isa<vector::ContractOp>(&op)) plans_[&op] = *planContract(kernel_, vector::ContractOp(&op));
    if (op.is("vector.store") || op.is("vector.transfer_write"))
      accessed_[&op] = layouts_.at(op.operand(0));
    if (op.is("vector.load") || op.is("vector.transfer_read"))
      accessed_[&op] = layouts_.at(op.result());
    const bool isTransfer = op.is("vector.transfer_read") || op.is("vector.transfer_write");
    if (isTransfer && !vector::TransferOp(&op).isAllInBounds()) guarded_.insert(&op);
  }

  // -- Ops -----------------------------------------------------------------------------------------

  LogicalResult rewrite(Operation& op) {
    builder_.setBefore(op);
    if (op.def().dialect == "vector") return rewriteVector(op);
    if (op.is("arith.constant") && op.result().type().isa<VectorType>())
      return rewriteConstant(op);
    retype(op);
    return success();
  }

  void retype(Operation& op) {
    for (Value result : op.resultValues())
      retype(result);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Value argument : block.arguments())
          retype(argument);
  }

  void retype(Value value) {
    if (const auto known = fragments_.find(value); known != fragments_.end())
      value.setType(known->second);
  }

  LogicalResult rewriteConstant(Operation& op) {
    const auto dense = op.attr("value").dynCast<DenseElementsAttr>();
    if (!dense || !dense.isSplat())
      return op.emitOpError() << "not supported: a constant vector with different elements in a "
                                 "herd whose vectors are spread over lanes";
    retype(op);
    const Attribute element[] = {dense.splatValue()};
    op.setAttr("value", DenseElementsAttr::get(op.result().type().cast<ShapedType>(), element));
    return success();
  }

  LogicalResult rewriteVector(Operation& op) {
    if (op.is("vector.load") || op.is("vector.store")) return rewriteAccess(op);
    if (op.is("vector.transfer_read") || op.is("vector.transfer_write"))
      return rewriteTransfer(op);
    if (isa<vector::ContractOp>(&op)) return rewriteContract(vector::ContractOp(&op));
    if (op.is("vector.transpose")) return replace(op, op.operand(0));
    if (op.is("vector.broadcast")) {
      if (op.operand(0).type().isa<VectorType>()) return replace(op, op.operand(0));
      retype(op);
      return success();
    }
    if (op.is("vector.fma")) {
      retype(op);
      return success();
    }
    return op.emitOpError() << "not supported in a herd whose vectors are spread over lanes ("
                            << kSpreadAttr << ")";
  }

  /// Later ops find the new value; the old op goes at the end.
  LogicalResult replace(Operation& op, Value by) {
    op.result().replaceAllUsesWith(by);
    dead_.insert(dead_.begin(), &op);
    return success();
  }

  // -- Products ------------------------------------------------------------------------------------

  LogicalResult rewriteContract(vector::ContractOp contract) {
    const ContractPlan& plan = plans_.at(contract.op());
    Value sum = contract.accumulator();
    for (int64_t step = 0; step < plan.steps; ++step) {
      const auto& row = *plan.instruction;
      const Value a = slice(contract.lhs(), step * row.a.elements, row.a.elements);
      const Value b = slice(contract.rhs(), step * row.b.elements, row.b.elements);
      sum = row.form == amdgpu::MatrixForm::Lanes
                ? multiplyInLanes(a, b, sum, row)
                : MatrixProductOp::create(builder_, contract->location(), row, a, b, sum);
    }
    return replace(*contract.op(), sum);
  }

  /// Row by row: sum[i][j] = a[i] * b[j] + sum[i][j].
  Value multiplyInLanes(Value a, Value b, Value sum, const amdgpu::MatrixInstruction& row) {
    const Location at = a.location();
    for (int64_t i = 0; i < row.a.elements; ++i) {
      const Value one = vector::ExtractOp::create(builder_, at, a, std::span(&i, 1)).result();
      const Value all = builder_.create(at, "vector.broadcast", {one}, {b.type()})->result();
      const Value old = slice(sum, i * row.b.elements, row.b.elements);
      const Value made = builder_.create(at, "vector.fma", {all, b, old}, {b.type()})->result();
      sum = put(made, sum, i * row.b.elements);
    }
    return sum;
  }

  Attribute numbers(int64_t value) {
    const Attribute one[] = {builder_.i64Attr(value)};
    return ArrayAttr::get(builder_.context(), one);
  }

  Value slice(Value vector, int64_t from, int64_t count) {
    const auto type = vector.type().cast<VectorType>();
    if (count == type.numElements()) return vector;
    const Type part = VectorType::get(type.context(), std::span(&count, 1), type.elementType());
    return builder_
        .create(vector.location(), "vector.extract_strided_slice", {vector}, {part},
                {builder_.named("offsets", numbers(from)), builder_.named("sizes", numbers(count)),
                 builder_.named("strides", numbers(1))})
        ->result();
  }

  Value put(Value part, Value into, int64_t at) {
    return builder_
        .create(part.location(), "vector.insert_strided_slice", {part, into}, {into.type()},
                {builder_.named("offsets", numbers(at)), builder_.named("strides", numbers(1))})
        ->result();
  }

  // -- Accesses ------------------------------------------------------------------------------------

  LogicalResult rewriteTransfer(Operation& op) {
    const vector::TransferOp transfer(&op);
    const AffineMap map = transfer.permutationMap();
    bool isPlain = !transfer.mask() && transfer.source().type().isa<MemRefType>();
    for (unsigned i = 0; i < map.numResults(); ++i)
      isPlain = isPlain && map.result(i).kind() == AffineKind::Dim;
    if (!isPlain)
      return op.emitOpError() << "not supported: a mask, a broadcast or a tensor in a herd whose "
                                 "vectors are spread over lanes";
    return rewriteAccess(op);
  }

  /// The dimension of the memref for each one of the vector.
  static std::vector<unsigned> dimensionsOf(Operation& op, unsigned rank, size_t vectorRank) {
    std::vector<unsigned> dims;
    if (auto map = op.attrOf<AffineMapAttr>("permutation_map"))
      for (AffineExpr result : map.value().results())
        dims.push_back(result.position());
    else
      for (size_t i = 0; i < vectorRank; ++i)
        dims.push_back(static_cast<unsigned>(rank - vectorRank + i));
    return dims;
  }

  LogicalResult rewriteAccess(Operation& op) {
    const bool isRead = op.numResults() == 1;
    const Value memref = op.operand(isRead ? 0 : 1);
    const auto type = memref.type().cast<MemRefType>();
    const auto form = type.stridedForm();
    if (!form) return op.emitOpError() << "not supported: a memref whose layout has no strides";
    const Layout& layout = accessed_.at(&op);
    LaneAccess access{op, memref, type, form->strides, layout, {}, {}, guarded_.count(&op) != 0};
    const unsigned rank = static_cast<unsigned>(type.shape().size());
    access.dims = dimensionsOf(op, rank, layout.axes.size());
    for (Value index : op.operandGroup("indices"))
      access.start.push_back(index);
    addLanes(access);
    if (isRead) return replace(op, readRuns(access));
    writeRuns(access, op.operand(0));
    dead_.insert(dead_.begin(), &op);
    return success();
  }

  struct LaneAccess {
    Operation& op;
    Value memref;
    MemRefType type;
    std::vector<int64_t> strides;
    const Layout& layout;
    std::vector<unsigned> dims;
    std::vector<Value> start;  ///< index of element 0 of the lane's fragment less its constant part
    bool isGuarded;
  };

  void addLanes(LaneAccess& access) {
    IndexMath math(builder_, access.op.location());
    for (size_t i = 0; i < access.dims.size(); ++i) {
      Value& index = access.start[access.dims[i]];
      index = math.value(math.add(Index(index), lanePart(access.layout.axes[i].lane)));
    }
  }

  /// (lane / divide % modulo) * scale, made once at the start of the herd.
  Index lanePart(const amdgpu::Term& term) {
    if (term.scale == 0) return 0;
    const std::array<int64_t, 3> key = {term.divide, term.modulo, term.scale};
    if (const auto known = laneParts_.find(key); known != laneParts_.end()) return known->second;
    Builder start = Builder::atStart(herd_.body());
    if (lastPart_) start.setAfter(*lastPart_);
    IndexMath math(start, herd_->location());
    Index part = math.div(Index(kernel_.lane), term.divide);
    if (term.modulo && term.divide * term.modulo < kernel_.shape.wave)
      part = math.rem(part, term.modulo);
    part = math.mul(part, term.scale);
    if (part.value && part.value.definingOp() && part.value != kernel_.lane)
      lastPart_ = part.value.definingOp();
    return laneParts_[key] = part;
  }

  /// Constant part of the coordinate of element `e` along dimension `i` of the vector.
  static int64_t offsetOf(const Layout& layout, size_t i, int64_t e) {
    return layout.axes[i].at(0, e);
  }

  /// The dimension of the vector along which elements are next to each other in memory; -1: none.
  static int innerDimension(const LaneAccess& access) {
    for (size_t i = 0; i < access.dims.size(); ++i)
      if (access.strides[access.dims[i]] == 1) return static_cast<int>(i);
    return -1;
  }

  std::vector<AccessRun> runsOf(const LaneAccess& access) const {
    const int inner = innerDimension(access);
    std::map<std::vector<int64_t>, int64_t> byPlace;  // outer coordinates, then the inner one
    for (int64_t e = 0; e < access.layout.elements; ++e) {
      std::vector<int64_t> place;
      for (size_t i = 0; i < access.dims.size(); ++i)
        if (static_cast<int>(i) != inner) place.push_back(offsetOf(access.layout, i, e));
      if (inner >= 0) place.push_back(offsetOf(access.layout, static_cast<size_t>(inner), e));
      // Reads of an element that is there several times read it each time.
      if (!byPlace.emplace(place, e).second) return singleRuns(access.layout.elements);
    }
    std::vector<AccessRun> runs;
    const std::vector<int64_t>* before = nullptr;
    const auto limit = static_cast<size_t>(kWidestAccess / bytesOfElement(access));
    for (const auto& [place, e] : byPlace) {
      const bool follows = before && inner >= 0 && runs.back().elements.size() < limit &&
                           std::equal(place.begin(), place.end() - 1, before->begin()) &&
                           place.back() == before->back() + 1;
      if (!follows) runs.emplace_back();
      runs.back().elements.push_back(e);
      before = &place;
    }
    return runs;
  }

  static std::vector<AccessRun> singleRuns(int64_t count) {
    std::vector<AccessRun> runs;
    for (int64_t e = 0; e < count; ++e)
      runs.push_back({{e}});
    return runs;
  }

  static int64_t bytesOfElement(const LaneAccess& access) {
    return std::max<int64_t>(1, static_cast<int64_t>(access.type.elementType().bitWidth()) / 8);
  }

  std::vector<Value> indicesAt(const LaneAccess& access, int64_t element) {
    IndexMath math(builder_, access.op.location());
    std::vector<Value> indices = access.start;
    for (size_t i = 0; i < access.dims.size(); ++i) {
      Value& index = indices[access.dims[i]];
      index = math.value(math.add(Index(index), offsetOf(access.layout, i, element)));
    }
    return indices;
  }

  /// Bytes that the address of a run is a multiple of, of LDS, whose buffers are aligned.
  int64_t alignmentOf(const LaneAccess& access, std::span<const Value> indices, int64_t bytes) const {
    if (!isLevel(access.memref, air::MemoryLevel::L2)) return 0;
    if (!access.memref.definingOp() || access.memref.definingOp()->hasTrait(Trait::ViewLike))
      return 0;
    int64_t divisor = bytes;
    for (size_t d = 0; d < indices.size(); ++d)
      divisor = std::gcd(divisor, knownDivisor(indices[d]) * access.strides[d] *
                                      bytesOfElement(access));
    return divisor == bytes ? bytes : 0;
  }

  Type runType(const LaneAccess& access, const AccessRun& run) const {
    const auto count = static_cast<int64_t>(run.elements.size());
    return VectorType::get(access.type.context(), std::span(&count, 1), access.type.elementType());
  }

  // -- Reads

  Value readRuns(const LaneAccess& access) {
    const auto runs = runsOf(access);
    const Type fragment = fragments_.at(access.op.result());
    Value made;
    std::vector<Value> parts(static_cast<size_t>(access.layout.elements));
    for (const AccessRun& run : runs) {
      const Value part = readRun(access, run);
      if (runs.size() == 1 && std::ranges::is_sorted(run.elements)) return part;
      for (size_t i = 0; i < run.elements.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        parts[static_cast<size_t>(run.elements[i])] =
            vector::ExtractOp::create(builder_, access.op.location(), part, std::span(&at, 1))
                .result();
      }
    }
    const Type types[] = {fragment};
    return builder_.create(access.op.location(), "vector.from_elements", parts, types)->result();
  }

  Value readRun(const LaneAccess& access, const AccessRun& run) {
    const auto indices = indicesAt(access, run.elements[0]);
    const Type type = runType(access, run);
    if (access.isGuarded) return guardedRead(access, indices, run);
    std::vector<Value> operands = {access.memref};
    operands.insert(operands.end(), indices.begin(), indices.end());
    const Type types[] = {type};
    Operation* load = builder_.create(access.op.location(), "vector.load", operands, types);
    align(*load, access, indices, run);
    return load->result();
  }

  void align(Operation& op, const LaneAccess& access, std::span<const Value> indices,
             const AccessRun& run) {
    const auto bytes = static_cast<int64_t>(run.elements.size()) * bytesOfElement(access);
    if (const int64_t known = alignmentOf(access, indices, bytes))
      op.setAttr("alignment", builder_.i64Attr(known));
  }

  /// A vector of one row along the dimension of the run, so that all bounds are still asked for.
  VectorType rowType(const LaneAccess& access, const AccessRun& run) const {
    std::vector<int64_t> shape(access.dims.size(), 1);
    const int inner = innerDimension(access);
    if (inner >= 0) shape[static_cast<size_t>(inner)] = static_cast<int64_t>(run.elements.size());
    return VectorType::get(access.type.context(), shape, access.type.elementType());
  }

  Value guardedRead(const LaneAccess& access, std::span<const Value> indices,
                    const AccessRun& run) {
    OperationState state(builder_.context(), access.op.location(), "vector.transfer_read");
    state.operands = {access.memref};
    state.operands.insert(state.operands.end(), indices.begin(), indices.end());
    state.operands.push_back(vector::TransferReadOp(&access.op).padding());
    copyTransferAttributes(access.op, state);
    const int32_t groups[] = {1, static_cast<int32_t>(indices.size()), 1, 0};
    state.setOperandSegments(builder_.context(), groups);
    state.resultTypes.push_back(rowType(access, run));
    return flat(builder_.create(state)->result(), runType(access, run));
  }

  static void copyTransferAttributes(Operation& from, OperationState& state) {
    for (std::string_view name : {"permutation_map", "in_bounds"})
      if (Attribute attr = from.attr(name)) state.addAttribute(from.context(), name, attr);
  }

  Value flat(Value value, Type type) {
    if (value.type() == type) return value;
    return builder_.create(value.location(), "vector.shape_cast", {value}, {type})->result();
  }

  // -- Writes

  void writeRuns(const LaneAccess& access, Value fragment) {
    for (const AccessRun& run : runsOf(access)) {
      const Value part = takeRun(access, run, fragment);
      const auto indices = indicesAt(access, run.elements[0]);
      if (access.isGuarded) {
        guardedWrite(access, indices, run, part);
        continue;
      }
      std::vector<Value> operands = {part, access.memref};
      operands.insert(operands.end(), indices.begin(), indices.end());
      align(*builder_.create(access.op.location(), "vector.store", operands, {}), access, indices,
            run);
    }
  }

  Value takeRun(const LaneAccess& access, const AccessRun& run, Value fragment) {
    const auto count = static_cast<int64_t>(run.elements.size());
    bool isSlice = true;
    for (int64_t i = 0; i < count; ++i)
      isSlice = isSlice && run.elements[static_cast<size_t>(i)] == run.elements[0] + i;
    if (isSlice) return slice(fragment, run.elements[0], count);
    std::vector<Value> parts;
    for (int64_t e : run.elements)
      parts.push_back(
          vector::ExtractOp::create(builder_, access.op.location(), fragment, std::span(&e, 1))
              .result());
    const Type types[] = {runType(access, run)};
    return builder_.create(access.op.location(), "vector.from_elements", parts, types)->result();
  }

  void guardedWrite(const LaneAccess& access, std::span<const Value> indices, const AccessRun& run,
                    Value part) {
    OperationState state(builder_.context(), access.op.location(), "vector.transfer_write");
    state.operands = {flat(part, rowType(access, run)), access.memref};
    state.operands.insert(state.operands.end(), indices.begin(), indices.end());
    copyTransferAttributes(access.op, state);
    const int32_t groups[] = {1, 1, static_cast<int32_t>(indices.size()), 0};
    state.setOperandSegments(builder_.context(), groups);
    builder_.create(state);
  }

  Kernel& kernel_;
  air::HerdOp herd_;
  Builder builder_;
  Layouts layouts_;
  std::unordered_map<Value, Type> fragments_;
  std::unordered_map<Operation*, ContractPlan> plans_;
  std::unordered_map<Operation*, Layout> accessed_;
  std::unordered_set<Operation*> guarded_;  ///< elements may be out of bounds
  std::map<std::array<int64_t, 3>, Index> laneParts_;
  Operation* lastPart_ = nullptr;
  std::vector<Operation*> dead_;
};

}  // namespace

LogicalResult spreadVectors(Kernel& kernel) {
  std::vector<Operation*> herds;
  kernel.func->walk([&](Operation& op) {
    if (isa<air::HerdOp>(&op) && op.hasAttr(kSpreadAttr)) herds.push_back(&op);
  });
  for (Operation* herd : herds)
    if (failed(HerdSpreader(kernel, air::HerdOp(herd)).run())) return failure();
  return success();
}

}  // namespace airlite::gpu
