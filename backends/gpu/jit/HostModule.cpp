#include "HostModule.hpp"

#include "../target/Codegen.hpp"
#include "../target/LdsUse.hpp"
#include "HostRewrite.hpp"
#include "ItemContext.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/gpu/target/KernelCheck.hpp"

#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace airlite::gpu {
namespace {

constexpr unsigned ldsSpace = 3;
constexpr unsigned privateSpace = 5;
/// Stack beside the allocas: spills, calls into libm.
constexpr std::uint32_t stackReserve = 32 * 1024;

/// Maps every type to itself with flat pointers. x86 has one address space, and only with flat
/// pointers do SROA and mem2reg see through allocas.
class FlatPointers : public llvm::ValueMapTypeRemapper {
 public:
  llvm::Type* remapType(llvm::Type* type) override {
    if (type->isPointerTy()) return llvm::PointerType::get(type->getContext(), 0);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
      return llvm::VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) return remapStruct(structure);
    if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) return remapFunction(function);
    return type;
  }

 private:
  using Types = llvm::SmallVector<llvm::Type*, 8>;

  Types remapAll(llvm::ArrayRef<llvm::Type*> types) {
    Types mapped;
    for (auto* type : types)
      mapped.push_back(remapType(type));
    return mapped;
  }

  llvm::Type* remapStruct(llvm::StructType* type) {
    if (type->isOpaque()) return type;
    const auto fields = remapAll(type->elements());
    if (llvm::ArrayRef(fields) == type->elements()) return type;
    return llvm::StructType::get(type->getContext(), fields, type->isPacked());
  }

  llvm::Type* remapFunction(llvm::FunctionType* type) {
    return llvm::FunctionType::get(remapType(type->getReturnType()), remapAll(type->params()),
                                   type->isVarArg());
  }
};

bool isKernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL && !function.isDeclaration();
}

std::vector<llvm::Function*> kernelsOf(llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  for (auto& function : module)
    if (isKernel(function)) kernels.push_back(&function);
  return kernels;
}

Error inKernel(const llvm::Function& kernel, const std::string& what) {
  return {"kernel '" + kernel.getName().str() + "' " + what};
}

/// Helper functions go into their kernels, so that only kernels need the context.
Result<void> inlineHelpers(llvm::Module& module) {
  for (auto& function : module) {
    if (function.isDeclaration() || isKernel(function)) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    // Inlining asks for equal target attributes; the host has one set anyway.
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  if (auto done = runAlwaysInline(module); !done) return done;
  for (auto& function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() || isKernel(function)) continue;
    function.removeDeadConstantUsers();
    if (!function.use_empty())
      return Error{"'" + function.getName().str() + "' is recursive or called indirectly"};
    function.eraseFromParent();
  }
  return {};
}

std::optional<Dim3> requiredBlock(const llvm::Function& kernel) {
  const auto* sizes = kernel.getMetadata("reqd_work_group_size");
  if (!sizes || sizes->getNumOperands() != 3) return std::nullopt;
  Dim3 block{};
  for (unsigned i = 0; i < 3; ++i) {
    const auto* size = llvm::mdconst::dyn_extract<llvm::ConstantInt>(sizes->getOperand(i));
    if (!size) return std::nullopt;
    block[i] = static_cast<std::uint32_t>(size->getZExtValue());
  }
  return block;
}

/// Bytes of all allocas; they must be static to live in a fiber of known size.
Result<std::uint64_t> privateBytes(const llvm::Function& kernel) {
  std::uint64_t total = 0;
  for (const auto& instruction : llvm::instructions(kernel)) {
    const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!local) continue;
    const auto size = local->getAllocationSize(kernel.getParent()->getDataLayout());
    if (!size || !local->isStaticAlloca())
      return inKernel(kernel, "allocates private memory of a size not known before it runs");
    total += size->getFixedValue() + local->getAlign().value() - 1;
  }
  return total;
}

Result<std::vector<HostParam>> describeParams(const llvm::Function& kernel,
                                              const llvm::DataLayout& host) {
  std::vector<HostParam> params;
  for (const auto& arg : kernel.args()) {
    const auto* type = arg.getType();
    const bool isPointer = type->isPointerTy();
    const auto number = std::to_string(arg.getArgNo());
    if (isPointer && (arg.hasPassPointeeByValueCopyAttr() || arg.hasByRefAttr()))
      return inKernel(kernel, "takes argument " + number + " by reference; pass it by value");
    if (isPointer && (type->getPointerAddressSpace() == ldsSpace ||
                      type->getPointerAddressSpace() == privateSpace))
      return inKernel(kernel, "takes an LDS or private pointer as argument " + number);
    const auto size = host.getTypeStoreSize(arg.getType()).getFixedValue();
    params.push_back({arg.getName().str(), static_cast<std::uint32_t>(size), isPointer});
  }
  return params;
}

