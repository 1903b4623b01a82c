// `#map`, `#set`, `#loop_annotation`: names for attributes, defined above the module.
#pragma once

#include <string>
#include <vector>

#include "../support/FlatMap.hpp"
#include "airlite/ir/Attribute.hpp"

namespace airlite::text {

/// Collects where aliases stand while the module is printed in one go; the names are written in at
/// the end. Numbers follow the order of visits, which is the order of the text except that in the
/// generic form an op's regions come before its types, and those before its attributes.
class Aliases {
 public:
  explicit Aliases(bool enabled) : enabled_(enabled) {}

  /// Notes a use of `attribute` at the end of `out` when it has an alias.
  bool use(Attribute attribute, const std::string& out);

  /// Puts the definitions in front of `out` and the names where the uses stand.
  void finish(std::string& out) const;

  bool any() const { return !visits_.empty(); }
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
  /// Notes a visit of `attribute` after those of what stands in it; gives its number.
  uint32_t visit(Attribute attribute);
  /// Visited symbols in the order of their definitions: what stands in others first, then by kind.
  std::vector<uint32_t> definitions() const;
  std::vector<std::string> names(const std::vector<uint32_t>& definitions) const;
  void appendDefinition(std::string& out, uint32_t symbol, const std::vector<uint32_t>& before,
                        const std::vector<std::string>& names) const;

  bool enabled_;
  detail::FlatMap<const void*, uint32_t> index_;  // symbol + 1
  std::vector<Attribute> symbols_;
  std::vector<unsigned> depths_;  // of the aliases inside
  std::vector<Use> uses_;
  std::vector<uint32_t> visits_;
};

}  // namespace airlite::text
