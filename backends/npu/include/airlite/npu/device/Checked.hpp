// A value, or why it was refused: errors of the NPU rooms are plain data, the tools show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace airlite::npu {

/// Why something was refused: lower case, no full stop, names the thing that is wrong.
struct Refusal {
  std::string message;
  /// Where in the input: bytes from its start (images) or a line number (text); none when the
  /// input has no place.
  std::optional<uint64_t> place = std::nullopt;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

/// A value or a Refusal (C++20 has no std::expected).
template <class T> class [[nodiscard]] Checked {
 public:
  Checked(T value) : value_(std::move(value)) {}
  Checked(Refusal refusal) : refusal_(std::move(refusal)) {}

  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  /// Empty when there is a value.
  const Refusal& refusal() const { return refusal_; }

 private:
  std::optional<T> value_;
  Refusal refusal_;
};

}  // namespace airlite::npu
