// The order of transfers, and the DMA programs that follow it.
#include "DescriptorOrder.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite::npu {

namespace {

using Run = Sequence::Run;

constexpr size_t kLongestWord = 64;  // more than any tile has descriptors
constexpr size_t kTasksInQueue = 4;  // of a DMA channel, when the array starts
constexpr int64_t kMostRuns = 256;   // of one task

/// The shortest word that `word` is so many times.
Run primitive(std::vector<Site*> word, int64_t count) {
  for (size_t length = 1; length < word.size(); ++length) {
    if (word.size() % length != 0) continue;
    bool repeats = std::equal(word.begin() + static_cast<long>(length), word.end(), word.begin());
    if (!repeats) continue;
    count *= static_cast<int64_t>(word.size() / length);
    word.resize(length);
    break;
  }
  return {std::move(word), count};
}

void append(std::vector<Run>& runs, const Run& run) {
  if (runs.empty() || runs.back().word != run.word) return runs.push_back(run);
  runs.back().count += run.count;
  runs.back().isOpen |= run.isOpen;
}

/// All transfers as one word, when it is known and not too long.
std::optional<std::vector<Site*>> flatten(const std::vector<Run>& runs) {
  std::vector<Site*> word;
  for (const Run& run : runs) {
    bool fits = !run.isOpen && run.count <= static_cast<int64_t>(kLongestWord) &&
                word.size() + run.word.size() * static_cast<size_t>(run.count) <= kLongestWord;
    if (!fits) return std::nullopt;
    for (int64_t i = 0; i < run.count; ++i)
      word.insert(word.end(), run.word.begin(), run.word.end());
  }
  return word;
}

class Sequencer {
 public:
  explicit Sequencer(const std::vector<Site*>& sites) {
    for (Site* site : sites) {
      add(*site->op.op(), site->sameAs ? site->sameAs : site);
      for (Operation* repeat : site->repeats)
        add(*repeat, site);
    }
  }

  std::vector<Run> of(Block& block) {
    std::vector<Run> runs;
    for (Operation& op : block.ops())
      for (const Run& run : of(op))
        append(runs, run);
    return runs;
  }

  std::vector<Run> repeated(std::vector<Run> runs, std::optional<int64_t> times, Operation* loop) {
    if (runs.empty() || times == 0) return {};
    if (runs.size() > 1) {
      auto word = flatten(runs);
      if (!word) return fail(loop);
      runs = {primitive(std::move(*word), 1)};
    }
    runs[0].isOpen |= !times.has_value();
    runs[0].count *= times.value_or(1);
    return runs;
  }

  Operation* unknown() const { return unknown_; }

 private:
  void add(Operation& transfer, Site* site) {
    siteAt_[&transfer] = site;
    for (Operation* op = transfer.parentOp(); op; op = op->parentOp())
      if (!holders_.insert(op).second) break;
  }

  std::vector<Run> of(Operation& op) {
    if (auto site = siteAt_.find(&op); site != siteAt_.end())
      return {{{site->second}, site->second->sends}};
    if (!holders_.count(&op)) return {};
    if (isa<scf::ForOp>(&op)) return repeated(bodyOf(op), scf::ForOp(&op).tripCount(), &op);
    if (isa<affine::ForOp>(&op)) return repeated(bodyOf(op), affine::ForOp(&op).tripCount(), &op);
    if (isa<air::HerdOp>(&op) || isa<scf::ExecuteRegionOp>(&op) || isa<air::ExecuteOp>(&op))
      return bodyOf(op);
    if (op.hasTrait(Trait::LoopLike)) return repeated(bodyOf(op), std::nullopt, &op);
    return ofArms(op);
  }

  std::vector<Run> bodyOf(Operation& op) {
    std::vector<Run> runs;
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (const Run& run : of(block))
          append(runs, run);
    return runs;
  }

  /// One of several regions runs: those that transfer anything must transfer the same.
  std::vector<Run> ofArms(Operation& op) {
    std::vector<Run> first;
    bool isAlways = true;
    for (Region& region : op.regions()) {
      std::vector<Run> runs;
      for (Block& block : region.blocks())
        for (const Run& run : of(block))
          append(runs, run);
      if (runs.empty()) {
        isAlways = false;
        continue;
      }
      if (!first.empty() && !areEqual(first, runs)) return fail(&op);
      first = runs;
    }
    return isAlways ? first : repeated(first, std::nullopt, &op);
  }

