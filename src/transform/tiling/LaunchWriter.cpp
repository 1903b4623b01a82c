// See LaunchWriter.hpp.
#include "LaunchWriter.hpp"

#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::tiling {

VectorType LaunchWriter::vectorType() const {
  const int64_t lanes = this->lanes();
  return VectorType::get(rewriter_.context(), std::span(&lanes, 1), element_);
}

Value LaunchWriter::binary(std::string_view name, Value a, Value b) {
  return rewriter_.create(location_, name, {a, b}, {rewriter_.indexType()})->result();
}

memref::MixedIndex LaunchWriter::place(int64_t first,
                                       std::initializer_list<std::pair<Value, int64_t>> terms) {
  AffineExpr expr = AffineExpr::constant(rewriter_.context(), first);
  affine::Application application;
  for (const auto& [value, by] : terms) {
    if (by == 0) continue;
    expr = expr + AffineExpr::symbol(rewriter_.context(),
                                     static_cast<unsigned>(application.operands.size())) *
                      by;
    application.operands.push_back(value);
  }
  if (application.operands.empty()) return first;
  application.map =
      AffineMap::get(rewriter_.context(), 0, static_cast<unsigned>(application.operands.size()),
                     std::span(&expr, 1));
  return affine::ApplyOp::create(rewriter_, location_, application)->result();
}

Value LaunchWriter::flat(Value memory) {
  const int64_t rank = memory.type().cast<MemRefType>().rank();
  if (rank == 1) return memory;
  memref::Reassociation all(1);
  for (int64_t dim = 0; dim < rank; ++dim)
    all[0].push_back(dim);
  return memref::CollapseShapeOp::create(rewriter_, location_, memory, all).result();
}

Value LaunchWriter::part(Value memory, std::vector<MixedIndex> offsets,
                         std::vector<MixedIndex> sizes) {
  const auto shape = memory.type().cast<MemRefType>().shape();
  const bool isAll = std::ranges::equal(
      sizes, shape, [](const MixedIndex& size, int64_t all) { return size == MixedIndex(all); });
  if (isAll) return memory;
  const std::vector<MixedIndex> ones(sizes.size(), MixedIndex(1));
  return memref::SubViewOp::create(rewriter_, location_, memory, offsets, sizes, ones).result();
}

Value LaunchWriter::alloc(std::vector<int64_t> shape, int64_t space) {
  const MemRefType type =
      MemRefType::get(rewriter_.context(), shape, element_, Attribute(), rewriter_.i32Attr(space));
  return memref::AllocOp::create(rewriter_, location_, type).result();
}

Value LaunchWriter::ofColumns(Value memory, MixedIndex first, int64_t elements, int64_t columns) {
  const Value own = part(memory, {first}, {elements});
  const int64_t shape[] = {columns, elements / columns};
  return memref::ExpandShapeOp::create(rewriter_, location_, own, shape, {{0, 1}}).result();
}

Value LaunchWriter::room(int64_t elements) {
  const int64_t slack = kSlackBytes / elementBytes();
  return alloc({1, roundUp(elements + slack, slack)}, 2);
}

void LaunchWriter::bringIn(Value source, Value target, int64_t elements) {
  if (elements * elementBytes() % aie::kWordBytes == 0) return copy(source, target);
  const Value own = alloc({1, elements}, 2);
  copy(source, own);
  copy(own, target);
  free(own);
}

Value LaunchWriter::zeros() {
  const std::vector<std::byte> zero(DenseElementsAttr::elementSize(element_));
  return rewriter_.constant(location_, DenseElementsAttr::getRaw(vectorType(), zero));
}

Value LaunchWriter::loadVector(Value memory, Value place) {
  return rewriter_.create(location_, "vector.load", {memory, place}, {vectorType()})->result();
}

void LaunchWriter::storeVector(Value vector, Value memory, Value place) {
  rewriter_.create(location_, "vector.store", {vector, memory, place}, {});
}

void LaunchWriter::moveVector(Value from, Value to, Value source, Value target) {
  storeVector(loadVector(from, source), to, target);
}

void LaunchWriter::inside(Block& block, FunctionRef<void()> body) {
  const InsertPoint saved = rewriter_.insertPoint();
  rewriter_.setInsertPoint({&block, &block.back()});
  body();
  rewriter_.setInsertPoint(saved);
}

Operation* LaunchWriter::parallel(int64_t first, int64_t second,
                                  FunctionRef<void(Value, Value)> body) {
  const Value zero = number(0), one = number(1);
  const Value lower[] = {zero, zero}, upper[] = {number(first), number(second)},
              step[] = {one, one};
  auto nest = scf::ParallelOp::create(rewriter_, location_, lower, upper, step);
  inside(nest.body(), [&] { body(nest.inductionVars()[0], nest.inductionVars()[1]); });
  return nest.op();
}

void LaunchWriter::loop(int64_t end, int64_t step, FunctionRef<void(Value)> body) {
  auto nest = scf::ForOp::create(rewriter_, location_, number(0), number(end), number(step));
  inside(nest.body(), [&] { body(nest.inductionVar()); });
}

}  // namespace airlite::tiling
