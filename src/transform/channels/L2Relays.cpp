#include "L2Relays.hpp"

#include "AccessLists.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Dominance.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace airlite::air {
namespace {

bool isPlainDma(Operation& op) {
  if (!isa<DmaMemcpyNdOp>(&op) || op.numResults()) return false;
  const DmaMemcpyNdOp dma(&op);
  return dma.dependencies().empty() && dma.padBefore().empty() && dma.padAfter().empty();
}

/// The op of `block` around `op`; null where that is not there, or something else than loops of a process is between.
Operation* stepOf(Operation* op, const Block& block) {
  while (op && op->block() != &block) {
    op = op->parentOp();
    if (op && !isa<scf::ForOp>(op)) return nullptr;
  }
  return op;
}

/// One class: what is known of the copies is found step by step, and each step needs those before.
class Relay {
 public:
  explicit Relay(Operation& alloc)
      : alloc_(alloc), type_(alloc.result().type().cast<MemRefType>()) {}

  /// Finds who uses the buffer; false: it has to stay.
  bool canSkip() {
    if (memoryLevel(type_) != MemoryLevel::L2 || !type_.hasStaticShape() ||
        !type_.hasIdentityLayout() || alloc_.numOperands() || type_.numElements() > kMostElements)
      return false;
    return findUses() && isWholeCopy() && stepsFit() && countElements();
  }

  void skip() {
    for (Operation* part : parts_) {
      Builder builder = Builder::before(*part);
      const DmaMemcpyNdOp dma(part);
      const Access other = gathers_ ? dma.src() : dma.dst(), l3 = partOfL3(builder, *part);
      createDma(builder, *part, gathers_ ? l3 : other, gathers_ ? other : l3);
      part->erase();
    }
    whole_->erase();
    for (Operation* end : ends_)
      end->erase();
    alloc_.erase();
  }

 private:
  bool findUses() {
    std::vector<Operation*> fills, reads;
    for (OpOperand& use : alloc_.result().uses()) {
      Operation* user = use.owner();
      if (user->is("memref.dealloc")) {
        ends_.push_back(user);
        continue;
      }
      if (!isPlainDma(*user)) return false;
      const DmaMemcpyNdOp dma(user);
      if (dma.src().memref == dma.dst().memref) return false;
      (dma.src().memref == alloc_.result() ? reads : fills).push_back(user);
    }
    if (fills.empty() || reads.empty()) return false;
    gathers_ = reads.size() == 1 && isOfL3(DmaMemcpyNdOp(reads.front()).dst());
    if (!gathers_ && (fills.size() != 1 || !isOfL3(DmaMemcpyNdOp(fills.front()).src())))
      return false;
    whole_ = gathers_ ? reads.front() : fills.front();
    parts_ = gathers_ ? fills : reads;
    return whole_->block() == alloc_.block();
  }

  static bool isOfL3(const Access& side) {
    return memoryLevel(side.memref.type()) == MemoryLevel::L3;
  }

  /// Of the copy of the whole buffer.
  Access sideOfL3() const {
    const DmaMemcpyNdOp dma(whole_);
    return gathers_ ? dma.dst() : dma.src();
  }

  Access sideOfBuffer(Operation& op) const {
    const DmaMemcpyNdOp dma(&op);
    return dma.src().memref == alloc_.result() ? dma.src() : dma.dst();
  }

  /// All of the buffer is a block of L3 with the same dimensions.
  bool isWholeCopy() const {
    const Access l3 = sideOfL3();
    const auto memref = l3.memref.type().cast<MemRefType>();
    if (!sideOfBuffer(*whole_).isWhole()) return false;
    if (l3.isWhole()) return std::ranges::equal(memref.shape(), type_.shape()) && stridesOf(memref);
    if (l3.sizes.size() != type_.shape().size()) return false;
    for (size_t i = 0; i < l3.sizes.size(); ++i)
      if (l3.sizes[i].known() != type_.dim(i)) return false;
    return true;
  }

  static std::optional<std::vector<int64_t>> stridesOf(MemRefType memref) {
    const auto strided = memref.stridedForm();
    if (!strided || std::ranges::count(strided->strides, kDynamic)) return std::nullopt;
    return strided->strides;
  }

  /// Parts that fill the buffer come before the whole copy, others after it, and nothing between has to do with L3.
  bool stepsFit() {
    Block& block = *whole_->block();
    std::vector<Operation*> steps;
    for (Operation* part : parts_) {
      Operation* step = stepOf(part, block);
      const DmaMemcpyNdOp dma(part);
      if (!step || isOfL3(gathers_ ? dma.src() : dma.dst()) || !isKnown(*part)) return false;
      steps.push_back(step);
    }
    int64_t left = std::ssize(steps);
    for (Operation* at = next(*whole_); at && left; at = next(*at)) {
      if (hindersL3(*at)) return false;
      left -= std::ranges::count(steps, at);
    }
    return left == 0;
  }

  Operation* next(Operation& op) const { return gathers_ ? op.prev() : op.next(); }

  /// It may see that L3 is written earlier, or write what is read later then.
  bool hindersL3(Operation& step) const {
    bool hinders = false;
    step.walk([&](Operation& op) {
      const bool isRead = !gathers_ && isa<DmaMemcpyNdOp>(&op) && !isOfL3(DmaMemcpyNdOp(&op).dst());
      for (Value operand : op.operands())
        hinders = hinders || (!isRead && operand.type().isa<MemRefType>() &&
                              memoryLevel(operand.type()) == MemoryLevel::L3);
    });
    return hinders;
  }

