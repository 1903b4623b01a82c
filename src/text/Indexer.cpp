// Names and operations of a text with their places, see Indexer.hpp.
#include "Indexer.hpp"

#include "Lexer.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace airlite::text {

Indexer::Indexer(SourceIndex& index, std::string_view text) : index_(index), text_(text) {
  index_ = {};
  beginRegion(true, 0);
}

uint32_t Indexer::addEntity(NameKind kind, Span span) {
  SourceIndex::Entity entity;
  entity.kind = kind;
  entity.name = nameAt(span);
  entity.span = span;
  entity.op = ops_.empty() ? SourceIndex::kNone : ops_.back();
  entity.isolated = isolated_.back()->index;
  entity.seenUntil = static_cast<uint32_t>(text_.size());
  index_.entities.push_back(entity);
  return static_cast<uint32_t>(index_.entities.size() - 1);
}

size_t Indexer::addMention(NameKind kind, Span span, uint32_t entity) {
  SourceIndex::Mention mention;
  mention.kind = kind;
  mention.span = span;
  mention.name = nameAt(span);
  mention.entity = entity;
  mention.op = ops_.empty() ? SourceIndex::kNone : ops_.back();
  mention.isDefinition = entity != SourceIndex::kNone && index_.entities[entity].span == span;
  index_.mentions.push_back(mention);
  return index_.mentions.size() - 1;
}

// -- Operations and regions ---------------------------------------------------------------------

void Indexer::beginOp(const OpDef& def, uint32_t begin, Span name) {
  SourceIndex::Op op;
  op.def = &def;
  op.parent = ops_.empty() ? SourceIndex::kNone : ops_.back();
  op.name = name;
  op.span = {begin, name.end};
  index_.ops.push_back(op);
  ops_.push_back(static_cast<uint32_t>(index_.ops.size() - 1));
  firstMention_.push_back(index_.mentions.size());
}

/// Is `symbol` what `name`, the inside of a string, stands for?
static bool isEscaped(std::string_view name, std::string_view symbol) {
  if (name.find('\\') == std::string_view::npos) return false;
  return unescapeString('"' + std::string(name) + '"') == symbol;
}

/// The place at which the innermost open op writes its own name. Without `symbol` the op could not
/// be read: then it is the first symbol of an op that has one.
size_t Indexer::symbolMention(std::string_view symbol) const {
  const bool isKnown = !symbol.empty();
  for (size_t i = firstMention_.back(); i < index_.mentions.size(); ++i) {
    const SourceIndex::Mention& mention = index_.mentions[i];
    if (mention.kind != NameKind::Symbol || mention.op != ops_.back()) continue;
    if (!isKnown || mention.name == symbol || isEscaped(mention.name, symbol)) return i;
  }
  return index_.mentions.size();
}

void Indexer::endOp(uint32_t end, std::string_view symbol) {
  const uint32_t number = ops_.back();
  SourceIndex::Op& op = index_.ops[number];
  op.span.end = std::max(op.span.end, end);
  const bool mayDefine = op.def->has(Trait::Symbol) || !symbol.empty();
  const size_t at = mayDefine ? symbolMention(symbol) : index_.mentions.size();
  if (at < index_.mentions.size()) {
    SourceIndex::Mention& mention = index_.mentions[at];
    op.symbol = addEntity(NameKind::Symbol, mention.span);
    mention.entity = op.symbol;
    mention.isDefinition = true;
  }
  ops_.pop_back();
  firstMention_.pop_back();
}

void Indexer::beginRegion(bool isIsolated, uint32_t at) {
  regions_.push_back({defined_.size(), {}, {}});
  if (!isIsolated) return;
  index_.isolated.push_back({{at, static_cast<uint32_t>(text_.size())}});
  isolated_.push_back(std::make_unique<IsolatedNames>());
  isolated_.back()->index = static_cast<uint32_t>(index_.isolated.size() - 1);
}

