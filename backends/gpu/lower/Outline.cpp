// Moves launches into kernels.
#include "Kernel.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

constexpr Dimension kDimensions[] = {Dimension::X, Dimension::Y, Dimension::Z};

class Outliner {
 public:
  Outliner(PassContext& context, air::LaunchOp launch, BlockShape shape)
      : context_(context), launch_(launch), shape_(shape) {}

  Kernel run(Operation& module, std::string_view name) {
    sizes_ = launch_.sizes().vec();
    takeUsedOperands();
    Operation* func = createFunc(module, name);
    func->region().takeBody(launch_->region());
    Kernel kernel(context_, func, shape_);
    collectAliases(kernel);
    replaceIds(kernel);
    endBody(kernel);
    dissolveSegments(kernel);
    bindHerds(kernel);
    launchIt(module, name);
    launch_->erase();
    return kernel;
  }

 private:
  Location location() const { return launch_->location(); }

  /// Arguments that the body does not use are not arguments of the kernel.
  void takeUsedOperands() {
    operands_ = launch_.kernelOperands().vec();
    unsigned first = 2 * static_cast<unsigned>(sizes_.size());
    for (unsigned i = static_cast<unsigned>(operands_.size()); i-- > 0;) {
      if (launch_.body().argument(first + i).hasUses()) continue;
      launch_.body().eraseArgument(first + i);
      operands_.erase(operands_.begin() + i);
    }
  }

  Operation* createFunc(Operation& module, std::string_view name) {
    Context& context = launch_->context();
    std::vector<Type> inputs;
    for (Value operand : operands_)
      inputs.push_back(operand.type());
    OperationState state(context, location(), "gpu.func");
    state.addAttribute(context, "sym_name", StringAttr::get(context, name));
    state.addAttribute(context, "function_type",
                       TypeAttr::get(FunctionType::get(context, inputs, {})));
    state.addAttribute(context, kKernelAttr, UnitAttr::get(context));
    const int32_t block[] = {static_cast<int32_t>(shape_.itemsX()), static_cast<int32_t>(shape_.y),
                             1};
    state.addAttribute(context, "known_block_size", DenseArrayAttr::getI32(context, block));
    state.addAttribute(context, kWaveSizeAttr,
                       IntegerAttr::get(IntegerType::get(context, 32), shape_.wave));
    state.addAttribute(context, "workgroup_attributions",
                       IntegerAttr::get(IntegerType::get(context, 64), 0));
    state.addRegion();
    return Builder::atEnd(ModuleOp(&module).body()).create(state);
  }

  /// Operands that are views of one buffer may be the same memory.
  void collectAliases(Kernel& kernel) {
    unsigned first = 2 * static_cast<unsigned>(sizes_.size());
    for (unsigned i = 0; i < operands_.size(); ++i)
      for (unsigned j = 0; j < i; ++j)
        if (memref::viewSource(operands_[i]) == memref::viewSource(operands_[j])) {
          kernel.aliases[kernel.body().argument(first + i)] = kernel.body().argument(first + j);
          break;
        }
  }

  /// Ids and sizes stop being arguments; what is left are those of the kernel.
  void replaceIds(Kernel& kernel) {
    Block& body = kernel.body();
    unsigned dims = static_cast<unsigned>(sizes_.size());
    Builder builder = Builder::atStart(body);
    for (unsigned i = 0; i < dims; ++i) {
      replace(body.argument(i), builder, "gpu.block_id", i, std::nullopt);
      replace(body.argument(dims + i), builder, "gpu.grid_dim", i, constantIntOf(sizes_[i]));
    }
    for (unsigned i = 2 * dims; i-- > 0;)
      body.eraseArgument(i);
  }

  void replace(Value argument, Builder& builder, std::string_view op, unsigned dim,
               std::optional<int64_t> known) {
    if (!argument.hasUses()) return;
    Value value = known ? builder.constantIndex(location(), *known)
                        : IndexOp::create(builder, location(), op, kDimensions[dim]);
    argument.replaceAllUsesWith(value);
  }

  void endBody(Kernel& kernel) {
    kernel.body().back().erase();
    Builder::atEnd(kernel.body()).create(location(), "gpu.return", {}, {});
  }

  /// What the arguments of an inner level stand for: one point of it, or the herd's own ids.
  static std::vector<Value> argumentValues(air::HierarchyOp op, unsigned from) {
    std::vector<Value> values;
    Builder builder = Builder::before(*op.op());
    for (unsigned i = from; i < op.numDims(); ++i)
      values.push_back(builder.constantIndex(op->location(), 0));
    for (Value size : op.sizes())
      values.push_back(size);
    for (Value operand : op.kernelOperands())
      values.push_back(operand);
    return values;
  }

