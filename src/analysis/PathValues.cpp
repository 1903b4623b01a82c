#include "PathValues.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::analysis {

// -- Counters -------------------------------------------------------------------------------------

namespace {

IndexTerm termOf(int64_t number) { return {{number, Value()}, {}, {}, {}}; }
IndexTerm termOf(Value value) { return {{0, value}, {}, {}, {}}; }
CounterBound boundOf(Value value) { return {termOf(value), std::nullopt}; }
CounterBound boundOf(affine::Application map) { return {{}, std::move(map)}; }

std::vector<Counter> ofForall(scf::ForallOp loop) {
  const auto lower = memref::mixedIndices(loop.staticLowerBounds(), loop.dynamicLowerBounds());
  const auto upper = memref::mixedIndices(loop.staticUpperBounds(), loop.dynamicUpperBounds());
  const auto step = memref::mixedIndices(loop.staticSteps(), loop.dynamicSteps());
  const auto term = [](const memref::MixedIndex& index) {
    return index.isConstant() ? termOf(index.constant) : termOf(index.value);
  };
  std::vector<Counter> counters;
  for (unsigned i = 0; i < loop.rank(); ++i)
    counters.push_back(
        {loop.inductionVar(i), {term(lower[i]), {}}, {term(upper[i]), {}}, term(step[i])});
  return counters;
}

}  // namespace

std::optional<std::vector<Counter>> countersOf(Operation& op) {
  std::vector<Counter> counters;
  if (air::HierarchyOp level = air::asHierarchy(&op)) {
    for (unsigned i = 0; i < level.numDims(); ++i)
      counters.push_back(
          {level.id(i), {termOf(int64_t{0}), {}}, boundOf(level.sizes()[i]), termOf(int64_t{1})});
  } else if (scf::ForOp loop = dynCast<scf::ForOp>(&op)) {
    counters.push_back({op.region(0).front().argument(0), boundOf(loop.lowerBound()),
                        boundOf(loop.upperBound()), termOf(loop.step())});
  } else if (affine::ForOp loop = dynCast<affine::ForOp>(&op)) {
    counters.push_back({op.region(0).front().argument(0), boundOf(loop.lowerBound()),
                        boundOf(loop.upperBound()), termOf(loop.step())});
  } else if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(&op)) {
    for (unsigned i = 0; i < loop.numLoops(); ++i)
      counters.push_back({loop.inductionVars()[i], boundOf(loop.lowerBounds()[i]),
                          boundOf(loop.upperBounds()[i]), termOf(loop.steps()[i])});
  } else if (scf::ForallOp loop = dynCast<scf::ForallOp>(&op)) {
    return ofForall(loop);
  } else if (affine::ParallelOp loop = dynCast<affine::ParallelOp>(&op)) {
    for (unsigned i = 0; i < loop.numDims(); ++i)
      counters.push_back({loop.inductionVar(i), boundOf(loop.lowerBound(i)),
                          boundOf(loop.upperBound(i)), termOf(loop.step(i))});
  } else if (op.hasTrait(Trait::LoopLike)) {
    return std::nullopt;
  }
  return counters;
}

// -- Paths ----------------------------------------------------------------------------------------

CallPaths::CallPaths(Operation& module) {
  module.walk([&](Operation& op) {
    if (!isa<func::CallOp>(&op)) return;
    if (func::FuncOp callee = func::CallOp(&op).function()) callers_[callee.op()].push_back(&op);
  });
}

std::vector<std::vector<PathStep>> CallPaths::pathsTo(Operation& op, size_t most) {
  std::vector<std::vector<PathStep>> paths;
  std::vector<Operation*> functions;
  extend(op, {}, functions, most, paths);
  return paths;
}

