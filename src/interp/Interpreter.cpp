// The door of the room: a module, its functions, runs (see the header).
#include "airlite/interp/Interpreter.hpp"

#include "Compiler.hpp"
#include "Machine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/interp/RankTransport.hpp"

namespace airlite::interp {

struct Program::Impl {
  Operation& module;
  Compiler compiler;
};

Program::Program(Operation& module) : impl_(new Impl{module, {}}) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;

Operation* Program::find(std::string_view name) const {
  for (Operation& op : impl_->module.region().front().ops()) {
    auto function = dynCast<func::FuncOp>(&op);
    if (function && !function.isDeclaration() && function.symName() == name) return &op;
  }
  return nullptr;
}

Outcome Program::run(Operation& function, std::vector<Datum> arguments, const RunOptions& given) {
  RunOptions options = given;
  // Processes that are alike wait for their ranks: all else of the host that can be done comes before.
  if (options.ranks && options.ranks->alike())
    impl_->module.walk([&](Operation& op) {
      if (isa<air::RankOp>(&op)) options.late.push_back(&op);
    });
  return Machine(impl_->compiler, impl_->module.context(), options)
      .run(function, std::move(arguments));
}

}  // namespace airlite::interp
