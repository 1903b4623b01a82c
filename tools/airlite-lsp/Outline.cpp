// The ops of a text that have a name, or are a level of the hierarchy, as a tree.
#include "Query.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::tools {

namespace {

using Op = SourceIndex::Op;

constexpr size_t kMostSymbols = 20'000;

/// SymbolKind of the protocol.
int kindOf(const OpDef& def) {
  constexpr int kModule = 2, kNamespace = 3, kFunction = 12, kVariable = 13;
  if (def.has(Trait::Function)) return kFunction;
  if (def.has(Trait::SymbolTable)) return kModule;
  return def.has(Trait::Hierarchy) ? kNamespace : kVariable;
}

bool isShown(const Op& op) {
  return op.symbol != SourceIndex::kNone || op.def->has(Trait::Hierarchy);
}

std::string nameOf(const SourceIndex& index, const Op& op) {
  if (op.symbol == SourceIndex::kNone) return std::string(op.def->name());
  return "@" + std::string(index.entities[op.symbol].name);
}

/// The first place of a piece, so that ranges are those of the piece.
Query atPiece(const Query& query, const Reading::Piece& piece) {
  return {query.document, query.reading, query.uri, piece.begin};
}

void addFlat(const Query& query, const SourceIndex& index, Json& found) {
  for (const Op& op : index.ops) {
    if (!isShown(op) || found.size() >= kMostSymbols) continue;
    found.push_back({{"name", nameOf(index, op)},
                     {"kind", kindOf(*op.def)},
                     {"location", query.location(op.span)}});
  }
}

/// The ops from `at` on that are inside of `parent`, as children in `found`. Leaves `at` after them.
void addNested(const Query& query, const SourceIndex& index, uint32_t end, size_t& at,
               size_t& count, Json& found) {
  while (at < index.ops.size() && index.ops[at].span.begin < end) {
    const Op& op = index.ops[at++];
    if (!isShown(op) || count >= kMostSymbols) continue;
    ++count;
    const SourceIndex::Span name =
        op.symbol == SourceIndex::kNone ? op.name : index.entities[op.symbol].span;
    Json one{{"name", nameOf(index, op)},
             {"detail", op.def->name()},
             {"kind", kindOf(*op.def)},
             {"range", query.range(op.span)},
             {"selectionRange", query.range(name)}};
    Json children = Json::array();
    addNested(query, index, op.span.end, at, count, children);
    if (!children.empty()) one["children"] = std::move(children);
    found.push_back(std::move(one));
  }
}

}  // namespace

Json outline(const Query& query, bool isNested) {
  Json found = Json::array();
  size_t count = 0;
  for (const Reading::Piece& piece : query.reading.pieces()) {
    const Query whole = atPiece(query, piece);
    size_t at = 0;
    if (!isNested) addFlat(whole, piece.index, found);
    if (isNested) addNested(whole, piece.index, SourceIndex::kNone, at, count, found);
  }
  return found;
}

}  // namespace airlite::tools
