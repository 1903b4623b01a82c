// Attributes: uniquing and what can be asked of them. Dense data stands in DenseAttribute.cpp.
#include "airlite/ir/Attribute.hpp"

#include "PrintHooks.hpp"
#include "Uniquing.hpp"
#include "airlite/ir/Resources.hpp"

#include <bit>

namespace airlite {

using namespace detail;

namespace {

template <class Storage> const Storage& as(const Attribute& attribute) {
  return *static_cast<const Storage*>(attribute.storage());
}

/// An attribute that is just a value of one handle type.
template <class Storage, class Value>
const AttributeStorage* uniqueValue(Context& context, AttrKind kind, Value value) {
  return uniqueAttribute<Storage>(
      context, kind, keyOf(kind).add(value).value(),
      [&](const Storage& other) { return other.value == value; },
      [&] {
        return context.impl().arena.make<Storage>(AttributeStorage{&context, kind}, value);
      });
}

const AttributeStorage* uniqueText(Context& context, AttrKind kind, std::string_view text) {
  Arena& arena = context.impl().arena;
  return uniqueAttribute<TextAttrStorage>(
      context, kind, keyOf(kind).addText(text).value(),
      [&](const auto& other) { return other.text == text; },
      [&] {
        return arena.make<TextAttrStorage>(AttributeStorage{&context, kind}, arena.copy(text));
      });
}

}  // namespace

std::string Attribute::str() const {
  return storage_ ? printAttributeToString(*this) : "<<NULL ATTRIBUTE>>";
}

// ---------------------------------------------------------------------------------------------
// Unit, numbers
// ---------------------------------------------------------------------------------------------

UnitAttr UnitAttr::get(Context& context) {
  Attribute& cached = context.impl().unit;
  if (!cached)
    cached = Attribute(context.impl().arena.make<AttributeStorage>(&context, AttrKind::Unit));
  return cached.cast<UnitAttr>();
}

namespace {

uint64_t maskOf(unsigned width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }

}  // namespace

int64_t detail::wrapInteger(Type type, int64_t value) {
  unsigned width = type.bitWidth();
  if (width == 0 || width >= 64) return value;
  uint64_t bits = static_cast<uint64_t>(value) & maskOf(width);
  bool isUnsigned =
      type.isInteger() && type.cast<IntegerType>().signedness() == Signedness::Unsigned;
  if (isUnsigned || type.isSignlessInteger(1)) return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

IntegerAttr IntegerAttr::get(Type type, int64_t value) {
  Context& context = type.context();
  int64_t wrapped = wrapInteger(type, value);
  return IntegerAttr(uniqueAttribute<IntegerAttrStorage>(
      context, AttrKind::Integer, keyOf(AttrKind::Integer).add(type).add(wrapped).value(),
      [&](const auto& other) { return other.value == wrapped && other.type == type; },
      [&] {
        return context.impl().arena.make<IntegerAttrStorage>(
            AttributeStorage{&context, AttrKind::Integer}, type, wrapped);
      }));
}

IntegerAttr IntegerAttr::getBool(Context& context, bool value) {
  Attribute& cached = value ? context.impl().trueAttr : context.impl().falseAttr;
  if (!cached) cached = get(IntegerType::get(context, 1), value ? 1 : 0);
  return cached.cast<IntegerAttr>();
}
IntegerAttr IntegerAttr::getIndex(Context& context, int64_t value) {
  return get(IndexType::get(context), value);
}
Type IntegerAttr::type() const { return as<IntegerAttrStorage>(*this).type; }
int64_t IntegerAttr::value() const { return as<IntegerAttrStorage>(*this).value; }
uint64_t IntegerAttr::zext() const {
  return static_cast<uint64_t>(value()) & maskOf(type().bitWidth());
}

FloatAttr FloatAttr::get(Type type, double value) {
  Context& context = type.context();
  auto format = type.dynCast<FloatType>();
  double rounded = format ? roundToFormat(format.floatKind(), value) : value;
  auto bits = std::bit_cast<uint64_t>(rounded);  // by bits: -0 is not 0, a NaN is itself
  return FloatAttr(uniqueAttribute<FloatAttrStorage>(
      context, AttrKind::Float, keyOf(AttrKind::Float).add(type).add(bits).value(),
      [&](const auto& other) {
        return other.type == type && std::bit_cast<uint64_t>(other.value) == bits;
      },
      [&] {
        return context.impl().arena.make<FloatAttrStorage>(
            AttributeStorage{&context, AttrKind::Float}, type, rounded);
      }));
}
Type FloatAttr::type() const { return as<FloatAttrStorage>(*this).type; }
double FloatAttr::value() const { return as<FloatAttrStorage>(*this).value; }

// ---------------------------------------------------------------------------------------------
// Text, types, arrays
// ---------------------------------------------------------------------------------------------

StringAttr StringAttr::get(Context& context, std::string_view value) {
  return StringAttr(uniqueText(context, AttrKind::String, value));
}
std::string_view StringAttr::value() const { return as<TextAttrStorage>(*this).text; }

OpaqueAttr OpaqueAttr::get(Context& context, std::string_view text) {
  return OpaqueAttr(uniqueText(context, AttrKind::Opaque, text));
}
std::string_view OpaqueAttr::text() const { return as<TextAttrStorage>(*this).text; }

TypeAttr TypeAttr::get(Type type) {
  return TypeAttr(uniqueValue<TypeAttrStorage>(type.context(), AttrKind::Type, type));
}
Type TypeAttr::value() const { return as<TypeAttrStorage>(*this).value; }

AffineMapAttr AffineMapAttr::get(AffineMap map) {
  return AffineMapAttr(uniqueValue<AffineMapAttrStorage>(map.context(), AttrKind::AffineMap, map));
}
AffineMap AffineMapAttr::value() const { return as<AffineMapAttrStorage>(*this).value; }

IntegerSetAttr IntegerSetAttr::get(IntegerSet set) {
  return IntegerSetAttr(
      uniqueValue<IntegerSetAttrStorage>(set.context(), AttrKind::IntegerSet, set));
}
IntegerSet IntegerSetAttr::value() const { return as<IntegerSetAttrStorage>(*this).value; }

ArrayAttr ArrayAttr::get(Context& context, std::span<const Attribute> elements) {
  Arena& arena = context.impl().arena;
  return ArrayAttr(uniqueAttribute<ArrayAttrStorage>(
      context, AttrKind::Array, keyOf(AttrKind::Array).addAll(elements).value(),
      [&](const auto& other) { return sameAll(other.elements, elements); },
      [&] {
        return arena.make<ArrayAttrStorage>(AttributeStorage{&context, AttrKind::Array},
                                            arena.copy(elements));
      }));
}
std::span<const Attribute> ArrayAttr::value() const { return as<ArrayAttrStorage>(*this).elements; }

SymbolRefAttr SymbolRefAttr::get(Context& context, std::string_view root,
                                 std::span<const std::string_view> nested) {
  std::vector<Identifier> names{Identifier::get(context, root)};
  for (std::string_view name : nested)
    names.push_back(Identifier::get(context, name));
  std::span<const Identifier> path = names;
  Arena& arena = context.impl().arena;
  return SymbolRefAttr(uniqueAttribute<SymbolRefAttrStorage>(
      context, AttrKind::SymbolRef, keyOf(AttrKind::SymbolRef).addAll(path).value(),
      [&](const auto& other) { return sameAll(other.path, path); },
      [&] {
        return arena.make<SymbolRefAttrStorage>(AttributeStorage{&context, AttrKind::SymbolRef},
                                                arena.copy(path));
      }));
}
std::string_view SymbolRefAttr::root() const { return as<SymbolRefAttrStorage>(*this).path[0]; }
std::string_view SymbolRefAttr::leaf() const { return as<SymbolRefAttrStorage>(*this).path.back(); }
bool SymbolRefAttr::isFlat() const { return as<SymbolRefAttrStorage>(*this).path.size() == 1; }
std::vector<std::string_view> SymbolRefAttr::nested() const {
  std::span<const Identifier> names = as<SymbolRefAttrStorage>(*this).path.subspan(1);
  return {names.begin(), names.end()};
}

// ---------------------------------------------------------------------------------------------
// Dictionaries
// ---------------------------------------------------------------------------------------------

namespace {

bool nameLess(const NamedAttribute& a, const NamedAttribute& b) {
  return a.name.str() < b.name.str();
}

bool strictlySorted(std::span<const NamedAttribute> entries) {
  for (size_t i = 1; i < entries.size(); ++i)
    if (!nameLess(entries[i - 1], entries[i])) return false;
  return true;
}

// Keeps the order of equal names. Attribute lists are short and nearly sorted.
void sortByName(std::vector<NamedAttribute>& entries) {
  constexpr size_t kShort = 24;
  if (entries.size() > kShort) return std::stable_sort(entries.begin(), entries.end(), nameLess);
  for (size_t i = 1; i < entries.size(); ++i)
    for (size_t j = i; j > 0 && nameLess(entries[j], entries[j - 1]); --j)
      std::swap(entries[j], entries[j - 1]);
}

// Of entries with the same name the last one stays.
std::vector<NamedAttribute> sortedEntries(std::span<const NamedAttribute> entries) {
  std::vector<NamedAttribute> sorted(entries.begin(), entries.end());
  sortByName(sorted);
  size_t kept = 0;
  for (const NamedAttribute& entry : sorted) {
    if (kept > 0 && sorted[kept - 1].name == entry.name) --kept;
    sorted[kept++] = entry;
  }
  sorted.resize(kept);
  return sorted;
}

const AttributeStorage* uniqueDictionary(Context& context,
                                         std::span<const NamedAttribute> entries) {
  Arena& arena = context.impl().arena;
  Hasher hasher = keyOf(AttrKind::Dictionary);
  for (const NamedAttribute& entry : entries)
    hasher.add(entry.name).add(entry.value);
  return uniqueAttribute<DictionaryAttrStorage>(
      context, AttrKind::Dictionary, hasher.value(),
      [&](const auto& other) { return sameAll(other.entries, entries); },
      [&] {
        auto segments = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
          return entry.name == context.impl().operandSegments;
        });
        return arena.make<DictionaryAttrStorage>(
            AttributeStorage{&context, AttrKind::Dictionary}, arena.copy(entries),
            segments == entries.end() ? Attribute() : segments->value);
      });
}

}  // namespace

