// What is said about the name, op, type or attribute under the cursor.
#include "../common/OpDocs.hpp"
#include "Query.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/text/Printer.hpp"

namespace airlite::tools {

using Mention = SourceIndex::Mention;
using Entity = SourceIndex::Entity;
using NameKind = SourceIndex::NameKind;
using Span = SourceIndex::Span;

namespace {

std::string codeBlock(std::string_view text) { return "```mlir\n" + std::string(text) + "\n```\n"; }

/// The line of the text that `offset` of the piece is in, cut to what fits a screen.
std::string lineAt(const Query& query, uint32_t offset) {
  constexpr size_t kLongest = 400;
  const Position place = query.document.positionOf(query.piece()->begin + offset);
  std::string_view line = query.document.lineText(place.line);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::string(line.substr(0, kLongest)) + (line.size() > kLongest ? " ..." : "");
}

std::string aboutOp(const SourceIndex& index, uint32_t op) {
  if (op == SourceIndex::kNone) return {};
  const OpDef& def = *index.ops[op].def;
  return "`" + std::string(def.name()) + "`: " + std::string(def.docText) + "\n";
}

std::string aboutValue(const Query& query, const Mention& mention, const Entity& entity) {
  const SourceIndex& index = query.piece()->index;
  std::string shown = "%" + std::string(entity.name);
  if (entity.numTypes > 1) shown += "#" + std::to_string(mention.number);
  if (mention.number < entity.numTypes)
    shown += " : " + index.types[entity.firstType + mention.number].str();
  const char* role = entity.isArgument ? "Argument in the body of " : "Result of ";
  std::string about = aboutOp(index, entity.op);
  return codeBlock(shown) + (about.empty() ? "" : role + about) +
         (entity.isArgument ? "" : codeBlock(lineAt(query, entity.span.begin)));
}

std::string aboutName(const Query& query, const Mention& mention) {
  const SourceIndex& index = query.piece()->index;
  if (mention.entity == SourceIndex::kNone) return {};
  const Entity& entity = index.entities[mention.entity];
  if (entity.kind == NameKind::Value) return aboutValue(query, mention, entity);
  std::string line = codeBlock(lineAt(query, entity.span.begin));
  return entity.kind == NameKind::Symbol ? line + aboutOp(index, entity.op) : line;
}

bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

/// The word around `offset`, with a `!` or `#` before it.
Span wordAt(std::string_view text, uint32_t offset) {
  Span word{offset, offset};
  if (offset < text.size() && (text[offset] == '!' || text[offset] == '#')) ++word.end;
  while (word.end < text.size() && isWordPart(text[word.end]))
    ++word.end;
  while (word.begin > 0 && isWordPart(text[word.begin - 1]))
    --word.begin;
  if (word.begin > 0 && (text[word.begin - 1] == '!' || text[word.begin - 1] == '#')) --word.begin;
  return word;
}

std::string aboutAttribute(const AttrDef& attr, const OpDef& def) {
  std::string out = "Attribute `" + std::string(attr.name) + "` of `" + std::string(def.name()) +
                    "`: " + std::string(attr.constraint->summary);
  if (!attr.defaultText.empty()) out += ", default `" + std::string(attr.defaultText) + "`";
  if (!attr.doc.empty()) out += "\n\n" + std::string(attr.doc);
  return out + "\n";
}

std::string aboutWord(const Query& query, const Span& word) {
  const Context& context = query.reading.context();
  const SourceIndex& index = query.piece()->index;
  const std::string name = query.document.text().substr(word.begin, word.end - word.begin);
  if (name.empty()) return {};
  if (name[0] == '!') {
    const DialectTypeDef* type = context.findType(name.substr(1));
    return type ? "Type `" + name + "`: " + std::string(type->doc) + "\n" : "";
  }
  if (name[0] == '#') {
    const DialectAttrDef* attr = context.findAttr(name.substr(1));
    return attr ? "Attribute `" + name + "`: " + std::string(attr->doc) + "\n" : "";
  }
  const uint32_t op = index.opAt(query.local());
  if (op == SourceIndex::kNone) return {};
  const AttrDef* attr = index.ops[op].def->findAttr(name);
  return attr ? aboutAttribute(*attr, *index.ops[op].def) : "";
}

/// The op whose name is at the place; null: none.
const OpDef* opNamedAt(const Query& query) {
  const SourceIndex& index = query.piece()->index;
  const uint32_t op = index.opAt(query.local());
  if (op == SourceIndex::kNone || !index.ops[op].name.contains(query.local())) return nullptr;
  return index.ops[op].def;
}

Json markdown(const std::string& text, Json range) {
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}, {"range", std::move(range)}};
}

}  // namespace

Json hover(const Query& query) {
  const Reading::Piece* piece = query.piece();
  if (!piece || query.offset < piece->begin) return nullptr;
  if (const Mention* mention = query.mention()) {
    std::string text = aboutName(query, *mention);
    return text.empty() ? Json() : markdown(text, query.range(mention->span));
  }
  const Span word = wordAt(query.document.text(), query.offset);
  const Json range = toJson(query.document.rangeOf(word.begin, word.end));
  if (const OpDef* def = opNamedAt(query))
    return markdown("**" + std::string(def->name()) + "**\n\n" + opDocs(*def), range);
  std::string text = aboutWord(query, word);
  return text.empty() ? Json() : markdown(text, range);
}

}  // namespace airlite::tools