Result<HostKernel> describeKernel(const llvm::Function& kernel, const HostJitOptions& options,
                                  const llvm::DataLayout& host) {
  auto privateSize = privateBytes(kernel);
  if (!privateSize) return privateSize.error();
  if (*privateSize > options.maxPrivateBytes)
    return inKernel(kernel, "needs " + std::to_string(*privateSize) +
                                " bytes of private memory per work-item; the limit is " +
                                std::to_string(options.maxPrivateBytes));
  auto params = describeParams(kernel, host);
  if (!params) return params.error();
  HostKernel result;
  result.name = kernel.getName().str();
  result.ldsBytes = static_cast<std::uint32_t>(layoutLds(kernel).bytes);
  result.privateBytes = static_cast<std::uint32_t>(*privateSize);
  result.stackBytes = std::max(options.minStackBytes, result.privateBytes + stackReserve);
  result.requiredBlock = requiredBlock(kernel);
  result.params = std::move(*params);
  return result;
}

/// LDS pointers are 32 bits wide on the device and 64 here, so an integer cannot become one.
Result<void> refusePointerTricks(const llvm::Function& kernel) {
  for (const auto& instruction : llvm::instructions(kernel)) {
    const auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction);
    if (!cast) continue;
    const auto space = cast->getAddressSpace();
    if (space == ldsSpace || space == privateSpace)
      return inKernel(kernel, "makes an LDS or private pointer from an integer");
  }
  return {};
}

/// Every use of an LDS variable becomes a call of the placeholder with the variable's offset.
void replaceLds(llvm::Function& kernel) {
  const auto layout = layoutLds(kernel);
  auto& context = kernel.getContext();
  auto* i32 = llvm::Type::getInt32Ty(context);
  const auto placeholder = kernel.getParent()->getOrInsertFunction(
      ldsPlaceholder, llvm::PointerType::get(context, ldsSpace), i32);
  for (const auto& [variable, offset] : layout.offsets) {
    llvm::convertUsersOfConstantsToInstructions({variable}, &kernel, false);
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    auto* address = builder.CreateCall(placeholder, {llvm::ConstantInt::get(i32, offset)});
    variable->replaceUsesWithIf(address, [&](llvm::Use& use) {
      const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == &kernel;
    });
  }
}

/// Retargets one module, step by step.
class Retargeter {
 public:
  Retargeter(const llvm::Module& module, const HostJitOptions& options,
             const llvm::TargetMachine& host)
      : options_(options), host_(host), layout_(host.createDataLayout()) {
    result_.module = llvm::CloneModule(module);
  }

  Result<HostModule> run() {
    auto& module = *result_.module;
    if (auto inlined = inlineHelpers(module); !inlined) return inlined.error();
    const auto kernels = kernelsOf(module);
    if (kernels.empty()) return Error{"the module has no amdgpu_kernel function"};
    for (auto* kernel : kernels)
      if (auto ready = prepareKernel(*kernel); !ready) return ready.error();
    flattenGlobals();
    for (size_t i = 0; i < kernels.size(); ++i)
      if (auto made = makeEntry(*kernels[i], result_.kernels[i]); !made) return made.error();
    for (auto* kernel : kernels)
      kernel->eraseFromParent();
    finish();
    if (auto valid = verifyIr(module); !valid) return valid.error();
    return std::move(result_);
  }

 private:
  Result<void> prepareKernel(llvm::Function& kernel) {
    if (auto refused = refusePointerTricks(kernel); !refused) return refused;
    auto described = describeKernel(kernel, options_, layout_);
    if (!described) return described.error();
    result_.kernels.push_back(std::move(*described));
    replaceLds(kernel);
    return {};
  }

  /// Constant tables in address spaces 1 and 4 get flat twins.
  void flattenGlobals() {
    std::vector<llvm::GlobalVariable*> variables;
    for (auto& variable : result_.module->globals())
      if (variable.getAddressSpace() != 0 && variable.getAddressSpace() != ldsSpace)
        variables.push_back(&variable);
    for (auto* variable : variables)
      flattenGlobal(*variable);
  }

  void flattenGlobal(llvm::GlobalVariable& variable) {
    llvm::convertUsersOfConstantsToInstructions({&variable});
    auto* type = flat_.remapType(variable.getValueType());
    auto* initial = variable.hasInitializer()
                        ? llvm::MapValue(variable.getInitializer(), globals_, llvm::RF_None, &flat_)
                        : nullptr;
    // Space 0 by name: the default is that of the device's data layout.
    auto* twin = new llvm::GlobalVariable(*result_.module, type, variable.isConstant(),
                                          variable.getLinkage(), initial, "", nullptr,
                                          llvm::GlobalValue::NotThreadLocal, 0);
    twin->takeName(&variable);
    twin->setAlignment(variable.getAlign());
    globals_[&variable] = twin;
  }

