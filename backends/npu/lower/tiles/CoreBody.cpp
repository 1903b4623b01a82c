// The program of a core as the core runs it: in order, on buffers of its tile.
#include "Design.hpp"
#include "Sites.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/transform/DropTokens.hpp"
#include "airlite/transform/LinalgToLoops.hpp"

#include <unordered_set>

namespace airlite::npu {

namespace {

// -- Constants and conditionals -------------------------------------------------------------------

/// The region that `op` runs, when its condition is constant. An empty region does nothing.
Region* decidedRegion(Operation& op) {
  return takenRegion(op, [](Value value) { return constantIntOf(value); });
}

/// Puts the ops of `taken`, a region of `op`, in its place.
void replaceByRegion(Operation& op, Region& taken) {
  Rewriter rewriter(op.context());
  if (taken.empty()) return rewriter.eraseOp(op);
  std::vector<Value> yielded = taken.front().back().operands().vec();
  taken.front().back().erase();
  for (unsigned i = 0; i < op.numResults(); ++i)
    op.result(i).replaceAllUsesWith(yielded[i]);
  rewriter.inlineBlockBefore(taken.front(), op, {});
  rewriter.eraseOp(op);
}

/// A loop that this core never enters.
bool eraseUnentered(Operation& op) {
  const scf::ForOp loop = dynCast<scf::ForOp>(&op);
  if (!loop || loop.tripCount() != 0) return false;
  Rewriter(op.context()).replaceOp(op, loop.initArgs().vec());
  return true;
}

/// Replaces `op` by constants when it folds to them.
bool foldToConstants(Operation& op) {
  if (op.numResults() == 0 || op.numRegions() || op.hasTrait(Trait::ConstantLike)) return false;
  std::vector<FoldResult> results;
  if (failed(foldOp(op, results)) || results.empty()) return false;
  for (const FoldResult& result : results)
    if (!result.value && !result.attribute) return false;
  std::vector<Value> values;
  for (unsigned i = 0; i < results.size(); ++i) {
    Value value = results[i].value;
    if (!value) {
      Operation* made = op.context().materializeConstant(results[i].attribute, op.result(i).type(),
                                                         op.location());
      if (!made) return false;
      op.block()->insert(made, &op);
      value = made->result();
    }
    values.push_back(value);
  }
  Rewriter(op.context()).replaceOp(op, values);
  return true;
}

/// The constants of `block` stand first, in the order of their first use: what a branch that was
/// taken uses comes in the order of its ops, and not in that of the other branches.
void orderConstants(Block& block) {
  std::vector<Operation*> used;
  std::unordered_set<Operation*> seen;
  const auto note = [&](Operation& op) {
    for (Value operand : op.operands()) {
      Operation* maker = operand.definingOp();
      const bool isHere = maker && maker->block() == &block && maker->hasTrait(Trait::ConstantLike);
      if (isHere && seen.insert(maker).second) used.push_back(maker);
    }
  };
  for (Operation& op : block.ops())
    op.walk(note, WalkOrder::PreOrder);
  for (auto constant = used.rbegin(); constant != used.rend(); ++constant)
    if (*constant != &block.front()) (*constant)->moveBefore(&block.front());
}

void decideIn(Block& block) {
  bool isDecided = false;
  for (Operation* op = block.empty() ? nullptr : &block.front(); op;) {
    Operation* before = op->prev();
    if (Region* taken = decidedRegion(*op)) {
      replaceByRegion(*op, *taken);  // its ops come next
      isDecided = true;
      op = before ? before->next() : block.empty() ? nullptr : &block.front();
      continue;
    }
    Operation* next = op->next();
    if (!eraseUnentered(*op) && !foldToConstants(*op))
      for (Region& region : op->regions())
        for (Block& inner : region.blocks())
          decideIn(inner);
    op = next;
  }
  if (isDecided) orderConstants(block);
}

/// What computes something that nobody takes any more, constants of other cores among them.
void eraseDead(Operation& root) {
  std::vector<Operation*> ops;
  root.walk([&](Operation& op) { ops.push_back(&op); }, WalkOrder::PreOrder);
  for (size_t i = ops.size(); i-- > 1;)  // users first; the root stays
    if (!ops[i]->is("memref.alloc") && isTriviallyDead(*ops[i])) ops[i]->erase();
}

// -- Memory ---------------------------------------------------------------------------------------

class BodyLowering {
 public:
  explicit BodyLowering(Design& design) : design_(design) {}

