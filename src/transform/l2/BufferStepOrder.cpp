// Whether buffers that are filled and drained in steps may be one step large.
#include "StepGraph.hpp"
#include "airlite/analysis/AccessList.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/TokenReach.hpp"
#include "transform/dependency/TokenMoves.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>

namespace airlite::air {

namespace {

using Values = std::vector<Value>;

Operation* launchAround(Operation& op) {
  Operation* found = nullptr;
  for (Operation* up = op.parentOp(); up; up = up->parentOp())
    if (isa<LaunchOp>(up)) found = up;
  return found;
}

}  // namespace

// -- Channels -------------------------------------------------------------------------------------

ChannelUsers::ChannelUsers(Operation& root) {
  Operation* top = &root;
  while (top->parentOp())
    top = top->parentOp();
  top->walk([&](Operation& op) {
    if (!isChannelAccess(op)) return;
    Operation* launch = launchAround(op);
    auto [known, isNew] = launchOf_.try_emplace(ChannelAccessOp(&op).channelName(), launch);
    if (!isNew && known->second != launch) known->second = nullptr;
  });
}

bool ChannelUsers::areIn(std::string_view channel, Operation& launch) const {
  auto known = launchOf_.find(channel);
  return known != launchOf_.end() && known->second == &launch;
}

bool mayBlock(Operation& op) {
  if (isAsyncOp(op)) return !AsyncOp(&op).token();
  if (op.hasTrait(Trait::Terminator) || isPure(op)) return false;
  bool isControl = isa<scf::ForOp>(&op) || isa<scf::ParallelOp>(&op) || isConditional(op);
  if (!isControl) return true;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        if (!isa<scf::ReduceOp>(&inner) && mayBlock(inner)) return true;
  return false;
}

std::vector<Value> throughJoins(Values tokens) {
  Values leaves;
  std::unordered_set<Value> seen;
  while (!tokens.empty()) {
    Value token = tokens.back();
    tokens.pop_back();
    if (!seen.insert(token).second) continue;
    Operation* join = token.definingOp();
    if (!join || !isa<WaitAllOp>(join)) {
      leaves.push_back(token);
      continue;
    }
    for (Value wait : AsyncOp(join).dependencies())
      tokens.push_back(wait);
  }
  std::reverse(leaves.begin(), leaves.end());
  return leaves;
}

namespace {

// -- Steps ----------------------------------------------------------------------------------------

using Loops = std::unordered_set<Operation*>;

/// The ops of one part: do they advance in `steps` steps? Of one iteration of the loops in `opened`.
class StepCheck {
 public:
  StepCheck(Operation& launch, int64_t steps, const Loops& opened)
      : launch_(launch), steps_(steps), opened_(opened) {}

  /// Empty, or why not.
  std::string_view check(const std::vector<StepGraph::Node*>& part) {
    for (StepGraph::Node* node : part)
      if (node->op)
        if (std::string_view why = check(*node->op, node->isInside); !why.empty()) return why;
    for (auto& [name, channel] : channels_)
      if (std::string_view why = check(channel); !why.empty()) return why;
    return {};
  }
  /// The outermost loops of the ops.
  const Loops& loops() const { return loops_; }

 private:
  struct Channel {
    std::vector<ChannelAccessOp> puts, gets;
    std::set<int64_t> transfers, elements;  // of each op; elements of one transfer
  };

  /// Control around an op, from the launch inwards: parallel levels, then loops.
  struct Nest {
    Operation* loop = nullptr;  // the outermost
    int64_t trips = 1;          // of all loops
    bool isKnown = true;
  };

  Nest nestOf(Operation& op, bool isInside) const {
    std::vector<Operation*> around;
    for (Operation* up = isInside ? &op : op.parentOp(); up != &launch_; up = up->parentOp())
      around.push_back(up);
    std::reverse(around.begin(), around.end());
    Nest nest;
    for (Operation* up : around)
      if (!opened_.count(up)) enter(*up, nest);
    return nest;
  }

  void enter(Operation& op, Nest& nest) const {
    if (isa<scf::ForOp>(&op)) {
      std::optional<int64_t> trips = scf::ForOp(&op).tripCount();
      if (!nest.loop) nest.loop = &op;
      nest.isKnown = nest.isKnown && trips && *trips > 0 &&
                     !__builtin_mul_overflow(nest.trips, *trips, &nest.trips);
    } else if (isConditional(op)) {
      nest.isKnown &= !nest.loop || isFixed(op, *nest.loop);
    } else if (nest.loop && op.is("scf.reduce")) {
      // Joins the tokens of the loop around it, which has been entered.
    } else if (nest.loop && isa<scf::ParallelOp>(&op)) {
      nest.isKnown &= isFixed(op, *nest.loop);
    } else if (nest.loop || !(asHierarchy(&op) || isa<scf::ParallelOp>(&op))) {
      nest.isKnown = false;
    }
  }

