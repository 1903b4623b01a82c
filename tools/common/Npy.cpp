// Reader and writer of .npy files. The length of the data must be what the header promises.
#include "Npy.hpp"

#include "NpyHeader.hpp"
#include "Session.hpp"
#include "airlite/ir/Attribute.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace airlite::tools {

static_assert(std::endian::native == std::endian::little, "arrays are kept as the file has them");

namespace {

struct TypeRow {
  NpyType type;
  std::string_view name;
  std::string_view descr;  // without the byte order
  size_t bytes;
};

constexpr TypeRow kTypes[] = {{NpyType::Bool, "bool", "b1", 1},
                              {NpyType::I8, "i8", "i1", 1},
                              {NpyType::I16, "i16", "i2", 2},
                              {NpyType::I32, "i32", "i4", 4},
                              {NpyType::I64, "i64", "i8", 8},
                              {NpyType::U8, "u8", "u1", 1},
                              {NpyType::U16, "u16", "u2", 2},
                              {NpyType::U32, "u32", "u4", 4},
                              {NpyType::U64, "u64", "u8", 8},
                              {NpyType::F16, "f16", "f2", 2},
                              {NpyType::BF16, "bf16", "V2", 2},
                              {NpyType::F32, "f32", "f4", 4},
                              {NpyType::F64, "f64", "f8", 8},
                              {NpyType::F8E4M3FN, "f8E4M3FN", "V1", 1},
                              {NpyType::F8E5M2, "f8E5M2", "V1", 1},
                              {NpyType::F8E4M3FNUZ, "f8E4M3FNUZ", "V1", 1},
                              {NpyType::F8E5M2FNUZ, "f8E5M2FNUZ", "V1", 1}};

const TypeRow& rowOf(NpyType type) { return kTypes[static_cast<size_t>(type)]; }

constexpr std::string_view kMagic = "\x93NUMPY";

Result<NpyType> typeOfDescr(std::string_view descr) {
  if (descr.empty()) return Error{"bad header: empty element type"};
  char order = descr[0];
  std::string_view kind = descr.substr(1);
  for (const TypeRow& row : kTypes) {
    if (row.descr != kind) continue;
    if (order == '<' || order == '=' || (order == '|' && (row.bytes == 1 || kind == "V2")))
      return row.type;
    if (order == '>' && row.bytes == 1) return row.type;
    return Error{order == '>' ? "not supported: big-endian elements"
                              : "bad header: unknown byte order in the element type"};
  }
  std::string error =
      fmt::format("not supported: elements of type '{}' (supported: bool, i8 to i64, u8 to u64, "
                  "f16, f32, f64, bf16 as <V2, and floats of 8 bits as |V1)",
                  descr.substr(0, 20));
  for (char& c : error)
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
  return Error{error};
}

/// Bytes of an array; empty when they do not fit into memory at all.
std::optional<size_t> byteCount(const std::vector<int64_t>& shape, size_t elementBytes) {
  size_t count = elementBytes;
  for (int64_t size : shape)
    if (size == 0) return 0;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, static_cast<size_t>(size), &count)) return std::nullopt;
  return count;
}

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += fmt::format("{}{}", i ? ", " : "", shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

struct Preamble {
  std::string_view header;
  std::span<const std::byte> data;
};

size_t littleEndian(std::span<const std::byte> bytes) {
  size_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | std::to_integer<size_t>(bytes[i]);
  return value;
}

Result<Preamble> readPreamble(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) return Error{"not a .npy file"};
  const Error cut{"the file ends inside its header"};
  if (bytes.size() < 8) return cut;
  unsigned version = std::to_integer<unsigned>(bytes[6]);
  if (version < 1 || version > 3)
    return Error{fmt::format("not supported: version {} of the .npy format (1 to 3 are)", version)};
  size_t lengthBytes = version == 1 ? 2 : 4, start = 8 + lengthBytes;
  if (bytes.size() < start) return cut;
  size_t length = littleEndian(bytes.subspan(8, lengthBytes));
  if (bytes.size() - start < length) return cut;
  return Preamble{text.substr(start, length), bytes.subspan(start + length)};
}

// -- Numbers --------------------------------------------------------------------------------------

FloatKind float8Kind(NpyType type) { return *FloatType::parseName(rowOf(type).name); }

template <class T> T load(const NpyArray& array, size_t i) {
  T value;
  std::memcpy(&value, array.data.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <class T> void store(NpyArray& array, size_t i, T value) {
  std::memcpy(array.data.data() + i * sizeof(T), &value, sizeof(T));
}

double halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == 31)
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double bfloatToDouble(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

/// The bits of `value` in a format of `fractionBits` and a largest exponent `maxExponent`, nearest
/// even. Sixteen bits in all.
uint16_t roundToSixteen(double value, int fractionBits, int maxExponent) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  unsigned infinity = static_cast<unsigned>(2 * maxExponent + 1) << fractionBits;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | infinity | 1u << (fractionBits - 1));
  double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | infinity);
  int exponent = std::max(std::ilogb(magnitude), 1 - maxExponent);
  // In units of the last place; the default rounding of nearbyint is ties to even. A carry out of
  // the fraction lands in the exponent, as it should.
  double units = std::nearbyint(std::ldexp(magnitude, fractionBits - exponent));
  double hidden = std::ldexp(1.0, fractionBits);
  double bits = units + (exponent + maxExponent - 1) * hidden;
  return static_cast<uint16_t>(sign | static_cast<unsigned>(std::min<double>(bits, infinity)));
}

}  // namespace