/// `inner`: the path from `op`, innermost first.
void CallPaths::extend(Operation& op, std::vector<PathStep> inner,
                       std::vector<Operation*>& functions, size_t most,
                       std::vector<std::vector<PathStep>>& paths) {
  Operation* at = &op;
  while (Region* region = at->parentRegion()) {
    at = region->parentOp();
    if (!at) return;
    inner.push_back({at, region});
    if (isa<func::FuncOp>(at)) break;
  }
  if (!isa<func::FuncOp>(at) || paths.size() >= most) return;
  if (std::find(functions.begin(), functions.end(), at) != functions.end()) return;
  const auto callers = callers_.find(at);
  if (callers == callers_.end()) {
    std::reverse(inner.begin(), inner.end());
    return paths.push_back(std::move(inner));
  }
  functions.push_back(at);
  for (Operation* call : callers->second) {
    std::vector<PathStep> longer = inner;
    longer.push_back({call, nullptr});
    extend(*call, std::move(longer), functions, most, paths);
  }
  functions.pop_back();
}

// -- Numbers --------------------------------------------------------------------------------------

PathValues::PathValues(std::span<const PathStep> path) {
  for (size_t i = 0; i + 1 < path.size(); ++i)
    if (!path[i].region) callOf_[path[i + 1].op] = path[i].op;
}

Value PathValues::outside(Value argument) const {
  if (!argument.isBlockArgument() || !argument.argumentBlock()->isEntry()) return {};
  const auto call = callOf_.find(argument.argumentBlock()->parentOp());
  const bool has = call != callOf_.end() && argument.index() < call->second->numOperands();
  return has ? call->second->operand(argument.index()) : Value();
}

std::optional<int64_t> PathValues::evaluate(Value value, unsigned depth) {
  constexpr unsigned kDeepest = 500;
  if (numberWidth(value.type()) == 0 || depth > kDeepest) return std::nullopt;
  if (const auto known = numbers_.find(value.impl()); known != numbers_.end()) return known->second;
  if (const auto memo = memos_.find(value.impl()); memo != memos_.end())
    if (memo->second.epoch == epoch_) return memo->second.number;
  const std::optional<int64_t> number = compute(value, depth + 1);
  memos_[value.impl()] = {epoch_, number};
  return number;
}

std::optional<int64_t> PathValues::compute(Value value, unsigned depth) {
  if (const Value source = outside(value)) return evaluate(source, depth);
  Operation* def = value.definingOp();
  if (def && def->is("memref.dim")) {
    const memref::DimOp dim(def);
    const auto index = evaluate(dim.index(), depth);
    return index && *index >= 0 ? sizeOf(dim.source(), static_cast<unsigned>(*index))
                                : std::nullopt;
  }
  const auto source = [&](Value inner) { return evaluate(inner, depth); };
  return computeNumber(value, source, &elements_);
}

std::optional<int64_t> PathValues::number(const IndexTerm& term) {
  if (!term.expr) return term.entry.value ? (*this)(term.entry.value) : term.entry.constant;
  const auto dims = numbersOf(term.dims, *this), symbols = numbersOf(term.symbols, *this);
  return dims && symbols ? term.expr.evaluate(*dims, *symbols) : std::nullopt;
}

std::optional<int64_t> PathValues::lower(const CounterBound& bound) {
  return bound.map ? lowerBound(*bound.map, *this) : number(bound.term);
}

std::optional<int64_t> PathValues::upper(const CounterBound& bound) {
  return bound.map ? upperBound(*bound.map, *this) : number(bound.term);
}

