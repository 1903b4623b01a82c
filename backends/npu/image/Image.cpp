#include "airlite/npu/image/Image.hpp"

#include <algorithm>
#include <charconv>

namespace airlite::npu {
namespace {

constexpr std::string_view kindNames[] = {"unknown", "elf", "cdo",   "pdi",
                                          "xclbin",  "txn", "legacy"};

struct Magic {
  ImageKind kind;
  uint8_t offset;
  uint8_t size;
  uint8_t bytes[8];
};
// The first that fits counts: TXN has no magic number but its version and six rows.
constexpr Magic magics[] = {
    {ImageKind::CoreElf, 0, 4, {0x7F, 'E', 'L', 'F'}},
    {ImageKind::Xclbin, 0, 8, {'x', 'c', 'l', 'b', 'i', 'n', '2', 0}},
    {ImageKind::Cdo, 4, 4, {'C', 'D', 'O', 0}},
    {ImageKind::Pdi, 0, 8, {0xDD, 0, 0, 0, 0x44, 0x33, 0x22, 0x11}},
    {ImageKind::LegacyStream, 0, 8, {0x11, 0, 0, 0, 0x05, 0x04, 0x00, 0x01}},
    {ImageKind::Txn, 0, 2, {0, 1}},
    {ImageKind::Txn, 0, 2, {1, 0}},
};

bool fits(const Magic& magic, ByteSpan bytes) {
  if (bytes.size() < size_t(magic.offset + magic.size)) return false;
  return std::equal(magic.bytes, magic.bytes + magic.size, bytes.begin() + magic.offset);
}

constexpr size_t digitsOfWord = 8;
constexpr std::string_view blanks = " \t\r\n";

}  // namespace

std::optional<ByteVector> bytesOfHexWords(std::string_view text) {
  ByteVector bytes;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.empty()) break;
    uint32_t word = 0;
    const auto digits = text.substr(0, text.find_first_of(blanks));
    const auto end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, word, 16);
    if (digits.size() != digitsOfWord || parsed.ec != std::errc() || parsed.ptr != end)
      return std::nullopt;
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(uint8_t(word >> shift));
    text.remove_prefix(digits.size());
  }
  return bytes.empty() ? std::nullopt : std::optional(bytes);
}

std::string_view name(ImageKind kind) { return kindNames[unsigned(kind)]; }

ImageKind imageKindNamed(std::string_view name) {
  for (unsigned i = 1; i < std::size(kindNames); ++i)
    if (kindNames[i] == name) return ImageKind(i);
  return ImageKind::Unknown;
}

ImageKind imageKindOf(ByteSpan bytes) {
  for (const auto& magic : magics)
    if (fits(magic, bytes)) return magic.kind;
  return ImageKind::Unknown;
}

Error unknownImage(ByteSpan bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("version https://git-lfs.github.com/"))
    return Error{"a pointer of Git LFS, in place of the file (git lfs pull brings it)", 0};
  return Error{
      "no format that airlite knows: neither a core ELF, CDO, PDI, xclbin nor a runtime stream", 0};
}

}  // namespace airlite::npu
