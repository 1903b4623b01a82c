// Shrinking a program (see Reduce.hpp). An edit is named by the number of its op in pre-order and a
// number of its own, so that it can be made in a copy; a set of edits is made from the back, where
// the op that an edit erases has nothing left inside that a later one names.
#include "airlite/testing/Reduce.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/text/Printer.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

namespace airlite::testing {

namespace {

struct Edit {
  size_t op = 0;
  unsigned part = 0;
};

std::vector<Operation*> opsOf(Operation& module) {
  std::vector<Operation*> ops;
  module.walk([&](Operation& op) { ops.push_back(&op); }, WalkOrder::PreOrder);
  return ops;
}

// -- Values that stand in for others --------------------------------------------------------------

Value operandOfType(Operation& op, Type type) {
  for (Value operand : op.operands())
    if (operand.type() == type) return operand;
  return Value();
}

/// A token that has fired when the operands of `op` that are tokens have.
Value freshToken(Operation& op, Type type) {
  std::vector<Value> tokens;
  for (Value operand : op.operands())
    if (air::isTokenType(operand.type())) tokens.push_back(operand);
  return Builder::before(op)
      .create(op.location(), "air.wait_all", tokens, std::vector<Type>{type})
      ->result();
}

Value zero(Operation& op, Type type) {
  Builder builder = Builder::before(op);
  if (type.isFloat()) return builder.constant(op.location(), FloatAttr::get(type, 0.0));
  return builder.constant(op.location(), IntegerAttr::get(type, 0));
}

Value freshMemory(Operation& op, Type type) {
  auto memref = type.dynCast<MemRefType>();
  if (!memref || memref.numDynamicDims() != 0 || op.is("memref.alloc")) return Value();
  return Builder::before(op)
      .create(op.location(), "memref.alloc", std::vector<Value>(), std::vector<Type>{type})
      ->result();
}

/// What may be used instead of a result of `op`, which goes away; null when nothing is simpler.
Value standIn(Operation& op, Type type) {
  if (op.is("arith.constant")) return Value();
  if (air::isTokenType(type))
    return op.is("air.wait_all") ? operandOfType(op, type) : freshToken(op, type);
  if (type.isIntOrIndexOrFloat()) return zero(op, type);
  if (Value operand = operandOfType(op, type)) return operand;
  return freshMemory(op, type);
}

// -- Edits ----------------------------------------------------------------------------------------

bool eraseOp(Operation& op, unsigned) {
  if (!op.parentOp() || op.hasTrait(Trait::Terminator)) return false;
  for (unsigned i = 0; i < op.numResults(); ++i) {
    Value result = op.result(i);
    if (!result.hasUses()) continue;
    Value instead = standIn(op, result.type());
    if (!instead || instead == result) return false;
    result.replaceAllUsesWith(instead);
  }
  op.erase();
  return true;
}

/// For the arguments of the body of `op`, which runs once now; empty when that makes no sense.
std::vector<Value> valuesOfArguments(Operation& op, airlite::Block& body) {
  std::vector<Value> values;
  if (scf::ForOp loop = dynCast<scf::ForOp>(&op)) {
    values.push_back(loop.lowerBound());
    for (Value init : loop.initArgs())
      values.push_back(init);
    return values;
  }
  air::HierarchyOp hierarchy = air::asHierarchy(&op);
  unsigned taken = 0;
  for (Value argument : body.arguments()) {
    unsigned i = taken++, dims = hierarchy ? hierarchy.numDims() : 0;
    if (hierarchy && i >= 2 * dims)
      values.push_back(hierarchy.kernelOperands()[i - 2 * dims]);
    else if (hierarchy && i >= dims)
      values.push_back(hierarchy.sizes()[i - dims]);
    else if (argument.type().isIndex())
      values.push_back(zero(op, argument.type()));
    else
      return {};
  }
  return values;
}

bool hasOwnToken(Operation& op) {
  return air::isAsyncOp(op) && op.numResults() && air::isTokenType(op.result(0).type());
}

/// Whether what the body ends with can be what `op` results in, besides a token of its own.
bool endFits(Operation& op, Operation* end) {
  unsigned own = hasOwnToken(op) ? 1 : 0;
  for (unsigned i = own; i < op.numResults(); ++i) {
    bool fits =
        end && i - own < end->numOperands() && end->operand(i - own).type() == op.result(i).type();
    if (!fits) return false;
  }
  return true;
}

/// For the results of `op` when its body runs once in its place.
std::vector<Value> valuesOfResults(Operation& op, Operation* end) {
  std::vector<Value> values;
  unsigned own = hasOwnToken(op) ? 1 : 0;
  if (own) values.push_back(freshToken(op, op.result(0).type()));
  for (unsigned i = own; i < op.numResults(); ++i)
    values.push_back(end->operand(i - own));
  return values;
}

/// Replaces a structured op by the ops of its region `part`.
bool unwrap(Operation& op, unsigned part) {
  bool isStructured = op.parentOp() && part < op.numRegions() && !op.hasTrait(Trait::Symbol) &&
                      op.region(part).hasOneBlock() && op.block();
  if (!isStructured || op.name().starts_with("linalg.")) return false;
  airlite::Block& body = op.region(part).front();
  Operation* end = body.terminator();
  if (!endFits(op, end)) return false;
  std::vector<Value> arguments = valuesOfArguments(op, body);
  if (arguments.size() != body.numArguments()) return false;
  for (unsigned i = 0; i < body.numArguments(); ++i)
    body.argument(i).replaceAllUsesWith(arguments[i]);
  std::vector<Value> results = valuesOfResults(op, end);
  if (end)
    op.block()->splice(&op, body, &body.front(), end);
  else if (!body.empty())
    op.block()->splice(&op, body, &body.front());
  for (unsigned i = 0; i < op.numResults(); ++i)
    op.result(i).replaceAllUsesWith(results[i]);
  op.erase();
  return true;
}

bool dropBody(Operation& op, unsigned) {
  if (!isa<func::FuncOp>(&op) || op.region().empty()) return false;
  op.region().clear();
  op.setAttr("sym_visibility", StringAttr::get(op.context(), "private"));
  return true;
}

bool dropElse(Operation& op, unsigned) {
  bool hasElse = op.is("scf.if") && op.numResults() == 0 && !op.region(1).empty();
  if (hasElse) op.region(1).clear();
  return hasElse;
}

bool dropAttribute(Operation& op, unsigned part) {
  auto all = op.attributes().value();
  if (part >= all.size()) return false;
  std::string name(all[part].name.str());
  if (name == "operandSegmentSizes" || name == "sym_name" || name == "function_type") return false;
  op.removeAttr(name);
  return true;
}

bool dropDependency(Operation& op, unsigned part) {
  if (!air::isAsyncOp(op)) return false;
  std::vector<Value> tokens = air::AsyncOp(&op).dependencies().vec();
  if (part >= tokens.size()) return false;
  tokens.erase(tokens.begin() + part);
  if (op.hasTrait(Trait::AttrSizedOperandSegments))
    air::AsyncOp(&op).setDependencies(tokens);
  else
    op.setOperands(tokens);
  return true;
}

/// An argument of a body that nothing uses, with its operand.
bool dropKernelArgument(air::HierarchyOp op, unsigned part) {
  if (part >= op.numKernelOperands() || op.kernelArgument(part).hasUses()) return false;
  std::vector<Value> operands = op.kernelOperands().vec();
  op.body().eraseArgument(2 * op.numDims() + part);
  operands.erase(operands.begin() + part);
  op->setOperandGroup(isa<air::RankOp>(op.op()) ? 3 : 2, operands);
  return true;
}

bool dropFunctionArgument(func::FuncOp function, unsigned part) {
  bool isDropped = !function.isDeclaration() && part < function.numArguments() &&
                   !function->hasAttr("arg_attrs") &&
                   !function->region().front().argument(part).hasUses();
  if (!isDropped) return false;
  FunctionType type = function.functionType();
  std::vector<Type> inputs(type.inputs().begin(), type.inputs().end());
  std::vector<Type> results(type.results().begin(), type.results().end());
  inputs.erase(inputs.begin() + part);
  function->region().front().eraseArgument(part);
  function->setAttr("function_type",
                    TypeAttr::get(FunctionType::get(function->context(), inputs, results)));
  return true;
}

bool dropArgument(Operation& op, unsigned part) {
  if (air::HierarchyOp hierarchy = air::asHierarchy(&op))
    return dropKernelArgument(hierarchy, part);
  func::FuncOp function = dynCast<func::FuncOp>(&op);
  return function && dropFunctionArgument(function, part);
}

/// 1, a half, one less.
bool shrinkConstant(Operation& op, unsigned part) {
  if (!op.is("arith.constant") || op.numResults() != 1) return false;
  auto number = op.attrOf<IntegerAttr>("value");
  if (!number || number.value() < 2) return false;
  int64_t value = number.value(), smaller = part == 0 ? 1 : part == 1 ? value / 2 : value - 1;
  bool isTaken = part > 0 && smaller == 1;
  if (isTaken) return false;
  op.setAttr("value", IntegerAttr::get(number.type(), smaller));
  return true;
}

struct NoticeKind {
  bool (*apply)(Operation&, unsigned);
  unsigned (*parts)(Operation&);
};

unsigned one(Operation&) { return 1; }
unsigned two(Operation& op) { return std::min(op.numRegions(), 2u); }
unsigned three(Operation&) { return 3; }
unsigned numAttributes(Operation& op) {
  return static_cast<unsigned>(op.attributes().value().size());
}
unsigned numDependencies(Operation& op) {
  return air::isAsyncOp(op) ? air::AsyncOp(&op).dependencies().size() : 0;
}
unsigned numArguments(Operation& op) {
  if (air::HierarchyOp hierarchy = air::asHierarchy(&op)) return hierarchy.numKernelOperands();
  func::FuncOp function = dynCast<func::FuncOp>(&op);
  return function && !function.isDeclaration() ? function.numArguments() : 0;
}

constexpr std::array kNoticeKinds = {
    NoticeKind{dropBody, one},
    NoticeKind{eraseOp, one},
    NoticeKind{unwrap, two},
    NoticeKind{dropElse, one},
    NoticeKind{dropDependency, numDependencies},
    NoticeKind{dropArgument, numArguments},
    NoticeKind{shrinkConstant, three},
    NoticeKind{dropAttribute, numAttributes},
};

// -- The search -----------------------------------------------------------------------------------

class Search {
 public:
  Search(OwningOp& best, const ReduceOptions& options) : best_(best), options_(options) {}

