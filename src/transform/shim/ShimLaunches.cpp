// Launches as the controller of an NPU runs them.
#include "ShimLaunches.hpp"

#include "EndWaits.hpp"
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/channels/ChannelNests.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite::air {

namespace {

using Values = std::vector<Value>;

constexpr std::string_view kOrderMark = "air.preserve_shim_dma_order";
constexpr unsigned kSizeGroup = 1;   // of a launch
constexpr unsigned kIndexGroup = 1;  // of puts and gets
/// Copies of loops; more make programs that no controller runs.
constexpr int64_t kMaxOps = 1 << 16;

}  // namespace

// -- Instances ------------------------------------------------------------------------------------

namespace {

Operation* affineScopeOf(Operation& op) {
  Operation* scope = op.parentOp();
  while (scope && !scope->hasTrait(Trait::AffineScope))
    scope = scope->parentOp();
  return scope;
}

/// Something that depends on one of `values`, ids of `launch`, stands where the variable of an
/// scf.for must not: it is a place of a channel, or an operand of an affine op in the body.
bool mustBeFixed(Operation& launch, Values values) {
  std::unordered_set<Value> seen(values.begin(), values.end());
  auto add = [&](Value value) {
    if (seen.insert(value).second) values.push_back(value);
  };
  while (!values.empty()) {
    Value value = values.back();
    values.pop_back();
    for (OpOperand& use : value.uses()) {
      Operation& user = *use.owner();
      if (isa<ChannelPutOp>(&user) || isa<ChannelGetOp>(&user)) {
        auto [first, count] = user.operandGroupBounds(kIndexGroup);
        if (use.index() >= first && use.index() < first + count) return true;
      }
      bool isAffine = user.def().dialect == "affine" && !user.is("affine.apply");
      if (isAffine && affineScopeOf(user) == &launch) return true;
      for (Value result : user.resultValues())
        if (!isTokenType(result.type())) add(result);
      if (user.hasTrait(Trait::Terminator))
        for (Value result : user.parentOp()->resultValues())
          if (!isTokenType(result.type())) add(result);
      // What a region gets: kernel arguments, values that loops carry.
      for (Region& region : user.regions())
        for (Value argument : region.empty() ? Values() : region.front().arguments())
          if (!isTokenType(argument.type()) && argument.type() == value.type()) add(argument);
    }
  }
  return false;
}

/// A loop from 0 to each size, outermost first, that holds what `body` held. An iteration is over
/// before the next one begins.
Values makeLoops(Block& body, Location location, const std::vector<int64_t>& sizes) {
  Operation* first = body.empty() ? nullptr : &body.front();
  Operation* terminator = body.terminator();
  Builder builder(body.context(), {&body, first});
  Value zero = builder.constantIndex(location, 0), one = builder.constantIndex(location, 1);
  Values variables, bounds;
  for (int64_t size : sizes)
    bounds.push_back(builder.constantIndex(location, size));
  for (Value bound : bounds) {
    scf::ForOp loop = scf::ForOp::create(builder, location, zero, bound, one);
    variables.push_back(loop.inductionVar());
    builder.setBefore(*loop.yield());
  }
  Block& inner = *builder.insertPoint().block;
  if (first != terminator) inner.splice(builder.insertPoint().before, body, first, terminator);
  addEndWait(inner, "air.launch_end");
  inner.back().prev()->removeAttr("air.launch_end");
  return variables;
}

}  // namespace

std::string_view launchToLoops(Operation& op, bool& changed) {
  LaunchOp launch(&op);
  unsigned dims = launch.numDims();
  if (dims == 0) return {};
  auto sizes = launch.constantSizes();
  if (!sizes) return "its sizes are not constant";
  bool isOne = std::all_of(sizes->begin(), sizes->end(), [](int64_t size) { return size == 1; });
  Values ids;
  for (unsigned i = 0; i < dims; ++i)
    ids.push_back(launch.id(i));
  if (!isOne && mustBeFixed(op, ids))
    return "its ids are used as places of a channel or in affine ops";
  if (!isOne) ids = makeLoops(launch.body(), op.location(), *sizes);
  Builder builder = Builder::atStart(launch.body());
  for (unsigned i = 0; i < dims; ++i) {
    Value id = isOne ? builder.constantIndex(op.location(), 0) : ids[i];
    launch.id(i).replaceAllUsesWith(id);
    launch.sizeArgument(i).replaceAllUsesWith(builder.constantIndex(op.location(), (*sizes)[i]));
  }
  for (unsigned i = 2 * dims; i-- > 0;)
    launch.body().eraseArgument(i);
  op.setOperandGroup(kSizeGroup, {});
  changed = true;
  return {};
}

// -- Tiles ----------------------------------------------------------------------------------------

namespace {

int64_t largestDivisor(int64_t number, int64_t largest) {
  if (number <= largest) return number;
  int64_t divisor = std::min(largest, kMaxOps);
  while (divisor > 1 && number % divisor != 0)
    --divisor;
  return std::max<int64_t>(divisor, 1);
}

/// Loops, channel ops, joins and calculations: what may be there several times.
bool onlyMoves(Operation& root) {
  return root.walkWith([](Operation& op) {
    bool isMove = isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op) || isa<WaitAllOp>(&op);
    bool isFine = isMove || loopVariable(op) || op.hasTrait(Trait::Terminator);
    if (isFine) return WalkResult::Advance;
    return isCalculation(op) ? WalkResult::Skip : WalkResult::Interrupt;
  }) != WalkResult::Interrupt;
}

/// The loop that the body of `loop` holds besides constants, when that is all it hands on.
scf::ForOp onlyInner(scf::ForOp loop) {
  scf::ForOp inner;
  for (Operation& op : loop.body().ops()) {
    if (op.hasTrait(Trait::Terminator) || op.hasTrait(Trait::ConstantLike)) continue;
    if (inner || !isa<scf::ForOp>(&op)) return scf::ForOp();
    inner = scf::ForOp(&op);
  }
  return inner;
}

struct Level {
  scf::ForOp loop;
  analysis::SymbolRange range;
  int64_t tile = 1;  // iterations
  int64_t tiles() const { return range.count / tile; }
};

/// One copy of the loop for each tile, one after the other.
std::vector<scf::ForOp> copyForTiles(const Level& level) {
  Operation& loop = *level.loop;
  Values carried = level.loop.initArgs().vec();
  std::vector<scf::ForOp> copies;
  Builder builder = Builder::before(loop);
  for (int64_t tile = 0; tile < level.tiles(); ++tile) {
    int64_t lower = level.range.lower + tile * level.tile * level.range.step;
    Operation* copy = builder.clone(loop);
    builder.setBefore(*copy);
    Type type = level.loop.inductionVar().type();
    auto bound = [&](int64_t value) {
      return builder.constant(loop.location(), IntegerAttr::get(type, value));
    };
    copy->setOperand(0, bound(lower));
    copy->setOperand(1, bound(lower + level.tile * level.range.step));
    for (unsigned i = 0; i < carried.size(); ++i)
      copy->setOperand(3 + i, carried[i]);
    carried = copy->resultValues();
    copies.push_back(scf::ForOp(copy));
    builder.setBefore(loop);
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
  return copies;
}

}  // namespace

std::string_view tileLoop(Operation& root, std::span<const int64_t> sizes) {
  if (!onlyMoves(root)) return "it holds more than transfers through channels";
  analysis::LinearReader reader;
  std::vector<Level> levels;
  scf::ForOp loop(&root);
  for (size_t i = 0; i < sizes.size() && loop; ++i, loop = onlyInner(loop)) {
    auto range = reader.rangeOf(loop.inductionVar());
    if (!range || range->count < 1) return "its trip count is not a positive constant";
    levels.push_back({loop, *range, largestDivisor(range->count, sizes[i])});
  }
  const int64_t ops = countOps(root);
  int64_t copies = 1;
  bool isCut = false;
  for (size_t i = levels.size(); i--;) {
    if (isCut && levels[i].tile > 1)
      return "its tiles would be in another order than its iterations";
    isCut |= levels[i].tiles() > 1;
    if (__builtin_mul_overflow(copies, levels[i].tiles(), &copies) || copies > kMaxOps / ops)
      return "it has too many tiles";
  }
  std::vector<scf::ForOp> current{scf::ForOp(&root)};
  for (size_t i = 0; i < levels.size(); ++i) {
    std::vector<scf::ForOp> next;
    for (scf::ForOp at : current) {
      levels[i].loop = i == 0 ? at : onlyInner(at);
      if (levels[i].tiles() == 1) {
        next.push_back(levels[i].loop);
        continue;
      }
      std::vector<scf::ForOp> made = copyForTiles(levels[i]);
      next.insert(next.end(), made.begin(), made.end());
    }
    // A loop that has several copies inside holds more than one: the last that may be cut.
    if (levels[i].tiles() > 1 && levels[i].tile > 1) break;
    current = std::move(next);
  }
  return {};
}

// -- Order of transfers ---------------------------------------------------------------------------

namespace {

/// Which channels bring data to herds that also get from a broadcast.
class StepSearch {
 public:
  explicit StepSearch(Operation& function) {
    function.walk([&](Operation& op) {
      if (!isa<ChannelGetOp>(&op)) return;
      ChannelAccessOp get(&op);
      gets_.push_back(get);
      ChannelOp channel = get.channel();
      Operation* herd = op.parentOfName("air.herd");
      if (herd && channel && channel.broadcastShape()) herds_.insert(herd);
    });
    for (ChannelAccessOp get : gets_)
      addGet(get);
    while (!work_.empty()) {
      std::string channel = work_.back();
      work_.pop_back();
      for (const std::string& feeder : feeders_[channel])
        reach(feeder);
    }
  }

  bool isReached(std::string_view channel) const { return reached_.count(std::string(channel)); }

 private:
  void reach(const std::string& channel) {
    if (reached_.insert(channel).second) work_.push_back(channel);
  }

  void addGet(ChannelAccessOp get) {
    std::string name(get.channelName());
    Operation* herd = get->parentOfName("air.herd");
    if (herd && herds_.count(herd)) reach(name);
    // What it brings is sent on by the puts of the same buffer.
    for (OpOperand& use : get.access().memref.uses())
      if (isa<ChannelPutOp>(use.owner()))
        feeders_[std::string(ChannelAccessOp(use.owner()).channelName())].push_back(name);
  }

  std::vector<ChannelAccessOp> gets_;
  std::unordered_set<Operation*> herds_;
  std::unordered_set<std::string> reached_;
  std::vector<std::string> work_;
  std::unordered_map<std::string, std::vector<std::string>> feeders_;
};

bool isHostPut(Operation& op) {
  return isa<ChannelPutOp>(&op) &&
         memoryLevel(ChannelAccessOp(&op).access().memref.type()) == MemoryLevel::L3;
}

}  // namespace

bool spreadOrderMarks(Operation& function) {
  std::vector<Operation*> launches;
  function.walk([&](Operation& op) {
    if (isa<LaunchOp>(&op) && op.hasAttr(kOrderMark)) launches.push_back(&op);
  });
  if (launches.empty()) return false;
  StepSearch search(function);
  bool changed = false;
  for (Operation* launch : launches)
    launch->walk([&](Operation& op) {
      if (!isa<ChannelPutOp>(&op) && !isa<ChannelGetOp>(&op)) return;
      bool isAlone = isHostPut(op) && !search.isReached(ChannelAccessOp(&op).channelName());
      if (isAlone || op.hasAttr(kOrderMark)) return;
      op.setAttr(kOrderMark, UnitAttr::get(op.context()));
      changed = true;
    });
  return changed;
}

}  // namespace airlite::air
