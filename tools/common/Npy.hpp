// .npy files: one array with its element type and shape. Formats 1, 2 and 3, little endian,
// row-major.
#pragma once

#include "airlite/support/Result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

/// Element types that a .npy file can hold for us. bf16 has no name in NumPy: it is two bytes of
/// anything (`<V2`), which is how the usual extension of NumPy stores it (ml_dtypes); floats of eight bits
/// are one byte of anything (`|V1`) likewise, and a file does not say which of them.
enum class NpyType {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ
};

bool isFloatType(NpyType type);
bool isFloat8Type(NpyType type);

std::string_view npyTypeName(NpyType type);  // "f32", "i8", "u8", "bool", ...
std::optional<NpyType> npyTypeByName(std::string_view name);
size_t npyElementBytes(NpyType type);

/// An array in memory, row-major, as many bytes as the shape asks for.
struct NpyArray {
  NpyType type = NpyType::F32;
  std::vector<int64_t> shape;  // empty: a scalar
  std::vector<std::byte> data;

  /// Product of the shape.
  size_t numElements() const;
};

/// A zero-filled array.
NpyArray makeNpyArray(NpyType type, std::vector<int64_t> shape);

/// Reads the bytes of a .npy file.
Result<NpyArray> parseNpy(std::span<const std::byte> bytes);
/// The same from a file; the error names it.
Result<NpyArray> readNpy(const std::string& path);

/// The bytes of a .npy file, format 1 (or 2 when the header is too long for it).
std::string npyBytes(const NpyArray& array);
/// Writes everything or nothing.
Result<void> writeNpy(const std::string& path, const NpyArray& array);

/// Element `i`: floats and integers alike, as far as a double holds them.
double npyNumber(const NpyArray& array, size_t i);
/// Element `i` for people, exact.
std::string npyText(const NpyArray& array, size_t i);
/// Stores `value` as element `i`, rounded to the nearest (ties to even) or wrapped.
void npySet(NpyArray& array, size_t i, double value);
void npySetInteger(NpyArray& array, size_t i, int64_t value);

}  // namespace airlite::tools
