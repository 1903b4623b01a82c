// The state that all parsing functions of one input share: tokens, aliases, SSA scopes.
#pragma once

#include "../support/FlatMap.hpp"
#include "Lexer.hpp"
#include "LocationAliases.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/SourceIndex.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace airlite::text {

/// A `%name` that was used before its definition: a placeholder op holds its uses.
struct ForwardRef {
  Operation* placeholder;
  Location location;
};

/// A defined name: result `first` of its op and the ones after it (`%x:3`).
struct NamedValue {
  Value first;
  unsigned count = 0;
  Location location;
};

/// The names that one isolated region sees.
struct IsolatedScope {
  detail::FlatMap<std::string_view, NamedValue> values;
  std::unordered_set<std::string_view> poisoned;        // results of ops that did not parse
  std::unordered_map<std::string, ForwardRef> forward;  // "name#number"
};

/// A name on the left of an operation: `%x` or `%x:3`.
struct ResultName {
  std::string_view name;
  unsigned count = 1;
  Location location;
};

/// What is gathered while an operation is read. It is used again for the next operation at the same
/// depth, so that its lists need no memory of their own each time.
struct OpBuffers {
  std::vector<ResultName> names;
  OperationState state;
  std::vector<UnresolvedOperand> operands;  // of the generic form
};

/// The blocks of the region being read.
struct BlockScope {
  struct Entry {
    Block* block;
    Location location;
    bool defined;
  };
  std::unordered_map<std::string_view, Entry> blocks;
};

/// What `#name` or `!name` stands for. Its text, with the aliases inside written out, nests `depth`
/// levels and has `bytes` bytes: a chain of aliases that are used twice each doubles with every
/// line.
template <class T> struct Alias {
  T value;
  unsigned depth = 0;
  uint64_t bytes = 0;
};

class Indexer;

class ParserState {
 public:
  ParserState(Context& context, uint32_t source, const ParseLimits& limits);
  ~ParserState();

  Context& context() { return context_; }
  const Token& token() const { return token_; }
  Location locationOf(uint32_t offset) const { return Location::inSource(source_, offset); }
  Location location() const { return locationOf(token_.offset); }
  void advance() {
    previousEnd_ = token_.end();
    token_ = lexer_.next();
  }
  /// Where the token before the current one ended.
  uint32_t previousEnd() const { return previousEnd_; }
  /// Reads on at `offset`, a byte of the text.
  void restartAt(uint32_t offset);
  std::string_view text() const { return lexer_.text(); }

  InFlightDiagnostic error(Location location);
  InFlightDiagnostic error() { return error(location()); }
  unsigned errors() const { return errors_; }
  bool tooManyErrors() const { return errors_ >= limits_.maxErrors || gaveUp_; }
  void giveUp() { gaveUp_ = true; }

  /// Counts nesting while it lives; `ok()` is false (and reported) beyond the limit.
  class Nesting {
   public:
    explicit Nesting(ParserState& state) : state_(state) { state_.noteDepth(++state_.depth_); }
    ~Nesting() { --state_.depth_; }
    LogicalResult check();

   private:
    ParserState& state_;
  };

  /// Starts to measure what the alias after the current token stands for; see Alias.
  template <class T> void beginAlias(Alias<T>& alias);
  template <class T> void endAlias(Alias<T>& alias);
  /// Counts a use of `alias` at the current token; fails when the program written out would be
  /// beyond the limits.
  template <class T> LogicalResult expand(const Alias<T>& alias) {
    return expand(alias.depth, alias.bytes);
  }

  bool nestingFits(unsigned depth) const { return depth <= limits_.maxNesting; }
  uint64_t expandedBytes() const { return expandedBytes_; }

  // SSA names.
  IsolatedScope& scope() { return *scopes_.back(); }
  void pushIsolated();
  /// Names that were used but never defined are errors, unless `report` is off because the region
  /// was not read to its end.
  LogicalResult popIsolated(bool report);
  /// Names defined from now on are forgotten by the matching popNames.
  void pushNames() { definedBefore_.push_back(defined_.size()); }
  void popNames();
  LogicalResult define(std::string_view name, Value first, unsigned count, Location location);
  /// To be called before an op is made: what its operands are named may have been defined since they
  /// were read, in a region of the op itself.
  void settleOperands(OperationState& state) const;
  void poison(std::string_view name) { scope().poisoned.insert(name); }
  Value use(const UnresolvedOperand& operand, Type type);
  Type typeOfDefined(const UnresolvedOperand& operand);

  /// Of the name that the current token is, without its sign.
  SourceIndex::Span nameSpan() const { return {token_.offset + 1, token_.end()}; }

