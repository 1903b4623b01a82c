// A computation run on definedness alone: its loops with their numbers, and of each value whether it
// is defined.
#include "Definedness.hpp"
#include "PathValues.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::analysis {

DefinedNest::DefinedNest(const Unfolding& unfolding, const Point& point, DefinedMemory& memory)
    : in_(unfolding), point_(point), memory_(memory), values_({}) {
  for (uint32_t i = point.firstTouch; i < point.firstTouch + point.numTouches; ++i)
    buffers_[in_.buffers[in_.touches[i].buffer].value.impl()] = in_.touches[i].buffer;
  for (uint32_t i = point.firstMaybe; i < point.firstMaybe + point.numMaybes; ++i)
    if (in_.maybes[i].buffer != kNone)
      buffers_[in_.buffers[in_.maybes[i].buffer].value.impl()] = in_.maybes[i].buffer;
  for (const Assumption& assumption : in_.assumptions)
    values_.set(assumption.value, assumption.number);
  for (InstanceId at = point.instance; at != kNone; at = in_.instances[at].outer) {
    const Instance& instance = in_.instances[at];
    const auto counters = countersOf(*instance.op);
    for (size_t i = 0; counters && i < counters->size() && i < instance.index.size(); ++i)
      values_.set((*counters)[i].variable, instance.index[i]);
  }
}

bool DefinedNest::run() { return runOp(*point_.op); }

bool DefinedNest::runBlock(Block& block) {
  for (Operation& op : block.ops())
    if (!runOp(op)) return false;
  return true;
}

bool DefinedNest::runOp(Operation& op) {
  if (--memory_.budget < 0) return false;
  if (op.hasTrait(Trait::Terminator)) return true;
  if (isa<memref::AllocOp>(&op) || isa<memref::AllocaOp>(&op)) {
    const MemRefType type = op.result().type().cast<MemRefType>();
    if (!type.hasStaticShape() || !type.hasIdentityLayout()) return false;
    Own& own = own_[op.result().impl()];
    own.size = type.numElements();
    own.runs.set(0, op.hasAttr(air::kZeroMemory) ? 0 : own.size, kNeverWritten);
    return true;
  }
  if (op.is("memref.dealloc") || op.hasTrait(Trait::ViewLike) || op.is("memref.assume_alignment"))
    return true;
  if (isa<scf::IfOp>(&op) || op.is("affine.if")) return runBranch(op);
  if (isa<scf::ForOp>(&op) || op.is("affine.for") || isa<scf::ParallelOp>(&op) ||
      op.is("affine.parallel"))
    return runLoops(op);
  if (linalg::asStructured(&op)) return runStructured(op);
  if (op.is("memref.copy")) return runCopy(op);
  if (op.numRegions() > 0) return false;
  std::vector<BufferAccess> accesses;
  reader_.direct(op, accesses);
  if (!accesses.empty()) return runAccess(op, accesses);
  return isMemoryEffectFree(op) && runPure(op);
}

// -- Control --------------------------------------------------------------------------------------

namespace {

/// Values that a loop carries: its results, its arguments after the counter, what it yields.
OperandRange initsOf(Operation& loop) {
  if (scf::ForOp counted = dynCast<scf::ForOp>(&loop)) return counted.initArgs();
  if (affine::ForOp counted = dynCast<affine::ForOp>(&loop)) return counted.inits();
  return loop.operands().slice(0, 0);
}

}  // namespace

bool DefinedNest::runLoops(Operation& op) {
  const auto counters = countersOf(op);
  const bool isCarrying = op.numResults() > 0;
  if (!counters || counters->empty()) return false;
  if (isCarrying && counters->size() != 1) return false;  // a reduction in no fixed order
  std::vector<UndefinedOrigin> carried;
  for (Value init : initsOf(op))
    carried.push_back(taint(init));
  if (carried.size() != op.numResults()) return false;
  if (!runCounter(op, *counters, 0, carried)) return false;
  for (unsigned i = 0; i < op.numResults(); ++i)
    taint(op.result(i)) = carried[i];
  return true;
}