  /// kernel(params) becomes item(context, flat params) plus entry(context), which loads the params.
  Result<void> makeEntry(llvm::Function& kernel, HostKernel& description) {
    auto& item = cloneFlat(kernel);
    const auto sitesBefore = result_.barrierSites.size();
    if (auto done = rewriteForHost(item, options_.waveSize, result_.barrierSites); !done)
      return done;
    description.barrierSites = static_cast<unsigned>(result_.barrierSites.size() - sitesBefore);
    writeEntry(item, description);
    return {};
  }

  llvm::Function& cloneFlat(llvm::Function& kernel) {
    llvm::SmallVector<llvm::Type*, 8> types = {llvm::PointerType::get(context(), 0)};
    for (auto& arg : kernel.args())
      types.push_back(flat_.remapType(arg.getType()));
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context()), types, false);
    const auto name = kernel.getName().str();
    kernel.setName("");
    auto* item = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name,
                                        result_.module.get());
    llvm::ValueToValueMapTy values;
    for (const auto& [old, twin] : globals_)
      values[old] = twin;
    for (auto& arg : kernel.args())
      values[&arg] = item->getArg(arg.getArgNo() + 1);
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    llvm::CloneFunctionInto(item, &kernel, values, llvm::CloneFunctionChangeType::GlobalChanges,
                            returns, "", nullptr, &flat_);
    dropDeviceProperties(*item);
    return *item;
  }

  void dropDeviceProperties(llvm::Function& item) {
    item.setCallingConv(llvm::CallingConv::C);
    item.setLinkage(llvm::GlobalValue::InternalLinkage);
    item.setVisibility(llvm::GlobalValue::DefaultVisibility);
    item.removeFnAttr(llvm::Attribute::NoInline);
    item.removeFnAttr(llvm::Attribute::OptimizeNone);
    item.addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::AttributeMask device;
    for (const auto& attribute : item.getAttributes().getFnAttrs()) {
      if (!attribute.isStringAttribute()) continue;
      const auto kind = attribute.getKindAsString();
      for (const auto* prefix : {"amdgpu-", "target-", "uniform-"})
        if (kind.starts_with(prefix)) device.addAttribute(kind);
    }
    item.removeFnAttrs(device);
  }

  /// Arguments lie one after the other in the order of the parameters, each at 16-byte steps.
  void writeEntry(llvm::Function& item, const HostKernel& description) {
    auto* pointer = llvm::PointerType::get(context(), 0);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context()), {pointer}, false);
    auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                         entrySymbol(description.name), result_.module.get());
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context(), "", entry));
    auto* byte = builder.getInt8Ty();
    auto* field =
        builder.CreateConstInBoundsGEP1_64(byte, entry->getArg(0), offsetof(ItemContext, kernargs));
    auto* kernargs = builder.CreateLoad(pointer, field);
    llvm::SmallVector<llvm::Value*, 8> args = {entry->getArg(0)};
    std::uint32_t offset = 0;
    for (size_t i = 0; i < description.params.size(); ++i) {
      auto* address = builder.CreateConstInBoundsGEP1_64(byte, kernargs, offset);
      args.push_back(
          builder.CreateAlignedLoad(item.getArg(i + 1)->getType(), address, llvm::Align(1)));
      offset += kernargStride(description.params[i].size);
    }
    builder.CreateCall(&item, args);
    builder.CreateRetVoid();
  }

  /// What is left of the device: LDS variables, old tables, module flags, debug info.
  void finish() {
    auto& module = *result_.module;
    for (auto& variable : llvm::make_early_inc_range(module.globals())) {
      if (variable.getAddressSpace() == 0) continue;
      variable.removeDeadConstantUsers();
      if (variable.use_empty()) variable.eraseFromParent();
    }
    llvm::StripDebugInfo(module);
    if (auto* flags = module.getModuleFlagsMetadata()) flags->eraseFromParent();
    module.setTargetTriple(host_.getTargetTriple().str());
    module.setDataLayout(layout_);
  }

  llvm::LLVMContext& context() { return result_.module->getContext(); }

  const HostJitOptions& options_;
  const llvm::TargetMachine& host_;
  llvm::DataLayout layout_;
  FlatPointers flat_;
  llvm::ValueToValueMapTy globals_;
  HostModule result_;
};

}  // namespace

std::uint32_t kernargStride(std::uint32_t size) { return (size + 15) / 16 * 16; }

std::string entrySymbol(const std::string& kernel) { return "airlite.entry." + kernel; }

Result<HostModule> makeHostModule(const llvm::Module& module, const HostJitOptions& options,
                                  const llvm::TargetMachine& host) {
  if (auto valid = verifyIr(module); !valid) return valid.error();
  if (auto checked = checkKernels(module); !checked) return checked.error();
  return Retargeter(module, options, host).run();
}

}  // namespace airlite::gpu
