#include "airlite/npu/link/ObjectFiles.hpp"

#include "airlite/npu/link/Archive.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace airlite::npu::link {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t mostBytes = uintmax_t{1} << 28;  // of a file: a core has 16 KiB of program

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

Result<ByteVector> readFile(const std::string& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return Error{fmt::format("{}: cannot be read", path)};
  if (size > mostBytes) return Error{fmt::format("{}: {} bytes are not an object", path, size)};
  return ByteVector(std::istreambuf_iterator<char>(in), {});
}

/// Compilers of other languages put text into archives, too: what is not an object is refused.
Result<std::vector<Object>> membersOf(ByteSpan bytes, std::string_view name, uint32_t flags) {
  const auto members = readArchive(bytes);
  if (!members) return members.error();
  std::vector<Object> objects;
  for (const ArchiveMember& member : *members) {
    auto object = readObject(member.bytes, fmt::format("{}({})", name, member.name), flags);
    if (!object) return Error{fmt::format("{}: {}", member.name, object.error().message)};
    object->isMember = true;
    objects.push_back(std::move(*object));
  }
  return objects;
}

}  // namespace

Result<std::string> findObjectFile(std::string_view name, std::span<const std::string> folders) {
  const fs::path file(name);
  if (file.is_absolute()) {
    if (isFile(file)) return file.string();
    return Error{fmt::format("there is no file '{}'", name)};
  }
  std::string tried;
  for (const std::string& folder : folders) {
    const fs::path path = fs::path(folder.empty() ? "." : folder) / file;
    if (isFile(path)) return path.lexically_normal().string();
    tried += fmt::format("{}'{}'", tried.empty() ? "" : ", ", folder.empty() ? "." : folder);
  }
  return Error{fmt::format("there is no file '{}' in {}", name,
                           tried.empty() ? "any folder: none was given" : tried)};
}

Result<std::vector<Object>> objectsOf(ByteSpan bytes, std::string_view name, uint32_t flags) {
  if (isArchive(bytes)) return membersOf(bytes, name, flags);
  auto object = readObject(bytes, std::string(name), flags);
  if (!object) return object.error();
  return std::vector<Object>{std::move(*object)};
}

Result<std::vector<Object>> loadObjects(std::string_view name, std::span<const std::string> folders,
                                        uint32_t flags) {
  const auto path = findObjectFile(name, folders);
  if (!path) return path.error();
  const auto bytes = readFile(*path);
  if (!bytes) return bytes.error();
  auto objects = objectsOf(*bytes, name, flags);
  if (objects) return objects;
  const Error& why = objects.error();
  const std::string place = why.place ? fmt::format(" at byte {:#x}", *why.place) : "";
  return Error{fmt::format("{}:{} {}", *path, place, why.message)};
}

}  // namespace airlite::npu::link
