// Locations in the form that names are given to, and names that are defined after their use.
#include "LocationAliases.hpp"

#include "ParserState.hpp"

#include <algorithm>

namespace airlite::text {

using LocationKind = ComposedLocation::Kind;

Location canonicalLocation(Context& context, Location location) {
  if (location.isInSource()) {
    LineColumn place = context.sources().lineColumn(location);
    return context.fileLineCol(context.sources().name(location.source()), place.line, place.column);
  }
  if (!location.isComposed() || context.composed(location).children.empty()) return location;
  ComposedLocation composed = context.composed(location);
  for (Location& child : composed.children)
    child = canonicalLocation(context, child);
  return context.composedLocation(std::move(composed));
}

static void forEachPart(Context& context, Location location, FunctionRef<void(Attribute)> each) {
  if (!location.isComposed()) return;
  const ComposedLocation& composed = context.composed(location);
  if (composed.metadata) each(composed.metadata);
  for (Location child : composed.children)
    each(LocationAttr::get(context, child));
}

void forEachInside(Attribute attribute, FunctionRef<void(Attribute)> each) {
  if (auto location = attribute.dynCast<LocationAttr>())
    return forEachPart(attribute.context(), location.value(), each);
  if (auto array = attribute.dynCast<ArrayAttr>())
    for (Attribute element : array.value())
      each(element);
  if (auto dictionary = attribute.dynCast<DictionaryAttr>())
    for (const NamedAttribute& entry : dictionary.value())
      each(entry.value);
  // The dictionaries in which dialects keep their parameters are not printed as such.
  if (auto dialect = attribute.dynCast<DialectAttr>())
    for (Attribute parameter : dialect.parameters()) {
      if (parameter.isa<DictionaryAttr>())
        forEachInside(parameter, each);
      else
        each(parameter);
    }
}

static void addPart(Context& context, ComposedLocation& fused, Location part) {
  if (part.isUnknown()) return;
  bool sameFusion = part.isComposed() && context.composed(part).kind == LocationKind::Fused &&
                    context.composed(part).metadata == fused.metadata;
  std::vector<Location> parts{part};
  if (sameFusion) parts = context.composed(part).children;
  for (Location each : parts)
    if (std::find(fused.children.begin(), fused.children.end(), each) == fused.children.end())
      fused.children.push_back(each);
}

Location fusedLocation(Context& context, Attribute metadata, std::span<const Location> parts) {
  ComposedLocation fused;
  fused.kind = LocationKind::Fused;
  fused.metadata = metadata;
  for (Location part : parts)
    addPart(context, fused, part);
  if (!metadata && fused.children.empty()) return Location();
  if (!metadata && fused.children.size() == 1) return fused.children[0];
  if (fused.children.empty()) fused.children.emplace_back();
  return context.composedLocation(std::move(fused));
}

// -- Deferred names -----------------------------------------------------------------------------

Location DeferredLocations::defer(std::string_view alias, Location where) {
  uses_.push_back({alias, where});
  ComposedLocation marker;
  marker.kind = LocationKind::Name;
  marker.name = Identifier::get(context_, alias);
  marker.line = static_cast<unsigned>(uses_.size());
  marker.children.resize(2);
  return context_.composedLocation(std::move(marker));
}

DeferredLocations::Use* DeferredLocations::useOf(const ComposedLocation& composed) {
  bool isMarker = composed.kind == LocationKind::Name && composed.children.size() == 2;
  return isMarker ? &uses_[composed.line - 1] : nullptr;
}

bool DeferredLocations::isIn(Location location) const {
  if (uses_.empty() || !location.isComposed()) return false;
  const ComposedLocation& composed = context_.composed(location);
  if (const_cast<DeferredLocations*>(this)->useOf(composed)) return true;
  return std::any_of(composed.children.begin(), composed.children.end(),
                     [this](Location child) { return isIn(child); });
}

DeferredLocations::Resolved DeferredLocations::resolvedUse(ParserState& state, Use& use) {
  auto failWith = [&](std::string_view message) {
    state.error(use.where) << message;
    return Resolved();
  };
  auto alias = state.attrAliases.find(use.alias.substr(1));
  if (alias == state.attrAliases.end())
    return failWith("operation location alias was never defined");
  auto value = alias->second.value.dynCast<LocationAttr>();
  if (!value) return failWith("expected a location alias");
  if (use.isOpen) return failWith("this location alias is defined by itself");
  use.isOpen = true;
  Resolved result = resolved(state, value.value());
  use.isOpen = false;
  constexpr uint64_t kMostParts = 1 << 20;  // with what is named written out
  if (!state.nestingFits(result.depth)) return failWith("location is nested too deeply");
  if (result.parts > kMostParts) return failWith("location is too large");
  return result;
}

DeferredLocations::Resolved DeferredLocations::resolvedParts(ParserState& state,
                                                             const ComposedLocation& composed) {
  ComposedLocation copy = composed;
  unsigned depth = 0;
  uint64_t parts = 1;
  for (Location& child : copy.children) {
    Resolved part = resolved(state, child);
    child = part.location;
    depth = std::max(depth, part.depth);
    parts += part.parts;
  }
  bool dropsChild =
      copy.kind == LocationKind::Name && !copy.children.empty() && copy.children[0].isUnknown();
  if (dropsChild) copy.children.clear();
  if (copy.kind == LocationKind::Fused)
    return {fusedLocation(context_, copy.metadata, copy.children), depth + 1, parts};
  return {context_.composedLocation(std::move(copy)), depth + 1, parts};
}

DeferredLocations::Resolved DeferredLocations::resolved(ParserState& state, Location location) {
  if (!location.isComposed()) return {location};
  if (auto it = done_.find(location.offset()); it != done_.end()) return it->second;
  ComposedLocation composed = context_.composed(location);
  ParserState::Nesting nesting(state);
  if (failed(nesting.check())) return {};
  Use* use = useOf(composed);
  Resolved result = use ? resolvedUse(state, *use) : resolvedParts(state, composed);
  if (!state.tooManyErrors()) done_[location.offset()] = result;
  return result;
}

LogicalResult DeferredLocations::resolve(ParserState& state, Operation& root) {
  if (!any()) return success();
  unsigned before = state.errors();
  auto resolveArguments = [&](Block& block) {
    for (Value argument : block.arguments())
      static_cast<detail::BlockArgumentImpl*>(argument.impl())->location =
          resolved(state, argument.location()).location;
  };
  root.walk([&](Operation& op) {
    if (state.tooManyErrors()) return;
    op.setLocation(resolved(state, op.location()).location);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        resolveArguments(block);
  });
  return success(state.errors() == before);
}

}  // namespace airlite::text
