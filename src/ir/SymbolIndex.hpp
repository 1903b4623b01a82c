// Members of symbol tables by name, made when a table is asked often. Any change to the members of
// any table makes all of it stale (Context::noteSymbolChange). Private to ir/.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace airlite::detail {

class SymbolIndex {
 public:
  /// `change` counts the changes so far.
  Operation* find(Operation& table, std::string_view name, uint64_t change);

 private:
  struct Members {
    uint64_t madeAt = 0, askedAt = 0;
    unsigned asked = 0;  // since the last change
    std::unordered_map<std::string_view, Operation*> byName;
  };
  std::unordered_map<const Operation*, Members> tables_;
};

}  // namespace airlite::detail
