// What drivers do before they compile, see the header.
#include "Frontend.hpp"

#include "airlite/text/Json.hpp"
#include "airlite/text/Parser.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>

namespace airlite::tools {

void addFrontendOptions(CLI::App& app, FrontendOptions& o) {
  app.add_option("--input-format", o.inputFormat, "auto looks at the first character")
      ->check(CLI::IsMember({"auto", "text", "json"}));
  app.add_option("--dump-intermediates", o.dumpDir,
                 "the program after each pass, numbered, and the "
                 "LLVM IR, in this folder")
      ->type_name("DIR");
  app.add_flag(
      "--async-transfers", o.asyncTransfers,
      "puts, gets, launches, segments and herds without a token continue as far as memory lets "
      "them, as the AIR tools take them (air-dependency comes first)");
  app.add_flag("-v,--verbose", o.verbose, "say what is done, on standard error");
  app.add_flag("--timing", o.timing, "print the time of each step, on standard error");
  auto* diagnostics = app.add_option_group("Diagnostics");
  diagnostics->add_option("--color", o.diagnostics.color, "NO_COLOR is honoured")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  diagnostics
      ->add_option("--diagnostics-format,--diagnostics", o.diagnostics.format,
                   "one JSON object per line with json; one SARIF 2.1.0 document at the end with "
                   "sarif, for editors and CI")
      ->check(CLI::IsMember({"text", "json", "sarif"}));
  diagnostics->add_flag("--Werror", o.diagnostics.warningsAsErrors, "warnings are errors");
  diagnostics->add_option("--max-errors", o.diagnostics.maxErrors, "errors to show, 0 for all");
}

static bool looksLikeJson(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

OwningOp readProgram(Context& context, const FrontendOptions& o, std::string_view tool,
                     std::string& text) {
  auto read = readInput(o.input);
  if (!read) {
    std::cerr << tool << ": error: " << read.error().message << "\n";
    return {};
  }
  text = std::move(*read);
  bool json = o.inputFormat == "json" || (o.inputFormat == "auto" && looksLikeJson(text));
  return json ? parseJson(context, text, inputName(o.input))
              : parseSource(context, text, inputName(o.input));
}

void Stopwatch::next(std::string name) {
  stop();
  steps_.emplace_back(std::move(name), 0.0);
  start_ = Clock::now();
  running_ = true;
}

void Stopwatch::stop() {
  if (running_) steps_.back().second = std::chrono::duration<double>(Clock::now() - start_).count();
  running_ = false;
}

void Stopwatch::print(std::string_view tool) const {
  double total = 0;
  for (const auto& [name, seconds] : steps_) {
    std::cerr << fmt::format("{}: {:10.4f} s  {}\n", tool, seconds, name);
    total += seconds;
  }
  std::cerr << fmt::format("{}: {:10.4f} s  in all\n", tool, total);
}

}  // namespace airlite::tools
