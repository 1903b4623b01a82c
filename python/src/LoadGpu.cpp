// Loads the library for GPUs and the host JIT.
#include "Gpu.hpp"

#include <dlfcn.h>
#include <filesystem>

namespace airlite::python {
namespace {

/// The file that this code was loaded from lies beside the library.
std::filesystem::path libraryFile() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<const void*>(&gpuSupport), &self)) return kGpuLibrary;
  return std::filesystem::path(self.dli_fname).replace_filename(kGpuLibrary);
}

Result<const GpuSupport*> load() {
  const std::filesystem::path file = libraryFile();
  if (std::error_code ignored; !std::filesystem::exists(file, ignored))
    return Error{"this build has no GPU backend, only NPUs and on='interp', 'sim' and 'xrt'"};
  // It is never unloaded: programs that it has compiled may outlive any owner that one could name.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = library ? dlsym(library, kGpuSupportEntry) : nullptr;
  if (!entry) return Error{std::string("the GPU backend cannot be loaded: ") + dlerror()};
  return reinterpret_cast<GpuSupportEntry*>(entry)();
}

}  // namespace

Result<const GpuSupport*> gpuSupport() {
  static const Result<const GpuSupport*> support = load();
  return support;
}

}  // namespace airlite::python
