// Fills a SourceIndex while a text is read.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/text/SourceIndex.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite::text {

/// It follows the regions and names of the reader by itself: those of the reader are gone where a
/// text has errors, and know nothing of places. One class: each token changes the regions and names that the next
/// one is looked up in.
class Indexer {
 public:
  using Index = SourceIndex;
  using NameKind = Index::NameKind;
  using Span = Index::Span;

  Indexer(SourceIndex& index, std::string_view text);

  /// An op whose name stands at `name`; its results begin at `begin`.
  void beginOp(const OpDef& def, uint32_t begin, Span name);
  /// `symbol`: the name that it defines; "" when it is not known or there is none.
  void endOp(uint32_t end, std::string_view symbol);

  void beginRegion(bool isIsolated, uint32_t at);
  void endRegion(bool isIsolated, uint32_t at);

  /// `span` is that of the name without its sign.
  void mention(NameKind kind, Span span, uint32_t number = 0);
  void defineBlock(Span span);
  void defineAlias(NameKind kind, Span span);
  /// `values` are what a name stands for; none: their op could not be read.
  void defineValue(Span span, Value first, unsigned count);

  /// At the end of the text: names that are used before their definition, symbols, order.
  void finish();

 private:
  using Names = std::unordered_map<std::string_view, uint32_t>;
  struct IsolatedNames {
    uint32_t index = 0;  // of Index::isolated
    Names values;
    std::unordered_map<std::string_view, std::vector<size_t>> pending;  // mentions
  };
  struct OpenRegion {
    size_t firstDefined;
    Names blocks;
    std::vector<size_t> pending;  // mentions of blocks
  };

  /// Without the quotes of a symbol.
  std::string_view nameAt(Span span) const {
    std::string_view name = text_.substr(span.begin, span.end - span.begin);
    return name.starts_with('"') ? name.substr(1, name.size() - 2) : name;
  }
  uint32_t addEntity(NameKind kind, Span span);
  size_t addMention(NameKind kind, Span span, uint32_t entity);
  void useValue(size_t mention);
  void forgetNames(size_t firstDefined, uint32_t at);
  size_t symbolMention(std::string_view symbol) const;
  void resolveSymbols();
  void resolveAliases();
  uint32_t tableOf(uint32_t op) const;
  uint32_t lookUp(uint32_t from, std::string_view name) const;

  SourceIndex& index_;
  std::string_view text_;
  std::vector<uint32_t> ops_;  // open, outermost first
  std::vector<std::unique_ptr<IsolatedNames>> isolated_;
  std::vector<OpenRegion> regions_;
  std::vector<uint32_t> defined_;                // entities of values, innermost region last
  std::vector<size_t> firstMention_;             // of each open op
  std::unordered_map<uint32_t, Names> members_;  // by op with a symbol table
};

}  // namespace airlite::text