void Indexer::forgetNames(size_t firstDefined, uint32_t at) {
  Names& names = isolated_.back()->values;
  for (size_t i = firstDefined; i < defined_.size(); ++i) {
    SourceIndex::Entity& entity = index_.entities[defined_[i]];
    entity.seenUntil = at;
    auto named = names.find(entity.name);
    if (named != names.end() && named->second == defined_[i]) names.erase(named);
  }
  defined_.resize(firstDefined);
}

void Indexer::endRegion(bool isIsolated, uint32_t at) {
  OpenRegion region = std::move(regions_.back());
  regions_.pop_back();
  for (size_t mention : region.pending) {
    auto named = region.blocks.find(index_.mentions[mention].name);
    if (named != region.blocks.end()) index_.mentions[mention].entity = named->second;
  }
  for (auto& [name, entity] : region.blocks)
    index_.entities[entity].seenUntil = at;
  forgetNames(region.firstDefined, at);
  if (!isIsolated) return;
  index_.isolated[isolated_.back()->index].span.end = at;
  isolated_.pop_back();
}

// -- Names --------------------------------------------------------------------------------------

void Indexer::mention(NameKind kind, Span span, uint32_t number) {
  const size_t at = addMention(kind, span, SourceIndex::kNone);
  index_.mentions[at].number = number;
  if (kind == NameKind::Block) regions_.back().pending.push_back(at);
  if (kind == NameKind::Value) useValue(at);
}

void Indexer::useValue(size_t mention) {
  IsolatedNames& names = *isolated_.back();
  const std::string_view name = index_.mentions[mention].name;
  auto known = names.values.find(name);
  if (known == names.values.end()) return names.pending[name].push_back(mention);
  index_.mentions[mention].entity = known->second;
}

void Indexer::defineBlock(Span span) {
  const uint32_t entity = addEntity(NameKind::Block, span);
  addMention(NameKind::Block, span, entity);
  regions_.back().blocks.emplace(nameAt(span), entity);
}

void Indexer::defineAlias(NameKind kind, Span span) {
  addMention(kind, span, addEntity(kind, span));
}

void Indexer::defineValue(Span span, Value first, unsigned count) {
  const uint32_t number = addEntity(NameKind::Value, span);
  SourceIndex::Entity& entity = index_.entities[number];
  entity.firstType = static_cast<uint32_t>(index_.types.size());
  entity.isArgument = first && !first.definingOp();
  for (unsigned i = 0; first && i < count; ++i)
    index_.types.push_back(i == 0 ? first.type()
                                  : first.definingOp()->result(first.index() + i).type());
  entity.numTypes = static_cast<uint32_t>(index_.types.size()) - entity.firstType;
  addMention(NameKind::Value, span, number);
  IsolatedNames& names = *isolated_.back();
  if (!names.values.emplace(entity.name, number).second) return;  // defined twice: the first stays
  defined_.push_back(number);
  auto pending = names.pending.find(entity.name);
  if (pending == names.pending.end()) return;
  // As the reader has it: also one of an inner region, which verify will say does not dominate.
  for (size_t mention : pending->second)
    index_.mentions[mention].entity = number;
  names.pending.erase(pending);
}

// -- The end ------------------------------------------------------------------------------------

/// The op whose symbol table `op` is a member of; kNone: that of the text itself.
uint32_t Indexer::tableOf(uint32_t op) const {
  uint32_t at = index_.ops[op].parent;
  while (at != SourceIndex::kNone && !index_.ops[at].def->has(Trait::SymbolTable))
    at = index_.ops[at].parent;
  return at;
}

/// From the symbol table around the op `from` upwards.
uint32_t Indexer::lookUp(uint32_t from, std::string_view name) const {
  while (from != SourceIndex::kNone) {
    // An op with a table of its own names its members too.
    auto own = members_.find(from);
    if (own != members_.end() && own->second.contains(name)) return own->second.at(name);
    from = tableOf(from);
  }
  auto whole = members_.find(SourceIndex::kNone);
  if (whole == members_.end() || !whole->second.contains(name)) return SourceIndex::kNone;
  return whole->second.at(name);
}

