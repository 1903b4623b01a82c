#include "KernelWriter.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/transform/LinalgPoints.hpp"

#include <algorithm>

namespace airlite::gpu {

Value KernelWriter::binary(std::string_view name, Value a, Value b) {
  return builder_.create(location(), name, {a, b}, {a.type()})->result();
}

Value KernelWriter::plus(Value a, int64_t b) {
  return b == 0 ? a : binary("arith.addi", a, index(b));
}

Value KernelWriter::times(Value a, int64_t b) {
  return b == 1 ? a : binary("arith.muli", a, index(b));
}

Value KernelWriter::ceilDiv(Value a, int64_t b) {
  return b == 1 ? a : binary("arith.divui", plus(a, b - 1), index(b));
}

Value KernelWriter::isBelow(Value a, Value b) {
  const Type bit = builder_.intType(1);
  const auto vector = a.type().dynCast<VectorType>();
  const Type types[] = {vector ? VectorType::get(context(), vector.shape(), bit) : bit};
  const Value operands[] = {a, b};
  const NamedAttribute below[] = {builder_.named(
      "predicate", builder_.i64Attr(static_cast<int64_t>(arith::CmpIPredicate::ult)))};
  return builder_.create(location(), "arith.cmpi", operands, types, below)->result();
}

Value KernelWriter::sizeOf(unsigned loop) { return linalg::sizeOfLoop(op_, loop, builder_); }

GroupLevels KernelWriter::openWorkgroups(std::span<const Value> sizes) {
  GroupLevels groups;
  groups.levels.push_back(air::createHierarchy(builder_, location(), "air.launch", sizes));
  const air::HierarchyOp launch = groups.levels[0];
  Value* points[] = {&groups.x, &groups.y, &groups.z};
  for (unsigned i = 0; i < launch.numDims(); ++i)
    *points[i] = launch.id(i);
  builder_.setBefore(*launch.body().terminator());
  groups.levels.push_back(air::createHierarchy(builder_, location(), "air.segment", {}));
  builder_.setBefore(*groups.levels[1].body().terminator());
  return groups;
}

GroupLevels KernelWriter::openWorkgroupsOfXcds(std::span<const Value> sizes, int64_t width,
                                               int64_t height, int64_t high,
                                               const amdgpu::GpuDevice& device) {
  const int64_t xcds = device.xcds, points = width * height;
  if (xcds == 1 || points % xcds || height % high) return openWorkgroups(sizes);
  const int64_t ofXcd = points / xcds;
  const int64_t units = air::coresFor(ofXcd, device.computeUnits / xcds);
  GroupLevels groups;
  const auto open = [&](std::string_view level, int64_t size) {
    const Value instances[] = {index(size)};
    groups.levels.push_back(air::createHierarchy(builder_, location(), level, instances));
    builder_.setBefore(*groups.levels.back().body().terminator());
    return groups.levels.back().id(0);
  };
  const Value round = open("air.launch", ofXcd / units), xcd = open("air.segment", xcds);
  groups.levels[1]->setAttr("backend-granularity", builder_.stringAttr("XCD"));
  const Value unit = open("air.segment", units);
  const Value inXcd = binary("arith.addi", times(round, units), unit);
  const Value point = binary("arith.addi", times(xcd, ofXcd), inXcd);
  const Value inBand = remainder(point, high * width);
  const Value band = times(quotient(point, high * width), high), row = remainder(inBand, high);
  groups.x = quotient(inBand, high);
  groups.y = binary("arith.addi", band, row);
  return groups;
}

GroupTurns KernelWriter::openWorkgroupsInTurns(int64_t groups, int64_t points,
                                               const amdgpu::GpuDevice& device) {
  const int64_t xcds = groups % device.xcds ? 1 : device.xcds;
  const int64_t units = groups / xcds, ofXcd = (points + xcds - 1) / xcds;
  GroupTurns turns;
  turns.step = units;
  const auto open = [&](std::string_view level, std::span<const Value> sizes) {
    turns.levels.push_back(air::createHierarchy(builder_, location(), level, sizes));
    builder_.setBefore(*turns.levels.back().body().terminator());
  };
  const Value size[] = {index(units)}, one[] = {index(1)}, dies[] = {index(xcds)};
  if (xcds == 1) {
    open("air.launch", size);
    open("air.segment", {});
    turns.first = turns.levels[0].id(0);
    turns.end = index(points);
    return turns;
  }
  open("air.launch", one);
  open("air.segment", dies);
  turns.levels[1]->setAttr("backend-granularity", builder_.stringAttr("XCD"));
  const Value start = times(turns.levels[1].id(0), ofXcd);
  open("air.segment", std::array{index(units)});
  turns.first = binary("arith.addi", start, turns.levels[2].id(0));
  turns.end = binary("arith.minui", plus(start, ofXcd), index(points));
  return turns;
}

void KernelWriter::workgroupBarrier() {
  const Attribute space[] = {DialectAttr::getKeyword(context(), "gpu.address_space", "workgroup")};
  builder_.create(location(), "gpu.barrier", {}, {},
                  {builder_.named("address_spaces", ArrayAttr::get(context(), space))});
}

void KernelWriter::closeWorkgroups(std::span<const air::HierarchyOp> levels) {
  for (size_t i = levels.size(); i-- > 0;)
    air::isolate(levels[i]);
}

Value KernelWriter::productOf(std::span<const unsigned> loops) {
  return linalg::sizeOfLoops(op_, loops, builder_);
}

VectorType KernelWriter::vectorType(std::initializer_list<int64_t> shape, Type element) const {
  return VectorType::get(context(), std::span(shape.begin(), shape.size()), element);
}

Attribute KernelWriter::numberAttr(Type type, double number) {
  if (type.isFloat()) return FloatAttr::get(type, number);
  return IntegerAttr::get(type, static_cast<int64_t>(number));
}

Value KernelWriter::zeroVector(VectorType type) {
  const Attribute one[] = {numberAttr(type.elementType(), 0)};
  return builder_.constant(location(), DenseElementsAttr::get(type, one));
}

Value KernelWriter::broadcast(Value number, VectorType type) {
  return builder_.create(location(), "vector.broadcast", {number}, {type})->result();
}

void KernelWriter::addPlace(OperationState& state, const VectorPlace& place) {
  state.operands.push_back(place.memref);
  state.operands.insert(state.operands.end(), place.indices.begin(), place.indices.end());
  state.addAttribute(context(), "permutation_map", AffineMapAttr::get(place.map));
  std::vector<Attribute> flags;
  for (bool inside : place.inside)
    flags.push_back(IntegerAttr::getBool(context(), inside));
  state.addAttribute(context(), "in_bounds", ArrayAttr::get(context(), flags));
}

Value KernelWriter::read(const VectorPlace& place, VectorType type) {
  const Value padding =
      builder_.constant(location(), numberAttr(type.elementType(), place.outside));
  OperationState state(context(), location(), "vector.transfer_read");
  addPlace(state, place);
  state.operands.push_back(padding);
  const int32_t groups[] = {1, static_cast<int32_t>(place.indices.size()), 1, 0};
  state.setOperandSegments(context(), groups);
  state.resultTypes.push_back(type);
  return builder_.create(state)->result();
}

void KernelWriter::write(const VectorPlace& place, Value vector) {
  OperationState state(context(), location(), "vector.transfer_write");
  state.operands = {vector};
  addPlace(state, place);
  const int32_t groups[] = {1, 1, static_cast<int32_t>(place.indices.size()), 0};
  state.setOperandSegments(context(), groups);
  builder_.create(state);
}

Value KernelWriter::transpose(Value vector) {
  const auto type = vector.type().cast<VectorType>();
  const int64_t order[] = {1, 0};
  return builder_
      .create(location(), "vector.transpose", {vector},
              {vectorType({type.dim(1), type.dim(0)}, type.elementType())},
              {builder_.named("permutation", DenseArrayAttr::getI64(context(), order))})
      ->result();
}

Value KernelWriter::convert(Value value, Type element) {
  const Type before = elementTypeOrSelf(value.type());
  if (before == element) return value;
  const bool widens = element.bitWidth() > before.bitWidth();
  const char* name = element.isFloat() ? (widens ? "arith.extf" : "arith.truncf")
                                       : (widens ? "arith.extsi" : "arith.trunci");
  const auto vector = value.type().dynCast<VectorType>();
  const Type types[] = {vector ? VectorType::get(context(), vector.shape(), element) : element};
  return builder_.create(location(), name, std::span(&value, 1), types)->result();
}

Value KernelWriter::contract(Value lhs, Value rhs, Value sum, std::array<unsigned, 2> lhsLoops,
                             std::array<unsigned, 2> rhsLoops) {
  return vector::ContractOp::create(builder_, location(), lhs, rhs, sum, lhsLoops, rhsLoops)
      .result();
}

static bool hasOwnBytes(Type element) {
  return element.isInteger(1) ||
         ((element.isFloat() || element.isInteger()) && element.bitWidth() % 8 == 0);
}

bool hasWideOperands(linalg::StructuredOp op) {
  return std::ranges::all_of(
      op->operands(), [](Value operand) { return hasOwnBytes(elementTypeOrSelf(operand.type())); });
}

bool isWideOp(Operation& inner) {
  if (inner.hasTrait(Trait::Terminator)) return true;
  if (inner.is("arith.constant")) return hasOwnBytes(inner.result().type());
  return vector::isElementwise(inner) && inner.numResults() == 1;
}

bool hasWideBody(linalg::StructuredOp op) {
  return hasWideOperands(op) && std::ranges::all_of(op.body().ops(), isWideOp);
}

Value KernelWriter::wide(Value value, std::span<const int64_t> shape) {
  if (value.type().isa<VectorType>()) return value;
  return broadcast(value, VectorType::get(context(), shape, value.type()));
}

std::vector<Value> KernelWriter::applyBody(linalg::StructuredOp op,
                                           std::span<const Value> arguments,
                                           std::span<const int64_t> shape) {
  IRMapping mapping;
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (arguments[i]) mapping.map(op.bodyArgument(i), wide(arguments[i], shape));
  Operation& end = op.body().back();
  for (Operation& inner : op.body().ops()) {
    if (&inner == &end) break;
    Operation* made = builder_.clone(inner, mapping);
    if (inner.is("arith.constant")) continue;
    builder_.setBefore(*made);
    for (unsigned i = 0; i < made->numOperands(); ++i)
      made->setOperand(i, wide(made->operand(i), shape));
    builder_.setAfter(*made);
    for (Value result : made->resultValues())
      result.setType(VectorType::get(context(), shape, result.type()));
  }
  std::vector<Value> results;
  for (Value result : end.operands())
    results.push_back(wide(mapping.lookupOr(result), shape));
  return results;
}

}  // namespace airlite::gpu
