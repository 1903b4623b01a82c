// Which copies can be split into a put and a get.
#include "TransferPlan.hpp"

#include "airlite/analysis/CoreValues.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Lanes.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::air {

void TransferPlanner::collect() {
  module_.walk(
      [&](Operation& op) {
        if (isa<DmaMemcpyNdOp>(&op)) dmas_.push_back(&op);
        if (op.is("func.call"))
          forEachSymbolUse(op, [&](SymbolRefAttr name) { called_.emplace(name.root()); });
      },
      WalkOrder::PreOrder);
}

std::vector<TopPlan> TransferPlanner::plan() {
  collect();
  for (Operation* dma : dmas_) {
    std::optional<Transfer> transfer = consider(*dma);
    if (!transfer) continue;
    if (std::vector<Operation*> ops = unordered(*transfer); !ops.empty()) {
      remark(*dma, ops[0] == dma
                       ? "stays: runs of it in a loop are in no order, so that the data of a "
                         "channel could get to the wrong one"
                       : "stays: runs of an op around it are in no order, and would share its "
                         "channel");
      continue;
    }
    findCores(*transfer, liftOf(*transfer->top));
    transfers_.push_back(std::move(*transfer));
  }
  std::vector<Operation*> tops;
  std::unordered_map<Operation*, std::vector<Transfer*>> ofTop;
  for (Transfer& transfer : transfers_) {
    std::vector<Transfer*>& list = ofTop[transfer.top];
    if (list.empty()) tops.push_back(transfer.top);
    list.push_back(&transfer);
  }
  std::vector<TopPlan> plans;
  for (Operation* top : tops)
    plans.push_back(planNests(*top, ofTop[top], {reader_, users_, order_, *context_}));
  return plans;
}

/// Null when there is nothing to leave, or with a remark.
std::optional<Transfer> TransferPlanner::consider(Operation& dma) {
  Transfer transfer{.dma = &dma};
  for (Operation* at = dma.parentOp(); at && !transfer.home; at = at->parentOp())
    if (isa<HerdOp>(at) || isa<SegmentOp>(at)) transfer.home = HierarchyOp(at);
  if (!transfer.home) return std::nullopt;
  std::string_view obstacle = classify(transfer);
  if (obstacle.empty()) obstacle = checkAround(transfer);
  if (obstacle.empty()) obstacle = liftOf(*transfer.top).check(transfer);
  if (obstacle.empty()) obstacle = checkSharing(transfer);
  if (obstacle.empty()) return transfer;
  remark(dma, obstacle);
  return std::nullopt;
}

LiftCheck& TransferPlanner::liftOf(Operation& top) {
  std::unique_ptr<LiftCheck>& lift = lifts_[&top];
  if (!lift) lift = std::make_unique<LiftCheck>(top);
  return *lift;
}

// -- Levels ---------------------------------------------------------------------------------------

namespace {

bool movesNothing(const Access& access) {
  return std::any_of(access.sizes.begin(), access.sizes.end(),
                     [](const IndexEntry& size) { return size.known() == 0; });
}

}  // namespace

/// Sets the far side and the outermost op that it leaves; empty, or why there are none.
std::string_view TransferPlanner::classify(Transfer& transfer) const {
  DmaMemcpyNdOp dma(transfer.dma);
  if (dma->hasAttr("src_rank") || dma->hasAttr("dst_rank"))
    return "stays: it copies from rank to rank";
  if (movesNothing(dma.src()) || movesNothing(dma.dst())) return "stays: it moves nothing";
  std::optional<MemoryLevel> from = memoryLevel(dma.src().memref.type());
  std::optional<MemoryLevel> to = memoryLevel(dma.dst().memref.type());
  if (!from || !to) return "stays: a memory space of it is not a level of the hierarchy";
  bool isInHerd = isa<HerdOp>(transfer.home.op());
  MemoryLevel near = isInHerd ? MemoryLevel::L1 : MemoryLevel::L2;
  if ((*from == near) == (*to == near))
    return isInHerd ? "stays: not one of its sides is in the L1 memory of the core"
                    : "stays: not one of its sides is in the L2 memory of the segment";
  transfer.farIsSource = *to == near;
  MemoryLevel far = transfer.farIsSource ? *from : *to;
  if (far > near) return "stays: a segment moves data of its cores' memory";
  transfer.top = transfer.home.op();
  if (far != MemoryLevel::L3) return {};
  for (Operation* at = transfer.top; at && !isa<LaunchOp>(at); at = at->parentOp())
    if (isa<HerdOp>(at) || isa<SegmentOp>(at)) transfer.top = at;
  return {};
}

