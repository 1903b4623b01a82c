// buffer-results-to-out-params: functions that return buffers fill buffers of their callers.
//
// Matches a function with memref results. Each becomes an argument at the end, with the attributes
// of the result; before the return, what was returned is copied into it (memref.copy). With
// `hoist-static-allocs` a returned memref.alloc of the type of the result is replaced by the
// argument instead. Callers allocate the buffer before the call. Functions that others may call
// from outside change with `modify-public-functions`, which is on.
//
// With `numbers` the same is done with the integers and floats that a function returns which nothing calls: each is
// stored to memory of one element where it is computed.
//
// Declines, with a remark at the function:
//  - a declaration, or more than one block: what is returned is not known
//  - a returned buffer that the function does not make itself, or returns twice: it would not be
//    the same memory any more
//  - asynchronous work in the function, which may be under way when it returns
//  - a call by something else than func.call; a callee whose buffer the caller cannot allocate
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

bool isBuffer(Type type) { return type.isa<MemRefType>() || type.isa<UnrankedMemRefType>(); }

bool canAllocate(Type type) {
  auto memref = type.dynCast<MemRefType>();
  return memref && memref.hasStaticShape() && memref.hasIdentityLayout();
}

Operation* allocOf(Value buffer) {
  Operation* def = air::bufferSource(buffer).definingOp();
  return def && isa<memref::AllocOp>(def) ? def : nullptr;
}

/// Numbers of the results that are buffers.
std::vector<unsigned> bufferResults(func::FuncOp function) {
  std::vector<unsigned> results;
  std::span<const Type> types = function.functionType().results();
  for (unsigned i = 0; i < types.size(); ++i)
    if (isBuffer(types[i])) results.push_back(i);
  return results;
}

/// `values` without the entries at `gone`, which are sorted.
template <class T>
std::vector<T> without(std::vector<T> values, const std::vector<unsigned>& gone) {
  for (size_t i = gone.size(); i > 0; --i)
    values.erase(values.begin() + gone[i - 1]);
  return values;
}

