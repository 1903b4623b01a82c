// air-shape-arguments: an argument of any shape gets the only shape that its function takes it for.
//
// Matches arguments memref<*xT> of a function whose uses are all one memref.reinterpret_cast, or several of one type, to
// rows one after the other from its beginning, as programs of Triton have them. The argument is of this type then, and the
// attribute air.any_shape says that the caller gives an array of any shape with so many elements. Passes that
// look at arguments see whole arrays.
//
// Declines: arguments with other uses, functions that others call.
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/AnyShape.hpp"

#include <algorithm>
#include <vector>

namespace airlite {

namespace {

/// All of a row-major array at the beginning of its memory.
MemRefType wholeArrayOf(Operation& user) {
  if (!user.is("memref.reinterpret_cast")) return {};
  const memref::ReinterpretCastOp cast(&user);
  const auto type = cast.resultType();
  const bool isWhole = type.hasStaticShape() && type.hasIdentityLayout() &&
                       cast.offsets() == std::vector{memref::MixedIndex(0)};
  return isWhole ? type : MemRefType();
}

/// The type that all uses of an argument take it for; null: there are several, or none.
MemRefType onlyTypeOf(Value argument) {
  MemRefType only;
  for (OpOperand& use : argument.uses()) {
    const MemRefType type = wholeArrayOf(*use.owner());
    if (!type || (only && type != only)) return {};
    only = type;
  }
  return only;
}

bool isCalled(func::FuncOp function) {
  bool isCalled = false;
  function->parentOp()->walk([&](Operation& op) {
    auto callee = op.attrOf<SymbolRefAttr>("callee");
    isCalled |= callee && callee.root() == function.symName();
  });
  return isCalled;
}

class ShapeArguments : public Pass {
 public:
  ShapeArguments()
      : Pass("air-shape-arguments",
             "Arguments of any shape get the shape that they are taken for") {
    anchor("func.func");
    example("airlite-opt --air-shape-arguments in.mlir");
  }

  PassResult run(Operation& op, PassContext&) override {
    func::FuncOp function(&op);
    if (function.isDeclaration() || isCalled(function)) return PassResult::Unchanged;
    FunctionType type = function.functionType();
    std::vector<Type> inputs(type.inputs().begin(), type.inputs().end());
    bool isChanged = false;
    for (unsigned i = 0; i < inputs.size(); ++i) {
      const Value argument = function.argument(i);
      if (!inputs[i].isa<UnrankedMemRefType>()) continue;
      const MemRefType shape = onlyTypeOf(argument);
      if (!shape) continue;
      inputs[i] = shape;
      take(argument, shape);
      function.setArgAttr(i, kAnyShape, UnitAttr::get(op.context()));
      isChanged = true;
    }
    if (isChanged)
      function.setFunctionType(FunctionType::get(op.context(), inputs, type.results()));
    return changedIf(isChanged);
  }

 private:
  static void take(Value argument, MemRefType shape) {
    std::vector<Operation*> casts;
    for (OpOperand& use : argument.uses())
      casts.push_back(use.owner());
    argument.setType(shape);
    for (Operation* cast : casts) {
      cast->result().replaceAllUsesWith(argument);
      cast->erase();
    }
  }
};

}  // namespace

void registerShapeArguments(PassRegistry& registry) { registry.add<ShapeArguments>(); }

}  // namespace airlite
