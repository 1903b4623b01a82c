#include "WholeWords.hpp"

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu {

namespace {

using aie::kWordBytes;

struct End {
  Operation* op;
  std::optional<int64_t> bytes;  // at a time; none: not known
};

/// What a transfer of the channel is extended to: words of DMAs, vectors of cascades.
int64_t unitOf(air::ChannelAccessOp access) {
  air::ChannelOp channel = access.channel();
  const bool isCascade = channel && channel.canonicalType() == "npu_cascade";
  return isCascade ? aie::cascadeBits(aie::Generation::Aie2) / 8 : kWordBytes;
}

/// Outer repetitions are several transfers.
std::optional<int64_t> staticElementsOf(const air::Access& access) {
  auto type = access.memref.type().cast<MemRefType>();
  if (access.sizes.empty())
    return type.hasStaticShape() ? std::optional(type.numElements()) : std::nullopt;
  int64_t elements = 1;
  bool isInside = false;
  for (size_t i = 0; i < access.sizes.size(); ++i) {
    isInside |= i >= access.strides.size() || access.strides[i].known() != 0;
    if (!isInside) continue;
    if (!access.sizes[i].known()) return std::nullopt;
    elements *= *access.sizes[i].known();
  }
  return elements;
}

std::optional<int64_t> bytesOf(const air::Access& access) {
  auto element = aie::elementBytes(elementTypeOrSelf(access.memref.type()));
  auto elements = staticElementsOf(access);
  return element && elements ? std::optional(*element * *elements) : std::nullopt;
}

/// What one side of a channel moves in turn: bytes of each transfer, in the loops around them, as
/// `4(10 40)2(8)`; none where it is not known.
std::optional<std::string> turnsOf(const std::vector<End>& ends, bool isPut) {
  std::string turns;
  std::vector<Operation*> open;  // the loops that the last transfer is in
  for (const End& end : ends) {
    if (isa<air::ChannelPutOp>(end.op) != isPut) continue;
    if (!end.bytes) return std::nullopt;
    std::vector<Operation*> loops;
    for (Operation* at = end.op->parentOp(); at && !air::asHierarchy(at); at = at->parentOp()) {
      if (at->is("scf.if") || at->is("affine.if") || at->is("scf.index_switch"))
        return std::nullopt;
      if (isa<scf::ForOp>(at)) loops.insert(loops.begin(), at);
    }
    size_t shared = 0;
    while (shared < std::min(open.size(), loops.size()) && open[shared] == loops[shared])
      ++shared;
    turns.append(open.size() - shared, ')');
    for (size_t i = shared; i < loops.size(); ++i) {
      const auto runs = scf::ForOp(loops[i]).tripCount();
      if (!runs) return std::nullopt;
      turns += std::to_string(*runs) + "(";
    }
    turns += std::to_string(*end.bytes) + " ";
    open = std::move(loops);
  }
  return turns.append(open.size(), ')');
}

/// Both sides move the same bytes at a time, one transfer after the other.
bool takeTheSameTurns(const std::vector<End>& ends) {
  const auto puts = turnsOf(ends, true), gets = turnsOf(ends, false);
  return puts && puts == gets;
}

LogicalResult checkEnds(const std::vector<End>& ends) {
  if (takeTheSameTurns(ends)) return success();
  for (const End& end : ends) {
    const int64_t unit = unitOf(air::ChannelAccessOp(end.op));
    if (!end.bytes || *end.bytes % unit == 0) continue;
    for (const End& other : ends) {
      if (other.bytes == end.bytes) continue;
      return (end.op->emitOpError() << "not supported: moves " << *end.bytes << " bytes, no whole "
                                    << 8 * unit << "-bit words")
                 .note(other.op->location())
             << "which another end of the channel moves in other parts";
    }
  }
  return success();
}

}  // namespace

int64_t toWholeWords(int64_t elements, Type element) {
  return aie::toWholeWords(elements, aie::elementBytes(element).value_or(kWordBytes));
}

LogicalResult checkWholeWords(Operation& module) {
  std::map<std::string, std::vector<End>> channels;
  module.walkWith([&](Operation& op) {
    if (op.is("aie.device")) return WalkResult::Skip;
    if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return WalkResult::Advance;
    air::ChannelAccessOp access(&op);
    channels[std::string(access.channelName())].push_back({&op, bytesOf(access.access())});
    return WalkResult::Advance;
  });
  LogicalResult result = success();
  for (const auto& [name, ends] : channels)
    result |= checkEnds(ends);
  return result;
}

}  // namespace airlite::npu
