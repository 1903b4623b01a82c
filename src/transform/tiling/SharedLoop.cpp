// See SharedLoop.hpp.
#include "SharedLoop.hpp"

#include "LoopStatements.hpp"
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/hierarchy/CoreWork.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::tiling {

namespace {

bool hasUses(Operation& op) {
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (op.result(i).hasUses()) return true;
  return false;
}

}  // namespace

std::optional<SharedLoop> loopOf(Operation& op) {
  if (hasUses(op)) return std::nullopt;
  const LoopView view = readLoop(op);
  if (!view.isKnown || view.loops.empty()) return std::nullopt;
  return SharedLoop{view.loops[0], &op, {view.loops.begin() + 1, view.loops.end()}, view.inits};
}

Operation* interchange(Operation& outer) {
  const auto isPlain = [](Operation& op) {
    return (op.is("scf.for") || op.is("affine.for")) && op.numResults() == 0;
  };
  if (!isPlain(outer)) return nullptr;
  Block& body = outer.region(0).front();
  Operation& inner = body.front();
  if (!isPlain(inner) || inner.next() != &body.back()) return nullptr;
  for (Value bound : inner.operands())
    if (bound == body.argument(0)) return nullptr;
  std::vector<Operation*> work;
  for (Operation& op : inner.region(0).front().ops())
    work.push_back(&op);
  Operation* const end = work.back();
  work.pop_back();
  inner.moveBefore(&outer);
  for (Operation* op : work)
    op->moveBefore(&body.back());
  outer.moveBefore(end);
  return &inner;
}

bool isOwnMemory(Operation& op) {
  if (!isa<memref::AllocOp>(&op) && !isa<memref::AllocaOp>(&op)) return false;
  const auto type = op.result().type().cast<MemRefType>();
  return isL3(type) && isWhole(op.result()) &&
         std::ranges::all_of(op.result().uses(), [](OpOperand& use) {
           return isAccess(*use.owner()) || use.owner()->is("memref.dealloc");
         });
}

namespace {

using analysis::LinearReader;
using analysis::LinearSum;
using analysis::SymbolRange;

/// Finds the part of each buffer that a round touches. One class: its steps share the accesses of the loop.
class PartReader {
 public:
  explicit PartReader(const SharedLoop& loop) : loop_(loop) {}

  /// Empty, or why the rounds cannot be shared out.
  std::string_view read(std::vector<SharedBuffer>& buffers) {
    loop_.op->walk([&](Operation& op) {
      if (isAccess(op)) accesses_.push_back({&op, elementOf(op, indices_)});
    });
    for (const auto& [op, access] : accesses_) {
      if (isInside(access.memref)) continue;
      auto found = std::ranges::find(buffers, access.memref, &SharedBuffer::memref);
      if (found == buffers.end()) found = buffers.insert(found, SharedBuffer{access.memref});
      (access.stored ? found->isStored : found->isLoaded) = true;
    }
    for (SharedBuffer& buffer : buffers)
      if (std::string_view why = readBuffer(buffer); !why.empty()) return why;
    return {};
  }

 private:
  struct Access {
    Operation* op;
    ElementAccess element;
  };

  bool isInside(Value value) const {
    Operation* made = value.definingOp();
    return made && loop_.op->isProperAncestor(made);
  }

  std::string_view readBuffer(SharedBuffer& buffer) {
    if (!isL3(buffer.memref.type()) || !isWhole(buffer.memref))
      return "a buffer has no static shape of its own";
    if (hasOtherUses(buffer.memref, *loop_.op)) return "a buffer is used otherwise";
    for (unsigned dim = 0; dim < buffer.type().rank() && !buffer.dim; ++dim)
      readDim(buffer, dim);
    buffer.isFilled = buffer.dim && !buffer.isLoaded && isFilled(buffer);
    return {};
  }

  /// Sets the part of a round where the dimension says it.
  void readDim(SharedBuffer& buffer, unsigned dim) {
    int64_t low = 0, high = 0, factor = 0;
    for (const Access& access : accesses_) {
      if (access.element.memref != buffer.memref) continue;
      const LinearSum& index = access.element.index[dim];
      const int64_t own = factorOf(index, loop_.variable);
      const auto range = rangeOf(index);
      if (own <= 0 || !range || (factor && own != factor)) return;
      low = factor ? std::min(low, range->first) : range->first;
      high = factor ? std::max(high, range->second) : range->second;
      factor = own;
    }
    const int64_t perRound = factor * loop_.step, size = buffer.type().dim(dim);
    const int64_t begin = factor * loop_.lower + low,
                  first = std::min(begin, size - perRound * loop_.count);
    if (first < 0 || begin - first + high - low >= perRound) return;
    buffer.dim = dim;
    buffer.first = first;
    buffer.perRound = perRound;
  }

  static int64_t factorOf(const LinearSum& sum, Value symbol) {
    for (const LinearSum::Term& term : sum.terms)
      if (term.symbol == symbol) return term.coefficient;
    return 0;
  }

  /// The least and the greatest of what is added to the multiple of the loop's variable.
  std::optional<std::pair<int64_t, int64_t>> rangeOf(const LinearSum& sum) {
    int64_t low = sum.constant, high = sum.constant;
    for (const LinearSum::Term& term : sum.terms) {
      if (term.symbol == loop_.variable) continue;
      const std::optional<SymbolRange> range = indices_.rangeOf(term.symbol);
      if (!range || range->count < 1) return std::nullopt;
      const int64_t a = term.coefficient * range->lower,
                    b = a + term.coefficient * range->step * (range->count - 1);
      low += std::min(a, b);
      high += std::max(a, b);
    }
    return std::pair(low, high);
  }

  /// Whether one of the stores runs for all elements of a round's part.
  bool isFilled(const SharedBuffer& buffer) {
    return std::ranges::any_of(accesses_, [&](const Access& access) {
      return access.element.memref == buffer.memref && fills(buffer, access);
    });
  }
  bool fills(const SharedBuffer& buffer, const Access& access) {
    std::unordered_set<Value> counted;
    for (Operation* above = access.op->parentOp(); above != loop_.op; above = above->parentOp())
      if (!alwaysRuns(*above)) return false;
    for (unsigned dim = 0; dim < buffer.type().rank(); ++dim) {
      const bool isShared = dim == *buffer.dim;
      LinearSum index = access.element.index[dim];
      if (isShared)
        std::erase_if(index.terms, [&](const auto& t) { return t.symbol == loop_.variable; });
      const int64_t first =
                        isShared ? buffer.first - buffer.perRound / loop_.step * loop_.lower : 0,
                    size = isShared ? buffer.perRound : buffer.type().dim(dim);
      if (!counts(index, first, size, counted)) return false;
    }
    return true;
  }
  bool alwaysRuns(Operation& loop) {
    if (!loop.is("affine.for") && !loop.is("scf.for")) return false;
    const auto range = indices_.rangeOf(loop.region(0).front().argument(0));
    return range && range->count > 0;
  }
  /// Whether the sum takes all `size` values from `first` on; each symbol counts once.
  bool counts(const LinearSum& sum, int64_t first, int64_t size,
              std::unordered_set<Value>& counted) {
    if (sum.terms.empty()) return size == 1 && sum.constant == first;
    if (sum.terms.size() > 1) return false;
    const auto& [symbol, coefficient] = sum.terms[0];
    const std::optional<SymbolRange> range = indices_.rangeOf(symbol);
    return range && coefficient * range->step == 1 && range->count == size &&
           sum.constant + coefficient * range->lower == first && counted.insert(symbol).second;
  }

  const SharedLoop& loop_;
  LinearReader indices_{LinearReader::Reach::Body};
  std::vector<Access> accesses_;
};

}  // namespace

std::string_view readParts(const SharedLoop& loop, std::vector<SharedBuffer>& buffers) {
  return PartReader(loop).read(buffers);
}

}  // namespace airlite::tiling
