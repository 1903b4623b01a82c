// air-aie-flatten-memrefs: memory of cores as rows of elements.
//
// Matches, in the programs of cores, loads and stores of memrefs of any rank and through views
// (subview, casts, reshapes, transpose). They become accesses with one index, computed from the
// strides; views go. Buffers, globals and arguments of functions get one dimension, and so do the
// buffers' other users (descriptors count elements and see no difference).
//
// Declines, with an error at the op: memory whose size is not constant or whose elements do not lie
// row-major from the start, views with open steps or strides, parts of a buffer that are handed to
// a function or carried by a loop.
#include "CoreMemory.hpp"
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "VectorUnit.hpp"
#include "ViewPlace.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <unordered_set>

namespace airlite::npu {

namespace {

bool isMemRef(Value value) { return value.type().isa<MemRefType>(); }

/// Operands of an access: where its memref stands; the indices follow.
std::optional<unsigned> accessedOperand(Operation& op) {
  if (op.is("memref.load") || op.is("vector.load")) return 0;
  if (op.is("memref.store") || op.is("vector.store")) return 1;
  return std::nullopt;
}

DenseElementsAttr flattened(DenseElementsAttr elements) {
  int64_t size = elements.type().numElements();
  ShapedType type =
      elements.type().cloneWith(std::span<const int64_t>(&size, 1), elements.type().elementType());
  return DenseElementsAttr::getRaw(type, elements.raw());
}

class Flattening {
 public:
  explicit Flattening(const CoreRoot& program) : program_(program) {}

  /// Every access gets one index; types stay, so that programs that share a buffer see its shape.
  LogicalResult rewriteAccesses() {
    for (Operation* op : opsInside(*program_.root))
      if (failed(rewrite(*op))) return failure();
    eraseViews();
    return success();
  }

  LogicalResult retype() {
    Operation& root = *program_.root;
    if (root.is("func.func") && failed(retypeFunction(root))) return failure();
    for (Operation* op : opsInside(root))
      retypeAround(*op);
    for (Region& region : root.regions())
      retypeArguments(region);
    return success();
  }
  bool changed() const { return changed_; }

 private:
  LogicalResult rewrite(Operation& op) {
    if (isPlaceView(op)) return views_.push_back(&op), success();
    if (op.is("memref.dim")) return lowerDim(op);
    if (op.is("memref.extract_strided_metadata"))
      return op.emitOpError() << "not supported in a core";
    if (auto memref = accessedOperand(op)) return lowerAccess(op, *memref);
    for (unsigned i = 0; i < op.numOperands(); ++i)
      if (isMemRef(op.operand(i)) && failed(passWhole(op, i))) return failure();
    return success();
  }

  const Place* placeOf(Operation& op, Value memref) {
    std::string why;
    const Place* place = places_.find(memref, why);
    if (!place) op.emitOpError() << "not supported in a core: " << why;
    return place;
  }

  LogicalResult lowerAccess(Operation& op, unsigned memref) {
    const Place* place = placeOf(op, op.operand(memref));
    if (!place) return failure();
    auto type = op.operand(memref).type().cast<MemRefType>();
    if (type.rank() == 1 && place->base == op.operand(memref)) return success();
    std::vector<Value> operands = op.operands().vec();
    std::vector<Value> indices(operands.begin() + memref + 1, operands.end());
    Builder builder = Builder::before(op);
    Value index = linearIndex(builder, op.location(), *place, indices);
    operands.resize(memref);
    operands.push_back(place->base);
    operands.push_back(index);
    op.setOperands(operands);
    changed_ = true;
    return success();
  }

  LogicalResult lowerDim(Operation& op) {
    auto type = op.operand(0).type().dynCast<MemRefType>();
    auto dim = constantIntOf(op.operand(1));
    if (!type || !dim || *dim < 0 || *dim >= type.rank() || type.isDynamicDim(*dim))
      return op.emitOpError() << "not supported in a core: a size that is not constant";
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    rewriter.replaceOp(op, rewriter.constantIndex(op.location(), type.dim(*dim)));
    return success();
  }

  /// Calls, branches, loops: they take memory as it begins.
  LogicalResult passWhole(Operation& op, unsigned i) {
    Value memref = op.operand(i);
    const Place* place = placeOf(op, memref);
    if (!place) return failure();
    if (!place->isWhole(memref.type().cast<MemRefType>()))
      return op.emitOpError() << "not supported in a core: operand " << i
                              << " is a part of a buffer";
    op.setOperand(i, place->base);
    return success();
  }

  void eraseViews() {
    for (size_t i = views_.size(); i-- > 0;)
      if (!views_[i]->hasResultUses()) views_[i]->erase(), changed_ = true;
  }

