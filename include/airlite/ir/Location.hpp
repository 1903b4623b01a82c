// Where an operation comes from. Eight bytes; lines and columns are found only when asked for.
//
//   std::string where = formatLocation(context, op.location());  // "in.mlir:3:5"
#pragma once

#include <cstdint>

namespace airlite {

/// A place in a source buffer, or an index into the context's table of composed locations
/// (`loc("name"(...))`, `loc(fused[...])`, `loc("file":1:2)`), or unknown.
class Location {
 public:
  Location() = default;
  /// Byte `offset` of the buffer `source` (a SourceManager handle, from 1).
  static Location inSource(uint32_t source, uint32_t offset) { return Location(source, offset); }
  static Location composed(uint32_t index) { return Location(kComposed, index); }

  bool isUnknown() const { return source_ == 0; }
  bool isComposed() const { return source_ == kComposed; }
  bool isInSource() const { return !isUnknown() && !isComposed(); }
  uint32_t source() const { return source_; }
  /// Byte offset (in source) or table index (composed).
  uint32_t offset() const { return offset_; }
  bool operator==(const Location&) const = default;

 private:
  static constexpr uint32_t kComposed = 0xffffffffu;
  Location(uint32_t source, uint32_t offset) : source_(source), offset_(offset) {}
  uint32_t source_ = 0;
  uint32_t offset_ = 0;
};

}  // namespace airlite