  LogicalResult begin(CoreProgram& program) {
    bool changed = false;
    markAsynchronous(*program.core);
    if (failed(air::dropTokens(*program.core, changed))) return failure();
    decideConditionals(*program.core);
    LogicalResult result = success();
    buffersBefore_ = design_.lastTile->next();
    for (Operation* op : collect(program, isMemory))
      result |= allocate(program, *op);
    return result;
  }

  LogicalResult finish(CoreProgram& program) {
    LogicalResult result = success();
    for (Operation* op : collect(program, isLowered))
      result |= lower(program, *op);
    return result;
  }

  /// Memory that cores take by address is no longer named.
  void eraseUnusedGlobals() {
    std::unordered_set<std::string_view> named;
    design_.device->walk([&](Operation& op) {
      if (op.is("memref.get_global")) named.insert(op.attrOf<SymbolRefAttr>("name").leaf());
    });
    std::vector<Operation*> globals;
    for (Operation& op : design_.device.body().ops())
      if (op.is("memref.global") && !named.count(symbolName(op))) globals.push_back(&op);
    for (Operation* global : globals)
      global->erase();
  }

 private:
  static std::vector<Operation*> collect(CoreProgram& program, bool (*wanted)(Operation&)) {
    std::vector<Operation*> ops;
    for (Operation& op : program.body->ops())
      op.walk(
          [&](Operation& inner) {
            if (wanted(inner)) ops.push_back(&inner);
          },
          WalkOrder::PreOrder);
    return ops;
  }

  static bool isMemory(Operation& op) { return op.is("memref.alloc") || op.is("memref.alloca"); }

  static bool isLowered(Operation& op) {
    return op.is("memref.dealloc") || op.is("memref.copy") || op.is("linalg.copy") ||
           op.is("func.call") || isa<air::DmaMemcpyNdOp>(&op) || isa<air::ChannelPutOp>(&op) ||
           isa<air::ChannelGetOp>(&op);
  }

  LogicalResult lower(const CoreProgram& program, Operation& op) {
    if (op.is("memref.dealloc")) return op.erase(), success();
    if (op.is("memref.copy")) return lowerCopy(op);
    if (op.is("linalg.copy")) return lowerLinalg(op);
    if (op.is("func.call")) return declareCallee(program, op);
    if (!isa<air::DmaMemcpyNdOp>(&op)) return op.erase(), success();  // its tile's DMA does it
    return op.emitOpError()
           << "not supported: DMAs of cores; air-dma-to-channel makes them channels, or says with "
              "--remarks why not";
  }

  LogicalResult allocate(const CoreProgram& program, Operation& op) {
    auto type = op.result().type().cast<MemRefType>();
    if (!type.hasStaticShape())
      return op.emitOpError() << "not supported: L1 memory of a size that is not constant";
    if (failed(checkRequests(op, op))) return failure();
    Builder builder = Builder::before(*buffersBefore_);
    Operation* buffer =
        builder.create(op.location(), "aie.buffer", {program.tile->result()}, {type},
                       {builder.named("sym_name", builder.stringAttr(nameOf(program, op)))});
    op.result().replaceAllUsesWith(buffer->result());
    op.erase();
    return success();
  }

  /// What the program says with the place in the herd after it, or `bufN`.
  std::string nameOf(const CoreProgram& program, Operation& alloc) {
    auto said = alloc.attrOf<StringAttr>("sym_name");
    if (!said) return "buf" + std::to_string(design_.numBuffers++);
    return SymbolMap(*design_.device)
        .unusedName(std::string(said.value()) + "_" + std::to_string(program.id[0]) + "_" +
                    std::to_string(program.id[1]));
  }

  /// Loops of loads and stores, the first dimension outermost.
  static LogicalResult lowerCopy(Operation& op) {
    auto type = op.operand(0).type().cast<MemRefType>();
    if (!type.hasStaticShape())
      return op.emitOpError() << "not supported: a copy of a size that is not constant";
    Builder builder = Builder::before(op);
    Location location = op.location();
    Value zero = builder.constantIndex(location, 0), one = builder.constantIndex(location, 1);
    std::vector<Value> from{op.operand(0)}, to{op.operand(1)};
    for (int64_t size : type.shape()) {
      Value end = builder.constantIndex(location, size);
      scf::ForOp loop = scf::ForOp::create(builder, location, zero, end, one);
      from.push_back(loop.inductionVar());
      builder.setToStart(loop.body());
    }
    to.insert(to.end(), from.begin() + 1, from.end());
    Type element = type.elementType();
    Value read = builder.create(location, "memref.load", from, std::span(&element, 1))->result();
    to.insert(to.begin(), read);
    builder.create(location, "memref.store", to, {});
    op.erase();
    return success();
  }

