// The result type of the LLVM half of the GPU backend: a value, or a sentence that says why there
// is none.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace airlite::gpu {

/// Why an operation failed: lower case, no full stop, names the thing that is wrong.
struct Error {
  std::string message;
};

/// A value or an error text (C++20 has no std::expected). `error` is empty exactly when `value` is
/// set.
template <class T>
struct [[nodiscard]] Expected {
  std::optional<T> value;
  std::string error;

  Expected(T result) : value(std::move(result)) {}
  Expected(Error failure) : error(std::move(failure.message)) {}

  explicit operator bool() const { return value.has_value(); }
  T& operator*() { return *value; }
  const T& operator*() const { return *value; }
  T* operator->() { return &*value; }
  const T* operator->() const { return &*value; }

  /// The failure in a form that converts to any other Expected.
  Error failure() const { return {error}; }
};

/// Success without a value, or an error text. Default-constructed means success.
template <>
struct [[nodiscard]] Expected<void> {
  bool succeeded = true;
  std::string error;

  Expected() = default;
  Expected(Error failure) : succeeded(false), error(std::move(failure.message)) {}

  explicit operator bool() const { return succeeded; }
  Error failure() const { return {error}; }
};

}  // namespace airlite::gpu