  // -- Types --------------------------------------------------------------------------------------

  void retypeAround(Operation& op) {
    for (unsigned i = 0; i < op.numResults(); ++i)
      retype(op.result(i));
    for (Value operand : op.operands())
      if (isMemRef(operand)) retypeBuffer(operand);
    for (Region& region : op.regions())
      retypeArguments(region);
    if (op.is("memref.get_global")) retypeGlobal(op);
    if (op.is("func.call")) retypeCallee(op);
  }

  void retype(Value value) {
    auto type = value.type().dynCast<MemRefType>();
    if (!type || type.rank() == 1 || !flatType(type)) return;
    value.setType(flatType(type));
    changed_ = true;
  }

  void retypeArguments(Region& region) {
    for (Block& block : region.blocks())
      for (Value argument : block.arguments())
        retype(argument);
  }

  /// What stands outside of the core: its buffers.
  void retypeBuffer(Value value) {
    Operation* op = value.definingOp();
    if (!op || !op->is("aie.buffer")) return;
    retype(value);
    if (auto initial = op->attrOf<DenseElementsAttr>("initial_value"))
      op->setAttr("initial_value", flattened(initial));
    else
      fillUp(value);
  }

  /// To parts from which vectors are shifted (UnalignedVectors.cpp), which nothing else begins in: where only elements are accessed, and
  /// descriptors say how many they move.
  void fillUp(Value buffer) {
    const auto type = buffer.type().dynCast<MemRefType>();
    const bool countsElements = std::ranges::all_of(buffer.uses(), [](OpOperand& use) {
      return accessedOperand(*use.owner()) ||
             (use.owner()->is("aie.dma_bd") && aie::DmaBdOp(use.owner()).length());
    });
    if (!type || type.rank() != 1 || !isElement(type.elementType()) || !countsElements ||
        isWholeParts(type))
      return;
    const int64_t lanes = 8 * kShiftedBytes / type.elementType().bitWidth(),
                  size = (type.dim(0) + lanes - 1) / lanes * lanes;
    buffer.setType(MemRefType::get(type.context(), std::span(&size, 1), type.elementType(),
                                   Attribute(), type.memorySpace()));
    changed_ = true;
  }

  void retypeGlobal(Operation& use) {
    Operation* op = lookupSymbol(&use, use.attrOf<SymbolRefAttr>("name"));
    if (!op || !op->is("memref.global")) return;
    op->setAttr("type", TypeAttr::get(use.result().type()));
    if (auto initial = op->attrOf<DenseElementsAttr>("initial_value"))
      op->setAttr("initial_value", flattened(initial));
  }

  /// A function without a body takes pointers: its type follows.
  void retypeCallee(Operation& call) {
    func::FuncOp callee = func::CallOp(&call).function();
    if (callee && callee.isDeclaration()) (void)retypeFunction(*callee);
  }

  LogicalResult retypeFunction(Operation& op) {
    func::FuncOp function(&op);
    auto inputs = flatTypes(op, function.functionType().inputs());
    auto results = flatTypes(op, function.functionType().results());
    if (!inputs || !results) return failure();
    function.setFunctionType(FunctionType::get(op.context(), *inputs, *results));
    return success();
  }

  static std::optional<std::vector<Type>> flatTypes(Operation& op, std::span<const Type> types) {
    std::vector<Type> flat(types.begin(), types.end());
    for (Type& type : flat) {
      auto memref = type.dynCast<MemRefType>();
      if (!memref) continue;
      if (!flatType(memref)) {
        op.emitOpError() << "not supported in a core: memory without a constant size or not "
                            "row-major: "
                         << type;
        return std::nullopt;
      }
      type = flatType(memref);
    }
    return flat;
  }

  CoreRoot program_;
  Places places_;
  std::vector<Operation*> views_;
  bool changed_ = false;
};

class FlattenMemRefs : public CorePass {
 public:
  FlattenMemRefs() : CorePass("air-aie-flatten-memrefs", "Gives memory of cores one dimension") {
    example("airlite-opt --air-aie-flatten-memrefs design.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    std::vector<Flattening> programs;
    for (const CoreRoot& program : roots(module))
      programs.emplace_back(program);
    for (Flattening& program : programs)
      if (failed(program.rewriteAccesses())) return PassResult::Failed;
    bool changed = false;
    for (Flattening& program : programs) {
      if (failed(program.retype())) return PassResult::Failed;
      changed |= program.changed();
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerFlattenMemRefs(PassRegistry& registry) { registry.add<FlattenMemRefs>(); }

}  // namespace airlite::npu
