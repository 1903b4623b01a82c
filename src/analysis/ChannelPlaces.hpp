// Which queue of a channel array the indices of a put or get name.
#pragma once

#include "airlite/dialect/Air.hpp"

namespace airlite::analysis {

struct ChannelPlace {
  std::vector<int64_t> index;
  uint32_t destination = 0;      // of a get: which of those that a broadcast reaches
  uint32_t numDestinations = 1;  // that one put reaches
};

/// The shape that the indices of a put (a get) are in: the channel's, or that of its broadcast,
/// both with as many dimensions.
std::vector<int64_t> shapeOf(air::ChannelOp channel, bool isPut);
/// A put of a packet that one of several destinations takes: which one is known when it runs. In a
/// module where puts name destinations (`areNamed`), any packet may be on its way to one.
bool isForOneOfSeveral(air::ChannelOp channel, air::ChannelAccessOp op, bool areNamed);
/// A put that says where its packet goes.
bool namesDestination(Operation& op);
/// Null when `index` is outside of that. Indices follow NumPy's rules: the last dimensions count.
std::optional<ChannelPlace> placeOf(air::ChannelOp channel, bool isPut,
                                    std::span<const int64_t> index);

/// Of what a transfer moves; 0 for a type without a size.
int64_t elementBytesOf(air::ChannelAccessOp transfer);

}  // namespace airlite::analysis