bool DefinedNest::runCounter(Operation& op, const std::vector<Counter>& counters, size_t k,
                             std::vector<UndefinedOrigin>& carried) {
  if (k == counters.size()) {
    Block& body = op.region(0).front();
    for (unsigned i = 0; i < carried.size(); ++i)
      taint(body.argument(1 + i)) = carried[i];
    if (!runBlock(body)) return false;
    for (unsigned i = 0; i < carried.size(); ++i)
      carried[i] = taint(body.back().operand(i));
    return true;
  }
  const auto lower = values_.lower(counters[k].lower), upper = values_.upper(counters[k].upper);
  const auto step = values_.number(counters[k].step);
  if (!lower || !upper || !step || *step <= 0) return false;
  for (int64_t at = *lower; at < *upper; at += *step) {
    if (--memory_.budget < 0) return false;
    values_.set(counters[k].variable, at);
    if (!runCounter(op, counters, k + 1, carried)) return false;
    if (at > INT64_MAX - *step) break;
  }
  values_.unset(counters[k].variable);
  return true;
}

bool DefinedNest::runBranch(Operation& op) {
  Region* taken = takenRegion(op, values_);
  if (!taken) return false;
  if (taken->empty()) return true;
  if (!runBlock(taken->front())) return false;
  for (unsigned i = 0; i < op.numResults(); ++i)
    taint(op.result(i)) = taint(taken->front().back().operand(i));
  return true;
}

// -- Values ---------------------------------------------------------------------------------------

namespace {

/// Each element of the result comes from all that the operands have: of vectors that are partly
/// undefined nothing is known, so those that pick or move elements are left out.
bool isStrict(const Operation& op) {
  const std::string_view dialect = op.def().dialect;
  return dialect == "arith" || dialect == "math" || op.is("vector.broadcast") ||
         op.is("vector.fma") || op.is("vector.shape_cast") || op.is("vector.reduction") ||
         op.is("vector.extract");
}

}  // namespace

bool DefinedNest::runPure(Operation& op) {
  UndefinedOrigin origin = kIsDefined;
  for (Value operand : op.operands())
    if (origin == kIsDefined) origin = taint(operand);
  if (origin != kIsDefined && op.is("arith.select")) {
    const auto condition = values_(op.operand(0));
    if (taint(op.operand(0)) == kIsDefined)
      origin = condition ? taint(op.operand(*condition ? 1 : 2))
                         : std::min(taint(op.operand(1)), taint(op.operand(2)));
  } else if (origin != kIsDefined && !isStrict(op)) {
    return false;
  }
  for (unsigned i = 0; i < op.numResults(); ++i)
    taint(op.result(i)) = origin;
  return true;
}

// -- Memory ---------------------------------------------------------------------------------------

UndefinedRuns* DefinedNest::memoryOf(Value buffer) {
  if (const auto own = own_.find(buffer.impl()); own != own_.end()) return &own->second.runs;
  const auto known = buffers_.find(buffer.impl());
  return known == buffers_.end() ? nullptr : &memory_.of(known->second);
}

std::optional<ElementPiece> DefinedNest::pieceOf(const BufferAccess& access) {
  if (!access.region) {
    const MemRefType type = access.buffer.value.type().dynCast<MemRefType>();
    const bool isNumbered = type && type.hasStaticShape() && type.hasIdentityLayout();
    if (!isNumbered) return std::nullopt;
    return ElementPiece{0, {{type.numElements(), 1}}};
  }
  ElementPiece piece{access.region->start.constant, access.region->dims};
  for (const StridedDim& dim : piece.dims)
    if (dim.count == kUnbounded) return std::nullopt;
  for (const LinearSum::Term& term : access.region->start.terms) {
    const auto number = values_(term.symbol);
    if (!number) return std::nullopt;
    piece.start += *number * term.coefficient;
  }
  return piece;
}

/// A load or store of one element or one vector.
bool DefinedNest::runAccess(Operation& op, const std::vector<BufferAccess>& accesses) {
  if (accesses.size() != 1) return false;
  const BufferAccess& access = accesses.front();
  if (!access.buffer.isKnown() || access.kind == AccessKind::Hold) return false;
  UndefinedRuns* memory = memoryOf(access.buffer.value);
  if (!memory) return false;
  const bool isRead = access.kind == AccessKind::Read;
  if (isRead && memory->isEmpty()) {
    for (unsigned i = 0; i < op.numResults(); ++i)
      taint(op.result(i)) = kIsDefined;
    return true;
  }
  const auto piece = access.isCertain || access.region ? pieceOf(access) : std::nullopt;
  if (!piece || !access.isCertain) return false;
  return isRead ? load(op, access.buffer.value, *memory, *piece) : store(op, *memory, *piece);
}