  static LogicalResult lowerLinalg(Operation& op) {
    if (std::string_view why = linalg::loopObstacle(op); !why.empty())
      return op.emitOpError() << "not supported: " << why;
    Rewriter rewriter(op.context());
    linalg::lowerToLoops(linalg::StructuredOp(&op), rewriter);
    return success();
  }

  // -- Functions ----------------------------------------------------------------------------------

  /// Functions that cores call are declared in the device, on plain memory: an object file knows
  /// pointers, not offsets.
  LogicalResult declareCallee(const CoreProgram& program, Operation& call) {
    auto callee = call.attrOf<SymbolRefAttr>("callee");
    Operation* function = lookupSymbol(&call, callee);
    if (!function) function = lookupSymbol(design_.source, callee);
    if (!function || !function->is("func.func"))
      return call.emitOpError() << "'" << callee.leaf() << "' is not a function";
    if (!function->region().empty())
      return call.emitOpError() << "not supported: a call of a function with a body in a core";
    for (unsigned i = 0; i < call.numOperands(); ++i)
      if (failed(makePlain(call, i))) return failure();
    if (lookupSymbolIn(*design_.device, callee.leaf())) return success();
    declare(program, *function);
    return success();
  }

  static LogicalResult makePlain(Operation& call, unsigned i) {
    Value operand = call.operand(i);
    Type plain = plainType(operand.type());
    if (plain == operand.type()) return success();
    auto memref = operand.type().cast<MemRefType>();
    auto form = memref.stridedForm(), dense = plain.cast<MemRefType>().stridedForm();
    if (!form || form->strides != dense->strides)
      return call.emitOpError() << "not supported: argument " << i
                                << " has gaps in memory: " << memref;
    Builder builder = Builder::before(call);
    // Where it begins is forgotten first: no cast turns one known offset into another.
    Type open = memref.withLayout(StridedLayoutAttr::get(call.context(), kDynamic, form->strides));
    for (Type type : {open, plain})
      if (type != operand.type())
        operand = builder.create(call.location(), "memref.cast", {operand}, {type})->result();
    call.setOperand(i, operand);
    return success();
  }

  static Type plainType(Type type) {
    auto memref = type.dynCast<MemRefType>();
    if (!memref || !memref.layout()) return type;
    return memref.withLayout(Attribute());
  }

  void declare(const CoreProgram& program, Operation& function) {
    Builder builder = Builder::before(design_.device.body().back());
    Operation* declared = builder.clone(function);
    auto type = function.attrOf<TypeAttr>("function_type").value().cast<FunctionType>();
    std::vector<Type> inputs;
    for (Type input : type.inputs())
      inputs.push_back(plainType(input));
    Context& context = function.context();
    declared->setAttr("function_type",
                      TypeAttr::get(FunctionType::get(context, inputs, type.results())));
    declared->setAttr("llvm.emit_c_interface", UnitAttr::get(context));
    if (auto object = program.core->attr("link_with"); object && !function.hasAttr("link_with"))
      declared->setAttr("link_with", object);
  }

  Design& design_;
  Operation* buffersBefore_ = nullptr;  // those of later cores come first
};

}  // namespace

void decideConditionals(Operation& root) {
  for (Region& region : root.regions())
    for (Block& block : region.blocks())
      decideIn(block);
  eraseDead(root);
}

LogicalResult makeSequential(Design& design) {
  BodyLowering lowering(design);
  LogicalResult result = success();
  for (CoreProgram& program : design.cores)
    result |= lowering.begin(program);
  return result;
}

LogicalResult finishCores(Design& design) {
  BodyLowering lowering(design);
  LogicalResult result = success();
  for (CoreProgram& program : design.cores)
    result |= lowering.finish(program);
  lowering.eraseUnusedGlobals();
  return result;
}

}  // namespace airlite::npu
