// Reads the list of jobs, see the header.
#include "JobList.hpp"

#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite::tools {

namespace {

/// Commands of `airlite` that end by themselves and say in their exit code how it went.
constexpr std::array<std::string_view, 6> kJobCommands{"opt",  "compile", "run",
                                                       "tune", "inspect", "compare"};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

Error errorAt(size_t offset, std::string message) { return Error{std::move(message), offset}; }

/// One line of the list; places of errors are bytes from its start.
class WordReader {
 public:
  explicit WordReader(std::string_view line) : line_(line) {}

  Result<std::vector<std::string>> words() {
    std::vector<std::string> words;
    for (skipBlanks(); !isAtEnd(); skipBlanks()) {
      Result<std::string> next = word();
      if (!next) return next.error();
      words.push_back(*std::move(next));
    }
    return words;
  }

 private:
  bool isAtEnd() const { return at_ == line_.size() || line_[at_] == '#'; }

  void skipBlanks() {
    while (at_ < line_.size() && isBlank(line_[at_]))
      ++at_;
  }

  Result<std::string> word() {
    std::string word;
    while (at_ < line_.size() && !isBlank(line_[at_])) {
      const char c = line_[at_];
      const Result<void> read = c == '\'' || c == '"' ? quoted(word) : plain(word);
      if (!read) return read.error();
    }
    return word;
  }

  Result<void> plain(std::string& word) {
    if (line_[at_] == '\\' && ++at_ == line_.size())
      return errorAt(at_ - 1, "nothing follows this \\: a job is one line");
    word += line_[at_++];
    return {};
  }

  Result<void> quoted(std::string& word) {
    const size_t start = at_;
    const char quote = line_[at_++];
    while (at_ < line_.size() && line_[at_] != quote) {
      const bool isEscape = quote == '"' && line_[at_] == '\\' && at_ + 1 < line_.size() &&
                            (line_[at_ + 1] == '"' || line_[at_ + 1] == '\\');
      if (isEscape) ++at_;
      word += line_[at_++];
    }
    if (at_ == line_.size()) return errorAt(start, "this quote is not closed");
    ++at_;
    return {};
  }

  std::string_view line_;
  size_t at_ = 0;
};

std::optional<Error> wrongCommand(std::string_view line, const std::string& command) {
  if (std::ranges::find(kJobCommands, command) != kJobCommands.end()) return std::nullopt;
  const size_t first = line.find_first_not_of(" \t\r");
  return errorAt(first, fmt::format("a job begins with one of {}, not with '{}'{}",
                                    fmt::join(kJobCommands, ", "), command,
                                    didYouMean(command, kJobCommands)));
}

/// The words of one line, none of a line without a job; places are bytes of the line.
Result<std::vector<std::string>> readLine(std::string_view line) {
  size_t bad = 0;
  if (!isValidUtf8(line, bad)) return errorAt(bad, "this is not UTF-8");
  if (const size_t zero = line.find('\0'); zero != std::string_view::npos)
    return errorAt(zero, "a word cannot hold a zero byte");
  Result<std::vector<std::string>> words = WordReader(line).words();
  if (!words || words->empty()) return words;
  if (const auto wrong = wrongCommand(line, words->front())) return *wrong;
  return words;
}

std::string quotedWord(const std::string& word) {
  const bool isPlain =
      !word.empty() && word[0] != '#' && word.find_first_of(" \t\r'\"\\") == std::string::npos;
  if (isPlain) return word;
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string jobText(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + quotedWord(word);
  return text;
}

Result<std::vector<Job>> readJobs(std::string_view name, std::string_view text) {
  std::vector<Job> jobs;
  std::map<std::vector<std::string>, unsigned> lines;
  unsigned number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    Result<std::vector<std::string>> words = readLine(line);
    if (!words)
      return Error{fmt::format("{}:{}:{}: error: {}", name, number,
                               words.error().place.value_or(0) + 1, words.error().message)};
    if (words->empty()) continue;
    const auto [first, isNew] = lines.emplace(*words, number);
    if (!isNew)
      return Error{fmt::format("{}:{}:{}: error: this is the job of line {} once more", name,
                               number, line.find_first_not_of(" \t\r") + 1, first->second)};
    jobs.push_back({*std::move(words), number});
  }
  if (jobs.empty()) return Error{fmt::format("{}:1:1: error: there is no job in this list", name)};
  return jobs;
}

}  // namespace airlite::tools
