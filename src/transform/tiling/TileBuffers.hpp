// Buffers of tiles: what is left to simplify after linalg ops on buffers were tiled and their tiles
// copied to buffers of their own.
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite {

/// Simplifies the views, copies and buffers inside of `root`:
///
/// - a view of a whole buffer is the buffer, a part of a part is a part, and bytes that are looked at in
///   one way only become a buffer of that type; inside of a loop, outside of herds, one of L2;
/// - a copy of a filled buffer is a fill, what nobody reads is not written, and a copy that the next op
///   writes over goes away.
///
/// True when something changed.
bool simplifyTileBuffers(Operation& root, PassContext& context);

/// Keeps the part of a buffer that each round of an scf.for inside of `root` copies to L1, changes and
/// copies back there for all rounds, where nothing else in the loop touches the part. True when something
/// changed.
bool hoistAccumulators(Operation& root, PassContext& context);

}  // namespace airlite
