#include "airlite/gpu/emit/Compile.hpp"

#include "airlite/device/GpuMatrix.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/gpu/emit/Emit.hpp"
#include "airlite/gpu/target/LlvmText.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <set>

namespace airlite::gpu {
namespace {

// -- Launches ------------------------------------------------------------------------------------

std::optional<std::uint32_t> constantSize(Value value) {
  const Operation* op = value.definingOp();
  if (!op || !op->is("arith.constant")) return std::nullopt;
  const auto number = constantInt(op->attr("value"));
  if (!number || *number < 0 || *number > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<Dim3> constantGrid(LaunchFuncOp launch) {
  Dim3 grid{};
  for (auto dim : {Dimension::X, Dimension::Y, Dimension::Z}) {
    const auto size = constantSize(launch.gridSize(dim));
    if (!size) return std::nullopt;
    grid[static_cast<unsigned>(dim)] = *size;
  }
  return grid;
}

/// The grid that all launches of the kernel use; empty when they do not agree or it is not known.
std::optional<Dim3> commonGrid(Operation& program, const std::string& module,
                               const std::string& kernel) {
  std::set<std::optional<Dim3>> grids;
  program.walk([&](Operation& op) {
    const auto launch = dynCast<LaunchFuncOp>(&op);
    if (launch && launch.kernel().root() == module && launch.kernel().leaf() == kernel)
      grids.insert(constantGrid(launch));
  });
  return grids.size() == 1 ? *grids.begin() : std::nullopt;
}

// -- Layout of the argument segment --------------------------------------------------------------

ArgLayout gridLayout() {
  ArgLayout layout;
  layout.type = "3 x i32";
  layout.kind = ArgKind::Integer;
  layout.elementType = "i32";
  layout.elementBits = 32;
  layout.elementBytes = 4;
  for (unsigned dim = 0; dim < 3; ++dim)
    layout.slots.push_back({SlotKind::GridDim, dim, 0, 4});
  return layout;
}

/// Takes offsets over from what the object says, in order.
Result<void> placeSlots(CompiledKernel& kernel, const HsacoKernel& object) {
  std::vector<ArgSlot*> slots;
  for (auto& arg : kernel.args)
    for (auto& slot : arg.slots)
      slots.push_back(&slot);
  if (kernel.gridArg)
    for (auto& slot : kernel.gridArg->slots)
      slots.push_back(&slot);
  size_t next = 0;
  for (const auto& arg : object.args) {
    if (arg.isHidden()) break;
    if (next == slots.size() || arg.size != slots[next]->size) break;
    slots[next++]->offset = arg.offset;
  }
  if (next == slots.size()) return {};
  return Error{"internal error: the arguments of kernel '" + kernel.name +
               "' are not those of its object"};
}

// -- One module ----------------------------------------------------------------------------------

Result<std::string> assemblyOf(const llvm::Module& module, const GpuTarget& target) {
  const auto copy = llvm::CloneModule(module);
  if (auto optimised = target.optimize(*copy); !optimised) return optimised.error();
  return target.emitAssembly(*copy);
}

Result<void> compileObject(const EmittedModule& emitted, const GpuTarget& target,
                           const CompileOptions& options, CompiledModule& result) {
  target.prepare(*emitted.module);
  result.llvmText = printLlvmText(*emitted.module);
  if (auto checked = target.check(*emitted.module); !checked) return checked;
  if (options.assembly) {
    auto text = assemblyOf(*emitted.module, target);
    if (!text) return text.error();
    result.asmText = std::move(*text);
  }
  auto object = target.compile(*emitted.module);
  if (!object) return object.error();
  auto hsaco = linkHsaco(*object);
  if (!hsaco) return hsaco.error();
  result.hsaco = std::move(*hsaco);
  auto info = readHsaco(result.hsaco);
  if (!info) return info.error();
  result.info = std::move(*info);
  return {};
}

std::vector<LdsLoop> ldsLoopsOf(const EmittedKernel& emitted, const std::string& moduleName,
                                Operation& program) {
  std::vector<LdsLoop> loops;
  program.walk([&](Operation& op) {
    if (!op.is("gpu.func") || symbolName(op) != emitted.name) return;
    if (symbolName(*op.parentOp()) == moduleName)
      loops = ldsConflicts(op, static_cast<int64_t>(emitted.waveSize));
  });
  return loops;
}

Result<CompiledKernel> describe(const EmittedKernel& emitted, const CompiledModule& module,
                                Operation& program) {
  CompiledKernel kernel{emitted.name,
                        emitted.block.value_or(Dim3{0, 0, 0}),
                        commonGrid(program, module.name, emitted.name),
                        emitted.waveSize,
                        emitted.args,
                        std::nullopt,
                        ldsLoopsOf(emitted, module.name, program)};
  if (emitted.hasGridArg) kernel.gridArg = gridLayout();
  const auto* object = module.info.find(kernel.name);
  if (!object) return Error{"internal error: kernel '" + kernel.name + "' is not in its object"};
  if (auto placed = placeSlots(kernel, *object); !placed) return placed.error();
  return kernel;
}

/// A kernel that counts lanes for another wave size would compute nonsense.
Result<void> checkWaves(const EmittedModule& module, const GpuTarget& target) {
  for (const auto& kernel : module.kernels)
    if (kernel.waveSize != target.waveSize())
      return Error{"kernel '" + kernel.name + "' is made for waves of " +
                   std::to_string(kernel.waveSize) + " lanes, the target has " +
                   std::to_string(target.waveSize())};
  return {};
}

/// LLVM ends the process where an instruction does not exist.
Result<void> checkInstructions(const EmittedModule& module, const GpuTarget& target) {
  const auto* device = amdgpu::findGpuDevice(target.cpu());
  for (const auto& kernel : module.kernels)
    if (kernel.devices != ~0u && !(device && (kernel.devices & device->bit)))
      return Error{"kernel '" + kernel.name +
                   "' has instructions (of matrices, shuffles, conversions) that " + target.cpu() +
                   " does not have"};
  return {};
}

Result<CompiledModule> compileOne(const EmittedModule& emitted, const GpuTarget& target,
                                  const CompileOptions& options, Operation& program) {
  CompiledModule result;
  result.name = emitted.name;
  if (auto checked = checkWaves(emitted, target); !checked) return checked.error();
  if (auto checked = checkInstructions(emitted, target); !checked) return checked.error();
  if (auto done = compileObject(emitted, target, options, result); !done) return done.error();
  for (const auto& kernel : emitted.kernels) {
    auto described = describe(kernel, result, program);
    if (!described) return described.error();
    result.kernels.push_back(std::move(*described));
  }
  return result;
}

}  // namespace

const CompiledKernel* CompiledModule::find(std::string_view kernel) const {
  for (const auto& known : kernels)
    if (known.name == kernel) return &known;
  return nullptr;
}

Result<CompiledKernels> compileForGpu(Operation& module, const GpuTargetOptions& options,
                                      const CompileOptions& compileOptions) {
  const auto target = GpuTarget::create(options);
  if (!target) return target.error();
  llvm::LLVMContext context;
  const auto emitted = emitKernels(module, context);
  if (!emitted) return emitted.error();
  CompiledKernels result;
  for (const auto& gpuModule : *emitted) {
    auto compiled = compileOne(gpuModule, *target, compileOptions, module);
    if (!compiled) return Error{"gpu.module @" + gpuModule.name + ": " + compiled.error().message};
    result.modules.push_back(std::move(*compiled));
  }
  return result;
}

Result<std::vector<LlvmTextModule>> translateToLlvmText(Operation& module) {
  llvm::LLVMContext context;
  const auto emitted = emitKernels(module, context);
  if (!emitted) return emitted.error();
  std::vector<LlvmTextModule> texts;
  for (const auto& gpuModule : *emitted)
    texts.push_back({gpuModule.name, printLlvmText(*gpuModule.module)});
  return texts;
}

}  // namespace airlite::gpu
