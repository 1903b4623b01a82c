#include "airlite/transform/LinalgPoints.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Affine.hpp"
#include "airlite/ir/Operation.hpp"

#include <algorithm>

namespace airlite::linalg {

std::string_view pointObstacle(StructuredOp op) {
  if (op.loopSources().size() != op.numLoops())
    return "the size of a loop is not the size of an operand";
  const auto maps = op.indexingMaps();
  const auto kinds = op.iterators();
  for (unsigned i = 0; i < op.numOutputs(); ++i)
    for (unsigned loop = 0; loop < kinds.size(); ++loop) {
      const auto results = maps[op.numInputs() + i].results();
      const bool hasLoop = std::ranges::any_of(results, [&](AffineExpr result) {
        return result.kind() == AffineKind::Dim && result.position() == loop;
      });
      if (kinds[loop] == IteratorKind::Parallel && !hasLoop)
        return "several points of its parallel loops have one result";
      const bool usesLoop =
          std::ranges::any_of(results, [&](AffineExpr result) { return result.usesDim(loop); });
      if (kinds[loop] != IteratorKind::Parallel && usesLoop)
        return "where it writes depends on a loop that it reduces";
    }
  return "";
}

Value sizeOfLoop(StructuredOp op, unsigned loop, Builder& builder) {
  const int64_t known = op.loopSizes()[loop];
  if (known != kDynamic) return builder.constantIndex(op->location(), known);
  const auto source = op.loopSources()[loop];
  const Value dim = builder.constantIndex(op->location(), source.dim);
  return builder
      .create(op->location(), "memref.dim", {op->operand(source.operand), dim},
              {builder.indexType()})
      ->result();
}

Value sizeOfLoops(StructuredOp op, std::span<const unsigned> loops, Builder& builder) {
  const auto times = [&](Value a, Value b) {
    return builder.create(op->location(), "arith.muli", {a, b}, {builder.indexType()})->result();
  };
  Value all;
  int64_t known = 1;
  for (unsigned loop : loops) {
    const int64_t size = op.loopSizes()[loop];
    if (size != kDynamic)
      known *= size;
    else
      all = all ? times(all, sizeOfLoop(op, loop, builder)) : sizeOfLoop(op, loop, builder);
  }
  const auto constant = [&] { return builder.constantIndex(op->location(), known); };
  if (!all) return constant();
  return known == 1 ? all : times(all, constant());
}

/// The number of `loop`, and perhaps something that does not depend on it.
static bool isLoopPlus(AffineExpr expr, unsigned loop) {
  if (expr.kind() == AffineKind::Dim) return expr.position() == loop;
  if (expr.kind() != AffineKind::Add) return false;
  return (isLoopPlus(expr.lhs(), loop) && !expr.rhs().usesDim(loop)) ||
         (isLoopPlus(expr.rhs(), loop) && !expr.lhs().usesDim(loop));
}

static bool usesLoop(AffineMap map, unsigned loop) {
  return std::ranges::any_of(map.results(), [&](AffineExpr e) { return e.usesDim(loop); });
}

/// The next round of `loop` is at the next element of memory.
static bool liesAlong(Value operand, AffineMap map, unsigned loop) {
  const auto strided = operand.type().cast<MemRefType>().stridedForm();
  const auto results = map.results();
  if (results.empty() || !strided || strided->strides.back() != 1) return false;
  for (AffineExpr result : results.first(results.size() - 1))
    if (result.usesDim(loop)) return false;
  return isLoopPlus(results.back(), loop);
}

std::optional<unsigned> loopOfNeighbours(StructuredOp op) {
  const auto maps = op.indexingMaps();
  const auto last = maps.back().results();
  if (last.empty() || last.back().kind() != AffineKind::Dim) return std::nullopt;
  const unsigned loop = last.back().position();
  if (op.loopSizes()[loop] == kDynamic) return std::nullopt;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const bool isOutput = i >= op.numInputs();
    if (!op->operand(i).type().isa<MemRefType>()) continue;
    if (!isOutput && !usesLoop(maps[i], loop)) continue;
    if (!liesAlong(op->operand(i), maps[i], loop)) return std::nullopt;
  }
  return loop;
}

