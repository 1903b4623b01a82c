// Which puts and gets touch L2 memory, and whether memory tiles can make them.
#include "L2Memory.hpp"

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

}  // namespace

LogicalResult readL2Sites(Operation& source, std::vector<Site>& sites) {
  if (failed(readSites(source, sites))) return failure();
  return sites.empty() ? success() : checkMemory(source, sites);
}

}  // namespace airlite::npu
