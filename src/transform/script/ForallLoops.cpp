// scf-forall-to-for, scf-forall-to-parallel, and the steps of transform scripts of these names:
// scf.forall becomes a nest of scf.for, or one scf.parallel, over the same points. With around-transfers,
// scf-forall-to-parallel takes those around DMAs, puts and gets only: they may go on by themselves in an scf.parallel,
// which carries tokens.
//
// Declines, with an error: scf.forall with shared outputs, whose results tensors are.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <array>

namespace airlite {

namespace {

/// The lower bounds, upper bounds and steps as values.
std::array<std::vector<Value>, 3> boundsOf(scf::ForallOp loop, Builder& builder) {
  std::array<std::vector<Value>, 3> all;
  const auto read = [&](std::vector<Value>& values, std::span<const int64_t> statics,
                        OperandRange dynamic) {
    unsigned next = 0;
    for (int64_t number : statics)
      values.push_back(number == kDynamic ? dynamic[next++]
                                          : builder.constantIndex(loop->location(), number));
  };
  read(all[0], loop.staticLowerBounds(), loop.dynamicLowerBounds());
  read(all[1], loop.staticUpperBounds(), loop.dynamicUpperBounds());
  read(all[2], loop.staticSteps(), loop.dynamicSteps());
  return all;
}

bool hasNoOutputs(Operation& op) {
  if (scf::ForallOp(&op).outputs().size() == 0) return true;
  op.emitOpError() << "not supported: shared outputs, without which it can become other loops";
  return false;
}

/// Moves the body in front of the end of `to`, in which `variables` count, and erases the loop.
void moveBody(scf::ForallOp loop, Block& to, std::span<const Value> variables) {
  for (unsigned i = 0; i < loop.rank(); ++i)
    loop.inductionVar(i).replaceAllUsesWith(variables[i]);
  Block& from = loop.body();
  from.back().erase();
  if (!from.empty()) to.splice(&to.back(), from, &from.front());
  loop.op()->erase();
}

class ForallPass : public Pass {
 public:
  ForallPass(std::string_view name, std::string_view summary, Operation* (*convert)(Operation&))
      : Pass(name, summary), convert_(convert) {}

  PassResult run(Operation& root, PassContext&) override {
    std::vector<Operation*> loops;
    root.walk([&](Operation& op) {
      if (isa<scf::ForallOp>(&op) && isMeant(op)) loops.push_back(&op);
    });
    for (Operation* loop : loops)
      if (!convert_(*loop)) return PassResult::Failed;
    return changedIf(!loops.empty());
  }

 protected:
  virtual bool isMeant(Operation&) { return true; }

 private:
  Operation* (*convert_)(Operation&);
};

/// Of its own, not those of launches, segments and herds inside.
bool holdsTransfers(Operation& loop) {
  const WalkResult result = loop.walkWith([](Operation& op) {
    if (air::asHierarchy(&op)) return WalkResult::Skip;
    const bool isTransfer = air::isChannelAccess(op) || isa<air::DmaMemcpyNdOp>(&op);
    return isTransfer ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

class ForallToForPass : public ForallPass {
 public:
  ForallToForPass()
      : ForallPass("scf-forall-to-for", "Turns scf.forall into nests of scf.for", forallToFor) {
    example("airlite-opt --scf-forall-to-for in.mlir");
  }
};

class ForallToParallelPass : public ForallPass {
 public:
  ForallToParallelPass()
      : ForallPass("scf-forall-to-parallel", "Turns scf.forall into scf.parallel",
                   forallToParallel) {
    option("around-transfers", aroundTransfers_, "only loops around DMAs, puts and gets");
    example("airlite-opt --scf-forall-to-parallel in.mlir");
  }

 private:
  bool isMeant(Operation& loop) override { return !aroundTransfers_ || holdsTransfers(loop); }

  bool aroundTransfers_ = false;
};

}  // namespace

Operation* forallToParallel(Operation& op) {
  if (op.is("scf.parallel")) return &op;
  if (!isa<scf::ForallOp>(&op)) return op.emitOpError() << "expected an scf.forall", nullptr;
  if (!hasNoOutputs(op)) return nullptr;
  scf::ForallOp loop(&op);
  Builder builder = Builder::before(op);
  const auto bounds = boundsOf(loop, builder);
  auto made = scf::ParallelOp::create(builder, op.location(), bounds[0], bounds[1], bounds[2]);
  moveBody(loop, made.body(), made.inductionVars());
  return made.op();
}

Operation* forallToFor(Operation& op) {
  if (op.is("scf.for")) return &op;
  if (!isa<scf::ForallOp>(&op)) return op.emitOpError() << "expected an scf.forall", nullptr;
  if (!hasNoOutputs(op)) return nullptr;
  scf::ForallOp loop(&op);
  Builder builder = Builder::before(op);
  const auto bounds = boundsOf(loop, builder);
  Operation* outermost = nullptr;
  Block* inner = nullptr;
  std::vector<Value> variables;
  for (unsigned i = 0; i < loop.rank(); ++i) {
    auto made =
        scf::ForOp::create(builder, op.location(), bounds[0][i], bounds[1][i], bounds[2][i]);
    if (!outermost) outermost = made.op();
    inner = &made.body();
    variables.push_back(made.inductionVar());
    builder.setBefore(inner->back());
  }
  if (!inner) return op.emitOpError() << "has no dimension", nullptr;
  moveBody(loop, *inner, variables);
  return outermost;
}

void registerForallLoops(PassRegistry& registry) {
  registry.add<ForallToForPass>();
  registry.add<ForallToParallelPass>();
}

}  // namespace airlite