  /// Runs the same in all iterations: no operand changes but tokens.
  static bool isFixed(const Operation& op, Operation& loop) {
    return std::ranges::all_of(op.operands(), [&](Value value) {
      return isTokenType(value.type()) || isFixed(value, loop);
    });
  }

  static bool isFixed(Value value, Operation& loop) {
    Operation* def = value.definingOp();
    return !isInside(value, loop) || (def && def->is("arith.constant"));
  }

  std::string_view check(Operation& op, bool isInside) {
    if (&op == &launch_) return "it waits for something outside of the launch";
    Nest nest = nestOf(op, isInside);
    if (!nest.loop) return "what it waits for and what waits for it are not all in loops";
    if (!nest.isKnown) return "something that it waits for does not run equally often in each step";
    std::optional<int64_t> trips = scf::ForOp(nest.loop).tripCount();
    if (*trips % steps_ != 0) return "something that it waits for advances in other steps";
    loops_.insert(nest.loop);
    addTransfer(op, nest);
    return {};
  }

  void addTransfer(Operation& op, const Nest& nest) {
    if (!isChannelAccess(op)) return;
    ChannelAccessOp access(&op);
    Channel& channel = channels_[access.channelName()];
    (access.isPut() ? channel.puts : channel.gets).push_back(access);
    channel.transfers.insert(nest.trips);
    auto list = analysis::readAccessList(access.access(), reader_);
    channel.elements.insert(list ? list->count().value_or(0) : 0);
  }

  std::string_view check(const Channel& channel) const {
    if (channel.transfers.size() != 1 || channel.elements.size() != 1 || channel.elements.count(0))
      return "the sides of a channel may not move the same in each step";
    for (const auto* side : {&channel.puts, &channel.gets})
      if (!haveOwnPlaces(*side)) return "several ops may use one place of a channel";
    return {};
  }

  bool haveOwnPlaces(const std::vector<ChannelAccessOp>& side) const {
    std::set<std::vector<int64_t>> places;
    for (ChannelAccessOp op : side) {
      if (!isOwnPlace(op)) return false;
      if (side.size() == 1) continue;
      std::vector<int64_t> place;
      for (Value index : op.indices()) {
        IndexEntry entry{0, index};
        if (!entry.known()) return false;
        place.push_back(*entry.known());
      }
      if (!places.insert(place).second) return false;
    }
    return true;
  }

  /// Each instance of the parallel levels around names a place of its own.
  bool isOwnPlace(ChannelAccessOp op) const {
    std::vector<Value> indices = op.indices().vec();
    if (!std::all_of(indices.begin(), indices.end(), isFixedIndex)) return false;
    auto isNamed = [&](Value id) {
      return std::find(indices.begin(), indices.end(), id) != indices.end();
    };
    for (Operation* up = op->parentOp(); up != &launch_; up = up->parentOp()) {
      if (HierarchyOp level = asHierarchy(up)) {
        auto sizes = level.constantSizes();
        for (unsigned i = 0; i < level.numDims(); ++i)
          if ((!sizes || (*sizes)[i] != 1) && !isNamed(level.id(i))) return false;
      } else if (isa<scf::ParallelOp>(up)) {
        for (Value id : scf::ParallelOp(up).inductionVars())
          if (!isNamed(id)) return false;
      }
    }
    return true;
  }

  /// A constant, an id, or an argument of a level.
  static bool isFixedIndex(Value index) {
    if (IndexEntry{0, index}.known()) return true;
    Operation* owner = index.isBlockArgument() ? index.argumentBlock()->parentOp() : nullptr;
    return owner && (asHierarchy(owner) || isa<scf::ParallelOp>(owner));
  }

