// How many compute tiles, bytes of L2, DMA channels and bytes of L1 a program holds at once: the
// two-stage analysis of the compute model, section 2.2, and its check against a device.
//
// Stage 1 asks for one instance of a level: what may hold resources at the same time is a set of
// ops of which none has to end before another one begins, as heavy as can be (an antichain of the
// token graph). Stage 2 multiplies by the iteration space. Levels are done from the inside out; a
// nested level is one block for the level around it. docs/resources.md says what is counted.
//
//   analysis::ResourceAnalysis held = analysis::analyseResources(*module);
//   if (auto npu1 = analysis::findDeviceLimits(context, "npu1"))
//     std::cout << analysis::resourceTable(held, &*npu1);
#pragma once

#include "airlite/analysis/DeviceLimits.hpp"
#include "airlite/analysis/TileDmas.hpp"
#include "airlite/ir/Operation.hpp"

#include <string>
#include <vector>

namespace airlite::analysis {

/// A part of a maximum: an allocation, a herd, a transfer, a nested segment.
struct Contributor {
  Operation* op = nullptr;
  int64_t amount = 0;     // of one
  int64_t instances = 1;  // that are there at once
  bool operator==(const Contributor&) const = default;
};

struct Amount {
  int64_t value = 0;
  /// False: there may be more. ResourceFootprint::open of this level or one inside says why.
  bool isExact = true;
  /// What makes up `value`: their amounts times instances add up to it.
  std::vector<Contributor> contributors = {};
};

struct Amounts {
  std::array<Amount, kNumResources> of;
  Amount& operator[](Resource r) { return of[static_cast<size_t>(r)]; }
  const Amount& operator[](Resource r) const { return of[static_cast<size_t>(r)]; }
};

/// Why an amount is only a lower bound.
struct OpenQuestion {
  Operation* op = nullptr;
  Resource resource;
  std::string why;  // follows the op: "has a size that is not constant"
};

/// What one level (air.launch, air.segment, air.herd) holds.
struct ResourceFootprint {
  static constexpr size_t kNone = SIZE_MAX;

  Operation* op = nullptr;
  size_t parent = kNone;  // the level around it, in ResourceAnalysis::levels
  bool isLeaf = true;     // no segment in it
  /// Points of the iteration space that are there at once: 1 for a launch, whose instances may run
  /// one after the other.
  int64_t instances = 1;
  Amounts perInstance;  // stage 1, with contributors
  /// Stage 2, without contributors. L1 is of one core at every level: it is not summed.
  Amounts total;
  /// x_size times y_size of a segment that has both: its tiles, whatever its herds need.
  std::optional<int64_t> reservedTiles;
  /// Tiles that its herds need; the same as perInstance where nothing is reserved.
  Amount neededTiles;
  std::vector<OpenQuestion> open;
};

struct ResourceAnalysis {
  std::vector<ResourceFootprint> levels;  // in the order of the program, outer before inner
  std::vector<DmaDemand> dmas;            // what is streamed through tiles
  /// Null when `op` is not a level.
  const ResourceFootprint* find(const Operation* op) const;
  /// The contributors of the total of `level`, nested levels replaced by what is in them.
  std::vector<Contributor> leaves(const ResourceFootprint& level, Resource resource) const;
};

/// Of all launches, segments and herds in `root`.
ResourceAnalysis analyseResources(Operation& root);

/// A level that needs more than there is.
struct Overflow {
  enum class Scope : uint8_t { Device, Segment, Herd, Core, Reserved };
  const ResourceFootprint* level = nullptr;
  Resource resource;
  Scope scope;
  int64_t needed = 0;
  bool isExact = true;
  int64_t limit = 0;
};
/// Each resource at the innermost level that overflows.
std::vector<Overflow> findOverflows(const ResourceAnalysis& analysis, const DeviceLimits& device);

enum class Fit : uint8_t { Yes, No, NotProven };
std::string_view fitName(Fit fit);
/// Does the whole program fit? Yes only where every number that has a limit is exact.
Fit fitOf(const ResourceAnalysis& analysis, const DeviceLimits& device);

/// Memory: what a lowering cannot share out, as it can give tiles and DMA channels to several users
/// in turn.
enum class CheckedResources : uint8_t { All, Memory };
/// Reports an error for each overflow, with a note for each contributor.
LogicalResult checkResources(const ResourceAnalysis& analysis, const DeviceLimits& device,
                             CheckedResources which = CheckedResources::All);

/// What air-verify-program asks: overflows of `device`, and token lists that contradict each other, the order of dependencies, or the device (TokenLists.hpp). Without a
/// device only the lists are checked against each other and the order.
LogicalResult verifyResources(Operation& root, const DeviceLimits* device,
                              CheckedResources which = CheckedResources::All);

/// `device` null: without limits.
std::string resourceTable(const ResourceAnalysis& analysis, const DeviceLimits* device);
std::string resourceJson(const ResourceAnalysis& analysis, const DeviceLimits* device);

}  // namespace airlite::analysis
