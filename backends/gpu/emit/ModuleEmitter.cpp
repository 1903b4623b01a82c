#include "ModuleEmitter.hpp"

#include "FunctionEmitter.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <llvm/IR/Module.h>

#include <algorithm>

namespace airlite::gpu {
namespace {

FunctionType typeOf(Operation& func) {
  return func.attrOf<TypeAttr>("function_type").value().cast<FunctionType>();
}

std::vector<Type> typesOf(Operation& func) {
  const auto type = typeOf(func);
  std::vector<Type> all(type.inputs().begin(), type.inputs().end());
  all.insert(all.end(), type.results().begin(), type.results().end());
  return all;
}

bool hasBody(Operation& func) { return !func.region().empty(); }

Operation* enclosingFunction(Operation& op) {
  Operation* at = &op;
  while (at && !at->hasTrait(Trait::Function))
    at = at->parentOp();
  return at;
}

std::optional<Dim3> knownBlock(Operation& func) {
  const auto sizes = func.attrOf<DenseArrayAttr>("known_block_size");
  if (!sizes || sizes.size() != 3) return std::nullopt;
  Dim3 block{};
  for (unsigned i = 0; i < 3; ++i)
    block[i] = static_cast<std::uint32_t>(sizes.values()[i]);
  return block;
}

LogicalResult checkBlock(Operation& func, const Dim3& block) {
  constexpr std::uint64_t kMost = amdgpu::kMaxWorkItems;
  const auto items = std::uint64_t{block[0]} * block[1] * block[2];
  const bool isTooLarge = std::max({block[0], block[1], block[2]}) > kMost || items > kMost;
  if (items != 0 && !isTooLarge) return success();
  return func.emitError() << "expected a known_block_size of 1 to " << kMost
                          << " work-items, found " << block[0] << " x " << block[1] << " x "
                          << block[2];
}

LogicalResult describeKernel(Operation& func, EmittedKernel& kernel) {
  kernel.name = symbolName(func);
  kernel.block = knownBlock(func);
  if (kernel.block && failed(checkBlock(func, *kernel.block))) return failure();
  const auto wave = func.attrOf<IntegerAttr>("airlite.wave_size");
  kernel.waveSize = wave ? static_cast<unsigned>(wave.value()) : 64;
  if (kernel.waveSize != 32 && kernel.waveSize != 64)
    return func.emitError() << "expected airlite.wave_size to be 32 or 64, found "
                            << kernel.waveSize;
  for (Type input : typeOf(func).inputs()) {
    kernel.args.push_back(layoutOfArgument(input));
    if (kernel.args.back().slots.empty())
      return func.emitError() << "not supported: a kernel argument of type " << input;
  }
  return success();
}

/// gpu.thread_id and the others that read the grid's size need three more arguments.
bool usesGridSize(Operation& func) {
  bool uses = false;
  func.walk([&](Operation& op) { uses = uses || op.is("gpu.grid_dim"); });
  return uses;
}

std::string slotName(unsigned argument, const ArgSlot& slot) {
  const auto base = "arg" + std::to_string(argument);
  switch (slot.kind) {
    case SlotKind::Offset: return base + "_offset";
    case SlotKind::Size: return base + "_size" + std::to_string(slot.dim);
    case SlotKind::Stride: return base + "_stride" + std::to_string(slot.dim);
    default: return base;
  }
}

void nameParameters(llvm::Function& function, const EmittedKernel& kernel) {
  unsigned next = 0;
  for (unsigned i = 0; i < kernel.args.size(); ++i)
    for (const auto& slot : kernel.args[i].slots)
      function.getArg(next++)->setName(slotName(i, slot));
  if (!kernel.hasGridArg) return;
  for (const char* name : {"grid_x", "grid_y", "grid_z"})
    function.getArg(next++)->setName(name);
}

constexpr std::uint64_t kMaxGlobalBytes = std::uint64_t(1) << 28;

/// The bytes of a dense attribute as an array; null without an attribute that fits.
llvm::Constant* globalContents(DenseElementsAttr value, llvm::ArrayType& array) {
  if (!value) return nullptr;
  auto* number = array.getElementType();
  const auto bytes = number->getPrimitiveSizeInBits() / 8;
  const auto count = array.getNumElements();
  const auto raw = value.raw();
  if (count > kMaxGlobalBytes / bytes) return nullptr;
  const auto stored = value.isSplat() ? 1 : count;
  if (value.type().elementType().isa<ShapedType>() || raw.size() != stored * bytes) return nullptr;
  const std::string element(reinterpret_cast<const char*>(raw.data()), raw.size());
  std::string all;
  for (std::uint64_t i = 0; i < (value.isSplat() ? count : 1); ++i)
    all += element;
  return llvm::ConstantDataArray::getRaw(all, count, number);
}

struct Variable {
  llvm::Constant* initial;
  std::string name;
  unsigned space;
  std::uint64_t align;
  bool isConstant;
};

// noexcept: with a way for exceptions, gcc takes LLVM's operators new and delete for a mismatch.
llvm::GlobalVariable* addVariable(llvm::Module& module, const Variable& wanted) noexcept {
  auto* made = new llvm::GlobalVariable(
      module, wanted.initial->getType(), wanted.isConstant, llvm::GlobalValue::InternalLinkage,
      wanted.initial, wanted.name, nullptr, llvm::GlobalValue::NotThreadLocal, wanted.space);
  made->setAlignment(llvm::Align(wanted.align));
  return made;
}

void requireBlock(llvm::Function& function, const Dim3& block) {
  llvm::SmallVector<llvm::Metadata*, 3> sizes;
  auto* i32 = llvm::Type::getInt32Ty(function.getContext());
  for (auto size : block)
    sizes.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(i32, size)));
  function.setMetadata("reqd_work_group_size", llvm::MDNode::get(function.getContext(), sizes));
}