DictionaryAttr DictionaryAttr::get(Context& context, std::span<const NamedAttribute> entries) {
  Attribute& cached = context.impl().emptyDictionary;
  if (entries.empty() && cached) return cached.cast<DictionaryAttr>();
  if (!strictlySorted(entries))
    return DictionaryAttr(uniqueDictionary(context, sortedEntries(entries)));
  DictionaryAttr dictionary(uniqueDictionary(context, entries));
  if (entries.empty()) cached = dictionary;
  return dictionary;
}

std::span<const NamedAttribute> DictionaryAttr::value() const {
  return as<DictionaryAttrStorage>(*this).entries;
}

Attribute DictionaryAttr::get(std::string_view name) const {
  constexpr size_t kScanUpTo = 16;
  std::span<const NamedAttribute> entries = value();
  // Names of one op often begin alike and are as long: the last letter tells most apart.
  auto isName = [&](const NamedAttribute& entry) {
    std::string_view own = entry.name.str();
    return own.size() == name.size() && (own.empty() || own.back() == name.back()) && own == name;
  };
  auto at = entries.size() <= kScanUpTo
                ? std::find_if(entries.begin(), entries.end(), isName)
                : std::lower_bound(entries.begin(), entries.end(), name,
                                   [](const auto& e, auto n) { return e.name.str() < n; });
  return at != entries.end() && isName(*at) ? at->value : Attribute();
}

