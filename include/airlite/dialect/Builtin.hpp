// The builtin dialect: the module and casts between types that no dialect explains.
//
//   builtin::ModuleOp module = builtin::ModuleOp::create(context, location, "design");
//   Builder builder = Builder::atEnd(module.body());
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <string_view>

namespace airlite::builtin {

/// `builtin.module`: the top of a program, and a symbol table.
class ModuleOp : public OpView {
 public:
  using OpView::OpView;
  /// A new module that is in no block.
  static ModuleOp create(Context& context, Location location, std::string_view name = {});

  /// "" when it has none.
  std::string_view symName() const {
    StringAttr name = op_->attrOf<StringAttr>("sym_name");
    return name ? name.value() : std::string_view();
  }
  Region& bodyRegion() const { return op_->region(0); }
  Block& body() const { return bodyRegion().front(); }
};

/// `builtin.unrealized_conversion_cast`: any values as values of other types.
class UnrealizedConversionCastOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange inputs() const { return op_->operands(); }
};

}  // namespace airlite::builtin
