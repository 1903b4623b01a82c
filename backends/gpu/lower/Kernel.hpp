// What the steps of air-to-gpu share about one kernel: its shape, its ids and where memory is.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace airlite::gpu {

/// A workgroup: `x` by `y` processing elements, each a wave.
struct BlockShape {
  int64_t wave = 64;
  int64_t x = 1;
  int64_t y = 1;
  int64_t itemsX() const { return x * wave; }
  int64_t items() const { return x * y * wave; }
};

/// Bytes of a buffer, each of which starts at a multiple of kLdsAlignment; empty where they are too many.
inline constexpr int64_t kLdsAlignment = 16;
std::optional<int64_t> bytesOfBuffer(MemRefType type);
inline int64_t alignedForLds(int64_t bytes) {
  return (bytes + kLdsAlignment - 1) / kLdsAlignment * kLdsAlignment;
}

/// Level of a memref that also knows the memory spaces of kernels (3 is L2, 5 is L1).
std::optional<air::MemoryLevel> levelOf(Type memref);
bool isLevel(Value memref, air::MemoryLevel level);

/// Segments and herds of `func` that stand in no launch get one of a single point.
void wrapBareLevels(Operation& func);

/// Makes arguments of a launch, and of all inside, that are constants outside constants inside.
void sinkConstants(air::LaunchOp launch);

/// Checks a launch for what no kernel can do, reports all of it, and says how large its workgroups
/// are.
LogicalResult checkLaunch(air::LaunchOp launch, BlockShape& shape);

/// How a herd's body is run by the waves.
enum class HerdMode {
  FirstLane,  // by one lane of each wave: no lane can be told from another in it
  AllLanes,   // by every lane
  Spread,     // by every lane, of the vectors each has a part (kSpreadAttr)
  Wave,  // by every lane: its ops are divided among them, and L1 is a part of LDS for each wave
};

/// How a copy is divided among work-items.
enum class CopyScope { Item, Wave, Workgroup };

/// A kernel on its way. Until the end herds are still ops in its body (without arguments but the
/// ids) and memrefs have the memory spaces of AIR.
struct Kernel {
  Kernel(PassContext& context, Operation* func, BlockShape shape)
      : context(&context), func(func), shape(shape) {}

  PassContext* context;
  Operation* func;
  BlockShape shape;
  /// Arguments that may be the same memory as an earlier one.
  std::unordered_map<Value, Value> aliases;
  std::unordered_map<Operation*, HerdMode> herds;
  /// Herds in which nothing tells lanes apart.
  std::unordered_set<Operation*> uniform;
  /// L1 buffers that a herd allocates itself: what is in them ends with it.
  std::unordered_set<Operation*> herdBuffers;
  /// L1 buffers of herds that whole waves run, and where they start in the LDS of a wave, of so many bytes.
  std::vector<std::pair<Operation*, int64_t>> waveBuffers;
  int64_t waveBytes = 0;
  /// Sums of floats keep their order.
  bool exact = false;
  std::unordered_map<Operation*, CopyScope> copies;
  /// Ids of the running work-item, made once at the start of the body.
  Value itemX, itemY, item, lane, waveX;
  std::vector<Operation*> idOps;

  Block& body() const { return func->region().front(); }
  bool coversBlock(air::HerdOp herd) const;
};

/// Moves the body of a launch into a kernel of `module` called `name`, without its segments, and
/// puts a gpu.launch_func in its place.
Kernel outline(PassContext& context, air::LaunchOp launch, BlockShape shape, Operation& module,
               std::string_view name);

/// Makes the ids; removes those that nothing uses.
void createIds(Kernel& kernel);
void removeUnusedIds(Kernel& kernel);

/// Ops without regions, or whose regions describe an element, not control flow.
bool isLeaf(const Operation& op);
/// Whether `op` may write memory, or, where it is given, this memref.
bool mayWrite(Operation& op, Value memref = Value());

/// The buffer that `memref` is a view of: an allocation or an argument of the kernel; null when it
/// may be any.
Value rootOf(const Kernel& kernel, Value memref);

/// Inlines calls into the kernel body.
LogicalResult inlineCalls(Operation& func);

/// Lets copies within one buffer go through another one, where what they read and what they write may meet.
LogicalResult readBeforeWriting(Kernel& kernel);

/// Turns allocations into LDS and private buffers at the start of the body.
LogicalResult hoistBuffers(Kernel& kernel);
/// Gives every memref the memory space that it has in a kernel.
void mapMemorySpaces(Kernel& kernel);

/// The pass gpu-contract-floats.
void registerContractFloats(PassRegistry& registry);

/// Says how each herd is run.
void chooseHerdModes(Kernel& kernel);
/// Finds those whose ops the lanes of a wave share.
LogicalResult chooseWaveHerds(Kernel& kernel);
/// Divides the ops of these among the lanes of their waves, and lets the lanes meet between them.
void shareAmongLanes(Kernel& kernel);
/// Gives each wave its part of LDS in place of the L1 buffers of these herds.
void moveToLds(Kernel& kernel);
/// Decides who does each copy and puts barriers where work-items meet in memory.
LogicalResult placeBarriers(Kernel& kernel);

/// Replaces copies by loops, guards what one work-item does alone, and dissolves the herds.
LogicalResult lowerCopies(Kernel& kernel);
LogicalResult guardStores(Kernel& kernel);
/// Gives each lane its part of the vectors of herds that spread them.
LogicalResult spreadVectors(Kernel& kernel);
void dissolveHerds(Kernel& kernel);

}  // namespace airlite::gpu