Attribute DictionaryAttr::get(Identifier name) const {
  for (const NamedAttribute& entry : value())
    if (entry.name == name) return entry.value;
  return {};
}

DictionaryAttr DictionaryAttr::with(Identifier name, Attribute newValue) const {
  NamedAttrList list(*this);
  list.set(name, newValue);
  return list.dictionary(context());
}

DictionaryAttr DictionaryAttr::without(std::string_view name) const {
  NamedAttrList list(*this);
  return list.erase(name) ? list.dictionary(context()) : *this;
}

NamedAttrList& NamedAttrList::operator=(DictionaryAttr dictionary) {
  clear();
  unchanged_ = dictionary;
  if (dictionary) entries_.assign(dictionary.value().begin(), dictionary.value().end());
  return *this;
}

void NamedAttrList::set(Identifier name, Attribute value) {
  unchanged_ = {};
  for (NamedAttribute& entry : entries_)
    if (entry.name == name) return void(entry.value = value);
  entries_.push_back({name, value});
}

void NamedAttrList::append(Identifier name, Attribute value) {
  unchanged_ = {};
  entries_.push_back({name, value});
}

void NamedAttrList::clear() {
  unchanged_ = {};
  entries_.clear();
}

Attribute NamedAttrList::get(std::string_view name) const {
  // From the back: of appended entries with one name the last counts.
  for (size_t i = entries_.size(); i-- > 0;)
    if (entries_[i].name.str() == name) return entries_[i].value;
  return {};
}

