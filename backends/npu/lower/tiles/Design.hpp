// What the steps of air-to-aie hand on: which device a segment or herd became, and its cores.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::npu {

/// What the user asked for.
struct DesignOptions {
  const aie::Device* device = nullptr;
  int64_t colOffset = 1, rowOffset = 1;  // of herds that say no place
  bool emitWhileLoop = false;            // cores begin again at their end
  bool emitHerdLock = false;             // cores wait for the host before each run
  bool lockParameters = false;           // those that take numbers of the host do
  uint64_t stackBytes = aie::CoreOp::kDefaultStackBytes;
  bool twinL2 = false;      // L2 memory that several transfers share is there twice
  bool overlapsL2 = false;  // its parts have locks of their own, else the same where it fits
};

/// Which instance of a segment's iteration space a segment, and its device, is.
inline constexpr std::string_view kInstanceAttributes[] = {"segment_unroll_x", "segment_unroll_y"};

/// The program of one core of a herd, after outlining. Several herds may share a core, one after
/// the other: each has its own entry.
struct CoreProgram {
  air::HerdOp herd;
  std::vector<int64_t> id;  // in the herd
  Operation* tile = nullptr;
  Operation* core = nullptr;
  Block* body = nullptr;  // the ops of the herd; ends with the branch to what comes next
};

/// One aie.device.
struct Design {
  aie::DeviceOp device;
  Operation* source = nullptr;  // air.segment, or an air.herd outside of one
  std::vector<CoreProgram> cores;
  Operation* lastTile = nullptr;  // locks and buffers follow the tiles, then come the cores
  unsigned numBuffers = 0;        // named so far
  std::unordered_set<Operation*> sharedBuffers = {};  // of several cores, which take turns
};

/// The channels of a module, and who uses them. Read once: it is the same for all designs.
struct HostSide {
  struct Channel {
    air::ChannelOp op;
    size_t number = 0;                   // in the order of the module
    std::vector<Operation*> puts, gets;  // of L3
    struct Inside {
      Operation* source;  // of the design, as in Design
      Location location;
    };
    std::vector<Inside> putsInside, getsInside;  // of cores and memory tiles
  };
  explicit HostSide(Operation& module);

  std::unordered_map<std::string, Channel> channels;

 private:
  void add(air::ChannelAccessOp access);
};

/// Makes a device with tiles and cores for each segment, and each herd outside of one, at the start
/// of `module`; the last one comes first, but instances of a segment in their order. The bodies of the cores are those of their herds, with
/// ids and sizes as constants and scalar arguments read from a buffer that the host fills
/// (`__air_herd_rtp_COL_ROW`). Failures have been reported.
LogicalResult outlineCores(Operation& module, const DesignOptions& options, const HostSide& host,
                           std::vector<Design>& designs);

/// A word of a tile (an aie.buffer of one i32), 0 at first. It keeps its value between runs, as the DMAs keep their place.
Value createCounter(Builder& builder, Location location, Value tile, const std::string& name);

/// Creates a tile after the others.
Operation* createTileOp(Design& design, OperationState& state);

/// Decides the conditionals in `root` that depend on constants only.
void decideConditionals(Operation& root);

/// Makes each core of `design` a sequential program on buffers of its tile: what depends on its
/// place is decided, executes and tokens go, L1 allocations become buffers. Failures have been
/// reported.
LogicalResult makeSequential(Design& design);

/// The rest of the cores: copies become loops, what they call is declared in the device. Failures
/// have been reported.
LogicalResult finishCores(Design& design);

/// Refuses attributes `air.*` of `op`: requests that are not known yet.
LogicalResult checkRequests(Operation& op, Operation& reportAt, std::string_view also = {});

/// The value of an attribute of `def` that is written as `word`.
Attribute keyword(Context& context, const OpDef& def, std::string_view attr, std::string_view word);

/// Adds airrt.module_metadata about the designs at the end of `module`.
void describeDesigns(Operation& module, const std::vector<Design>& designs);

}  // namespace airlite::npu
