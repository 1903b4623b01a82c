// Diagnostics as SARIF 2.1.0, the format of editors and CI.
//
//   std::vector<std::string> results;
//   context.diagnostics().setHandler(
//       [&](const Diagnostic& d) { results.push_back(diagnosticToSarif(context, d)); });
//   std::cerr << sarifDocument("mytool", "1.0", results);
#pragma once

#include "airlite/ir/Diagnostic.hpp"

#include <span>
#include <string>
#include <string_view>

namespace airlite {

/// One result; notes are related locations.
std::string diagnosticToSarif(const Context& context, const Diagnostic& diagnostic);
/// The document with these results, as a tool of that name and version gives it.
std::string sarifDocument(std::string_view tool, std::string_view version,
                          std::span<const std::string> results);

}  // namespace airlite
