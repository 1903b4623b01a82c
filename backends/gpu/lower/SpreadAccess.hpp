// Loads and stores of the elements that a lane has of a vector of its wave.
#pragma once

#include "IndexMath.hpp"
#include "SpreadLayout.hpp"

#include <array>
#include <map>

namespace airlite::gpu {

/// `count` elements of a vector of rank 1.
Value sliceOf(Builder& builder, Value vector, int64_t from, int64_t count);

/// Of one herd.
class LaneAccessWriter {
 public:
  LaneAccessWriter(const Kernel& kernel, Operation& scope, Builder& builder)
      : kernel_(kernel), scope_(scope), builder_(builder) {}

  /// What `op`, a vector.load, store, transfer_read or transfer_write of a memref with strides, does for
  /// one lane, written where the builder is. `isGuarded`: elements may be out of bounds.
  /// Reads return the fragment; it has the type that layout and element type give.
  Value read(Operation& op, const Layout& layout, bool isGuarded);
  void write(Operation& op, const Layout& layout, bool isGuarded, Value fragment);
  /// The coordinates (of index type) of the elements that a lane has of a vector of one dimension.
  Value places(Location location, const Layout& layout);

 private:
  /// Elements of a lane that lie next to each other in memory: their numbers in the fragment.
  using Run = std::vector<int64_t>;
  struct Access;

  Access accessOf(Operation& op, const Layout& layout, bool isGuarded);
  Index lanePart(const amdgpu::Axis& axis);
  Index lanePart(const amdgpu::Term& term);
  std::vector<Run> runsOf(const Access& access) const;
  std::vector<Value> indicesAt(const Access& access, int64_t element);
  int64_t alignmentOf(const Access& access, std::span<const Value> indices, int64_t bytes) const;
  void align(Operation& op, const Access& access, std::span<const Value> indices, const Run& run);
  Value readRun(const Access& access, const Run& run);
  Value guardedRead(const Access& access, std::span<const Value> indices, const Run& run);
  Value takeRun(const Access& access, const Run& run, Value fragment);
  void guardedWrite(const Access& access, std::span<const Value> indices, const Run& run,
                    Value part);
  Value flat(Value value, Type type);
  /// To elements of the same size.
  Value castElements(Value vector, Type element);

  const Kernel& kernel_;
  Operation& scope_;
  Builder& builder_;
  std::map<std::array<int64_t, 3>, Index> laneParts_;
  Operation* lastPart_ = nullptr;
};

}  // namespace airlite::gpu
