// The whole program: each op's shape, blocks and terminators, isolation, symbols; then each op's
// own verifier; then dominance. All walks are linear and without recursion.
#include "airlite/ir/Verifier.hpp"

#include "../support/FlatMap.hpp"
#include "ContextImpl.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Dominance.hpp"
#include "airlite/ir/Symbols.hpp"

#include <unordered_set>

namespace airlite {
namespace {

constexpr unsigned kMaxErrors = 100;

// ---------------------------------------------------------------------------------------------
// Structure of one op
// ---------------------------------------------------------------------------------------------

LogicalResult verifyReferences(Operation& op) {
  for (Value value : op.operands())
    if (!value) return op.emitError() << "null operand found";
  for (unsigned i = 0; i < op.numSuccessors(); ++i) {
    Block* block = op.successor(i);
    if (!block) return op.emitError() << "null successor found";
    if (block->parent() != op.parentRegion())
      return op.emitOpError() << "reference to block defined in another region";
  }
  if (op.numSuccessors() && op.next())
    return op.emitError() << "operation with block successors must terminate its parent block";
  return success();
}

LogicalResult verifyKnown(Operation& op) {
  if (op.isRegistered() || op.context().allowUnregistered()) return success();
  std::string_view name = op.name();
  std::string_view dialect = name.substr(0, name.find('.'));
  if (!op.context().hasDialect(dialect))
    return op.emitOpError() << "created with unregistered dialect '" << dialect
                            << "'; use --allow-unregistered to keep such operations";
  return op.emitError() << "unregistered operation '" << name << "' found in dialect ('" << dialect
                        << "') that does not allow unknown operations";
}

bool mayLackTerminator(const Block& block) {
  if (!block.parent()->hasOneBlock()) return false;
  Operation* parent = block.parentOp();
  return !parent || !parent->isRegistered() || parent->hasTrait(Trait::NoTerminator);
}

LogicalResult verifyTerminator(Operation& op, Block& block) {
  bool nonEmpty = op.hasTrait(Trait::SingleBlock) && op.isRegistered();
  if (block.empty() && nonEmpty) return op.emitOpError() << "expects a non-empty block";
  if (block.empty()) return op.emitError() << "empty block: expect at least a terminator";
  if (block.terminator()) return success();
  // Not the whole op: it is not verified yet, and its custom form may count on that.
  return block.back().emitError() << "block with no terminator, has '" << block.back().name()
                                  << "'";
}

LogicalResult verifyImplicitTerminator(Operation& op, Block& block) {
  std::string_view wanted = op.def().implicitTerminator;
  if (wanted.empty() || block.back().name() == wanted) return success();
  InFlightDiagnostic diagnostic = op.emitOpError();
  diagnostic << "expects regions to end with '" << wanted << "', found '" << block.back().name()
             << "'";
  diagnostic.note(block.back().location())
      << "in custom textual format, the absence of terminator implies '" << wanted << "'";
  return diagnostic;
}

LogicalResult verifyRegion(Operation& op, unsigned index) {
  Region& region = op.region(index);
  if (region.empty()) return success();
  if (op.hasTrait(Trait::SingleBlock) && !region.hasOneBlock())
    return op.emitOpError() << "expects region #" << index << " to have 0 or 1 blocks";
  if (!region.front().hasNoPredecessors())
    return op.emitOpError() << "entry block of region may not have predecessors";
  for (Block& block : region.blocks()) {
    if (mayLackTerminator(block)) continue;
    if (failed(verifyTerminator(op, block)) || failed(verifyImplicitTerminator(op, block)))
      return failure();
  }
  return success();
}

LogicalResult verifySymbolTable(Operation& op) {
  if (!op.hasTrait(Trait::SymbolTable)) return success();
  if (op.numRegions() != 1)
    return op.emitOpError() << "operations with a 'SymbolTable' must have exactly one region";
  detail::FlatMap<std::string_view, Operation*> members;
  LogicalResult result = success();
  for (Block& block : op.region().blocks()) {
    for (Operation& member : block.ops()) {
      std::string_view name = symbolName(member);
      if (name.empty()) continue;
      auto [known, isNew] = members.insert(name, &member);
      if (isNew) continue;
      InFlightDiagnostic diagnostic = member.emitError();
      diagnostic << "redefinition of symbol named '" << name << "'";
      diagnostic.note((*known)->location()) << "see existing symbol definition here";
      result |= diagnostic;
    }
  }
  return result;
}

bool hasResultTypes(Operation& op, std::span<const Type> types) {
  if (op.numResults() != types.size()) return false;
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (op.result(i).type() != types[i]) return false;
  return true;
}

/// `state` is room to work in.
LogicalResult verifyInferredTypes(Operation& op, OperationState& state) {
  // A hook that looks into regions would need them moved: such ops check in their own verifier.
  if (!op.def().inferFn || op.numRegions()) return success();
  state.restart(op.location(), op.def());
  state.addOperands(op.operands());
  state.attributes = op.attributes();
  if (failed(op.def().inferFn(op.context(), state))) return failure();
  if (hasResultTypes(op, state.resultTypes)) return success();
  auto list = [](const std::vector<Type>& types) {
    std::string text;
    for (Type type : types)
      text += (text.empty() ? "'" : ", '") + type.str() + "'";
    return text;
  };
  return op.emitOpError() << "inferred type(s) " << list(state.resultTypes)
                          << " are incompatible with return type(s) of operation "
                          << list(op.resultTypes());
}

// ---------------------------------------------------------------------------------------------
// Dominance messages
// ---------------------------------------------------------------------------------------------

unsigned positionOf(const Block& block) {
  unsigned position = 0;
  for (const Block* b = block.prev(); b; b = b->prev())
    ++position;
  return position;
}

std::string_view regionRelation(const Region* of, const Region* user) {
  if (of == user) return "in the same region";
  if (of && of->isProperAncestor(user)) return "in a parent region";
  if (user && user->isProperAncestor(of)) return "in a child region";
  return "";
}

void noteDefinition(InFlightDiagnostic& diagnostic, Operation& op, Value value) {
  std::string_view relation = regionRelation(value.parentRegion(), op.parentRegion());
  if (Operation* definer = value.definingOp()) {
    diagnostic.note(definer->location()) << "operand defined here (op ";
    if (definer->block() == op.block()) relation = "in the same block";
    diagnostic << (relation.empty() ? "is neither in a parent nor in a child region" : relation)
               << ")";
    return;
  }
  const Block* block = value.argumentBlock();
  Location location = block->parentOp() ? block->parentOp()->location() : Location();
  diagnostic.note(location) << "operand defined as a block argument (block #" << positionOf(*block)
                            << " "
                            << (relation.empty() ? "neither in a parent nor in a child region"
                                                 : relation)
                            << ")";
}

// ---------------------------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------------------------

class VerifierRun {
 public:
  explicit VerifierRun(Operation& root)
      : root_(root),
        errorsBefore_(root.context().diagnostics().errorCount()),
        trustsMarks_(!root.context().impl().hasRedefinitions) {}

