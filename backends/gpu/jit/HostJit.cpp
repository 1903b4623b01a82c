#include "airlite/gpu/jit/HostJit.hpp"

#include "../target/Codegen.hpp"
#include "GroupRunner.hpp"
#include "HalfRuntime.hpp"
#include "HostModule.hpp"
#include "MathRuntime.hpp"
#include "airlite/device/GpuMatrix.hpp"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <thread>

namespace airlite::gpu {
namespace {

constexpr double maxWorkgroups = 1 << 28;  // keeps the list of a shuffled order in memory
constexpr std::uint32_t maxWorkgroupItems = amdgpu::kMaxWorkItems;

std::string text(llvm::Error error) { return llvm::toString(std::move(error)); }

void initialiseHost() {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
}

/// This machine, with arithmetic that does what the IR says and no more.
Result<llvm::orc::JITTargetMachineBuilder> describeHost() {
  initialiseHost();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host) return Error{"cannot detect the host cpu: " + text(host.takeError())};
  host->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  // The bf16 converters flush subnormals and f16 units differ between hosts: the same bits
  // everywhere are worth more than the speed.
  if (host->getTargetTriple().isX86())
    host->addFeatures({"-avx512fp16", "-avx512bf16", "-avxneconvert"});
  return std::move(*host);
}

Result<std::unique_ptr<llvm::TargetMachine>> makeMachine() {
  auto host = describeHost();
  if (!host) return host.error();
  auto machine = host->createTargetMachine();
  if (!machine) return Error{"no code generator for this host: " + text(machine.takeError())};
  return std::move(*machine);
}

Result<std::unique_ptr<llvm::orc::LLJIT>> makeJit() {
  auto host = describeHost();
  if (!host) return host.error();
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*host))
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit) return Error{"cannot start the JIT: " + text(jit.takeError())};
  return std::move(*jit);
}

/// Symbols that generated code may use: ours by address, libm's from the process.
Result<void> addRuntime(llvm::orc::LLJIT& jit) {
  llvm::orc::SymbolMap symbols;
  const auto add = [&](std::string_view name, void* address) {
    symbols[jit.mangleAndIntern({name.data(), name.size()})] = {
        llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  };
  add(barrierSymbol, reinterpret_cast<void*>(&GroupRunner::barrier));
  add(waveBarrierSymbol, reinterpret_cast<void*>(&GroupRunner::waveBarrier));
  add(matrixSymbol, reinterpret_cast<void*>(&GroupRunner::matrix));
  add(permuteSymbol, reinterpret_cast<void*>(&GroupRunner::permute));
  for (const auto& symbol : halfRuntime())
    add(symbol.name, symbol.address);
  for (const auto& symbol : mathRuntime())
    add(symbol.name, symbol.address);
  auto& library = jit.getMainJITDylib();
  if (auto error = library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return Error{"JIT: " + text(std::move(error))};
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process) return Error{"JIT: " + text(process.takeError())};
  library.addGenerator(std::move(*process));
  return {};
}

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string product(const Dim3& size) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

Result<void> checkShape(const HostKernel& kernel, const Dim3& grid, const Dim3& block) {
  const auto items = std::uint64_t{block[0]} * block[1] * std::uint64_t{block[2]};
  const bool isTooLarge = block[0] > maxWorkgroupItems || block[1] > maxWorkgroupItems ||
                          block[2] > maxWorkgroupItems || items > maxWorkgroupItems;
  if (items == 0 || isTooLarge)
    return Error{"a workgroup has 1 to " + std::to_string(maxWorkgroupItems) + " work-items, not " +
                 product(block)};
  if (static_cast<double>(grid[0]) * grid[1] * grid[2] > maxWorkgroups)
    return Error{"the grid " + product(grid) + " has more than 2^28 workgroups"};
  if (kernel.requiredBlock && *kernel.requiredBlock != block)
    return Error{"kernel '" + kernel.name + "' is compiled for workgroups of " +
                 product(*kernel.requiredBlock) + ", not " + product(block)};
  return {};
}

Result<void> checkArgs(const HostKernel& kernel, std::span<const KernelArg> args) {
  if (args.size() != kernel.params.size())
    return Error{"kernel '" + kernel.name + "' takes " + std::to_string(kernel.params.size()) +
                 " arguments, got " + std::to_string(args.size())};
  for (size_t i = 0; i < args.size(); ++i) {
    const auto& param = kernel.params[i];
    if (args[i].bytes.size() == param.size) continue;
    return Error{"argument " + std::to_string(i) + " ('" + param.name + "') of kernel '" +
                 kernel.name + "' has " + std::to_string(param.size) + " bytes, got " +
                 std::to_string(args[i].bytes.size())};
  }
  return {};
}

std::vector<std::byte> packArgs(std::span<const KernelArg> args) {
  std::vector<std::byte> segment;
  for (const auto& arg : args) {
    const auto start = segment.size();
    segment.resize(start + kernargStride(static_cast<std::uint32_t>(arg.bytes.size())));
    std::copy(arg.bytes.begin(), arg.bytes.end(), segment.begin() + start);
  }
  return segment;
}

unsigned chooseThreads(unsigned requested, std::uint64_t groups) {
  const auto cores = std::max(1u, std::thread::hardware_concurrency());
  const auto wanted = requested ? requested : cores;
  return static_cast<unsigned>(std::min<std::uint64_t>(wanted, std::max<std::uint64_t>(groups, 1)));
}

/// The order of the workgroups; empty means forward.
std::vector<std::uint64_t> groupOrder(const Launch& launch) {
  if (launch.order == RunOrder::Forward) return {};
  std::vector<std::uint64_t> order(launch.groupCount());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = order.size() - 1 - i;
  if (launch.order == RunOrder::Reverse) return order;
  std::mt19937_64 random(launch.seed);
  for (auto i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random() % i]);
  return order;
}

