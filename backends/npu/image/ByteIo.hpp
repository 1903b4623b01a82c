// Little-endian bytes in and out. A reader remembers the first thing that was missing: after that
// it gives zeros, so that a format is read straight through and asked once at its end.
#pragma once

#include "airlite/npu/image/Image.hpp"
#include "airlite/support/Result.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace airlite::npu {

class ByteReader {
 public:
  explicit ByteReader(ByteSpan bytes, uint64_t at = 0) : bytes_(bytes), at_(at) {}

  /// The next number of that type; `what` names it when the bytes end before it.
  template <class T> T take(const char* what) {
    static_assert(std::is_unsigned_v<T>);
    const ByteSpan raw = takeBytes(sizeof(T), what);
    T value = 0;
    for (size_t i = 0; i < raw.size(); ++i)
      value = T(value | uint64_t(raw[i]) << 8 * i);
    return value;
  }
  uint32_t word(const char* what) { return take<uint32_t>(what); }

  /// Empty, and a refusal, when fewer are left.
  ByteSpan takeBytes(uint64_t count, const char* what) {
    if (refusal_) return {};
    if (at_ > bytes_.size() || count > bytes_.size() - at_) {
      refuse(fmt::format("the file ends inside {}", what));
      return {};
    }
    const ByteSpan taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }
  template <size_t N> std::array<uint8_t, N> array(const char* what) {
    std::array<uint8_t, N> out{};
    const ByteSpan raw = takeBytes(N, what);
    if (!raw.empty()) std::memcpy(out.data(), raw.data(), N);
    return out;
  }

  std::vector<uint32_t> words(uint64_t count, const char* what) {
    std::vector<uint32_t> out;
    if (count > left() / bytesPerWordInFile) return takeBytes(left() + 1, what), out;
    out.reserve(count);
    for (uint64_t i = 0; i < count; ++i)
      out.push_back(word(what));
    return out;
  }

  void refuse(std::string message) {
    if (!refusal_) refusal_ = Error{std::move(message), at_};
  }
  void refuseAt(uint64_t place, std::string message) {
    if (!refusal_) refusal_ = Error{std::move(message), place};
  }
  bool ok() const { return !refusal_; }
  const Error& error() const { return *refusal_; }
  uint64_t at() const { return at_; }
  uint64_t left() const { return at_ < bytes_.size() ? bytes_.size() - at_ : 0; }

 private:
  static constexpr uint64_t bytesPerWordInFile = 4;

  ByteSpan bytes_;
  uint64_t at_;
  std::optional<Error> refusal_;
};

class ByteWriter {
 public:
  template <class T> void put(T value) {
    static_assert(std::is_unsigned_v<T>);
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(uint8_t(uint64_t(value) >> 8 * i));
  }
  void word(uint32_t value) { put(value); }
  void words(std::span<const uint32_t> values) {
    for (const uint32_t value : values)
      word(value);
  }
  void bytes(ByteSpan values) { bytes_.insert(bytes_.end(), values.begin(), values.end()); }
  void zeros(uint64_t count) { bytes_.resize(bytes_.size() + count); }
  void alignTo(uint64_t alignment) { zeros((alignment - bytes_.size() % alignment) % alignment); }
  /// Overwrites from `offset`, growing with zeros as far as needed.
  void putAt(uint64_t offset, ByteSpan values) {
    if (values.empty()) return;
    if (bytes_.size() < offset + values.size()) bytes_.resize(offset + values.size());
    std::memcpy(bytes_.data() + offset, values.data(), values.size());
  }
  void wordAt(uint64_t offset, uint32_t value) {
    for (size_t i = 0; i < 4; ++i)
      bytes_[offset + i] = uint8_t(value >> 8 * i);
  }
  uint64_t size() const { return bytes_.size(); }
  ByteVector take() { return std::move(bytes_); }

 private:
  ByteVector bytes_;
};

}  // namespace airlite::npu
