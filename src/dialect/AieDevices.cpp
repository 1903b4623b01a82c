// The device table. Every figure carries its source; see AieDevices.hpp for what [F], [M] and [A1]
// stand for.
#include "airlite/dialect/AieDevices.hpp"

#include <algorithm>

namespace airlite::aie {

namespace {

constexpr uint64_t columns(std::initializer_list<unsigned> list) {
  uint64_t bits = 0;
  for (unsigned column : list) bits |= uint64_t{1} << column;
  return bits;
}
constexpr uint64_t firstColumns(unsigned count) { return (uint64_t{1} << count) - 1; }

// Sizes of the NPU family [F section 1]; the Versal devices [M].
constexpr Device kDevices[] = {
    {"xcvc1902", 1, Generation::AIE1, 50, 9, 0,
     columns({2, 3, 6, 7, 10, 11, 18, 19, 26, 27, 34, 35, 42, 43, 46, 47})},
    {"xcve2302", 2, Generation::AIE2, 17, 4, 1, columns({2, 3, 6, 7, 10, 11})},
    {"xcve2802", 3, Generation::AIE2, 38, 11, 2,
     columns({2, 3, 6, 7, 14, 15, 22, 23, 30, 31, 34, 35})},
    {"npu1", 4, Generation::AIE2, 4, 6, 1, firstColumns(4)},
    {"npu1_1col", 5, Generation::AIE2, 1, 6, 1, firstColumns(1)},
    {"npu1_2col", 6, Generation::AIE2, 2, 6, 1, firstColumns(2)},
    {"npu1_3col", 7, Generation::AIE2, 3, 6, 1, firstColumns(3)},
    {"npu2", 8, Generation::AIE2P, 8, 6, 1, firstColumns(8)},
    {"npu2_1col", 9, Generation::AIE2P, 1, 6, 1, firstColumns(1)},
    {"npu2_2col", 10, Generation::AIE2P, 2, 6, 1, firstColumns(2)},
    {"npu2_3col", 11, Generation::AIE2P, 3, 6, 1, firstColumns(3)},
    {"npu2_4col", 12, Generation::AIE2P, 4, 6, 1, firstColumns(4)},
    {"npu2_5col", 13, Generation::AIE2P, 5, 6, 1, firstColumns(5)},
    {"npu2_6col", 14, Generation::AIE2P, 6, 6, 1, firstColumns(6)},
    {"npu2_7col", 15, Generation::AIE2P, 7, 6, 1, firstColumns(7)},
};

// -- Buffer descriptors [F section 3]: a field of n bits holds steps up to 2^n (step minus one),
// wraps up to 2^n - 1, iterations up to 2^n (minus one).

constexpr uint32_t bits(unsigned n) { return (uint32_t{1} << n) - 1; }
constexpr uint32_t power(unsigned n) { return uint32_t{1} << n; }

constexpr BdLimits kCoreBd = {
    .maxLength = bits(14),
    .dimensions = {{{bits(8), power(13)}, {bits(8), power(13)}, {0, power(13)}, {}}},
    .numDimensions = 3,
    .maxIterations = power(6),
    .maxIterationStep = power(13)};
constexpr BdLimits kMemBd = {.maxLength = bits(17),
                             .dimensions = {{{bits(10), power(17), bits(6), bits(6)},
                                             {bits(10), power(17), bits(5), bits(5)},
                                             {bits(10), power(17), bits(4), bits(4)},
                                             {0, power(17)}}},
                             .numDimensions = 4,
                             .maxIterations = power(6),
                             .maxIterationStep = power(17)};
constexpr BdLimits kShimBd = {
    .maxLength = 0xFFFFFFFF,
    .dimensions = {{{bits(10), power(20)}, {bits(10), power(20)}, {0, power(20)}, {}}},
    .numDimensions = 3,
    .maxIterations = power(6),
    .maxIterationStep = power(20)};
// The first generation has no n-dimensional descriptors of this form; 13 bits of length [A1].
constexpr BdLimits kFirstCoreBd = {.maxLength = power(13)};
constexpr BdLimits kFirstShimBd = {.maxLength = 0xFFFFFFFF};

// -- Ports, in the order of Bundle: Core DMA FIFO South West North East PLIO NOC Trace TileControl

constexpr TileLimits kFirstGeneration[kNumTileKinds] = {
    // Core [A1]
    {.memoryBytes = 32 * 1024, .locks = 16, .maxLockValue = 1, .channels = 2, .bds = 16,
     .bd = kFirstCoreBd,
     .masters = {2, 2, 2, 4, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {2, 2, 2, 6, 4, 4, 4, 0, 0, 2, 1}},
    {},  // no memory tiles
    // Shim with DMA [A1]
    {.locks = 16, .maxLockValue = 1, .channels = 2, .bds = 16, .bd = kFirstShimBd,
     .masters = {0, 0, 2, 6, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {0, 0, 2, 8, 4, 4, 4, 0, 0, 1, 1}},
    {.masters = {0, 0, 2, 6, 4, 6, 4, 0, 0, 0, 1}, .slaves = {0, 0, 2, 8, 4, 4, 4, 0, 0, 1, 1}},
};
constexpr TileLimits kSecondGeneration[kNumTileKinds] = {
    // Core [F sections 1, 4.1]
    {.memoryBytes = 64 * 1024, .locks = 16, .maxLockValue = 63, .channels = 2, .bds = 16,
     .bd = kCoreBd,
     .masters = {1, 2, 1, 4, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {1, 2, 1, 6, 4, 4, 4, 0, 0, 2, 1}},
    // Memory tile [F sections 1, 4.1]
    {.memoryBytes = 512 * 1024, .locks = 64, .maxLockValue = 63, .channels = 6, .bds = 48,
     .bd = kMemBd,
     .masters = {0, 6, 0, 4, 0, 6, 0, 0, 0, 0, 1},
     .slaves = {0, 6, 0, 6, 0, 4, 0, 0, 0, 1, 1}},
    // Shim with DMA [F sections 1, 4.1]
    {.locks = 16, .maxLockValue = 63, .channels = 2, .bds = 16, .bd = kShimBd,
     .masters = {0, 0, 1, 6, 4, 6, 4, 0, 0, 0, 1},
     .slaves = {0, 0, 1, 8, 4, 4, 4, 0, 0, 1, 1}},
    {.masters = {0, 0, 1, 6, 4, 6, 4, 0, 0, 0, 1}, .slaves = {0, 0, 1, 8, 4, 4, 4, 0, 0, 1, 1}},
};

// -- Legal circuit connections of the second generation [F section 4.2]

enum class Rule : char { No = '-', Yes = 'y', SameChannel = 's', TraceDma = 't', ToFive = '5' };

/// `rows[from][to]`, letters as in Rule, in the order of Bundle. PLIO and NOC are not ports of a
/// switch.
using RuleTable = std::array<std::string_view, kNumBundles>;
//                       CDFSWNEPNTc
constexpr RuleTable kCoreRules = {
    /* Core        */ "-yyyyyy---y",
    /* DMA         */ "ysyyyyy---y",
    /* FIFO        */ "yyyyyyy---y",
    /* South       */ "yyysyyy---y",
    /* West        */ "yyyysyy---y",
    /* North       */ "yyyyysy---y",
    /* East        */ "yyyyyys---y",
    /* PLIO        */ "-----------",
    /* NOC         */ "-----------",
    /* Trace       */ "-tyy-------",
    /* TileControl */ "y-yyyyy----"};
constexpr RuleTable kMemRules = {
    /* Core        */ "-----------",
    /* DMA         */ "-s-y-y----y",
    /* FIFO        */ "-----------",
    /* South       */ "-y-s-s----y",
    /* West        */ "-----------",
    /* North       */ "-y-s-s----y",
    /* East        */ "-----------",
    /* PLIO        */ "-----------",
    /* NOC         */ "-----------",
    /* Trace       */ "-5-y-------",
    /* TileControl */ "-5-y-y-----"};
constexpr RuleTable kShimRules = {
    /* Core        */ "-----------",
    /* DMA         */ "-----------",
    /* FIFO        */ "--yyyyy---y",
    /* South       */ "--yyyyy---y",
    /* West        */ "--yysyy---y",
    /* North       */ "--yyysy---y",
    /* East        */ "--yyyys---y",
    /* PLIO        */ "-----------",
    /* NOC         */ "-----------",
    /* Trace       */ "--yys-s----",
    /* TileControl */ "--yyyyy----"};

bool allows(Rule rule, Port from, Port to) {
  switch (rule) {
    case Rule::No: return false;
    case Rule::Yes: return true;
    case Rule::SameChannel: return from.channel == to.channel;
    case Rule::TraceDma: return to.channel == 0;
    case Rule::ToFive: return from.channel == 0 && to.channel == 5;
  }
  return false;
}

constexpr std::string_view kBundleNames[kNumBundles] = {"Core", "DMA",   "FIFO", "South",
                                                        "West", "North", "East", "PLIO",
                                                        "NOC",  "Trace", "TileControl"};

}  // namespace

std::span<const std::string_view, kNumBundles> bundleNames() { return kBundleNames; }

std::string_view tileKindName(TileKind kind) {
  constexpr std::string_view kNames[] = {"core tile", "memory tile", "shim tile with a DMA",
                                         "shim tile without a DMA"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view directionName(Direction direction) {
  return direction == Direction::MM2S ? "MM2S" : "S2MM";
}

TileKind Device::kindOf(TileId tile) const {
  if (tile.row == 0) return (nocColumns >> tile.col) & 1 ? TileKind::ShimNoc : TileKind::ShimPl;
  return tile.row <= memRows ? TileKind::Mem : TileKind::Core;
}

const TileLimits& Device::limits(TileKind kind) const {
  const TileLimits* table =
      generation == Generation::AIE1 ? kFirstGeneration : kSecondGeneration;
  return table[static_cast<size_t>(kind)];
}

// A core sees its own memory, those north and south of it, and one beside it [F section 1.1]. The
// first generation alternates: even rows have their own memory to the west, odd rows to the east
// [M]. A memory tile sees its neighbours in the row [F section 1.2].
bool Device::reachesMemory(TileId from, TileId to) const {
  if (from == to) return true;
  if (kindOf(from) != kindOf(to)) return false;
  if (kindOf(from) == TileKind::Mem)
    return from.row == to.row && (from.col == to.col + 1 || from.col == to.col - 1);
  if (kindOf(from) != TileKind::Core) return false;
  if (from.col == to.col) return from.row == to.row + 1 || from.row == to.row - 1;
  if (from.row != to.row) return false;
  bool eastward = generation == Generation::AIE1 && from.row % 2 == 0;
  return to.col == (eastward ? from.col + 1 : from.col - 1);
}

std::span<const Device> devices() { return kDevices; }

const Device* findDevice(std::string_view name) {
  auto it = std::find_if(std::begin(kDevices), std::end(kDevices),
                         [&](const Device& device) { return device.name == name; });
  return it == std::end(kDevices) ? nullptr : it;
}

const Device* findDevice(uint32_t number) {
  auto it = std::find_if(std::begin(kDevices), std::end(kDevices),
                         [&](const Device& device) { return device.number == number; });
  return it == std::end(kDevices) ? nullptr : it;
}

const Device& defaultDevice() { return kDevices[0]; }

unsigned numFlowPorts(const Device& device, TileKind kind, Bundle bundle, bool out) {
  const TileLimits& limits = device.limits(kind);
  bool isShim = kind == TileKind::ShimNoc || kind == TileKind::ShimPl;
  // Trace flows of old designs name the DMA of any shim; whether it has one shows at the routing.
  if (isShim && bundle == Bundle::DMA) return device.limits(TileKind::ShimNoc).channels;
  if (isShim && (bundle == Bundle::PLIO || bundle == Bundle::NOC))
    return numMuxPorts(bundle, !out);
  return (out ? limits.masters : limits.slaves)[static_cast<size_t>(bundle)];
}

bool isLegalConnection(const Device& device, TileKind kind, Port from, Port to) {
  // No source for the first generation: any two ports of the switch.
  if (device.generation == Generation::AIE1) return true;
  const RuleTable& table = kind == TileKind::Core  ? kCoreRules
                           : kind == TileKind::Mem ? kMemRules
                                                   : kShimRules;
  char rule = table[static_cast<size_t>(from.bundle)][static_cast<size_t>(to.bundle)];
  return allows(static_cast<Rule>(rule), from, to);
}

// North is the side of the stream switch: its South ports [F sections 4.1, 4.3].
unsigned numMuxPorts(Bundle bundle, bool out) {
  switch (bundle) {
    case Bundle::DMA: return 2;
    case Bundle::NOC: return 4;
    case Bundle::PLIO: return out ? 6 : 8;
    case Bundle::North: return out ? 8 : 6;
    default: return 0;
  }
}

}  // namespace airlite::aie
