// What a file keeps outside of its operations: the bytes of `dense_resource<key>` attributes,
// and settings that tools leave in a file for others.
//
//   const ResourceBlob* blob = Resources::of(context).find("weights");
//   if (blob) visit(blob->bytes);
#pragma once

#include "airlite/ir/Attribute.hpp"
#include "airlite/support/Result.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace airlite {

/// Bytes under a key. `alignment` is a power of two, or 0 when there are no bytes.
struct ResourceBlob {
  uint32_t alignment = 0;
  std::vector<std::byte> bytes;
  bool operator==(const ResourceBlob&) const = default;

  /// Reads `0x`, four bytes of alignment (least significant first), the bytes; upper or lower case.
  /// The error is "expected hex string blob for key 'k'" when it is not that.
  static Result<ResourceBlob> fromHex(std::string_view key, std::string_view text);
  std::string hex() const;
};

/// A section of `external_resources`: airlite keeps it and reads nothing from it.
struct ExternalResources {
  struct Entry {
    std::string key;
    std::variant<bool, std::string> value;  // a blob is a string that starts with `0x`
  };
  std::string name;
  std::vector<Entry> entries;
};

/// The resources of a context.
class Resources {
 public:
  static Resources& of(Context& context);

  /// Null when nothing is known under this key.
  const ResourceBlob* find(std::string_view key) const;
  /// False when there are other bytes under this key already.
  bool define(std::string_view key, ResourceBlob blob);

  /// Those of the file that was read last.
  const std::vector<ExternalResources>& external() const { return external_; }
  void setExternal(std::vector<ExternalResources> external) { external_ = std::move(external); }

 private:
  std::map<std::string, ResourceBlob, std::less<>> blobs_;
  std::vector<ExternalResources> external_;
};

/// `dense_resource<key> : type`: elements of a shaped type whose bytes are kept apart, if at all.
class DenseResourceAttr : public DialectAttr {
 public:
  using DialectAttr::DialectAttr;
  static DenseResourceAttr get(ShapedType type, std::string_view key);
  static bool classof(Attribute a);
  ShapedType type() const;
  std::string_view key() const;
};

/// Elements of a shaped type, here or in a resource.
bool isElements(Attribute attribute);
/// The elements themselves; null when a resource has no blob of the right size, or when elements
/// are not whole bytes.
DenseElementsAttr elementsOf(Attribute attribute);

}  // namespace airlite
