// inline: calls become what the function does.
//
// Matches func.call of a function with a body; functions that are called by what they
// call come first, so that nothing but declarations is called in the end. A body of several blocks
// becomes an scf.execute_region. A private function that nothing names any more goes.
//
// Declines, with a remark: functions that call themselves, directly or not, and what would make
// more than a million ops in all (functions that call the next one twice double at each step).
#include "airlite/transform/Inline.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

constexpr size_t kMaxMade = 1'000'000;

size_t countOps(Operation& root) {
  size_t count = 0;
  root.walk([&](Operation&) { ++count; });
  return count;
}

std::vector<func::CallOp> callsIn(Operation& root) {
  std::vector<func::CallOp> calls;
  root.walk([&](Operation& op) {
    if (isa<func::CallOp>(&op)) calls.push_back(func::CallOp(&op));
  });
  return calls;
}

void replaceByBody(func::CallOp call, func::FuncOp function) {
  Builder builder = Builder::before(*call.op());
  IRMapping mapping;
  for (unsigned i = 0; i < function.numArguments(); ++i)
    mapping.map(function.argument(i), call.arguments()[i]);
  for (Operation& op : function.entry().ops())
    if (!isa<func::ReturnOp>(&op)) builder.clone(op, mapping);
  Operation& end = function.entry().back();
  for (unsigned i = 0; i < call->numResults(); ++i)
    call->result(i).replaceAllUsesWith(mapping.lookupOr(end.operand(i)));
  call->erase();
}

/// Several blocks have no place between two ops but in a region of their own.
void replaceByRegion(func::CallOp call, func::FuncOp function) {
  Context& context = call->context();
  OperationState state(context, call->location(), "scf.execute_region");
  for (Value result : call->resultValues())
    state.resultTypes.push_back(result.type());
  state.addRegion();
  Operation& made = *Builder::before(*call.op()).create(state);
  OwningOp copy(function->clone());
  made.region().takeBody(copy->region());
  Block& entry = made.region().front();
  for (unsigned i = entry.numArguments(); i-- > 0;) {
    entry.argument(i).replaceAllUsesWith(call.arguments()[i]);
    entry.eraseArgument(i);
  }
  for (Block& block : made.region().blocks()) {
    Operation& end = block.back();
    if (!isa<func::ReturnOp>(&end)) continue;
    Builder builder = Builder::before(end);
    scf::YieldOp::create(builder, end.location(), end.operands().vec());
    end.erase();
  }
  for (unsigned i = 0; i < call->numResults(); ++i)
    call->result(i).replaceAllUsesWith(made.result(i));
  call->erase();
}

}  // namespace

void inlineCall(func::CallOp call, func::FuncOp function) {
  const bool hasBlocks = function.entry().next() != nullptr;
  (hasBlocks ? replaceByRegion : replaceByBody)(call, function);
}

namespace {

class Inliner {
 public:
  explicit Inliner(PassContext& context) : context_(context) {}

  /// Until nothing in `root` calls a function that can stand there itself.
  void run(Operation& root) {
    for (func::CallOp call : callsIn(root)) {
      func::FuncOp function = call.function();
      if (!function || function.isDeclaration()) continue;
      finish(*function.op());
      const size_t size = countOps(*function.op());
      std::string_view obstacle = obstacleTo(function);
      if (obstacle.empty() && made_ + size > kMaxMade)
        obstacle = "not inlined: the program would grow by more than a million ops";
      if (!obstacle.empty()) {
        context_.remark(*call.op(), obstacle);
        continue;
      }
      made_ += size;
      inlineCall(call, function);
      inlined_.insert(function.op());
    }
  }

  /// The function itself, once.
  void finish(Operation& function) {
    if (!state_.emplace(&function, State::Open).second) return;
    run(function);
    state_[&function] = State::Done;
  }

  const std::unordered_set<Operation*>& inlined() const { return inlined_; }

 private:
  enum class State { Open, Done };

  std::string_view obstacleTo(func::FuncOp function) const {
    if (state_.at(function.op()) == State::Open) return "not inlined: the function calls itself";
    return {};
  }

  PassContext& context_;
  std::unordered_map<Operation*, State> state_;
  std::unordered_set<Operation*> inlined_;
  size_t made_ = 0;  // ops, by inlining
};

class Inline : public Pass {
 public:
  Inline() : Pass("inline", "Puts the bodies of functions in the place of calls") {
    anchor("builtin.module");
    example("airlite-opt --inline in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    Inliner inliner(context);
    std::vector<Operation*> functions;
    module.walk([&](Operation& op) {
      if (isa<func::FuncOp>(&op)) functions.push_back(&op);
    });
    for (Operation* function : functions)
      inliner.finish(*function);
    if (inliner.inlined().empty()) return PassResult::Unchanged;
    eraseUnused(module, inliner.inlined());
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                 CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, "what a function does stands where it was called");
    return PassResult::Changed;
  }

 private:
  static void eraseUnused(Operation& module, const std::unordered_set<Operation*>& candidates) {
    std::unordered_set<Operation*> named;
    module.walk([&](Operation& op) {
      forEachSymbolUse(op, [&](SymbolRefAttr name) { named.insert(lookupSymbol(&op, name)); });
    });
    for (Operation* function : candidates)
      if (isPrivateSymbol(*function) && !named.count(function)) function->erase();
  }
};

}  // namespace

void registerInline(PassRegistry& registry) { registry.add<Inline>(); }

}  // namespace airlite
