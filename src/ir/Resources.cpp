// Blobs and other resources of a context.
#include "airlite/ir/Resources.hpp"

#include "ContextImpl.hpp"

#include <array>
#include <bit>

namespace airlite {

constexpr std::string_view kDenseResource = "builtin.dense_resource";
constexpr size_t kAlignmentBytes = 4;

// -- Hexadecimal text ---------------------------------------------------------------------------

static int digitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static bool bytesOf(std::string_view digits, std::vector<std::byte>& bytes) {
  if (digits.size() % 2 != 0) return false;
  bytes.reserve(digits.size() / 2);
  for (size_t i = 0; i < digits.size(); i += 2) {
    int high = digitValue(digits[i]), low = digitValue(digits[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return true;
}

Result<ResourceBlob> ResourceBlob::fromHex(std::string_view key, std::string_view text) {
  ResourceBlob blob;
  Error error{"expected hex string blob for key '" + std::string(key) + "'"};
  if (!text.starts_with("0x") || !bytesOf(text.substr(2), blob.bytes)) return error;
  error.message += " to encode alignment in first 4 bytes";
  if (blob.bytes.size() < kAlignmentBytes) return error;
  for (size_t i = 0; i < kAlignmentBytes; ++i)
    blob.alignment |= std::to_integer<uint32_t>(blob.bytes[i]) << (8 * i);
  blob.bytes.erase(blob.bytes.begin(), blob.bytes.begin() + kAlignmentBytes);
  bool fits = std::has_single_bit(blob.alignment) || (blob.alignment == 0 && blob.bytes.empty());
  if (fits) return blob;
  error.message += ", but got non-power-of-2 value: " + std::to_string(blob.alignment);
  return error;
}

std::string ResourceBlob::hex() const {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "0x";
  out.reserve(2 * (1 + kAlignmentBytes + bytes.size()));
  auto append = [&](unsigned byte) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  };
  for (size_t i = 0; i < kAlignmentBytes; ++i)
    append(alignment >> (8 * i) & 255);
  for (std::byte byte : bytes)
    append(std::to_integer<unsigned>(byte));
  return out;
}

// -- The store ----------------------------------------------------------------------------------

Resources& Resources::of(Context& context) { return context.impl().resources; }

const ResourceBlob* Resources::find(std::string_view key) const {
  auto it = blobs_.find(key);
  return it == blobs_.end() ? nullptr : &it->second;
}

bool Resources::define(std::string_view key, ResourceBlob blob) {
  auto [it, inserted] = blobs_.try_emplace(std::string(key), blob);
  return inserted || it->second == blob;
}

// -- The attribute ------------------------------------------------------------------------------

DenseResourceAttr DenseResourceAttr::get(ShapedType type, std::string_view key) {
  Context& context = type.context();
  std::array<Attribute, 2> parameters = {StringAttr::get(context, key), TypeAttr::get(type)};
  return DialectAttr::get(context, *context.findAttr(kDenseResource), parameters)
      .cast<DenseResourceAttr>();
}

bool DenseResourceAttr::classof(Attribute a) {
  return DialectAttr::classof(a) && a.cast<DialectAttr>().name() == kDenseResource;
}

ShapedType DenseResourceAttr::type() const {
  return parameters()[1].cast<TypeAttr>().value().cast<ShapedType>();
}

std::string_view DenseResourceAttr::key() const { return keyword(); }

DenseElementsAttr elementsOf(Attribute attribute) {
  auto resource = attribute.dynCast<DenseResourceAttr>();
  if (!resource) return attribute.dynCast<DenseElementsAttr>();
  ShapedType type = resource.type();
  const ResourceBlob* blob = Resources::of(attribute.context()).find(resource.key());
  Type element = type.elementType();
  unsigned size = DenseElementsAttr::elementSize(element);
  bool isWhole = element.isIndex() || (size && element.bitWidth() == 8 * size);
  if (!blob || !isWhole || !type.hasStaticShape()) return {};
  // One element would be a splat of all.
  int64_t count = type.numElements();
  bool fits =
      static_cast<uint64_t>(count) == blob->bytes.size() / size && blob->bytes.size() % size == 0;
  return fits ? DenseElementsAttr::getRaw(type, blob->bytes) : DenseElementsAttr();
}

bool isElements(Attribute attribute) {
  return attribute.isa<DenseElementsAttr>() || attribute.isa<DenseResourceAttr>();
}

}  // namespace airlite
