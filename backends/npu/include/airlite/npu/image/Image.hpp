// Files that an NPU loads: the types for their bytes, and the recognition of their formats.
//
//   if (imageKindOf(bytes) == ImageKind::Unknown) return unknownImage(bytes);
#pragma once

#include "airlite/support/Result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::npu {

using ByteSpan = std::span<const uint8_t>;
using ByteVector = std::vector<uint8_t>;

/// Bytes at a place of a file, kept as they are.
struct Piece {
  uint64_t offset = 0;
  ByteVector data;
  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class ImageKind : uint8_t { Unknown, CoreElf, Cdo, Pdi, Xclbin, Txn, LegacyStream };

/// "elf", "cdo", ...: as the text form names it.
std::string_view name(ImageKind kind);
ImageKind imageKindNamed(std::string_view name);

/// The format by the first bytes; the reader of the format checks the rest.
ImageKind imageKindOf(ByteSpan bytes);

/// Why bytes are not an image of a kind that airlite knows.
Error unknownImage(ByteSpan bytes);

/// Some tools write the runtime stream as text, eight hexadecimal digits for each word: its bytes.
/// None for any other text.
std::optional<ByteVector> bytesOfHexWords(std::string_view text);

}  // namespace airlite::npu
