#include "airlite/gpu/target/GpuTarget.hpp"

#include "Codegen.hpp"
#include "airlite/device/GpuMatrix.hpp"
#include "airlite/gpu/target/KernelCheck.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <unordered_set>

namespace airlite::gpu {
namespace {

/// Names of amdgpu::kGpuDevices.
constexpr auto supported = [] {
  std::array<std::string_view, std::size(amdgpu::kGpuDevices)> names;
  std::ranges::transform(amdgpu::kGpuDevices, names.begin(), &amdgpu::GpuDevice::name);
  return names;
}();

Result<const llvm::Target*> amdgpu() {
  static const bool initialised = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    return true;
  }();
  (void)initialised;
  std::string error;
  const llvm::Target* found =
      llvm::TargetRegistry::lookupTarget(std::string(GpuTarget::triple()), error);
  if (!found) return Error{"this LLVM has no AMDGPU code generator: " + error};
  return found;
}

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

/// The names of `info` closest to `cpu`, at most three, nearest first.
std::string nearestCpus(const llvm::MCSubtargetInfo& info, llvm::StringRef cpu) {
  std::vector<std::pair<unsigned, llvm::StringRef>> names;
  for (const auto& known : info.getAllProcessorDescriptions())
    names.emplace_back(cpu.edit_distance(known.Key), known.Key);
  std::sort(names.begin(), names.end());
  names.resize(std::min<size_t>(names.size(), 3));
  std::string list;
  for (const auto& [distance, name] : names)
    list += (list.empty() ? "" : ", ") + name.str();
  return list;
}

std::string supportedList() {
  std::string list;
  for (auto name : supported)
    list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

/// LLVM only warns about an unknown cpu and then compiles for gfx700, so ask first.
Result<void> checkCpu(const llvm::Target& target, const std::string& cpu) {
  const std::unique_ptr<llvm::MCSubtargetInfo> info(
      target.createMCSubtargetInfo(GpuTarget::triple(), "", ""));
  if (info->isCPUStringValid(cpu)) return {};
  return Error{"unknown gpu cpu '" + cpu + "'; nearest known: " + nearestCpus(*info, cpu) +
               "; supported: " + supportedList()};
}

/// 9 for gfx90a and gfx9-generic, 11 for gfx1100 and gfx11-generic, 0 for names of another form.
unsigned gfxMajor(llvm::StringRef cpu) {
  if (!cpu.consume_front("gfx")) return 0;
  const auto digits = cpu.contains('-') ? cpu.split('-').first : cpu.drop_back(2);
  unsigned major = 0;
  return digits.getAsInteger(10, major) ? 0 : major;
}

Result<std::string> waveFeatures(const GpuTargetOptions& options) {
  const bool hasWave32 = gfxMajor(options.cpu) >= 10;
  if (options.waveSize != 32 && options.waveSize != 64)
    return Error{"wave size must be 32 or 64, got " + std::to_string(options.waveSize)};
  if (options.waveSize == 32 && !hasWave32)
    return Error{"cpu '" + options.cpu + "' has no 32-lane waves; use wave size 64"};
  if (!hasWave32) return std::string();
  return std::string(options.waveSize == 64 ? "+wavefrontsize64,-wavefrontsize32"
                                            : "+wavefrontsize32,-wavefrontsize64");
}

Result<void> checkObjectVersion(unsigned version) {
  if (version == 400 || version == 500 || version == 600) return {};
  return Error{"code object version must be 400, 500 or 600, got " + std::to_string(version)};
}

std::unique_ptr<llvm::TargetMachine> makeMachine(const llvm::Target& target, const std::string& cpu,
                                                 const std::string& features) {
  llvm::TargetOptions options;
  // Contraction would make the device differ from the interpreter and the host twin.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(
      ref(GpuTarget::triple()), cpu, features, options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

/// The work-items of !reqd_work_group_size, 0 without one.
unsigned requiredWorkItems(const llvm::Function& kernel) {
  const auto* sizes = kernel.getMetadata("reqd_work_group_size");
  if (!sizes || sizes->getNumOperands() != 3) return 0;
  std::uint64_t product = 1;
  for (const auto& size : sizes->operands()) {
    const auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(size);
    product *= number ? number->getZExtValue() : 0;
  }
  return product > amdgpu::kMaxWorkItems ? 0 : static_cast<unsigned>(product);
}

bool isCallTo(const llvm::Instruction& instruction, std::initializer_list<const char*> names) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee && std::any_of(names.begin(), names.end(), [&](const char* name) {
           return callee->getName().starts_with(name);
         });
}

bool hasCallTo(const llvm::Loop& loop, std::initializer_list<const char*> names) {
  return std::any_of(loop.block_begin(), loop.block_end(), [&](const llvm::BasicBlock* block) {
    return std::any_of(block->begin(), block->end(),
                       [&](const auto& instruction) { return isCallTo(instruction, names); });
  });
}

bool hasMatrixInstructions(const llvm::Function& kernel) {
  const auto instructions = llvm::instructions(kernel);
  return std::any_of(instructions.begin(), instructions.end(), [](const auto& instruction) {
    return isCallTo(instruction, {"llvm.amdgcn.mfma"});
  });
}

/// It has barriers, or a loop of matrix instructions in it.
bool keepsWaveBusy(const llvm::Loop& loop) {
  return hasCallTo(loop, {"llvm.amdgcn.s.barrier", "llvm.amdgcn.wave.barrier"}) ||
         (!loop.isInnermost() && hasCallTo(loop, {"llvm.amdgcn.mfma", "llvm.amdgcn.wmma"}));
}

/// What is computed in `loop` from the numbers that it hands from round to round.
std::unordered_set<const llvm::Value*> numbersOfRounds(const llvm::Loop& loop) {
  std::unordered_set<const llvm::Value*> known;
  std::vector<const llvm::Value*> open;
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (phi.getType()->isIntegerTy()) open.push_back(&phi);
  while (!open.empty()) {
    const llvm::Value* value = open.back();
    open.pop_back();
    if (!known.insert(value).second) continue;
    for (const llvm::User* user : value->users()) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction && loop.contains(instruction) && instruction->getType()->isIntegerTy())
        open.push_back(instruction);
    }
  }
  return known;
}

