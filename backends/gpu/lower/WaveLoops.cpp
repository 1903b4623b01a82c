#include "WaveLoops.hpp"

#include "IndexMath.hpp"
#include "Side.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace airlite::gpu {
namespace {

struct Access {
  Value memref;
  std::vector<Value> indices;
  std::vector<int64_t> extents;  ///< of what is accessed, in each dimension
};

Access accessOf(Value memref, OperandRange indices, Type element = Type()) {
  Access access{memref, indices.vec(), std::vector<int64_t>(indices.size(), 1)};
  if (const auto vector = element ? element.dynCast<VectorType>() : VectorType())
    std::ranges::copy_backward(vector.shape(), access.extents.end());
  return access;
}

/// Of numbers, and of vectors along the last dimensions; empty: no access, or another one.
std::optional<Access> accessOf(Operation& op) {
  if (memref::StoreOp store = dynCast<memref::StoreOp>(&op))
    return accessOf(store.memref(), store.indices());
  if (memref::LoadOp load = dynCast<memref::LoadOp>(&op))
    return accessOf(load.memref(), load.indices());
  const bool isVector = op.is("vector.transfer_read") || op.is("vector.transfer_write");
  const vector::TransferOp transfer(&op);
  if (!isVector || !transfer.isMinorIdentity() || !transfer.source().type().isa<MemRefType>() ||
      elementTypeOrSelf(transfer.source().type()).isa<VectorType>())
    return std::nullopt;
  return accessOf(transfer.source(), transfer.indices(), transfer.vectorType());
}

bool writesMemory(const Operation& op) {
  return op.is("memref.store") || op.is("vector.transfer_write");
}

/// Other numbers in other rounds: the number of the loop, or that and something which does not depend on it.
bool isOfRound(Value index, Value round, Operation& loop) {
  if (index == round) return true;
  Operation* sum = index.definingOp();
  if (!sum || !sum->is("arith.addi")) return false;
  const auto isFixed = [&](Value value) {
    return !loop.isAncestor(value.parentBlock()->parentOp());
  };
  return (sum->operand(0) == round && isFixed(sum->operand(1))) ||
         (sum->operand(1) == round && isFixed(sum->operand(0)));
}

/// All accesses to one buffer that the rounds write.
class BufferAccesses {
 public:
  void add(Access access, bool isWrite) {
    isWritten_ = isWritten_ || isWrite;
    accesses_.push_back(std::move(access));
  }

  /// In one dimension all have the same index, which differs from round to round.
  bool areApart(Value round, Operation& loop) const {
    if (!isWritten_) return true;
    if (!std::ranges::all_of(accesses_, [](const Access& access) {
          return gpu::areApart(access.memref.type().cast<MemRefType>());
        }))
      return false;
    const int64_t step = constantIntOf(scf::ForOp(&loop).step()).value_or(0);
    const Access& first = accesses_[0];
    for (size_t dim = 0; dim < first.indices.size(); ++dim) {
      const bool isCommon = std::ranges::all_of(accesses_, [&](const Access& other) {
        return other.memref == first.memref && other.extents[dim] <= step &&
               isSame(other.indices[dim], first.indices[dim]);
      });
      if (isCommon && isOfRound(first.indices[dim], round, loop)) return true;
    }
    return false;
  }

 private:
  /// One value, or two sums of the same.
  static bool isSame(Value a, Value b) {
    if (a == b) return true;
    Operation *x = a.definingOp(), *y = b.definingOp();
    return x && y && x->is("arith.addi") && y->is("arith.addi") && x->operand(0) == y->operand(0) &&
           x->operand(1) == y->operand(1);
  }

  std::vector<Access> accesses_;
  bool isWritten_ = false;
};

/// The loop that is all there is in the body of `loop`; null: none.
Operation* onlyLoopIn(Operation& loop) {
  Operation& first = scf::ForOp(&loop).body().front();
  const bool isOnly = first.is("scf.for") && first.next() && first.next()->is("scf.yield");
  return isOnly ? &first : nullptr;
}

}  // namespace

bool hasOwnRounds(const Kernel& kernel, Operation& op) {
  scf::ForOp loop = dynCast<scf::ForOp>(&op);
  if (!loop || loop.numIterArgs() || loop.tripCount().value_or(0) <= 1) return false;
  std::unordered_map<Value, BufferAccesses> buffers;
  bool isKnown = true;
  op.walk([&](Operation& inner) {
    if (auto access = accessOf(inner)) {
      const Value root = rootOf(kernel, access->memref);
      isKnown = isKnown && root;
      buffers[root].add(std::move(*access), writesMemory(inner));
    } else if (inner.numRegions() != 0) {
      isKnown = isKnown && (inner.is("scf.for") || inner.is("scf.if"));
    } else {
      isKnown = isKnown && (isMemoryEffectFree(inner) || inner.hasTrait(Trait::Terminator));
    }
  });
  return isKnown && std::ranges::all_of(buffers, [&](const auto& entry) {
           return entry.second.areApart(loop.inductionVar(), op);
         });
}

void divideRounds(const Kernel& kernel, Operation& outermost) {
  std::vector<scf::ForOp> loops;
  int64_t rounds = 1;
  for (Operation* loop = &outermost; loop && hasOwnRounds(kernel, *loop);
       loop = onlyLoopIn(*loop)) {
    if (__builtin_mul_overflow(rounds, *scf::ForOp(loop).tripCount(), &rounds)) break;
    loops.emplace_back(loop);
  }
  Builder builder = Builder::before(outermost);
  const IndexMath math(builder, outermost.location());
  const int64_t wave = kernel.shape.wave;
  const bool isEven = rounds % wave == 0;
  scf::ForOp shared =
      scf::ForOp::create(builder, outermost.location(), isEven ? math.value(0) : kernel.lane,
                         math.value(rounds), math.value(wave));
  builder.setBefore(shared.body().back());
  Index round = Index(shared.inductionVar());
  if (isEven) round = math.add(round, Index(kernel.lane));
  // The last loop is the fastest one: neighbours have neighbours.
  for (size_t i = loops.size(); i-- > 0;) {
    const Index size(*loops[i].tripCount());
    const Index at = i ? math.rem(round, size) : round;
    round = math.div(round, size);
    const Index number =
        math.add(math.mul(at, Index(loops[i].step())), Index(loops[i].lowerBound()));
    loops[i].inductionVar().replaceAllUsesWith(math.value(number));
  }
  Block& body = loops.back().body();
  body.back().erase();
  const std::vector<Value> unused = {math.value(0)};
  Rewriter(outermost.context()).inlineBlockBefore(body, shared.body().back(), unused);
  outermost.erase();
}

}  // namespace airlite::gpu