  LogicalResult run() {
    walk([this](Operation& op) { return structure(op); });
    // Most programs have nothing to find: rules and dominance share a walk, memory is what costs.
    if (ok_)
      walk([this](Operation& op) { return rulesAndDominance(op); });
    else
      walkDoubtful();
    if (tooManyErrors()) noteCut();
    return success(ok_);
  }

 private:
  void walk(FunctionRef<WalkResult(Operation&)> visit) {
    if (tooManyErrors()) return;
    root_.walkWith([&](Operation& op) {
      WalkResult result = visit(op);
      return tooManyErrors() ? WalkResult::Interrupt : result;
    });
  }

  WalkResult rulesAndDominance(Operation& op) {
    // Code that no path reaches has rules to keep, but nothing dominates anything there.
    if (!unreached_ || !unreached_->isProperAncestor(&op))
      unreached_ = dominance(op) == WalkResult::Skip ? &op : nullptr;
    return ownRules(op);
  }

  /// With misshapen ops about, each check leaves out what it cannot rely on.
  void walkDoubtful() {
    if (!everythingBad_) walk([this](Operation& op) { return ownRules(op); });
    walk([this](Operation& op) { return dominance(op); });
  }

  WalkResult structure(Operation& op) {
    LogicalResult result = isolation(op);
    if (succeeded(result)) result = verifyReferences(op);
    if (succeeded(result)) result = verifyKnown(op);
    if (succeeded(result)) result = verifyOpShape(op);
    for (unsigned i = 0; i < op.numRegions() && succeeded(result); ++i)
      result = verifyRegion(op, i);
    if (succeeded(result)) result = verifySymbolTable(op);
    if (failed(result)) markBad(op);
    return WalkResult::Advance;
  }

