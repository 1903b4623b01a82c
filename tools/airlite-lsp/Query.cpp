// Places, definitions, references and renames: what the names of an index answer.
#include "Query.hpp"

#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace airlite::tools {

using Mention = SourceIndex::Mention;
using Entity = SourceIndex::Entity;
using NameKind = SourceIndex::NameKind;

Json toJson(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json toJson(const TextRange& range) {
  return {{"start", toJson(range.start)}, {"end", toJson(range.end)}};
}

const Mention* Query::mention() const {
  const Reading::Piece* at = piece();
  return at && offset >= at->begin ? at->index.mentionAt(local()) : nullptr;
}

Json Query::range(SourceIndex::Span span) const {
  const uint32_t begin = piece()->begin;
  return toJson(document.rangeOf(begin + span.begin, begin + span.end));
}

Json definition(const Query& query) {
  const Mention* mention = query.mention();
  if (!mention || mention->entity == SourceIndex::kNone) return nullptr;
  return query.location(query.piece()->index.entities[mention->entity].span);
}

/// `visit` each place that names what stands at the query.
template <class Visit> static void forEachMention(const Query& query, Visit visit) {
  const Mention* mention = query.mention();
  if (!mention || mention->entity == SourceIndex::kNone) return;
  for (const Mention& other : query.piece()->index.mentions)
    if (other.entity == mention->entity) visit(other);
}

Json references(const Query& query, bool withDefinition) {
  Json found = Json::array();
  forEachMention(query, [&](const Mention& mention) {
    if (withDefinition || !mention.isDefinition) found.push_back(query.location(mention.span));
  });
  return found;
}

Json highlights(const Query& query) {
  constexpr int kRead = 2, kWrite = 3;
  Json found = Json::array();
  forEachMention(query, [&](const Mention& mention) {
    found.push_back(
        {{"range", query.range(mention.span)}, {"kind", mention.isDefinition ? kWrite : kRead}});
  });
  return found;
}

// -- Rename -------------------------------------------------------------------------------------

static char signOf(NameKind kind) {
  switch (kind) {
    case NameKind::Value: return '%';
    case NameKind::Block: return '^';
    case NameKind::Symbol: return '@';
    case NameKind::AttrAlias: return '#';
    case NameKind::TypeAlias: return '!';
  }
  return '%';
}

/// What the lexer takes as one token after the sign.
static bool isName(NameKind kind, std::string_view name) {
  if (name.empty()) return false;
  const bool mayBeNumber = kind == NameKind::Value || kind == NameKind::Block;
  if (std::isdigit(static_cast<unsigned char>(name[0])))
    return mayBeNumber && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
  const bool isAlias = kind == NameKind::AttrAlias || kind == NameKind::TypeAlias;
  return std::all_of(name.begin(), name.end(),
                     [&](unsigned char c) {
                       return std::isalnum(c) || c == '_' || (!isAlias && (c == '$' || c == '.')) ||
                              (mayBeNumber && c == '-');
                     }) &&
         name[0] != '.' && name[0] != '$' && name[0] != '-';
}

/// The op whose region or symbol table the entity is named in.
static uint32_t ownerOf(const SourceIndex& index, const Entity& entity) {
  if (entity.kind != NameKind::Symbol) return entity.op;
  uint32_t at = index.ops[entity.op].parent;
  while (at != SourceIndex::kNone && !index.ops[at].def->has(Trait::SymbolTable))
    at = index.ops[at].parent;
  return at;
}

/// Is there a place that could mean either of them, were they called the same?
static bool meet(const SourceIndex& index, const Entity& a, const Entity& b) {
  if (a.kind != b.kind) return false;
  const bool isAlias = a.kind == NameKind::AttrAlias || a.kind == NameKind::TypeAlias;
  if (isAlias) return true;
  if (a.kind != NameKind::Value) return ownerOf(index, a) == ownerOf(index, b);
  return a.isolated == b.isolated && a.span.begin < b.seenUntil && b.span.begin < a.seenUntil;
}

static const Mention* renamable(const Query& query) {
  const Mention* mention = query.mention();
  return mention && mention->entity != SourceIndex::kNone ? mention : nullptr;
}

Json prepareRename(const Query& query) {
  const Mention* mention = renamable(query);
  if (!mention) return nullptr;
  return {{"range", query.range(mention->span)}, {"placeholder", std::string(mention->name)}};
}

std::variant<Json, Refusal> rename(const Query& query, std::string name) {
  const Mention* mention = renamable(query);
  if (!mention) return Refusal{"there is no name to change here"};
  if (!query.piece()->isWellFormed)
    return Refusal{"the text has errors, so not every use of the name is known: mend them first"};
  if (!name.empty() && name[0] == signOf(mention->kind)) name.erase(0, 1);
  if (!isName(mention->kind, name))
    return Refusal{"'" + name + "' is no name: letters, digits and _, a letter first"};
  const SourceIndex& index = query.piece()->index;
  const Entity& entity = index.entities[mention->entity];
  for (const Entity& other : index.entities)
    if (&other != &entity && other.name == name && meet(index, entity, other))
      return Refusal{std::string(1, signOf(entity.kind)) + name + " is there already"};
  Json edits = Json::array();
  forEachMention(query, [&](const Mention& use) {
    edits.push_back({{"range", query.range(use.span)}, {"newText", name}});
  });
  return Json{{"changes", {{std::string(query.uri), std::move(edits)}}}};
}

}  // namespace airlite::tools
