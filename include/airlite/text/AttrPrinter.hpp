// Printing types and attributes: what dialect types and attributes print with, and the lower half
// of OpPrinter.
//
//   printer << "<" << type.element() << ", " << type.count() << ">";
#pragma once

#include "airlite/ir/Context.hpp"

#include <string>
#include <string_view>
#include <type_traits>

namespace airlite {

namespace text {
class PrinterState;
}

class AttrPrinter {
 public:
  explicit AttrPrinter(text::PrinterState& state) : state_(state) {}

  AttrPrinter& operator<<(std::string_view text);
  AttrPrinter& operator<<(const char* text) { return *this << std::string_view(text); }
  AttrPrinter& operator<<(const std::string& text) { return *this << std::string_view(text); }
  AttrPrinter& operator<<(char c) { return *this << std::string_view(&c, 1); }
  template <class Int>
  requires(std::is_integral_v<Int> && !std::is_same_v<Int, char> &&
           !std::is_same_v<Int, bool>) AttrPrinter&
  operator<<(Int value) {
    return *this << std::string_view(std::to_string(value));
  }
  /// With aliases where the module has them.
  AttrPrinter& operator<<(Type type);
  AttrPrinter& operator<<(Attribute attribute);
  AttrPrinter& operator<<(AffineMap map);
  AttrPrinter& operator<<(AffineExpr expr);

  /// An attribute whose type the reader knows: `5` instead of `5 : i64`.
  void printWithoutType(Attribute attribute);
  void printString(std::string_view text);
  /// `@name`, quoted when it must be.
  void printSymbolName(std::string_view name);
  /// A bare word, or a quoted string when it is not one.
  void printKeywordOrString(std::string_view text);
  void printTypes(std::span<const Type> types);
  /// ` -> t`, ` -> (t1, t2)` or nothing.
  void printOptionalArrowTypes(std::span<const Type> types);
  /// `4x?x8x`.
  void printDimensionList(std::span<const int64_t> dims, bool trailingX = true);
  template <class Range, class Fn>
  void printList(const Range& range, Fn each, std::string_view separator = ", ") {
    bool first = true;
    for (auto&& item : range) {
      if (!first) *this << separator;
      first = false;
      each(item);
    }
  }

 protected:
  text::PrinterState& state_;
};

}  // namespace airlite
