// symbol-dce: erases private symbols that nothing refers to. A symbol is alive when it is public
// (no `sym_visibility = "private"`), or when an op that is alive refers to it. Symbols of nested
// tables are treated table by table. Declines nothing; ops of unknown dialects keep everything that
// their attributes name alive.
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <unordered_set>

namespace airlite {

namespace {

class SymbolDceDriver {
 public:
  uint64_t erased = 0;

  void run(Operation& root) {
    root.walk([&](Operation& op) {
      if (op.hasTrait(Trait::SymbolTable)) tables_.push_back(&op);
    });
    markRoots(root);
    propagate();
    for (Operation* table : tables_)
      sweep(*table);
  }

 private:
  static bool isSymbol(Operation& op) { return !symbolName(op).empty(); }

  /// An op is a root when nothing can make it dead: not a private symbol of a table.
  void markRoots(Operation& root) {
    mark(root);
    for (Operation* table : tables_)
      markMembers(*table);
  }

  void markMembers(Operation& table) {
    for (Block& block : table.region().blocks())
      for (Operation& op : block.ops())
        if (!isSymbol(op) || !isPrivateSymbol(op)) mark(op);
  }

  void mark(Operation& op) {
    if (alive_.insert(&op).second) work_.push_back(&op);
  }

  void propagate() {
    while (!work_.empty()) {
      Operation* op = work_.back();
      work_.pop_back();
      if (op->hasTrait(Trait::SymbolTable)) {
        visitUses(*op);  // members are marked on their own
        continue;
      }
      op->walk([&](Operation& inner) { visitUses(inner); });
    }
  }

  void visitUses(Operation& op) {
    forEachSymbolUse(op, [&](SymbolRefAttr reference) {
      if (Operation* target = lookupSymbol(&op, reference)) markWithParents(*target);
    });
  }

  /// A nested symbol keeps the tables around it.
  void markWithParents(Operation& target) {
    for (Operation* op = &target; op; op = op->parentOp())
      if (isSymbol(*op)) mark(*op);
  }

  void sweep(Operation& table) {
    if (!isAliveTable(table)) return;
    std::vector<Operation*> dead;
    for (Block& block : table.region().blocks())
      for (Operation& op : block.ops())
        if (isSymbol(op) && !alive_.contains(&op)) dead.push_back(&op);
    for (Operation* op : dead)
      op->erase();
    erased += dead.size();
  }

  /// A table inside a dead symbol goes with it.
  bool isAliveTable(Operation& table) {
    for (Operation* op = &table; op; op = op->parentOp())
      if (isSymbol(*op) && isPrivateSymbol(*op) && !alive_.contains(op)) return false;
    return true;
  }

  std::vector<Operation*> tables_;
  std::vector<Operation*> work_;
  std::unordered_set<Operation*> alive_;
};

class SymbolDce : public Pass {
 public:
  SymbolDce() : Pass("symbol-dce", "Erases private symbols that nothing refers to") {
    example("airlite-opt --symbol-dce in.mlir");
  }
  PassResult run(Operation& op, PassContext& context) override {
    constexpr std::string_view kReason = "inside a function that nothing calls";
    context.declareEffectChange(CountedEffect::Store, kReason);
    context.declareEffectChange(CountedEffect::Dma, kReason);
    context.declareEffectChange(CountedEffect::ChannelPut, kReason);
    context.declareEffectChange(CountedEffect::ChannelGet, kReason);
    SymbolDceDriver driver;
    driver.run(op);
    erased_.value += driver.erased;
    return changedIf(driver.erased != 0);
  }

 private:
  PassStatistic& erased_ = statistic("num-dce'd", "symbols erased");
};

}  // namespace

void registerSymbolDce(PassRegistry& registry) { registry.add<SymbolDce>(); }

}  // namespace airlite
