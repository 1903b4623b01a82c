// air-to-gpu: turns every air.launch into a GPU kernel and a launch of it.
//
// A launch becomes a grid (of one point where a segment or herd stands in none), a segment the body
// of a workgroup, a processing element of a herd a wave. Module attribute airlite.wave_size tells
// how many work-items that is: 32 or 64, 64 when absent. L2 becomes LDS, L1 private memory. Copies
// become loops, shared by the work-items that are there; barriers stand where work-items meet in
// memory. Tokens go: a kernel runs in program order, the host waits for each. In a herd with the
// attribute airlite.spread the vectors are those of a wave and lie in its lanes (Spread.cpp). Where nothing tells
// lanes apart, they share the structured ops and copies of a herd (WaveHerds.cpp).
//
// Declines, with an error at the op: grids of more than three dimensions, segments with an
// iteration space, herds of unknown size, herds in herds, channels, ranks, L3 allocations in a
// launch, more LDS or work-items than a workgroup has, barriers that not all work-items reach.
#include "Kernel.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/transform/DropTokens.hpp"

namespace airlite::gpu {
namespace {

/// All steps on one kernel.
LogicalResult lowerKernel(Kernel& kernel) {
  if (failed(inlineCalls(*kernel.func)) || failed(readBeforeWriting(kernel)) ||
      failed(hoistBuffers(kernel)))
    return failure();
  createIds(kernel);
  chooseHerdModes(kernel);
  if (failed(chooseWaveHerds(kernel)) || failed(placeBarriers(kernel)) ||
      failed(guardStores(kernel)))
    return failure();
  shareAmongLanes(kernel);
  if (failed(lowerCopies(kernel))) return failure();
  moveToLds(kernel);
  if (failed(spreadVectors(kernel))) return failure();
  dissolveHerds(kernel);
  removeUnusedIds(kernel);
  mapMemorySpaces(kernel);
  return success();
}

class FunctionLowering {
 public:
  FunctionLowering(Operation& func, int64_t wave, bool exact, SymbolMap& symbols,
                   PassContext& context)
      : func_(func), wave_(wave), exact_(exact), symbols_(symbols), context_(context) {}

  LogicalResult run() {
    std::vector<Operation*> launches;
    func_.walk(
        [&](Operation& op) {
          if (isa<air::LaunchOp>(&op)) launches.push_back(&op);
        },
        WalkOrder::PreOrder);
    LogicalResult result = success();
    for (Operation* launch : launches)
      result |= lower(air::LaunchOp(launch));
    return result;
  }

 private:
  LogicalResult lower(air::LaunchOp launch) {
    BlockShape shape;
    shape.wave = wave_;
    sinkConstants(launch);
    if (failed(checkLaunch(launch, shape))) return failure();
    if (!module_) createModule();
    Kernel kernel = outline(context_, launch, shape, *module_, nameFor(launch));
    kernel.exact = exact_;
    return lowerKernel(kernel);
  }

  void createModule() {
    Context& context = func_.context();
    std::string name = symbols_.unusedName(std::string(symbolName(func_)) + "_module");
    OperationState state(context, func_.location(), "gpu.module");
    state.addAttribute(context, "sym_name", StringAttr::get(context, name));
    state.addRegion().insert(Block::create(context));
    module_ = Builder::after(func_).create(state);
    symbols_.add(*module_);
  }

  std::string nameFor(air::LaunchOp launch) {
    std::string name(launch.symbol());
    if (name.empty())
      name = std::string(symbolName(func_)) + "_launch_" + std::to_string(unnamed_++);
    return SymbolMap(*module_).unusedName(name);
  }

  Operation& func_;
  int64_t wave_;
  bool exact_;
  SymbolMap& symbols_;
  PassContext& context_;
  Operation* module_ = nullptr;
  unsigned unnamed_ = 0;
};

LogicalResult readWaveSize(Operation& module, int64_t& size) {
  size = kDefaultWaveSize;
  Attribute attribute = module.attr(kWaveSizeAttr);
  if (!attribute) return success();
  auto number = attribute.dynCast<IntegerAttr>();
  if (number) size = number.value();
  if (number && (size == 32 || size == 64)) return success();
  return module.emitError() << "attribute '" << kWaveSizeAttr << "' must be 32 or 64, found "
                            << attribute;
}

class AirToGpu : public Pass {
 public:
  AirToGpu() : Pass("air-to-gpu", "Turns launches into GPU kernels") {
    anchor("builtin.module");
    option("exact", exact_,
           "floats with the bits of the program: no products by matrix instructions");
    example("airlite-opt --air-to-gpu in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    declareEffects(context);
    int64_t wave = 0;
    bool changed = false;
    if (failed(readWaveSize(module, wave)) || failed(air::dropTokens(module, changed)))
      return PassResult::Failed;
    if (failed(lowerFunctions(module, wave, context, changed)) || failed(checkRest(module)))
      return PassResult::Failed;
    return changedIf(changed);
  }

 private:
  static void declareEffects(PassContext& context) {
    constexpr std::string_view kReason = "code of launches moves into kernels, copies become loops";
    context.declareEffectChange(CountedEffect::Dma, kReason);
    context.declareEffectChange(CountedEffect::Store, kReason);
  }

  LogicalResult lowerFunctions(Operation& module, int64_t wave, PassContext& context,
                               bool& changed) const {
    SymbolMap symbols(module);
    std::vector<Operation*> functions;
    for (Operation& op : module.region().front().ops()) {
      if (!op.is("func.func")) continue;
      wrapBareLevels(op);
      if (hasLaunch(op)) functions.push_back(&op);
    }
    LogicalResult result = success();
    for (Operation* func : functions)
      result |= FunctionLowering(*func, wave, exact_, symbols, context).run();
    if (functions.empty()) return result;
    changed = true;
    module.setAttr(kContainerAttr, UnitAttr::get(module.context()));
    return result;
  }

  static bool hasLaunch(Operation& func) {
    bool found = false;
    func.walk([&](Operation& op) { found = found || isa<air::LaunchOp>(&op); });
    return found;
  }

  /// Nothing of AIR may be left on the host but declarations.
  static LogicalResult checkRest(Operation& module) {
    LogicalResult result = success();
    module.walkWith([&](Operation& op) {
      if (op.name().substr(0, 4) != "air." || isa<air::ChannelOp>(&op)) return WalkResult::Advance;
      result = failure();
      op.emitOpError() << "not supported: " << op.name() << " outside of an air.launch";
      return WalkResult::Skip;
    });
    return result;
  }

  bool exact_ = false;
};

}  // namespace

void registerGpuPasses(PassRegistry& registry) {
  registry.add<AirToGpu>();
  registerContractFloats(registry);
}

std::string gpuPipelineText(bool exact) {
  const std::string passes = "air-decompose-softmax,air-segments-to-grid,air-unroll-segments,air-"
                             "channel-to-dma,air-fit-herds{work-items=" +
                             std::to_string(amdgpu::kMaxWorkItems) +
                             " lds-bytes=" + std::to_string(amdgpu::kMaxLdsBytes) +
                             "},air-channel-to-l2,air-to-gpu" + (exact ? "{exact=true}" : "") +
                             ",canonicalize,cse,"
                             "convert-linalg-to-loops,lower-affine,canonicalize,cse";
  return exact ? passes : passes + ",gpu-contract-floats";
}

}  // namespace airlite::gpu
