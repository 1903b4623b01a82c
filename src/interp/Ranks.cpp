// Memory of other ranks (see Ranks.hpp): copies from and to them, air.translate.
#include "Ranks.hpp"

#include "RankSide.hpp"

namespace airlite::interp {

std::shared_ptr<Memory> symmetricMemory(Run& run, const Inst& inst,
                                        const std::shared_ptr<Memory>& fresh) {
  RankSpace* ranks = run.process.ranks;
  if (!ranks) return fresh;
  uint32_t number = ranks->made[{inst.op, run.process.rank}]++;
  std::vector<std::shared_ptr<Memory>>& all = ranks->heap[{inst.op, number}];
  if (RankSide* side = run.machine.side(); side && all.empty())
    all = side->symmetric(inst.op, number, ranks->count, *fresh);
  while (all.size() < ranks->count)
    all.push_back(std::make_shared<Memory>(*fresh));
  for (std::shared_ptr<Memory>& memory : all)
    memory->peers = &all;
  std::shared_ptr<Memory> own = all[run.process.rank];
  if (own->data.size() == fresh->data.size()) return own;
  run.machine.error(run, *inst.op)
      << "ranks allocate " << fresh->data.size() << " and " << own->data.size()
      << " bytes together: an allocation of the symmetric heap has one size";
  return nullptr;
}

Step moveToRank(Run& run, const Inst& inst, View& view, int64_t rank) {
  const auto* peers = view.memory->peers;
  if (!peers) {
    run.machine.error(run, *inst.op) << "'" << inst.op->name()
                                     << "' names another rank, but the memory is not in the "
                                        "symmetric heap of an air.rank";
    return Step::Fail;
  }
  if (rank < 0 || rank >= static_cast<int64_t>(peers->size())) {
    run.machine.error(run, *inst.op) << "there is no rank " << rank << " among " << peers->size();
    return Step::Fail;
  }
  view.memory = (*peers)[static_cast<size_t>(rank)];
  return Step::Next;
}

namespace {

/// in: the memref, from which rank, to which.
Step doTranslate(Run& run, const Inst& inst) {
  const Slot& slot = run.in(inst, 0);
  int64_t ranks[2];
  if (slot.kind() != SlotKind::View) return Step::Retry;
  if (Step s = readNumbers(run, inst, 1, 2, ranks, "a rank"); s != Step::Next) return s;
  auto* made = new View(slot.as<View>());
  made->references = 0;
  Slot result;
  result.set(SlotKind::View, made);
  if (ranks[0] != ranks[1]) {
    View from = slot.as<View>();
    if (Step s = moveToRank(run, inst, from, ranks[0]); s != Step::Next) return s;
    if (from.memory != made->memory) {
      run.machine.error(run, *inst.op) << "the source is not memory of rank " << ranks[0];
      return Step::Fail;
    }
    if (Step s = moveToRank(run, inst, *made, ranks[1]); s != Step::Next) return s;
  }
  run.out(inst) = std::move(result);
  return Step::Next;
}

/// The table of addresses says nothing that the ranks do not.
bool compileTranslate(Builder& b, Operation& op) {
  Builder::Registers in{b.use(op.operand(0)), b.use(op.operand(1)), b.use(op.operand(2))};
  b.emit(doTranslate, op, in, b.defineResults(op));
  return true;
}

}  // namespace

void addRanks(CompileTable& table) { table["air.translate"] = compileTranslate; }

}  // namespace airlite::interp
