// What may be written at the cursor: names that are seen there, ops, and what the op of the line
// takes.
#include "Query.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

namespace airlite::tools {

namespace {

using Entity = SourceIndex::Entity;
using NameKind = SourceIndex::NameKind;

constexpr size_t kMostItems = 400;  // an editor shows a screen of them, and asks again

// CompletionItemKind of the protocol.
enum ItemKind {
  kFunction = 3,
  kVariable = 6,
  kModule = 9,
  kProperty = 10,
  kValue = 12,
  kKeyword = 14,
  kStruct = 22
};

/// What is being written: a sign or nothing, and the begin of a name.
struct Begun {
  char sign = 0;       // % @ ^ ! # or 0
  uint32_t begin = 0;  // of the name, after the sign
  std::string prefix;
};

bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
         c == '-';
}

Begun begunAt(std::string_view text, uint32_t offset) {
  Begun begun;
  begun.begin = std::min(offset, static_cast<uint32_t>(text.size()));
  const uint32_t end = begun.begin;
  while (begun.begin > 0 && isNamePart(text[begun.begin - 1]))
    --begun.begin;
  begun.prefix = text.substr(begun.begin, end - begun.begin);
  if (begun.begin > 0 && std::string_view("%@^!#").find(text[begun.begin - 1]) != std::string::npos)
    begun.sign = text[begun.begin - 1];
  return begun;
}

class Completer {
 public:
  explicit Completer(const Query& query)
      : query_(query), begun_(begunAt(query.document.text(), query.offset)) {}

  Json complete() {
    if (begun_.sign) {
      names();
    } else if (isStatement()) {
      ops();
    } else {
      partsOfOp();
    }
    return {{"isIncomplete", isCut_}, {"items", std::move(items_)}};
  }

 private:
  void add(std::string_view label, ItemKind kind, std::string_view detail,
           std::string_view doc = {}) {
    if (!label.starts_with(begun_.prefix) || !seen_.insert(std::string(label)).second) return;
    if (items_.size() == kMostItems) {
      isCut_ = true;
      return;
    }
    Json item{{"label", label},
              {"kind", static_cast<int>(kind)},
              {"detail", detail},
              {"textEdit",
               {{"range", toJson(query_.document.rangeOf(begun_.begin, query_.offset))},
                {"newText", label}}}};
    if (!doc.empty()) item["documentation"] = {{"kind", "markdown"}, {"value", doc}};
    items_.push_back(std::move(item));
  }

  const SourceIndex& index() const { return query_.piece()->index; }

  void names() {
    switch (begun_.sign) {
      case '%': return values();
      case '@': return entities(NameKind::Symbol, kFunction);
      case '^': return entities(NameKind::Block, kValue);
      case '!':
        entities(NameKind::TypeAlias, kStruct);
        for (const DialectTypeDef* type : query_.reading.context().typeDefs())
          add(type->name, kStruct, "type", type->doc);
        return;
      default:
        entities(NameKind::AttrAlias, kValue);
        for (const DialectAttrDef* attr : query_.reading.context().attrDefs())
          add(attr->name, kStruct, "attribute", attr->doc);
    }
  }

  /// Those that the place sees, the nearest first.
  void values() {
    const uint32_t at = query_.local(), isolated = index().isolatedAt(at);
    for (size_t i = index().entities.size(); i-- > 0;) {
      const Entity& entity = index().entities[i];
      if (entity.kind != NameKind::Value || entity.isolated != isolated) continue;
      if (entity.span.begin >= at || at > entity.seenUntil || isBeingWritten(entity)) continue;
      add(entity.name, kVariable,
          entity.numTypes ? index().types[entity.firstType].str() : std::string());
    }
  }

  bool isBeingWritten(const Entity& entity) const {
    return query_.piece()->begin + entity.span.begin == begun_.begin;
  }

  void entities(NameKind kind, ItemKind itemKind) {
    for (const Entity& entity : index().entities) {
      if (entity.kind != kind || isBeingWritten(entity)) continue;
      const bool hasOp = kind == NameKind::Symbol && entity.op != SourceIndex::kNone;
      add(entity.name, itemKind, hasOp ? index().ops[entity.op].def->name() : std::string_view());
    }
  }

  /// An op begins here: the line, or what follows `=`, `{`, `}` or a block's name, holds only the
  /// name.
  bool isStatement() const {
    std::string_view text = query_.document.text();
    uint32_t at = begun_.begin;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
      --at;
    if (at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r') return true;
    if (text[at - 1] == '=') return resultsEndAt(at - 1);
    return text[at - 1] == '}';
  }

  /// `%a, %b:2 =` from the begin of the line.
  bool resultsEndAt(uint32_t end) const {
    const Position place = query_.document.positionOf(end);
    std::string_view line = query_.document.lineText(place.line);
    line = line.substr(0, end - query_.document.lineStart(place.line));
    const size_t first = line.find_first_not_of(" \t");
    return first != std::string_view::npos && line[first] == '%' &&
           line.find_first_of("({[<\"") == std::string_view::npos;
  }

  void ops() {
    for (const OpDef* def : query_.reading.context().opDefs())
      if (def->registered && !def->legacy)
        add(def->name(), kFunction, def->formatText, def->docText);
  }

  /// The op that is being written: the last one whose name stands before the place.
  const OpDef* opOfPlace() const {
    const uint32_t at = query_.local();
    const auto& ops = index().ops;
    auto after = std::upper_bound(ops.begin(), ops.end(), at,
                                  [](uint32_t o, const auto& op) { return o <= op.name.end; });
    return after == ops.begin() ? nullptr : (after - 1)->def;
  }

  void partsOfOp() {
    const OpDef* def = opOfPlace();
    if (!def) return;
    for (const AttrDef& attr : def->attributes) {
      add(attr.name, kProperty, attr.constraint->summary, attr.doc);
      for (std::string_view keyword : attr.constraint->cases)
        add(keyword, kValue, attr.name);
    }
    keywords(def->formatText);
  }

  /// The words that a format writes between backquotes.
  void keywords(std::string_view format) {
    for (size_t open = format.find('`'); open != std::string_view::npos;) {
      const size_t close = format.find('`', open + 1);
      if (close == std::string_view::npos) return;
      const std::string_view word = format.substr(open + 1, close - open - 1);
      const bool isWord = !word.empty() && std::all_of(word.begin(), word.end(),
                                                       [](char c) { return isNamePart(c); });
      if (isWord) add(word, kKeyword, "keyword");
      open = format.find('`', close + 1);
    }
  }

  const Query& query_;
  Begun begun_;
  Json items_ = Json::array();
  std::set<std::string> seen_;
  bool isCut_ = false;
};

}  // namespace

Json completion(const Query& query) {
  const Reading::Piece* piece = query.piece();
  if (!piece || query.offset < piece->begin) return nullptr;
  return Completer(query).complete();
}

}  // namespace airlite::tools
