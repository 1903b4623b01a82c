// Where the elements of a memref lie in the buffer that it is a view of.
#pragma once

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace airlite::npu {

/// `base` at `sum of offset + sum of index * stride`, in elements. Offsets and strides are numbers
/// or values of index type.
struct Place {
  struct Term {
    memref::MixedIndex factor;
    memref::MixedIndex stride;
  };
  Value base;
  std::vector<Term> offset;  // factor * stride each
  std::vector<memref::MixedIndex> strides;

  /// The base as it is: no offset, row-major.
  bool isWhole(MemRefType type) const;
};

/// The type of a buffer without its shape: one dimension, row-major. Null when the size is not
/// constant or the elements do not lie row-major from the start.
MemRefType flatType(MemRefType type);

/// Finds places. Remembers them: views of views are many.
class Places {
 public:
  /// The place of `memref`, null when there is none that a core can compute: then `why` says so.
  const Place* find(Value memref, std::string& why);

 private:
  std::optional<Place> make(Value memref, std::string& why);
  std::optional<Place> makeView(Operation& op, std::string& why);

  std::unordered_map<Value, Place> known_;
};

/// Is `op` a view whose place is found through its source?
bool isPlaceView(const Operation& op);

/// A view of one dimension; memory of a core lies that way already.
Value asRow(Builder& builder, Location location, Value memory);
/// The same as words of 32 bits; its bytes are whole ones.
Value asWords(Builder& builder, Location location, Value memory);

/// Index arithmetic for the element of `place` at `indices`. What changes in outer loops is summed
/// first, so that it can be moved out of inner ones.
Value linearIndex(Builder& builder, Location location, const Place& place,
                  const std::vector<Value>& indices);

}  // namespace airlite::npu
