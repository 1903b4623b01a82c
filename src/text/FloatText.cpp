// Floats as text. The digits are those of the reference tools, whose rounding is peculiar: the
// exact decimal value is first cut off (not rounded) to about the wanted number of digits in binary
// steps, and only what remains is rounded half up. 0.7 in f32 is 0.699999988 because of this.
#include "FloatText.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace airlite::text {

namespace {

/// A natural number of any size, least significant word first, no zero words at the top.
class Natural {
 public:
  explicit Natural(uint64_t value) {
    for (; value; value >>= 32)
      words_.push_back(static_cast<uint32_t>(value));
  }
  bool isZero() const { return words_.empty(); }
  unsigned bits() const {
    if (words_.empty()) return 0;
    unsigned top = 32 - static_cast<unsigned>(__builtin_clz(words_.back()));
    return static_cast<unsigned>(words_.size() - 1) * 32 + top;
  }
  void multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (uint32_t& word : words_) {
      carry += uint64_t(word) * factor;
      word = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry) words_.push_back(static_cast<uint32_t>(carry));
  }
  /// Divides and returns the remainder.
  uint32_t divide(uint32_t divisor) {
    uint64_t rest = 0;
    for (size_t i = words_.size(); i-- > 0;) {
      rest = rest << 32 | words_[i];
      words_[i] = static_cast<uint32_t>(rest / divisor);
      rest %= divisor;
    }
    while (!words_.empty() && words_.back() == 0)
      words_.pop_back();
    return static_cast<uint32_t>(rest);
  }
  void multiplyPower(uint32_t base, unsigned exponent) {
    for (; exponent; --exponent)
      multiply(base);
  }

 private:
  std::vector<uint32_t> words_;
};

/// digits * 10^exponent; the digits are most significant first, without zeros at the end.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

/// The finite magnitude as number * 2^exponent, the number odd.
struct Binary {
  uint64_t number;
  int exponent;
};
Binary binaryOf(double magnitude) {
  int exponent = 0;
  double fraction = std::frexp(magnitude, &exponent);
  uint64_t number = static_cast<uint64_t>(std::ldexp(fraction, 53));
  unsigned zeros = static_cast<unsigned>(__builtin_ctzll(number));
  return {number >> zeros, exponent - 53 + static_cast<int>(zeros)};
}

/// The exact value as number * 10^exponent.
Natural exactDecimal(double magnitude, int& exponent) {
  Binary binary = binaryOf(magnitude);
  Natural number(binary.number);
  exponent = std::min(binary.exponent, 0);
  if (binary.exponent >= 0)
    number.multiplyPower(2, static_cast<unsigned>(binary.exponent));
  else
    number.multiplyPower(5, static_cast<unsigned>(-binary.exponent));
  return number;
}

/// Cuts digits off that are more than `precision` needs; log2(10) is taken as 196/59.
void cutOff(Natural& number, int& exponent, unsigned precision) {
  unsigned wanted = (precision * 196 + 58) / 59;
  unsigned bits = number.bits();
  if (bits <= wanted) return;
  unsigned tens = (bits - wanted) * 59 / 196;
  exponent += static_cast<int>(tens);
  for (; tens >= 9; tens -= 9)
    number.divide(1000000000);
  for (; tens; --tens)
    number.divide(10);
}

void dropZeros(Decimal& decimal) {
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
}

/// Rounds half up to `precision` digits.
void round(Decimal& decimal, unsigned precision) {
  std::string& digits = decimal.digits;
  if (digits.size() <= precision) return;
  bool up = digits[precision] >= '5';
  decimal.exponent += static_cast<int>(digits.size() - precision);
  digits.resize(precision);
  while (up && !digits.empty() && digits.back() == '9') {
    digits.pop_back();
    ++decimal.exponent;
  }
  if (up && digits.empty())
    digits = "1";
  else if (up)
    ++digits.back();
  dropZeros(decimal);
}

Decimal decimalOf(double magnitude, unsigned precision) {
  Decimal decimal;
  Natural number = exactDecimal(magnitude, decimal.exponent);
  cutOff(number, decimal.exponent, precision);
  while (!number.isZero())
    decimal.digits += static_cast<char>('0' + number.divide(10));
  std::reverse(decimal.digits.begin(), decimal.digits.end());
  dropZeros(decimal);
  round(decimal, precision);
  return decimal;
}