  static bool areEqual(const std::vector<Run>& a, const std::vector<Run>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Run& x, const Run& y) {
      return x.word == y.word && x.count == y.count && x.isOpen == y.isOpen;
    });
  }

  std::vector<Run> fail(Operation* op) {
    if (!unknown_) unknown_ = op;
    return {};
  }

  std::unordered_map<Operation*, Site*> siteAt_;
  std::unordered_set<Operation*> holders_;  // ops around sites
  Operation* unknown_ = nullptr;
};

std::string channelsOf(const std::vector<Site*>& sites, size_t& number) {
  std::vector<std::string> names;
  for (const Site* site : sites)
    if (std::find(names.begin(), names.end(), site->place.channel) == names.end())
      names.push_back(site->place.channel);
  number = names.size();
  std::string all;
  for (const std::string& name : names)
    all += (all.empty() ? "@" : ", @") + name;
  return all;
}

/// The transfers of one DMA channel stand so that no DMA can follow.
LogicalResult refuse(const std::vector<Site*>& sites, const std::string& port, Operation* unknown) {
  size_t number = 0;
  std::string channels = channelsOf(sites, number);
  Operation& op = *sites[0]->op.op();
  if (number > 1 && unknown) {
    auto report = op.emitOpError();
    report << port << " multiplexes " << number << " flows (" << channels << ") over "
           << sites.size() << " transfers, but control-flow paths deliver different BD sequences";
    for (const Site* site : sites)
      report.note(site->op->location()) << "flow @" << site->place.channel << " on this chain";
    return report;
  }
  return (sites.back()->op->emitOpError()
          << "not supported: transfers of one channel in different loops or branches (of one size, "
             "those of a core would go through a buffer)")
             .note(op.location())
         << "another one is here";
}

}  // namespace

Sequence sequenceOf(const std::vector<Site*>& sites, const std::vector<Block*>& roots, bool again) {
  Sequencer sequencer(sites);
  Sequence sequence;
  for (Block* root : roots)
    for (const Run& run : sequencer.of(*root))
      append(sequence.runs, run);
  if (again) sequence.runs = sequencer.repeated(sequence.runs, std::nullopt, sites[0]->op.op());
  sequence.unknown = sequencer.unknown();
  return sequence;
}

std::optional<std::vector<Site*>> ringOf(const std::vector<Site*>& sites,
                                         const std::vector<Block*>& roots, bool again) {
  Sequence sequence = sequenceOf(sites, roots, again);
  if (sequence.unknown || sequence.runs.empty()) return std::nullopt;
  return sequence.runs.size() == 1 ? sequence.runs[0].word : flatten(sequence.runs);
}

std::vector<StreamPart> streamOf(const std::vector<Site*>& ring) {
  std::vector<StreamPart> parts;
  for (const Site* site : ring) {
    if (parts.empty() || parts.back().place != site->place) parts.push_back({site->place, 0});
    parts.back().bytes += site->bytes();
  }
  for (size_t length = 1; length < parts.size(); ++length) {
    bool repeats =
        parts.size() % length == 0 &&
        std::equal(parts.begin() + static_cast<long>(length), parts.end(), parts.begin());
    if (repeats) parts.resize(length);
  }
  return parts;
}

std::optional<DmaProgram> programOf(const Sequence& sequence, size_t descriptors) {
  const std::vector<Run>& runs = sequence.runs;
  if (sequence.unknown || runs.empty()) return std::nullopt;
  if (runs.size() == 1) return DmaProgram{true, {{runs[0].word}}};
  size_t number = 0;
  bool isTask = runs.size() <= kTasksInQueue, isPlain = true;
  for (const Run& run : runs) {
    number += run.word.size();
    isTask &= !run.isOpen && run.count <= kMostRuns;
    isPlain &= run.count == 1;
  }
  auto word = flatten(runs);
  bool isShort = word && word->size() <= descriptors;
  if (isShort && (isPlain || !isTask))
    return DmaProgram{true, {{primitive(std::move(*word), 1).word}}};
  if (!isTask || number > descriptors) return std::nullopt;
  DmaProgram program{false, {}};
  for (const Run& run : runs)
    program.tasks.push_back({run.word, run.count});
  return program;
}

LogicalResult planProgram(const std::vector<Site*>& sites, const std::vector<Block*>& roots,
                          bool again, const std::string& port, size_t descriptors,
                          DmaProgram& program) {
  const Sequence sequence = sequenceOf(sites, roots, again);
  std::optional<DmaProgram> found = programOf(sequence, descriptors);
  if (!found) return refuse(sites, port, sequence.unknown);
  program = std::move(*found);
  return success();
}

}  // namespace airlite::npu
