// air-prune-linalg-generic-input-dma: copies into operands whose old values nobody looks at.
//
// Matches a DMA that fills a buffer for a linalg op whose body does not use the element of that
// operand: an input that is not read, or an output that is overwritten. It is erased when
//  - nothing reads the buffer at all, or
//  - an op after it, in the same block, certainly writes all that it has written, without reading
//    it, and all who read the buffer come after that op.
// What waited for the DMA waits for what the DMA waited for. The copies that came before it into
// the buffer that it read are looked at in the same way: each level of memory drops the data that
// the next one does not ask for.
//
// Declines, with a remark at the DMA: a buffer that is not made in the block of the DMA or cannot
// be followed; a reader that may come before the op that overwrites.
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/BufferUses.hpp"
#include "analysis/TokenReach.hpp"
#include "transform/dependency/TokenMoves.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

using air::DmaMemcpyNdOp;
using air::tokenOf;
using analysis::AccessKind;
using analysis::AccessReader;
using analysis::BufferAccess;

Operation* ancestorInBlock(Operation* op, const Block& block) {
  while (op && op->block() != &block)
    op = op->parentOp();
  return op;
}

/// Over when the next op begins.
bool isBlocking(Operation& op) {
  bool isPlain = op.numRegions() == 0 || linalg::asStructured(&op);
  return air::isAsyncOp(op) ? !air::AsyncOp(&op).token() : isPlain;
}

/// The body does not use the element of operand `i`.
bool ignores(linalg::StructuredOp op, unsigned i) {
  if (op->region().empty()) return false;
  if (i >= op.numInputs()) return !op.readsOutput(i - op.numInputs());
  Value element = op.bodyArgument(i);
  return element && !element.hasUses();
}

/// The region is all of a buffer of `size` elements.
bool isAll(const analysis::StridedRegion& region, int64_t size) {
  if (!region.start.isConstant() || region.start.constant != 0) return false;
  std::vector<analysis::StridedDim> dims = region.dims;
  std::sort(dims.begin(), dims.end(),
            [](const auto& a, const auto& b) { return a.stride < b.stride; });
  int64_t reach = 1;  // elements [0, reach) are in it
  for (const analysis::StridedDim& dim : dims) {
    if (dim.count == 1) continue;
    if (dim.count < 1 || dim.stride < 0 || dim.stride > reach) return false;
    if (dim.stride > 0 && dim.count - 1 > (size - reach) / dim.stride) return false;
    reach += (dim.count - 1) * dim.stride;
  }
  return reach == size;
}

/// What the ops of a program do, asked once for each.
class Accesses {
 public:
  AccessReader& reader() { return reader_; }
  const std::vector<BufferAccess>& of(Operation& op) {
    auto [slot, isNew] = known_.try_emplace(&op);
    if (isNew) slot->second = reader_.all(op);
    return slot->second;
  }

 private:
  AccessReader reader_;
  std::unordered_map<Operation*, std::vector<BufferAccess>> known_;
};

/// A buffer that the program makes, and who uses it.
class LocalBuffer {
 public:
  LocalBuffer(Operation& alloc, Accesses& accesses);

  const std::vector<Operation*>& copiesInto() const { return copies_; }
  /// Empty when nobody sees what `dma` writes into the buffer.
  std::string_view obstacle(Operation& dma);

 private:
  bool reads(Operation& op);
  bool isRewrittenBy(Operation& op, Operation& dma);
  bool covers(const BufferAccess& write, const BufferAccess& piece) const;
  bool comesAfter(Operation& reader, Operation& op);
  Operation& maker() const {
    bool isInExecute = isa<air::ExecuteOp>(alloc_.parentOp());
    return isInExecute ? *alloc_.parentOp() : alloc_;
  }

  Operation& alloc_;
  Accesses& accesses_;
  analysis::Buffer buffer_;
  air::BufferUses uses_;
  std::vector<Operation*> copies_, readers_;
  air::TokenReach reach_;
};

LocalBuffer::LocalBuffer(Operation& alloc, Accesses& accesses)
    : alloc_(alloc), accesses_(accesses), uses_(alloc.result()) {
  buffer_ = accesses.reader().bufferOf(alloc.result());
  for (Operation* op : uses_.accesses) {
    if (air::asHierarchy(op)) continue;
    if (reads(*op)) readers_.push_back(op);
    if (isa<DmaMemcpyNdOp>(op) &&
        accesses.reader().bufferOf(DmaMemcpyNdOp(op).dst().memref) == buffer_)
      copies_.push_back(op);
  }
}

bool LocalBuffer::reads(Operation& op) {
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return true;
  auto isRead = [&](Value value) { return accesses_.reader().bufferOf(value) == buffer_; };
  if (linalg::StructuredOp structured = linalg::asStructured(&op)) {
    unsigned operands = structured.numInputs() + structured.numOutputs();
    for (unsigned i = 0; i < operands; ++i) {
      Value value = op.operand(i);
      if (value.type().isa<MemRefType>() && isRead(value) && !ignores(structured, i)) return true;
    }
    return false;
  }
  return std::any_of(effects.begin(), effects.end(), [&](const EffectInstance& effect) {
    return effect.effect == Effect::Read && (!effect.value || isRead(effect.value));
  });
}

