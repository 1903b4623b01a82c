#include "Xrt.hpp"

#include "../../common/Session.hpp"
#include "XrtLibrary.hpp"
#include "airlite/npu/image/Container.hpp"
#include "airlite/npu/image/Xclbin.hpp"
#include "airlite/npu/image/XclbinSections.hpp"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <filesystem>
#include <unistd.h>

namespace airlite::tools {
namespace {

/// What the kernel of a design takes before its buffers [docs/hardware/formats.md 8.2]: run a
/// transaction.
constexpr uint64_t transactionOpcode = 3;
constexpr int opcodeArgument = 0, instructionArgument = 1, lengthArgument = 2;
constexpr long waitMilliseconds = 60'000;

/// A file that is gone when nobody needs it any more: XRT reads containers from files.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(
            (std::filesystem::temp_directory_path() / fmt::format("airlite-{}.xclbin", ::getpid()))
                .string()) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  Result<void> write(const npu::ByteVector& bytes) const {
    return writeOutput(path_, std::string(bytes.begin(), bytes.end()));
  }

 private:
  std::string path_;
};

Result<std::string> kernelOf(const npu::ByteVector& image) {
  const Error wrong{"a device takes an xclbin with one kernel, this image is none"};
  if (npu::imageKindOf(image) != npu::ImageKind::Xclbin) return wrong;
  const auto file = npu::readXclbin(image);
  const auto* section = file ? npu::sectionOf(*file, npu::SectionKind::IpLayout) : nullptr;
  if (!section) return wrong;
  const auto kernels = npu::readIpLayout(section->data);
  if (!kernels || kernels->size() != 1) return wrong;
  return kernels->front().name.substr(0, kernels->front().name.find(':'));
}

/// One run, each object of XRT as long as it is needed.
class XrtRun {
 public:
  XrtRun(const XrtLibrary& xrt, const std::string& file, const std::string& kernel)
      : xrt_(xrt), device_(xrt.openDevice(0)), xclbin_(xrt.readXclbin(file)) {
    const auto uuid = xrt.registerXclbin(device_, xclbin_);
    context_ = xrt.makeContext(device_, uuid);
    kernel_ = xrt.openKernel(context_, kernel);
  }

  void setInstructions(const npu::ByteVector& words) {
    run_ = xrt_.makeRun(kernel_);
    instructions_ = xrt_.makeBuffer(device_, words.size(), XrtLibrary::cacheable,
                                    xrt_.groupOf(kernel_, instructionArgument));
    std::memcpy(xrt_.map(instructions_), words.data(), words.size());
    xrt_.sync(instructions_, XrtLibrary::toDevice, words.size());
    const auto length = uint32_t(words.size() / 4);
    xrt_.setValue(run_, opcodeArgument, &transactionOpcode, sizeof transactionOpcode);
    xrt_.setBuffer(run_, instructionArgument, instructions_);
    xrt_.setValue(run_, lengthArgument, &length, sizeof length);
  }

  void addBuffer(const std::vector<std::byte>& data) {
    const int index = int(npu::firstBufferArgument + buffers_.size());
    buffers_.push_back(xrt_.makeBuffer(device_, inWords(data), XrtLibrary::hostOnly,
                                       xrt_.groupOf(kernel_, index)));
    std::memcpy(xrt_.map(buffers_.back()), data.data(), data.size());
    xrt_.sync(buffers_.back(), XrtLibrary::toDevice, inWords(data));
    xrt_.setBuffer(run_, index, buffers_.back());
  }

  /// The state that the command ended with.
  int finish() {
    xrt_.start(run_);
    return xrt_.wait(run_, waitMilliseconds);
  }

  void read(size_t buffer, std::vector<std::byte>& data) {
    xrt_.sync(buffers_[buffer], XrtLibrary::fromDevice, inWords(data));
    std::memcpy(data.data(), xrt_.map(buffers_[buffer]), data.size());
  }

 private:
  /// The array moves words of four bytes, and fills all of the last one.
  static size_t inWords(const std::vector<std::byte>& data) { return (data.size() + 3) / 4 * 4; }

  const XrtLibrary& xrt_;
  XrtLibrary::Object device_, xclbin_, context_, kernel_, instructions_, run_;
  std::vector<XrtLibrary::Object> buffers_;
};

Result<void> submit(const XrtLibrary& xrt, const std::string& file, const std::string& kernel,
                    const npu::Txn& stream, const std::vector<std::vector<std::byte>*>& buffers) {
  XrtRun run(xrt, file, kernel);
  run.setInstructions(npu::writeTxn(stream));
  for (const auto* data : buffers)
    run.addBuffer(*data);
  const int state = run.finish();
  if (state != XrtLibrary::completed)
    return Error{fmt::format("the NPU did not complete the run in {} s: state {} of the command",
                             waitMilliseconds / 1000, state)};
  for (size_t i = 0; i < buffers.size(); ++i)
    run.read(i, *buffers[i]);
  return {};
}

}  // namespace

Result<void> runOnXrt(const NpuRun& run, const std::string& library,
                      const std::vector<std::vector<std::byte>*>& buffers) {
  const auto kernel = kernelOf(run.image);
  if (!kernel) return kernel.error();
  const auto xrt = XrtLibrary::load(library);
  if (!xrt) return Error{xrt.error().message + ", use --on=sim"};
  const TemporaryFile file;
  if (auto written = file.write(run.image); !written) return written;
  try {
    return submit(**xrt, file.path(), *kernel, run.stream, buffers);
  } catch (const std::exception& failure) {
    return Error{std::string("XRT: ") + failure.what()};
  }
}

}  // namespace airlite::tools
