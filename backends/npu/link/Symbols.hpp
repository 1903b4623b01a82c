// Which part of memory each symbol of each object means: the rules of ELF for strong, weak, common
// and local symbols, and for groups of which one is linked.
#pragma once

#include "airlite/npu/link/Linker.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::npu::link {

/// Memory that is placed as a whole: a section of an object, or a common symbol.
struct Part {
  uint32_t object = 0;
  const ObjectSection* section = nullptr;  ///< null: a common symbol
  std::string name;
  SectionKind kind = SectionKind::Zeros;
  uint32_t alignment = 1;
  uint32_t size = 0;
  bool isLive = false;   ///< will be linked
  uint32_t address = 0;  ///< once it is placed
};

/// What a symbol stands for.
struct Meaning {
  enum class Kind : uint8_t { Undefined, Number, InPart, Discarded, NotLoaded };
  Kind kind = Kind::Undefined;
  uint32_t part = 0;   ///< of InPart: an index in parts()
  uint32_t value = 0;  ///< bytes into the part, or the number
  bool isWeak = false;
};

class Symbols {
 public:
  /// Appends what clashes to `errors`. The request has to stay.
  Symbols(const LinkRequest& request, std::vector<std::string>& errors);

  std::vector<Part>& parts() { return parts_; }
  const std::vector<Part>& parts() const { return parts_; }

  /// What the symbol with this index means to its object.
  Meaning meaningOf(uint32_t object, uint32_t symbol) const;
  /// What a name means to all objects.
  Meaning meaningOf(std::string_view name) const;

  /// What may have been meant by a name that nobody defines; empty: no idea.
  std::string suggestionFor(std::string_view name) const;

 private:
  struct Definition {
    Meaning meaning;
    uint32_t object = 0;
    SymbolPlace place = SymbolPlace::Undefined;
    uint32_t size = 0, alignment = 1;  // of a common symbol
  };

  void addParts(uint32_t object);
  void define(uint32_t object, const ObjectSymbol& symbol);
  void mergeCommon(Definition& old, const ObjectSymbol& symbol);
  void placeCommons();
  std::string whereIs(const Definition& definition) const;

  const LinkRequest& request_;
  std::vector<std::string>& errors_;
  std::vector<Part> parts_;
  std::vector<std::vector<std::optional<uint32_t>>> partOf_;  // [object][section]
  std::unordered_set<std::string_view> groups_;
  std::unordered_map<std::string_view, Definition> globals_;
  std::vector<std::string_view> order_;  // names in globals_, as they were met
};

}  // namespace airlite::npu::link
