// Symbol tables: names to operations.
//
//   Operation* callee = lookupSymbol(&call, "kernel");  // from the call upwards; null: none
//   SymbolMap names(module);                            // for many lookups
//   std::string name = names.unusedName("kernel");      // "kernel_0" when there is a "kernel"
#pragma once

#include "airlite/ir/Operation.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace airlite {

inline constexpr std::string_view kSymbolName = "sym_name";

/// `sym_name` of an op, or "".
std::string_view symbolName(const Operation& op);
/// The nearest op at or above `from` that holds a symbol table.
Operation* nearestSymbolTable(Operation* from);
/// Direct member of `table` called `name`; null when there is none. Many questions without a change
/// to any symbol table between them cost a look into an index each, otherwise one is linear in the
/// table: a pass that adds members as it asks keeps a SymbolMap.
Operation* lookupSymbolIn(Operation& table, std::string_view name);
/// Resolves a reference from `from` upwards through the enclosing symbol tables.
Operation* lookupSymbol(Operation* from, SymbolRefAttr reference);
Operation* lookupSymbol(Operation* from, std::string_view name);
/// Every reference to a symbol in `op`'s own attributes.
void forEachSymbolUse(const Operation& op, FunctionRef<void(SymbolRefAttr)> callback);
bool isPrivateSymbol(const Operation& op);

/// The members of one table by name, for many lookups.
class SymbolMap {
 public:
  explicit SymbolMap(Operation& table);
  Operation* find(std::string_view name) const;
  /// `base`, or `base_N` with the first free N.
  std::string unusedName(std::string_view base) const;
  void add(Operation& op);

 private:
  std::unordered_map<std::string, Operation*> members_;
};

}  // namespace airlite
