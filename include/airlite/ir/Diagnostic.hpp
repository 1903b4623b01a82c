// Errors are data first: severity, place, message, notes. Formatting is one function at the end.
//
//   if (rank != 2)
//     return op.emitOpError() << "expected a memref of rank 2, got rank " << rank;
//
//   DiagnosticCollector collector(context);  // instead of the handler, as long as it lives
//   bool isWrong = failed(verify(*module)) && collector.hasErrors();
#pragma once

#include "airlite/ir/Location.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airlite {

class Attribute;
class Context;
class Operation;
class SourceManager;
class Type;

enum class Severity { Error, Warning, Remark, Note };

std::string_view severityName(Severity severity);

/// One message. Lower case, no full stop; says what was expected and what was found.
struct Diagnostic {
  Severity severity = Severity::Error;
  Location location;
  std::string message;
  std::vector<Diagnostic> notes;
  /// Bytes to underline from the location; 0 underlines the token at the location.
  unsigned length = 0;
};

/// Hands diagnostics to one handler. The default handler keeps nothing and prints nothing: the
/// library never writes to a stream; tools install a handler.
class DiagnosticEngine {
 public:
  using Handler = std::function<void(const Diagnostic&)>;

  void report(Diagnostic diagnostic);
  /// Installs `handler`, returns the one before.
  Handler setHandler(Handler handler) { return std::exchange(handler_, std::move(handler)); }
  unsigned errorCount() const { return errors_; }

 private:
  Handler handler_;
  unsigned errors_ = 0;
};

/// A diagnostic under construction: `return op.emitError() << "expected " << n;`. It is reported
/// when it goes out of scope, and converts to failure.
class InFlightDiagnostic {
 public:
  InFlightDiagnostic(Context& context, Severity severity, Location location);
  InFlightDiagnostic(InFlightDiagnostic&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)),
        diagnostic_(std::move(other.diagnostic_)) {}
  InFlightDiagnostic& operator=(InFlightDiagnostic&&) = delete;
  ~InFlightDiagnostic() { report(); }

  InFlightDiagnostic& operator<<(std::string_view text) { return append(text); }
  InFlightDiagnostic& operator<<(const char* text) { return append(text); }
  InFlightDiagnostic& operator<<(const std::string& text) { return append(text); }
  InFlightDiagnostic& operator<<(char c) { return append(std::string_view(&c, 1)); }
  template <class Int>
  requires std::is_integral_v<Int> InFlightDiagnostic& operator<<(Int value) {
    return append(std::to_string(value));
  }
  InFlightDiagnostic& operator<<(Type type);
  InFlightDiagnostic& operator<<(Attribute attribute);

  /// Adds a note at another place; text streamed afterwards goes to the note.
  InFlightDiagnostic& note(Location location);
  /// Underline `length` bytes instead of the token.
  InFlightDiagnostic& underline(unsigned length);
  void report();
  void abandon() { context_ = nullptr; }

  operator LogicalResult() {  // NOLINT: `return emitError() << ...` is the point
    report();
    return failure();
  }

 private:
  InFlightDiagnostic& append(std::string_view text);
  Context* context_;
  Diagnostic diagnostic_;
};

InFlightDiagnostic emitError(Context& context, Location location);
InFlightDiagnostic emitWarning(Context& context, Location location);
InFlightDiagnostic emitRemark(Context& context, Location location);

/// Collects what is reported while it lives instead of passing it on; restores the handler after.
class DiagnosticCollector {
 public:
  explicit DiagnosticCollector(Context& context);
  ~DiagnosticCollector();
  DiagnosticCollector(const DiagnosticCollector&) = delete;
  DiagnosticCollector& operator=(const DiagnosticCollector&) = delete;
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  bool hasErrors() const;

 private:
  Context& context_;
  DiagnosticEngine::Handler previous_;
  std::vector<Diagnostic> diagnostics_;
};

struct DiagnosticStyle {
  bool color = false;
};

/// `file:line:col: error: message`, the source line and a caret run under the token, then notes.
/// Lines longer than a screen are cut around the caret. Ends with a newline.
std::string formatDiagnostic(const Context& context, const Diagnostic& diagnostic,
                             DiagnosticStyle style = {});

/// The same as one JSON object on one line: severity, file, line, column, length, message, notes.
std::string diagnosticToJson(const Context& context, const Diagnostic& diagnostic);

/// `file:line:col` or `<unknown>`.
std::string formatLocation(const Context& context, Location location);

}  // namespace airlite
