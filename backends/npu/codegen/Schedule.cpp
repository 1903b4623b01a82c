// A list scheduler: cycle by cycle, of what may issue the instruction with the longest way to the
// end goes first. The jump is put in afterwards, as early as its delay slots and what is still
// under way then allow.
#include "Schedule.hpp"

#include "Retarget.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Slot;

namespace {

struct Edge {
  uint32_t to;
  int distance;
};

/// The cycles so far. Those of a beginning are there from the start; the ones of a loop before it have negative numbers.
class Issue {
 public:
  Issue() = default;
  explicit Issue(const LoopTail& tail) : first_(static_cast<int>(tail.loop.size())) {
    cycles_.assign(tail.loop.begin(), tail.loop.end());
    cycles_.insert(cycles_.end(), tail.after.begin(), tail.after.end());
  }

  /// Tries the choices in turn.
  bool tryPlace(const ScheduleNode& node, int cycle) {
    for (const isa::Instruction& choice : node.choices)
      if (isFree(choice, cycle)) {
        place(choice, cycle, node.location);
        return true;
      }
    return false;
  }

  bool isFree(const isa::Instruction& instruction, int cycle) const {
    return codegen::isFree(cycles_, instruction, first_ + cycle);
  }

  Cycle& place(const isa::Instruction& instruction, int cycle, Location location) {
    extend(cycle + 1);
    Cycle& target = cycles_[static_cast<size_t>(first_ + cycle)];
    if (target.instructions.empty()) target.location = location;
    target.instructions.push_back(instruction);
    return target;
  }

  int length() const { return static_cast<int>(cycles_.size()) - first_; }
  void extend(int length) {
    if (length > this->length()) cycles_.resize(static_cast<size_t>(first_ + length));
  }
  std::vector<Cycle> take() { return {cycles_.begin() + first_, cycles_.end()}; }

 private:
  std::vector<Cycle> cycles_;
  int first_ = 0;  ///< the place of cycle 0
};

/// Without what is known of its memory.
ScheduleNode nodeOf(const isa::Instruction& instruction) {
  ScheduleNode node;
  node.choices = {instruction};
  node.accesses = isa::accessesOf(instruction);
  node.memory = MemoryPlace::anywhere();
  return node;
}

class BlockScheduler {
 public:
  BlockScheduler(std::vector<ScheduleNode> nodes, const Exit& exit)
      : nodes_(std::move(nodes)),
        exit_(exit),
        successors_(nodes_.size()),
        waiting_(nodes_.size()),
        earliest_(nodes_.size()),
        height_(nodes_.size()) {
    for (const Dependence& edge : dependencesOf(nodes_)) {
      successors_[edge.from].push_back({edge.to, edge.distance});
      ++waiting_[edge.to];
    }
    findJump();
    findHeights();
  }

  /// Begins where a loop ends: beside its last rounds, as far as they allow.
  void beginIn(const LoopTail& tail) {
    issue_ = Issue(tail);
    end_ = issue_.length();
    const int first = -static_cast<int>(tail.loop.size());
    for (size_t at = 0; at < tail.loop.size(); ++at)
      waitFor(tail.loop[at], first + static_cast<int>(at));
    for (size_t at = 0; at < tail.after.size(); ++at)
      waitFor(tail.after[at], static_cast<int>(at));
  }

  std::vector<Cycle> run() {
    for (uint32_t n = 0; n < nodes_.size(); ++n)
      if (!waiting_[n]) ready_.push_back(n);
    for (int cycle = 0; !ready_.empty(); ++cycle)
      issueCycle(cycle);
    finish();
    return issue_.take();
  }

 private:
  static Form formOf(Exit::Kind kind) {
    switch (kind) {
      case Exit::Kind::Jump: return Form::J_jump_imm;
      case Exit::Kind::JumpIfSet: return Form::JNZ;
      case Exit::Kind::JumpIfClear: return Form::JZ;
      case Exit::Kind::Call: return Form::JL;
      case Exit::Kind::Return: return Form::RET;
      default: return Form::DONE;
    }
  }

  /// All comes after what issues in a cycle before or beside it.
  void waitFor(const Cycle& before, int cycle) {
    for (const isa::Instruction& instruction : before.instructions) {
      const ScheduleNode earlier = nodeOf(instruction);
      const auto raise = [&](int& least, const ScheduleNode& node) {
        const int distance = leastDistance(earlier, node);
        if (distance != kIndependent) least = std::max(least, cycle + distance);
      };
      for (size_t n = 0; n < nodes_.size(); ++n)
        raise(earliest_[n], nodes_[n]);
      if (jump_) raise(jumpFrom_, *jump_);
    }
  }

