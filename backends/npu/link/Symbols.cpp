#include "Symbols.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::link {
namespace {

/// The one with the higher number counts; of equals the first.
int rankOf(SymbolPlace place, bool isWeak) {
  if (isWeak) return 1;
  return place == SymbolPlace::Common ? 2 : 3;
}

bool isDefinition(const ObjectSymbol& symbol) {
  return symbol.binding != ElfBinding::Local && symbol.place != SymbolPlace::Undefined &&
         symbol.place != SymbolPlace::NotLoaded;
}

/// Whether `symbol` is the name that C++ gives a function `name`.
bool isMangled(std::string_view symbol, std::string_view name) {
  return symbol.starts_with(fmt::format("_Z{}{}", name.size(), name));
}

}  // namespace

Symbols::Symbols(const LinkRequest& request, std::vector<std::string>& errors)
    : request_(request), errors_(errors) {
  partOf_.resize(request.objects.size());
  for (uint32_t i = 0; i < request.objects.size(); ++i) {
    addParts(i);
    for (const ObjectSymbol& symbol : request.objects[i].symbols)
      if (isDefinition(symbol)) define(i, symbol);
  }
  placeCommons();
}

void Symbols::addParts(uint32_t object) {
  const Object& from = request_.objects[object];
  std::vector<bool> isTaken;
  for (const std::string& group : from.groups)
    isTaken.push_back(groups_.insert(group).second);
  for (const ObjectSection& section : from.sections) {
    const bool isDiscarded = section.group && !isTaken[*section.group];
    partOf_[object].push_back(isDiscarded ? std::nullopt : std::optional(uint32_t(parts_.size())));
    if (!isDiscarded)
      parts_.push_back(
          {object, &section, section.name, section.kind, section.alignment, section.size()});
  }
}

std::string Symbols::whereIs(const Definition& definition) const {
  const std::string& object = request_.objects[definition.object].name;
  if (definition.meaning.kind != Meaning::Kind::InPart) return object;
  return fmt::format("{} ({})", object, parts_[definition.meaning.part].name);
}

void Symbols::define(uint32_t object, const ObjectSymbol& symbol) {
  Definition made{.object = object, .place = symbol.place, .size = symbol.size};
  made.meaning = {.kind = Meaning::Kind::Number, .value = symbol.value};
  made.meaning.isWeak = symbol.binding == ElfBinding::Weak;
  if (symbol.place == SymbolPlace::Common) made.alignment = symbol.value;
  if (symbol.place == SymbolPlace::Section) {
    const std::optional<uint32_t> part = partOf_[object][symbol.section];
    if (!part) return;  // of a group that another object brought
    made.meaning.kind = Meaning::Kind::InPart;
    made.meaning.part = *part;
  }
  const auto [at, isNew] = globals_.try_emplace(symbol.name, made);
  if (isNew) return order_.push_back(at->first);
  Definition& old = at->second;
  const int oldRank = rankOf(old.place, old.meaning.isWeak);
  const int rank = rankOf(symbol.place, made.meaning.isWeak);
  if (oldRank == rank && symbol.place == SymbolPlace::Common) return mergeCommon(old, symbol);
  if (oldRank == rank && rank == rankOf(SymbolPlace::Section, false))
    errors_.push_back(fmt::format("'{}' is defined twice: in {} and in {}", symbol.name,
                                  whereIs(old), whereIs(made)));
  if (rank > oldRank) old = made;
}

void Symbols::mergeCommon(Definition& old, const ObjectSymbol& symbol) {
  old.size = std::max(old.size, symbol.size);
  old.alignment = std::max(old.alignment, symbol.value);
}

void Symbols::placeCommons() {
  for (const std::string_view name : order_) {
    Definition& definition = globals_.find(name)->second;
    if (definition.place != SymbolPlace::Common) continue;
    definition.meaning = {.kind = Meaning::Kind::InPart, .part = uint32_t(parts_.size())};
    parts_.push_back({definition.object, nullptr, fmt::format("COMMON {}", name),
                      SectionKind::Zeros, definition.alignment, definition.size});
  }
}

Meaning Symbols::meaningOf(std::string_view name) const {
  if (const auto at = globals_.find(name); at != globals_.end()) return at->second.meaning;
  const auto known = std::ranges::find(request_.symbols, name, &KnownSymbol::name);
  if (known == request_.symbols.end()) return {};
  return {.kind = Meaning::Kind::Number, .value = known->value};
}

Meaning Symbols::meaningOf(uint32_t object, uint32_t index) const {
  const ObjectSymbol& symbol = request_.objects[object].symbols[index];
  if (symbol.binding != ElfBinding::Local) {
    Meaning meaning = meaningOf(symbol.name);
    meaning.isWeak = symbol.binding == ElfBinding::Weak;
    return meaning;
  }
  switch (symbol.place) {
    case SymbolPlace::Section:
      if (const auto part = partOf_[object][symbol.section])
        return {.kind = Meaning::Kind::InPart, .part = *part, .value = symbol.value};
      return {.kind = Meaning::Kind::Discarded};
    case SymbolPlace::Absolute: return {.kind = Meaning::Kind::Number, .value = symbol.value};
    case SymbolPlace::NotLoaded: return {.kind = Meaning::Kind::NotLoaded};
    case SymbolPlace::Undefined:
    case SymbolPlace::Common: break;
  }
  return {};
}

std::string Symbols::suggestionFor(std::string_view name) const {
  for (const std::string_view defined : order_)
    if (isMangled(defined, name))
      return fmt::format("; {} has it under its C++ name '{}': declare it extern \"C\" there",
                         request_.objects[globals_.find(defined)->second.object].name, defined);
  return "";
}

}  // namespace airlite::npu::link
