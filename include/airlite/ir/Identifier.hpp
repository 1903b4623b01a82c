// Interned strings: equal text, equal pointer.
//
//   Identifier name = Identifier::get(context, "sym_name");
//   if (attribute.name == name) visit(attribute.value);  // compares pointers
#pragma once

#include <string>
#include <string_view>

namespace airlite {

class Context;

/// A string that is unique in its Context. Compare in O(1); null when default-made.
class Identifier {
 public:
  Identifier() = default;
  static Identifier get(Context& context, std::string_view text);

  explicit operator bool() const { return text_ != nullptr; }
  std::string_view str() const { return *text_; }
  operator std::string_view() const { return *text_; }  // NOLINT: reads as a string everywhere
  bool operator==(const Identifier&) const = default;
  friend bool operator==(Identifier a, std::string_view b) { return a.str() == b; }
  const void* pointer() const { return text_; }

 private:
  explicit Identifier(const std::string* text) : text_(text) {}
  friend class Context;
  friend class Dialect;
  const std::string* text_ = nullptr;
};

}  // namespace airlite
