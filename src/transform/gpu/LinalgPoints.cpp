#include "airlite/transform/LinalgPoints.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
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

PointWriter::PointWriter(StructuredOp op, Builder& builder, std::span<const Value> starts)
    : op_(op),
      builder_(builder),
      starts_(starts.begin(), starts.end()),
      maps_(op.indexingMaps()),
      parallel_(parallelLoops()),
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

Value PointWriter::count() { return sizeOfLoops(op_, parallel_, builder_); }

void PointWriter::write(Value point) {
  split(point);
  std::vector<Value> results;
  for (unsigned i = 0; i < op_.numOutputs(); ++i)
    results.push_back(i < starts_.size() && starts_[i] ? starts_[i] : load(op_.numInputs() + i));
  results = reduce(0, results);
  for (unsigned i = 0; i < op_.numOutputs(); ++i)
    memref::StoreOp::create(builder_, op_->location(), results[i], op_.outputs()[i],
                            indicesOf(op_.numInputs() + i));
}

void PointWriter::split(Value point) {
  for (size_t i = parallel_.size(); i-- > 0;) {
    if (i == 0) {
      ivs_[parallel_[0]] = point;
      return;
    }
    const Value size = sizeOf(parallel_[i]);
    ivs_[parallel_[i]] = binary("arith.remui", point, size);
    point = binary("arith.divui", point, size);
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
      builder_.clone(inner, mapping);
  }
  std::vector<Value> results;
  for (Value result : end.operands())
    results.push_back(mapping.lookupOr(result));
  return results;
}

Value PointWriter::load(unsigned operand) {
  const Value memref = op_->operand(operand);
  if (!memref.type().isa<MemRefType>()) return memref;
  return memref::LoadOp::create(builder_, op_->location(), memref, indicesOf(operand)).result();
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