  Indexer* indexer = nullptr;  // null: nobody asks where names stand
  std::vector<BlockScope> blockScopes;
  std::vector<std::string_view> defaultDialects{"builtin"};
  std::unordered_map<std::string_view, Alias<Attribute>> attrAliases;
  std::unordered_map<std::string_view, Alias<Type>> typeAliases;
  DeferredLocations deferredLocations;
  detail::FlatMap<std::string_view, Type> typesByText;             // see AttrParser::parseType
  detail::FlatMap<std::string_view, DictionaryAttr> dictionaries;  // see AttrParser::parseAttrDict
  /// A dictionary of an op in the generic form, and what stays of it without the defaults.
  struct Undefaulted {
    const OpDef* def = nullptr;
    DictionaryAttr dictionary;
  };
  detail::FlatMap<const void*, Undefaulted> undefaulted;
  /// Names of dims and symbols while an affine expression is read.
  std::vector<std::pair<std::string_view, AffineExpr>> affineNames;

  struct OpFrame {
    const OpDef* def;
    Location location;
    unsigned writtenResults;
    bool generic = false;  // no terminator is implied
  };
  std::vector<OpFrame> ops;
  /// Those of the operation with `depth` operations around it.
  OpBuffers& buffers(size_t depth) {
    while (buffers_.size() <= depth)
      buffers_.push_back(std::make_unique<OpBuffers>());
    return *buffers_[depth];
  }

 private:
  void noteDepth(unsigned depth) { deepest_ = depth > deepest_ ? depth : deepest_; }
  LogicalResult expand(unsigned depth, uint64_t bytes);
  Value forwardReference(const UnresolvedOperand& operand, Type type);
  void resolveForward(std::string_view name, Value first, unsigned count, Location location);

  Context& context_;
  uint32_t source_;
  ParseLimits limits_;
  Lexer lexer_;
  Token token_;
  uint32_t previousEnd_ = 0;
  unsigned depth_ = 0;
  unsigned deepest_ = 0;        // reached since the alias definition began
  uint64_t expandedBytes_ = 0;  // that aliases stood for so far
  unsigned errors_ = 0;
  bool gaveUp_ = false;
  std::vector<std::unique_ptr<OpBuffers>> buffers_;
  std::vector<std::unique_ptr<IsolatedScope>> scopes_;
  std::vector<std::unique_ptr<IsolatedScope>> spareScopes_;  // empty, with the memory they had
  std::vector<std::string_view> defined_;                    // names, innermost region last
  std::vector<size_t> definedBefore_;  // how many there were when each region began
  std::vector<Operation*> poisonedPlaceholders_;
  // Placeholders whose name was defined, and what it is. An op that is being read may hold one.
  std::unordered_map<Operation*, Value> resolved_;
};

template <class T> void ParserState::beginAlias(Alias<T>& alias) {
  deepest_ = depth_;
  alias.bytes = expandedBytes_ + token_.offset;
}

template <class T> void ParserState::endAlias(Alias<T>& alias) {
  // The outermost level is there at each use as well.
  alias.depth = deepest_ > depth_ ? deepest_ - depth_ - 1 : 0;
  alias.bytes = expandedBytes_ + token_.offset - alias.bytes;
}

/// Of a value that is written at `location`, without its %.
inline SourceIndex::Span spanOf(Location location, std::string_view name) {
  const uint32_t begin = location.offset() + 1;
  return {begin, begin + static_cast<uint32_t>(name.size())};
}

/// Size and encoding of an input that is about to be read.
LogicalResult checkInput(Context& context, uint32_t source, size_t maxBytes);
/// `dialect.name`, neither empty.
bool isOpName(std::string_view name);
/// Names of ops and attributes are keys in JSON, so that they are UTF-8 also where escapes spell them.
LogicalResult checkName(ParserState& state, Location where, std::string_view name);
/// Reads one operation (results included) into `block`.
LogicalResult parseOperation(ParserState& state, Block& block);
/// Reads the operations of a region up to its `}` (not consumed) or the end of the text.
LogicalResult parseRegionBody(ParserState& state, Region& region, Block* entry, bool isTopLevel);
/// `loc(...)`. `mayDefer`: it may name locations that are defined later.
LogicalResult parseLocation(ParserState& state, bool mayDefer, Location& location);
/// The type or attribute of an unknown dialect that starts at the next token, without its `!` or
/// `#`, with its text as it is but for the spelling of `dialect<name>`, which is `dialect.name`.
LogicalResult readOpaqueSymbol(AttrParser& parser, ParserState& state, std::string& symbol);
/// Reads an op's custom syntax by its format.
LogicalResult parseWithFormat(OpParser& parser, OperationState& state);
/// Default dialect of the ops directly inside `opName`'s regions; "" when it has none.
std::string_view defaultDialectOf(std::string_view opName);

}  // namespace airlite::text
