// `--verify-diagnostics`: comments say which diagnostics must appear.
//
//   // expected-error@+1 {{text}}     also @-1, @below, @above, no @: this line
//   // expected-warning {{..}}, expected-note, expected-remark; expected-error-re with {{regex}}
#pragma once

#include "airlite/ir/Context.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

/// Collects the diagnostics of a Context and compares them with the comments of the input.
class ExpectedDiagnostics {
 public:
  ExpectedDiagnostics(Context& context, std::string_view text, unsigned firstLine,
                      std::string fileName);
  ~ExpectedDiagnostics();
  /// Every mismatch as a line for people; empty when all is as expected.
  std::vector<std::string> mismatches();

 private:
  struct Expectation {
    Severity severity;
    unsigned line;  // the line the diagnostic must be on
    unsigned writtenOn;
    std::string text;
    bool regex;
    bool anyLine = false;
    bool seen = false;
  };
  void parseLine(std::string_view line, unsigned number);
  void check(const Diagnostic& diagnostic);
  bool match(Expectation& expected, const Diagnostic& diagnostic, unsigned line) const;

  Context& context_;
  std::string fileName_;
  std::vector<Expectation> expectations_;
  std::vector<std::string> mismatches_;
  std::vector<size_t> pendingBelow_;  // @below: the next line without an expectation
  DiagnosticEngine::Handler previous_;
};

}  // namespace airlite::tools
