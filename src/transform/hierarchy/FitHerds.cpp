// air-fit-herds: herds whose cores copy for themselves fit a smaller array, with fewer transfers.
//
// Matches herds of constant sizes that copy by air.dma_memcpy_nd (or memref.copy between levels,
// after air-copy-to-dma), in launches without channels, whose tokens can be left out.
//  - `cores=X,Y`: a herd of more cores becomes one of at most these, each of which does the work of
//    several one after the other: a loop over blocks of cores around its body.
//  - `work-items=N`: of a GPU, whose cores are waves of a workgroup: only a herd of more cores than N work-items make
//    is changed, and gets the shape with the most cores. `lds-bytes=N`: and only so many cores as have their L1
//    in what the launch leaves of so much LDS, where one has; herds that tell lanes apart have L1 in registers.
//  - With `stage`, a launch with an iteration space of constants, which holds one segment or herd and index
//    arithmetic, becomes one launch; its instances become loops, of the core where that is all that the
//    segment holds.
//  - `stage=L2`: host memory that the cores copy from or to is brought into L2 in front of the herd,
//    whole, and back after it. `stage=L1`: it and memory in L2 come into L1 of a herd of one core; what
//    it copied before, it copies element by element then, at any place.
//
// The cores of a herd that use no channels and share no L1 do not know of each other, nor do the
// instances of a launch: any order of them is one that the program allows.
//
// Declines, with a remark at the op: herds with channels, herds beside them in one launch, with shared L1 memory, with
// copies that name cores (broadcast); sizes that are not constants.
#include "Hierarchy.hpp"
#include "StageOperands.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "airlite/transform/DropTokens.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace airlite {

namespace {

using air::HerdOp;
using air::HierarchyOp;
using air::LaunchOp;
using air::SegmentOp;

constexpr unsigned kSizesOfHerd = 1;

/// Why the cores of a herd cannot take turns; empty when they can.
std::string_view obstacleToTurns(HerdOp herd) {
  const auto sizes = herd.constantSizes();
  if (!sizes) return "is not fitted: its sizes are not constants";
  if (std::ranges::any_of(*sizes, [](int64_t size) { return size < 1; }))
    return "is not fitted: it has no cores";
  if (std::ranges::any_of(herd.kernelOperands().vec(), [](Value operand) {
        return operand.type().isa<MemRefType>() &&
               air::memoryLevel(operand.type()) == air::MemoryLevel::L1;
      }))
    return "is not fitted: its cores share L1 memory";
  std::string_view why;
  herd->walk([&](Operation& op) {
    if (air::isChannelAccess(op)) why = "is not fitted: its cores use channels";
    if (op.hasAttr("broadcast_set") || op.hasAttr("broadcast_pattern"))
      why = "is not fitted: a broadcast names cores by their ids";
    if (op.is("gpu.barrier")) why = "is not fitted: its cores wait for each other";
  });
  return why;
}

/// Loops from 0 to each of `counts`, the last one innermost; the builder ends up in it.
std::vector<Value> makeLoops(Builder& builder, Location location, std::span<const int64_t> counts) {
  std::vector<Value> numbers;
  const Value zero = builder.constantIndex(location, 0), one = builder.constantIndex(location, 1);
  std::vector<Value> bounds;
  for (const int64_t count : counts)
    bounds.push_back(builder.constantIndex(location, count));
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 1) {
      numbers.push_back(zero);
      continue;
    }
    auto loop = scf::ForOp::create(builder, location, zero, bounds[i], one);
    numbers.push_back(loop.inductionVar());
    builder.setBefore(loop.body().back());
  }
  return numbers;
}

std::vector<Operation*> opsOf(Block& block) {
  std::vector<Operation*> ops;
  for (Operation& op : block.ops())
    if (&op != &block.back()) ops.push_back(&op);
  return ops;
}

// -- Cores take turns -----------------------------------------------------------------------------

