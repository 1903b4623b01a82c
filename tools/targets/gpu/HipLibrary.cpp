// Finds libamdhip64 and its functions at run time.
#include "HipLibrary.hpp"

#include <cctype>
#include <dlfcn.h>
#include <string_view>
#include <vector>

namespace airlite::tools {

template <class Function> bool HipLibrary::find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(handle_, name));
  return function != nullptr;
}

Result<void> HipLibrary::resolve() {
  const char* missing = nullptr;
  auto need = [&](auto& function, const char* name) {
    if (!missing && !find(function, name)) missing = name;
  };
  // ROCm 6 changed the structure of the properties, and gave the function for it a new name.
  if (!find(getDeviceProperties, "hipGetDevicePropertiesR0600"))
    need(getDeviceProperties, "hipGetDeviceProperties");
  need(init, "hipInit");
  need(getDeviceCount, "hipGetDeviceCount");
  need(allocate, "hipMalloc");
  need(release, "hipFree");
  need(copy, "hipMemcpy");
  need(moduleLoadData, "hipModuleLoadData");
  need(moduleUnload, "hipModuleUnload");
  need(moduleGetFunction, "hipModuleGetFunction");
  need(launchKernel, "hipModuleLaunchKernel");
  need(synchronize, "hipDeviceSynchronize");
  need(errorString, "hipGetErrorString");
  if (missing) return Error{"'" + name_ + "' has no function " + missing};
  return {};
}

Result<std::unique_ptr<HipLibrary>> HipLibrary::load() {
  std::unique_ptr<HipLibrary> hip(new HipLibrary);
  for (const char* name : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}) {
    hip->handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    hip->name_ = name;
    if (hip->handle_) break;
  }
  if (!hip->handle_)
    return Error{"there is no HIP on this machine (libamdhip64.so.7, .6 or .5), use --on=host"};
  if (auto resolved = hip->resolve(); !resolved) return resolved.error();
  int count = 0;
  Result<void> started = hip->check(hip->init(0), "hipInit");
  if (started) started = hip->check(hip->getDeviceCount(&count), "hipGetDeviceCount");
  if (started && count > 0) return hip;
  return Error{"HIP finds no device on this machine" +
               (started ? "" : " (" + started.error().message + ")") + ", use --on=host"};
}

HipLibrary::~HipLibrary() {
  if (handle_) dlclose(handle_);
}

Result<std::string> HipLibrary::architecture() const {
  // The place of gcnArchName differs between releases of HIP, its form does not: the only string
  // in the structure that starts with "gfx" and a digit, right after a zero byte.
  std::vector<char> properties(16384, '\0');
  const int code = getDeviceProperties(properties.data(), 0);
  if (auto asked = check(code, "hipGetDeviceProperties"); !asked) return asked.error();
  std::string_view bytes(properties.data(), properties.size());
  for (size_t at = bytes.find("gfx"); at != bytes.npos; at = bytes.find("gfx", at + 1)) {
    if (at == 0 || bytes[at - 1] || !std::isdigit(static_cast<unsigned char>(bytes[at + 3])))
      continue;
    size_t end = at + 3;
    while (std::isalnum(static_cast<unsigned char>(bytes[end])))
      ++end;
    return std::string(bytes.substr(at, end - at));
  }
  return Error{"HIP does not say which architecture device 0 has"};
}

Result<void> HipLibrary::check(int code, const std::string& what) const {
  if (code == 0) return {};
  const char* text = errorString ? errorString(code) : nullptr;
  return Error{what + " failed: " + (text ? text : "error " + std::to_string(code))};
}

}  // namespace airlite::tools