  Operation& launch_;
  int64_t steps_;
  const Loops& opened_;
  Loops loops_;
  analysis::LinearReader reader_;
  std::unordered_map<std::string_view, Channel> channels_;
};

// -- Parts ----------------------------------------------------------------------------------------

/// Buffers that wait for each other in a circle, with all ops that do.
struct Part {
  std::vector<StepwiseBuffer*> buffers;
  std::vector<StepGraph::Node*> nodes;
};

std::vector<Part> partsOf(StepGraph& graph, const std::vector<StepwiseBuffer*>& buffers) {
  std::vector<unsigned> partOf = findParts(graph);
  std::unordered_map<unsigned, size_t> numbers;
  std::vector<Part> parts;
  for (size_t i = 0; i < buffers.size(); ++i) {
    auto [known, isNew] = numbers.try_emplace(partOf[graph.steps[i]], parts.size());
    if (isNew) parts.emplace_back();
    parts[known->second].buffers.push_back(buffers[i]);
  }
  for (unsigned i = 0; i < partOf.size(); ++i)
    if (auto known = numbers.find(partOf[i]); known != numbers.end())
      parts[known->second].nodes.push_back(&graph.nodes[i]);
  return parts;
}

/// The steps of a part, in one iteration of the loops in `opened`.
void checkSteps(Operation& launch, const Part& part, const Loops& opened) {
  int64_t steps = 0;
  for (StepwiseBuffer* buffer : part.buffers)
    steps = std::gcd(steps, buffer->steps);
  std::string_view why = steps > 1 ? StepCheck(launch, steps, opened).check(part.nodes)
                                   : "buffers that wait for each other have no steps in common";
  for (StepwiseBuffer* buffer : part.buffers) {
    buffer->steps = steps;
    buffer->obstacle = why;
  }
}

/// Whether a part advances in rounds, whose loops go to `loops`. Empty, or why not.
std::string_view checkRounds(Operation& launch, const Part& part, Loops& loops) {
  std::optional<int64_t> rounds;
  for (StepwiseBuffer* buffer : part.buffers) {
    if (!buffer->rounds) return "it waits for a buffer that is not made in each round";
    std::optional<int64_t> trips = scf::ForOp(buffer->rounds).tripCount();
    if (!trips || (rounds && rounds != trips))
      return "buffers that wait for each other have different rounds";
    rounds = trips;
  }
  const Loops none;
  StepCheck check(launch, *rounds, none);
  if (std::string_view why = check.check(part.nodes); !why.empty()) return why;
  for (Operation* loop : check.loops())
    if (scf::ForOp(loop).tripCount() != rounds)
      return "something that it waits for advances in other rounds";
  loops.insert(check.loops().begin(), check.loops().end());
  return {};
}

/// Those that are made once, before others are looked at.
void checkOutermost(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
                    const ChannelUsers& users) {
  StepGraph graph = stepGraphOf(launch, buffers, users, {});
  for (const Part& part : partsOf(graph, buffers))
    checkSteps(launch, part, {});
}

/// Those that are made in each round, beside `outermost`.
void checkInRounds(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
                   std::vector<StepwiseBuffer*> outermost, const ChannelUsers& users) {
  std::erase_if(outermost, [](StepwiseBuffer* buffer) { return !buffer->obstacle.empty(); });
  std::vector<StepwiseBuffer*> all = buffers;
  all.insert(all.end(), outermost.begin(), outermost.end());
  Loops rounds;
  StepGraph graph = stepGraphOf(launch, all, users, {});
  for (const Part& part : partsOf(graph, all)) {
    const auto isInRounds = [](StepwiseBuffer* buffer) { return buffer->rounds != nullptr; };
    if (std::ranges::none_of(part.buffers, isInRounds)) continue;
    // The others have been shown to be right where these stay as they are.
    const std::string_view why = checkRounds(launch, part, rounds);
    for (StepwiseBuffer* buffer : part.buffers)
      if (isInRounds(buffer)) buffer->obstacle = why;
  }
  std::vector<StepwiseBuffer*> left = buffers;
  std::erase_if(left, [](StepwiseBuffer* buffer) { return !buffer->obstacle.empty(); });
  StepGraph ofRound = stepGraphOf(launch, left, users, rounds);
  for (const Part& part : partsOf(ofRound, left))
    checkSteps(launch, part, rounds);
}

}  // namespace

void checkStepOrder(Operation& launch, const std::vector<StepwiseBuffer*>& buffers,
                    const ChannelUsers& users) {
  std::vector<StepwiseBuffer*> outermost, inRounds;
  for (StepwiseBuffer* buffer : buffers)
    (buffer->rounds ? inRounds : outermost).push_back(buffer);
  checkOutermost(launch, outermost, users);
  if (!inRounds.empty()) checkInRounds(launch, inRounds, std::move(outermost), users);
}

}  // namespace airlite::air
