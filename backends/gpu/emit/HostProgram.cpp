#include "airlite/gpu/emit/HostProgram.hpp"

#include "HostHooks.hpp"
#include "HostLoad.hpp"
#include "HostRun.hpp"
#include "airlite/gpu/emit/Emit.hpp"
#include "airlite/ir/Attribute.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>

#include <cstring>

namespace airlite::gpu {
namespace {

using Entry = void (*)(void*, void*, void*);

// -- Hooks ---------------------------------------------------------------------------------------

ProgramRun& runOf(void* run) { return *static_cast<ProgramRun*>(run); }

void* allocHook(void* run, const std::int64_t* sizes, std::int64_t rank, std::int64_t bytes,
                std::int64_t alignment, std::int64_t isScoped) {
  return runOf(run).allocate(sizes, rank, bytes, alignment, isScoped);
}

void freeHook(void* run, void* pointer) { runOf(run).free(pointer); }

void launchHook(void* run, std::int64_t number, const std::int64_t* sizes, void* const* args) {
  runOf(run).launch(number, sizes, args);
}

void failHook(void* run, const char* text) { runOf(run).fail(text); }

std::vector<HostSymbol> hooks() {
  return {{kAllocHook, reinterpret_cast<void*>(&allocHook)},
          {kFreeHook, reinterpret_cast<void*>(&freeHook)},
          {kLaunchHook, reinterpret_cast<void*>(&launchHook)},
          {kFailHook, reinterpret_cast<void*>(&failHook)}};
}

// -- Arguments -----------------------------------------------------------------------------------

std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::string listText(const std::vector<std::int64_t>& values) {
  std::string text;
  for (auto value : values)
    text += (text.empty() ? "" : ", ") + (value == kDynamic ? "?" : std::to_string(value));
  return "[" + text + "]";
}

bool fits(const std::vector<std::int64_t>& known, const std::vector<std::int64_t>& given) {
  if (known.size() != given.size()) return false;
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i] != kDynamic && known[i] != given[i]) return false;
  return true;
}

/// Strides of dims with one element mean nothing.
std::vector<std::int64_t> relevantStrides(const HostValue& value, const ArgLayout& layout) {
  auto strides = value.strides.empty() ? rowMajorStrides(value.shape) : value.strides;
  for (size_t i = 0; i < strides.size() && i < layout.strides.size(); ++i)
    if (value.shape[i] <= 1 && layout.strides[i] != kDynamic) strides[i] = layout.strides[i];
  return strides;
}

/// Writes an argument into its slots.
class ArgWriter {
 public:
  explicit ArgWriter(std::vector<std::uint64_t>& slots) : slots_(slots) {}

  Result<void> write(const ArgLayout& layout, const HostValue& value) {
    if (layout.kind == ArgKind::MemRef) return writeBuffer(layout, value);
    if (value.kind == ArgKind::MemRef) return Error{"expected a " + layout.type + ", got a buffer"};
    return layout.kind == ArgKind::Float ? writeFloat(layout, value) : writeInteger(layout, value);
  }

 private:
  Result<void> writeBuffer(const ArgLayout& layout, const HostValue& value) {
    if (value.kind != ArgKind::MemRef) return Error{"expected a buffer for " + layout.type};
    if (!fits(layout.shape, value.shape))
      return Error{"expected a buffer of shape " + listText(layout.shape) + ", got " +
                   listText(value.shape)};
    if (!value.strides.empty() && value.strides.size() != value.shape.size())
      return Error{"expected one stride for each dimension"};
    const auto strides = relevantStrides(value, layout);
    if (!fits(layout.strides, strides))
      return Error{"expected strides " + listText(layout.strides) + ", got " + listText(strides)};
    if (layout.offset != kDynamic && layout.offset != value.offset)
      return Error{"expected an offset of " + std::to_string(layout.offset) + ", got " +
                   std::to_string(value.offset)};
    if (!value.data && count(value.shape)) return Error{"a buffer without memory"};
    for (const auto& slot : layout.slots)
      slots_.push_back(slotOf(slot, value, strides));
    return {};
  }

