// The Context: interned names, registration and lookup of definitions, composed locations, memory.
#include "airlite/ir/Context.hpp"

#include "ContextImpl.hpp"
#include "OperandGroups.hpp"

namespace airlite {

using detail::hashBytes;
using detail::InternedString;

// ---------------------------------------------------------------------------------------------
// Interned strings
// ---------------------------------------------------------------------------------------------

InternedString& ContextImpl::intern(std::string_view text) {
  return *stringTable.findOrMake(
      hashBytes(text), [&](const InternedString& other) { return other.text == text; },
      [&] { return &strings.emplace_back(InternedString{std::string(text)}); });
}

InternedString* ContextImpl::findString(std::string_view text) const {
  return stringTable.find(hashBytes(text),
                          [&](const InternedString& other) { return other.text == text; });
}

Identifier Identifier::get(Context& context, std::string_view text) {
  return Identifier(&context.impl().intern(text).text);
}

// ---------------------------------------------------------------------------------------------
// Context
// ---------------------------------------------------------------------------------------------

Context::Context() : impl_(std::make_unique<ContextImpl>()) {
  impl_->operandSegments = Identifier::get(*this, detail::kOperandSegments);
  impl_->resultSegments = Identifier::get(*this, detail::kResultSegments);
}
Context::~Context() = default;

DiagnosticEngine& Context::diagnostics() { return impl_->diagnostics; }
SourceManager& Context::sources() { return impl_->sources; }
const SourceManager& Context::sources() const { return impl_->sources; }

void* Context::allocate(size_t bytes) { return impl_->pool.allocate(bytes); }
void Context::deallocate(void* memory, size_t bytes) { impl_->pool.deallocate(memory, bytes); }
size_t Context::liveBytes() const { return impl_->pool.liveBytes(); }

const OpDef* Context::findOp(std::string_view name) const {
  const InternedString* entry = impl_->findString(name);
  return entry && entry->op && entry->op->registered ? entry->op : nullptr;
}

const OpDef& Context::opDef(std::string_view name) {
  InternedString& entry = impl_->intern(name);
  if (entry.op) return *entry.op;
  OpDef& def = impl_->ops.emplace_back();
  def.identifier = Identifier(&entry.text);
  std::string_view text = entry.text;
  if (size_t dot = text.find('.'); dot != std::string_view::npos) def.dialect = text.substr(0, dot);
  def.registered = false;
  entry.op = &def;
  return def;
}

bool Context::hasDialect(std::string_view name) const {
  const InternedString* entry = impl_->findString(name);
  return entry && entry->isDialect;
}

std::span<const DialectInfo> Context::dialects() const { return impl_->dialects; }

std::vector<const OpDef*> Context::opDefs() const {
  return {impl_->registeredOps.begin(), impl_->registeredOps.end()};
}

std::vector<std::string_view> Context::opNames() const {
  std::vector<std::string_view> names;
  names.reserve(impl_->registeredOps.size());
  for (const OpDef* def : impl_->registeredOps)
    names.push_back(def->name());
  return names;
}

const DialectTypeDef* Context::findType(std::string_view name) const {
  const InternedString* entry = impl_->findString(name);
  return entry ? entry->type : nullptr;
}

const DialectAttrDef* Context::findAttr(std::string_view name) const {
  const InternedString* entry = impl_->findString(name);
  return entry ? entry->attr : nullptr;
}

std::vector<const DialectTypeDef*> Context::typeDefs() const {
  std::vector<const DialectTypeDef*> defs;
  for (const DialectTypeDef& def : impl_->typeDefs)
    defs.push_back(&def);
  return defs;
}

std::vector<const DialectAttrDef*> Context::attrDefs() const {
  std::vector<const DialectAttrDef*> defs;
  for (const DialectAttrDef& def : impl_->attrDefs)
    defs.push_back(&def);
  return defs;
}

Operation* Context::materializeConstant(Attribute value, Type type, Location location) {
  for (MaterializeFn make : impl_->materializers)
    if (Operation* op = make(*this, value, type, location)) return op;
  return nullptr;
}

// ---------------------------------------------------------------------------------------------
// Composed locations
// ---------------------------------------------------------------------------------------------

namespace {

uint64_t hashLocation(const ComposedLocation& location) {
  detail::Hasher hasher;
  hasher.add(location.kind).add(location.name).add(location.line).add(location.column);
  for (Location child : location.children)
    hasher.add(child.source()).add(child.offset());
  return hasher.add(location.metadata).value();
}

bool sameLocation(const ComposedLocation& a, const ComposedLocation& b) {
  return a.kind == b.kind && a.name == b.name && a.line == b.line && a.column == b.column &&
         a.children == b.children && a.metadata == b.metadata;
}

}  // namespace

Location Context::composedLocation(ComposedLocation location) {
  auto& stored = impl_->locations;
  const detail::LocationEntry* entry = impl_->locationTable.findOrMake(
      hashLocation(location),
      [&](const detail::LocationEntry& other) { return sameLocation(other.location, location); },
      [&] {
        auto index = static_cast<uint32_t>(stored.size());
        return &stored.emplace_back(detail::LocationEntry{std::move(location), index});
      });
  return Location::composed(entry->index);
}

const ComposedLocation& Context::composed(Location location) const {
  return impl_->locations[location.offset()].location;
}

Location Context::fileLineCol(std::string_view file, unsigned line, unsigned column) {
  ComposedLocation location;
  location.kind = ComposedLocation::Kind::FileLineCol;
  location.name = Identifier::get(*this, file);
  location.line = line;
  location.column = column;
  return composedLocation(std::move(location));
}

// ---------------------------------------------------------------------------------------------
// Registration. Registering a name again replaces its definition in place, so that registering a
// dialect twice is harmless and an op that was met before its dialect becomes a registered one.
// ---------------------------------------------------------------------------------------------

Dialect::Dialect(Context& context, std::string_view name, std::string_view doc)
    : context_(context) {
  ContextImpl& impl = context.impl();
  InternedString& entry = impl.intern(name);
  name_ = entry.text;
  if (entry.isDialect) return;
  entry.isDialect = true;
  impl.dialects.push_back({name_, doc});
}

OpDef& Dialect::op(std::string_view mnemonic) {
  std::string name;
  name.reserve(name_.size() + 1 + mnemonic.size());
  name.append(name_).append(1, '.').append(mnemonic);
  ContextImpl& impl = context_.impl();
  InternedString& entry = impl.intern(name);
  if (!entry.op) entry.op = &impl.ops.emplace_back();
  OpDef& def = *entry.op;
  bool isNew = !def.identifier || !def.registered;
  def = OpDef();
  impl.shapes.clear();
  impl.hasRedefinitions |= !isNew;
  def.identifier = Identifier(&entry.text);
  def.dialect = name_;
  if (isNew) impl.registeredOps.push_back(&def);
  return def;
}

void Dialect::type(const DialectTypeDef& def) {
  ContextImpl& impl = context_.impl();
  InternedString& entry = impl.intern(def.name);
  if (!entry.type) entry.type = &impl.typeDefs.emplace_back();
  *entry.type = def;
  entry.type->name = entry.text;
}

void Dialect::attr(const DialectAttrDef& def) {
  ContextImpl& impl = context_.impl();
  InternedString& entry = impl.intern(def.name);
  if (!entry.attr) entry.attr = &impl.attrDefs.emplace_back();
  *entry.attr = def;
  entry.attr->name = entry.text;
}

void Dialect::materializer(MaterializeFn fn) {
  auto& list = context_.impl().materializers;
  for (MaterializeFn known : list)
    if (known == fn) return;
  list.push_back(fn);
}

}  // namespace airlite
