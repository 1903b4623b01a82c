// The few functions of HIP that running a kernel takes, loaded when they are asked for: a machine
// without ROCm builds and runs everything else.
#pragma once

#include "airlite/support/Result.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace airlite::tools {

/// libamdhip64 with at least one device. Prototypes are ours; handles are opaque.
class HipLibrary {
 public:
  /// The error: no library, a function missing, or no device.
  static Result<std::unique_ptr<HipLibrary>> load();
  ~HipLibrary();

  /// Architecture of device 0 such as "gfx942".
  Result<std::string> architecture() const;
  /// Path under which the library was found.
  const std::string& name() const { return name_; }
  /// Success when `code` means it; otherwise the error says that `what` failed, and why.
  Result<void> check(int code, const std::string& what) const;

  enum CopyKind { kToDevice = 1, kToHost = 2 };

  int (*init)(unsigned flags) = nullptr;
  int (*getDeviceCount)(int* count) = nullptr;
  int (*getDeviceProperties)(void* properties, int device) = nullptr;
  int (*allocate)(void** pointer, size_t bytes) = nullptr;
  int (*release)(void* pointer) = nullptr;
  int (*copy)(void* to, const void* from, size_t bytes, int kind) = nullptr;
  int (*moduleLoadData)(void** module, const void* image) = nullptr;
  int (*moduleUnload)(void* module) = nullptr;
  int (*moduleGetFunction)(void** function, void* module, const char* name) = nullptr;
  int (*launchKernel)(void* function, unsigned gridX, unsigned gridY, unsigned gridZ,
                      unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                      void* stream, void** parameters, void** extra) = nullptr;
  int (*synchronize)() = nullptr;
  const char* (*errorString)(int code) = nullptr;

 private:
  HipLibrary() = default;
  Result<void> resolve();
  template <class Function> bool find(Function& function, const char* name);

  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace airlite::tools