  static std::int64_t count(const std::vector<std::int64_t>& shape) {
    std::int64_t product = 1;
    for (auto size : shape)
      product = size && product ? 1 : 0;
    return product;
  }

  static std::uint64_t slotOf(const ArgSlot& slot, const HostValue& value,
                              const std::vector<std::int64_t>& strides) {
    switch (slot.kind) {
      case SlotKind::Pointer: return reinterpret_cast<std::uintptr_t>(value.data);
      case SlotKind::Offset: return static_cast<std::uint64_t>(value.offset);
      case SlotKind::Size: return static_cast<std::uint64_t>(value.shape[slot.dim]);
      default: return static_cast<std::uint64_t>(strides[slot.dim]);
    }
  }

  Result<void> writeFloat(const ArgLayout& layout, const HostValue& value) {
    if (value.kind != ArgKind::Float)
      return Error{"expected a " + layout.type + ", got an integer"};
    slots_.push_back(floatToBits(*FloatType::parseName(layout.elementType), value.number));
    return {};
  }

  Result<void> writeInteger(const ArgLayout& layout, const HostValue& value) {
    if (value.kind == ArgKind::Float) return Error{"expected a " + layout.type + ", got a float"};
    auto bits = static_cast<std::uint64_t>(value.integer);
    // The entry loads an i1 as a byte of which the low bit counts, wider ones by their bytes.
    if (layout.elementBits < 64) bits &= (std::uint64_t{1} << layout.elementBits) - 1;
    slots_.push_back(bits);
    return {};
  }

  std::vector<std::uint64_t>& slots_;
};

Result<std::vector<std::uint64_t>> writeArgs(const HostFunction& function,
                                             std::span<const HostValue> args) {
  if (args.size() != function.params.size())
    return Error{"'" + function.name + "' takes " + std::to_string(function.params.size()) +
                 " arguments, got " + std::to_string(args.size())};
  std::vector<std::uint64_t> slots;
  ArgWriter writer(slots);
  for (size_t i = 0; i < args.size(); ++i)
    if (auto written = writer.write(function.params[i], args[i]); !written)
      return Error{"argument " + std::to_string(i) + " of '" + function.name +
                   "': " + written.error().message};
  slots.resize(std::max<size_t>(slots.size(), 1));
  return slots;
}

// -- Results -------------------------------------------------------------------------------------

std::int64_t signExtended(std::uint64_t bits, unsigned width) {
  if (width >= 64) return static_cast<std::int64_t>(bits);
  const auto shift = 64 - width;
  const auto moved = static_cast<std::int64_t>(bits << shift) >> shift;
  return width == 1 ? moved & 1 : moved;
}

HostValue readBuffer(const ArgLayout& layout, const std::uint64_t*& slot) {
  HostValue value = HostValue::buffer(nullptr, layout.shape, layout.strides, layout.offset);
  for (const auto& part : layout.slots) {
    const auto bits = *slot++;
    const auto number = static_cast<std::int64_t>(bits);
    if (part.kind == SlotKind::Pointer) value.data = reinterpret_cast<void*>(bits);
    if (part.kind == SlotKind::Offset) value.offset = number;
    if (part.kind == SlotKind::Size) value.shape[part.dim] = number;
    if (part.kind == SlotKind::Stride) value.strides[part.dim] = number;
  }
  return value;
}

HostValue readResult(const ArgLayout& layout, const std::uint64_t*& slot) {
  if (layout.kind == ArgKind::MemRef) return readBuffer(layout, slot);
  const auto bits = *slot++;
  if (layout.kind != ArgKind::Float)
    return HostValue::ofInteger(signExtended(bits, layout.elementBits));
  const auto kept =
      layout.elementBits < 64 ? bits & ((std::uint64_t{1} << layout.elementBits) - 1) : bits;
  return HostValue::ofFloat(floatFromBits(*FloatType::parseName(layout.elementType), kept));
}

size_t slotCount(const std::vector<ArgLayout>& layouts) {
  size_t count = 1;
  for (const auto& layout : layouts)
    count += layout.slots.size();
  return count;
}

}  // namespace

// -- The program ---------------------------------------------------------------------------------

