#include "image/TextTree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace airlite::npu {
namespace {

constexpr size_t mostDepth = 32;
constexpr uint64_t decimalBelow = 256;
constexpr size_t wordsPerLine = 8, bytesPerLine = 32;

bool isPlain(char c) {
  return c > ' ' && c < 127 && std::string_view("\"#={}\\").find(c) == std::string_view::npos;
}

std::string quoted(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, isPlain)) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    const bool isShown = c >= ' ' && c < 127 && c != '"' && c != '\\';
    out += isShown ? std::string(1, c) : fmt::format("\\{:02X}", uint8_t(c));
  }
  return out + '"';
}

void print(std::string& out, const TextNode& node, size_t depth) {
  out.append(2 * depth, ' ') += quoted(node.name);
  for (const auto& value : node.values)
    out += ' ' + quoted(value);
  for (const auto& [key, value] : node.attributes)
    out += ' ' + quoted(key) + '=' + quoted(value);
  if (!node.children.empty()) out += " {";
  if (!node.comment.empty()) out += "  # " + node.comment;
  out += '\n';
  for (const auto& child : node.children)
    print(out, child, depth + 1);
  if (!node.children.empty()) out.append(2 * depth, ' ') += "}\n";
}

struct Line {
  std::string_view text;
  uint64_t number;
};

/// Reads one line: words, quoted or plain, and the signs = { }.
class LineReader {
 public:
  explicit LineReader(Line line) : line_(line) {}

  void skipBlanks() {
    while (at_ < line_.text.size() &&
           (line_.text[at_] == ' ' || line_.text[at_] == '\t' || line_.text[at_] == '\r'))
      ++at_;
  }
  bool atEnd() {
    skipBlanks();
    return at_ == line_.text.size() || line_.text[at_] == '#';
  }
  bool take(char sign) {
    if (at_ == line_.text.size() || line_.text[at_] != sign) return false;
    ++at_;
    return true;
  }
  Result<std::string> word() {
    if (take('"')) return quotedWord();
    const size_t start = at_;
    while (at_ < line_.text.size() && isPlain(line_.text[at_]))
      ++at_;
    if (at_ == start) return refusal(fmt::format("'{}' makes no sense here", line_.text[at_]));
    return std::string(line_.text.substr(start, at_ - start));
  }
  Error refusal(std::string message) const { return {std::move(message), line_.number}; }

 private:
  Result<std::string> quotedWord() {
    std::string out;
    while (at_ < line_.text.size() && line_.text[at_] != '"') {
      if (line_.text[at_] != '\\') {
        out += line_.text[at_++];
        continue;
      }
      const auto byte = bytesOfHex(line_.text.substr(at_ + 1, 2));
      if (!byte || byte->size() != 1) return refusal("after \\ come two hexadecimal digits");
      out += char((*byte)[0]);
      at_ += 3;
    }
    if (!take('"')) return refusal("the text does not end");
    return out;
  }

  Line line_;
  size_t at_ = 0;
};

/// One line as a node; `opens` says that its children follow.
Result<TextNode> parseLine(LineReader& in, uint64_t number, bool& opens) {
  auto name = in.word();
  if (!name) return name.error();
  TextNode node{.name = std::move(*name), .line = number};
  while (!in.atEnd()) {
    opens = in.take('{');
    if (opens) break;
    auto word = in.word();
    if (!word) return word.error();
    if (!in.take('=')) {
      node.values.push_back(std::move(*word));
      continue;
    }
    auto value = in.atEnd() ? Result<std::string>(in.refusal("no value after =")) : in.word();
    if (!value) return value.error();
    node.add(std::move(*word), std::move(*value));
  }
  if (!in.atEnd()) return in.refusal("something follows the {");
  return node;
}

/// Puts lines where they belong.
class TreeParser {
 public:
  std::optional<Error> line(Line line) {
    LineReader in(line);
    if (in.atEnd()) return std::nullopt;
    if (in.take('}')) return close(in);
    bool opens = false;
    auto node = parseLine(in, line.number, opens);
    if (!node) return node.error();
    if (open_.empty() && !roots_.empty()) return in.refusal("a second image in one text");
    auto& siblings = open_.empty() ? roots_ : open_.back()->children;
    siblings.push_back(std::move(*node));
    if (opens && open_.size() == mostDepth) return in.refusal("braces are nested too deeply");
    if (opens) open_.push_back(&siblings.back());
    return std::nullopt;
  }
  Result<TextNode> end(uint64_t lines) {
    if (!open_.empty())
      return Error{fmt::format("the {{ of line {} is not closed", open_.back()->line), lines};
    if (roots_.empty()) return Error{"no image in the text", lines};
    return std::move(roots_[0]);
  }

 private:
  std::optional<Error> close(LineReader& in) {
    if (open_.empty()) return in.refusal("} closes nothing");
    if (!in.atEnd()) return in.refusal("something follows the }");
    open_.pop_back();
    return std::nullopt;
  }

