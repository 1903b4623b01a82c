// Collecting and writing `#loc`, `#map` and `#set`.
#include "Aliases.hpp"

#include "LocationAliases.hpp"
#include "PrinterState.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace airlite::text {

/// What `#` is followed by, before a number; empty for attributes without an alias. Loop
/// annotations have one, as in the MLIR tools: they are long and stand on many loops.
static std::string_view aliasBase(Attribute attribute) {
  if (attribute.isa<LocationAttr>()) return "loc";
  if (attribute.isa<AffineMapAttr>()) return "map";
  if (attribute.isa<IntegerSetAttr>()) return "set";
  constexpr std::string_view kLlvm = "llvm.";
  DialectAttr dialect = attribute.dynCast<DialectAttr>();
  bool named = dialect && dialect.name().starts_with("llvm.loop_");
  return named ? dialect.name().substr(kLlvm.size()) : std::string_view();
}

static bool isAliased(Attribute attribute) { return !aliasBase(attribute).empty(); }

// -- Collecting ---------------------------------------------------------------------------------

uint32_t Aliases::symbolOf(Attribute attribute) {
  uint32_t& entry = index_[attribute.storage()];
  if (entry) return entry - 1;
  auto symbol = static_cast<uint32_t>(symbols_.size());
  entry = symbol + 1;
  symbols_.push_back({attribute});
  std::vector<uint32_t> inside;
  unsigned deepest = 0;
  forEachInside(attribute,
                [&](Attribute part) { deepest = std::max(deepest, collect(part, inside)); });
  symbols_[symbol].depth = deepest + 1;
  symbols_[symbol].inside = std::move(inside);
  return symbol;
}

uint32_t Aliases::symbolOf(Context& context, Location location) {
  return symbolOf(LocationAttr::get(context, canonicalLocation(context, location)));
}

/// The aliases in `attribute` are appended to `symbols`; how many levels of them there are.
unsigned Aliases::collect(Attribute attribute, std::vector<uint32_t>& symbols) {
  if (isAliased(attribute)) {
    symbols.push_back(symbolOf(attribute));
    return symbols_[symbols.back()].depth;
  }
  unsigned deepest = 0;
  forEachInside(attribute,
                [&](Attribute part) { deepest = std::max(deepest, collect(part, symbols)); });
  return deepest ? deepest + 1 : 0;
}

bool Aliases::use(Attribute attribute, const std::string& out) {
  if (!enabled_ || !isAliased(attribute)) return false;
  if (collected_ && !index_.find(attribute.storage())) return false;
  auto location = attribute.dynCast<LocationAttr>();
  uint32_t symbol =
      location ? symbolOf(attribute.context(), location.value()) : symbolOf(attribute);
  uses_.push_back({out.size(), symbol});
  if (!visiting_) return true;
  symbols_[symbol].inFront = true;
  visits_.push_back(symbol);
  return true;
}

void Aliases::visitLocation(Context& context, Location location, bool inFront) {
  if (!enabled_) return;
  visits_.push_back(symbolOf(context, location));
  symbols_[visits_.back()].inFront |= inFront;
}

bool Aliases::useLocation(Context& context, Location location, const std::string& out) {
  if (enabled_) uses_.push_back({out.size(), symbolOf(context, location)});
  return enabled_;
}

void Aliases::setVisits(size_t first, std::vector<uint32_t> visits) {
  visits_.resize(first);
  visits_.insert(visits_.end(), visits.begin(), visits.end());
}

std::vector<uint32_t> Aliases::visits(size_t first, size_t end) const {
  return {visits_.begin() + static_cast<ptrdiff_t>(first),
          visits_.begin() + static_cast<ptrdiff_t>(end)};
}

// -- Naming -------------------------------------------------------------------------------------

void Aliases::visit(uint32_t symbol, std::vector<bool>& seen, std::vector<uint32_t>& order) const {
  if (seen[symbol]) return;
  seen[symbol] = true;
  order.push_back(symbol);
  for (uint32_t part : symbols_[symbol].inside)
    visit(part, seen, order);
}

bool Aliases::comesBefore(uint32_t a, uint32_t b) const {
  if (symbols_[a].depth != symbols_[b].depth) return symbols_[a].depth < symbols_[b].depth;
  return aliasBase(symbols_[a].attribute) < aliasBase(symbols_[b].attribute);
}

/// The order of the definitions.
std::vector<uint32_t> Aliases::inOrder() const {
  std::vector<bool> seen(symbols_.size());
  std::vector<uint32_t> order;
  for (uint32_t symbol : visits_)
    visit(symbol, seen, order);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return comesBefore(a, b); });
  return order;
}

/// What a definition in front of the module uses stands there too.
void Aliases::putInFront(uint32_t symbol) {
  for (uint32_t part : symbols_[symbol].inside) {
    if (symbols_[part].inFront) continue;
    symbols_[part].inFront = true;
    putInFront(part);
  }
}

void Aliases::nameAll(const std::vector<uint32_t>& order) {
  std::map<std::string_view, unsigned> counts;
  for (uint32_t symbol : order) {
    std::string_view base = aliasBase(symbols_[symbol].attribute);
    unsigned number = counts[base]++;
    symbols_[symbol].name = '#' + std::string(base) + (number ? std::to_string(number) : "");
  }
}

// -- Writing ------------------------------------------------------------------------------------

std::string Aliases::withNames(const std::string& out) const {
  std::string text;
  text.reserve(out.size() + uses_.size() * 8);
  size_t at = 0;
  for (const Use& use : uses_) {
    text.append(out, at, use.position - at);
    text += symbols_[use.symbol].name;
    at = use.position;
  }
  text.append(out, at);
  return text;
}

std::string Aliases::textOf(PrinterState& state, uint32_t symbol) {
  uses_.clear();
  state.out.clear();
  state.appendUnnamed(symbols_[symbol].attribute, TypeSuffix::Always);
  return withNames(state.out);
}

void Aliases::finish(PrinterState& state) {
  if (uses_.empty() && visits_.empty()) return;
  collected_ = true;
  for (uint32_t symbol = 0; symbol < symbols_.size(); ++symbol)
    if (symbols_[symbol].inFront) putInFront(symbol);
  std::vector<uint32_t> order = inOrder();
  nameAll(order);
  std::string body = std::exchange(state.out, {});
  std::vector<Use> uses = std::exchange(uses_, {});
  for (size_t i = symbols_.size(); i-- > 0;)  // what stands in others comes after them
    if (symbols_[i].name.empty()) symbols_[i].name = textOf(state, static_cast<uint32_t>(i));
  uses_ = std::move(uses);
  body = withNames(body);
  std::string text, atEnd;
  text.reserve(body.size() + order.size() * 80);
  for (uint32_t symbol : order) {
    bool inFront = symbols_[symbol].inFront;
    std::string line = symbols_[symbol].name + " = " + textOf(state, symbol);
    if (inFront)
      text += line + "\n";
    else
      atEnd += "\n" + line;
  }
  text += body;
  text += atEnd;
  state.out = std::move(text);
}

}  // namespace airlite::text
