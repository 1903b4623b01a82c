// Reader of the dictionary in a .npy file. It takes the literal forms that NumPy writes; everything
// else is an error, never a guess.
#include "NpyHeader.hpp"

#include <cctype>
#include <limits>

namespace airlite::tools {

namespace {

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  /// After false `error` says why.
  bool read(NpyHeader& header) {
    if (!expect('{')) return false;
    while (!take('}')) {
      if (!readEntry(header)) return false;
      if (take(',')) continue;
      if (!expect('}')) return false;
      break;
    }
    skipBlanks();
    if (at_ != text_.size()) return fail("text after the dictionary");
    return seen_ == 7 || fail("expected the keys 'descr', 'fortran_order' and 'shape'");
  }
  const Error& error() const { return error_; }

 private:
  static constexpr size_t kMaxRank = 32;

  bool readEntry(NpyHeader& header) {
    std::string key;
    if (!readString(key) || !expect(':')) return false;
    if (key == "descr") return mark(1) && readDescr(header);
    if (key == "fortran_order") return mark(2) && readBool(header.fortranOrder);
    if (key == "shape") return mark(4) && readShape(header.shape);
    return fail("unknown key '" + printable(key) + "'");
  }

  bool mark(unsigned bit) {
    if (seen_ & bit) return fail("a key appears twice");
    seen_ |= bit;
    return true;
  }

  bool readDescr(NpyHeader& header) {
    skipBlanks();
    if (at_ < text_.size() && text_[at_] == '[') return fail("not supported: record types");
    return readString(header.descr);
  }

  bool readString(std::string& value) {
    skipBlanks();
    char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') return fail("expected a quoted string");
    size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return fail("unterminated string");
    value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  bool readBool(bool& value) {
    skipBlanks();
    value = text_.substr(at_).starts_with("True");
    if (!value && !text_.substr(at_).starts_with("False")) return fail("expected True or False");
    at_ += value ? 4 : 5;
    return true;
  }

  bool readShape(std::vector<int64_t>& shape) {
    if (!expect('(')) return false;
    while (!take(')')) {
      int64_t size = 0;
      if (shape.size() == kMaxRank) return fail("more than 32 dimensions");
      if (!readSize(size)) return false;
      shape.push_back(size);
      if (take(',')) continue;
      if (shape.size() == 1) return fail("expected ',' in a tuple of one size");
      return expect(')');
    }
    return true;
  }

  bool readSize(int64_t& size) {
    skipBlanks();
    size_t start = at_;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (size > (std::numeric_limits<int64_t>::max() - 9) / 10) return fail("a size is too large");
      size = size * 10 + (text_[at_] - '0');
    }
    if (at_ == start) return fail("expected a size");
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote such sizes
    return true;
  }

  void skipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }

  bool take(char c) {
    skipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool expect(char c) { return take(c) || fail(std::string("expected '") + c + "'"); }

  bool fail(const std::string& reason) {
    error_ = {"bad header: " + reason};
    return false;
  }

  static std::string printable(std::string text) {
    if (text.size() > 40) text.resize(40);
    for (char& c : text)
      if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
    return text;
  }

  std::string_view text_;
  Error error_;
  size_t at_ = 0;
  unsigned seen_ = 0;
};

}  // namespace

Result<NpyHeader> parseNpyHeader(std::string_view text) {
  HeaderReader reader(text);
  NpyHeader header;
  if (!reader.read(header)) return reader.error();
  return header;
}

}  // namespace airlite::tools
