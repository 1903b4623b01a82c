#include "../target/LlvmGuard.hpp"
#include "airlite/gpu/object/Hsaco.hpp"

#include <lld/Common/Driver.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

LLD_HAS_DRIVER(elf)

namespace airlite::gpu {
namespace {

/// A file in the system's temporary folder that is gone when the object is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* suffix) {
    llvm::SmallString<128> path;
    const auto code = llvm::sys::fs::createTemporaryFile("airlite", suffix, path);
    if (code) error_ = "cannot create a temporary file: " + code.message();
    path_ = path.str().str();
  }
  ~TemporaryFile() {
    if (error_.empty()) llvm::sys::fs::remove(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  /// Empty when the file exists.
  const std::string& error() const { return error_; }

 private:
  std::string path_;
  std::string error_;
};

Result<void> writeFile(const std::string& path, std::span<const std::uint8_t> bytes) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code) return Error{"cannot write " + path + ": " + code.message()};
  stream.write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  stream.close();
  if (!stream.has_error()) return {};
  const auto text = stream.error().message();
  stream.clear_error();
  return Error{"cannot write " + path + ": " + text};
}

Result<std::vector<std::uint8_t>> readFile(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return Error{"cannot read " + path + ": " + buffer.getError().message()};
  const auto text = (*buffer)->getBuffer();
  return std::vector<std::uint8_t>(text.bytes_begin(), text.bytes_end());
}

/// One run of lld's ELF driver; its messages become the error text.
Result<void> runLld(const std::string& input, const std::string& output) {
  const std::vector<const char*> args = {"ld.lld",      "-shared", "--no-undefined", "--threads=1",
                                         input.c_str(), "-o",      output.c_str()};
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result{1, true};
  auto done = recoverFatal([&] {
    result = lld::lldMain(args, stream, stream, {{lld::Gnu, &lld::elf::link}});
  });
  if (!done) return Error{"lld: " + done.error().message};
  if (result.retCode == 0) return {};
  return Error{stream.str().empty() ? "lld failed without a message" : stream.str()};
}

}  // namespace

Result<std::vector<std::uint8_t>> linkHsaco(std::span<const std::uint8_t> object) {
  const TemporaryFile input("o");
  const TemporaryFile output("hsaco");
  for (const auto* file : {&input, &output})
    if (!file->error().empty()) return Error{file->error()};
  if (auto written = writeFile(input.path(), object); !written) return written.error();
  if (auto linked = runLld(input.path(), output.path()); !linked) return linked.error();
  return readFile(output.path());
}

}  // namespace airlite::gpu
