// Inlines the functions that a kernel calls: they are written for the memory spaces of AIR, and a
// gpu.module sees no function outside.
#include "Kernel.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/transform/Inline.hpp"

namespace airlite::gpu {
namespace {

/// Calls inside calls; more is taken for recursion.
constexpr unsigned kMaxRounds = 64;
constexpr size_t kMaxCalls = 1 << 16;

LogicalResult checkCallee(Operation& call, func::FuncOp callee) {
  if (!callee)
    return call.emitOpError() << "not supported: a call of an unknown function in a kernel";
  if (callee.isDeclaration())
    return call.emitOpError() << "not supported: a call of the external function '"
                              << callee.symName() << "' in a kernel";
  return success();
}

LogicalResult inlineRound(Operation& func, bool& any) {
  std::vector<Operation*> calls;
  func.walk([&](Operation& op) {
    if (op.is("func.call")) calls.push_back(&op);
  });
  any = !calls.empty();
  if (calls.size() > kMaxCalls)
    return func.emitOpError() << "not supported: more than " << kMaxCalls << " calls in a kernel";
  LogicalResult result = success();
  for (Operation* call : calls) {
    func::FuncOp callee = func::CallOp(call).function();
    if (failed(checkCallee(*call, callee)))
      result = failure();
    else
      inlineCall(func::CallOp(call), callee);
  }
  return result;
}

}  // namespace

LogicalResult inlineCalls(Operation& func) {
  bool any = true;
  for (unsigned round = 0; any && round < kMaxRounds; ++round)
    if (failed(inlineRound(func, any))) return failure();
  if (!any) return success();
  return func.emitOpError() << "not supported: calls that are nested more than " << kMaxRounds
                            << " deep, or recursive";
}

}  // namespace airlite::gpu
