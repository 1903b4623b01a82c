// Chooses how many lanes, registers and waves have a row.
#include "RowKernel.hpp"

#include <algorithm>
#include <bit>
#include <climits>

namespace airlite::gpu {
namespace {

constexpr int64_t kAccessBytes = 16;
/// Elements that a lane has of a row before more waves share it.
constexpr int64_t kFewElements = 16;
/// Registers of a lane for rows: 1,024 work-items leave 128 or 96 to each, fewer twice as many.
constexpr int64_t kRowRegisters = 64;
/// Tiles of a row that is read several times: so many accesses of a lane are on their way.
constexpr int64_t kAccesses = 4;

int64_t bytesOf(Type element) {
  return std::max<int64_t>(1, static_cast<int64_t>(element.bitWidth()) / 8);
}

int64_t powerFor(int64_t value) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(1, value))));
}

int64_t product(std::span<const int64_t> sizes) {
  int64_t all = 1;
  for (int64_t size : sizes) {
    if (size == kDynamic) return kDynamic;
    all *= size;
  }
  return all;
}

std::vector<RowPlace> placesOf(const RowChain& chain) {
  std::vector<RowPlace> places;
  for (const RowNode& node : chain.nodes)
    if (node.kind == RowNode::Memory) places.push_back(node.place);
  for (const auto& store : chain.stores)
    places.push_back(store.place);
  return places;
}

/// Elements of 16 bytes of the narrowest rows in memory.
int64_t widthOf(const RowChain& chain) {
  int64_t narrowest = kAccessBytes;
  for (const RowPlace& place : placesOf(chain))
    if (place.hasColumns)
      narrowest = std::min(narrowest, bytesOf(elementTypeOrSelf(place.memref.type())));
  return kAccessBytes / narrowest;
}

/// One loop numbers the rows of all operands that have any. What else is indexed by 0 has one element.
bool isFlat(const RowChain& chain) {
  return std::ranges::all_of(placesOf(chain), [&](const RowPlace& place) {
    if (!(place.over() & kOverRows)) return true;
    const auto type = place.memref.type().cast<MemRefType>();
    if (!type.hasIdentityLayout()) return false;
    for (size_t i = 0; i < place.loops.size(); ++i) {
      const bool isLoop = place.loops[i] == static_cast<int>(i);
      const bool isOne = place.loops[i] == RowPlace::kFirst && type.dim(i) == 1;
      if (i < chain.rowLoops ? !isLoop : !isOne) return false;
    }
    return place.loops.size() >= chain.rowLoops;
  });
}

/// Words of 32 bits of rows that are held from one reduction to the next, for each element.
int64_t heldWords(const RowChain& chain) {
  struct Uses {
    int first = INT_MAX, last = -1;
  };
  std::vector<Uses> uses(chain.nodes.size());
  const auto use = [&](int node, int depth) {
    if (node == RowNode::kNone) return;
    Uses& known = uses[static_cast<size_t>(node)];
    known.first = std::min(known.first, depth);
    known.last = std::max(known.last, depth);
  };
  int deepest = 0;
  for (const RowNode& node : chain.nodes) {
    deepest = std::max(deepest, node.depth);
    for (int argument : node.arguments)
      use(argument, node.depth - (node.kind == RowNode::Reduce ? 1 : 0));
  }
  for (const auto& store : chain.stores)
    use(store.node, deepest);
  int64_t words = 2;  // what is computed meanwhile
  for (size_t i = 0; i < chain.nodes.size(); ++i)
    if ((chain.nodes[i].over & kOverColumns) && uses[i].first < uses[i].last) ++words;
  for (const RowPlace& place : placesOf(chain))
    if (bytesOf(elementTypeOrSelf(place.memref.type())) == 8) return 2 * words;
  return words;
}

/// Short rows: several of them in a wave.
RowPlan narrowPlan(int64_t columns, int64_t width, int64_t wave) {
  RowPlan plan;
  width = std::min(width, powerFor(columns));
  const int64_t lanes = powerFor((columns + width - 1) / width);
  plan.columns = lanes * width;
  plan.rows = wave / lanes;
  plan.isFlat = true;
  return plan;
}

}  // namespace

RowPlan planRows(const RowChain& chain, const amdgpu::GpuDevice& device) {
  const auto sizes = std::span<const int64_t>(chain.sizes);
  const int64_t columns = product(sizes.subspan(chain.rowLoops)), width = widthOf(chain);
  const int64_t access = width * device.wave;
  const bool flat = isFlat(chain), reduces = chain.hasReduction();
  if (columns != kDynamic && chain.rowLoops && flat && 2 * columns <= access) {
    RowPlan plan = narrowPlan(columns, width, device.wave);
    plan.kind = reduces ? RowPlan::Held : RowPlan::Blocks;
    return plan;
  }
  RowPlan plan;
  plan.isFlat = flat;
  if (!reduces) {
    plan.kind = RowPlan::Blocks;
    plan.columns = access;
    return plan;
  }
  const int64_t mostWaves = amdgpu::kMaxWorkItems / device.wave;
  const auto shared = [&](int64_t waves) {
    const int64_t part = (columns + waves - 1) / waves;
    return (part + access - 1) / access * access;
  };
  if (columns != kDynamic) {
    const int64_t few = std::max(kFewElements, width) * device.wave;
    while (plan.waves < mostWaves && shared(plan.waves) > few)
      plan.waves *= 2;
    plan.columns = shared(plan.waves);
    const int64_t most = plan.waves < mostWaves ? 2 * kRowRegisters : kRowRegisters;
    if (plan.columns / device.wave * heldWords(chain) <= most) return plan;
  }
  plan.kind = RowPlan::Looped;
  plan.waves = columns == kDynamic ? 4 : mostWaves;
  plan.columns = std::min(kAccesses * access, std::max(access, kFewElements * device.wave));
  return plan;
}

std::string describe(const RowPlan& plan, const amdgpu::GpuDevice& device) {
  std::string text;
  if (plan.rows > 1)
    text = std::to_string(plan.rows) + " rows in a wave";
  else
    text = plan.waves == 1 ? "a wave for each row"
                           : std::to_string(plan.waves) + " waves for each row";
  if (plan.kind == RowPlan::Blocks && plan.rows == 1)
    return "blocks of " + std::to_string(plan.columns) + " columns, a wave for each";
  text += ", " + std::to_string(plan.rows * plan.columns / device.wave) + " elements in a lane";
  return plan.kind == RowPlan::Looped ? text + " at a time" : text;
}

}  // namespace airlite::gpu