/// Gives the entry block's arguments the kernel's parameters, then LDS and private buffers.
LogicalResult bindKernel(FunctionEmitter& emitter, FuncOp func) {
  LlvmValues slots;
  for (auto& arg : emitter.function.args())
    slots.push_back(&arg);
  unsigned next = 0;
  const auto inputs = func.type().inputs();
  for (unsigned i = 0; i < inputs.size(); ++i) {
    if (inputs[i].isInteger()) slots[next] = emitter.fromMemory(inputs[i], slots[next]);
    emitter.bind(func.body().argument(i), slots, next);
  }
  for (Value buffer : func.workgroupBuffers())
    if (failed(emitBuffer(emitter, *func, buffer))) return failure();
  for (Value buffer : func.privateBuffers())
    if (failed(emitBuffer(emitter, *func, buffer))) return failure();
  return success();
}

}  // namespace

ModuleEmitter::ModuleEmitter(llvm::LLVMContext& context, std::string_view name, Place place)
    : context_(context),
      place_(place),
      module_(std::make_unique<llvm::Module>(llvm::StringRef(name.data(), name.size()), context)) {}

ModuleEmitter::~ModuleEmitter() = default;

// -- Functions -----------------------------------------------------------------------------------

LogicalResult ModuleEmitter::checkTypes(Operation& func, std::span<const Type> types) const {
  for (Type type : types) {
    const auto why = obstacle(type);
    if (!why.empty()) return unsupported(func, why);
  }
  return success();
}

llvm::Type* ModuleEmitter::returnType(std::span<const Type> results) const {
  std::vector<llvm::Type*> slots;
  for (Type result : results)
    slotTypes(result, slots);
  if (slots.empty()) return llvm::Type::getVoidTy(context_);
  return slots.size() == 1 ? slots[0] : llvm::StructType::get(context_, slots);
}