PointWriter::PointWriter(StructuredOp op, Builder& builder, std::span<const Value> starts,
                         int64_t width)
    : op_(op),
      builder_(builder),
      starts_(starts.begin(), starts.end()),
      maps_(op.indexingMaps()),
      parallel_(parallelLoops()),
      width_(width),
      ivs_(op.numLoops()) {}

std::vector<unsigned> PointWriter::parallelLoops() const {
  const auto kinds = op_.iterators();
  const auto isParallel = [&](unsigned loop) { return kinds[loop] == IteratorKind::Parallel; };
  std::vector<unsigned> loops, inner;
  for (AffineExpr result : maps_.back().results())
    if (result.kind() == AffineKind::Dim && isParallel(result.position()) &&
        !std::ranges::count(inner, result.position()))
      inner.push_back(result.position());
  for (unsigned loop = 0; loop < kinds.size(); ++loop)
    if (isParallel(loop) && !std::ranges::count(inner, loop)) loops.push_back(loop);
  loops.insert(loops.end(), inner.begin(), inner.end());
  return loops;
}

Value PointWriter::index(int64_t value) { return builder_.constantIndex(op_->location(), value); }

Value PointWriter::binary(std::string_view name, Value a, Value b) {
  return builder_.create(op_->location(), name, {a, b}, {builder_.indexType()})->result();
}

Value PointWriter::sizeOf(unsigned loop) { return sizeOfLoop(op_, loop, builder_); }

Value PointWriter::count() {
  const Value rounds = sizeOfLoops(op_, parallel_, builder_);
  return width_ == 1 ? rounds : binary("arith.divui", rounds, index(width_));
}

void PointWriter::write(Value point) {
  split(point);
  std::vector<Value> results;
  for (unsigned i = 0; i < op_.numOutputs(); ++i)
    results.push_back(i < starts_.size() && starts_[i] ? widened(starts_[i])
                                                       : load(op_.numInputs() + i));
  results = reduce(0, results);
  for (unsigned i = 0; i < op_.numOutputs(); ++i)
    store(results[i], op_.numInputs() + i);
}

void PointWriter::split(Value point) {
  const unsigned last = parallel_.empty() ? 0 : parallel_.back();
  for (size_t i = parallel_.size(); i-- > 0;) {
    const unsigned loop = parallel_[i];
    ivs_[loop] = point;
    if (i > 0) {
      const Value size =
          width_ > 1 && loop == last ? index(op_.loopSizes()[loop] / width_) : sizeOf(loop);
      ivs_[loop] = binary("arith.remui", point, size);
      point = binary("arith.divui", point, size);
    }
    if (width_ > 1 && loop == last) ivs_[loop] = binary("arith.muli", ivs_[loop], index(width_));
  }
}

std::vector<Value> PointWriter::reduce(unsigned loop, const std::vector<Value>& before) {
  while (loop < ivs_.size() && ivs_[loop])
    ++loop;
  if (loop == ivs_.size()) return computeElement(before);
  scf::ForOp nest =
      scf::ForOp::create(builder_, op_->location(), index(0), sizeOf(loop), index(1), before);
  builder_.setToEnd(nest.body());
  ivs_[loop] = nest.inductionVar();
  const auto after = reduce(loop + 1, nest.regionIterArgs());
  ivs_[loop] = Value();
  scf::YieldOp::create(builder_, op_->location(), after);
  builder_.setAfter(*nest.op());
  return nest->resultValues();
}

