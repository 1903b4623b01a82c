// What tests need to run passes and to show what was said.
#pragma once

#include "airlite/ir/Diagnostic.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/Passes.hpp"

#include <cstdint>
#include <cstdlib>
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

/// A number from the environment, for runs that are longer than those of CTest.
inline uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace airlite::tests
