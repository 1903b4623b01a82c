// Naming of values and blocks for print.
#include "SsaNames.hpp"

#include "airlite/ir/Verifier.hpp"

#include <algorithm>
#include <charconv>

namespace airlite::text {

namespace {

bool isAsciiDigit(char c) { return c >= '0' && c <= '9'; }

bool isNameChar(char c) {
  return isAsciiDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '$' ||
         c == '.' || c == '_' || c == '-';
}

void appendNumber(std::string& out, uint64_t number) {
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void appendHexByte(std::string& out, unsigned char byte) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  if (byte >= 16) out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

}  // namespace

std::string sanitizedName(std::string_view text) {
  std::string name;
  for (char c : text) {
    if (isNameChar(c))
      name += c;
    else if (c == ' ')
      name += '_';
    else
      appendHexByte(name, static_cast<unsigned char>(c));
  }
  // A name that begins with a digit, be it of a code, would be read as a number.
  if (!name.empty() && isAsciiDigit(name[0])) name.insert(0, 1, '_');
  return name;
}

static bool matchesDefinition(Operation& op) {
  DiagnosticCollector silent(op.context());
  return succeeded(verifyOpShape(op));
}

SsaNames::SsaNames(Operation& root, bool plain, bool trusted) : plain_(plain), trusted_(trusted) {
  nameResults(root);
  nameNested(root);
}

// Plain numbers are handed out over the whole program; there the last region comes first, as in
// the reference tools.
void SsaNames::nameNested(Operation& op) {
  for (unsigned i = op.numRegions(); i-- > 0;) {
    Counters saved = next_;
    size_t mark = takenInOrder_.size();
    nameRegion(op.region(i));
    for (size_t n = mark; n < takenInOrder_.size(); ++n)
      taken_.erase(takenInOrder_[n]);
    takenInOrder_.resize(mark);
    if (!plain_) next_ = saved;
  }
}

void SsaNames::nameRegion(Region& region) {
  if (region.empty()) return;
  if (!plain_) suggestArguments(region);
  unsigned number = 0;
  for (Block& block : region.blocks()) {
    blocks_.set(&block, ++number);
    nameBlock(block);
  }
  for (Block* block = &region.back(); block; block = block->prev())
    for (Operation* op = block->empty() ? nullptr : &block->back(); op; op = op->prev())
      if (op->numRegions()) nameNested(*op);
}

void SsaNames::suggestArguments(Region& region) {
  Operation* parent = region.parentOp();
  if (!parent || !parent->def().nameArgumentsFn) return;
  if (!trusted_ && !matchesDefinition(*parent)) return;
  parent->def().nameArgumentsFn(
      region, [&](Value value, std::string_view suggestion) { setName(value, suggestion); });
}

void SsaNames::nameBlock(Block& block) {
  nameArguments(block);
  for (Operation& op : block.ops())
    if (op.numResults()) nameResults(op);
}

void SsaNames::nameArguments(Block& block) {
  bool entry = block.isEntry();
  for (unsigned i = 0; i < block.numArguments(); ++i) {
    Value argument = block.argument(i);
    if (entry && plain_)
      setNameOf(argument, kArgument + next_.argument++);
    else if (!isNamed(argument))
      setName(argument, entry ? "arg" + std::to_string(next_.argument++) : std::string());
  }
}

void SsaNames::nameResults(Operation& op) {
  if (op.numResults() == 0) return;
  if (plain_ && op.numResults() == 1) return setName(op.result(), {});
  std::vector<unsigned> groups;  // where groups start, but for the first
  if (!plain_) suggestResults(op, groups);
  if (!isNamed(op.result())) setName(op.result(), {});
  if (op.numResults() > 1) finishGroups(op, groups);
}

void SsaNames::suggestResults(Operation& op, std::vector<unsigned>& groups) {
  const OpDef& def = op.def();
  if (!trusted_ && !matchesDefinition(op)) return;
  auto suggest = [&](Value value, std::string_view suggestion) {
    if (value.definingOp() != &op || isNamed(value)) return;
    setName(value, suggestion);
    if (value.index() != 0) groups.push_back(value.index());
  };
  if (def.nameResultsFn)
    def.nameResultsFn(op, suggest);
  else if (!def.resultName.empty())
    suggest(op.result(), def.resultName);
}

// A named result starts a group; the results after it share its name and count from it.
void SsaNames::finishGroups(Operation& op, std::vector<unsigned>& groups) {
  groups.push_back(0);
  std::sort(groups.begin(), groups.end());
  groups.push_back(op.numResults());
  for (size_t g = 0; g + 1 < groups.size(); ++g) {
    uint32_t name = nameOf(op.result(groups[g]));
    unsigned size = groups[g + 1] - groups[g];
    for (unsigned i = 0; i < size; ++i) {
      setNameOf(op.result(groups[g] + i), size == 1 ? name : name | kGrouped);
      if (size > 1) positions_[op.result(groups[g] + i).impl()] = i;
    }
  }
}

void SsaNames::setName(Value value, std::string_view suggestion) {
  uint32_t id;
  if (suggestion.empty()) {
    id = next_.value++;
  } else {
    addText(suggestion);
    id = kText + static_cast<uint32_t>(texts_.size() - 1);
  }
  setNameOf(value, id);
}

void SsaNames::addText(std::string_view suggestion) {
  std::string name = sanitizedName(suggestion);
  if (isTaken(name)) {
    name += '_';
    size_t base = name.size();
    do {
      name.resize(base);
      appendNumber(name, next_.conflict++);
    } while (isTaken(name));
  }
  std::string_view kept = texts_.emplace_back(std::move(name));
  taken_.insert(kept);
  takenInOrder_.push_back(kept);
}

void SsaNames::append(std::string& out, Value value, bool withNumber) const {
  if (!value) {
    out += "<<NULL VALUE>>";
    return;
  }
  uint32_t entry = values_.get(value.impl());
  if (entry == 0) {
    out += "<<UNKNOWN SSA VALUE>>";
    return;
  }
  uint32_t name = entry - 1;
  out += '%';
  if (name & kText) {
    out += texts_[name & kNumber];
  } else {
    if (name & kArgument) out += "arg";
    appendNumber(out, name & kNumber);
  }
  if (!withNumber || !(name & kGrouped)) return;
  out += '#';
  appendNumber(out, positionInGroup(value));
}

unsigned SsaNames::positionInGroup(Value value) const {
  const unsigned* position = positions_.find(value.impl());
  return position ? *position : 0;
}

void SsaNames::appendResults(std::string& out, const Operation& op) const {
  if (op.numResults() == 1) return append(out, op.result(), false);
  for (unsigned i = 0; i < op.numResults();) {
    unsigned end = i + 1;
    auto sameGroup = [&](unsigned at) {
      Value value = op.result(at);
      return isNamed(value) && (nameOf(value) & kGrouped) && positionInGroup(value) > 0;
    };
    while (end < op.numResults() && sameGroup(end))
      ++end;
    if (i) out += ", ";
    append(out, op.result(i), false);
    if (end - i > 1) {
      out += ':';
      appendNumber(out, end - i);
    }
    i = end;
  }
}

void SsaNames::appendBlock(std::string& out, const Block* block) const {
  uint32_t number = block ? blocks_.get(block) : 0;
  if (number == 0) {
    out += "<<UNKNOWN BLOCK>>";
    return;
  }
  out += "^bb";
  appendNumber(out, number - 1);
}

}  // namespace airlite::text
