// Whether the cores of a herd are in each other's way.
#include "CoreConflicts.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

using analysis::BufferAccess;
using analysis::LinearSum;
using analysis::StridedRegion;

/// What one core touches: the coefficients of its ids, and the rest, widened over everything else.
struct CoreAccess {
  BufferAccess access;
  std::vector<int64_t> ofIds;
};

class Cores {
 public:
  Cores(HerdOp first, HerdOp second) : first_(first), second_(second) {}

  bool mayConflict() {
    std::optional<std::vector<int64_t>> sizes = first_.constantSizes();
    if (!sizes || second_.constantSizes() != sizes) return true;
    sizes_ = *sizes;
    if (std::all_of(sizes_.begin(), sizes_.end(), [](int64_t size) { return size <= 1; }))
      return false;
    return mayShareChannels() || mayShareMemory();
  }

 private:
  // -- Channels ----------------------------------------------------------------------------------

  bool mayShareChannels() {
    std::vector<ChannelAccessOp> ofFirst, ofSecond;
    if (!collect(first_, ofFirst) || !collect(second_, ofSecond)) return true;
    for (ChannelAccessOp a : ofFirst)
      for (ChannelAccessOp b : ofSecond)
        if (a.channelName() == b.channelName() && a.isPut() == b.isPut() && !haveOwnPlaces(a, b))
          return true;
    return false;
  }

  /// False when there is something that cannot be looked into.
  static bool collect(HerdOp herd, std::vector<ChannelAccessOp>& accesses) {
    WalkResult result = herd->walkWith([&](Operation& op) {
      if (isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op)) accesses.emplace_back(&op);
      if (!op.isRegistered() || op.is("func.call_indirect")) return WalkResult::Interrupt;
      if (!isa<func::CallOp>(&op)) return WalkResult::Advance;
      func::FuncOp callee = func::CallOp(&op).function();
      return callee && callee.isDeclaration() ? WalkResult::Advance : WalkResult::Interrupt;
    });
    return result != WalkResult::Interrupt;
  }

  bool haveOwnPlaces(ChannelAccessOp a, ChannelAccessOp b) const {
    if (a.indices().size() != b.indices().size()) return false;
    for (unsigned dim = 0; dim < sizes_.size(); ++dim) {
      bool found = sizes_[dim] <= 1;
      for (unsigned i = 0; i < a.indices().size(); ++i)
        found |= a.indices()[i] == first_.id(dim) && b.indices()[i] == second_.id(dim);
      if (!found) return false;
    }
    return true;
  }

  // -- Memory ------------------------------------------------------------------------------------

  bool mayShareMemory() {
    std::vector<CoreAccess> ofFirst = accessesOf(first_), ofSecond = accessesOf(second_);
    for (const CoreAccess& a : ofFirst)
      for (const CoreAccess& b : ofSecond)
        if (mayTouchOne(a, b)) return true;
    return false;
  }

  std::vector<CoreAccess> accessesOf(HerdOp herd) {
    std::vector<CoreAccess> result;
    for (Operation& op : herd.body().ops())
      for (BufferAccess& access : reader_.all(op))
        if (!access.buffer.isMadeIn(*herd)) result.push_back(split(std::move(access), herd));
    return result;
  }

  CoreAccess split(BufferAccess access, HerdOp herd) {
    CoreAccess core{std::move(access), std::vector<int64_t>(sizes_.size())};
    if (!core.access.region) return core;
    std::erase_if(core.access.region->start.terms, [&](const LinearSum::Term& term) {
      for (unsigned dim = 0; dim < sizes_.size(); ++dim)
        if (term.symbol == herd.id(dim)) return core.ofIds[dim] = term.coefficient, true;
      return false;
    });
    if (!isWidened(*core.access.region, *herd)) core.access.region.reset();
    return core;
  }

  /// Over what is computed in the herd, and the loops around it.
  bool isWidened(StridedRegion& region, Operation& herd) {
    for (Operation* around = &herd; around; around = around->parentOp()) {
      bool isLoop = isa<scf::ForOp>(around) || around->is("affine.for");
      if ((around == &herd || isLoop) && !widen(region, *around, reader_.indices())) return false;
      if (around != &herd && asHierarchy(around)) break;
    }
    return true;
  }

  bool mayTouchOne(const CoreAccess& a, const CoreAccess& b) {
    if (!analysis::kindsConflict(a.access.kind, b.access.kind)) return false;
    BufferAccess whole = a.access;
    whole.region.reset();
    if (!reader_.mayConflict(whole, b.access)) return false;
    if (!a.access.region || !b.access.region || a.ofIds != b.ofIds) return true;
    for (unsigned dim = 0; dim < sizes_.size(); ++dim)
      if (sizes_[dim] > 1 && (mayMeet(a, b, dim, 1) || mayMeet(a, b, dim, -1))) return true;
    return false;
  }

  /// Ids before `dim` are the same, that of `dim` differs by 1 or more in the direction of `sign`.
  bool mayMeet(const CoreAccess& a, const CoreAccess& b, unsigned dim, int64_t sign) {
    StridedRegion moved = *a.access.region;
    int64_t shift = 0;
    for (unsigned i = dim; i < sizes_.size(); ++i) {
      if (std::abs(a.ofIds[i]) > kLargest || sizes_[i] > kLargest) return true;
      shift += i == dim ? sign * a.ofIds[i] : -(sizes_[i] - 1) * a.ofIds[i];
      int64_t count = i == dim ? sizes_[i] - 1 : 2 * sizes_[i] - 1;
      moved.dims.push_back({count, i == dim ? sign * a.ofIds[i] : a.ofIds[i]});
    }
    LinearSum constant;
    constant.constant = shift;
    return !moved.start.add(constant, 1) ||
           analysis::mayOverlap(moved, *b.access.region, reader_.indices());
  }

  static constexpr int64_t kLargest = 1 << 24;

  HerdOp first_, second_;
  std::vector<int64_t> sizes_;
  analysis::AccessReader reader_;
};

}  // namespace

bool otherCoresMayConflict(HerdOp first, HerdOp second) {
  return Cores(first, second).mayConflict();
}

}  // namespace airlite::air
