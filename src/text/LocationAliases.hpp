// `#loc`: what its names need to know about locations, and names that are read before they are
// defined.
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite::text {

class ParserState;

/// The location as its text says it, so that places with one spelling are one location.
Location canonicalLocation(Context& context, Location location);

/// `each` for every attribute that stands directly inside `attribute` when it is printed: the
/// elements of containers, the parts of a location.
void forEachInside(Attribute attribute, FunctionRef<void(Attribute)> each);

/// `fused<metadata>[...]`: without what is unknown or there already; fewer than two locations
/// without metadata are not fusion.
Location fusedLocation(Context& context, Attribute metadata, std::span<const Location> parts);

/// Uses of `#loc3` before its definition, which MLIR prints at the end of a file. Until the whole
/// text is read such a location is a named one with two children, which no text can spell.
class DeferredLocations {
 public:
  explicit DeferredLocations(Context& context) : context_(context) {}

  Location defer(std::string_view alias, Location where);
  bool any() const { return !uses_.empty(); }
  /// Is there a use that waits for its definition in `location`?
  bool isIn(Location location) const;
  /// Gives every op and block argument in `root` its location; reports names without a definition.
  LogicalResult resolve(ParserState& state, Operation& root);

 private:
  struct Use {
    std::string_view alias;
    Location where;
    bool isOpen = false;  // its definition is being resolved
  };
  struct Resolved {
    Location location;
    unsigned depth = 1;
    uint64_t parts = 1;
  };

  Resolved resolved(ParserState& state, Location location);
  Resolved resolvedUse(ParserState& state, Use& use);
  Resolved resolvedParts(ParserState& state, const ComposedLocation& composed);
  Use* useOf(const ComposedLocation& composed);

  Context& context_;
  std::vector<Use> uses_;
  std::unordered_map<uint32_t, Resolved> done_;  // by index of the composed location
};

}  // namespace airlite::text
