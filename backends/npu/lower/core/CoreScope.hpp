// Which code the passes of legalization work on: the programs of cores and the functions that they
// call, as docs/npu_core_ir.md says.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/pass/Pass.hpp"

#include <vector>

namespace airlite::npu {

/// One program: the body of an `aie.core`, or a function.
struct CoreRoot {
  Operation* root = nullptr;   // aie.core or func.func
  Operation* table = nullptr;  // aie.device or builtin.module: where functions can be added
};

/// The cores of each aie.device of `module` and the functions with a body beside them, in the order
/// of the module. With `functions`, those of the module as well, as if a core called them.
std::vector<CoreRoot> coreRoots(Operation& module, bool functions);

/// All ops inside `root`, outer ones first.
std::vector<Operation*> opsInside(Operation& root);

/// Whether no op inside the loop has a region.
bool isInnermost(Operation& loop);

/// A pass over the roots of a module.
class CorePass : public Pass {
 protected:
  CorePass(std::string_view name, std::string_view summary) : Pass(name, summary) {
    anchor("builtin.module");
    option("functions", functions_, "also the functions of the module, as if cores called them");
  }
  std::vector<CoreRoot> roots(Operation& module) const { return coreRoots(module, functions_); }

 private:
  bool functions_ = false;
};

}  // namespace airlite::npu
