// How arguments of kernels and host functions are laid out: what a caller without the IR must know.
//
//   ArgLayout layout = layoutOfArgument(memrefType);
//   if (layout.slots.empty()) return fail("cannot be passed");
#pragma once

#include "airlite/ir/Type.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite {

/// What kind of value an argument or a result is.
enum class ArgKind : std::uint8_t { MemRef, Index, Integer, Float };

/// One machine value that an argument is passed as.
enum class SlotKind : std::uint8_t { Pointer, Offset, Size, Stride, Scalar, GridDim };

struct ArgSlot {
  SlotKind kind = SlotKind::Scalar;
  unsigned dim = 0;          ///< of sizes, strides and grid dims
  std::uint32_t offset = 0;  ///< in the kernel argument segment, bytes; 0 for host functions
  std::uint32_t size = 8;    ///< bytes
};

/// One argument or result of a function: memrefs are a pointer, then an i64 for the offset, each
/// size and each stride that the type leaves open (kDynamic), in this order.
struct ArgLayout {
  std::string type;  ///< as the IR prints it
  ArgKind kind = ArgKind::Index;
  std::string elementType;            ///< "f32", "i8", "index"; of the scalar itself when it is one
  unsigned elementBits = 0;           ///< of the number
  unsigned elementBytes = 0;          ///< in memory
  std::vector<std::int64_t> shape;    ///< memrefs only; kDynamic where open
  std::vector<std::int64_t> strides;  ///< in elements
  std::int64_t offset = 0;            ///< in elements
  std::vector<ArgSlot> slots;
};

/// Fails (empty `slots`) for types that cannot be passed.
ArgLayout layoutOfArgument(Type type);

}  // namespace airlite
