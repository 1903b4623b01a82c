// The func dialect: functions, calls and references to functions.
//
//   module.walk([&](Operation& op) {
//     auto function = dynCast<func::FuncOp>(&op);
//     if (function && !function.isDeclaration()) visit(function.symName(), function.entry());
//   });
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <span>
#include <string_view>

namespace airlite {
class Builder;
}

namespace airlite::func {

class FuncOp : public OpView {
 public:
  using OpView::OpView;
  /// Creates and inserts a function. A definition gets an entry block with the arguments; without
  /// one it is a private declaration.
  static FuncOp create(Builder& builder, Location location, std::string_view name,
                       FunctionType type, bool isDefinition = true);

  std::string_view symName() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  FunctionType functionType() const {
    return op_->attrOf<TypeAttr>("function_type").value().cast<FunctionType>();
  }
  /// Does not touch the entry block.
  void setFunctionType(FunctionType type) const {
    op_->setAttr("function_type", TypeAttr::get(type));
  }
  bool isDeclaration() const { return body().empty(); }
  bool isPrivate() const { return visibility() == "private"; }
  /// "public" when none is written.
  std::string_view visibility() const {
    StringAttr text = op_->attrOf<StringAttr>("sym_visibility");
    return text ? text.value() : std::string_view("public");
  }
  Region& body() const { return op_->region(0); }
  Block& entry() const { return body().front(); }
  unsigned numArguments() const { return static_cast<unsigned>(functionType().inputs().size()); }
  Value argument(unsigned i) const { return entry().argument(i); }
  /// The dictionary of argument or result `i`; null when it is empty.
  DictionaryAttr argAttrs(unsigned i) const { return entryOf("arg_attrs", i); }
  DictionaryAttr resultAttrs(unsigned i) const { return entryOf("res_attrs", i); }
  Attribute argAttr(unsigned i, std::string_view name) const {
    DictionaryAttr attrs = argAttrs(i);
    return attrs ? attrs.get(name) : Attribute();
  }
  void setArgAttr(unsigned i, std::string_view name, Attribute value) const;
  /// Erases argument `i` of the type, the entry block and the attributes; it must have no uses.
  void eraseArgument(unsigned i) const;

 private:
  DictionaryAttr entryOf(std::string_view list, unsigned i) const;
};

/// The function of a module with a body that is called `wanted`; empty: main, or else the only one that is not
/// private. Null when there is none.
FuncOp findEntry(Operation& module, std::string_view wanted);

class CallOp : public OpView {
 public:
  using OpView::OpView;
  SymbolRefAttr callee() const { return op_->attrOf<SymbolRefAttr>("callee"); }
  OperandRange arguments() const { return op_->operands(); }
  /// The function, looked up from the call; null when there is none.
  FuncOp function() const;
};

class CallIndirectOp : public OpView {
 public:
  using OpView::OpView;
  Value callee() const { return op_->operand(0); }
  OperandRange arguments() const { return op_->operands().slice(1, op_->numOperands() - 1); }
};

class ConstantOp : public OpView {
 public:
  using OpView::OpView;
  SymbolRefAttr value() const { return op_->attrOf<SymbolRefAttr>("value"); }
};

class ReturnOp : public OpView {
 public:
  using OpView::OpView;
};

}  // namespace airlite::func
