// Values in the registers of a running program: a scalar is its bits, everything larger is shared.
#pragma once

#include "airlite/interp/Interpreter.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace airlite::interp {

/// Bits: a scalar or the number of a token. Poison: a scalar nothing was stored to; its bits are
/// the number of its origin. Pending: the result of an air.execute that may not be done yet.
enum class SlotKind : uint8_t { Bits, Poison, View, Array, Pending };

/// What a slot shares; counted, freed with its last slot. Runs are single-threaded.
struct Object {
  uint32_t references = 0;
};

class Slot;
void destroyObject(SlotKind kind, Object* object);

class Slot {
 public:
  Slot() : bits_(0) {}
  Slot(const Slot& other) : bits_(other.bits_), kind_(other.kind_) { retain(); }
  Slot(Slot&& other) noexcept : bits_(other.bits_), kind_(other.kind_) {
    other.kind_ = SlotKind::Bits;
  }
  Slot& operator=(const Slot& other) {
    if (this == &other) return *this;
    other.retain();
    release();
    bits_ = other.bits_;
    kind_ = other.kind_;
    return *this;
  }
  Slot& operator=(Slot&& other) noexcept {
    std::swap(bits_, other.bits_);
    std::swap(kind_, other.kind_);
    return *this;
  }
  ~Slot() { release(); }

  SlotKind kind() const { return kind_; }
  bool isBits() const { return kind_ == SlotKind::Bits; }
  bool isPoison() const { return kind_ == SlotKind::Poison; }
  uint64_t bits() const { return bits_; }
  int64_t number() const { return static_cast<int64_t>(bits_); }
  void setBits(uint64_t bits) {
    release();
    bits_ = bits;
    kind_ = SlotKind::Bits;
  }
  void setPoison(uint64_t origin) {
    release();
    bits_ = origin;
    kind_ = SlotKind::Poison;
  }
  template <class T> const T& as() const { return *static_cast<const T*>(object_); }
  template <class T> T& mutableAs() { return *static_cast<T*>(object_); }
  /// Takes over a new object.
  void set(SlotKind kind, Object* object) {
    ++object->references;
    release();
    object_ = object;
    kind_ = kind;
  }

 private:
  bool isShared() const { return kind_ > SlotKind::Poison; }
  void retain() const {
    if (isShared()) ++object_->references;
  }
  void release() {
    if (isShared() && --object_->references == 0) destroyObject(kind_, object_);
  }
  union {
    uint64_t bits_;
    Object* object_;
  };
  SlotKind kind_ = SlotKind::Bits;
};

/// A memref, or the contents of a tensor. `base` is where its offset counts from, in bytes.
struct View : Object {
  std::shared_ptr<Memory> memory;
  int64_t base = 0;
  int64_t offset = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

/// One element of a vector: origin 0 is a value.
struct Lane {
  uint64_t bits = 0;
  uint64_t origin = 0;
};

/// The elements of a vector in row-major order.
struct Array : Object {
  std::vector<Lane> lanes;
};

/// Where the result of an air.execute will be; there once its token has fired.
struct Box : Object {
  uint32_t token = 0;
  Slot value;
};

/// Vectors with more elements are not supported.
constexpr int64_t kMaxLanes = int64_t(1) << 20;
/// Bytes of one allocation.
constexpr int64_t kMaxBytes = int64_t(1) << 32;

// -- Elements in memory ---------------------------------------------------------------------------

/// How elements of a shaped type lie in memory.
struct ElementLayout {
  uint32_t bytes = 0;  // of one number
  uint32_t lanes = 1;  // numbers of an element that is a vector
  bool isVector = false;
  uint64_t mask = 0;
  uint32_t stride() const { return bytes * lanes; }
};
/// `bytes` is 0 for elements that the interpreter cannot hold.
ElementLayout layoutOf(Type element);

Lane loadLane(const Memory& memory, size_t at, uint32_t bytes);
void storeLane(Memory& memory, size_t at, uint32_t bytes, Lane lane);

/// Calls `visit(linear offset in elements)` for each point of a box, the last dimension fastest.
template <class Visit>
void forEachOffset(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                   int64_t start, Visit visit) {
  for (int64_t size : sizes)
    if (size <= 0) return;
  std::vector<int64_t> index(sizes.size(), 0);
  int64_t at = start;
  for (;;) {
    if (!visit(at)) return;
    size_t d = sizes.size();
    for (; d > 0; --d) {
      at += strides[d - 1];
      if (++index[d - 1] < sizes[d - 1]) break;
      at -= strides[d - 1] * sizes[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

std::vector<int64_t> rowMajorStrides(const std::vector<int64_t>& sizes);
/// Saturates at INT64_MAX.
int64_t product(const std::vector<int64_t>& sizes);

}  // namespace airlite::interp
