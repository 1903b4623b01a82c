#include "airlite/npu/link/Archive.hpp"

#include "image/ByteIo.hpp"

#include <charconv>
#include <string_view>

namespace airlite::npu::link {
namespace {

constexpr std::string_view opening = "!<arch>\n", headerEnd = "`\n";
constexpr size_t nameBytes = 16, sizeAt = 48, sizeBytes = 10, headerBytes = 60;

std::string_view textOf(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A decimal number with blanks after it.
std::optional<uint64_t> numberIn(std::string_view field) {
  uint64_t value = 0;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  const std::string_view rest(end, field.data() + field.size() - end);
  if (code != std::errc() || rest.find_first_not_of(' ') != rest.npos) return std::nullopt;
  return value;
}

class ArchiveReader {
 public:
  explicit ArchiveReader(ByteSpan bytes) : in_(bytes, opening.size()) {}

  Result<std::vector<ArchiveMember>> run() {
    while (in_.ok() && in_.left())
      takeMember();
    if (!in_.ok()) return in_.error();
    return std::move(members_);
  }

 private:
  void takeMember() {
    const uint64_t start = in_.at();
    const std::string_view header = textOf(in_.takeBytes(headerBytes, "the header of a member"));
    if (!in_.ok()) return;
    const auto size = numberIn(header.substr(sizeAt, sizeBytes));
    if (!size || !header.ends_with(headerEnd))
      return in_.refuseAt(start, "an archive has no header of a member here");
    const ByteSpan bytes = in_.takeBytes(*size, "a member of an archive");
    if (*size % 2 && in_.left()) in_.takeBytes(1, "the end of a member");
    if (in_.ok()) add(start, header.substr(0, nameBytes), bytes);
  }

  /// `/` and `/SYM64/` are tables of symbols, `//` is the table of long names, `/7` a place in it;
  /// `#1/7` says that the name is the first 7 bytes.
  void add(uint64_t start, std::string_view field, ByteSpan bytes) {
    const std::string_view name = field.substr(0, field.find_last_not_of(' ') + 1);
    if (name == "//") longNames_ = textOf(bytes);
    if (name == "/" || name == "//" || name == "/SYM64/" || name == "__.SYMDEF") return;
    if (name.starts_with("#1/")) return addWithName(start, name.substr(3), bytes);
    if (!name.starts_with("/"))
      return members_.push_back({std::string(name.substr(0, name.find('/'))), bytes}), void();
    const auto place = numberIn(name.substr(1));
    if (!place || *place >= longNames_.size())
      return in_.refuseAt(start, "the name of a member is not in the table of names");
    const std::string_view rest = longNames_.substr(*place);
    members_.push_back({std::string(rest.substr(0, rest.find_first_of("/\n"))), bytes});
  }

  void addWithName(uint64_t start, std::string_view digits, ByteSpan bytes) {
    const auto length = numberIn(digits);
    if (!length || *length > bytes.size())
      return in_.refuseAt(start, "the name of a member is longer than the member");
    const std::string_view name = textOf(bytes.first(*length));
    if (name.starts_with("__.SYMDEF")) return;
    members_.push_back({std::string(name.substr(0, name.find('\0'))), bytes.subspan(*length)});
  }

  ByteReader in_;
  std::string_view longNames_;
  std::vector<ArchiveMember> members_;
};

}  // namespace

bool isArchive(ByteSpan bytes) { return textOf(bytes).starts_with(opening); }

Result<std::vector<ArchiveMember>> readArchive(ByteSpan bytes) {
  if (!isArchive(bytes)) return Error{"not an archive", 0};
  return ArchiveReader(bytes).run();
}

}  // namespace airlite::npu::link