void Indexer::resolveSymbols() {
  for (uint32_t i = 0; i < index_.ops.size(); ++i)
    if (uint32_t symbol = index_.ops[i].symbol; symbol != SourceIndex::kNone) {
      index_.entities[symbol].op = i;
      members_[tableOf(i)].emplace(index_.entities[symbol].name, symbol);
    }
  uint32_t root = SourceIndex::kNone;  // what the name before `::` stands for
  for (SourceIndex::Mention& mention : index_.mentions) {
    if (mention.kind != NameKind::Symbol) continue;
    const bool isNested =
        mention.span.begin >= 3 && text_.substr(mention.span.begin - 3, 2) == "::";
    if (isNested && !mention.isDefinition) {
      auto table =
          root == SourceIndex::kNone ? members_.end() : members_.find(index_.entities[root].op);
      if (table != members_.end() && table->second.contains(mention.name))
        mention.entity = table->second.at(mention.name);
    } else if (!mention.isDefinition) {
      mention.entity = lookUp(mention.op, mention.name);
    }
    root = mention.entity;
  }
}

void Indexer::resolveAliases() {
  Names attributes, types;
  for (uint32_t i = 0; i < index_.entities.size(); ++i) {
    const SourceIndex::Entity& entity = index_.entities[i];
    if (entity.kind == NameKind::AttrAlias) attributes.emplace(entity.name, i);
    if (entity.kind == NameKind::TypeAlias) types.emplace(entity.name, i);
  }
  for (SourceIndex::Mention& mention : index_.mentions) {
    const bool isType = mention.kind == NameKind::TypeAlias;
    if (!isType && mention.kind != NameKind::AttrAlias) continue;
    if (mention.isDefinition) continue;  // the name may be defined twice, which is an error
    const Names& names = isType ? types : attributes;
    auto named = names.find(mention.name);
    if (named != names.end()) mention.entity = named->second;
  }
}

void Indexer::finish() {
  const auto end = static_cast<uint32_t>(text_.size());
  while (regions_.size() > 1)
    endRegion(false, end);
  endRegion(true, end);
  // A piece of the text may have been read twice; of its definitions a name is also mentioned.
  auto order = [](const SourceIndex::Mention& m) {
    return std::tuple(m.span.begin, !m.isDefinition, m.entity == SourceIndex::kNone);
  };
  std::stable_sort(index_.mentions.begin(), index_.mentions.end(),
                   [&](const auto& a, const auto& b) { return order(a) < order(b); });
  auto last =
      std::unique(index_.mentions.begin(), index_.mentions.end(),
                  [](const auto& a, const auto& b) { return a.span.begin == b.span.begin; });
  index_.mentions.erase(last, index_.mentions.end());
  resolveSymbols();
  resolveAliases();
}

}  // namespace airlite::text

namespace airlite {

const SourceIndex::Mention* SourceIndex::mentionAt(uint32_t offset) const {
  auto after = std::upper_bound(
      mentions.begin(), mentions.end(), offset,
      [](uint32_t at, const Mention& mention) { return at + 1 < mention.span.begin; });
  // Between two neighbours the one that begins at the place is meant.
  for (unsigned i = 0; i < 2 && after != mentions.begin(); ++i)
    if (offset <= (--after)->span.end) return &*after;
  return nullptr;
}

uint32_t SourceIndex::opAt(uint32_t offset) const {
  auto after = std::upper_bound(ops.begin(), ops.end(), offset,
                                [](uint32_t at, const Op& op) { return at < op.span.begin; });
  uint32_t at = static_cast<uint32_t>(after - ops.begin());
  if (at == 0) return kNone;
  for (--at; at != kNone; at = ops[at].parent)
    if (ops[at].span.contains(offset)) return at;
  return kNone;
}

uint32_t SourceIndex::isolatedAt(uint32_t offset) const {
  // Regions begin in the order of the text, so the last one around the place is the innermost.
  auto after = std::upper_bound(
      isolated.begin(), isolated.end(), offset,
      [](uint32_t at, const IsolatedRegion& region) { return at < region.span.begin; });
  for (auto it = after; it != isolated.begin();)
    if ((--it)->span.contains(offset)) return static_cast<uint32_t>(it - isolated.begin());
  return 0;
}

}  // namespace airlite