llvm::Function* ModuleEmitter::declare(Operation& func) {
  std::vector<llvm::Type*> params;
  if (place_ == Place::Host) params.push_back(llvm::PointerType::get(context_, 0));
  for (Type input : typeOf(func).inputs())
    slotTypes(input, params);
  auto* type = llvm::FunctionType::get(returnType(typeOf(func).results()), params, false);
  const auto name = "airlite.fn." + std::string(symbolName(func));
  auto* made = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, *module_);
  if (place_ == Place::Kernel) made->addFnAttr(llvm::Attribute::AlwaysInline);
  made->setDoesNotThrow();
  return made;
}

llvm::Function* ModuleEmitter::functionFor(Operation& callee, Operation& user) {
  if (Operation* caller = enclosingFunction(user)) calls_[caller].push_back({&callee, &user});
  auto& known = functions_[&callee];
  if (known) return known;
  if (!hasBody(callee)) {
    (void)unsupported(user,
                      "a call of '@" + std::string(symbolName(callee)) + "', which has no body");
    return nullptr;
  }
  if (failed(checkTypes(callee, typesOf(callee)))) return nullptr;
  known = declare(callee);
  pending_.push_back(&callee);
  return known;
}

LogicalResult ModuleEmitter::emitFunction(Operation& func, llvm::Function& into) {
  FunctionEmitter emitter(*this, into);
  return emitter.emitBody(func.region(), [&] {
    LlvmValues slots;
    for (auto& arg : into.args())
      slots.push_back(&arg);
    unsigned next = 0;
    if (place_ == Place::Host) emitter.runContext = slots[next++];
    for (Value argument : func.region().front().arguments())
      emitter.bind(argument, slots, next);
    return success();
  });
}

LogicalResult ModuleEmitter::emitPending() {
  while (!pending_.empty()) {
    Operation* func = pending_.front();
    pending_.pop_front();
    if (failed(emitFunction(*func, *functions_[func]))) return failure();
  }
  return success();
}

/// Helper functions are inlined into kernels, which a cycle of calls would not allow.
LogicalResult ModuleEmitter::checkRecursion(Operation& func, std::vector<Operation*>& path) {
  path.push_back(&func);
  for (const auto& [callee, user] : calls_[&func]) {
    if (std::find(path.begin(), path.end(), callee) != path.end())
      return unsupported(*user, "a recursive call in a kernel");
    if (failed(checkRecursion(*callee, path))) return failure();
  }
  path.pop_back();
  calls_[&func].clear();
  return success();
}

// -- Kernels -------------------------------------------------------------------------------------

llvm::Function* ModuleEmitter::createKernel(Operation& func, EmittedKernel& kernel) {
  std::vector<llvm::Type*> params;
  for (Type input : typeOf(func).inputs()) {
    if (input.isInteger())
      params.push_back(inMemory(input));
    else
      slotTypes(input, params);
  }
  kernel.hasGridArg = usesGridSize(func);
  if (kernel.hasGridArg) params.insert(params.end(), 3, llvm::Type::getInt32Ty(context_));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_), params, false);
  auto* made =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, kernel.name, *module_);
  made->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  made->setVisibility(llvm::GlobalValue::ProtectedVisibility);
  made->setDoesNotThrow();
  if (kernel.block) requireBlock(*made, *kernel.block);
  nameParameters(*made, kernel);
  return made;
}

LogicalResult ModuleEmitter::emitKernel(Operation& func) {
  EmittedKernel kernel;
  if (!hasBody(func)) return unsupported(func, "a kernel without a body");
  if (!typeOf(func).results().empty()) return unsupported(func, "a kernel with results");
  if (failed(checkTypes(func, typeOf(func).inputs())) || failed(describeKernel(func, kernel)))
    return failure();
  auto* into = createKernel(func, kernel);
  FunctionEmitter emitter(*this, *into);
  emitter.kernel = &kernel;
  if (failed(emitter.emitBody(func.region(), [&] { return bindKernel(emitter, FuncOp(&func)); })))
    return failure();
  if (!kernels.empty() && kernels.front().waveSize != kernel.waveSize)
    return unsupported(func, "kernels of different wave sizes in one gpu.module");
  kernels.push_back(std::move(kernel));
  return success();
}

