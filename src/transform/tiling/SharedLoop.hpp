// Loops whose rounds cores share, and which part of each buffer a round touches. Private to transform/.
//
//   const std::optional<SharedLoop> loop = loopOf(op);
//   std::vector<SharedBuffer> buffers;
//   if (loop && readParts(*loop, buffers).empty()) use(buffers);
#pragma once

#include "LoopStatements.hpp"
#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace airlite::tiling {

/// A loop of which the rounds are shared out; of a parallel one those of its first dimension.
struct SharedLoop : StatementLoop {
  Operation* op = nullptr;
  std::vector<StatementLoop> inner;  ///< the other dimensions
  /// What the values begin with that it carries from round to round; nothing uses them after it.
  std::vector<Value> carried;
  /// A core has its rounds inside of the loop that is all of the body: as they were before `interchange`.
  bool isInside = false;

  Block& body() const { return op->region(0).front(); }
};

/// A buffer of the host, and what rounds touch of it.
struct SharedBuffer {
  Value memref;
  bool isLoaded = false, isStored = false;
  bool isFilled = false;  ///< every round stores all of its part and loads nothing
  /// Along which round k has the elements from `first + perRound * k` on; none: all rounds load all of the buffer.
  std::optional<unsigned> dim;
  int64_t first = 0, perRound = 0;

  MemRefType type() const { return memref.type().cast<MemRefType>(); }
  int64_t elementBytes() const { return type().elementType().bitWidth() / 8; }
  bool comesIn() const { return isLoaded || !isFilled; }
  /// A round stores to what others load or store.
  bool isShared() const { return !dim && isStored; }
  /// Of all dimensions after the one that is shared out.
  int64_t elementsOfRow() const {
    const auto shape = type().shape();
    return std::accumulate(shape.begin() + *dim + 1, shape.end(), int64_t{1}, std::multiplies<>());
  }
  /// Of a round, or of all.
  int64_t bytes() const {
    const int64_t all = type().numElements() * elementBytes();
    return dim ? all / type().dim(*dim) * perRound : all;
  }
};

/// None: its bounds are not constant, or others use its results.
std::optional<SharedLoop> loopOf(Operation& op);
/// Puts the loop that is all of the body of `outer` around it, and returns it. Null, and nothing is changed: there is more in the body, a loop
/// carries values, or the bounds of one depend on the other. The same is computed where rounds of the new outer loop store to elements of their own.
Operation* interchange(Operation& outer);
/// Memory of rounds, named by loads and stores only.
bool isOwnMemory(Operation& op);
/// The buffers of the host that the loop loads from and stores to. Empty, or why they cannot be brought to cores.
std::string_view readParts(const SharedLoop& loop, std::vector<SharedBuffer>& buffers);

}  // namespace airlite::tiling
