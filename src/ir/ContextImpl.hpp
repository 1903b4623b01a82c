// What a Context owns. Private to ir/.
#pragma once

#include "../support/Hashing.hpp"
#include "Arena.hpp"
#include "ShapeCache.hpp"
#include "Storage.hpp"
#include "SymbolIndex.hpp"
#include "UniqueTable.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Resources.hpp"

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

namespace detail {

/// An interned string and what is registered under that name, so that one lookup finds both.
/// `text` stands first: Identifiers point at it.
struct InternedString {
  std::string text;
  OpDef* op = nullptr;
  DialectTypeDef* type = nullptr;
  DialectAttrDef* attr = nullptr;
  bool isDialect = false;
};

struct LocationEntry {
  ComposedLocation location;
  uint32_t index;
};

}  // namespace detail

struct ContextImpl {
  // Interned strings; the deque keeps their addresses.
  std::deque<detail::InternedString> strings;
  detail::UniqueTable<detail::InternedString> stringTable;

  // Names of the attributes that hold the sizes of groups.
  Identifier operandSegments, resultSegments;

  // Unique values. Storages and their arrays live in the arena.
  detail::Arena arena;
  detail::UniqueTable<const detail::TypeStorage> types;
  detail::UniqueTable<const detail::AttributeStorage> attributes;
  detail::UniqueTable<const detail::AffineExprStorage> affineExprs;
  detail::UniqueTable<const detail::AffineMapStorage> affineMaps;
  detail::UniqueTable<const detail::IntegerSetStorage> integerSets;

  // Values that are asked for all the time; null until the first question.
  Type noneType, indexType;
  std::array<Type, 65> signlessIntegers;  // by width, up to 64
  std::array<Type, 9> floats;
  Attribute unit, emptyDictionary, falseAttr, trueAttr;

  // Registered and made-up definitions: a deque, because operations point at them.
  std::deque<OpDef> ops;
  std::vector<OpDef*> registeredOps;
  std::deque<DialectTypeDef> typeDefs;
  std::deque<DialectAttrDef> attrDefs;
  std::vector<DialectInfo> dialects;
  std::vector<MaterializeFn> materializers;

  DiagnosticEngine diagnostics;
  SourceManager sources;
  std::deque<detail::LocationEntry> locations;
  detail::UniqueTable<const detail::LocationEntry> locationTable;

  Resources resources;
  detail::ShapeCache shapes;
  bool hasRedefinitions = false;  // ops that fitted need not fit any more
  detail::SymbolIndex symbols;

  detail::Pool pool;

  detail::InternedString& intern(std::string_view text);
  detail::InternedString* findString(std::string_view text) const;
};

}  // namespace airlite