std::string_view LocalBuffer::obstacle(Operation& dma) {
  if (uses_.escapes) return "the buffer is passed on to where it cannot be followed";
  if (readers_.empty()) return {};
  if (maker().block() != dma.block()) return "the buffer is not made in the block of the DMA";
  std::unordered_set<Operation*> seen;
  for (Operation* access : uses_.accesses) {
    Operation* op = ancestorInBlock(access, *dma.block());
    if (op && op != &dma && seen.insert(op).second && isRewrittenBy(*op, dma)) return {};
  }
  return "no op is known to overwrite the data before all who read the buffer";
}

/// `op` comes after `dma`, before all readers, and writes all that `dma` has written.
bool LocalBuffer::isRewrittenBy(Operation& op, Operation& dma) {
  if (!dma.isBeforeInBlock(&op)) return false;
  std::vector<BufferAccess> written;
  accesses_.reader().direct(dma, written);
  auto isOfBuffer = [&](const BufferAccess& access) {
    return access.kind == AccessKind::Write && access.buffer == buffer_;
  };
  auto piece = std::find_if(written.begin(), written.end(), isOfBuffer);
  const std::vector<BufferAccess>& writes = accesses_.of(op);
  bool isCovered = std::any_of(writes.begin(), writes.end(), [&](const BufferAccess& access) {
    return isOfBuffer(access) && covers(access, *piece);
  });
  if (!isCovered || !comesAfter(op, dma)) return false;
  return std::all_of(readers_.begin(), readers_.end(), [&](Operation* reader) {
    Operation* at = ancestorInBlock(reader, *dma.block());
    return at && op.isBeforeInBlock(at) && comesAfter(*reader, op);
  });
}

bool LocalBuffer::covers(const BufferAccess& write, const BufferAccess& piece) const {
  if (!write.isCertain) return false;
  if (!write.region || write.region == piece.region) return true;
  MemRefType type = alloc_.result().type().cast<MemRefType>();
  return type.hasStaticShape() && isAll(*write.region, type.numElements());
}

/// `reader`, in the block of `op` or below, and after it in the text, begins when `op` is over.
bool LocalBuffer::comesAfter(Operation& reader, Operation& op) {
  if (isBlocking(op)) return true;
  Value token = tokenOf(op);
  return token && reach_.reaches(air::TokenReach::waitsOf(reader, *op.block()),
                                 [&](Value value) { return value == token; });
}

// -- Pruning --------------------------------------------------------------------------------------

/// In the text, `op` comes before `other` and is not around it.
bool isBefore(Operation& op, Operation& other) {
  for (Operation* at = &op; at; at = at->parentOp())
    if (Operation* beside = ancestorInBlock(&other, *at->block()))
      return at != beside && at->isBeforeInBlock(beside);
  return false;
}

class Pruner {
 public:
  explicit Pruner(PassContext& context) : context_(context) {}

  bool run(Operation& module) {
    module.walk([&](Operation& op) {
      if (linalg::StructuredOp structured = linalg::asStructured(&op)) addIgnored(structured);
    });
    while (!open_.empty()) {
      Question question = std::move(open_.back());
      open_.pop_back();
      prune(question);
    }
    return !erased_.empty();
  }

 private:
  /// Does anybody see what these have copied into a buffer?
  struct Question {
    Operation* alloc;
    std::vector<Operation*> copies;
  };

  void addIgnored(linalg::StructuredOp op) {
    for (unsigned i = 0; i < op.numInputs() + op.numOutputs(); ++i)
      if (op->operand(i).type().isa<MemRefType>() && ignores(op, i)) ask(op->operand(i), *op);
  }

  /// `op` does not ask for what is in `memref`. Only buffers that the program makes are looked at.
  void ask(Value memref, Operation& op) {
    Value buffer = accesses_.reader().bufferOf(memref).value;
    Operation* alloc = buffer ? buffer.definingOp() : nullptr;
    if (!alloc || !isa<memref::AllocOp>(alloc)) return;
    Question question{alloc, LocalBuffer(*alloc, accesses_).copiesInto()};
    std::erase_if(question.copies, [&](Operation* dma) { return !isBefore(*dma, op); });
    if (!question.copies.empty()) open_.push_back(std::move(question));
  }

  void prune(const Question& question) {
    LocalBuffer buffer(*question.alloc, accesses_);
    std::vector<Operation*> dead;
    for (Operation* dma : question.copies) {
      if (erased_.count(dma)) continue;
      std::string_view obstacle = buffer.obstacle(*dma);
      if (obstacle.empty())
        dead.push_back(dma);
      else
        context_.remark(*dma, obstacle);
    }
    for (Operation* dma : dead)
      erase(*dma);
  }

  void erase(Operation& dma) {
    context_.declareEffectChange(CountedEffect::Dma, "nobody looks at what the DMA copies");
    if (Value token = tokenOf(dma))
      air::replaceWaits(token, air::AsyncOp(&dma).dependencies().vec(),
                        [](Operation&) { return true; });
    ask(DmaMemcpyNdOp(&dma).src().memref, dma);
    erased_.insert(&dma);
    dma.erase();
  }

  PassContext& context_;
  Accesses accesses_;
  std::vector<Question> open_;
  std::unordered_set<Operation*> erased_;  // never looked into: others may have their place
};

class PruneDeadDma : public Pass {
 public:
  PruneDeadDma()
      : Pass("air-prune-linalg-generic-input-dma", "Erases copies of data that linalg ops ignore") {
    anchor("builtin.module");
    example("airlite-opt --air-dependency --air-prune-linalg-generic-input-dma in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    return changedIf(Pruner(context).run(module));
  }
};

}  // namespace

void registerPruneDeadDma(PassRegistry& registry) { registry.add<PruneDeadDma>(); }

}  // namespace airlite
