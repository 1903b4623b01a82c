// Which puts and gets touch L2 memory, and whether memory tiles can make them.
#include "L2Memory.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {

namespace {

LogicalResult readSites(Operation& source, std::vector<Site>& sites) {
  LogicalResult result = success();
  source.walkWith([&](Operation& op) {
    if (isa<air::HerdOp>(&op)) return WalkResult::Skip;
    if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return WalkResult::Advance;
    Type memref = air::ChannelAccessOp(&op).access().memref.type();
    if (air::memoryLevel(memref) != air::MemoryLevel::L2) return WalkResult::Advance;
    Site site;
    if (succeeded(readSite(op, site)))
      sites.push_back(std::move(site));
    else
      result = failure();
    return WalkResult::Advance;
  });
  return result;
}

LogicalResult checkOtherUses(Operation& source, const std::set<Operation*>& memory) {
  LogicalResult result = success();
  source.walkWith([&](Operation& op) {
    bool isTransfer = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
    if (isTransfer || isa<air::HerdOp>(&op))
      return isTransfer ? WalkResult::Advance : WalkResult::Skip;
    std::vector<EffectInstance> effects;
    effectsOf(op, effects);
    for (const EffectInstance& effect : effects) {
      bool touches = effect.effect == Effect::Read || effect.effect == Effect::Write;
      Operation* made =
          touches && effect.value ? air::bufferSource(effect.value).definingOp() : nullptr;
      if (made && memory.count(made))
        result = op.emitOpError() << "not supported: a memory tile can only transfer";
    }
    return WalkResult::Advance;
  });
  return result;
}

/// Memory tiles have no core: nothing but transfers may touch their memory, and those of one
/// buffer follow each other round and round.
LogicalResult checkMemory(Operation& source, const std::vector<Site>& sites) {
  std::set<Operation*> memory;
  for (const Site& site : sites) {
    Operation* made = site.memory;
    if (!made || !made->is("memref.alloc") || !source.isProperAncestor(made))
      return site.op->emitOpError() << "not supported: L2 memory that the segment does not own";
    if (!made->result().type().cast<MemRefType>().hasStaticShape())
      return made->emitOpError() << "not supported: L2 memory of a size that is not constant";
    if (failed(checkRequests(*made, *made, air::kZeroMemory))) return failure();
    memory.insert(made);
  }
  return checkOtherUses(source, memory);
}

bool areSame(const Site& a, const Site& b) {
  constexpr std::string_view kFloor = "air.memtile_dma_channel_min";
  return a.isPut == b.isPut && a.isPacket == b.isPacket && a.place == b.place &&
         a.pattern == b.pattern && a.sends == b.sends && a.op->attr(kFloor) == b.op->attr(kFloor);
}

/// The transfers of one memory, each but once, with those that are the same as their repeats.
std::vector<Site*> withoutRepeats(const std::vector<Site*>& sites) {
  std::vector<Site*> once;
  for (Site* site : sites) {
    const auto first =
        std::ranges::find_if(once, [&](const Site* before) { return areSame(*before, *site); });
    if (first == once.end())
      once.push_back(site);
    else
      (*first)->repeats.push_back(site->op.op());
  }
  return once;
}

/// All runs of one transfer, then all of the other: their locks count.
bool isCounted(const std::vector<Site*>& word, const std::vector<Site*>& once) {
  const auto second = std::ranges::find(word, once.back());
  return once.size() == 2 &&
         std::all_of(second, word.end(), [&](Site* site) { return site == once.back(); });
}

/// The number of transfers after which those of one block begin again, all of them if they never do.
size_t periodOf(const std::vector<Site*>& sites) {
  const auto isElsewhere = [&](Site* site) { return site->op->block() != sites[0]->op->block(); };
  if (std::ranges::any_of(sites, isElsewhere)) return sites.size();
  for (size_t period = 1; period < sites.size(); ++period) {
    if (sites.size() % period != 0) continue;
    const bool repeats =
        std::equal(sites.begin() + static_cast<std::ptrdiff_t>(period), sites.end(), sites.begin(),
                   [](const Site* a, const Site* b) { return areSame(*a, *b); });
    if (repeats) return period;
  }
  return sites.size();
}

/// Rounds in which a transfer comes several times: each of these stands for itself in later rounds.
void joinPeriods(const std::vector<Site*>& all, std::set<const Site*>& joined) {
  const size_t period = periodOf(all);
  for (size_t i = period; i < all.size(); ++i) {
    all[i % period]->repeats.push_back(all[i]->op.op());
    joined.insert(all[i]);
  }
}

/// Rounds that a program writes out are those of a loop: one descriptor for each transfer.
void joinRounds(Operation& source, std::vector<Site>& sites) {
  std::map<Operation*, std::vector<Site*>> ofMemory;
  for (Site& site : sites)
    ofMemory[site.memory].push_back(&site);
  std::set<const Site*> joined;
  for (const auto& [memory, all] : ofMemory) {
    const std::vector<Site*> once = withoutRepeats(all);
    if (once.size() == all.size()) continue;
    const Sequence sequence = sequenceOf(once, {&source.region().front()}, true);
    const bool isRound = !sequence.unknown && sequence.runs.size() == 1 &&
                         (sequence.runs[0].word == once || isCounted(sequence.runs[0].word, once));
    for (Site* site : all) {
      if (!isRound) site->repeats.clear();
      if (isRound && !std::ranges::count(once, site)) joined.insert(site);
    }
    if (!isRound) joinPeriods(all, joined);
  }
  std::vector<Site> kept;
  for (Site& site : sites)
    if (!joined.contains(&site)) kept.push_back(std::move(site));
  sites = std::move(kept);
}

}  // namespace

LogicalResult readL2Sites(Operation& source, std::vector<Site>& sites) {
  if (failed(readSites(source, sites))) return failure();
  if (sites.empty()) return success();
  if (failed(checkMemory(source, sites))) return failure();
  joinRounds(source, sites);
  return success();
}

}  // namespace airlite::npu