/// False when the herd is small enough.
bool foldHerd(HerdOp herd, std::span<const int64_t> limits) {
  const std::vector<int64_t> sizes = *herd.constantSizes();
  std::vector<int64_t> cores, rounds;
  for (size_t i = 0; i < sizes.size(); ++i) {
    cores.push_back(air::coresFor(sizes[i], i < limits.size() ? limits[i] : 1));
    rounds.push_back(sizes[i] / cores[i]);
  }
  if (cores == sizes) return false;
  const Location location = herd->location();
  const std::vector<Operation*> work = opsOf(herd.body());
  Builder builder = Builder::before(*herd.op());
  std::vector<Value> operands;
  for (const int64_t count : cores)
    operands.push_back(builder.constantIndex(location, count));
  builder.setToStart(herd.body());
  std::vector<Value> sizeValues, coreValues;
  for (size_t i = 0; i < sizes.size(); ++i) {
    sizeValues.push_back(builder.constantIndex(location, sizes[i]));
    coreValues.push_back(builder.constantIndex(location, cores[i]));
  }
  const std::vector<Value> blocks = makeLoops(builder, location, rounds);
  for (Operation* op : work)
    op->moveBefore(&*builder.insertPoint().before);
  builder.setBefore(work.empty() ? *builder.insertPoint().before : *work.front());
  for (unsigned i = 0; i < sizes.size(); ++i) {
    const Value first =
        builder.create(location, "arith.muli", {blocks[i], coreValues[i]}, {builder.indexType()})
            ->result();
    Operation* id =
        builder.create(location, "arith.addi", {first, herd.id(i)}, {builder.indexType()});
    herd.id(i).replaceUsesIf(id->result(), [&](OpOperand& use) { return use.owner() != id; });
    herd.sizeArgument(i).replaceAllUsesWith(sizeValues[i]);
  }
  herd->setOperandGroup(kSizesOfHerd, operands);
  return true;
}

// -- Instances take turns -------------------------------------------------------------------------

/// The only op of the block that is not index arithmetic, if it is of this kind.
template <class Op> Op onlyOp(Block& block) {
  Op found;
  for (Operation* op : opsOf(block)) {
    if (isPure(*op)) continue;
    if (found || !isa<Op>(op)) return Op();
    found = Op(op);
  }
  return found;
}

void replaceOperands(HierarchyOp op) {
  for (unsigned i = 0; i < op.numKernelOperands(); ++i)
    op.kernelArgument(i).replaceAllUsesWith(op.kernelOperands()[i]);
}

/// A launch of several instances as one that goes through them in loops.
class LaunchLoops {
 public:
  LaunchLoops(LaunchOp launch, std::vector<int64_t> sizes)
      : launch_(launch),
        sizes_(std::move(sizes)),
        segment_(onlyOp<SegmentOp>(launch.body())),
        herd_(onlyOp<HerdOp>(segment_ ? segment_.body() : launch.body())) {}

  /// Where the launch holds something else, or the herd depends on the instance, there is no way.
  bool isPossible() const {
    if (segment_ && segment_.numDims() != 0) return false;
    return herd_ ? herd_.constantSizes().has_value() : segment_.op() != nullptr;
  }

  void run() {
    Builder builder = Builder::before(*launch_.op());
    const Location location = launch_->location();
    HierarchyOp launch = air::createHierarchy(builder, location, "air.launch", {});
    air::copyAttributes(launch_, launch);
    builder.setBefore(launch.body().back());
    HierarchyOp segment, herd;
    if (segment_) {
      segment = air::createHierarchy(builder, segment_->location(), "air.segment", {});
      air::copyAttributes(segment_, segment);
      builder.setBefore(segment.body().back());
    }
    if (herd_) {
      herd = makeHerd(builder);
      builder.setToStart(herd.body());
      builder.setBefore(herd.body().back());
    }
    const std::vector<Value> numbers = makeLoops(builder, location, sizes_);
    fill(builder, numbers, herd);
    if (herd) air::isolate(herd);
    if (segment) air::isolate(segment);
    air::isolate(launch);
    launch_->erase();
  }

 private:
  HierarchyOp makeHerd(Builder& builder) {
    const std::vector<int64_t> counts = *herd_.constantSizes();
    std::vector<Value> sizes;
    for (const int64_t size : counts)
      sizes.push_back(builder.constantIndex(herd_->location(), size));
    HierarchyOp herd = air::createHierarchy(builder, herd_->location(), "air.herd", sizes);
    air::copyAttributes(herd_, herd);
    return herd;
  }

  /// The arithmetic of all levels, then the work of the innermost, in the innermost loop.
  void fill(Builder& builder, const std::vector<Value>& numbers, HierarchyOp herd) {
    for (unsigned i = 0; i < launch_.numDims(); ++i) {
      launch_.id(i).replaceAllUsesWith(numbers[i]);
      launch_.sizeArgument(i).replaceAllUsesWith(
          builder.constantIndex(launch_->location(), sizes_[i]));
    }
    for (HierarchyOp level : {HierarchyOp(launch_), HierarchyOp(segment_), HierarchyOp(herd_)}) {
      if (!level) continue;
      replaceOperands(level);
      for (unsigned i = 0; herd && level.op() == herd_.op() && i < herd_.numDims(); ++i) {
        herd_.id(i).replaceAllUsesWith(herd.id(i));
        herd_.sizeArgument(i).replaceAllUsesWith(herd.sizeArgument(i));
      }
      for (Operation* op : opsOf(level.body()))
        if (op != segment_.op() && op != herd_.op()) op->moveBefore(&*builder.insertPoint().before);
    }
  }

