// transform.air.linalg_promote: operands of linalg ops get buffers in a memory space. What an op
// reads is copied in before it, what it writes is copied out after it.
//
// Where the operand was promoted for an op before in the same block, and nothing has touched it
// since, its buffer is used again. A copy out that the next op repeats goes away.
#include "ScriptRewrites.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>

namespace airlite {

namespace {

class Promoter {
 public:
  Promoter(const Promotion& how, std::unordered_set<Operation*>& erased)
      : how_(how), erased_(erased) {}

  /// `i` is an operand that is a memref outside of the memory space.
  void promote(linalg::StructuredOp op, unsigned i) {
    const Value operand = op->operand(i);
    const bool isOutput = i >= op.numInputs();
    // Elements that the op does not write are copied out again as well.
    const bool reads = !isOutput || op.readsOutput(i - op.numInputs()) ||
                       !op.indexingMaps()[i].isProjectedPermutation();
    Value buffer = earlierBuffer(op, operand, isOutput);
    if (!buffer) {
      buffer = allocate(op, operand.type().cast<MemRefType>());
      Builder builder = Builder::before(*op.op());
      if (reads) memref::CopyOp::create(builder, op->location(), operand, buffer);
    }
    op->setOperand(i, buffer);
    if (!isOutput) return;
    Builder builder = Builder::before(*op->next());
    memref::CopyOp::create(builder, op->location(), buffer, operand);
  }

  bool isThere(Value operand) const {
    auto space = memorySpaceOf(operand.type()).dynCast<IntegerAttr>();
    return space && space.value() == how_.space;
  }

 private:
  Value allocate(linalg::StructuredOp op, MemRefType like) {
    Builder builder = Builder::before(*op.op());
    const MemRefType type = MemRefType::get(builder.context(), like.shape(), like.elementType(),
                                            Attribute(), builder.i32Attr(how_.space));
    const Value buffer = memref::AllocOp::create(builder, op->location(), type).result();
    Operation& end = op->block()->back();
    Builder last = Builder::before(end);
    memref::DeallocOp::create(last, op->location(), buffer);
    return buffer;
  }

  /// The buffer that holds what the operand holds; null when there is none.
  Value earlierBuffer(linalg::StructuredOp op, Value operand, bool isOutput) {
    analysis::AccessReader reader;
    const analysis::BufferAccess whole{reader.bufferOf(operand), analysis::AccessKind::Write,
                                       reader.elementsOf(operand)};
    for (Operation* before = op->prev(); before; before = before->prev()) {
      if (const Value buffer = otherSide(*before, operand); buffer && isThere(buffer)) {
        if (isWritten(reader, *before, *op.op(), buffer)) return Value();
        if (isOutput && before->operand(0) == buffer) eraseCopy(*before);
        return buffer;
      }
      for (const analysis::BufferAccess& access : reader.all(*before))
        if (reader.mayOverlap(access, whole)) return Value();
    }
    return Value();
  }

  /// Of a copy from or to `operand`.
  static Value otherSide(Operation& op, Value operand) {
    if (!op.is("memref.copy")) return Value();
    if (op.operand(0) == operand) return op.operand(1);
    return op.operand(1) == operand ? op.operand(0) : Value();
  }

  static bool isWritten(analysis::AccessReader& reader, Operation& from, Operation& to,
                        Value buffer) {
    const analysis::BufferAccess read{reader.bufferOf(buffer), analysis::AccessKind::Read};
    for (Operation* op = from.next(); op && op != &to; op = op->next())
      for (const analysis::BufferAccess& access : reader.all(*op))
        if (reader.mayConflict(access, read)) return true;
    return false;
  }

  void eraseCopy(Operation& copy) {
    erased_.insert(&copy);
    copy.erase();
  }

  const Promotion& how_;
  std::unordered_set<Operation*>& erased_;
};

}  // namespace

LogicalResult promoteLinalg(std::span<Operation* const> ops, const Promotion& how,
                            std::unordered_set<Operation*>& erased) {
  Promoter promoter(how, erased);
  int64_t first = 0;  // number of the first operand of an op in its group
  for (size_t at = 0; at < ops.size(); ++at) {
    linalg::StructuredOp op = linalg::asStructured(ops[at]);
    if (!op || !op.onBuffers())
      return ops[at]->emitOpError() << "is not a structured linalg op on buffers";
    if (at % static_cast<size_t>(how.groupSize) == 0) first = 0;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      auto type = op->operand(i).type().dynCast<MemRefType>();
      const bool isAsked = how.operands.empty() ||
                           std::ranges::count(how.operands, first + static_cast<int64_t>(i)) != 0;
      if (!type || !isAsked || promoter.isThere(op->operand(i))) continue;
      if (!type.hasStaticShape())
        return op->emitOpError() << "not supported: to promote an operand whose shape is not known";
      promoter.promote(op, i);
    }
    first += op->numOperands();
  }
  return success();
}

}  // namespace airlite