/// A vector of which a part is undefined: what becomes of that part is not followed.
bool DefinedNest::load(Operation& op, Value buffer, const UndefinedRuns& memory,
                       const ElementPiece& piece) {
  UndefinedOrigin origin = kIsDefined;
  int64_t undefined = 0;
  piece.forEachRun([&](int64_t begin, int64_t length) {
    for (int64_t at = begin; at < begin + length;) {
      const UndefinedRun run = memory.firstIn(at, begin + length);
      if (run.origin == kIsDefined) break;
      if (origin == kIsDefined)
        origin = memory_.readBy(op, point_.instance, buffer, run.begin, run.origin);
      undefined += run.end - run.begin;
      at = run.end;
    }
    return true;
  });
  if (undefined != 0 && undefined != piece.count()) return false;
  for (unsigned i = 0; i < op.numResults(); ++i)
    taint(op.result(i)) = origin;
  return true;
}

bool DefinedNest::store(Operation& op, UndefinedRuns& memory, const ElementPiece& piece) {
  if (op.numOperands() == 0 || op.numResults() > 0) return false;
  const UndefinedOrigin origin = taint(op.operand(0));
  piece.forEachRun([&](int64_t begin, int64_t length) {
    memory.set(begin, begin + length, origin);
    return true;
  });
  return true;
}

bool DefinedNest::runCopy(Operation& op) {
  std::vector<BufferAccess> accesses;
  reader_.direct(op, accesses);
  if (accesses.size() != 2) return false;
  const bool readsFirst = accesses[0].kind == AccessKind::Read;
  const BufferAccess &from = accesses[readsFirst ? 0 : 1], &to = accesses[readsFirst ? 1 : 0];
  if (from.kind != AccessKind::Read || to.kind != AccessKind::Write) return false;
  if (!from.buffer.isKnown() || !to.buffer.isKnown() || !from.isCertain || !to.isCertain)
    return false;
  UndefinedRuns *source = memoryOf(from.buffer.value), *target = memoryOf(to.buffer.value);
  const auto read = pieceOf(from), written = pieceOf(to);
  if (!source || !target || !read || !written) return false;
  UndefinedStream stream;
  if (!memory_.append(stream, op, point_.instance, from.buffer.value, *source, *read)) return false;
  return memory_.take(stream, *target, *written);
}

// -- Structured ops -------------------------------------------------------------------------------

namespace {

/// Operands that an output depends on, of a body that uses all that it computes with; none where
/// the body chooses.
std::optional<std::vector<bool>> dependenciesOf(linalg::StructuredOp op, unsigned output) {
  std::vector<bool> depends(op->numOperands(), false);
  std::vector<Value> open{op.body().back().operand(output)};
  std::unordered_map<const detail::ValueImpl*, bool> seen;
  while (!open.empty()) {
    const Value value = open.back();
    open.pop_back();
    if (!seen.try_emplace(value.impl(), true).second) continue;
    if (value.isBlockArgument()) {
      if (value.argumentBlock() == &op.body() && value.index() < depends.size())
        depends[value.index()] = true;
      continue;
    }
    Operation& def = *value.definingOp();
    if (def.is("arith.select") || def.numRegions() > 0) return std::nullopt;
    if (def.block() == &op.body())
      for (Value operand : def.operands())
        open.push_back(operand);
  }
  return depends;
}

}  // namespace

/// Where each operand begins and how far each loop moves in it; null when it cannot be told.
std::optional<DefinedNest::Operand> DefinedNest::operandOf(linalg::StructuredOp op, unsigned i,
                                                           const AffineMap& map) {
  Operand operand;
  const Value memref = op->operand(i);
  const MemRefType type = memref.type().dynCast<MemRefType>();
  operand.isScalar = !type;
  if (operand.isScalar) return operand;
  const Buffer buffer = reader_.bufferOf(memref);
  if (!buffer.isKnown()) return std::nullopt;
  operand.buffer = buffer.value;
  operand.memory = memoryOf(buffer.value);
  const auto region = reader_.elementsOf(memref);
  if (!operand.memory || !region) return std::nullopt;
  const auto piece = pieceOf({buffer, AccessKind::Read, *region, true});
  if (!piece || piece->dims.size() != map.numResults()) return std::nullopt;
  operand.piece = *piece;
  operand.start = piece->start;
  operand.factors.assign(map.numDims(), 0);
  for (unsigned d = 0; d < map.numResults(); ++d) {
    const auto index = readLoopIndex(map.result(d), map.numDims());
    if (!index) return std::nullopt;
    operand.start += index->constant * piece->dims[d].stride;
    for (unsigned loop = 0; loop < map.numDims(); ++loop)
      operand.factors[loop] += index->factors[loop] * piece->dims[d].stride;
  }
  return operand;
}

