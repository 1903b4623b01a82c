// The few functions of XRT's native C++ API that running a kernel on an NPU takes, loaded when they
// are asked for. The declarations are ours, after the documentation of XRT 2.16 and later: an
// object of xrt::device, xclbin, hw_context, kernel, bo or run is a shared pointer to what the
// library hides, so that any of them is held as one. Not tried on a device: there is none where
// airlite is made; a library of ours with the same functions stands in for it in the tests.
#pragma once

#include "airlite/support/Result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace airlite::tools {

class XrtLibrary {
 public:
  /// Any object of the library. Its last owner lets the library destroy it.
  using Object = std::shared_ptr<void>;
  struct Uuid {
    unsigned char bytes[16] = {};
  };
  enum Direction : int { toDevice = 0, fromDevice = 1 };
  enum Flags : uint32_t { cacheable = 1u << 24, hostOnly = 1u << 29 };  ///< of a buffer
  static constexpr int completed = 4;                                   ///< what wait() gives

  /// Where to look; empty: libxrt_coreutil.so.2 and .so.
  static Result<std::unique_ptr<XrtLibrary>> load(const std::string& path);
  ~XrtLibrary();

  const std::string& name() const { return name_; }

  // Each is a call of the library; what it throws is a std::exception.
  Object openDevice(unsigned index) const;
  Object readXclbin(const std::string& path) const;
  Uuid registerXclbin(const Object& device, const Object& xclbin) const;
  Object makeContext(const Object& device, const Uuid& uuid) const;
  Object openKernel(const Object& context, const std::string& name) const;
  /// The memory that argument `index` of the kernel lies in.
  int groupOf(const Object& kernel, int index) const;
  Object makeBuffer(const Object& device, size_t bytes, uint32_t flags, int group) const;
  void* map(const Object& buffer) const;
  void sync(const Object& buffer, Direction direction, size_t bytes) const;
  Object makeRun(const Object& kernel) const;
  void setValue(const Object& run, int index, const void* value, size_t bytes) const;
  void setBuffer(const Object& run, int index, const Object& buffer) const;
  void start(const Object& run) const;
  int wait(const Object& run, long milliseconds) const;

 private:
  XrtLibrary() = default;
  Result<void> resolve();

  void* handle_ = nullptr;
  std::string name_;
  std::vector<void*> functions_;  ///< in the order of the table in the source
};

}  // namespace airlite::tools
