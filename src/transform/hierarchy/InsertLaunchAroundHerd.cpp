// air-insert-launch-around-herd: puts a launch around each herd that has none.
//
// Matches herds outside of any launch. The herd (or the outermost segment that holds it) moves into
// a new launch without iteration space. With insert-segment, a herd without a segment gets one as
// well, also where it stands in a launch already. Segments without a name become <function>_N. An
// asynchronous op hands its dependencies to what is put around it, whose token stands for its own.
//
// Declines, with an error: herds in herds, which parts of programs may have and launches may not.
#include "Hierarchy.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

/// Moves `inner` into a new hierarchy op of that name.
Operation* wrap(Operation& inner, std::string_view opName) {
  air::AsyncOp async(&inner);
  Value token = async.token();
  std::vector<Value> dependencies = async.dependencies().vec();
  Builder builder = Builder::before(inner);
  bool isAsync = token || !dependencies.empty();
  air::HierarchyOp outer = air::createHierarchy(builder, inner.location(), opName, {},
                                                isAsync ? &dependencies : nullptr);
  if (token) token.replaceAllUsesWith(outer.token());
  async.setDependencies({});
  inner.moveBefore(outer.body().terminator());
  air::isolate(outer);
  return outer.op();
}

Operation* outermost(Operation& herd, std::string_view opName) {
  Operation* result = nullptr;
  for (Operation* up = herd.parentOp(); up; up = up->parentOp())
    if (up->is(opName)) result = up;
  return result;
}

class InsertLaunch : public Pass {
 public:
  InsertLaunch()
      : Pass("air-insert-launch-around-herd", "Puts launches around herds that have none") {
    anchor("builtin.module");
    option("insert-segment", insertSegment_, "put a segment around the herd as well");
    example("airlite-opt --air-insert-launch-around-herd in.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    std::vector<Operation*> herds;
    module.walk([&](Operation& op) {
      if (isa<air::HerdOp>(&op)) herds.push_back(&op);
    });
    for (Operation* herd : herds)
      if (herd->parentOf<air::HerdOp>()) {
        herd->emitOpError() << "not supported: a herd in a herd cannot be part of a launch";
        return PassResult::Failed;
      }
    bool changed = false;
    for (Operation* herd : herds)
      changed |= insertAround(*herd);
    if (changed) air::nameSegments(module);
    return changedIf(changed);
  }

 private:
  bool insertAround(Operation& herd) const {
    bool changed = false;
    Operation* top = outermost(herd, "air.segment");
    if (!top && insertSegment_) {
      top = wrap(herd, "air.segment");
      changed = true;
    }
    if (herd.parentOf<air::LaunchOp>()) return changed;
    wrap(top ? *top : herd, "air.launch");
    return true;
  }

  bool insertSegment_ = false;
};

}  // namespace

void registerInsertLaunch(PassRegistry& registry) { registry.add<InsertLaunch>(); }

}  // namespace airlite