bool DefinedNest::runStructured(Operation& raw) {
  linalg::StructuredOp op(&raw);
  if (!op.onBuffers()) return false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<Operand> operands;
  for (unsigned i = 0; i < raw.numOperands(); ++i) {
    const auto operand = operandOf(op, i, maps[i]);
    if (!operand) return false;
    operands.push_back(*operand);
  }
  for (unsigned i = 0; i < op.numOutputs(); ++i) {
    const auto depends = dependenciesOf(op, i);
    if (!depends) return false;
    for (unsigned k = 0; k < op.numOutputs(); ++k)  // outputs that use each other
      if (k != i && (*depends)[op.numInputs() + k]) return false;
    if (!runOutput(op, op.numInputs() + i, *depends, operands)) return false;
  }
  return true;
}

/// Each element of an output is undefined where one of those that it is computed from is.
bool DefinedNest::runOutput(linalg::StructuredOp op, unsigned output,
                            const std::vector<bool>& depends, std::vector<Operand>& operands) {
  Operand& target = operands[output];
  if (target.isScalar) return false;
  std::vector<unsigned> sources;
  UndefinedOrigin always = kIsDefined;
  for (unsigned i = 0; i < operands.size(); ++i) {
    if (!depends[i]) continue;
    if (operands[i].isScalar)
      always = std::max(always, taint(op->operand(i)));
    else if (hasUndefined(operands[i]))
      sources.push_back(i);
  }
  if (sources.empty() || always != kIsDefined) return fill(*target.memory, target.piece, always);
  return combine(op, target, sources, operands);
}

bool DefinedNest::hasUndefined(const Operand& operand) {
  if (operand.memory->isEmpty()) return false;
  bool isSeen = false;
  operand.piece.sorted().forEachRun([&](int64_t begin, int64_t length) {
    isSeen = operand.memory->firstIn(begin, begin + length).origin != kIsDefined;
    return !isSeen && --memory_.budget >= 0;
  });
  return isSeen;
}

bool DefinedNest::fill(UndefinedRuns& memory, const ElementPiece& piece, UndefinedOrigin origin) {
  return piece.sorted().forEachRun([&](int64_t begin, int64_t length) {
    memory.set(begin, begin + length, origin);
    return --memory_.budget >= 0;
  });
}

/// Goes through all iterations. What is read of the output is what stood there before.
bool DefinedNest::combine(linalg::StructuredOp op, Operand& target,
                          const std::vector<unsigned>& sources, std::vector<Operand>& operands) {
  const std::vector<int64_t> sizes = op.loopSizes();
  if (sizes.empty()) return false;
  int64_t total = 1;
  for (int64_t size : sizes)
    if (size == kDynamic || __builtin_mul_overflow(total, size, &total)) return false;
  memory_.budget -= total;
  if (memory_.budget < 0) return false;
  std::unordered_map<int64_t, UndefinedOrigin> results;  // of elements of the output
  std::vector<int64_t> at(sizes.size(), 0);
  for (int64_t i = 0; i < total; ++i) {
    const auto elementOf = [&](const Operand& operand) {
      int64_t element = operand.start;
      for (size_t loop = 0; loop < at.size(); ++loop)
        element += operand.factors[loop] * at[loop];
      return element;
    };
    UndefinedOrigin& result = results[elementOf(target)];
    for (size_t k = 0; k < sources.size() && result == kIsDefined; ++k) {
      const Operand& source = operands[sources[k]];
      const int64_t element = elementOf(source);
      const UndefinedRun run = source.memory->firstIn(element, element + 1);
      if (run.origin != kIsDefined)
        result = memory_.readBy(*op.op(), point_.instance, source.buffer, element, run.origin);
    }
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < sizes[d]) break;
      at[d] = 0;
    }
  }
  for (const auto& [element, origin] : results)
    target.memory->set(element, element + 1, origin);
  return true;
}

}  // namespace airlite::analysis
