// What tests need to run passes and to show what was said.
#pragma once

#include "airlite/ir/Diagnostic.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/Passes.hpp"

#include <string>

namespace airlite::tests {

/// All passes of the core, registered once.
inline const PassRegistry& corePasses() {
  static const PassRegistry registry = [] {
    PassRegistry made;
    registerAllPasses(made);
    return made;
  }();
  return registry;
}

/// What was collected, as a tool prints it.
inline std::string shown(const Context& context, const DiagnosticCollector& collector) {
  std::string out;
  for (const Diagnostic& diagnostic : collector.diagnostics())
    out += formatDiagnostic(context, diagnostic);
  return out;
}

}  // namespace airlite::tests
