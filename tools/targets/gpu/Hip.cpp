// A program on HIP device 0: buffers are copied there, the launches of the function run in order,
// and the buffers are copied back.
#include "Hip.hpp"

#include "HipLibrary.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/gpu/emit/Compile.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace airlite::tools {

namespace {

/// Memory of the device, freed with the object.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(const HipLibrary& hip) : hip_(hip) {}
  DeviceBuffer(const DeviceBuffer&) = delete;
  ~DeviceBuffer() {
    if (pointer_) (void)hip_.release(pointer_);
  }
  Result<void> fill(const void* data, size_t bytes) {
    bytes_ = bytes;
    const int code = hip_.allocate(&pointer_, std::max<size_t>(bytes, 1));
    if (auto made = hip_.check(code, "hipMalloc"); !made) return made;
    return hip_.check(hip_.copy(pointer_, data, bytes, HipLibrary::kToDevice), "hipMemcpy");
  }
  Result<void> read(void* data) const {
    return hip_.check(hip_.copy(data, pointer_, bytes_, HipLibrary::kToHost), "hipMemcpy");
  }
  void* pointer() const { return pointer_; }

 private:
  const HipLibrary& hip_;
  void* pointer_ = nullptr;
  size_t bytes_ = 0;
};

/// A loaded code object.
struct DeviceModule {
  const HipLibrary& hip;
  void* handle = nullptr;
  const gpu::CompiledModule* compiled = nullptr;
  DeviceModule(const HipLibrary& hip, const gpu::CompiledModule* compiled)
      : hip(hip), compiled(compiled) {}
  DeviceModule(const DeviceModule&) = delete;
  ~DeviceModule() {
    if (handle) (void)hip.moduleUnload(handle);
  }
};

class HipRunner {
 public:
  HipRunner(HipLibrary& hip, std::vector<Argument>& arguments) : hip_(hip), arguments_(arguments) {}

  Result<HipOutcome> run(Operation& module, unsigned waveSize, Operation& function) {
    if (auto done = load(module, waveSize); !done) return done.error();
    if (auto done = upload(); !done) return done.error();
    if (auto done = execute(function); !done) return done.error();
    if (auto done = download(); !done) return done.error();
    return outcome_;
  }

 private:
  Result<void> load(Operation& module, unsigned waveSize) {
    gpu::GpuTargetOptions target;
    const auto architecture = hip_.architecture();
    if (!architecture) return architecture.error();
    target.cpu = outcome_.device = *architecture;
    target.waveSize = waveSize;
    auto compiled = gpu::compileForGpu(module, target);
    if (!compiled) return compiled.error();
    compiled_ = std::move(*compiled);
    for (const gpu::CompiledModule& part : compiled_.modules) {
      auto loaded = std::make_unique<DeviceModule>(hip_, &part);
      int code = hip_.moduleLoadData(&loaded->handle, part.hsaco.data());
      if (auto done = hip_.check(code, "loading " + part.name); !done) return done;
      modules_[part.name] = std::move(loaded);
    }
    return {};
  }

  // -- Memory

  static std::span<std::byte> memoryOf(Argument& argument) {
    return argument.strided.empty() ? std::span(argument.array.data) : std::span(argument.strided);
  }

  Result<void> upload() {
    for (Argument& argument : arguments_) {
      buffers_.push_back(std::make_unique<DeviceBuffer>(hip_));
      if (argument.layout.kind != ArgKind::MemRef) continue;
      std::span<std::byte> memory = memoryOf(argument);
      if (auto done = buffers_.back()->fill(memory.data(), memory.size()); !done) return done;
    }
    return {};
  }