/// What the function returns may not be there when the return is reached.
bool hasAsyncWork(func::FuncOp function) {
  WalkResult result = function->walkWith([](Operation& op) {
    bool isAsync = air::isAsyncOp(op) && air::AsyncOp(&op).token();
    return isAsync ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

// -- Functions ------------------------------------------------------------------------------------

/// The type and the attributes of arguments and results.
void changeSignature(func::FuncOp function, const std::vector<unsigned>& buffers) {
  std::span<const Type> inputs = function.functionType().inputs();
  std::span<const Type> results = function.functionType().results();
  std::vector<Type> newInputs(inputs.begin(), inputs.end());
  std::vector<DictionaryAttr> moved;
  for (unsigned i : buffers) {
    newInputs.push_back(results[i]);
    moved.push_back(function.resultAttrs(i));
  }
  Context& context = function->context();
  if (auto attrs = function->attrOf<ArrayAttr>("res_attrs")) {
    std::vector<Attribute> kept =
        without(std::vector<Attribute>(attrs.value().begin(), attrs.value().end()), buffers);
    function->removeAttr("res_attrs");
    if (!kept.empty()) function->setAttr("res_attrs", ArrayAttr::get(context, kept));
  }
  unsigned first = static_cast<unsigned>(inputs.size());
  std::vector<Type> newResults =
      without(std::vector<Type>(results.begin(), results.end()), buffers);
  if (auto attrs = function->attrOf<ArrayAttr>("arg_attrs")) {
    std::vector<Attribute> all(attrs.value().begin(), attrs.value().end());
    all.resize(newInputs.size(), DictionaryAttr::get(context, {}));
    function->setAttr("arg_attrs", ArrayAttr::get(context, all));
  }
  function.setFunctionType(FunctionType::get(context, newInputs, newResults));
  for (unsigned k = 0; k < moved.size(); ++k)
    for (unsigned i = 0; moved[k] && i < moved[k].value().size(); ++i)
      function.setArgAttr(first + k, moved[k].value()[i].name.str(), moved[k].value()[i].value);
}

void changeBody(func::FuncOp function, const std::vector<unsigned>& buffers, bool hoistAllocs) {
  Operation& end = function.entry().back();
  for (unsigned i : buffers) {
    Value returned = end.operand(i);
    Value out = function.entry().addArgument(returned.type(), function->location());
    Operation* alloc = returned.definingOp();
    if (hoistAllocs && alloc && isa<memref::AllocOp>(alloc) && alloc->numOperands() == 0) {
      returned.replaceAllUsesWith(out);
      alloc->erase();
    } else {
      Builder::before(end).create(end.location(), "memref.copy", {returned, out}, {});
    }
  }
  end.setOperands(without(end.operands().vec(), buffers));
}

void changeCall(Operation& call, const std::vector<unsigned>& buffers) {
  Builder builder = Builder::before(call);
  OperationState state(call.location(), call.def());
  state.addOperands(call.operands());
  std::vector<Value> kept = without(call.resultValues(), buffers);
  for (unsigned i : buffers) {
    Value result = call.result(i);
    auto type = result.type().cast<MemRefType>();
    state.operands.push_back(memref::AllocOp::create(builder, call.location(), type)->result());
    result.replaceAllUsesWith(state.operands.back());
  }
  for (Value result : kept)
    state.resultTypes.push_back(result.type());
  state.attributes = NamedAttrList(call.attributes());
  for (std::string_view list : {"arg_attrs", "res_attrs"})
    state.attributes.erase(list);
  Operation* changed = builder.create(state);
  for (unsigned i = 0; i < kept.size(); ++i)
    kept[i].replaceAllUsesWith(changed->result(i));
  call.erase();
}

// -- Numbers --------------------------------------------------------------------------------------

/// Of whole bytes.
bool isNumber(Type type) {
  return (type.isInteger() || type.isFloat()) && type.bitWidth() % 8 == 0 && type.bitWidth() > 0;
}

/// What the function returns as a number it returns as memory that holds it.
bool storeNumbers(func::FuncOp function) {
  Block& body = function.entry();
  Operation& end = body.back();
  const FunctionType type = function.functionType();
  std::vector<Type> results(type.results().begin(), type.results().end());
  bool changed = false;
  for (unsigned i = 0; i < results.size(); ++i) {
    if (!isNumber(results[i])) continue;
    const Value number = end.operand(i);
    const auto memory = MemRefType::get(function->context(), {}, results[i]);
    Builder start = Builder::atStart(body);
    const Value held = memref::AllocOp::create(start, end.location(), memory).result();
    Operation* made = number.definingOp();
    (made ? Builder::after(*made) : Builder::before(end))
        .create(end.location(), "memref.store", {number, held}, {});
    end.setOperand(i, held);
    results[i] = memory;
    changed = true;
  }
  if (changed)
    function.setFunctionType(FunctionType::get(function->context(), type.inputs(), results));
  return changed;
}

// -- The pass -------------------------------------------------------------------------------------

class BufferResultsToOutParams : public Pass {
 public:
  BufferResultsToOutParams()
      : Pass("buffer-results-to-out-params", "Turns returned buffers into arguments") {
    anchor("builtin.module");
    option("hoist-static-allocs", hoistAllocs_, "fill the argument in place of a returned alloc");
    option("numbers", numbers_, "also returned numbers, of functions that nothing calls");
    option("modify-public-functions", modifyPublic_, "also change functions called from outside");
    example("airlite-opt --buffer-results-to-out-params='hoist-static-allocs=true' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    findUses(module);
    bool changed = numbers_ && storeAllNumbers(module);
    std::vector<Operation*> functions;
    module.walk([&](Operation& op) {
      if (isa<func::FuncOp>(&op) && !bufferResults(func::FuncOp(&op)).empty())
        functions.push_back(&op);
    });
    for (Operation* function : functions) {
      std::string_view obstacle = obstacleOf(func::FuncOp(function));
      if (!obstacle.empty())
        context.remark(*function, obstacle);
      else
        change(func::FuncOp(function));
      changed |= obstacle.empty();
    }
    if (changed)
      context.declareEffectChange(CountedEffect::Store, "results are copied to arguments");
    return changedIf(changed);
  }

 private:
  /// Who calls each function, and which are named by something that is not a call.
  void findUses(Operation& module) {
    calls_.clear();
    isNamed_.clear();
    std::unordered_map<Operation*, SymbolMap> tables;
    module.walk([&](Operation& op) {
      forEachSymbolUse(op, [&](SymbolRefAttr use) {
        Operation* table = nearestSymbolTable(&op);
        if (!table) return;
        SymbolMap& map = tables.try_emplace(table, *table).first->second;
        Operation* target = use.nested().empty() ? map.find(use.root()) : nullptr;
        if (!target) target = lookupSymbol(&op, use);
        if (!target) return;
        if (isa<func::CallOp>(&op))
          calls_[target].push_back(&op);
        else
          isNamed_.insert(target);
      });
    });
  }

  bool storeAllNumbers(Operation& module) {
    bool changed = false;
    module.walk([&](Operation& op) {
      const auto function = dynCast<func::FuncOp>(&op);
      if (function && !function.isDeclaration() && function.body().hasOneBlock() &&
          !isNamed_.count(&op) && calls_[&op].empty() && !hasAsyncWork(function))
        changed |= storeNumbers(function);
    });
    return changed;
  }

  std::string_view obstacleOf(func::FuncOp function) {
    if (function.isDeclaration()) return "what a declaration returns is not known";
    if (!function.isPrivate() && !modifyPublic_) return "it may be called from outside";
    if (!function.body().hasOneBlock()) return "it has several blocks";
    if (isNamed_.count(function.op())) return "it is named by something that is not a call";
    if (hasAsyncWork(function)) return "asynchronous work may still fill what it returns";
    bool isCalled = !calls_[function.op()].empty();
    std::unordered_set<Operation*> made;
    for (unsigned i : bufferResults(function)) {
      Value returned = function.entry().back().operand(i);
      Operation* alloc = allocOf(returned);
      if (!alloc) return "it returns a buffer that it does not make";
      if (!made.insert(alloc).second) return "it returns a buffer twice";
      if (isCalled && !canAllocate(returned.type()))
        return "its callers cannot allocate the buffer";
    }
    return {};
  }

  void change(func::FuncOp function) {
    std::vector<unsigned> buffers = bufferResults(function);
    changeBody(function, buffers, hoistAllocs_);
    changeSignature(function, buffers);
    for (Operation* call : calls_[function.op()])
      changeCall(*call, buffers);
  }

  bool hoistAllocs_ = false, numbers_ = false;
  bool modifyPublic_ = true;
  std::unordered_map<Operation*, std::vector<Operation*>> calls_;
  std::unordered_set<Operation*> isNamed_;
};

}  // namespace

void registerBufferResultsToOutParams(PassRegistry& registry) {
  registry.add<BufferResultsToOutParams>();
}

}  // namespace airlite
