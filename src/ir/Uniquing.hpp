// Finding or making unique types and attributes: shared by Type.cpp and Attribute.cpp.
#pragma once

#include "ContextImpl.hpp"

#include <algorithm>
#include <span>

namespace airlite::detail {

template <class T> bool sameAll(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The type of storage class `Storage` with this hash that `equals` accepts; `make` makes it.
template <class Storage, class Equals, class Make>
const TypeStorage* uniqueType(Context& context, TypeKind kind, uint64_t hash, Equals equals,
                              Make make) {
  auto matches = [&](const TypeStorage& other) {
    return other.kind == kind && equals(static_cast<const Storage&>(other));
  };
  return context.impl().types.findOrMake(hash, matches, make);
}

template <class Storage, class Equals, class Make>
const AttributeStorage* uniqueAttribute(Context& context, AttrKind kind, uint64_t hash,
                                        Equals equals, Make make) {
  auto matches = [&](const AttributeStorage& other) {
    return other.kind == kind && equals(static_cast<const Storage&>(other));
  };
  return context.impl().attributes.findOrMake(hash, matches, make);
}

/// `value` as an integer of `type` holds it: i1 is 0 or 1, unsigned types zero-extend, all others
/// sign-extend. (Attribute.cpp)
int64_t wrapInteger(Type type, int64_t value);

inline Hasher keyOf(TypeKind kind) { return Hasher().add(kind); }
inline Hasher keyOf(AttrKind kind) { return Hasher().add(kind); }

}  // namespace airlite::detail