  Result<void> download() {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].layout.kind != ArgKind::MemRef) continue;
      if (auto done = buffers_[i]->read(memoryOf(arguments_[i]).data()); !done) return done;
    }
    return {};
  }

  // -- Host code

  Result<void> execute(Operation& function) {
    if (!function.region().hasOneBlock())
      return unsupported(function, "a host function with several blocks");
    entry_ = &function.region().front();
    for (Operation& op : entry_->ops()) {
      if (gpu::LaunchFuncOp launch = dynCast<gpu::LaunchFuncOp>(&op)) {
        if (auto done = execute(launch); !done) return done;
      } else if (!op.is("arith.constant") && !op.is("func.return")) {
        return unsupported(op, fmt::format("'{}' in a host function", op.name()));
      }
    }
    return {};
  }

  /// It has been reported.
  static Error unsupported(Operation& op, const std::string& what) {
    op.emitError() << "not supported with --on=hip: " << what;
    return {};
  }

  Result<void> execute(gpu::LaunchFuncOp launch) {
    std::string module(launch.kernel().root()), name(launch.kernel().leaf());
    auto loaded = modules_.find(module);
    const gpu::CompiledKernel* kernel =
        loaded == modules_.end() ? nullptr : loaded->second->compiled->find(name);
    if (!kernel) return Error{"there is no kernel @" + module + "::@" + name};
    gpu::Dim3 grid{}, block{};
    std::vector<std::byte> segment;
    if (auto done = readSizes(launch, grid, block); !done) return done;
    if (auto done = packArguments(launch, *kernel, grid, segment); !done) return done;
    return start(*loaded->second, *kernel, grid, block, segment);
  }

  Result<void> readSizes(gpu::LaunchFuncOp launch, gpu::Dim3& grid, gpu::Dim3& block) {
    for (unsigned d = 0; d < 3; ++d) {
      auto dimension = static_cast<gpu::Dimension>(d);
      const auto groups = readSize(*launch.op(), launch.gridSize(dimension));
      if (!groups) return groups.error();
      const auto items = readSize(*launch.op(), launch.blockSize(dimension));
      if (!items) return items.error();
      grid[d] = *groups;
      block[d] = *items;
    }
    return {};
  }

  Result<uint32_t> readSize(Operation& launch, Value value) {
    const auto size = readInteger(launch, value);
    if (!size) return size.error();
    if (*size < 0 || *size > std::numeric_limits<int32_t>::max())
      return Error{fmt::format("a launch of size {}", *size)};
    return static_cast<uint32_t>(*size);
  }

  /// The number of the function's argument that `value` is.
  std::optional<unsigned> argumentNumber(Value value) const {
    for (unsigned i = 0; i < entry_->numArguments(); ++i)
      if (entry_->argument(i) == value) return i;
    return std::nullopt;
  }

  Result<int64_t> readInteger(Operation& user, Value value) {
    if (std::optional<int64_t> constant = constantIntOf(value)) return *constant;
    std::optional<unsigned> number = argumentNumber(value);
    if (!number) return unsupported(user, "a value that is neither a constant nor an argument");
    return arguments_[*number].value.integer;
  }

  // -- The kernel argument segment

  static void put(std::vector<std::byte>& segment, const ArgSlot& slot, const void* data) {
    if (segment.size() < slot.offset + slot.size) segment.resize(slot.offset + slot.size);
    std::memcpy(segment.data() + slot.offset, data, slot.size);
  }

  Result<void> packArguments(gpu::LaunchFuncOp launch, const gpu::CompiledKernel& kernel,
                             const gpu::Dim3& grid, std::vector<std::byte>& segment) {
    OperandRange operands = launch.kernelOperands();
    if (operands.size() != kernel.args.size())
      return Error{fmt::format("kernel @{} takes {} arguments, the launch has {}", kernel.name,
                               kernel.args.size(), operands.size())};
    for (unsigned i = 0; i < operands.size(); ++i)
      if (auto done = packArgument(*launch.op(), operands[i], kernel.args[i], segment); !done)
        return done;
    if (kernel.gridArg)
      for (const ArgSlot& slot : kernel.gridArg->slots)
        put(segment, slot, &grid[slot.dim]);
    return {};
  }

  Result<void> packArgument(Operation& launch, Value value, const ArgLayout& layout,
                            std::vector<std::byte>& segment) {
    std::optional<unsigned> number = argumentNumber(value);
    if (layout.kind == ArgKind::MemRef) {
      if (!number) return unsupported(launch, "a buffer that is not an argument of the function");
      packMemRef(*number, layout, segment);
      return {};
    }
    if (number) {
      put(segment, layout.slots[0], arguments_[*number].array.data.data());
      return {};
    }
    if (layout.kind == ArgKind::Float)
      return unsupported(launch, "a float that is not an argument of the function");
    const auto integer = readInteger(launch, value);
    if (!integer) return integer.error();
    put(segment, layout.slots[0], &*integer);
    return {};
  }

  void packMemRef(unsigned number, const ArgLayout& layout, std::vector<std::byte>& segment) {
    const HostValue& value = arguments_[number].value;
    std::vector<int64_t> strides = value.strides;
    if (strides.empty()) {
      strides.assign(value.shape.size(), 1);
      for (size_t d = strides.size(); d-- > 1;)
        strides[d - 1] = strides[d] * value.shape[d];
    }
    void* pointer = buffers_[number]->pointer();
    for (const ArgSlot& slot : layout.slots) {
      if (slot.kind == SlotKind::Pointer) put(segment, slot, &pointer);
      if (slot.kind == SlotKind::Offset) put(segment, slot, &value.offset);
      if (slot.kind == SlotKind::Size) put(segment, slot, &value.shape[slot.dim]);
      if (slot.kind == SlotKind::Stride) put(segment, slot, &strides[slot.dim]);
    }
  }

  Result<void> start(const DeviceModule& module, const gpu::CompiledKernel& kernel,
                     const gpu::Dim3& grid, const gpu::Dim3& block,
                     std::vector<std::byte>& segment) {
    void* function = nullptr;
    int code = hip_.moduleGetFunction(&function, module.handle, kernel.name.c_str());
    if (auto done = hip_.check(code, "finding kernel " + kernel.name); !done) return done;
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return {};
    // HIP_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE and _END: the segment as it is.
    size_t bytes = segment.size();
    void* extra[] = {reinterpret_cast<void*>(1), segment.data(), reinterpret_cast<void*>(2), &bytes,
                     reinterpret_cast<void*>(3)};
    auto begin = std::chrono::steady_clock::now();
    code = hip_.launchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0,
                             nullptr, nullptr, extra);
    if (auto done = hip_.check(code, "launching kernel " + kernel.name); !done) return done;
    if (auto done = hip_.check(hip_.synchronize(), "kernel " + kernel.name); !done) return done;
    outcome_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ++outcome_.launches;
    return {};
  }

  HipLibrary& hip_;
  std::vector<Argument>& arguments_;
  HipOutcome outcome_;
  Block* entry_ = nullptr;
  gpu::CompiledKernels compiled_;
  std::unordered_map<std::string, std::unique_ptr<DeviceModule>> modules_;
  std::vector<std::unique_ptr<DeviceBuffer>> buffers_;
};

}  // namespace

Result<HipOutcome> runOnHip(Operation& module, unsigned waveSize, std::string_view function,
                            std::vector<Argument>& arguments) {
  const auto hip = HipLibrary::load();
  if (!hip) return hip.error();
  Operation* op = lookupSymbolIn(module, function);
  if (!op || !op->is("func.func")) return Error{"there is no function @" + std::string(function)};
  return HipRunner(**hip, arguments).run(module, waveSize, *op);
}

}  // namespace airlite::tools