std::optional<int64_t> PathValues::sizeOf(Value memref, unsigned dim) {
  constexpr unsigned kMostViews = 100;
  for (unsigned i = 0; i < kMostViews; ++i) {
    const MemRefType type = memref.type().dynCast<MemRefType>();
    if (!type || dim >= type.shape().size()) return std::nullopt;
    if (type.shape()[dim] != kDynamic) return type.shape()[dim];
    if (memref.isBlockArgument()) {
      Value source = outside(memref);
      const air::HierarchyOp level = air::asHierarchy(memref.argumentBlock()->parentOp());
      if (!source && level) source = level.tiedOperand(memref);
      if (!source) return std::nullopt;
      memref = source;
      continue;
    }
    Operation& def = *memref.definingOp();
    if (isa<memref::AllocOp>(&def) || isa<memref::AllocaOp>(&def)) {
      const auto shape = type.shape();
      const auto before = std::count(shape.begin(), shape.begin() + dim, kDynamic);
      return (*this)(memref::AllocLikeOp(&def).dynamicSizes()[static_cast<unsigned>(before)]);
    }
    if (memref::SubViewOp view = dynCast<memref::SubViewOp>(&def)) {
      const auto dropped = view.droppedDims();
      if (!dropped) return std::nullopt;
      unsigned at = 0;
      for (unsigned kept = 0; at < dropped->size(); ++at)
        if (!(*dropped)[at] && kept++ == dim) break;
      if (at == dropped->size()) return std::nullopt;
      return number({{view.sizes()[at].constant, view.sizes()[at].value}, {}, {}, {}});
    }
    const bool isSame = def.is("memref.cast") || def.is("memref.memory_space_cast") ||
                        def.is("memref.assume_alignment");
    if (!isSame) return std::nullopt;
    memref = def.operand(0);
  }
  return std::nullopt;
}

// -- What a value depends on ----------------------------------------------------------------------

PathDependencies::PathDependencies(std::span<const PathStep> path, const PathValues& values)
    : values_(values) {
  for (const PathStep& step : path)
    if (auto counters = step.region ? countersOf(*step.op) : std::nullopt)
      for (Counter& counter : *counters)
        counters_[counter.variable.impl()] = std::move(counter);
}

void PathDependencies::add(const IndexTerm& term, PathSources& to) const {
  if (term.entry.value) add(term.entry.value, to);
  for (Value value : term.dims)
    add(value, to);
  for (Value value : term.symbols)
    add(value, to);
}

void PathDependencies::add(const CounterBound& bound, PathSources& to) const {
  add(bound.term, to);
  if (bound.map)
    for (Value value : bound.map->operands)
      add(value, to);
}

void PathDependencies::add(Value value, PathSources& to) const {
  std::vector<Value> open{value};
  std::set<const detail::ValueImpl*> seen;
  while (!open.empty()) {
    const Value next = open.back();
    open.pop_back();
    if (!seen.insert(next.impl()).second) continue;
    if (counters_.contains(next.impl())) {
      to.counters.insert(next.impl());
    } else if (next.isBlockArgument()) {
      Operation* owner = next.argumentBlock()->parentOp();
      const air::HierarchyOp level = air::asHierarchy(owner);
      if (const Value source = values_.outside(next))
        open.push_back(source);
      else if (level && next.index() >= level.numDims()) {
        const unsigned size = next.index() - level.numDims();
        open.push_back(size < level.numDims() ? level.sizes()[size] : level.tiedOperand(next));
      } else if (isa<func::FuncOp>(owner) && next.argumentBlock()->isEntry())
        to.hasArguments = true;
      else
        to.hasUnknown = true;
    } else {
      Operation& def = *next.definingOp();
      if (isa<air::ExecuteOp>(&def) && next.index() > 0 && def.region().hasOneBlock()) {
        open.push_back(def.region().front().back().operand(next.index() - 1));
        continue;
      }
      if (!def.hasTrait(Trait::Pure) && def.numOperands() > 0) to.hasUnknown = true;
      for (Value operand : def.operands())
        if (numberWidth(operand.type()) != 0) open.push_back(operand);
    }
  }
}

void PathDependencies::close(PathSources& sources) const {
  std::vector<const detail::ValueImpl*> open(sources.counters.begin(), sources.counters.end());
  while (!open.empty()) {
    const Counter& counter = counters_.at(open.back());
    open.pop_back();
    PathSources more;
    add(counter.lower, more);
    add(counter.upper, more);
    add(counter.step, more);
    sources.hasUnknown |= more.hasUnknown;
    sources.hasArguments |= more.hasArguments;
    for (const detail::ValueImpl* inner : more.counters)
      if (sources.counters.insert(inner).second) open.push_back(inner);
  }
}

}  // namespace airlite::analysis