  /// Every region belongs to the nearest isolated op around it, and may use values of regions that
  /// belong to the same one only. Outer regions are seen first, so each question is one look-up.
  LogicalResult isolation(Operation& op) {
    const Operation* owner = op.parentRegion() ? ownerOf(op.parentRegion()) : nullptr;
    const Operation* inner = op.hasTrait(Trait::IsolatedFromAbove) ? &op : owner;
    for (Region& region : op.regions())
      owners_[&region] = inner;
    if (!owner) return success();
    const Region* own = op.parentRegion();
    for (Value value : op.operands()) {
      const Region* region = value ? value.parentRegion() : own;
      if (region == own || !isForeign(region, owner)) continue;
      InFlightDiagnostic diagnostic = op.emitOpError();
      diagnostic << "using value defined outside the region";
      diagnostic.note(owner->location()) << "required by region isolation constraints";
      return diagnostic;
    }
    return success();
  }

  bool isInside(const Region* region) const {
    return region && region->parentOp() && root_.isAncestor(region->parentOp());
  }

  /// Does `region` belong to another op than `owner`?
  bool isForeign(const Region* region, const Operation* owner) const {
    const Operation* const* found = region ? owners_.find(region) : nullptr;
    // Not seen yet: outside of the whole walk, or later; dominance has a word on the latter.
    return found ? *found != owner : !isInside(region);
  }

  /// Most ops stand in the region of the op before.
  const Operation* ownerOf(const Region* region) {
    if (region == lastRegion_) return lastOwner_;
    const Operation* const* found = owners_.find(region);
    lastRegion_ = region;
    lastOwner_ = found ? *found : nullptr;
    return lastOwner_;
  }

  /// The verifiers of dialects may rely on the shape of every op that they can reach: the unit that
  /// a misshapen op stands in is left alone, and everything when symbols lead there.
  void markBad(Operation& op) {
    ok_ = false;
    Operation* unit = nullptr;
    for (Operation* p = op.parentOp(); p && p != root_.parentOp(); p = p->parentOp())
      if (p != &root_ && p->hasTrait(Trait::IsolatedFromAbove) && p->parentOp() &&
          p->parentOp()->hasTrait(Trait::SymbolTable))
        unit = p;
    bool isReachable = op.hasTrait(Trait::Symbol) || op.hasTrait(Trait::SymbolTable);
    if (!unit || isReachable)
      everythingBad_ = true;
    else
      badUnits_.insert(unit);
  }

  WalkResult ownRules(Operation& op) {
    if (badUnits_.contains(&op)) return WalkResult::Skip;
    LogicalResult result = alone(op);
    if (succeeded(result) && op.def().verifyFn) result = op.def().verifyFn(op);
    if (succeeded(result)) return WalkResult::Advance;
    ok_ = false;
    return WalkResult::Skip;  // ops inside may rely on what just failed
  }

  /// The rules that only a change of the op itself can break.
  LogicalResult alone(Operation& op) {
    if (op.verified() == Operation::Verified::Alone && trustsMarks_) return success();
    if (failed(verifyInferredTypes(op, inferred_))) return failure();
    if (op.def().verifyAloneFn && failed(op.def().verifyAloneFn(op))) return failure();
    if (op.verified() == Operation::Verified::Shape) op.setVerified(Operation::Verified::Alone);
    return success();
  }

  WalkResult dominance(Operation& op) {
    if (op.block() && !dominance_.isReachable(op.block())) return WalkResult::Skip;
    for (unsigned i = 0; i < op.numOperands() && &op != &root_; ++i) {
      if (!op.operand(i) || dominance_.dominates(op.operand(i), &op)) continue;
      ok_ = false;
      InFlightDiagnostic diagnostic = op.emitError();
      diagnostic << "operand #" << i << " does not dominate this use";
      noteDefinition(diagnostic, op, op.operand(i));
      break;
    }
    return WalkResult::Advance;
  }

  bool tooManyErrors() const {
    return root_.context().diagnostics().errorCount() - errorsBefore_ >= kMaxErrors;
  }

  void noteCut() const {
    Diagnostic note;
    note.severity = Severity::Note;
    note.location = root_.location();
    note.message = "too many errors: verification stopped after " + std::to_string(kMaxErrors);
    root_.context().diagnostics().report(std::move(note));
  }

  Operation& root_;
  unsigned errorsBefore_;
  bool trustsMarks_;  // in what ops say was verified
  bool ok_ = true;
  bool everythingBad_ = false;
  const Operation* unreached_ = nullptr;  // last op seen in a block that no path reaches
  DominanceInfo dominance_;
  detail::FlatMap<const Region*, const Operation*> owners_;
  const Region* lastRegion_ = nullptr;  // of the last question, and its answer
  const Operation* lastOwner_ = nullptr;
  OperationState inferred_;
  std::unordered_set<const Operation*> badUnits_;
};

}  // namespace

LogicalResult verify(Operation& op) { return VerifierRun(op).run(); }

}  // namespace airlite
