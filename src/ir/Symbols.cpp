// Symbol tables: lookup, uses, maps.
#include "airlite/ir/Symbols.hpp"

#include "ContextImpl.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite {

std::string_view symbolName(const Operation& op) {
  StringAttr name = op.attrOf<StringAttr>(kSymbolName);
  return name ? name.value() : std::string_view();
}

Operation* nearestSymbolTable(Operation* from) {
  while (from && !from->hasTrait(Trait::SymbolTable))
    from = from->parentOp();
  return from;
}

namespace {

template <class Visit> Operation* findMember(Operation& table, Visit visit) {
  for (Region& region : table.regions())
    for (Block& block : region.blocks())
      for (Operation& op : block.ops())
        if (visit(op)) return &op;
  return nullptr;
}

/// Questions after a change that are answered by looking at the members: a pass that adds a member,
/// asks for one and continues so does not make an index each time.
constexpr unsigned kAskedWithoutIndex = 4;

}  // namespace

Operation* detail::SymbolIndex::find(Operation& table, std::string_view name, uint64_t change) {
  Members& members = tables_[&table];
  if (members.madeAt != change) {
    members.asked = members.askedAt == change ? members.asked + 1 : 1;
    members.askedAt = change;
    if (members.asked <= kAskedWithoutIndex)
      return findMember(table, [&](Operation& op) { return symbolName(op) == name; });
    members.byName.clear();
    members.madeAt = change;
    findMember(table, [&](Operation& op) {
      if (std::string_view own = symbolName(op); !own.empty()) members.byName.emplace(own, &op);
      return false;
    });
  }
  auto found = members.byName.find(name);
  return found == members.byName.end() ? nullptr : found->second;
}

Operation* lookupSymbolIn(Operation& table, std::string_view name) {
  if (name.empty()) return nullptr;  // an op without a name is not a member
  // Only changes to the members of symbol tables are counted.
  if (!table.hasTrait(Trait::SymbolTable))
    return findMember(table, [&](Operation& op) { return symbolName(op) == name; });
  Context& context = table.context();
  return context.impl().symbols.find(table, name, context.symbolChanges());
}

namespace {

/// The op that `reference` names when its first part is a member of `table`.
Operation* lookupPath(Operation& table, SymbolRefAttr reference) {
  Operation* op = lookupSymbolIn(table, reference.root());
  for (std::string_view name : reference.nested()) {
    if (!op || !op->hasTrait(Trait::SymbolTable)) return nullptr;
    op = lookupSymbolIn(*op, name);
  }
  return op;
}

}  // namespace

Operation* lookupSymbol(Operation* from, SymbolRefAttr reference) {
  if (!reference) return nullptr;
  for (Operation* table = nearestSymbolTable(from); table;
       table = nearestSymbolTable(table->parentOp()))
    if (Operation* op = lookupPath(*table, reference)) return op;
  return nullptr;
}

Operation* lookupSymbol(Operation* from, std::string_view name) {
  for (Operation* table = nearestSymbolTable(from); table;
       table = nearestSymbolTable(table->parentOp()))
    if (Operation* op = lookupSymbolIn(*table, name)) return op;
  return nullptr;
}

namespace {

/// Adds what stands directly inside a type, last first.
void pushNested(Type type, std::vector<Attribute>& pending) {
  if (DialectType dialectType = type.dynCast<DialectType>())
    for (size_t i = dialectType.parameters().size(); i-- > 0;)
      pending.push_back(dialectType.parameters()[i]);
  if (RankedTensorType tensor = type.dynCast<RankedTensorType>())
    pending.push_back(tensor.encoding());
  if (!type.isa<MemRefType>() && !type.isa<UnrankedMemRefType>()) return;
  pending.push_back(memorySpaceOf(type));
}

void pushNested(std::span<const Attribute> attributes, std::vector<Attribute>& pending) {
  pending.insert(pending.end(), attributes.rbegin(), attributes.rend());
}

/// Adds what stands directly inside `attribute`, last first, so that it is popped in order.
void pushNested(Attribute attribute, std::vector<Attribute>& pending) {
  if (ArrayAttr array = attribute.dynCast<ArrayAttr>()) return pushNested(array.value(), pending);
  if (TypeAttr type = attribute.dynCast<TypeAttr>()) return pushNested(type.value(), pending);
  if (DialectAttr dialect = attribute.dynCast<DialectAttr>())
    return pushNested(dialect.parameters(), pending);
  DictionaryAttr dictionary = attribute.dynCast<DictionaryAttr>();
  if (!dictionary) return;
  for (size_t i = dictionary.size(); i-- > 0;)
    pending.push_back(dictionary.value()[i].value);
}

}  // namespace

void forEachSymbolUse(const Operation& op, FunctionRef<void(SymbolRefAttr)> callback) {
  std::vector<Attribute> pending{op.attributes()};
  while (!pending.empty()) {
    Attribute attribute = pending.back();
    pending.pop_back();
    if (!attribute) continue;
    if (SymbolRefAttr reference = attribute.dynCast<SymbolRefAttr>()) callback(reference);
    pushNested(attribute, pending);
  }
}

bool isPrivateSymbol(const Operation& op) {
  StringAttr visibility = op.attrOf<StringAttr>("sym_visibility");
  return visibility && visibility.value() == "private";
}

SymbolMap::SymbolMap(Operation& table) {
  for (Region& region : table.regions())
    for (Block& block : region.blocks())
      for (Operation& op : block.ops())
        add(op);
}

Operation* SymbolMap::find(std::string_view name) const {
  auto it = members_.find(std::string(name));
  return it == members_.end() ? nullptr : it->second;
}

std::string SymbolMap::unusedName(std::string_view base) const {
  std::string name(base);
  for (unsigned n = 0; members_.contains(name); ++n)
    name = std::string(base) + "_" + std::to_string(n);
  return name;
}

void SymbolMap::add(Operation& op) {
  std::string_view name = symbolName(op);
  if (!name.empty()) members_.emplace(name, &op);
}

}  // namespace airlite