/// Private arrays become registers where all of their indices are known: this loop has to be unrolled for that.
bool indexesArraysByRound(const llvm::Loop& loop) {
  const auto numbers = numbersOfRounds(loop);
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!address || !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address))) continue;
      if (std::any_of(address->idx_begin(), address->idx_end(),
                      [&](const llvm::Use& index) { return numbers.count(index.get()); }))
        return true;
    }
  return false;
}

/// The body of such a loop keeps a wave busy. Were it unrolled, addresses and fragments of all its rounds would need
/// registers at the same time, more than there are.
void keepLoops(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree tree(function);
    const llvm::LoopInfo loops(tree);
    for (llvm::Loop* loop : loops.getLoopsInPreorder())
      if (keepsWaveBusy(*loop) && !indexesArraysByRound(*loop)) loop->setLoopAlreadyUnrolled();
  }
}

/// Two waves in a SIMD leave 256 registers to each, so that sums of matrix instructions are where all other
/// instructions reach them: with more, LLVM puts them into registers of their own and moves them.
void boundRegisters(llvm::Function& kernel) {
  if (!kernel.hasFnAttribute("amdgpu-waves-per-eu") && hasMatrixInstructions(kernel))
    kernel.addFnAttr("amdgpu-waves-per-eu", "2");
}

/// A known workgroup size frees registers (the default bound is 1024 work-items).
void describeWorkgroup(llvm::Function& kernel) {
  kernel.setVisibility(llvm::GlobalValue::ProtectedVisibility);
  const auto items = requiredWorkItems(kernel);
  if (items == 0) return;
  const auto text = std::to_string(items);
  if (!kernel.hasFnAttribute("amdgpu-flat-work-group-size"))
    kernel.addFnAttr("amdgpu-flat-work-group-size", text + "," + text);
  if (!kernel.hasFnAttribute("uniform-work-group-size"))
    kernel.addFnAttr("uniform-work-group-size", "true");
  boundRegisters(kernel);
}

Bytes toBytes(const std::string& code) { return Bytes(code.begin(), code.end()); }

}  // namespace

GpuTarget::GpuTarget(GpuTargetOptions options, std::unique_ptr<llvm::TargetMachine> machine)
    : options_(std::move(options)), machine_(std::move(machine)) {}
GpuTarget::GpuTarget(GpuTarget&&) noexcept = default;
GpuTarget& GpuTarget::operator=(GpuTarget&&) noexcept = default;
GpuTarget::~GpuTarget() = default;

std::span<const std::string_view> GpuTarget::supportedCpus() { return supported; }

Result<GpuTarget> GpuTarget::create(const GpuTargetOptions& requested) {
  auto options = requested;
  if (options.waveSize == 0) options.waveSize = 64;
  const auto target = amdgpu();
  if (!target) return target.error();
  if (auto known = checkCpu(**target, options.cpu); !known) return known.error();
  if (auto version = checkObjectVersion(options.codeObjectVersion); !version)
    return version.error();
  auto features = waveFeatures(options);
  if (!features) return features.error();
  auto machine = makeMachine(**target, options.cpu, *features);
  if (!machine) return Error{"LLVM has no target machine for '" + options.cpu + "'"};
  return GpuTarget(std::move(options), std::move(machine));
}

std::string GpuTarget::dataLayout() const {
  return machine_->createDataLayout().getStringRepresentation();
}

void GpuTarget::prepare(llvm::Module& module) const {
  module.setTargetTriple(ref(triple()));
  module.setDataLayout(machine_->createDataLayout());
  module.setModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                       options_.codeObjectVersion);
  for (auto& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine_->getTargetCPU());
    if (!machine_->getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine_->getTargetFeatureString());
    if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL) describeWorkgroup(function);
  }
}

Result<void> GpuTarget::check(const llvm::Module& module) const {
  if (auto valid = verifyIr(module); !valid) return valid;
  return checkKernels(module);
}

Result<void> GpuTarget::optimize(llvm::Module& module) const {
  keepLoops(module);
  return runO3(*machine_, module);
}

Result<Bytes> GpuTarget::emitObject(llvm::Module& module) const {
  auto code = emitCode(*machine_, module, CodeFile::Object);
  if (!code) return code.error();
  return toBytes(*code);
}

Result<std::string> GpuTarget::emitAssembly(llvm::Module& module) const {
  return emitCode(*machine_, module, CodeFile::Assembly);
}

Result<Bytes> GpuTarget::compile(llvm::Module& module) const {
  prepare(module);
  if (auto checked = check(module); !checked) return checked.error();
  if (auto optimised = optimize(module); !optimised) return optimised.error();
  return emitObject(module);
}

}  // namespace airlite::gpu
