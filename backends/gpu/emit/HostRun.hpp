// One run of a host program: its heap, its launches, and the way out of emitted code when something
// goes wrong.
#pragma once

#include "airlite/gpu/emit/Emit.hpp"
#include "airlite/gpu/emit/HostProgram.hpp"

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace airlite::gpu {

/// A kernel module on the host twin.
struct HostModuleEntry {
  std::string name;
  HostJit jit;
  std::vector<EmittedKernel> kernels;
};

/// Where a launch of the program goes.
struct LaunchTarget {
  const HostModuleEntry* module = nullptr;
  const EmittedKernel* kernel = nullptr;
  std::vector<std::uint32_t> argBytes;
};

/// Buffers of a run; frees what is left at its end.
class HostHeap {
 public:
  explicit HostHeap(std::uint64_t maxBytes) : maxBytes_(maxBytes) {}
  ~HostHeap();
  HostHeap(const HostHeap&) = delete;
  HostHeap& operator=(const HostHeap&) = delete;

  Result<void*> allocate(const std::int64_t* sizes, std::int64_t rank, std::int64_t elementBytes,
                         std::int64_t alignment, bool isScoped);
  bool free(void* pointer);
  bool owns(const void* pointer) const { return blocks_.count(pointer) != 0; }

  std::uint64_t allocatedBytes() const { return allocated_; }
  /// Buffers still there that the program had to free.
  std::uint64_t openBuffers() const;

 private:
  struct Block {
    std::size_t bytes;
    bool isScoped;
  };
  std::map<const void*, Block> blocks_;
  std::uint64_t maxBytes_;
  std::uint64_t live_ = 0;
  std::uint64_t allocated_ = 0;
};

/// What emitted code gets as its first argument.
class ProgramRun {
 public:
  ProgramRun(const std::vector<LaunchTarget>& launches, const RunOptions& options, HostHeap& heap)
      : launches_(launches), options_(options), heap_(heap) {}

  /// Calls the entry; returns false when the program was left with `error`.
  bool call(void (*entry)(void*, void*, void*), void* args, void* results);

  // The hooks. On an error they do not return.
  void* allocate(const std::int64_t* sizes, std::int64_t rank, std::int64_t elementBytes,
                 std::int64_t alignment, std::int64_t isScoped);
  void free(void* pointer);
  void launch(std::int64_t number, const std::int64_t* sizes, void* const* args);
  void fail(const char* text);

  std::string error;
  RunStats stats;
  std::uint64_t launchCount = 0;

 private:
  /// Leaves the emitted code. Its frames and those of the hooks own nothing.
  [[noreturn]] void leave() { std::longjmp(exit_, 1); }
  /// These fill `error` and come back, so that what they own is freed before the program is left.
  void* tryAllocate(const std::int64_t* sizes, std::int64_t rank, std::int64_t elementBytes,
                    std::int64_t alignment, bool isScoped);
  bool tryLaunch(std::int64_t number, const std::int64_t* sizes, void* const* args);

  const std::vector<LaunchTarget>& launches_;
  const RunOptions& options_;
  HostHeap& heap_;
  std::jmp_buf exit_;
};

}  // namespace airlite::gpu
