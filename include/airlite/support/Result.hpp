// A value, or the reason why there is none, for functions that have no context to report to:
// readers of files, encoders, the LLVM half of the GPU backend. The caller decides whether the
// reason becomes a diagnostic, a line of a tool, or a part of a longer message.
//
//   Result<BufferDescriptor> bd = decodeBd(kind, words);
//   if (!bd) return bd.error();          // converts to the Result of the caller
//   use(*bd);
//
// A function that works on IR reports to the context where it fails and returns a LogicalResult
// (support/LogicalResult.hpp): its caller has nothing to add, and no error is reported twice.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace airlite {

/// Why something failed: lower case, no full stop, names the thing that is wrong.
struct [[nodiscard]] Error {
  std::string message;
  /// Where in the input: bytes from its start (images) or a line number (text); none when the
  /// input has no place.
  std::optional<uint64_t> place = std::nullopt;

  friend bool operator==(const Error&, const Error&) = default;
};

/// A `T` or an Error (C++20 has no std::expected). It holds one of the two.
template <class T> class [[nodiscard]] Result {
  static_assert(!std::is_same_v<T, Error>, "an Error is the other half of every Result");

 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  /// The value; only when there is one.
  T& operator*() & { return value(); }
  const T& operator*() const& { return const_cast<Result&>(*this).value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &**this; }

  /// Empty when there is a value.
  const Error& error() const {
    static const Error none;
    const Error* error = std::get_if<1>(&state_);
    return error ? *error : none;
  }

 private:
  T& value() {
    assert(*this && "the value of a Result that failed");
    return *std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

/// Success, or an Error. `return {};` is success.
template <> class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }

  /// Empty after success.
  const Error& error() const {
    static const Error none;
    return error_ ? *error_ : none;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace airlite
