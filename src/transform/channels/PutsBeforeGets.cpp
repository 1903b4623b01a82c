#include "PutsBeforeGets.hpp"

#include "ProgramSteps.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <vector>

namespace airlite::air {
namespace {

bool isInOrder(const std::vector<Step>& steps) {
  for (size_t i = 0; i < steps.size(); ++i)
    for (size_t j = i + 1; j < steps.size(); ++j)
      if (intersect(steps[i].gets, steps[j].puts)) return false;
  return true;
}

/// Numbers of steps in their new order, as far as possible that of the program; empty: there is none.
std::vector<size_t> orderOf(const std::vector<Step>& steps) {
  const size_t count = steps.size();
  std::vector<std::vector<size_t>> next(count);
  std::vector<size_t> open(count), order;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j) {
      const bool isFixed = i < j && keepOrder(steps[i], steps[j], i);
      if (i == j || !(isFixed || intersect(steps[i].puts, steps[j].gets))) continue;
      next[i].push_back(j);
      ++open[j];
    }
  std::vector<bool> isDone(count);
  while (order.size() < count) {
    size_t at = 0;
    while (at < count && (isDone[at] || open[at] != 0))
      ++at;
    if (at == count) return {};
    isDone[at] = true;
    order.push_back(at);
    for (const size_t after : next[at])
      --open[after];
  }
  return order;
}

// -- Loops that put and get -----------------------------------------------------------------------

/// Steps that every part may have for itself: numbers, and what is computed from such.
std::vector<bool> repeatableSteps(const std::vector<Step>& steps) {
  std::vector<bool> repeatable;
  for (const Step& step : steps)
    repeatable.push_back(
        step.op->numRegions() == 0 && isMemoryEffectFree(*step.op) &&
        std::ranges::all_of(step.needs, [&](size_t maker) { return repeatable[maker]; }));
  return repeatable;
}

/// For each step the number of its part; steps of two parts have nothing to do with each other but for channels.
std::vector<size_t> partsOf(const std::vector<Step>& steps, const std::vector<bool>& repeatable) {
  std::vector<size_t> parts(steps.size());
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i] = i;
  const auto join = [&](size_t a, size_t b) {
    const size_t from = std::max(parts[a], parts[b]), to = std::min(parts[a], parts[b]);
    std::ranges::replace(parts, from, to);
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    if (repeatable[i]) continue;
    for (size_t j = 0; j < i; ++j)
      if (!repeatable[j] && (steps[i].needs.contains(j) || meet(steps[i], steps[j]))) join(i, j);
  }
  return parts;
}

/// A loop that puts and gets becomes loops one after the other, each of which has a part of its body.
void split(Operation& loop) {
  constexpr size_t kMost = 256;
  Block& body = scf::ForOp(&loop).body();
  const std::vector<Step> steps = stepsOf(body);
  const auto has = [&](auto member) {
    return std::ranges::any_of(steps, [&](const Step& step) { return !(step.*member).empty(); });
  };
  const bool isOpen =
      std::ranges::none_of(steps, [](const Step& step) { return step.doesAnything; });
  if (loop.numResults() || !isOpen || !has(&Step::puts) || !has(&Step::gets)) return;
  if (steps.size() > kMost) return;
  const std::vector<bool> repeatable = repeatableSteps(steps);
  const std::vector<size_t> parts = partsOf(steps, repeatable);
  std::vector<size_t> kept;
  for (size_t i = 0; i < steps.size(); ++i)
    if (parts[i] == i && !repeatable[i]) kept.push_back(i);
  if (kept.size() < 2) return;
  for (const size_t part : kept) {
    Builder builder = Builder::before(loop);
    const scf::ForOp copy(builder.clone(loop));
    std::vector<Operation*> ops;
    for (Operation& op : copy.body().ops())
      ops.push_back(&op);
    for (size_t i = steps.size(); i-- > 0;)
      if (parts[i] != part && !repeatable[i]) ops[i]->erase();
  }
  loop.erase();
}

// -- Blocks ---------------------------------------------------------------------------------------

void arrange(Block& block) {
  constexpr size_t kMost = 2048;  // each is compared with each
  const std::vector<Step> steps = stepsOf(block);
  if (steps.size() > kMost || isInOrder(steps)) return;
  for (const size_t number : orderOf(steps))
    steps[number].op->moveBefore(&block.back());
}

}  // namespace

void putsBeforeGets(Operation& launch, bool dividesLoops) {
  std::vector<Operation*> loops;  // inner ones first
  launch.walk([&](Operation& op) {
    if (dividesLoops && isa<scf::ForOp>(&op) && !op.parentOf<HerdOp>()) loops.push_back(&op);
  });
  for (Operation* loop : loops)
    split(*loop);
  launch.walkWith([&](Operation& op) {
    if (isa<HerdOp>(&op)) return WalkResult::Skip;
    const bool isProcess = asHierarchy(&op) || isa<scf::ForOp>(&op);
    if (isProcess) arrange(op.region().front());
    return WalkResult::Advance;
  });
}

}  // namespace airlite::air