LogicalResult ModuleEmitter::emitGpuModule(Operation& gpuModule) {
  for (Operation& member : gpuModule.region().front().ops())
    if (member.is("gpu.func") && FuncOp(&member).isKernel() && failed(emitKernel(member)))
      return failure();
  if (failed(emitPending())) return failure();
  for (Operation& member : gpuModule.region().front().ops()) {
    std::vector<Operation*> path;
    if (member.is("gpu.func") && failed(checkRecursion(member, path))) return failure();
  }
  return success();
}

// -- Host functions ------------------------------------------------------------------------------

LogicalResult ModuleEmitter::emitHostModule(Operation& module) {
  for (Operation& member : module.region().front().ops()) {
    if (!member.is("func.func") || !hasBody(member) || isPrivateSymbol(member)) continue;
    auto* function = functionFor(member, member);
    if (!function) return failure();
    emitEntry(member, *function);
  }
  return emitPending();
}

static bool describeAll(std::span<const Type> types, std::vector<ArgLayout>& into) {
  for (Type type : types) {
    into.push_back(layoutOfArgument(type));
    if (into.back().slots.empty()) return false;
  }
  return true;
}

/// `airlite_host.<name>(run, args, results)`: every machine value has a slot of 8 bytes.
void ModuleEmitter::emitEntry(Operation& func, llvm::Function& callee) {
  HostFunction host;
  host.name = symbolName(func);
  const auto type = typeOf(func);
  if (!describeAll(type.inputs(), host.params) || !describeAll(type.results(), host.results))
    return;  // called by other functions only
  auto* pointer = llvm::PointerType::get(context_, 0);
  auto* entryType =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context_), {pointer, pointer, pointer}, false);
  auto* entry = llvm::Function::Create(entryType, llvm::GlobalValue::ExternalLinkage,
                                       "airlite_host." + host.name, *module_);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "entry", entry));
  const auto slot = [&](unsigned argument, unsigned index) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), entry->getArg(argument), index);
  };
  LlvmValues args = {entry->getArg(0)};
  for (unsigned i = 1; i < callee.arg_size(); ++i)
    args.push_back(builder.CreateLoad(callee.getArg(i)->getType(), slot(1, i - 1)));
  auto* result = builder.CreateCall(&callee, args);
  const auto* fields = llvm::dyn_cast<llvm::StructType>(result->getType());
  if (!fields && !result->getType()->isVoidTy()) builder.CreateStore(result, slot(2, 0));
  for (unsigned i = 0; fields && i < fields->getNumElements(); ++i)
    builder.CreateStore(builder.CreateExtractValue(result, i), slot(2, i));
  builder.CreateRetVoid();
  hostFunctions.push_back(std::move(host));
}

// -- Variables -----------------------------------------------------------------------------------

llvm::GlobalVariable* ModuleEmitter::addLds(llvm::Type* type, std::uint64_t align) {
  return addVariable(*module_, {llvm::PoisonValue::get(type), "lds", 3, align, false});
}

llvm::GlobalVariable* ModuleEmitter::globalFor(Operation& op, Operation& user) {
  auto& known = globals_[&op];
  if (known) return known;
  const memref::GlobalOp global(&op);
  if (place_ == Place::Kernel && !global.isConstant()) {
    (void)unsupported(user, "a memref.global that is not constant in a kernel");
    return nullptr;
  }
  const auto type = global.type();
  auto* number = inMemory(elementTypeOrSelf(type.elementType()));
  auto* array = llvm::ArrayType::get(number, static_cast<uint64_t>(type.numElements()));
  auto* initial = globalContents(global.initialValue(), *array);
  if (!initial) {
    (void)unsupported(user, "a memref.global without a value, or of more than 256 MiB");
    return nullptr;
  }
  const auto name = "global." + std::string(symbolName(op));
  known = addVariable(*module_, {initial, name, *addressSpace(type), 64, global.isConstant()});
  return known;
}

}  // namespace airlite::gpu
