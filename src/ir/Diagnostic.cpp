// The diagnostics engine, diagnostics under construction and the collector. How a diagnostic is
// written out stands in DiagnosticFormat.cpp.
#include "airlite/ir/Diagnostic.hpp"

#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Type.hpp"

#include <algorithm>

namespace airlite {

std::string_view severityName(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Remark: return "remark";
    case Severity::Note: return "note";
  }
  return "error";
}

void DiagnosticEngine::report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error) ++errors_;
  // A copy: the handler may install another one while it runs.
  if (Handler handler = handler_) handler(diagnostic);
}

InFlightDiagnostic::InFlightDiagnostic(Context& context, Severity severity, Location location)
    : context_(&context) {
  diagnostic_.severity = severity;
  diagnostic_.location = location;
}

InFlightDiagnostic& InFlightDiagnostic::append(std::string_view text) {
  Diagnostic& target = diagnostic_.notes.empty() ? diagnostic_ : diagnostic_.notes.back();
  target.message += text;
  return *this;
}

InFlightDiagnostic& InFlightDiagnostic::operator<<(Type type) {
  return append("'" + (type ? type.str() : std::string("<none>")) + "'");
}

InFlightDiagnostic& InFlightDiagnostic::operator<<(Attribute attribute) {
  return append(attribute ? attribute.str() : std::string("<none>"));
}

InFlightDiagnostic& InFlightDiagnostic::note(Location location) {
  Diagnostic& added = diagnostic_.notes.emplace_back();
  added.severity = Severity::Note;
  added.location = location;
  return *this;
}

InFlightDiagnostic& InFlightDiagnostic::underline(unsigned length) {
  Diagnostic& target = diagnostic_.notes.empty() ? diagnostic_ : diagnostic_.notes.back();
  target.length = length;
  return *this;
}

void InFlightDiagnostic::report() {
  if (Context* context = std::exchange(context_, nullptr))
    context->diagnostics().report(std::move(diagnostic_));
}

InFlightDiagnostic emitError(Context& context, Location location) {
  return InFlightDiagnostic(context, Severity::Error, location);
}

InFlightDiagnostic emitWarning(Context& context, Location location) {
  return InFlightDiagnostic(context, Severity::Warning, location);
}

InFlightDiagnostic emitRemark(Context& context, Location location) {
  return InFlightDiagnostic(context, Severity::Remark, location);
}

DiagnosticCollector::DiagnosticCollector(Context& context) : context_(context) {
  previous_ = context.diagnostics().setHandler(
      [this](const Diagnostic& diagnostic) { diagnostics_.push_back(diagnostic); });
}

DiagnosticCollector::~DiagnosticCollector() {
  context_.diagnostics().setHandler(std::move(previous_));
}

bool DiagnosticCollector::hasErrors() const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

}  // namespace airlite