/// `d.ddd`, then zeros up to `width` digits after the point.
std::string mantissa(const Decimal& decimal, unsigned width) {
  std::string text = decimal.digits.substr(0, 1) + '.' + decimal.digits.substr(1);
  size_t digits = decimal.digits.size() - 1;
  if (digits < width) text.append(width - digits, '0');
  return text;
}

int leadingPower(const Decimal& decimal) {
  return decimal.exponent + static_cast<int>(decimal.digits.size()) - 1;
}

/// `1.500000e+00`.
std::string shortForm(double magnitude) {
  if (magnitude == 0) return "0.000000e+00";
  Decimal decimal = decimalOf(magnitude, 6);
  int power = leadingPower(decimal);
  std::string exponent = std::to_string(std::abs(power));
  if (exponent.size() < 2) exponent.insert(0, "0");
  return mantissa(decimal, 6) + (power < 0 ? "e-" : "e+") + exponent;
}

/// Whether a full-precision value is clearer with an exponent: when the plain form would need more
/// than three zeros for padding, or zeros that look like digits.
bool wantsExponent(const Decimal& decimal, unsigned precision) {
  if (decimal.exponent >= 0)
    return decimal.exponent > 3 ||
           decimal.digits.size() + static_cast<size_t>(decimal.exponent) > precision;
  return -leadingPower(decimal) > 3;
}

/// `123456.703` or `1.2345678E+20`.
std::string longForm(double magnitude, unsigned precision) {
  Decimal decimal = decimalOf(magnitude, precision);
  int power = leadingPower(decimal);
  if (wantsExponent(decimal, precision))
    return mantissa(decimal, 1) + (power < 0 ? "E-" : "E+") + std::to_string(std::abs(power));
  if (decimal.exponent >= 0)
    return decimal.digits + std::string(static_cast<size_t>(decimal.exponent), '0');
  if (power < 0) return "0." + std::string(static_cast<size_t>(-power - 1), '0') + decimal.digits;
  return std::string(decimal.digits).insert(static_cast<size_t>(power) + 1, ".");
}

/// The value of the text in the format. f32 is read directly: going through double rounds twice.
double readBack(FloatKind kind, const std::string& text) {
  const char* end = text.data() + text.size();
  float single = NAN;
  double value = NAN;  // what does not fit stays unequal to everything
  if (kind == FloatKind::F32) {
    std::from_chars(text.data(), end, single);
    return single;
  }
  std::from_chars(text.data(), end, value);
  return kind == FloatKind::F64 ? value : roundToFormat(kind, value);
}

void appendHex(std::string& out, uint64_t bits) {
  char digits[16];
  char* end = std::to_chars(digits, digits + sizeof digits, bits, 16).ptr;
  out += "0x";
  for (char* c = digits; c != end; ++c)
    out += *c >= 'a' ? static_cast<char>(*c - 'a' + 'A') : *c;
}

}  // namespace

unsigned precisionOf(FloatKind kind) {
  switch (kind) {
    case FloatKind::F16:
    case FloatKind::TF32: return 11;
    case FloatKind::BF16: return 8;
    case FloatKind::F32: return 24;
    case FloatKind::F64: return 53;
    case FloatKind::F8E4M3FN:
    case FloatKind::F8E4M3FNUZ: return 4;
    case FloatKind::F8E5M2:
    case FloatKind::F8E5M2FNUZ: return 3;
  }
  return 53;
}

bool appendFloat(std::string& out, FloatKind kind, double value) {
  if (std::isfinite(value)) {
    double magnitude = std::fabs(value);
    std::string text = shortForm(magnitude);
    if (readBack(kind, text) != magnitude)
      text = longForm(magnitude, 2 + precisionOf(kind) * 59 / 196);
    if (text.find('.') != std::string::npos) {
      if (std::signbit(value)) out += '-';
      out += text;
      return false;
    }
  }
  appendHex(out, floatToBits(kind, value));
  return true;
}

}  // namespace airlite::text