Attribute NamedAttrList::erase(std::string_view name) {
  unchanged_ = {};
  Attribute erased = get(name);
  std::erase_if(entries_, [&](const NamedAttribute& entry) { return entry.name.str() == name; });
  return erased;
}

// ---------------------------------------------------------------------------------------------
// Layouts, locations, attributes of dialects
// ---------------------------------------------------------------------------------------------

StridedLayoutAttr StridedLayoutAttr::get(Context& context, int64_t offset,
                                         std::span<const int64_t> strides) {
  Arena& arena = context.impl().arena;
  AttrKind kind = AttrKind::StridedLayout;
  return StridedLayoutAttr(uniqueAttribute<StridedLayoutAttrStorage>(
      context, kind, keyOf(kind).add(offset).addAll(strides).value(),
      [&](const auto& other) { return other.offset == offset && sameAll(other.strides, strides); },
      [&] {
        return arena.make<StridedLayoutAttrStorage>(AttributeStorage{&context, kind}, offset,
                                                    arena.copy(strides));
      }));
}
int64_t StridedLayoutAttr::offset() const { return as<StridedLayoutAttrStorage>(*this).offset; }
std::span<const int64_t> StridedLayoutAttr::strides() const {
  return as<StridedLayoutAttrStorage>(*this).strides;
}

LocationAttr LocationAttr::get(Context& context, Location location) {
  AttrKind kind = AttrKind::Location;
  return LocationAttr(uniqueAttribute<LocationAttrStorage>(
      context, kind, keyOf(kind).add(location.source()).add(location.offset()).value(),
      [&](const auto& other) { return other.value == location; },
      [&] {
        return context.impl().arena.make<LocationAttrStorage>(AttributeStorage{&context, kind},
                                                              location);
      }));
}
Location LocationAttr::value() const { return as<LocationAttrStorage>(*this).value; }

DialectAttr DialectAttr::get(Context& context, const DialectAttrDef& def,
                             std::span<const Attribute> parameters) {
  Arena& arena = context.impl().arena;
  return DialectAttr(uniqueAttribute<DialectAttrStorage>(
      context, AttrKind::Dialect, keyOf(AttrKind::Dialect).add(&def).addAll(parameters).value(),
      [&](const auto& other) { return other.def == &def && sameAll(other.parameters, parameters); },
      [&] {
        return arena.make<DialectAttrStorage>(AttributeStorage{&context, AttrKind::Dialect}, &def,
                                              arena.copy(parameters));
      }));
}

DialectAttr DialectAttr::getKeyword(Context& context, std::string_view name,
                                    std::string_view keyword) {
  const DialectAttrDef* def = context.findAttr(name);
  if (!def) return {};
  Attribute parameter = StringAttr::get(context, keyword);
  return get(context, *def, {&parameter, 1});
}

const DialectAttrDef& DialectAttr::def() const { return *as<DialectAttrStorage>(*this).def; }
std::span<const Attribute> DialectAttr::parameters() const {
  return as<DialectAttrStorage>(*this).parameters;
}
std::string_view DialectAttr::name() const { return def().name; }
std::string_view DialectAttr::keyword() const {
  std::span<const Attribute> all = parameters();
  auto text = all.empty() ? StringAttr() : all[0].dynCast<StringAttr>();
  return text ? text.value() : std::string_view();
}

// ---------------------------------------------------------------------------------------------
// Questions to any attribute
// ---------------------------------------------------------------------------------------------

Type attributeType(Attribute attribute) {
  if (!attribute) return {};
  switch (attribute.kind()) {
    case AttrKind::Integer: return attribute.cast<IntegerAttr>().type();
    case AttrKind::Float: return attribute.cast<FloatAttr>().type();
    case AttrKind::DenseElements: return attribute.cast<DenseElementsAttr>().type();
    case AttrKind::Dialect: {
      auto resource = attribute.dynCast<DenseResourceAttr>();
      return resource ? Type(resource.type()) : Type();
    }
    default: return {};
  }
}

std::optional<int64_t> constantInt(Attribute attribute) {
  if (auto dense = attribute.dynCast<DenseElementsAttr>())
    return dense.isSplat() ? constantInt(dense.splatValue()) : std::nullopt;
  auto integer = attribute.dynCast<IntegerAttr>();
  return integer ? std::optional(integer.value()) : std::nullopt;
}

}  // namespace airlite
