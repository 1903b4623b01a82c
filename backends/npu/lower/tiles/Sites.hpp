// Puts and gets as a DMA sees them.
#pragma once

#include "Transfers.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace airlite::npu {

/// What a descriptor says about memory, in elements.
struct Pattern {
  int64_t offset = 0, length = 0;
  std::vector<std::pair<int64_t, int64_t>> dims;  // size and stride, outermost first; empty: linear
  std::vector<std::pair<int64_t, int64_t>> pads;  // zeros before and after each of dims; or none
  bool operator==(const Pattern&) const = default;

  /// Its first elements, along the outermost dimension and about as many as asked for, and the
  /// others. Nothing where there are pads.
  std::optional<std::pair<Pattern, Pattern>> cutAt(int64_t elements) const;
};

/// One put or get.
struct Site {
  air::ChannelAccessOp op;
  bool isPut = false, isPacket = false;
  bool isOrdered = true;        // it is over before what follows in the program begins
  Operation* memory = nullptr;  // the op that makes it
  Value buffer;                 // what it is on the tile
  ChannelPlace place;           // of the put; a get of a broadcast has one with others
  Pattern pattern;
  int64_t sends = 1;                // times in a row, as air.refeed_count says
  Site* sameAs = nullptr;           // one before with the same descriptor and locks
  std::vector<Operation*> repeats;  // later ops of the program that this stands for
  std::optional<int64_t> packetId;  // that its descriptor writes in the header
  Value acquired, released;         // the locks that its descriptor takes and gives, if any
  int64_t takes = 1, gives = 1;     // of them
  int64_t part = 0;  // of a put: elements that a core takes at a time, when these are fewer

  int64_t bytes() const;  // of one run, in the stream
};

/// Marks the puts and gets in `root` that are asynchronous, before their tokens go.
void markAsynchronous(Operation& root);
bool isAsynchronous(const Operation& op);

/// Moves a get that the core waits in down to what first uses its memory, or to an op inside of
/// which `keeps` holds: what stands between may be what the sender waits for.
void moveToFirstUse(Operation& get, FunctionRef<bool(Operation&)> keeps);

/// Of offsets, sizes or strides; none where one is not constant.
std::optional<std::vector<int64_t>> constantsOf(const std::vector<air::IndexEntry>& list);
/// The place of the channel as the indices say it; none while one of them is not known.
std::optional<ChannelPlace> placeOf(air::ChannelAccessOp op);
/// The place of the put, also of a get of a broadcast. An index that is not known has been reported.
LogicalResult readPlace(air::ChannelAccessOp op, ChannelPlace& place);
/// Reads all but `buffer`, the packet and the locks. What descriptors cannot say has been reported.
LogicalResult readSite(Operation& op, Site& site);

}  // namespace airlite::npu
