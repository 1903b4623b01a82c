#include "LongLives.hpp"

#include "Dependences.hpp"
#include "LoopGraph.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>

namespace airlite::npu::codegen {

namespace {

/// Not reached.
constexpr int kFar = INT_MIN / 2;

/// Where a value is written and read in a body.
struct Life {
  uint32_t reg = 0;
  uint32_t firstWrite = 0, lastWrite = 0;
  std::vector<uint32_t> reads;
  unsigned quartersRead = 0;
};

/// The body with the values that need copies for one interval.
class LifeCutter {
 public:
  LifeCutter(std::vector<MachineInst> body, std::vector<RegClass> classes, int interval,
             uint32_t leftOut)
      : body_(std::move(body)),
        classes_(std::move(classes)),
        interval_(interval),
        leftOut_(leftOut) {}

  /// False when a body like this cannot have the interval.
  bool run() {
    constexpr int kMostTurns = 3;  // copies move others apart
    for (int turn = 0; turn < kMostTurns; ++turn) {
      if (!build()) return false;
      if (slotBound(nodes_) > interval_) return false;
      std::optional<std::vector<Cut>> cuts = findCuts();
      if (!cuts) return false;
      if (cuts->empty()) return true;
      apply(*cuts);
    }
    if (!build() || slotBound(nodes_) > interval_) return false;
    const auto left = findCuts();
    return left && left->empty();
  }

  std::vector<MachineInst>& body() { return body_; }
  uint32_t leftOut() const { return leftOut_; }
  std::vector<RegClass>& classes() { return classes_; }

 private:
  /// Copies of a value, one after the other: `reads[i]` take copy i.
  struct Cut {
    Life life;
    std::vector<std::vector<uint32_t>> reads;
  };

  bool build() {
    std::string why;
    nodes_.clear();
    if (!makeLoopNodes(body_, classes_, nodes_, why)) return false;
    after_.assign(nodes_.size(), {});
    for (const RoundEdge& edge : edgesOf(nodes_))
      if (edge.rounds == 0) after_[edge.from].push_back(edge);
    return true;
  }

  /// Values of this round alone, each written before it is read.
  std::vector<Life> lives() const {
    std::map<uint32_t, Life> found;
    std::map<uint32_t, bool> isCarried;
    for (uint32_t at = 0; at < body_.size(); ++at)
      for (const Operand& operand : body_[at].ops()) {
        if (!operand.isVirtual()) continue;
        const auto reg = static_cast<uint32_t>(operand.number);
        const bool isWritten = writes(body_[at], reg);
        auto [place, isNew] = found.try_emplace(reg, Life{reg, at, at, {}});
        Life& life = place->second;
        if (isNew) isCarried[reg] = !isWritten || readsWhole(body_[at], reg);
        if (isWritten) {  // of a part, while another one may have been read already
          isCarried[reg] |= (life.quartersRead & quartersOf(operand.part)) != 0;
          life.lastWrite = at;
          continue;
        }
        life.quartersRead |= quartersOf(operand.part);
        if (life.reads.empty() || life.reads.back() != at) life.reads.push_back(at);
      }
    std::vector<Life> all;
    for (auto& [reg, life] : found)
      if (!isCarried[reg] && !life.reads.empty() && canCopy(classes_[reg])) all.push_back(life);
    return all;
  }
  /// A first part is written without regard to what was there.
  static bool readsWhole(const MachineInst& inst, uint32_t reg) {
    for (unsigned i = 0; i < inst.operandCount; ++i)
      if (inst.operands[i].isVirtual() && static_cast<uint32_t>(inst.operands[i].number) == reg &&
          useOf(inst.form, i).isUse)
        return true;
    return false;
  }
  static bool canCopy(RegClass regClass) {
    return regClass == RegClass::Vector || regClass == RegClass::HalfAccumulator;
  }

  /// The longest ways from a node to all others within a round.
  std::vector<int> waysFrom(uint32_t node) const {
    std::vector<int> ways(nodes_.size(), kFar);
    ways[node] = 0;
    for (uint32_t at = node; at < nodes_.size(); ++at)
      if (ways[at] != kFar)
        for (const RoundEdge& edge : after_[at])
          ways[edge.to] = std::max(ways[edge.to], ways[at] + edge.distance);
    return ways;
  }

