// What the tools share: reading input, writing output once, printing diagnostics, exit codes.
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/support/Result.hpp"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace airlite::tools {

/// Exit codes of all tools: the input or a pass failed with a diagnostic; wrong usage; our fault.
enum ExitCode { kSuccess = 0, kFailure = 1, kUsage = 2, kInternal = 3 };

/// How diagnostics are shown.
struct DiagnosticOptions {
  std::string color = "auto";   // auto, always, never
  std::string format = "text";  // text, json
  bool warningsAsErrors = false;
  unsigned maxErrors = 20;  // 0: all
};

/// Prints the diagnostics of a Context on stderr while it lives, each remark once. In the format sarif they are kept
/// for the one document of writeSarif.
class DiagnosticPrinter {
 public:
  DiagnosticPrinter(Context& context, DiagnosticOptions options);
  ~DiagnosticPrinter();
  /// Errors, counting warnings when they are errors.
  unsigned errors() const { return errors_; }

 private:
  void show(const Diagnostic& diagnostic);
  Context& context_;
  DiagnosticOptions options_;
  bool color_;
  unsigned errors_ = 0;
  std::unordered_set<std::string> remarks_;  // that have been shown
  DiagnosticEngine::Handler previous_;
};

/// At the end of a tool: the document of what all printers were asked to keep; nothing when no
/// printer had the format sarif.
void writeSarif(std::string_view tool, std::string_view version);

/// Reads a file, or standard input for "-".
Result<std::string> readInput(const std::string& path);

/// Writes everything or nothing: a temporary file that is renamed at the end; "-" is stdout.
Result<void> writeOutput(const std::string& path, std::string_view text);

/// Name that diagnostics give an input: `<stdin>` for "-".
std::string inputName(const std::string& path);

/// The command line with house spellings: `-long-name` becomes `--long-name`, `--mlir-x` becomes
/// `--x`, known aliases their option. One-letter options and what follows `--` stay.
std::vector<std::string> normalizeArguments(int argc, char** argv,
                                            const std::vector<std::string>& shortOptions);

/// One piece of a file split at `// -----` lines.
struct InputPiece {
  std::string text;
  unsigned firstLine;
  size_t offset = 0;  // of the text in the file
};
std::vector<InputPiece> splitInput(std::string_view text);

}  // namespace airlite::tools