/// Hands workgroups to threads and collects what they say.
class Dispatcher {
 public:
  Dispatcher(const Launch& launch, const RunOptions& options, StackPool& pool)
      : launch_(launch), options_(options), pool_(pool), order_(groupOrder(launch)) {}

  Result<RunStats> run() {
    const auto start = Clock::now();
    const auto threads = chooseThreads(options_.threads, launch_.groupCount());
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < threads; ++i)
      helpers.emplace_back([this] { work(); });
    work();
    for (auto& helper : helpers)
      helper.join();
    if (!error_.empty()) return Error{error_};
    return RunStats{finished_, barriers_, threads, secondsSince(start)};
  }

 private:
  void work() {
    // Subnormals, rounding and exceptions as on the device, whatever the caller's thread had set.
    std::fenv_t before;
    std::fegetenv(&before);
    std::fesetenv(FE_DFL_ENV);
    GroupRunner runner(launch_, pool_);
    for (auto next = next_++; next < launch_.groupCount() && !stopped_; next = next_++)
      report(runner.run(order_.empty() ? next : order_[next]));
    const std::lock_guard lock(mutex_);
    barriers_ += runner.barriers();
    std::fesetenv(&before);
  }

  void report(const Result<void>& done) {
    const std::lock_guard lock(mutex_);
    if (!done) {
      stopped_ = true;
      if (error_.empty()) error_ = done.error().message;
      return;
    }
    ++finished_;
    if (options_.progress) options_.progress(finished_, launch_.groupCount());
  }

  const Launch& launch_;
  const RunOptions& options_;
  StackPool& pool_;
  const std::vector<std::uint64_t> order_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::string error_;
  std::uint64_t finished_ = 0;
  std::uint64_t barriers_ = 0;
};

}  // namespace

struct HostJit::Impl {
  HostJitOptions options;
  std::unique_ptr<llvm::orc::LLJIT> jit;  ///< owns the code that entries point to
  std::vector<HostKernel> kernels;
  std::vector<ItemEntry> entries;  ///< parallel to kernels
  std::vector<std::string> barrierSites;
  mutable StackPool stacks;

  Result<void> load(const std::string& object) {
    auto made = makeJit();
    if (!made) return made.error();
    jit = std::move(*made);
    if (auto added = addRuntime(*jit); !added) return added;
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(object, "airlite kernels");
    if (auto error = jit->addObjectFile(std::move(buffer)))
      return Error{"JIT: " + text(std::move(error))};
    return findEntries();
  }

  Result<void> findEntries() {
    for (const auto& kernel : kernels) {
      auto symbol = jit->lookup(entrySymbol(kernel.name));
      if (!symbol) return Error{"JIT: " + text(symbol.takeError())};
      entries.push_back(symbol->toPtr<ItemEntry>());
    }
    return {};
  }

  Result<RunStats> run(size_t index, Dim3 grid, Dim3 block, std::span<const KernelArg> args,
                       const RunOptions& runOptions) const {
    const auto segment = packArgs(args);
    const Launch launch{kernels[index], entries[index],   grid,
                        block,          options.waveSize, segment.data(),
                        barrierSites,   runOptions.order, runOptions.seed};
    return Dispatcher(launch, runOptions, stacks).run();
  }
};

HostJit::HostJit(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HostJit::HostJit(HostJit&&) noexcept = default;
HostJit& HostJit::operator=(HostJit&&) noexcept = default;
HostJit::~HostJit() = default;

Result<HostJit> HostJit::create(const llvm::Module& module, const HostJitOptions& options) {
  if (options.waveSize != 32 && options.waveSize != 64)
    return Error{"wave size must be 32 or 64, got " + std::to_string(options.waveSize)};
  auto machine = makeMachine();
  if (!machine) return machine.error();
  auto host = makeHostModule(module, options, **machine);
  if (!host) return host.error();
  if (auto optimised = runO3(**machine, *host->module); !optimised) return optimised.error();
  auto object = emitCode(**machine, *host->module, CodeFile::Object);
  if (!object) return object.error();
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->kernels = std::move(host->kernels);
  impl->barrierSites = std::move(host->barrierSites);
  if (auto loaded = impl->load(*object); !loaded) return loaded.error();
  return HostJit(std::move(impl));
}

std::span<const HostKernel> HostJit::kernels() const { return impl_->kernels; }

const HostKernel* HostJit::find(std::string_view kernel) const {
  for (const auto& known : impl_->kernels)
    if (known.name == kernel) return &known;
  return nullptr;
}

Result<RunStats> HostJit::run(std::string_view kernel, Dim3 grid, Dim3 block,
                              std::span<const KernelArg> args, const RunOptions& options) const {
  const auto* known = find(kernel);
  if (!known) return Error{"no kernel '" + std::string(kernel) + "' in this module"};
  if (auto shape = checkShape(*known, grid, block); !shape) return shape.error();
  if (auto checked = checkArgs(*known, args); !checked) return checked.error();
  return impl_->run(known - impl_->kernels.data(), grid, block, args, options);
}

}  // namespace airlite::gpu
