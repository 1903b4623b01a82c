// air-dependency: makes a program asynchronous.
//
// Matches every function. DMAs, channel puts and gets, and hierarchy ops become asynchronous; any
// other op that touches memory (by the effects of its definition; calls touch all that they get)
// goes into an air.execute that hands out its results. Each waits for those before it that it
// conflicts with: read after write, write after read and write after write of one buffer, where the
// pieces of it that they take may have an element in common (analysis/Access.hpp), in views, kernel
// arguments and results of executes as well. Values computed by executes order what uses them.
// Ops that are asynchronous already keep their token and their dependencies; what does not wait for
// them in the program does not wait here either.
//
// Produces: in scf.for, one more iteration argument, which starts as a join of what the body waits
// for outside and is yielded as a join of what nothing in the body comes after; what only makes or
// frees buffers of the body is not waited for. In scf.parallel, `init` and an scf.reduce that joins
// two tokens. In scf.if, affine.if and scf.index_switch, a token result, an else block where there
// is none, and a join before. Lists are reduced: what another entry waits for is left out. Numbers
// (`id`) on transfers, executes, hierarchy ops and joins.
// A get whose data comes out of a synchronous hierarchy op before it waits for that op
// (DependencyChannels.cpp).
//
// Declines: ops with other regions stay as they are around asynchronous ops, after an air.wait_all
// that blocks until what they depend on is done (a remark says so); without such ops inside they go
// into an execute whole. Barriers and locks wait for everything before. Buffers that only say the
// shapes of reshapes stay outside. With more than 128 accesses of one buffer in one block the older
// ones count as one access of all of it. A function ends when all ops in it are done: nothing waits
// at its return, but for a function with memory on its stack, which ends there.
//
// Transfers that this pass makes asynchronous may go through one end of a channel in any order that
// memory allows, as the AIR tools have it: a program that puts (or gets) twice at one place means
// something else then, and a remark says so. `keep-channel-order`, or
// air-enforce-channel-fifo-order right after this pass, keeps the order of the program by tokens.
#include "DependencyWriter.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/channels/ChannelOrder.hpp"
#include "transform/dma/Renumber.hpp"

#include <set>

namespace airlite {

namespace {

using namespace air::dependency;

/// `id`s of executes, hierarchy ops and joins: their own counts, over the module.
class Numbers {
 public:
  explicit Numbers(Context& context) : builder_(context) {}

  void number(Operation& op) {
    int64_t* counter = isa<air::ExecuteOp>(&op)   ? &executes_
                       : isa<air::WaitAllOp>(&op) ? &joins_
                       : air::asHierarchy(&op)    ? &hierarchies_
                                                  : nullptr;
    if (counter) op.setAttr("id", builder_.i32Attr(++*counter));
  }

 private:
  Builder builder_;
  int64_t executes_ = 0, joins_ = 0, hierarchies_ = 0;
};

bool isAsyncToken(Type type) { return isDialectType(type, "air.async.token"); }

void forEachValue(Operation& function, FunctionRef<void(Value)> callback) {
  function.walk([&](Operation& op) {
    for (Value result : op.resultValues())
      callback(result);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Value argument : block.arguments())
          callback(argument);
  });
}

/// One kind of tokens in a function: what waits for a token of the model has one itself. Those that
/// the callers know stay.
LogicalResult useModelTokens(Operation& function) {
  for (Type type : func::FuncOp(&function).functionType().inputs())
    if (isAsyncToken(type))
      return function.emitOpError()
             << "not supported: an !air.async.token as argument of a function that is given tokens "
                "of the compute model";
  LogicalResult result = success();
  function.walk([&](Operation& op) {
    bool leaves = op.is("func.call") || op.is("func.return");
    for (Value operand : op.operands())
      if (leaves && isAsyncToken(operand.type()))
        result = op.emitOpError() << "not supported: an !air.async.token leaves a function that is "
                                     "given tokens of the compute model";
  });
  if (failed(result)) return result;
  Type model = DialectType::get(function.context(), "air.token");
  forEachValue(function, [&](Value value) {
    if (isAsyncToken(value.type())) value.setType(model);
  });
  return success();
}

bool hasModelTokens(Operation& function) {
  bool found = false;
  forEachValue(function, [&](Value value) { found |= isDialectType(value.type(), "air.token"); });
  return found;
}

class Dependency : public Pass {
 public:
  Dependency()
      : Pass("air-dependency", "Makes a program asynchronous, ordered by its use of memory") {
    anchor("builtin.module");
    option("model-tokens", modelTokens_,
           "tokens of the compute model: !air.token and `dependency = [..]`; functions that have "
           "such tokens get them anyway");
    option("keep-channel-order", keepChannelOrder_,
           "transfers through one end of a channel wait for those before them, as "
           "air-enforce-channel-fifo-order makes them");
    example("airlite-opt --air-dependency in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> functions;
    module.walkWith([&](Operation& op) {
      if (!op.is("func.func")) return WalkResult::Advance;
      functions.push_back(&op);
      return WalkResult::Skip;
    });
    ChannelDepths depths = channelDepths(module);
    if (!keepChannelOrder_) remarkUnordered(module, context);
    for (Operation* function : functions)
      if (failed(makeAsync(*function, depths, context))) return PassResult::Failed;
    if (keepChannelOrder_) air::keepChannelOrder(module, context);
    Numbers numbers(module.context());
    for (Operation* function : functions)
      function->walk([&](Operation& op) { numbers.number(op); }, WalkOrder::PreOrder);
    return changedIf(!functions.empty());
  }

 private:
  LogicalResult makeAsync(Operation& function, const ChannelDepths& depths, PassContext& context) {
    bool isModel = modelTokens_ || hasModelTokens(function);
    if (isModel && failed(useModelTokens(function))) return failure();
    air::renumberMovement(function);
    Graph graph(function, depths);
    graph.forEach([&](const Node& node) {
      if (node.kind == NodeKind::Blocking)
        context.remark(*node.op, "stays synchronous: an op with other regions around asynchronous "
                                 "ops, a barrier or a lock");
    });
    Type token = DialectType::get(function.context(), isModel ? "air.token" : "air.async.token");
    Writer writer(graph, token);
    for (Scope* scope : graph.roots())
      writer.write(*scope, Value());
    return success();
  }

  /// Two transfers through one end of a channel, the later one blocking so far.
  static void remarkUnordered(Operation& module, PassContext& context) {
    std::set<std::pair<std::string_view, bool>> seen;
    module.walk([&](Operation& op) {
      if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return;
      air::ChannelAccessOp transfer(&op);
      bool isFirst = seen.insert({transfer.channelName(), transfer.isPut()}).second;
      if (isFirst || air::AsyncOp(&op).token()) return;
      context.remark(op,
                     "may overtake the transfers before it through this end of '@" +
                         std::string(transfer.channelName()) +
                         "' from here on: keep-channel-order, or air-enforce-channel-fifo-order "
                         "after this pass, keeps their order");
    });
  }

  bool modelTokens_ = false;
  bool keepChannelOrder_ = false;
};

}  // namespace

void registerDependency(PassRegistry& registry) { registry.add<Dependency>(); }

}  // namespace airlite
