// JSON text to a tree with places. The library's event parser keeps its own stack, so that nesting
// costs no recursion, and counts no places: the iterator that feeds it does.
#include "JsonTree.hpp"

#include "airlite/support/Text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace airlite::text {

std::string_view describe(JsonKind kind) {
  switch (kind) {
    case JsonKind::Null: return "null";
    case JsonKind::Boolean: return "a boolean";
    case JsonKind::Natural: return "a number";
    case JsonKind::OtherNumber: return "a negative or fractional number";
    case JsonKind::String: return "a string";
    case JsonKind::Array: return "an array";
    case JsonKind::Object: return "an object";
  }
  return "something else";
}

std::string shortened(std::string_view text, size_t limit) {
  size_t end = 0;
  while (end < text.size()) {
    size_t length = std::max<size_t>(utf8Length(text.substr(end)), 1);
    if (end + length > limit) return std::string(text.substr(0, end)) + "...";
    end += length;
  }
  return std::string(text);
}

static void appendPointerPart(std::string& out, std::string_view key) {
  out += '/';
  for (char c : shortened(key)) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
}

// Nodes stand in the order of the text: the child that a node is in is the last one not after it.
std::string JsonTree::pointer(JsonNode node) const {
  std::string out;
  for (JsonNode at = 0; at != node;) {
    bool isObject = kind(at) == JsonKind::Object;
    JsonNode child = firstChild(at);
    size_t index = 0;
    for (; next(child) != kNoNode && next(child) <= node; ++index)
      child = next(child);
    appendPointerPart(out, isObject ? key(child) : std::to_string(index));
    at = child;
  }
  return out.empty() ? "the top" : out;
}

// ---------------------------------------------------------------------------------------------
// Places inside strings
// ---------------------------------------------------------------------------------------------

static unsigned hexValue(std::string_view digits) {
  unsigned value = 0;
  for (char c : digits) {
    unsigned digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * 16 + digit;
  }
  return value;
}

namespace {
struct Piece {
  size_t raw;      // bytes in the JSON text
  size_t decoded;  // bytes of UTF-8
};
}  // namespace

static Piece pieceAt(std::string_view rest) {
  if (rest[0] != '\\') return {1, 1};
  if (rest.size() < 6 || rest[1] != 'u') return {2, 1};
  unsigned unit = hexValue(rest.substr(2, 4));
  bool surrogate = unit >= 0xd800 && unit < 0xdc00;
  if (surrogate) return {12, 4};
  return {6, unit < 0x80 ? 1u : unit < 0x800 ? 2u : 3u};
}

uint32_t offsetInString(std::string_view json, uint32_t offset, size_t decoded) {
  size_t at = offset + 1;
  while (at < json.size() && json[at] != '"') {
    Piece piece = pieceAt(json.substr(at));
    if (decoded < piece.decoded) break;
    decoded -= piece.decoded;
    at += piece.raw;
  }
  return static_cast<uint32_t>(std::min(at, json.size()));
}

// ---------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------

namespace {

/// Goes over the text and notes how far the lexer has read.
struct CountingIterator {
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  const char* at = nullptr;
  const char** furthest = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    *furthest = ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

/// "[json.exception...] parse error at line 1, column 2: syntax error while parsing value - ..."
/// without what the place says already and without the quoted token, which has no bound.
std::string shortMessage(std::string_view what) {
  constexpr std::string_view kStart = "syntax error while parsing ";
  constexpr std::string_view kToken = "; last read: '";
  size_t start = what.find(kStart);
  if (start == std::string_view::npos) return shortened(what.substr(what.find("] ") + 2), 100);
  std::string message(what.substr(start + kStart.size()));
  size_t expected = message.rfind("; expected ");
  size_t token = message.find(kToken);
  if (token != std::string::npos) {
    bool after = expected != std::string::npos && expected > token;
    message.erase(token, after ? expected - token : std::string::npos);
  }
  size_t dash = message.find(" - ");
  if (dash != std::string::npos) message.replace(dash, 3, ": ");
  return shortened(message, 200);
}

}  // namespace

/// Receives the events of the parser; every one returns whether to continue.
class JsonTreeBuilder {
 public:
  using Json = nlohmann::json;

  JsonTreeBuilder(Context& context, uint32_t source, size_t maxDepth, JsonTree& tree)
      : context_(context),
        source_(source),
        maxDepth_(maxDepth),
        tree_(tree),
        text_(context.sources().text(source)),
        read_(text_.data()) {}

