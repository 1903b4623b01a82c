// `--verify-diagnostics`.
#include "ExpectedDiagnostics.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <regex>

namespace airlite::tools {

namespace {

constexpr std::string_view kMark = "expected-";

std::optional<Severity> severityOf(std::string_view word) {
  if (word == "error") return Severity::Error;
  if (word == "warning") return Severity::Warning;
  if (word == "remark") return Severity::Remark;
  if (word == "note") return Severity::Note;
  return std::nullopt;
}

/// Text with `{{regex}}` pieces as one regular expression.
std::string toRegex(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t open = text.find("{{");
    for (char c : text.substr(0, open)) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
    if (open == std::string_view::npos) return out;
    size_t close = text.find("}}", open);
    if (close == std::string_view::npos) return out;
    out += "(" + std::string(text.substr(open + 2, close - open - 2)) + ")";
    text.remove_prefix(close + 2);
  }
  return out;
}

}  // namespace

ExpectedDiagnostics::ExpectedDiagnostics(Context& context, std::string_view text,
                                         unsigned firstLine, std::string fileName)
    : context_(context), fileName_(std::move(fileName)) {
  unsigned number = firstLine;
  while (true) {
    size_t end = text.find('\n');
    parseLine(text.substr(0, end), number++);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  previous_ = context.diagnostics().setHandler([this](const Diagnostic& d) { check(d); });
}

ExpectedDiagnostics::~ExpectedDiagnostics() {
  context_.diagnostics().setHandler(std::move(previous_));
}

void ExpectedDiagnostics::parseLine(std::string_view line, unsigned number) {
  size_t at = line.find(kMark);
  size_t comment = line.find("//");
  if (at == std::string_view::npos || comment == std::string_view::npos || comment > at) {
    // `@below` means the next line that carries no expectation itself.
    for (size_t index : pendingBelow_)
      expectations_[index].line = number;
    pendingBelow_.clear();
    return;
  }
  std::string_view rest = line.substr(at + kMark.size());
  size_t wordEnd = rest.find_first_of("-@ {");
  std::optional<Severity> severity = severityOf(rest.substr(0, wordEnd));
  if (!severity || wordEnd == std::string_view::npos) return;
  rest.remove_prefix(wordEnd);
  Expectation expected{*severity, number, number, {}, rest.starts_with("-re")};
  if (expected.regex) rest.remove_prefix(3);
  bool below = false;
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  if (rest.starts_with("@")) {
    rest.remove_prefix(1);
    int offset = 0;
    if (rest.starts_with("below")) below = true;
    if (rest.starts_with("above")) {
      expected.line = number - 1;
      // Lines above that are expectations themselves do not count.
      for (size_t i = expectations_.size(); i-- && expectations_[i].writtenOn == expected.line;)
        --expected.line;
    }
    if (rest.starts_with("unknown")) expected.anyLine = true;
    if (rest[0] == '+' || rest[0] == '-') {
      std::from_chars(rest.data() + (rest[0] == '+'), rest.data() + rest.size(), offset);
      expected.line = static_cast<unsigned>(static_cast<int>(number) + offset);
    }
  }
  size_t open = rest.find("{{");
  size_t close = rest.rfind("}}");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2) return;
  expected.text = rest.substr(open + 2, close - open - 2);
  expectations_.push_back(std::move(expected));
  if (below) pendingBelow_.push_back(expectations_.size() - 1);
}

bool ExpectedDiagnostics::match(Expectation& expected, const Diagnostic& diagnostic,
                                unsigned line) const {
  if (expected.seen || expected.severity != diagnostic.severity) return false;
  if (!expected.anyLine && expected.line != line) return false;
  if (!expected.regex) return diagnostic.message.find(expected.text) != std::string::npos;
  return std::regex_search(diagnostic.message, std::regex(toRegex(expected.text)));
}

void ExpectedDiagnostics::check(const Diagnostic& diagnostic) {
  unsigned line = diagnostic.location.isInSource()
                      ? context_.sources().lineColumn(diagnostic.location).line
                      : 0;
  bool found = false;
  for (Expectation& expected : expectations_) {
    if (!match(expected, diagnostic, line)) continue;
    expected.seen = true;
    found = true;
    break;
  }
  // Notes and remarks that nobody asked about are not a mismatch.
  bool matters = diagnostic.severity == Severity::Error || diagnostic.severity == Severity::Warning;
  if (!found && matters)
    mismatches_.push_back(fileName_ + ":" + std::to_string(line) + ": unexpected " +
                          std::string(severityName(diagnostic.severity)) + ": " +
                          diagnostic.message);
  for (const Diagnostic& note : diagnostic.notes)
    check(note);
}

std::vector<std::string> ExpectedDiagnostics::mismatches() {
  std::vector<std::string> all = mismatches_;
  for (const Expectation& expected : expectations_)
    if (!expected.seen)
      all.push_back(fileName_ + ":" + std::to_string(expected.writtenOn) + ": expected " +
                    std::string(severityName(expected.severity)) + " \"" + expected.text +
                    "\" was not produced");
  return all;
}

}  // namespace airlite::tools
