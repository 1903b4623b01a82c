// Finds libamdhip64 and its functions at run time.
#if AIRLITE_HAVE_GPU
#include "HipLibrary.hpp"

#include <cctype>
#include <dlfcn.h>
#include <string_view>
#include <vector>

namespace airlite::tools {

template <class Function>
bool HipLibrary::find(Function& function, const char* name, std::string& error) {
  function = reinterpret_cast<Function>(dlsym(handle_, name));
  if (!function) error = "'" + name_ + "' has no function " + name;
  return function != nullptr;
}

bool HipLibrary::resolve(std::string& error) {
  // ROCm 6 changed the structure of the properties, and gave the function for it a new name.
  std::string ignored;
  if (!find(getDeviceProperties, "hipGetDevicePropertiesR0600", ignored) &&
      !find(getDeviceProperties, "hipGetDeviceProperties", error))
    return false;
  return find(init, "hipInit", error) && find(getDeviceCount, "hipGetDeviceCount", error) &&
         find(allocate, "hipMalloc", error) && find(release, "hipFree", error) &&
         find(copy, "hipMemcpy", error) && find(moduleLoadData, "hipModuleLoadData", error) &&
         find(moduleUnload, "hipModuleUnload", error) &&
         find(moduleGetFunction, "hipModuleGetFunction", error) &&
         find(launchKernel, "hipModuleLaunchKernel", error) &&
         find(synchronize, "hipDeviceSynchronize", error) &&
         find(errorString, "hipGetErrorString", error);
}

std::unique_ptr<HipLibrary> HipLibrary::load(std::string& error) {
  std::unique_ptr<HipLibrary> hip(new HipLibrary);
  for (const char* name : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"}) {
    hip->handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    hip->name_ = name;
    if (hip->handle_) break;
  }
  error = "there is no HIP on this machine (libamdhip64.so.7, .6 or .5), use --on=host";
  if (!hip->handle_ || !hip->resolve(error)) return nullptr;
  int count = 0;
  bool started = hip->check(hip->init(0), "hipInit", error) &&
                 hip->check(hip->getDeviceCount(&count), "hipGetDeviceCount", error);
  if (started && count > 0) return hip;
  error = "HIP finds no device on this machine" + (started ? "" : " (" + error + ")") +
          ", use --on=host";
  return nullptr;
}

HipLibrary::~HipLibrary() {
  if (handle_) dlclose(handle_);
}

std::string HipLibrary::architecture(std::string& error) const {
  // The place of gcnArchName differs between releases of HIP, its form does not: the only string
  // in the structure that starts with "gfx" and a digit, right behind a zero byte.
  std::vector<char> properties(16384, '\0');
  if (!check(getDeviceProperties(properties.data(), 0), "hipGetDeviceProperties", error)) return {};
  std::string_view bytes(properties.data(), properties.size());
  for (size_t at = bytes.find("gfx"); at != bytes.npos; at = bytes.find("gfx", at + 1)) {
    if (at == 0 || bytes[at - 1] || !std::isdigit(static_cast<unsigned char>(bytes[at + 3])))
      continue;
    size_t end = at + 3;
    while (std::isalnum(static_cast<unsigned char>(bytes[end])))
      ++end;
    return std::string(bytes.substr(at, end - at));
  }
  error = "HIP does not say which architecture device 0 has";
  return {};
}

bool HipLibrary::check(int code, const std::string& what, std::string& error) const {
  if (code == 0) return true;
  const char* text = errorString ? errorString(code) : nullptr;
  error = what + " failed: " + (text ? text : "error " + std::to_string(code));
  return false;
}

}  // namespace airlite::tools

#endif