  bool run() {
    CountingIterator begin{text_.data(), &read_};
    CountingIterator end{text_.data() + text_.size(), &read_};
    return Json::sax_parse(begin, end, this);
  }

  bool null() { return addLeaf(JsonKind::Null, 0); }
  bool boolean(bool value) { return addLeaf(JsonKind::Boolean, value); }
  bool number_integer(int64_t) { return addNumber(JsonKind::OtherNumber, 0); }
  bool number_unsigned(uint64_t value) { return addNumber(JsonKind::Natural, value); }
  bool number_float(double, const std::string&) { return addNumber(JsonKind::OtherNumber, 0); }
  bool binary(Json::binary_t&) { return false; }  // JSON text has none

  bool string(std::string& value) {
    uint32_t where = place();
    return addNode(JsonKind::String, addText(value, where), where);
  }
  bool key(std::string& value) {
    key_ = addText(value, place());
    past_ = consumed();
    return true;
  }
  bool start_object(size_t) { return open(JsonKind::Object); }
  bool start_array(size_t) { return open(JsonKind::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& error) {
    std::string message = shortMessage(error.what());
    bool insideString = message.find("invalid string") != std::string::npos &&
                        message.find("missing closing quote") == std::string::npos;
    size_t where = insideString && position > 0 ? position - 1 : place();
    fail(static_cast<uint32_t>(std::min(where, text_.size())))
        << "JSON syntax error in " << message;
    return false;
  }

 private:
  struct Open {
    JsonNode node;
    JsonNode last;  // child
  };

  InFlightDiagnostic fail(uint32_t offset) {
    return emitError(context_, Location::inSource(source_, offset));
  }
  uint32_t consumed() const { return static_cast<uint32_t>(read_ - text_.data()); }

  /// Start of the token just read: between two tokens stand blanks, commas and colons only.
  uint32_t place() const {
    size_t at = past_;
    if (at == 0 && text_.starts_with("\xEF\xBB\xBF")) at = 3;
    at = text_.find_first_not_of(" \t\r\n,:", at);
    return static_cast<uint32_t>(std::min(at, text_.size()));
  }

  uint32_t addText(std::string_view value, uint32_t where) {
    tree_.strings_.push_back(
        {static_cast<uint32_t>(tree_.pool_.size()), static_cast<uint32_t>(value.size()), where});
    tree_.pool_ += value;
    return static_cast<uint32_t>(tree_.strings_.size() - 1);
  }

  bool addNode(JsonKind kind, uint64_t value, uint32_t where) {
    auto node = static_cast<JsonNode>(tree_.nodes_.size());
    tree_.nodes_.push_back({value, where, kNoNode, std::exchange(key_, kNoNode), kind});
    past_ = consumed();
    if (open_.empty()) return true;
    Open& parent = open_.back();
    if (parent.last != kNoNode) tree_.nodes_[parent.last].next = node;
    parent.last = node;
    ++tree_.nodes_[parent.node].value;
    return true;
  }
  bool addLeaf(JsonKind kind, uint64_t value) { return addNode(kind, value, place()); }

  /// The lexer sees that a number ends by the character after it, or by the end of the text.
  bool addNumber(JsonKind kind, uint64_t value) {
    uint32_t where = place();
    addNode(kind, value, where);
    size_t end = std::min(text_.find_first_of(" \t\r\n,:]}", where), text_.size());
    past_ = static_cast<uint32_t>(end);
    return true;
  }

  bool open(JsonKind kind) {
    uint32_t where = place();
    if (open_.size() >= maxDepth_) {
      fail(where) << "JSON nesting is deeper than the limit of " << maxDepth_;
      return false;
    }
    auto node = static_cast<JsonNode>(tree_.nodes_.size());
    addNode(kind, 0, where);
    open_.push_back({node, kNoNode});
    return true;
  }

  bool close() {
    open_.pop_back();
    past_ = consumed();
    return true;
  }

  Context& context_;
  uint32_t source_;
  size_t maxDepth_;
  JsonTree& tree_;
  std::string_view text_;
  const char* read_;
  uint32_t past_ = 0;  // end of the last token
  uint32_t key_ = kNoNode;
  std::vector<Open> open_;
};

LogicalResult readJsonTree(Context& context, uint32_t source, size_t maxDepth, JsonTree& tree) {
  return success(JsonTreeBuilder(context, source, maxDepth, tree).run());
}

}  // namespace airlite::text
