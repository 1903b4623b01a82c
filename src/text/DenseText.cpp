// `dense<...>` and `array<...>` as text.
#include "FloatText.hpp"
#include "PrinterState.hpp"

namespace airlite::text {

namespace {

/// Longer lists that are not a splat are written as one hexadecimal string.
constexpr int64_t kMaxListed = 100;

void appendHexBytes(std::string& out, std::span<const std::byte> bytes) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  for (std::byte byte : bytes) {
    out += kHex[std::to_integer<unsigned>(byte) >> 4];
    out += kHex[std::to_integer<unsigned>(byte) & 15];
  }
}

/// Booleans stand eight to a byte in hexadecimal strings, the first in the lowest bit.
std::vector<std::byte> packedBits(std::span<const std::byte> raw) {
  std::vector<std::byte> packed((raw.size() + 7) / 8);
  for (size_t i = 0; i < raw.size(); ++i)
    if (raw[i] != std::byte(0)) packed[i / 8] |= std::byte(1) << (i % 8);
  return packed;
}

void appendHexString(std::string& out, DenseElementsAttr attribute) {
  out += "\"0x";
  if (attribute.type().elementType().isInteger(1))
    appendHexBytes(out, packedBits(attribute.raw()));
  else
    appendHexBytes(out, attribute.raw());
  out += '"';
}

int64_t signExtended(uint64_t bits, unsigned width) {
  if (width >= 64) return static_cast<int64_t>(bits);
  unsigned shift = 64 - width;
  return static_cast<int64_t>(bits << shift) >> shift;
}

void appendIntegerBits(std::string& out, Type type, uint64_t bits) {
  if (type.isIndex()) return appendInteger(out, static_cast<int64_t>(bits));
  if (type.isSignlessInteger(1)) {
    out += bits ? "true" : "false";
    return;
  }
  unsigned width = type.bitWidth();
  bool isUnsigned = type.cast<IntegerType>().signedness() == Signedness::Unsigned;
  if (!isUnsigned) return appendInteger(out, signExtended(bits, width));
  out += std::to_string(width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1));
}

/// Elements of one attribute by index, straight from the bytes.
class ElementWriter {
 public:
  ElementWriter(std::string& out, DenseElementsAttr attribute)
      : out_(out),
        type_(attribute.type().elementType()),
        raw_(attribute.raw()),
        size_(DenseElementsAttr::elementSize(type_)) {}

  void write(size_t index) {
    uint64_t bits = 0;
    for (size_t i = 0; i < size_ && i < 8; ++i)
      bits |= std::to_integer<uint64_t>(raw_[index * size_ + i]) << (8 * i);
    if (!type_.isFloat()) return appendIntegerBits(out_, type_, bits);
    FloatKind kind = type_.cast<FloatType>().floatKind();
    appendFloat(out_, kind, floatFromBits(kind, bits));
  }

 private:
  std::string& out_;
  Type type_;
  std::span<const std::byte> raw_;
  size_t size_;
};

/// `[[1, 2], [3, 4]]`: brackets by counting, not by recursion, since the rank has no bound.
void appendNested(std::string& out, std::span<const int64_t> shape, ElementWriter& writer) {
  std::vector<int64_t> counter(shape.size(), 0);
  size_t open = 0;
  for (size_t index = 0; counter.empty() || counter[0] < shape[0]; ++index) {
    if (index) out += ", ";
    out.append(shape.size() - open, '[');
    open = shape.size();
    writer.write(index);
    if (counter.empty()) return;
    ++counter.back();
    for (size_t i = counter.size() - 1; i > 0 && counter[i] >= shape[i]; --i) {
      counter[i] = 0;
      ++counter[i - 1];
      out += ']';
      --open;
    }
  }
  out.append(open, ']');
}

}  // namespace

void appendDenseBody(std::string& out, DenseElementsAttr attribute) {
  int64_t count = attribute.numElements();
  if (count == 0) return;
  ElementWriter writer(out, attribute);
  if (attribute.isSplat()) return writer.write(0);
  if (count > kMaxListed) return appendHexString(out, attribute);
  appendNested(out, attribute.type().shape(), writer);
}

static void appendArrayElement(std::string& out, Type type, int64_t value) {
  if (type.isSignlessInteger(1))
    out += value ? "true" : "false";
  else
    appendInteger(out, value);
}

void appendDenseArray(std::string& out, DenseArrayAttr attribute) {
  Type type = attribute.elementType();
  std::string_view separator = ": ";
  auto separate = [&] {
    out += separator;
    separator = ", ";
  };
  if (type.isFloat()) {
    for (double value : attribute.floats()) {
      separate();
      appendFloat(out, type.cast<FloatType>().floatKind(), value);
    }
    return;
  }
  for (int64_t value : attribute.values()) {
    separate();
    appendArrayElement(out, type, value);
  }
}

}  // namespace airlite::text