  std::vector<TextNode> roots_;
  std::vector<TextNode*> open_;  // an open node is the last of its siblings: it does not move
};

int digitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

TextNode& TextNode::add(std::string key, uint64_t value) {
  return add(std::move(key), numberText(value));
}

TextNode& TextNode::addUnless(uint64_t usual, std::string key, uint64_t value) {
  return value == usual ? *this : add(std::move(key), value);
}

std::string printTree(const TextNode& root) {
  std::string out;
  print(out, root, 0);
  return out;
}

Result<TextNode> parseTree(std::string_view text) {
  TreeParser parser;
  uint64_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (auto refusal = parser.line({text.substr(at, end - at), ++number})) return *refusal;
    at = end + 1;
  }
  return parser.end(number);
}

std::string numberText(uint64_t value) {
  return value < decimalBelow ? fmt::format("{}", value) : fmt::format("0x{:X}", value);
}

std::optional<uint64_t> numberOf(std::string_view text) {
  const bool isHex = text.starts_with("0x");
  if (isHex) text.remove_prefix(2);
  uint64_t value = 0;
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, isHex ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

std::string hexText(ByteSpan bytes) {
  std::string out;
  for (const uint8_t byte : bytes)
    out += fmt::format("{:02x}", byte);
  return out;
}

std::optional<ByteVector> bytesOfHex(std::string_view text) {
  if (text.size() % 2) return std::nullopt;
  ByteVector bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = digitOf(text[i]), low = digitOf(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(uint8_t(high << 4 | low));
  }
  return bytes;
}

const std::string* NodeReader::take(std::string_view key) {
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i] || node_.attributes[i].first != key) continue;
    taken_[i] = true;
    return &node_.attributes[i].second;
  }
  return nullptr;
}

uint64_t NodeReader::number(std::string_view key, uint64_t usual, uint64_t most) {
  const auto* text = take(key);
  if (!text) return usual;
  const auto value = numberOf(*text);
  if (!value) refuse(fmt::format("{} is '{}', not a number", key, *text));
  if (value && *value > most) refuse(fmt::format("{} is {}, the limit is {}", key, *text, most));
  return value.value_or(0);
}

std::string NodeReader::text(std::string_view key, std::string_view usual) {
  const auto* text = take(key);
  return text ? *text : std::string(usual);
}

void NodeReader::bytes(std::string_view key, std::span<uint8_t> out) {
  const auto* text = take(key);
  if (!text) return;
  const auto bytes = bytesOfHex(*text);
  if (!bytes || bytes->size() != out.size())
    return refuse(fmt::format("{} needs {} bytes in hexadecimal", key, out.size()));
  std::ranges::copy(*bytes, out.begin());
}

bool NodeReader::has(std::string_view key) const {
  return std::ranges::any_of(node_.attributes, [&](const auto& a) { return a.first == key; });
}

const std::string& NodeReader::value(size_t index) {
  static const std::string none;
  if (index < node_.values.size()) return node_.values[index];
  refuse(fmt::format("{} needs {} values", node_.name, index + 1));
  return none;
}

void NodeReader::end(size_t values) {
  if (node_.values.size() > values)
    refuse(fmt::format("'{}' makes no sense here", node_.values[values]));
  rest([&](const std::string& key, const std::string&) {
    refuse(fmt::format("{} has no {}", node_.name, key));
  });
}

void NodeReader::refuse(std::string message) {
  if (!refusal_) refusal_ = Error{std::move(message), node_.line};
}

void addWords(TextNode& node, std::span<const uint32_t> words) {
  while (!words.empty()) {
    const auto here = words.first(std::min(words.size(), wordsPerLine));
    auto& line = node.child("data");
    for (const uint32_t word : here)
      line.values.push_back(fmt::format("0x{:08X}", word));
    words = words.subspan(here.size());
  }
}

void addBytes(TextNode& node, ByteSpan bytes) {
  while (!bytes.empty()) {
    const auto here = bytes.first(std::min(bytes.size(), bytesPerLine));
    node.child("bytes").values.push_back(hexText(here));
    bytes = bytes.subspan(here.size());
  }
}

std::vector<uint32_t> takeWords(const TextNode& node, std::optional<Error>& refusal) {
  std::vector<uint32_t> words;
  for (const auto& text : node.values) {
    const auto value = numberOf(text);
    if (!value || *value > ~uint32_t(0))
      refusal = refusal ? refusal : Error{fmt::format("'{}' is not a word", text), node.line};
    words.push_back(uint32_t(value.value_or(0)));
  }
  return words;
}

ByteVector takeBytes(const TextNode& node, std::optional<Error>& refusal) {
  ByteVector bytes;
  for (const auto& text : node.values) {
    const auto more = bytesOfHex(text);
    if (!more && !refusal) refusal = Error{fmt::format("'{}' is not hexadecimal", text), node.line};
    if (more) bytes.insert(bytes.end(), more->begin(), more->end());
  }
  return bytes;
}

}  // namespace airlite::npu