  ReduceOutcome run() {
    outcome_.before = static_cast<unsigned>(opsOf(*best_).size());
    for (bool changed = true; changed;) {
      changed = false;
      for (const NoticeKind& kind : kNoticeKinds)
        changed |= reduceBy(kind);
    }
    outcome_.after = static_cast<unsigned>(opsOf(*best_).size());
    return outcome_;
  }

 private:
  std::vector<Edit> editsOf(const NoticeKind& kind) {
    std::vector<Edit> edits;
    std::vector<Operation*> ops = opsOf(*best_);
    for (size_t i = 1; i < ops.size(); ++i)
      for (unsigned part = 0, count = kind.parts(*ops[i]); part < count; ++part)
        edits.push_back({i, part});
    return edits;
  }

  /// Sets of edits, smaller and smaller ones.
  bool reduceBy(const NoticeKind& kind) {
    bool changed = false;
    std::vector<Edit> edits = editsOf(kind);
    for (size_t size = edits.size(); size > 0; size /= 2)
      for (size_t end = edits.size(); end > 0;) {
        size_t begin = end > size ? end - size : 0;
        if (attempt(kind, std::span(edits).subspan(begin, end - begin))) {
          changed = true;
          edits = editsOf(kind);
          end = std::min(begin, edits.size());
        } else {
          end = begin;
        }
      }
    return changed;
  }

  bool attempt(const NoticeKind& kind, std::span<const Edit> edits) {
    OwningOp candidate(best_->clone());
    std::vector<Operation*> ops = opsOf(*candidate);
    bool changed = false;
    for (size_t i = edits.size(); i-- > 0;)
      changed |= kind.apply(*ops[edits[i].op], edits[i].part);
    if (!changed || !isSound(*candidate)) return false;
    std::string text = reducedText(*candidate, options_);
    if (!asked_.insert(text).second) return false;
    ++outcome_.candidates;
    if (!options_.shows(text)) return false;
    best_ = std::move(candidate);
    return true;
  }

  bool isSound(Operation& candidate) const {
    if (!options_.mustVerify) return true;
    DiagnosticCollector silence(candidate.context());
    return succeeded(verify(candidate));
  }

  OwningOp& best_;
  const ReduceOptions& options_;
  ReduceOutcome outcome_;
  std::unordered_set<std::string> asked_;
};

}  // namespace

std::string reducedText(Operation& module, const ReduceOptions& options) {
  return printToString(module, {.generic = !options.mustVerify});
}

ReduceOutcome reduce(OwningOp& module, const ReduceOptions& options) {
  return Search(module, options).run();
}

}  // namespace airlite::testing
