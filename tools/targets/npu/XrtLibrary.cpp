// Finds libxrt_coreutil and its functions at run time, and calls them as the Itanium C++ ABI has
// it: a constructor takes the memory of the object, a member function the object, a result that is
// no plain value the memory for it, first of all.
#include "XrtLibrary.hpp"

#include <chrono>
#include <dlfcn.h>
#include <iterator>
#include <new>

namespace airlite::tools {
namespace {

enum Function : size_t {
  DeviceOpen,
  XclbinRead,
  DeviceRegister,
  ContextMake,
  KernelOpen,
  KernelGroup,
  BufferMake,
  BufferMap,
  BufferSync,
  RunMake,
  RunSetValue,
  RunSetBuffer,
  RunStart,
  RunWait,
};

struct Row {
  const char* symbol;
  const char* name;  ///< as the documentation has it
};
#define AIRLITE_STRING "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
constexpr Row rows[] = {
    {"_ZN3xrt6deviceC1Ej", "xrt::device(unsigned)"},
    {"_ZN3xrt6xclbinC1E" AIRLITE_STRING, "xrt::xclbin(const std::string&)"},
    {"_ZN3xrt6device15register_xclbinERKNS_6xclbinE", "xrt::device::register_xclbin"},
    {"_ZN3xrt10hw_contextC1ERKNS_6deviceERKNS_4uuidENS0_11access_modeE",
     "xrt::hw_context(device, uuid, access_mode)"},
    {"_ZN3xrt6kernelC1ERKNS_10hw_contextE" AIRLITE_STRING,
     "xrt::kernel(hw_context, const std::string&)"},
    {"_ZNK3xrt6kernel8group_idEi", "xrt::kernel::group_id"},
    {"_ZN3xrt2boC1ERKNS_6deviceEmNS0_5flagsEj", "xrt::bo(device, size_t, flags, memory_group)"},
    {"_ZN3xrt2bo3mapEv", "xrt::bo::map"},
    {"_ZN3xrt2bo4syncE18xclBOSyncDirectionmm", "xrt::bo::sync"},
    {"_ZN3xrt3runC1ERKNS_6kernelE", "xrt::run(kernel)"},
    {"_ZN3xrt3run16set_arg_at_indexEiPKvm", "xrt::run::set_arg (value)"},
    {"_ZN3xrt3run16set_arg_at_indexEiRKNS_2boE", "xrt::run::set_arg (buffer)"},
    {"_ZN3xrt3run5startEv", "xrt::run::start"},
    {"_ZNK3xrt3run4waitERKNSt6chrono8durationIlSt5ratioILl1ELl1000EEEE", "xrt::run::wait"},
};
#undef AIRLITE_STRING

using Object = XrtLibrary::Object;

/// Bytes for an object that a constructor of the library fills: the shared pointer, and what a
/// later release may have after it.
struct Made {
  alignas(std::max_align_t) std::byte memory[sizeof(Object) + 64] = {};
};

template <class Returned, class... Arguments>
Returned call(void* function, Arguments... arguments) {
  return reinterpret_cast<Returned (*)(Arguments...)>(function)(arguments...);
}

/// Constructs, and takes the shared pointer over.
template <class... Arguments> Object construct(void* function, Arguments... arguments) {
  auto made = std::make_shared<Made>();
  call<void>(function, static_cast<void*>(made->memory), arguments...);
  auto* inside = std::launder(reinterpret_cast<Object*>(made->memory));
  Object object(inside, [made](void* at) { static_cast<Object*>(at)->~Object(); });
  return object;
}

}  // namespace

Result<std::unique_ptr<XrtLibrary>> XrtLibrary::load(const std::string& path) {
  std::unique_ptr<XrtLibrary> xrt(new XrtLibrary);
  std::vector<std::string> names{"libxrt_coreutil.so.2", "libxrt_coreutil.so"};
  if (!path.empty()) names = {path};
  for (const std::string& name : names) {
    xrt->handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    xrt->name_ = name;
    if (xrt->handle_) break;
  }
  if (!xrt->handle_) return Error{"there is no XRT on this machine (" + names.front() + ")"};
  if (auto resolved = xrt->resolve(); !resolved) return resolved.error();
  return xrt;
}

Result<void> XrtLibrary::resolve() {
  for (const Row& row : rows) {
    functions_.push_back(dlsym(handle_, row.symbol));
    if (functions_.back()) continue;
    return Error{"'" + name_ + "' has no " + row.name +
                 ": XRT 2.16 or later with the plug-in for NPUs is needed"};
  }
  return {};
}

XrtLibrary::~XrtLibrary() {
  if (handle_) dlclose(handle_);
}

Object XrtLibrary::openDevice(unsigned index) const {
  return construct(functions_[DeviceOpen], index);
}

Object XrtLibrary::readXclbin(const std::string& path) const {
  return construct(functions_[XclbinRead], &path);
}

XrtLibrary::Uuid XrtLibrary::registerXclbin(const Object& device, const Object& xclbin) const {
  Uuid uuid;
  call<void>(functions_[DeviceRegister], &uuid, device.get(), xclbin.get());
  return uuid;
}

Object XrtLibrary::makeContext(const Object& device, const Uuid& uuid) const {
  constexpr uint8_t shared = 1;
  return construct(functions_[ContextMake], device.get(), &uuid, shared);
}

Object XrtLibrary::openKernel(const Object& context, const std::string& name) const {
  return construct(functions_[KernelOpen], context.get(), &name);
}

int XrtLibrary::groupOf(const Object& kernel, int index) const {
  return call<int>(functions_[KernelGroup], kernel.get(), index);
}

Object XrtLibrary::makeBuffer(const Object& device, size_t bytes, uint32_t flags, int group) const {
  return construct(functions_[BufferMake], device.get(), bytes, flags, unsigned(group));
}

void* XrtLibrary::map(const Object& buffer) const {
  return call<void*>(functions_[BufferMap], buffer.get());
}

void XrtLibrary::sync(const Object& buffer, Direction direction, size_t bytes) const {
  call<void>(functions_[BufferSync], buffer.get(), int(direction), bytes, size_t(0));
}

Object XrtLibrary::makeRun(const Object& kernel) const {
  return construct(functions_[RunMake], kernel.get());
}

void XrtLibrary::setValue(const Object& run, int index, const void* value, size_t bytes) const {
  call<void>(functions_[RunSetValue], run.get(), index, value, bytes);
}

void XrtLibrary::setBuffer(const Object& run, int index, const Object& buffer) const {
  call<void>(functions_[RunSetBuffer], run.get(), index, buffer.get());
}

void XrtLibrary::start(const Object& run) const { call<void>(functions_[RunStart], run.get()); }

int XrtLibrary::wait(const Object& run, long milliseconds) const {
  const std::chrono::duration<long, std::milli> time(milliseconds);
  return call<int>(functions_[RunWait], run.get(), &time);
}

}  // namespace airlite::tools
