#include "HostRun.hpp"

#include <cstdlib>
#include <limits>

namespace airlite::gpu {
namespace {

/// Bytes of a buffer; nothing when a size is negative or the product overflows.
std::optional<std::uint64_t> bufferBytes(const std::int64_t* sizes, std::int64_t rank,
                                         std::int64_t elementBytes) {
  auto bytes = static_cast<std::uint64_t>(elementBytes);
  for (std::int64_t i = 0; i < rank; ++i) {
    if (sizes[i] < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(sizes[i]), &bytes))
      return std::nullopt;
  }
  return bytes;
}

std::string shapeText(const std::int64_t* sizes, std::int64_t rank) {
  std::string text;
  for (std::int64_t i = 0; i < rank; ++i)
    text += (i ? "x" : "") + std::to_string(sizes[i]);
  return text;
}

Result<Dim3> toDim3(const std::int64_t* sizes, const char* what) {
  Dim3 result{};
  for (unsigned i = 0; i < 3; ++i) {
    if (sizes[i] < 0 || sizes[i] > std::numeric_limits<std::uint32_t>::max())
      return Error{std::string("a launch with a ") + what + " of " + std::to_string(sizes[i])};
    result[i] = static_cast<std::uint32_t>(sizes[i]);
  }
  return result;
}

std::vector<KernelArg> packArguments(const LaunchTarget& target, const Dim3& grid,
                                     void* const* args) {
  std::vector<KernelArg> packed;
  for (size_t i = 0; i < target.argBytes.size(); ++i) {
    const auto* bytes = static_cast<const std::byte*>(args[i]);
    packed.push_back({std::vector<std::byte>(bytes, bytes + target.argBytes[i])});
  }
  if (target.kernel->hasGridArg)
    for (auto size : grid)
      packed.push_back(KernelArg::of(size));
  return packed;
}

}  // namespace

// -- The heap ------------------------------------------------------------------------------------

HostHeap::~HostHeap() {
  for (const auto& [pointer, block] : blocks_)
    std::free(const_cast<void*>(pointer));
}

Result<void*> HostHeap::allocate(const std::int64_t* sizes, std::int64_t rank,
                                 std::int64_t elementBytes, std::int64_t alignment, bool isScoped) {
  const auto bytes = bufferBytes(sizes, rank, elementBytes);
  const auto align = static_cast<std::size_t>(alignment);
  if (!bytes || *bytes > maxBytes_ || live_ + *bytes > maxBytes_)
    return Error{"cannot allocate a buffer of " + shapeText(sizes, rank) + " elements of " +
                 std::to_string(elementBytes) + " bytes; the program may have " +
                 std::to_string(maxBytes_) + " bytes at a time"};
  const auto rounded = (std::max<std::size_t>(*bytes, 1) + align - 1) / align * align;
  void* pointer = std::aligned_alloc(align, rounded);
  if (!pointer) return Error{"out of memory for a buffer of " + std::to_string(*bytes) + " bytes"};
  blocks_[pointer] = {*bytes, isScoped};
  live_ += *bytes;
  allocated_ += *bytes;
  return pointer;
}

bool HostHeap::free(void* pointer) {
  const auto found = blocks_.find(pointer);
  if (found == blocks_.end() || found->second.isScoped) return false;
  live_ -= found->second.bytes;
  blocks_.erase(found);
  std::free(pointer);
  return true;
}

std::uint64_t HostHeap::openBuffers() const {
  std::uint64_t count = 0;
  for (const auto& [pointer, block] : blocks_)
    count += !block.isScoped;
  return count;
}

// -- The run -------------------------------------------------------------------------------------

bool ProgramRun::call(void (*entry)(void*, void*, void*), void* args, void* results) {
  if (setjmp(exit_) != 0) return false;
  entry(this, args, results);
  return true;
}

void* ProgramRun::allocate(const std::int64_t* sizes, std::int64_t rank, std::int64_t elementBytes,
                           std::int64_t alignment, std::int64_t isScoped) {
  void* pointer = tryAllocate(sizes, rank, elementBytes, alignment, isScoped != 0);
  if (!pointer) leave();
  return pointer;
}

void* ProgramRun::tryAllocate(const std::int64_t* sizes, std::int64_t rank,
                              std::int64_t elementBytes, std::int64_t alignment, bool isScoped) {
  const auto buffer = heap_.allocate(sizes, rank, elementBytes, alignment, isScoped);
  if (!buffer) error = buffer.error().message;
  return buffer ? *buffer : nullptr;
}

void ProgramRun::free(void* pointer) {
  if (heap_.free(pointer)) return;
  error = "memref.dealloc of a buffer that memref.alloc did not make, or that is freed already";
  leave();
}

bool ProgramRun::tryLaunch(std::int64_t number, const std::int64_t* sizes, void* const* args) {
  const auto& target = launches_[static_cast<size_t>(number)];
  const auto grid = toDim3(sizes, "grid size");
  const auto block = toDim3(sizes + 3, "block size");
  if (!grid || !block) {
    error = grid.error().message + block.error().message;
    return false;
  }
  const auto packed = packArguments(target, *grid, args);
  const auto done = target.module->jit.run(target.kernel->name, *grid, *block, packed, options_);
  if (!done) {
    error = "launch of @" + target.module->name + "::@" + target.kernel->name + ": " +
            done.error().message;
    return false;
  }
  ++launchCount;
  stats.workgroups += done->workgroups;
  stats.barriers += done->barriers;
  stats.threads = std::max(stats.threads, done->threads);
  stats.seconds += done->seconds;
  return true;
}

void ProgramRun::launch(std::int64_t number, const std::int64_t* sizes, void* const* args) {
  if (!tryLaunch(number, sizes, args)) leave();
}

void ProgramRun::fail(const char* text) {
  error.assign("assertion failed: ").append(text);
  leave();
}

}  // namespace airlite::gpu
