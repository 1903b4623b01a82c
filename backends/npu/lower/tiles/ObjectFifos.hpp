// Object FIFOs of a design as plain data, between the steps of aie-objectfifo-to-locks.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::npu::fifo {

/// A part of each object of a pool, which is filled and emptied by itself. Offset and length are in
/// elements.
struct Part {
  int64_t offset = 0, length = 0;
  Value empty;          ///< the lock that counts the objects whose part may be filled
  Value full;           ///< the lock that counts those that may be read
  int64_t repeats = 1;  ///< times that it is sent; the locks count each of them
};

/// Objects on one tile, which are used in turn. Most pools have one part.
struct Pool {
  aie::TileOp tile;
  std::string name;
  MemRefType type;  ///< of one object
  int64_t depth = 1;
  std::vector<Part> parts = {};
  std::vector<Value> buffers = {};
  Location location = {};   ///< of the FIFO that asks for them
  ArrayAttr contents = {};  ///< what the objects are filled with at first; null: they are empty
};

/// The producer or a consumer of a FIFO.
struct End {
  aie::TileOp tile;
  bool fills = false;               ///< a DMA that receives, or the producer in shared memory
  std::optional<size_t> pool = {};  ///< none: the memory of the host
  std::optional<size_t> part = {};  ///< none: all parts of an object
  Attribute dims = {};              ///< how the DMA walks an object; null: as it lies
  int64_t channel = 0;              ///< of the DMA
};

/// The producer comes first.
struct Fifo {
  aie::ObjectFifoOp op;
  std::vector<End> ends;
  bool isShared = false;  ///< both ends reach one pool: no DMA is needed
};

struct Plan {
  aie::DeviceOp device;
  std::vector<Pool> pools;
  std::vector<Fifo> fifos;
};

/// Decides where the objects of each FIFO are and which DMA channels move them. Failures have been
/// reported, here and below.
LogicalResult planFifos(aie::DeviceOp device, Plan& plan);

/// Makes the buffers, locks, DMA programs, flows and names for the host of a plan.
void createFifoTiles(Plan& plan);

/// Makes what the core does with FIFOs accesses of buffers and uses of locks.
LogicalResult rewriteFifoCore(const Plan& plan, aie::CoreOp core);

/// Whether two ops stand for one tile.
bool isSameTile(aie::TileOp a, aie::TileOp b);

}  // namespace airlite::npu::fifo
