// air-linalg-to-func: linalg ops on memrefs become calls of library functions.
//
// Matches every op of the linalg dialect outside of other linalg ops. The callee is what
// `library_call` of a linalg.generic says; for a named op the op's name and its operand types
// (`linalg_fill_f32_view64x64xf32as2`: a memref is view<dims>x<element>[as<space>], `s` for a
// dynamic size). A generic without a name calls op_has_no_registered_library_name, or with
// derive-library-call a name made like that of a named op. The operands are passed as they are,
// but for the result of a reshape, expand_shape or collapse_shape: there the value before is
// passed. A callee is declared once, as a private function before the last op of the innermost
// module, with llvm.emit_c_interface and, if the option is not empty, link_with. The herd around a
// call gets link_with in any case. Other attributes of the op (strides of a convolution) are not
// passed.
//
// Declines, with an error: ops with results (on tensors), scalars other than numbers, and a callee
// that is declared with another type.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/script/ScriptRewrites.hpp"

namespace airlite {

namespace {

constexpr std::string_view kNoName = "op_has_no_registered_library_name";

bool isLinalg(const Operation& op) { return op.def().dialect == "linalg"; }

/// False when the type has no place in a name.
bool appendMangled(std::string& name, Type type) {
  if (type.isIntOrIndexOrFloat()) {
    name += type.str();
    return true;
  }
  auto memref = type.dynCast<MemRefType>();
  if (!memref || !memref.elementType().isIntOrIndexOrFloat()) return false;
  name += "view";
  for (int64_t size : memref.shape())
    name += (size == kDynamic ? "s" : std::to_string(size)) + "x";
  name += memref.elementType().str();
  int64_t space = constantInt(memref.memorySpace()).value_or(0);
  if (space) name += "as" + std::to_string(space);
  return true;
}

/// Empty when an operand cannot be named.
std::string mangled(Operation& op) {
  std::string name(op.name());
  name.replace(name.find('.'), 1, "_");
  for (Value operand : op.operands()) {
    name += '_';
    if (!appendMangled(name, operand.type())) return {};
  }
  return name;
}

Value beforeReshape(Value value) {
  for (Operation* op = value.definingOp(); op; op = value.definingOp()) {
    if (!op->is("memref.reshape") && !op->is("memref.expand_shape") &&
        !op->is("memref.collapse_shape"))
      break;
    value = op->operand(0);
  }
  return value;
}

std::string calleeName(Operation& op, const LibraryCall& how) {
  if (!how.name.empty()) return std::string(how.name);
  auto explicitName = op.attrOf<StringAttr>("library_call");
  if (explicitName) return std::string(explicitName.value());
  if (op.is("linalg.generic") && !how.deriveName) return std::string(kNoName);
  return mangled(op);
}

LogicalResult declare(Operation& op, const std::string& name, FunctionType type,
                      std::string_view linkWith) {
  Operation& module = *nearestSymbolTable(&op);
  if (Operation* known = lookupSymbolIn(module, name)) {
    auto function = dynCast<func::FuncOp>(known);
    if (function && function.functionType() == type) return success();
    return (op.emitOpError() << "calls '" << name << "' with " << type).note(known->location())
           << "which is declared differently";
  }
  Builder builder = Builder::before(module.region().front().back());
  auto function = func::FuncOp::create(builder, op.location(), name, type, false);
  function->setAttr("llvm.emit_c_interface", builder.unitAttr());
  if (!linkWith.empty()) function->setAttr("link_with", builder.stringAttr(linkWith));
  return success();
}

class LinalgToFunc : public Pass {
 public:
  LinalgToFunc() : Pass("air-linalg-to-func", "Turns linalg ops into calls of library functions") {
    anchor("builtin.module");
    option("link-with", linkWith_, "object file that holds the functions");
    option("derive-library-call", derive_, "name functions of linalg.generic after its operands");
    example("airlite-opt --air-linalg-to-func='link-with=mm.o' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    for (CountedEffect effect : {CountedEffect::Store, CountedEffect::Dma})
      context.declareEffectChange(effect, "linalg ops become calls");
    std::vector<Operation*> ops;
    module.walkWith([&](Operation& op) {
      if (!isLinalg(op)) return WalkResult::Advance;
      ops.push_back(&op);
      return WalkResult::Skip;
    });
    LibraryCall how{"", linkWith_, derive_};
    for (Operation* op : ops)
      if (!callLibrary(*op, how)) return PassResult::Failed;
    return changedIf(!ops.empty());
  }

 private:
  std::string linkWith_;
  bool derive_ = false;
};

}  // namespace

Operation* callLibrary(Operation& op, const LibraryCall& how) {
  if (op.numResults()) {
    op.emitOpError() << "not supported: it is not on memrefs only";
    return nullptr;
  }
  std::string name = calleeName(op, how);
  if (name.empty()) {
    op.emitOpError() << "not supported: an operand that is neither memref nor number";
    return nullptr;
  }
  std::vector<Value> operands;
  std::vector<Type> types;
  for (Value operand : op.operands()) {
    operands.push_back(beforeReshape(operand));
    types.push_back(operands.back().type());
  }
  FunctionType type = FunctionType::get(op.context(), types, {});
  if (failed(declare(op, name, type, how.linkWith))) return nullptr;
  Builder builder = Builder::before(op);
  Operation* call =
      builder.create(op.location(), "func.call", operands, std::span<const Type>(),
                     std::vector{builder.named("callee", SymbolRefAttr::get(op.context(), name))});
  bool linksHerd = how.linksHerd || !how.linkWith.empty();
  if (air::HerdOp herd = op.parentOf<air::HerdOp>(); herd && linksHerd)
    herd->setAttr("link_with", builder.stringAttr(how.linkWith));
  op.erase();
  return call;
}

void registerLinalgToFunc(PassRegistry& registry) { registry.add<LinalgToFunc>(); }

}  // namespace airlite
