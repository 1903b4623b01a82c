// The configuration of a whole array as plain data: the content of every tile, with numbers and
// addresses chosen. Made from the ops of one `aie.device`; images, reports and the floorplan are
// made from it. Only source locations refer to the IR.
//
//   std::optional<ArrayConfig> config = configure(device, codegen::generateCore);
//   if (config) std::cout << print(*config);
#pragma once

#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/Location.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"
#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/Tile.hpp"
#include "airlite/npu/device/Units.hpp"
#include "airlite/npu/isa/Program.hpp"
#include "airlite/npu/route/Flow.hpp"
#include "airlite/npu/route/Routes.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {
class Operation;
}

namespace airlite::npu {

/// Memory of a tile that has a name.
struct BufferConfig {
  std::string name;
  Bytes offset;  ///< from the start of the tile's data memory
  Bytes size;
  std::vector<uint32_t> initial = {};  ///< words; empty: memory is not written
  Location location;
};

/// A lock and the value it has before anything runs.
struct LockConfig {
  uint8_t number = 0;
  int8_t initial = 0;
  Location location;
};

/// A descriptor with its number.
struct BdConfig {
  uint8_t number = 0;
  BufferDescriptor bd;
  Location location;
};

/// A DMA channel that runs from the start: the descriptor it begins with.
struct ChannelStart {
  DmaDirection direction = DmaDirection::S2mm;
  uint8_t channel = 0;
  uint8_t bd = 0;
  uint8_t repeats = 0;  ///< runs of the task besides the first
  bool issuesToken = false;
  Location location;
  bool isOutOfOrder = false;  ///< packets name their descriptors; repeats counts packets
};

/// What a core runs.
struct CoreConfig {
  isa::Program program;
  std::vector<Location> bundleLocations;  ///< one for each bundle of the program
  uint32_t entry = 0;                     ///< byte address of the first bundle
  std::vector<BufferConfig> constants;    ///< data that belongs to the program
  Bytes stackOffset;                      ///< in the core's own data memory; grows upwards
  Bytes stackSize;
  /// The executable, when the design names one (`elf_file`: then there is no program above) or when
  /// objects were linked (`link_with`). It is used instead of the program above.
  std::vector<uint8_t> elf = {};
  Location location = {};
};

/// Everything on one tile except its switch.
struct TileConfig {
  Tile tile;
  std::vector<BufferConfig> buffers = {};
  std::vector<LockConfig> locks = {};
  std::vector<BdConfig> bds = {};
  std::vector<ChannelStart> starts = {};
  std::optional<CoreConfig> core = std::nullopt;
  /// Cascade: where the core's comes from and goes to, as the register counts; none: not set.
  std::optional<uint32_t> cascadeControl = std::nullopt;
};

/// A DMA channel of a shim that the runtime sequence calls by name.
struct ShimChannel {
  std::string name;
  Tile tile;
  DmaDirection direction = DmaDirection::S2mm;
  uint8_t channel = 0;
  std::optional<uint8_t> packetId = std::nullopt;
  Location location;
};

struct ArrayConfig {
  std::string name;  ///< of the device op
  Device device;
  std::vector<TileConfig> tiles;  ///< in ascending order, each once
  std::vector<Flow> flows;
  Routes routes;
  std::vector<ShimChannel> shims;

  const TileConfig* of(Tile tile) const;
  const ShimChannel* shimNamed(std::string_view name) const;
};

/// Bytes of program memory that the core needs, from its program or its executable.
Bytes programBytes(const CoreConfig& core);

/// All of it as text, for tests and people: a block for each tile, then flows, routes, shims.
std::string print(const ArrayConfig& config);

/// Makes the program of an `aie.core` that names no file: codegen::generateCore, or what a test has
/// instead. None after errors have been reported.
using CoreCompiler = std::function<std::optional<codegen::CoreCode>(
    Operation& core, const codegen::CoreSurroundings& surroundings)>;

/// Chooses places, addresses and numbers for everything in `device` (an `aie.device`), routes
/// its flows, compiles its cores. None after errors have been reported, at the ops that need more
/// than the array has, with the number that they need and the number that there is.
///
/// Memory: the stack of a core is at the start of its memory, buffers stay where `address` or
/// `mem_bank` put them, the others are spread over the banks. Numbers of locks and descriptors stay
/// as written; on tiles whose column was open they may change. Every flow is traced again from
/// the register words before it is accepted.
///
/// Objects that cores name (`link_with`) are looked for in the folder of the source, then in
/// `objectFolders`.
std::optional<ArrayConfig> configure(Operation& device, const CoreCompiler& compile = {},
                                     std::span<const std::string> objectFolders = {});

/// The same without programs of cores, in much less time. None after an error that `configure` reports as well.
std::optional<ArrayConfig> configureWithoutPrograms(Operation& device);

}  // namespace airlite::npu
