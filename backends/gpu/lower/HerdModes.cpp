// Says how each herd is run. A processing element is a wave. When nothing in a body tells lanes
// apart and nothing waits in it, one lane runs it: a body that reads what it also writes ("load a
// tile of C, add, store it") gives the right result only once. All other bodies are run by every
// lane, as their programs ask for. WaveHerds.cpp lets the lanes share what is in the former.
#include "Divergence.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

class ModeChooser {
 public:
  explicit ModeChooser(Kernel& kernel) : kernel_(kernel), diverges_(kernel) {}

  void run() {
    kernel_.func->walk([&](Operation& op) {
      if (isa<air::HerdOp>(&op)) kernel_.herds[&op] = firstGuess(op);
    });
    collectPrivateUses();
    while (demoteSharers()) {
    }
  }

 private:
  HerdMode firstGuess(Operation& herd) {
    if (herd.hasAttr(kSpreadAttr)) return HerdMode::Spread;
    bool lanes = usesLaneValue(herd), waits = false;
    herd.walk([&](Operation& op) {
      lanes = lanes || seesLanes(op);
      waits = waits || op.is("gpu.barrier");
    });
    if (!lanes) kernel_.uniform.insert(&herd);
    return lanes || waits ? HerdMode::AllLanes : HerdMode::FirstLane;
  }

  /// A value from outside differs between lanes, or not all lanes come here.
  bool usesLaneValue(Operation& herd) {
    bool found = false;
    for (Operation* up = herd.parentOp(); up && up != kernel_.func; up = up->parentOp())
      found = found || diverges_.ofControl(*up);
    herd.walk([&](Operation& op) {
      for (Value operand : op.operands())
        found = found || (isOutside(operand, &herd) && diverges_(operand));
    });
    return found;
  }

  static bool isOutside(Value value, Operation* herd) {
    Operation* parent = value.parentBlock()->parentOp();
    return !herd->isAncestor(parent);
  }

  /// Private buffers from outside the herds, and the ops that touch them.
  void collectPrivateUses() {
    kernel_.func->walk([&](Operation& op) {
      for (Value operand : op.operands()) {
        if (!isLevel(operand, air::MemoryLevel::L1)) continue;
        Value root = memref::viewSource(operand);
        Operation* def = root.definingOp();
        if (!def || !def->hasTrait(Trait::ViewLike)) users_[root].push_back(&op);
      }
    });
  }

  /// A buffer that somebody else reads or fills lane by lane must be kept by every lane.
  bool demoteSharers() {
    bool changed = false;
    for (auto& [root, users] : users_)
      if (anyNeedsAllLanes(users)) changed |= demoteAll(users);
    return changed;
  }

  bool anyNeedsAllLanes(const std::vector<Operation*>& users) {
    bool herds = false, outside = false;
    for (Operation* user : users) {
      Operation* herd = user->parentOfName("air.herd");
      if (herd && kernel_.herds[herd] != HerdMode::FirstLane) return true;
      herds |= herd != nullptr;
      outside |= !herd && !onlyFills(*user);
    }
    return herds && outside;
  }

  /// Views, and ops that write the buffer without reading memory.
  static bool onlyFills(Operation& op) {
    if (op.hasTrait(Trait::ViewLike) || op.is("memref.store") || op.is("linalg.fill")) return true;
    return op.is("memref.dim");
  }

  bool demoteAll(const std::vector<Operation*>& users) {
    bool changed = false;
    for (Operation* user : users) {
      Operation* herd = user->parentOfName("air.herd");
      if (!herd || kernel_.herds[herd] != HerdMode::FirstLane) continue;
      kernel_.herds[herd] = HerdMode::AllLanes;
      changed = true;
    }
    return changed;
  }

  Kernel& kernel_;
  Divergence diverges_;
  std::unordered_map<Value, std::vector<Operation*>> users_;
};

}  // namespace

void chooseHerdModes(Kernel& kernel) { ModeChooser(kernel).run(); }

}  // namespace airlite::gpu