struct HostProgram::Impl {
  HostProgramOptions options;
  std::vector<HostModuleEntry> modules;
  std::vector<HostFunction> functions;
  std::vector<Entry> entries;  ///< parallel to functions
  std::vector<LaunchTarget> launches;
  std::unique_ptr<llvm::orc::LLJIT> jit;

  Result<void> addKernels(Operation& module) {
    llvm::LLVMContext context;
    auto emitted = emitKernels(module, context);
    if (!emitted) return emitted.error();
    for (auto& one : *emitted) {
      if (one.kernels.empty()) continue;
      auto jitOptions = options.jit;
      jitOptions.waveSize = one.kernels.front().waveSize;
      auto made = HostJit::create(*one.module, jitOptions);
      if (!made) return Error{"gpu.module @" + one.name + ": " + made.error().message};
      modules.push_back({one.name, std::move(*made), std::move(one.kernels)});
    }
    return {};
  }

  Result<void> addHost(Operation& module) {
    llvm::LLVMContext context;
    auto emitted = emitHost(module, context);
    if (!emitted) return emitted.error();
    functions = std::move(emitted->functions);
    for (auto& launch : emitted->launches)
      if (auto resolved = resolve(launch); !resolved) return resolved;
    return load(*emitted->module);
  }

  Result<void> resolve(EmittedLaunch& launch) {
    for (const auto& entry : modules) {
      if (entry.name != launch.module) continue;
      for (const auto& kernel : entry.kernels) {
        if (kernel.name != launch.kernel) continue;
        launches.push_back({&entry, &kernel, std::move(launch.argBytes)});
        return {};
      }
    }
    return Error{"no kernel @" + launch.module + "::@" + launch.kernel + " to launch"};
  }

  Result<void> load(llvm::Module& module) {
    auto made = loadHostModule(module, hooks());
    if (!made) return made.error();
    jit = std::move(*made);
    for (const auto& function : functions) {
      auto address = findHostSymbol(*jit, "airlite_host." + function.name);
      if (!address) return address.error();
      entries.push_back(reinterpret_cast<Entry>(*address));
    }
    return {};
  }

  Result<HostRun> run(size_t index, std::span<const HostValue> args,
                      const RunOptions& runOptions) const {
    const auto& function = functions[index];
    auto slots = writeArgs(function, args);
    if (!slots) return slots.error();
    std::vector<std::uint64_t> results(slotCount(function.results));
    auto heap = std::make_shared<HostHeap>(options.maxAllocationBytes);
    ProgramRun program(launches, runOptions, *heap);
    if (!program.call(entries[index], slots->data(), results.data())) return Error{program.error};
    HostRun done{
        {}, program.stats, program.launchCount, heap->allocatedBytes(), heap->openBuffers(), heap};
    const auto* slot = static_cast<const std::uint64_t*>(results.data());
    for (const auto& layout : function.results) {
      done.results.push_back(readResult(layout, slot));
      if (heap->owns(done.results.back().data) && done.leakedBuffers) --done.leakedBuffers;
    }
    return done;
  }
};

HostProgram::HostProgram(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HostProgram::HostProgram(HostProgram&&) noexcept = default;
HostProgram& HostProgram::operator=(HostProgram&&) noexcept = default;
HostProgram::~HostProgram() = default;

Result<HostProgram> HostProgram::create(Operation& module, const HostProgramOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  if (auto added = impl->addKernels(module); !added) return added.error();
  if (auto added = impl->addHost(module); !added) return added.error();
  return HostProgram(std::move(impl));
}

std::span<const HostFunction> HostProgram::functions() const { return impl_->functions; }

const HostFunction* HostProgram::find(std::string_view name) const {
  for (const auto& function : impl_->functions)
    if (function.name == name) return &function;
  return nullptr;
}

Result<HostRun> HostProgram::run(std::string_view function, std::span<const HostValue> args,
                                 const RunOptions& options) const {
  const auto* known = find(function);
  if (!known) return Error{"no function '" + std::string(function) + "' to run"};
  return impl_->run(static_cast<size_t>(known - impl_->functions.data()), args, options);
}

}  // namespace airlite::gpu