std::vector<Value> PointWriter::computeElement(const std::vector<Value>& before) {
  IRMapping mapping;
  for (unsigned i = 0; i < op_->numOperands(); ++i) {
    Value argument = op_.bodyArgument(i);
    if (!argument || !argument.hasUses()) continue;
    mapping.map(argument, i < op_.numInputs() ? load(i) : before[i - op_.numInputs()]);
  }
  Operation& end = op_.body().back();
  for (Operation& inner : op_.body().ops()) {
    if (&inner == &end) break;
    if (inner.is("linalg.index"))
      mapping.map(inner.result(), ivs_[static_cast<size_t>(*constantInt(inner.attr("dim")))]);
    else
      cloneWide(inner, mapping);
  }
  std::vector<Value> results;
  for (Value result : end.operands())
    results.push_back(widened(mapping.lookupOr(result)));
  return results;
}

void PointWriter::cloneWide(Operation& inner, IRMapping& mapping) {
  Operation* made = builder_.clone(inner, mapping);
  const auto isVector = [](Value value) { return value.type().isa<VectorType>(); };
  if (width_ == 1 || !std::ranges::any_of(made->operands(), isVector)) return;
  builder_.setBefore(*made);
  for (unsigned i = 0; i < made->numOperands(); ++i)
    made->setOperand(i, widened(made->operand(i)));
  builder_.setAfter(*made);
  for (Value result : made->resultValues())
    result.setType(vectorOf(result.type()));
}

VectorType PointWriter::vectorOf(Type element) const {
  return VectorType::get(op_->context(), std::span(&width_, 1), element);
}

Value PointWriter::widened(Value value) {
  if (width_ == 1 || value.type().isa<VectorType>()) return value;
  return builder_.create(op_->location(), "vector.broadcast", {value}, {vectorOf(value.type())})
      ->result();
}

Value PointWriter::load(unsigned operand) {
  const Value memref = op_->operand(operand);
  if (!memref.type().isa<MemRefType>()) return memref;
  const std::vector<Value> indices = indicesOf(operand);
  if (width_ == 1 || !usesLoop(maps_[operand], parallel_.back()))
    return memref::LoadOp::create(builder_, op_->location(), memref, indices).result();
  std::vector<Value> operands = {memref};
  operands.insert(operands.end(), indices.begin(), indices.end());
  const Type types[] = {vectorOf(memref.type().cast<MemRefType>().elementType())};
  return builder_.create(op_->location(), "vector.load", operands, types)->result();
}

void PointWriter::store(Value value, unsigned operand) {
  const Value memref = op_->operand(operand);
  const std::vector<Value> indices = indicesOf(operand);
  if (width_ == 1) {
    memref::StoreOp::create(builder_, op_->location(), value, memref, indices);
    return;
  }
  std::vector<Value> operands = {value, memref};
  operands.insert(operands.end(), indices.begin(), indices.end());
  builder_.create(op_->location(), "vector.store", operands, {});
}

std::vector<Value> PointWriter::indicesOf(unsigned operand) {
  std::vector<Value> indices;
  for (AffineExpr expr : maps_[operand].results())
    indices.push_back(indexOf(expr));
  return indices;
}

Value PointWriter::indexOf(AffineExpr expr) {
  if (expr.kind() == AffineKind::Dim) return ivs_[expr.position()];
  Context& context = op_->context();
  std::vector<Value> operands;
  std::vector<AffineExpr> dims(ivs_.size());
  for (unsigned i = 0; i < ivs_.size(); ++i) {
    if (!expr.usesDim(i)) continue;
    dims[i] = AffineExpr::dim(context, static_cast<unsigned>(operands.size()));
    operands.push_back(ivs_[i]);
  }
  const AffineExpr compact = expr.replace(dims, {});
  const AffineMap map =
      AffineMap::get(context, static_cast<unsigned>(operands.size()), 0, std::span(&compact, 1));
  const Type types[] = {builder_.indexType()};
  const NamedAttribute attrs[] = {builder_.named("map", AffineMapAttr::get(map))};
  return builder_.create(op_->location(), "affine.apply", operands, types, attrs)->result();
}

}  // namespace airlite::linalg