// -- What is around -------------------------------------------------------------------------------

namespace {

bool hasFixedSize(HierarchyOp herd) {
  std::optional<std::vector<int64_t>> sizes = herd.constantSizes();
  return sizes && std::all_of(sizes->begin(), sizes->end(), [](int64_t size) { return size > 0; });
}

}  // namespace

bool TransferPlanner::isOncePerLane(Operation& herd) {
  auto [known, isNew] = perLane_.emplace(&herd, false);
  if (isNew) known->second = runsOncePerLane(HerdOp(&herd));
  return known->second;
}

/// The ops that are written again: loops, conditions, herds of a fixed size.
std::string_view TransferPlanner::checkAround(const Transfer& transfer) {
  for (Operation* at = transfer.dma->parentOp();; at = at->parentOp()) {
    HierarchyOp hierarchy = asHierarchy(at);
    bool isKnown = hierarchy || isa<scf::ForOp>(at) || isa<scf::IfOp>(at) || isa<affine::IfOp>(at);
    if (isa<scf::ParallelOp>(at) && isa<HerdOp>(transfer.home.op()))
      return "stays: runs of a parallel loop around it are in no order, and would share its "
             "channel; air-lower-herd-parallel gives them one";
    if (!isKnown)
      return "stays: it is inside of an op that is not a sequential loop (scf.for), scf.if or "
             "affine.if, so that its far half cannot be put in front";
    if (isa<HerdOp>(at) && isOncePerLane(*at))
      return "stays: each lane of a core runs it, and they would share its channel";
    if (isa<HerdOp>(at) && !hasFixedSize(hierarchy))
      return "stays: the herd has no constant size, which its channel would have";
    if (hierarchy && !hierarchy.affinity().empty())
      return "stays: its far half would not take part in the affinity of an op around it";
    if (at == transfer.top) return {};
  }
}

/// Other instances that run at the same time must not use the same channel.
std::string_view TransferPlanner::checkSharing(const Transfer& transfer) const {
  for (Operation* at = transfer.dma->parentOp(); at && !isa<LaunchOp>(at); at = at->parentOp()) {
    if (isa<RankOp>(at)) return "stays: ranks would share its channel";
    if (at->hasTrait(Trait::Function) && called_.count(symbolName(*at)))
      return "stays: calls of the function would share its channel";
    if (!isa<SegmentOp>(at)) continue;
    for (Value size : HierarchyOp(at).sizes())
      if (constantIntOf(size) != 1)
        return "stays: the instances of the unrolled segment would share its channel";
  }
  return {};
}

/// The copy, and ops around it up to the launch, of which runs may come side by side: the channel
/// tells runs apart by their order alone.
std::vector<Operation*> TransferPlanner::unordered(const Transfer& transfer) {
  std::vector<Operation*> result;
  for (Operation* at = transfer.dma; at && !isa<LaunchOp>(at); at = at->parentOp())
    if ((at == transfer.dma || asHierarchy(at)) && !isSequential(*at)) result.push_back(at);
  return result;
}

bool TransferPlanner::isSequential(Operation& op) {
  auto [known, isNew] = sequential_.try_emplace(&op, false);
  if (!isNew) return known->second;
  bool result = order_.isSequential(op);
  return sequential_[&op] = result;
}

// -- Broadcasts -----------------------------------------------------------------------------------

