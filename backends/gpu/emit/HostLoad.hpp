// Compiles host functions for this machine and loads them.
#pragma once

#include "airlite/support/Result.hpp"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
namespace orc {
class LLJIT;
}  // namespace orc
}  // namespace llvm

namespace airlite::gpu {

/// A function of ours that emitted code calls by name.
struct HostSymbol {
  std::string name;
  void* address;
};

/// Optimised and loaded; libm's functions come from the process. Who destroys the result must
/// include LLJIT.h. Consumes the module's IR.
Result<std::unique_ptr<llvm::orc::LLJIT>> loadHostModule(llvm::Module& module,
                                                         const std::vector<HostSymbol>& symbols);
Result<void*> findHostSymbol(llvm::orc::LLJIT& jit, const std::string& name);

}  // namespace airlite::gpu
