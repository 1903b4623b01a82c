// The Context owns everything that is shared: unique types and attributes, names, definitions of
// dialects and ops, source texts, the diagnostics engine, the memory of operations.
//
//   Context context;
//   registerAllDialects(context);
//   context.diagnostics().setHandler(
//       [&](const Diagnostic& found) { std::cerr << formatDiagnostic(context, found); });
#pragma once

#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/Identifier.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/SourceManager.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace airlite {

struct ContextImpl;

/// A composed location, see Location::composed.
struct ComposedLocation {
  enum class Kind { FileLineCol, Name, CallSite, Fused } kind = Kind::FileLineCol;
  Identifier name;  // file or name
  unsigned line = 0;
  unsigned column = 0;
  std::vector<Location> children;  // Name: 0 or 1; CallSite: callee, caller; Fused: any
  Attribute metadata;              // Fused
};

struct DialectInfo {
  std::string_view name;
  std::string_view doc;
};

/// Not thread-safe: one thread uses a Context at a time.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  DiagnosticEngine& diagnostics();
  SourceManager& sources();
  const SourceManager& sources() const;

  /// The definition of a registered op; null otherwise.
  const OpDef* findOp(std::string_view name) const;
  /// The definition of `name`, made up on the spot for an unregistered op.
  const OpDef& opDef(std::string_view name);
  bool hasDialect(std::string_view name) const;
  std::span<const DialectInfo> dialects() const;
  /// All registered definitions in registration order.
  std::vector<const OpDef*> opDefs() const;
  std::vector<std::string_view> opNames() const;
  const DialectTypeDef* findType(std::string_view name) const;
  const DialectAttrDef* findAttr(std::string_view name) const;
  std::vector<const DialectTypeDef*> typeDefs() const;
  std::vector<const DialectAttrDef*> attrDefs() const;

  /// Ops, types and attributes of unknown dialects are kept instead of rejected.
  bool allowUnregistered() const { return allowUnregistered_; }
  void setAllowUnregistered(bool allow) { allowUnregistered_ = allow; }

  /// Makes a constant op for a folded value by asking the dialects; null when none can.
  Operation* materializeConstant(Attribute value, Type type, Location location);

  Location composedLocation(ComposedLocation location);
  const ComposedLocation& composed(Location location) const;
  Location fileLineCol(std::string_view file, unsigned line, unsigned column);

  /// Memory for operations and blocks: size classes with free lists over an arena.
  void* allocate(size_t bytes);
  void deallocate(void* memory, size_t bytes);
  /// Bytes handed out and not given back.
  size_t liveBytes() const;

  /// Called when the members of a symbol table change: one comes, goes, moves or is renamed.
  void noteSymbolChange() { ++symbolChanges_; }
  uint64_t symbolChanges() const { return symbolChanges_; }

  ContextImpl& impl() { return *impl_; }

 private:
  friend class Dialect;
  std::unique_ptr<ContextImpl> impl_;
  uint64_t symbolChanges_ = 1;
  bool allowUnregistered_ = false;
};

}  // namespace airlite