bool isFloat8Type(NpyType type) { return type >= NpyType::F8E4M3FN; }
bool isFloatType(NpyType type) { return type >= NpyType::F16; }

std::string_view npyTypeName(NpyType type) { return rowOf(type).name; }
size_t npyElementBytes(NpyType type) { return rowOf(type).bytes; }

std::optional<NpyType> npyTypeByName(std::string_view name) {
  for (const TypeRow& row : kTypes)
    if (row.name == name) return row.type;
  return std::nullopt;
}

size_t NpyArray::numElements() const {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

NpyArray makeNpyArray(NpyType type, std::vector<int64_t> shape) {
  NpyArray array{type, std::move(shape), {}};
  array.data.resize(array.numElements() * npyElementBytes(type));
  return array;
}

Result<NpyArray> parseNpy(std::span<const std::byte> bytes) {
  const auto preamble = readPreamble(bytes);
  if (!preamble) return preamble.error();
  const auto header = parseNpyHeader(preamble->header);
  if (!header) return header.error();
  const auto type = typeOfDescr(header->descr);
  if (!type) return type.error();
  if (header->fortranOrder && header->shape.size() > 1)
    return Error{"not supported: column-major ('fortran_order') arrays"};
  const std::span data = preamble->data;
  std::optional<size_t> count = byteCount(header->shape, npyElementBytes(*type));
  if (!count || *count != data.size())
    return Error{fmt::format("shape {} of {} does not match the {} bytes of data",
                             shapeText(header->shape), npyTypeName(*type), data.size())};
  return NpyArray{*type, header->shape, {data.begin(), data.end()}};
}

Result<NpyArray> readNpy(const std::string& path) {
  const auto text = readInput(path);
  if (!text) return text.error();
  auto array = parseNpy(std::as_bytes(std::span(*text)));
  if (!array) return Error{"cannot read '" + path + "': " + array.error().message};
  return array;
}

std::string npyBytes(const NpyArray& array) {
  const TypeRow& row = rowOf(array.type);
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}",
                                   row.bytes == 1 ? '|' : '<', row.descr, shapeText(array.shape));
  // The data starts at a multiple of 64, and the header ends with a newline.
  size_t lengthBytes = header.size() > 60000 ? 4 : 2, fixed = 8 + lengthBytes;
  header.append(63 - (fixed + header.size()) % 64, ' ');
  header += '\n';
  std::string text(kMagic);
  text += lengthBytes == 2 ? '\1' : '\2';
  text += '\0';
  for (size_t i = 0; i < lengthBytes; ++i)
    text += static_cast<char>(header.size() >> (8 * i) & 255);
  text += header;
  text.append(reinterpret_cast<const char*>(array.data.data()), array.data.size());
  return text;
}

Result<void> writeNpy(const std::string& path, const NpyArray& array) {
  return writeOutput(path, npyBytes(array));
}

double npyNumber(const NpyArray& array, size_t i) {
  switch (array.type) {
    case NpyType::Bool: return load<uint8_t>(array, i) ? 1 : 0;
    case NpyType::I8: return load<int8_t>(array, i);
    case NpyType::I16: return load<int16_t>(array, i);
    case NpyType::I32: return load<int32_t>(array, i);
    case NpyType::I64: return static_cast<double>(load<int64_t>(array, i));
    case NpyType::U8: return load<uint8_t>(array, i);
    case NpyType::U16: return load<uint16_t>(array, i);
    case NpyType::U32: return load<uint32_t>(array, i);
    case NpyType::U64: return static_cast<double>(load<uint64_t>(array, i));
    case NpyType::F16: return halfToDouble(load<uint16_t>(array, i));
    case NpyType::BF16: return bfloatToDouble(load<uint16_t>(array, i));
    case NpyType::F32: return load<float>(array, i);
    case NpyType::F64: return load<double>(array, i);
    default: return floatFromBits(float8Kind(array.type), load<uint8_t>(array, i));
  }
}

std::string npyText(const NpyArray& array, size_t i) {
  if (array.type == NpyType::I64) return fmt::format("{}", load<int64_t>(array, i));
  if (array.type == NpyType::U64) return fmt::format("{}", load<uint64_t>(array, i));
  if (array.type == NpyType::F32) return fmt::format("{}", load<float>(array, i));
  return fmt::format("{}", npyNumber(array, i));
}

void npySetInteger(NpyArray& array, size_t i, int64_t value) {
  switch (npyElementBytes(array.type)) {
    case 1: return store(array, i, static_cast<int8_t>(value));
    case 2: return store(array, i, static_cast<int16_t>(value));
    case 4: return store(array, i, static_cast<int32_t>(value));
    default: return store(array, i, value);
  }
}

void npySet(NpyArray& array, size_t i, double value) {
  switch (array.type) {
    case NpyType::F16: return store(array, i, roundToSixteen(value, 10, 15));
    case NpyType::BF16: return store(array, i, roundToSixteen(value, 7, 127));
    case NpyType::F32: return store(array, i, static_cast<float>(value));
    case NpyType::F64: return store(array, i, value);
    case NpyType::F8E4M3FN:
    case NpyType::F8E5M2:
    case NpyType::F8E4M3FNUZ:
    case NpyType::F8E5M2FNUZ:
      return store(array, i, static_cast<uint8_t>(floatToBits(float8Kind(array.type), value)));
    default: return npySetInteger(array, i, static_cast<int64_t>(value));
  }
}

}  // namespace airlite::tools