  /// The place in L3 is known where the part is copied.
  bool isKnown(Operation& part) const {
    DominanceInfo dominance;
    const Access l3 = sideOfL3();
    const auto areThere = [&](const std::vector<IndexEntry>& list) {
      return std::ranges::all_of(list, [&](const IndexEntry& entry) {
        return entry.known() || dominance.dominates(entry.value, &part);
      });
    };
    return dominance.dominates(l3.memref, &part) && areThere(l3.offsets) && areThere(l3.strides);
  }

  // -- Which elements are copied

  /// The parts are blocks of the buffer. All elements are in one of them that fills it, and in at most one that reads it.
  bool countElements() {
    isCopied_.assign(static_cast<size_t>(type_.numElements()), false);
    for (Operation* part : parts_) {
      std::vector<scf::ForOp> loops;
      for (Operation* at = part->parentOp(); at != whole_->parentOp(); at = at->parentOp())
        loops.push_back(scf::ForOp(at));
      numbers_.clear();
      rounds_ = 0;
      if (!markRounds(sideOfBuffer(*part), loops)) return false;
    }
    return gathers_ ? std::ranges::count(isCopied_, false) == 0 : isOnce_;
  }

  bool markRounds(const Access& part, std::vector<scf::ForOp> loops) {
    if (loops.empty()) return ++rounds_ <= kMostRounds && mark(part);
    const scf::ForOp loop = loops.back();
    loops.pop_back();
    const auto first = constantIntOf(loop.lowerBound()), step = constantIntOf(loop.step());
    const auto count = loop.tripCount();
    if (!first || !step || !count) return false;
    for (int64_t i = 0; i < *count && rounds_ <= kMostRounds; ++i) {
      numbers_[loop.inductionVar()] = *first + i * *step;
      if (!markRounds(part, loops)) return false;
    }
    return rounds_ <= kMostRounds;
  }

  std::optional<int64_t> numberOf(const IndexEntry& entry) const {
    if (const auto known = entry.known()) return known;
    const auto number = numbers_.find(entry.value);
    return number == numbers_.end() ? std::nullopt : std::optional(number->second);
  }

  bool mark(const Access& part) {
    const auto strides = stridesOf(type_);
    if (part.isWhole()) {
      const std::vector<int64_t> sizes(type_.shape().begin(), type_.shape().end());
      markBlock(*strides, std::vector<int64_t>(sizes.size()), sizes, 0, 0);
      return true;
    }
    const size_t rank = type_.shape().size();
    if (part.sizes.size() != rank) return false;
    std::vector<int64_t> offsets, sizes;
    for (size_t i = 0; i < rank; ++i) {
      const auto offset = numberOf(part.offsets[i]), size = part.sizes[i].known();
      if (!offset || !size || part.strides[i].known() != (*strides)[i]) return false;
      if (*offset < 0 || *size < 0 || *offset + *size > type_.dim(i)) return false;
      offsets.push_back(*offset);
      sizes.push_back(*size);
    }
    markBlock(*strides, offsets, sizes, 0, 0);
    return true;
  }

  void markBlock(const std::vector<int64_t>& strides, const std::vector<int64_t>& offsets,
                 const std::vector<int64_t>& sizes, size_t dim, int64_t element) {
    if (dim == sizes.size()) {
      const auto at = static_cast<size_t>(element);
      isOnce_ = isOnce_ && !isCopied_[at];
      isCopied_[at] = true;
      return;
    }
    for (int64_t i = 0; i < sizes[dim]; ++i)
      markBlock(strides, offsets, sizes, dim + 1, element + (offsets[dim] + i) * strides[dim]);
  }

  // -- Writing

  /// The part of L3 that a part of the buffer is.
  Access partOfL3(Builder& builder, Operation& op) const {
    const Access part = sideOfBuffer(op);
    Access l3 = sideOfL3();
    if (part.isWhole()) return l3;
    const bool isAll = l3.isWhole();
    const auto strides = stridesOf(l3.memref.type().cast<MemRefType>());
    for (size_t i = 0; i < part.offsets.size(); ++i) {
      if (isAll) {
        l3.offsets.push_back(part.offsets[i]);
        l3.strides.push_back({(*strides)[i], Value()});
      } else {
        l3.offsets[i] = sum(builder, op.location(), l3.offsets[i], part.offsets[i]);
      }
    }
    l3.sizes = part.sizes;
    return l3;
  }

  static IndexEntry sum(Builder& builder, Location location, const IndexEntry& a,
                        const IndexEntry& b) {
    if (a.known() && b.known()) return {*a.known() + *b.known(), Value()};
    if (b.known() == 0) return a;
    const auto valueOf = [&](const IndexEntry& entry) {
      return entry.known() ? builder.constantIndex(location, *entry.known()) : entry.value;
    };
    return {0,
            builder.create(location, "arith.addi", {valueOf(a), valueOf(b)}, {builder.indexType()})
                ->result()};
  }

  static constexpr int64_t kMostElements = 65'536, kMostRounds = 4'096;
  Operation& alloc_;
  MemRefType type_;
  /// Parts fill it, and all of it goes to L3; else all comes from L3, and parts leave.
  bool gathers_ = false;
  Operation* whole_ = nullptr;  ///< copies all of it from or to L3
  std::vector<Operation*> parts_, ends_;
  std::vector<bool> isCopied_;  ///< by element
  bool isOnce_ = true;          ///< no element is in two parts
  std::unordered_map<Value, int64_t> numbers_;
  int64_t rounds_ = 0;
};

}  // namespace

void skipRelays(Operation& launch) {
  std::vector<Operation*> buffers;
  launch.walk([&](Operation& op) {
    if (op.is("memref.alloc")) buffers.push_back(&op);
  });
  for (Operation* buffer : buffers)
    if (Relay relay(*buffer); relay.canSkip()) relay.skip();
}

}  // namespace airlite::air