namespace {

/// More cores than any device has.
constexpr int64_t kMostPlannedCores = 4096;

/// Whether a core gets to `op` through those conditions around it that `counts` asks for; null when
/// more than its ids decides one of them.
template <class Counts>
std::optional<bool> reachesThrough(Operation& op, HerdOp herd, analysis::CoreValues& at,
                                   Counts&& counts) {
  for (Operation* inner = &op; inner != herd.op(); inner = inner->parentOp()) {
    Operation* around = inner->parentOp();
    if (!counts(*around)) continue;
    Region* taken = takenRegion(*around, at);
    if (!taken) return std::nullopt;
    if (taken != inner->parentRegion()) return false;
  }
  return true;
}

/// As reachesInHerd, of the affine.ifs alone.
std::optional<bool> reachesDma(Operation& dma, HerdOp herd, analysis::CoreValues& at) {
  return reachesThrough(dma, herd, at, [](Operation& op) { return isa<affine::IfOp>(&op); });
}

/// The cores that get to `dma`, when they are a rectangle.
std::optional<CoreRectangle> coresAt(Operation& dma, HerdOp herd) {
  std::optional<std::vector<int64_t>> sizes = herd.constantSizes();
  int64_t cores = 0;
  if (!sizes || sizes->size() != 2) return std::nullopt;
  if (__builtin_mul_overflow((*sizes)[0], (*sizes)[1], &cores) || cores > kMostPlannedCores)
    return std::nullopt;
  std::array<int64_t, 2> first{INT64_MAX, INT64_MAX}, last{-1, -1};
  int64_t count = 0;
  for (int64_t x = 0; x < (*sizes)[0]; ++x)
    for (int64_t y = 0; y < (*sizes)[1]; ++y) {
      analysis::CoreValues at(herd, {x, y});
      std::optional<bool> reaches = reachesDma(dma, herd, at);
      if (!reaches) return std::nullopt;
      if (!*reaches) continue;
      ++count;
      first = {std::min(first[0], x), std::min(first[1], y)};
      last = {std::max(last[0], x), std::max(last[1], y)};
    }
  CoreRectangle result{first, {last[0] - first[0] + 1, last[1] - first[1] + 1}};
  if (count == 0 || count != result.size[0] * result.size[1]) return std::nullopt;
  return result;
}

}  // namespace

std::optional<bool> reachesInHerd(Operation& op, HerdOp herd, analysis::CoreValues& at) {
  return reachesThrough(op, herd, at, [](Operation& around) {
    return isa<affine::IfOp>(&around) || isa<scf::IfOp>(&around) ||
           isa<scf::IndexSwitchOp>(&around);
  });
}

void TransferPlanner::findCores(Transfer& transfer, LiftCheck& lift) {
  Operation& dma = *transfer.dma;
  HerdOp herd = dynCast<HerdOp>(transfer.home.op());
  if (dma.hasAttr("broadcast_pattern"))
    dma.emitWarning() << "broadcast_pattern is left out of account: without "
                         "air-specialize-dma-broadcast before, each core gets its own transfer";
  bool hasIf = false;
  for (Operation* at = dma.parentOp(); herd && at != herd.op(); at = at->parentOp())
    hasIf |= isa<affine::IfOp>(at);
  bool wantsBroadcast = herd && dma.hasAttr("broadcast_set") && transfer.farIsSource;
  if (!hasIf && !wantsBroadcast) return;
  transfer.cores = coresAt(dma, herd);
  if (!wantsBroadcast) return;
  if (!transfer.cores)
    return remark(dma, "is not a broadcast: the cores that take it are not a rectangle");
  transfer.isBroadcast = true;
  for (unsigned dim = 0; dim < 2; ++dim)
    if (transfer.cores->size[dim] > 1 && lift.usesId(transfer, dim)) transfer.isBroadcast = false;
  if (!transfer.isBroadcast)
    remark(dma, "is not a broadcast: the cores do not all take the same data");
}

}  // namespace airlite::air
