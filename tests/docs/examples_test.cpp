// The IR reference shows examples of ops: here every one of them is read. What a fragment
// names but does not define (values, blocks) is the only thing that may be missing in it.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

using namespace airlite;

namespace {

bool isOfAFragment(const std::string& message) {
  for (std::string_view allowed :
       {"use of undeclared SSA value name", "reference to an undefined block"})
    if (message.starts_with(allowed)) return true;
  return false;
}

/// The first error that is more than something not defined; "" when there is none.
std::string problemOf(Context& context, const OpDef& def) {
  std::string problem;
  context.diagnostics().setHandler([&](const Diagnostic& diagnostic) {
    bool counts = diagnostic.severity == Severity::Error && !isOfAFragment(diagnostic.message);
    if (counts && problem.empty()) problem = diagnostic.message;
  });
  ParseOptions options;
  options.verify = false;
  options.limits.maxErrors = 100;
  OwningOp module = parseSource(context, std::string(def.exampleText), std::string(def.name()),
                                options);
  context.diagnostics().setHandler({});
  return problem;
}

}  // namespace

TEST_CASE("examples of the IR reference are read") {
  Context context;
  registerAllDialects(context);
  for (const OpDef* def : context.opDefs()) {
    INFO(def->name() << ": " << def->exampleText);
    if (def->exampleText.empty()) continue;
    CHECK(problemOf(context, *def) == "");
  }
}
