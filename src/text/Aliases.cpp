// Collecting and writing `#map` and `#set`.
#include "Aliases.hpp"

#include "PrinterState.hpp"

namespace airlite::text {

bool Aliases::use(Attribute attribute, const std::string& out) {
  bool aliased = attribute.isa<AffineMapAttr>() || attribute.isa<IntegerSetAttr>();
  if (!enabled_ || !aliased) return false;
  uint32_t& entry = index_[attribute.storage()];
  if (entry == 0) {
    symbols_.push_back(attribute);
    entry = static_cast<uint32_t>(symbols_.size());
  }
  uses_.push_back({out.size(), entry - 1});
  visits_.push_back(entry - 1);
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

std::vector<std::string> Aliases::names() const {
  std::vector<std::string> names(symbols_.size());
  unsigned maps = 0, sets = 0;
  for (uint32_t symbol : visits_) {
    if (!names[symbol].empty()) continue;
    bool isMap = symbols_[symbol].isa<AffineMapAttr>();
    unsigned number = isMap ? maps++ : sets++;
    names[symbol] = isMap ? "#map" : "#set";
    if (number) names[symbol] += std::to_string(number);
  }
  return names;
}

void Aliases::appendDefinitions(std::string& out, const std::vector<std::string>& names) const {
  for (bool maps : {true, false}) {
    std::vector<bool> done(symbols_.size());
    for (uint32_t symbol : visits_) {
      if (done[symbol] || symbols_[symbol].isa<AffineMapAttr>() != maps) continue;
      done[symbol] = true;
      out += names[symbol] + " = " + printAttributeToString(symbols_[symbol]) + "\n";
    }
  }
}

void Aliases::finish(std::string& out) const {
  if (!any()) return;
  std::vector<std::string> names = this->names();
  std::string text;
  text.reserve(out.size() + uses_.size() * 8 + symbols_.size() * 80);
  appendDefinitions(text, names);
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
