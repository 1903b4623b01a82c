// A stand-in for libxrt_coreutil, declared as its documentation has it: says what is called, and has
// a "kernel" that copies its first buffer to its second. airlite-run finds it by --xrt.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

enum xclBOSyncDirection { XCL_BO_SYNC_BO_TO_DEVICE, XCL_BO_SYNC_BO_FROM_DEVICE };
enum ert_cmd_state { ERT_CMD_STATE_NEW = 1, ERT_CMD_STATE_COMPLETED = 4 };

namespace xrt {

class uuid {
 public:
  uuid() { std::memset(bytes_, 0x5A, sizeof bytes_); }
  uuid(const uuid& other) { std::memcpy(bytes_, other.bytes_, sizeof bytes_); }

 private:
  unsigned char bytes_[16];
};

class xclbin {
 public:
  explicit xclbin(const std::string& path);

 private:
  std::shared_ptr<std::string> handle_;
};
xclbin::xclbin(const std::string& path) : handle_(std::make_shared<std::string>(path)) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error("no such xclbin");
  std::fclose(file);
  std::puts("xclbin");
}

class device {
 public:
  explicit device(unsigned index);
  uuid register_xclbin(const xclbin& container);

 private:
  std::shared_ptr<int> handle_;
};
device::device(unsigned index)
    : handle_(new int(int(index)), [](int* number) {
        std::printf("device %d closed\n", *number);
        delete number;
      }) {
  if (std::getenv("FAKE_XRT_NO_DEVICE")) throw std::runtime_error("no such device '0'");
  std::printf("device %u\n", index);
}
uuid device::register_xclbin(const xclbin&) {
  std::puts("register");
  return uuid();
}

class hw_context {
 public:
  enum class access_mode : uint8_t { exclusive = 0, shared = 1 };
  hw_context(const device& device, const uuid& uuid, access_mode mode);

 private:
  std::shared_ptr<int> handle_;
};
hw_context::hw_context(const device&, const uuid& id, access_mode mode)
    : handle_(std::make_shared<int>(0)) {
  std::printf("context %02X %d\n", reinterpret_cast<const unsigned char*>(&id)[15], int(mode));
}

class kernel {
 public:
  kernel(const hw_context& context, const std::string& name);
  int group_id(int argument) const;

 private:
  std::shared_ptr<std::string> handle_;
};
kernel::kernel(const hw_context&, const std::string& name)
    : handle_(std::make_shared<std::string>(name)) {
  std::printf("kernel %s\n", name.c_str());
}
int kernel::group_id(int argument) const { return argument == 1 ? 1 : 0; }

using Bytes = std::vector<unsigned char>;
class bo {
 public:
  enum class flags : uint32_t { cacheable = 1u << 24, host_only = 1u << 29 };
  bo(const device& device, size_t size, flags flags, uint32_t group);
  void* map();
  void sync(xclBOSyncDirection direction, size_t size, size_t offset);
  std::shared_ptr<Bytes> handle_;
};
bo::bo(const device&, size_t size, flags flags, uint32_t group)
    : handle_(std::make_shared<Bytes>(size)) {
  std::printf("buffer of %zu bytes, %s, group %u\n", size,
              flags == flags::cacheable ? "cacheable" : "host only", group);
}
void* bo::map() { return handle_->data(); }
void bo::sync(xclBOSyncDirection direction, size_t size, size_t) {
  std::printf("sync %s %zu\n", direction == XCL_BO_SYNC_BO_TO_DEVICE ? "to" : "from", size);
}

struct Command {
  std::vector<std::shared_ptr<Bytes>> buffers;
};
class run {
 public:
  explicit run(const kernel& kernel);
  void set_arg_at_index(int index, const void* value, size_t bytes);
  void set_arg_at_index(int index, const bo& buffer);
  void start();
  ert_cmd_state wait(const std::chrono::milliseconds& timeout) const;

 private:
  std::shared_ptr<Command> handle_;
};
run::run(const kernel&) : handle_(std::make_shared<Command>()) {}
void run::set_arg_at_index(int index, const void* value, size_t bytes) {
  uint64_t number = 0;
  std::memcpy(&number, value, bytes);
  std::printf("argument %d is %llu, %zu bytes\n", index, static_cast<unsigned long long>(number),
              bytes);
}
void run::set_arg_at_index(int index, const bo& buffer) {
  std::printf("argument %d is a buffer\n", index);
  if (index >= 3) handle_->buffers.push_back(buffer.handle_);
}
void run::start() {
  if (handle_->buffers.size() >= 2) *handle_->buffers[1] = *handle_->buffers[0];
}
ert_cmd_state run::wait(const std::chrono::milliseconds&) const {
  return std::getenv("FAKE_XRT_HANGS") ? ERT_CMD_STATE_NEW : ERT_CMD_STATE_COMPLETED;
}

}  // namespace xrt