  static void dissolveSegments(Kernel& kernel) {
    std::vector<Operation*> segments;
    kernel.func->walk(
        [&](Operation& op) {
          if (isa<air::SegmentOp>(&op)) segments.push_back(&op);
        },
        WalkOrder::PreOrder);
    for (Operation* op : segments) {
      air::SegmentOp segment(op);
      std::vector<Value> values = argumentValues(segment, 0);
      segment.body().back().erase();
      Rewriter(op->context()).inlineBlockBefore(segment.body(), *op, values);
      op->erase();
    }
  }

  static constexpr unsigned kHerdOperands =
      2;  ///< the group of operands that a herd hands its body

  /// Bodies of herds see what is outside by itself, and keep their ids as only arguments.
  static void bindHerds(Kernel& kernel) {
    kernel.func->walk([](Operation& op) {
      if (!isa<air::HerdOp>(&op)) return;
      air::HerdOp herd(&op);
      unsigned dims = herd.numDims();
      std::vector<Value> values = argumentValues(herd, dims);
      Block& body = herd.body();
      for (unsigned i = body.numArguments(); i-- > dims;) {
        body.argument(i).replaceAllUsesWith(values[i - dims]);
        body.eraseArgument(i);
      }
      op.setOperandGroup(kHerdOperands, {});
    });
  }

  void launchIt(Operation& module, std::string_view name) {
    Builder builder = Builder::before(*launch_.op());
    OperationState state(builder.context(), location(), "gpu.launch_func");
    for (unsigned i = 0; i < kMaxGridDims; ++i)
      state.operands.push_back(i < sizes_.size() ? sizes_[i]
                                                 : builder.constantIndex(location(), 1));
    for (int64_t size : {shape_.itemsX(), shape_.y, int64_t(1)})
      state.operands.push_back(builder.constantIndex(location(), size));
    state.operands.insert(state.operands.end(), operands_.begin(), operands_.end());
    const int32_t segments[] = {
        0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, static_cast<int32_t>(operands_.size()), 0};
    state.setOperandSegments(builder.context(), segments);
    const std::string_view nested[] = {name};
    state.addAttribute(builder.context(), "kernel",
                       SymbolRefAttr::get(builder.context(), ModuleOp(&module).name(), nested));
    builder.create(state);
  }

  PassContext& context_;
  air::LaunchOp launch_;
  BlockShape shape_;
  std::vector<Value> sizes_, operands_;
};

/// Replaces `argument` by a constant of the body when `value` is one.
void sinkConstant(Block& body, Value argument, Value value) {
  Attribute constant = constantOf(value);
  if (!constant || !argument.hasUses()) return;
  Operation* op = body.context().materializeConstant(constant, value.type(), value.location());
  if (!op) return;
  body.insert(op, body.empty() ? nullptr : &body.front());
  argument.replaceAllUsesWith(op->result());
}

/// A launch of one point around `op`, which takes all its operands as arguments.
void wrapInLaunch(Operation& op) {
  Context& context = op.context();
  std::vector<Value> operands = op.operands().vec();
  OperationState state(context, op.location(), "air.launch");
  state.operands = operands;
  const int32_t groups[] = {0, 0, static_cast<int32_t>(operands.size()), 0, 0};
  state.setOperandSegments(context, groups);
  if (Attribute name = op.attr(kSymbolName)) state.addAttribute(context, kSymbolName, name);
  state.addRegion();
  Operation* launch = Builder::before(op).create(state);
  Block* body = Block::create(context);
  launch->region().insert(body);
  for (unsigned i = 0; i < operands.size(); ++i)
    op.setOperand(i, body->addArgument(operands[i].type(), op.location()));
  op.moveTo(*body, nullptr);
  Builder::atEnd(*body).create(op.location(), "air.launch_terminator", {}, {});
}

}  // namespace

void wrapBareLevels(Operation& func) {
  std::vector<Operation*> bare;
  func.walkWith([&](Operation& op) {
    if (isa<air::SegmentOp>(&op) || isa<air::HerdOp>(&op)) bare.push_back(&op);
    return op.hasTrait(Trait::Hierarchy) ? WalkResult::Skip : WalkResult::Advance;
  });
  for (Operation* op : bare)
    wrapInLaunch(*op);
}

void sinkConstants(air::LaunchOp launch) {
  launch->walk(
      [](Operation& raw) {
        air::HierarchyOp op = air::asHierarchy(&raw);
        if (!op) return;
        for (unsigned i = 0; i < op.numDims(); ++i)
          sinkConstant(op.body(), op.sizeArgument(i), op.sizes()[i]);
        for (unsigned i = 0; i < op.numKernelOperands(); ++i)
          sinkConstant(op.body(), op.kernelArgument(i), op.kernelOperands()[i]);
      },
      WalkOrder::PreOrder);
}

Kernel outline(PassContext& context, air::LaunchOp launch, BlockShape shape, Operation& module,
               std::string_view name) {
  return Outliner(context, launch, shape).run(module, name);
}

}  // namespace airlite::gpu