  void findJump() {
    if (exit_.kind == Exit::Kind::FallThrough) return;
    std::vector<isa::Value> values;
    bool conditional = exit_.kind == Exit::Kind::JumpIfSet || exit_.kind == Exit::Kind::JumpIfClear;
    if (conditional) values.push_back(isa::Value::of(exit_.condition));
    if (conditional || exit_.kind == Exit::Kind::Jump || exit_.kind == Exit::Kind::Call)
      values.push_back(isa::Value::of(0));  // layout knows the address
    jump_.emplace();
    jump_->choices.push_back(*inSet(*exit_.set, formOf(exit_.kind), values));
    jump_->accesses = isa::accessesOf(jump_->instruction());
    jump_->location = exit_.location;
    afterNode_.resize(nodes_.size(), kIndependent);
    // What reads a register that the jump writes (lr, which is stored before a call) issues no later than it, though the
    // write lands cycles afterwards: the rules would take a read in a delay slot for one of the new value.
    for (size_t n = 0; n < nodes_.size(); ++n)
      if (int distance = leastDistance(nodes_[n], *jump_); distance != kIndependent)
        afterNode_[n] = std::max(distance, 0);
  }

  bool hasDelaySlots() const { return jump_ && exit_.kind != Exit::Kind::Done; }

  /// The longest way from the issue of each instruction to the end of the block.
  void findHeights() {
    for (size_t n = nodes_.size(); n-- > 0;) {
      height_[n] = cyclesUntilQuiet(nodes_[n]);
      if (jump_ && afterNode_[n] != kIndependent)
        height_[n] = std::max(height_[n], afterNode_[n] + static_cast<int>(isa::kDelaySlots) + 1);
      for (const Edge& edge : successors_[n])
        height_[n] = std::max(height_[n], edge.distance + height_[edge.to]);
    }
  }

  void issueCycle(int cycle) {
    for (bool placed = true; placed;) {
      placed = false;
      // Equal ones in the order of the program.
      std::ranges::sort(ready_, [&](uint32_t a, uint32_t b) {
        return height_[a] != height_[b] ? height_[a] > height_[b] : a < b;
      });
      for (size_t i = 0; i < ready_.size() && !placed; ++i) {
        uint32_t node = ready_[i];
        if (earliest_[node] > cycle || !issue_.tryPlace(nodes_[node], cycle)) continue;
        ready_.erase(ready_.begin() + static_cast<ptrdiff_t>(i));
        issued(node, cycle);
        placed = true;
      }
    }
  }

  void issued(uint32_t node, int cycle) {
    end_ = std::max(end_, cycle + cyclesUntilQuiet(nodes_[node]));
    if (jump_ && afterNode_[node] != kIndependent)
      jumpFrom_ = std::max(jumpFrom_, cycle + afterNode_[node]);
    for (const Edge& edge : successors_[node]) {
      earliest_[edge.to] = std::max(earliest_[edge.to], cycle + edge.distance);
      if (!--waiting_[edge.to]) ready_.push_back(edge.to);
    }
  }

  void finish() {
    if (!jump_) return issue_.extend(end_);
    constexpr int kAfterJump = static_cast<int>(isa::kDelaySlots) + 1;
    int first = std::max(jumpFrom_, hasDelaySlots() ? end_ - kAfterJump : end_);
    int cycle = std::max(first, 0);
    while (!issue_.isFree(jump_->instruction(), cycle))
      ++cycle;
    Cycle& place = issue_.place(jump_->instruction(), cycle, exit_.location);
    bool inFunction = exit_.kind != Exit::Kind::Call;
    if (exit_.kind != Exit::Kind::Return && exit_.kind != Exit::Kind::Done)
      place.target = JumpTarget{!inFunction, exit_.target};
    // After `done` the core runs on until what is under way is over.
    issue_.extend(cycle + (hasDelaySlots() ? kAfterJump : static_cast<int>(isa::kLastCycle)));
  }

  std::vector<ScheduleNode> nodes_;
  Exit exit_;
  std::vector<std::vector<Edge>> successors_;
  std::vector<int> waiting_, earliest_, height_, afterNode_;
  std::vector<uint32_t> ready_;
  std::optional<ScheduleNode> jump_;
  Issue issue_;
  int end_ = 0;       ///< cycle in which nothing is under way any more
  int jumpFrom_ = 0;  ///< cycle from which on the jump's operands are there
};

}  // namespace

bool isFree(std::span<const Cycle> cycles, const isa::Instruction& instruction, int cycle) {
  constexpr int kReach = static_cast<int>(isa::kLastCycle);
  const int end = std::min(static_cast<int>(cycles.size()), cycle + kReach + 1);
  for (int c = std::max(0, cycle - kReach); c < end; ++c)
    for (const isa::Instruction& other : cycles[static_cast<size_t>(c)].instructions) {
      if (c == cycle && slotsOf(other) & slotsOf(instruction)) return false;
      if (c <= cycle ? unitsCollide(other, instruction, cycle - c)
                     : unitsCollide(instruction, other, c - cycle))
        return false;
    }
  return true;
}

