// Collecting and writing `#map`, `#set` and the like.
#include "Aliases.hpp"

#include <algorithm>
#include <map>

#include "PrinterState.hpp"

namespace airlite::text {

/// What `#` is followed by, before a number; empty for attributes without an alias. Loop
/// annotations have one, as in the MLIR tools: they are long and stand on many loops.
static std::string_view aliasBase(Attribute attribute) {
  if (attribute.isa<AffineMapAttr>()) return "map";
  if (attribute.isa<IntegerSetAttr>()) return "set";
  constexpr std::string_view kLlvm = "llvm.";
  DialectAttr dialect = attribute.dynCast<DialectAttr>();
  bool named = dialect && dialect.name().starts_with("llvm.loop_");
  return named ? dialect.name().substr(kLlvm.size()) : std::string_view();
}

/// Attributes in the parameters of `attribute`, where dialects keep them: in a dictionary.
static void forEachInside(Attribute attribute, FunctionRef<void(Attribute)> callback) {
  DialectAttr dialect = attribute.dynCast<DialectAttr>();
  if (!dialect) return;
  for (Attribute parameter : dialect.parameters())
    if (DictionaryAttr fields = parameter.dynCast<DictionaryAttr>())
      for (const NamedAttribute& field : fields.value()) callback(field.value);
}

uint32_t Aliases::visit(Attribute attribute) {
  unsigned depth = 0;
  forEachInside(attribute, [&](Attribute inside) {
    if (!aliasBase(inside).empty()) depth = std::max(depth, depths_[visit(inside)] + 1);
  });
  uint32_t& entry = index_[attribute.storage()];
  if (entry == 0) {
    symbols_.push_back(attribute);
    depths_.push_back(depth);
    entry = static_cast<uint32_t>(symbols_.size());
  }
  visits_.push_back(entry - 1);
  return entry - 1;
}

bool Aliases::use(Attribute attribute, const std::string& out) {
  if (!enabled_ || aliasBase(attribute).empty()) return false;
  uint32_t symbol = visit(attribute);
  uses_.push_back({out.size(), symbol});
  return true;
}

void Aliases::setVisits(size_t first, std::vector<uint32_t> visits) {
  visits_.resize(first);
  visits_.insert(visits_.end(), visits.begin(), visits.end());
}

std::vector<uint32_t> Aliases::visits(size_t first, size_t end) const {
  return {visits_.begin() + static_cast<ptrdiff_t>(first),
          visits_.begin() + static_cast<ptrdiff_t>(end)};
}

std::vector<uint32_t> Aliases::definitions() const {
  std::vector<bool> seen(symbols_.size());
  std::vector<uint32_t> order;
  for (uint32_t symbol : visits_) {
    if (!seen[symbol]) order.push_back(symbol);
    seen[symbol] = true;
  }
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (depths_[a] != depths_[b]) return depths_[a] < depths_[b];
    return aliasBase(symbols_[a]) < aliasBase(symbols_[b]);
  });
  return order;
}

std::vector<std::string> Aliases::names(const std::vector<uint32_t>& definitions) const {
  std::vector<std::string> names(symbols_.size());
  std::map<std::string_view, unsigned> counts;
  for (uint32_t symbol : definitions) {
    std::string_view base = aliasBase(symbols_[symbol]);
    unsigned number = counts[base]++;
    names[symbol] = '#' + std::string(base) + (number ? std::to_string(number) : "");
  }
  return names;
}

static void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

void Aliases::appendDefinition(std::string& out, uint32_t symbol,
                               const std::vector<uint32_t>& before,
                               const std::vector<std::string>& names) const {
  std::string text = printAttributeToString(symbols_[symbol]);
  // What stands in it was defined before; the outermost goes first.
  for (size_t i = before.size(); depths_[symbol] != 0 && i--;)
    if (depths_[before[i]] < depths_[symbol])
      replaceAll(text, printAttributeToString(symbols_[before[i]]), names[before[i]]);
  out += names[symbol] + " = " + text + "\n";
}

void Aliases::finish(std::string& out) const {
  if (!any()) return;
  std::vector<uint32_t> definitions = this->definitions();
  std::vector<std::string> names = this->names(definitions);
  std::string text;
  text.reserve(out.size() + uses_.size() * 8 + symbols_.size() * 80);
  for (uint32_t symbol : definitions) appendDefinition(text, symbol, definitions, names);
  size_t at = 0;
  for (const Use& use : uses_) {
    text.append(out, at, use.position - at);
    text += names[use.symbol];
    at = use.position;
  }
  text.append(out, at);
  out = std::move(text);
}

}  // namespace airlite::text