  /// None when a value that is not complete is read too late.
  std::optional<std::vector<Cut>> findCuts() const {
    std::vector<Cut> cuts;
    for (const Life& life : lives()) {
      const std::vector<int> ways = waysFrom(life.firstWrite);
      Cut cut{life, {}};
      for (uint32_t read : life.reads) {
        const int back = registerDistance(nodes_[read], nodes_[life.firstWrite]);
        if (ways[read] == kFar || back == kIndependent) continue;
        const int length = ways[read] + back;
        if (length <= interval_) continue;
        if (read < life.lastWrite) return std::nullopt;
        const auto copy = static_cast<size_t>((length - 1) / interval_ - 1);
        if (cut.reads.size() <= copy) cut.reads.resize(copy + 1);
        cut.reads[copy].push_back(read);
      }
      if (!cut.reads.empty()) cuts.push_back(std::move(cut));
    }
    return cuts;
  }

  void apply(const std::vector<Cut>& cuts) {
    std::vector<std::vector<MachineInst>> before(body_.size());
    for (const Cut& cut : cuts) {
      uint32_t from = cut.life.reg;
      for (size_t copy = 0; copy < cut.reads.size(); ++copy) {
        const RegClass regClass = classes_[cut.life.reg];
        const auto to = static_cast<uint32_t>(classes_.size());
        classes_.push_back(regClass);
        // In front of all that reads this copy or one of it.
        uint32_t place = UINT32_MAX;
        for (size_t later = copy; later < cut.reads.size(); ++later)
          for (uint32_t read : cut.reads[later])
            place = std::min(place, read);
        before[place].push_back(makeCopy(Operand::reg(to), Operand::reg(from), regClass,
                                         body_[place].location, isa::setOf(body_[place].form)));
        for (uint32_t read : cut.reads[copy])
          renameReads(body_[read], cut.life.reg, to);
        from = to;
      }
    }
    std::vector<MachineInst> body;
    for (size_t at = 0, end = leftOut_; at < body_.size(); ++at) {
      if (at < end) leftOut_ += static_cast<uint32_t>(before[at].size());
      body.insert(body.end(), before[at].begin(), before[at].end());
      body.push_back(body_[at]);
    }
    body_ = std::move(body);
  }

  static void renameReads(MachineInst& inst, uint32_t from, uint32_t to) {
    for (Operand& operand : inst.ops())
      if (operand.isVirtual() && static_cast<uint32_t>(operand.number) == from)
        operand.number = static_cast<int32_t>(to);
  }

  std::vector<MachineInst> body_;
  std::vector<RegClass> classes_;
  const int interval_;
  uint32_t leftOut_;
  std::vector<LoopNode> nodes_;
  std::vector<std::vector<RoundEdge>> after_;  // by where they begin, within a round
};

/// The least interval that slots allow, and the one that lives need as they are; none for a body
/// that cannot be pipelined.
std::optional<std::pair<int, int>> boundsOf(const std::vector<MachineInst>& body,
                                            const std::vector<RegClass>& classes) {
  std::vector<LoopNode> nodes;
  std::string why;
  if (body.empty() || !makeLoopNodes(body, classes, nodes, why)) return std::nullopt;
  return std::pair{std::max(slotBound(nodes), bankBound(nodes)),
                   recurrenceBound(nodes.size(), edgesOf(nodes))};
}

}  // namespace

ShortLives shortenLives(const std::vector<MachineInst>& body, std::vector<RegClass>& classes,
                        int least, uint32_t leftOut) {
  const auto bounds = boundsOf(body, classes);
  if (!bounds) return {body, 0, false, leftOut};
  const auto [slots, lives] = *bounds;
  // Near the interval that lives allow anyway there is nothing to gain.
  for (int interval = std::max(slots, least); interval + interval / 8 < lives;
       interval += std::max(1, interval / 10)) {
    LifeCutter cutter(body, classes, interval, leftOut);
    if (!cutter.run()) continue;
    classes = std::move(cutter.classes());
    return {std::move(cutter.body()), interval, true, cutter.leftOut()};
  }
  return {body, lives, false, leftOut};
}

}  // namespace airlite::npu::codegen