  LaunchOp launch_;
  std::vector<int64_t> sizes_;
  SegmentOp segment_;
  HerdOp herd_;
};

// -- The pass -------------------------------------------------------------------------------------

class FitHerds : public Pass {
 public:
  FitHerds() : Pass("air-fit-herds", "Lets cores take turns, and brings what they copy nearer") {
    anchor("builtin.module");
    option("cores", cores_, "cores of a herd along its dimensions, at most");
    option(
        "work-items", workItems_,
        "of a workgroup of a GPU: only larger herds are changed, whatever `cores` says; 0: none");
    option(
        "lds-bytes", ldsBytes_,
        "with work-items: of LDS, in which L1 of all cores and L2 have to fit; 0: not asked for");
    option("stage", stage_, "where the host memory that cores copy is brought",
           {"none", "L1", "L2"});
    example("airlite-opt --air-fit-herds='cores=4,4 stage=L2' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (workItems_ > 0 && !isAnyTooLarge(module)) return PassResult::Unchanged;
    bool changed = false;
    if (failed(dropTokens(module, changed))) return PassResult::Failed;
    if (stage_ != "none")
      for (Operation* launch : collect<LaunchOp>(module))
        if (!isOrdered(*launch, module)) changed |= makeOneInstance(LaunchOp(launch), context);
    for (Operation* herd : collect<HerdOp>(module))
      if (isOrdered(*herd, module))
        context.remark(*herd, "is not fitted: channels order cores by their tokens");
      else
        changed |= fit(HerdOp(herd), context);
    if (changed)
      for (const CountedEffect effect : {CountedEffect::Dma, CountedEffect::Store})
        context.declareEffectChange(effect, "operands of herds are brought nearer");
    return changedIf(changed);
  }

 private:
  template <class Op> static std::vector<Operation*> collect(Operation& module) {
    std::vector<Operation*> ops;
    module.walk([&](Operation& op) {
      if (isa<Op>(&op)) ops.push_back(&op);
    });
    return ops;
  }

  static bool usesChannels(Operation& module) {
    bool uses = false;
    module.walk([&](Operation& op) { uses |= air::isChannelAccess(op); });
    return uses;
  }

  /// Channels order cores by tokens: a launch that has some stays as it is. So does an asynchronous one beside it, and a herd
  /// outside of launches.
  static bool isOrdered(Operation& op, Operation& module) {
    if (!usesChannels(module)) return false;
    const LaunchOp launch = isa<LaunchOp>(&op) ? LaunchOp(&op) : op.parentOf<LaunchOp>();
    return !launch || launch.token() || !launch.dependencies().empty() ||
           usesChannels(*launch.op());
  }

  static LogicalResult dropTokens(Operation& module, bool& changed) {
    if (!usesChannels(module)) return air::dropTokens(module, changed);
    for (Operation* launch : collect<LaunchOp>(module))
      if (!isOrdered(*launch, module) && failed(air::dropTokens(*launch, changed)))
        return failure();
    return success();
  }

  /// Waves of a workgroup.
  int64_t mostWaves(HerdOp herd) const {
    constexpr int64_t kUsual = 64;
    Operation* module = herd.op();
    while (module->parentOp())
      module = module->parentOp();
    auto size = module->attrOf<IntegerAttr>(gpu::kWaveSizeAttr);
    const int64_t most = workItems_ / (size && size.value() > 0 ? size.value() : kUsual);
    return std::max<int64_t>(1, std::min(most, wavesInLds(herd).value_or(most)));
  }

  /// Whose L1 fits LDS; empty: L1 is somewhere else.
  std::optional<int64_t> wavesInLds(HerdOp herd) const {
    if (ldsBytes_ == 0 || gpu::tellsLanesApart(*herd.op())) return std::nullopt;
    Operation* launch = herd.op();
    for (Operation* up = launch; up; up = up->parentOp())
      if (up->hasTrait(Trait::Hierarchy)) launch = up;
    // Herds one after the other have the same LDS for what they allocate themselves.
    int64_t each = 0, lasting = bytesIn(*launch, air::MemoryLevel::L1);
    launch->walk([&](Operation& op) {
      if (!isa<HerdOp>(&op)) return;
      const int64_t own = bytesIn(op, air::MemoryLevel::L1);
      each = std::max(each, own);
      lasting -= own;
    });
    each += lasting;
    const int64_t left = ldsBytes_ - bytesIn(*launch, air::MemoryLevel::L2);
    if (each == 0 || left < each) return std::nullopt;
    return left / each;
  }

  /// Of all buffers of one level, each of which starts at a multiple of 16 bytes. Open ones: more than there are.
  int64_t bytesIn(Operation& root, air::MemoryLevel level) const {
    int64_t all = 0;
    root.walk([&](Operation& op) {
      if (!op.is("memref.alloc") && !op.is("memref.alloca")) return;
      const auto type = op.result().type().cast<MemRefType>();
      if (air::memoryLevel(type) != level) return;
      const Type element = type.elementType();
      const bool isNumber = element.isInteger() || element.isFloat();
      int64_t bytes = ldsBytes_ + 1;
      if (type.hasStaticShape() &&
          __builtin_mul_overflow(type.numElements(), isNumber ? (element.bitWidth() + 7) / 8 : 8,
                                 &bytes))
        bytes = ldsBytes_ + 1;
      all += (std::min(bytes, ldsBytes_ + 1) + 15) / 16 * 16;
    });
    return all;
  }

  bool isAnyTooLarge(Operation& module) const {
    return std::ranges::any_of(collect<HerdOp>(module), [&](Operation* herd) {
      return !isSmallEnough(HerdOp(herd), mostWaves(HerdOp(herd)));
    });
  }

  static bool isSmallEnough(HerdOp herd, int64_t most) {
    int64_t left = most;  // for the dimensions that follow
    for (const int64_t size : herd.constantSizes().value_or(std::vector<int64_t>())) {
      if (size > left) return false;
      left /= std::max<int64_t>(1, size);
    }
    return true;
  }

  /// Cores along each dimension, at most.
  std::vector<int64_t> limitsOf(HerdOp herd) const {
    const std::vector<int64_t> sizes = *herd.constantSizes();
    if (workItems_ == 0) return cores_;
    const int64_t most = mostWaves(herd);
    if (sizes.size() != 2 || isSmallEnough(herd, most))
      return sizes.size() == 1 ? std::vector<int64_t>{most} : sizes;
    std::vector<int64_t> best{1, 1};
    for (int64_t x = 1; x <= std::min(most, sizes[0]); ++x) {
      if (sizes[0] % x != 0) continue;
      const int64_t y = air::coresFor(sizes[1], most / x);
      if (x * y > best[0] * best[1]) best = {x, y};
    }
    return best;
  }

  bool makeOneInstance(LaunchOp launch, PassContext& context) const {
    const auto sizes = launch.constantSizes();
    if (launch.numDims() == 0) return false;
    LaunchLoops loops(launch, sizes.value_or(std::vector<int64_t>()));
    if (!sizes || !loops.isPossible()) {
      context.remark(*launch.op(), "its instances stay: it holds more than one segment or herd");
      return false;
    }
    loops.run();
    return true;
  }

  bool fit(HerdOp herd, PassContext& context) const {
    if (const std::string_view why = obstacleToTurns(herd); !why.empty()) {
      context.remark(*herd.op(), why);
      return false;
    }
    bool changed = foldHerd(herd, limitsOf(herd));
    if (stage_ == "none") return changed;
    // Several instances side by side would write back what others have written.
    const auto launch = herd->parentOf<LaunchOp>();
    if (!launch || launch.numDims() != 0 || !isa<SegmentOp>(herd->parentOp())) {
      context.remark(*herd.op(), "nothing is brought nearer: its launch has several instances, or "
                                 "the herd is not directly in a segment");
      return changed;
    }
    const std::vector<int64_t> sizes = *herd.constantSizes();
    const bool isOneCore = std::ranges::all_of(sizes, [](int64_t size) { return size == 1; });
    if (stage_ == "L2") return air::stageInL2(herd, context) || changed;
    if (isOneCore) return air::stageInL1(herd, context) || changed;
    context.remark(*herd.op(), "nothing is brought into L1: the herd has several cores");
    return changed;
  }

  std::vector<int64_t> cores_ = wholeHerd(aie::defaultNpu());
  int64_t workItems_ = 0;
  int64_t ldsBytes_ = 0;
  std::string stage_ = "none";
};

}  // namespace

void registerFitHerds(PassRegistry& registry) { registry.add<FitHerds>(); }

}  // namespace airlite