namespace {

/// Whether `next` may begin `length` cycles after `first` has begun.
bool mayFollow(std::span<const Cycle> first, size_t length, std::span<const Cycle> next) {
  constexpr size_t kReach = 64;  // more than any distance
  for (size_t a = length > kReach ? length - kReach : 0; a < length; ++a)
    for (const isa::Instruction& earlier : first[a].instructions)
      for (size_t b = 0; b < next.size() && length - a + b < kReach; ++b)
        for (const isa::Instruction& later : next[b].instructions) {
          const int distance = static_cast<int>(length - a + b);
          if (leastDistance(nodeOf(earlier), nodeOf(later)) > distance ||
              unitsCollide(earlier, later, distance))
            return false;
        }
  return true;
}

}  // namespace

void joinEnds(std::span<const Cycle> before, std::vector<Cycle>& first,
              std::span<const Cycle> next) {
  std::vector<Cycle> all(before.begin(), before.end());
  all.insert(all.end(), first.begin(), first.end());
  size_t dropped = 0;
  // What is under way is over when `next` ends: who comes then does not know of it.
  while (dropped < next.size() && dropped < first.size() &&
         first[first.size() - dropped - 1].instructions.empty() &&
         mayFollow(all, all.size() - dropped - 1, next))
    ++dropped;
  first.resize(first.size() - dropped);
}

namespace {

/// The cycle whose instructions jump, and that one.
std::optional<std::pair<size_t, size_t>> jumpIn(std::span<const Cycle> cycles) {
  for (size_t at = cycles.size(); at-- > 0;)
    for (size_t i = 0; i < cycles[at].instructions.size(); ++i)
      if (cycles[at].instructions[i].row().isJump()) return std::pair{at, i};
  return std::nullopt;
}

/// Whether an instruction may issue in `cycle`, after all that stands before and beside it.
bool mayIssue(std::span<const Cycle> cycles, const isa::Instruction& instruction, size_t cycle) {
  const ScheduleNode node = nodeOf(instruction);
  for (size_t at = 0; at < cycles.size(); ++at)
    for (const isa::Instruction& earlier : cycles[at].instructions) {
      const int distance = leastDistance(nodeOf(earlier), node);
      if (distance != kIndependent &&
          static_cast<int>(at) + std::max(distance, 0) > static_cast<int>(cycle))
        return false;
    }
  return isFree(cycles, instruction, static_cast<int>(cycle));
}

}  // namespace

size_t jumpEarlier(const std::vector<Cycle>& loop, std::vector<Cycle>& last,
                   std::span<const Cycle> target) {
  const auto jump = jumpIn(last);
  if (!jump || jump->first + isa::kDelaySlots + 1 != last.size()) return 0;
  std::vector<Cycle> all = loop;
  all.insert(all.end(), last.begin(), last.end());
  const size_t from = loop.size() + jump->first;
  const isa::Instruction instruction = all[from].instructions[jump->second];
  all[from].instructions.erase(all[from].instructions.begin() +
                               static_cast<ptrdiff_t>(jump->second));
  size_t by = 0;
  const auto fits = [&](size_t earlier) {
    return earlier <= jump->first && earlier < target.size() &&
           all[all.size() - earlier].instructions.empty() &&
           mayFollow(all, all.size() - earlier, target);
  };
  for (size_t earlier = 1; fits(earlier); ++earlier)
    if (mayIssue(std::span(all).first(all.size() - earlier), instruction, from - earlier))
      by = earlier;
  if (!by) return 0;
  Cycle& old = last[jump->first];
  Cycle& place = last[jump->first - by];
  old.instructions.erase(old.instructions.begin() + static_cast<ptrdiff_t>(jump->second));
  if (place.instructions.empty()) place.location = old.location;
  place.instructions.push_back(instruction);
  place.target = std::exchange(old.target, std::nullopt);
  last.resize(last.size() - by);
  return by;
}

std::vector<Cycle> scheduleBlock(std::vector<ScheduleNode> nodes, const Exit& exit) {
  return BlockScheduler(std::move(nodes), exit).run();
}

std::vector<Cycle> scheduleAfterLoop(const LoopTail& tail, std::vector<ScheduleNode> nodes,
                                     const Exit& exit) {
  BlockScheduler scheduler(std::move(nodes), exit);
  scheduler.beginIn(tail);
  return scheduler.run();
}

}  // namespace airlite::npu::codegen
