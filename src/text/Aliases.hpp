// `#loc`, `#map`, `#set` and the like: names for locations, affine maps, integer sets and what
// dialects have long texts for, defined above the module; locations that only say where something
// comes from are defined below it.
#pragma once

#include "../support/FlatMap.hpp"
#include "airlite/ir/Attribute.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::text {

class PrinterState;

/// Collects where aliases stand while the module is printed in one go; the names are written in at
/// the end. Numbers follow first how deeply an alias uses others, then the order of visits, which
/// is the order of the text except that the location of an op comes before the op and that in the
/// generic form an op's regions come before its types, and those before its attributes.
class Aliases {
 public:
  explicit Aliases(bool enabled) : enabled_(enabled) {}

  /// Notes a use of `attribute` at the end of `out` when it has an alias.
  bool use(Attribute attribute, const std::string& out);
  /// While off, uses are not visits: a name is used only when something else is a reason for it.
  void setVisiting(bool on) { visiting_ = on; }
  /// The location of an op or an argument: a visit without text, and text without a visit.
  void visitLocation(Context& context, Location location, bool inFront);
  bool useLocation(Context& context, Location location, const std::string& out);

  /// Puts the definitions around the text of `state` and the names where the uses stand.
  void finish(PrinterState& state);

  size_t numVisits() const { return visits_.size(); }
  /// The visits from `first` on become `visits`.
  void setVisits(size_t first, std::vector<uint32_t> visits);
  std::vector<uint32_t> visits(size_t first, size_t end) const;
  size_t numUses() const { return uses_.size(); }
  /// Forgets the uses from `first` on, not the visits: their text was dropped.
  void dropUses(size_t first) { uses_.resize(first); }

 private:
  struct Use {
    size_t position;
    uint32_t symbol;
  };
  struct Symbol {
    Attribute attribute;
    unsigned depth = 1;
    bool inFront = false;
    std::vector<uint32_t> inside = {};
    std::string name = {};
  };
  uint32_t symbolOf(Attribute attribute);
  uint32_t symbolOf(Context& context, Location location);
  unsigned collect(Attribute attribute, std::vector<uint32_t>& symbols);
  void visit(uint32_t symbol, std::vector<bool>& seen, std::vector<uint32_t>& order) const;
  std::vector<uint32_t> inOrder() const;
  void putInFront(uint32_t symbol);
  bool comesBefore(uint32_t a, uint32_t b) const;
  void nameAll(const std::vector<uint32_t>& order);
  std::string withNames(const std::string& text) const;
  std::string textOf(PrinterState& state, uint32_t symbol);

  bool enabled_;
  bool visiting_ = true;
  bool collected_ = false;                        // no symbols are added any more
  detail::FlatMap<const void*, uint32_t> index_;  // symbol + 1
  std::vector<Symbol> symbols_;
  std::vector<Use> uses_;
  std::vector<uint32_t> visits_;
};

}  // namespace airlite::text
