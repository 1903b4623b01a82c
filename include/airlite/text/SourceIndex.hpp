// Where a text defines and uses names, and where its operations stand: what an editor asks for. It is
// written while the text is read, also when the text has errors, and holds no pointers into the
// program: types and definitions of ops belong to the Context, names to the text in it.
//
//   SourceIndex index;
//   ParseOptions options;
//   options.index = &index;
//   OwningOp module = parseSource(context, text, "a.mlir", options);  // null: index is filled too
//   const SourceIndex::Mention* mention = index.mentionAt(offset);
#pragma once

#include "airlite/ir/Type.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace airlite {

struct OpDef;

struct SourceIndex {
  static constexpr uint32_t kNone = UINT32_MAX;

  enum class NameKind : uint8_t { Value, Block, Symbol, AttrAlias, TypeAlias };

  /// Bytes [begin, end) of the text.
  struct Span {
    uint32_t begin = 0;
    uint32_t end = 0;
    bool contains(uint32_t offset) const { return begin <= offset && offset <= end; }
    bool operator==(const Span&) const = default;
  };

  /// What names of one spelling stand for.
  struct Entity {
    NameKind kind = NameKind::Value;
    std::string_view name;   // without its sign (%, ^, @, # or !) and quotes
    Span span;               // of its definition, as that of a mention
    uint32_t op = kNone;     // of a result or symbol: the op; else the op whose region it is in
    uint32_t isolated = 0;   // the isolated region that sees it
    uint32_t seenUntil = 0;  // where the region ends that defines it
    uint32_t firstType =
        0;  // of a value: `numTypes` of `types`; none when its op could not be read
    uint32_t numTypes = 0;
    bool isArgument = false;
  };

  /// A name at one place. The span leaves out the sign.
  struct Mention {
    NameKind kind = NameKind::Value;
    Span span;
    std::string_view name;
    uint32_t entity = kNone;  // kNone: nothing is called so
    uint32_t op = kNone;      // the innermost op around
    uint32_t number = 0;      // the N of %x#N
    bool isDefinition = false;
  };

  struct Op {
    const OpDef* def = nullptr;
    uint32_t parent = kNone;
    Span name;                // of the op, as it is written
    Span span;                // from its results to its end
    uint32_t symbol = kNone;  // the entity of the name that it defines
  };

  /// A region that sees no values from outside; the first one is the whole text.
  struct IsolatedRegion {
    Span span;
  };

  std::vector<Op> ops;            // in the order of the text
  std::vector<Entity> entities;   // in the order of their definition
  std::vector<Mention> mentions;  // in the order of the text, no two at one place
  std::vector<IsolatedRegion> isolated;
  std::vector<Type> types;

  /// The mention that holds `offset`, its sign and the place after its end included.
  const Mention* mentionAt(uint32_t offset) const;
  /// The innermost op around `offset`.
  uint32_t opAt(uint32_t offset) const;
  /// The isolated region around `offset`.
  uint32_t isolatedAt(uint32_t offset) const;
};

}  // namespace airlite
