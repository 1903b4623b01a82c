// Vectors: rearrangements of elements by tables that are made when the op is compiled, reductions
// and products.
#include "airlite/dialect/Vector.hpp"

#include "MatrixSum.hpp"
#include "VectorInternal.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <numeric>

namespace airlite::interp {

Lane laneOf(const Slot& slot, size_t i) {
  if (slot.kind() == SlotKind::Array) return slot.as<Array>().lanes[i];
  return slot.isPoison() ? Lane{0, slot.bits()} : Lane{slot.bits(), 0};
}

bool hasLanes(const Slot& slot) {
  return slot.kind() == SlotKind::Array || slot.isBits() || slot.isPoison();
}

void setLanes(Slot& slot, std::vector<Lane> lanes, bool isVector) {
  if (isVector) {
    auto* array = new Array;
    array->lanes = std::move(lanes);
    slot.set(SlotKind::Array, array);
  } else if (lanes[0].origin) {
    slot.setPoison(lanes[0].origin);
  } else {
    slot.setBits(lanes[0].bits);
  }
}

std::vector<int64_t> vectorShape(Type type) {
  auto vector = type.dynCast<VectorType>();
  if (!vector) return {};
  return {vector.shape().begin(), vector.shape().end()};
}

namespace {

// -- Rearrangements -------------------------------------------------------------------------------

/// Where each element of the result comes from: an operand and its element.
struct Source {
  uint32_t operand = 0;
  uint32_t lane = 0;
};
struct Table {
  std::vector<Source> sources;
  bool isVector = true;
};

Step doRearrange(Run& run, const Inst& inst) {
  const auto& table = *static_cast<const Table*>(inst.data);
  for (uint32_t i = 0; i < inst.numIn; ++i)
    if (!hasLanes(run.in(inst, i))) return Step::Retry;
  std::vector<Lane> lanes;
  lanes.reserve(table.sources.size());
  for (const Source& source : table.sources)
    lanes.push_back(laneOf(run.in(inst, source.operand), source.lane));
  setLanes(run.out(inst), std::move(lanes), table.isVector);
  return Step::Next;
}

bool emitTable(Builder& b, Operation& op, std::vector<Source> sources, unsigned result = 0) {
  Table table{std::move(sources), op.result(result).type().isa<VectorType>()};
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doRearrange, op, in, b.defineResults(op) + result).data = b.arena().make<Table>(table);
  return true;
}

/// Calls `visit` with each index of a shape, in row-major order.
template <class Visit> void forEachIndex(const std::vector<int64_t>& shape, Visit visit) {
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t size : shape)
    if (size <= 0) return;
  for (;;) {
    visit(index);
    size_t d = shape.size();
    for (; d > 0; --d) {
      if (++index[d - 1] < shape[d - 1]) break;
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

uint32_t linear(const std::vector<int64_t>& index, const std::vector<int64_t>& shape) {
  int64_t at = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    at = at * shape[d] + index[d];
  return static_cast<uint32_t>(at);
}

std::vector<int64_t> resultShape(Operation& op) { return vectorShape(op.result().type()); }
std::vector<int64_t> operandShape(Operation& op, unsigned i) {
  return vectorShape(op.operand(i).type());
}

bool compileSame(Builder& b, Operation& op) {
  std::vector<Source> sources;
  for (int64_t i = 0, end = product(resultShape(op)); i < end; ++i)
    sources.push_back({0, static_cast<uint32_t>(i)});
  return emitTable(b, op, std::move(sources));
}

/// Trailing dimensions correspond; one of size 1 is repeated.
bool compileBroadcast(Builder& b, Operation& op) {
  std::vector<int64_t> from = operandShape(op, 0), to = resultShape(op);
  std::vector<Source> sources;
  forEachIndex(to, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> part(index.end() - static_cast<ptrdiff_t>(from.size()), index.end());
    for (size_t d = 0; d < part.size(); ++d)
      if (from[d] == 1) part[d] = 0;
    sources.push_back({0, linear(part, from)});
  });
  return emitTable(b, op, std::move(sources));
}

bool compileTranspose(Builder& b, Operation& op) {
  std::span<const int64_t> order = op.attrOf<DenseArrayAttr>("permutation").values();
  std::vector<int64_t> from = operandShape(op, 0);
  std::vector<Source> sources;
  forEachIndex(resultShape(op), [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> source(index.size());
    for (size_t d = 0; d < index.size(); ++d)
      source[static_cast<size_t>(order[d])] = index[d];
    sources.push_back({0, linear(source, from)});
  });
  return emitTable(b, op, std::move(sources));
}

std::vector<int64_t> integers(Operation& op, std::string_view name) {
  std::vector<int64_t> values;
  if (auto array = op.attrOf<ArrayAttr>(name))
    for (Attribute value : array.value())
      values.push_back(constantInt(value).value_or(0));
  return values;
}

/// Each element of the mask chooses a slice of the outermost dimension of one of the two.
bool compileShuffle(Builder& b, Operation& op) {
  std::vector<int64_t> first = operandShape(op, 0), to = resultShape(op);
  int64_t count = first.empty() ? 1 : first[0], slice = 1;
  for (size_t d = 1; d < to.size(); ++d)
    slice *= to[d];
  std::vector<Source> sources;
  for (int64_t chosen : integers(op, "mask")) {
    if (chosen < 0) return false;
    for (int64_t i = 0; i < slice; ++i) {
      bool isSecond = chosen >= count;
      int64_t at = (isSecond ? chosen - count : chosen) * slice + i;
      sources.push_back({isSecond ? 1u : 0u, static_cast<uint32_t>(at)});
    }
  }
  return emitTable(b, op, std::move(sources));
}

struct ByteShift {
  uint32_t lanes = 0, bytesOfLane = 1;
};

/// The third operand says from which byte of both on; after the last one comes the first.
Step doByteShift(Run& run, const Inst& inst) {
  const auto& shift = *static_cast<const ByteShift*>(inst.data);
  for (uint32_t i = 0; i < 2; ++i)
    if (!hasLanes(run.in(inst, i))) return Step::Retry;
  const Slot& amount = run.in(inst, 2);
  if (!amount.isBits())
    return amount.isPoison() ? run.machine.poisonError(run, inst, amount, "the shift")
                             : Step::Retry;
  const uint32_t first = static_cast<uint32_t>(amount.bits()) / shift.bytesOfLane;
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < shift.lanes; ++i) {
    const uint32_t lane = (first + i) % (2 * shift.lanes);
    lanes.push_back(laneOf(run.in(inst, lane / shift.lanes), lane % shift.lanes));
  }
  setLanes(run.out(inst), std::move(lanes), true);
  return Step::Next;
}

bool compileByteShift(Builder& b, Operation& op) {
  const ByteShift shift{static_cast<uint32_t>(product(resultShape(op))),
                        std::max(1U, elementTypeOrSelf(op.result().type()).bitWidth() / 8)};
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doByteShift, op, in, b.defineResults(op)).data = b.arena().make<ByteShift>(shift);
  return true;
}

bool compileInterleave(Builder& b, Operation& op) {
  std::vector<Source> sources;
  for (uint32_t i = 0, end = static_cast<uint32_t>(product(resultShape(op))); i < end; ++i)
    sources.push_back({i % 2, i / 2});
  return emitTable(b, op, std::move(sources));
}

bool compileDeinterleave(Builder& b, Operation& op) {
  for (unsigned result = 0; result < 2; ++result) {
    std::vector<Source> sources;
    for (uint32_t i = 0, end = static_cast<uint32_t>(product(resultShape(op))); i < end; ++i)
      sources.push_back({0, 2 * i + result});
    emitTable(b, op, std::move(sources), result);
  }
  return true;
}

bool compileFromElements(Builder& b, Operation& op) {
  std::vector<Source> sources;
  for (uint32_t i = 0; i < op.numOperands(); ++i)
    sources.push_back({i, 0});
  return emitTable(b, op, std::move(sources));
}

bool compileExtractSlice(Builder& b, Operation& op) {
  std::vector<int64_t> offsets = integers(op, "offsets"), strides = integers(op, "strides");
  std::vector<int64_t> from = operandShape(op, 0);
  std::vector<Source> sources;
  forEachIndex(resultShape(op), [&](std::vector<int64_t> index) {
    for (size_t d = 0; d < offsets.size(); ++d)
      index[d] = offsets[d] + index[d] * strides[d];
    sources.push_back({0, linear(index, from)});
  });
  return emitTable(b, op, std::move(sources));
}

bool compileInsertSlice(Builder& b, Operation& op) {
  std::vector<int64_t> offsets = integers(op, "offsets"), strides = integers(op, "strides");
  std::vector<int64_t> from = operandShape(op, 0), to = resultShape(op);
  std::vector<Source> sources;
  for (uint32_t i = 0, end = static_cast<uint32_t>(product(to)); i < end; ++i)
    sources.push_back({1, i});
  forEachIndex(from, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> at(offsets);
    size_t lead = to.size() - from.size();
    for (size_t d = 0; d < from.size(); ++d)
      at[lead + d] += index[d] * strides[d];
    sources[linear(at, to)] = {0, linear(index, from)};
  });
  return emitTable(b, op, std::move(sources));
}

// -- Elements at positions ------------------------------------------------------------------------

/// A position of constants (kDynamic where an operand stands) in a vector.
struct Position {
  std::vector<int64_t> statics, shape;
  uint32_t firstDynamic = 0;
  int64_t slice = 1;  // elements at a position
  bool isVector = false;
};

Step findPosition(Run& run, const Inst& inst, const Position& position, size_t& at) {
  int64_t linear = 0;
  uint32_t next = position.firstDynamic;
  for (size_t d = 0; d < position.statics.size(); ++d) {
    int64_t i = position.statics[d];
    if (i == kDynamic)
      if (Step s = readNumbers(run, inst, next++, 1, &i, "an index"); s != Step::Next) return s;
    if (i < 0 || i >= position.shape[d]) {
      run.machine.error(run, *inst.op) << "index " << i << " of '" << inst.op->name()
                                       << "' is outside of a dimension of " << position.shape[d];
      return Step::Fail;
    }
    linear = linear * position.shape[d] + i;
  }
  at = static_cast<size_t>(linear * position.slice);
  return Step::Next;
}

Step doExtract(Run& run, const Inst& inst) {
  const auto& position = *static_cast<const Position*>(inst.data);
  size_t at = 0;
  if (run.in(inst, 0).kind() != SlotKind::Array) return Step::Retry;
  if (Step s = findPosition(run, inst, position, at); s != Step::Next) return s;
  const std::vector<Lane>& from = run.in(inst, 0).as<Array>().lanes;
  auto begin = from.begin() + static_cast<ptrdiff_t>(at);
  std::vector<Lane> lanes(begin, begin + position.slice);
  setLanes(run.out(inst), std::move(lanes), position.isVector);
  return Step::Next;
}

/// in: what is inserted, the vector, the dynamic position.
Step doInsert(Run& run, const Inst& inst) {
  const auto& position = *static_cast<const Position*>(inst.data);
  size_t at = 0;
  if (!hasLanes(run.in(inst, 0)) || run.in(inst, 1).kind() != SlotKind::Array) return Step::Retry;
  if (Step s = findPosition(run, inst, position, at); s != Step::Next) return s;
  std::vector<Lane> lanes = run.in(inst, 1).as<Array>().lanes;
  for (size_t i = 0; i < static_cast<size_t>(position.slice); ++i)
    lanes[at + i] = laneOf(run.in(inst, 0), i);
  setLanes(run.out(inst), std::move(lanes), true);
  return Step::Next;
}

Position positionIn(std::vector<int64_t> shape, std::vector<int64_t> statics, uint32_t first,
                    Type part) {
  Position position{std::move(statics), std::move(shape), first, 1, part.isa<VectorType>()};
  for (size_t d = position.statics.size(); d < position.shape.size(); ++d)
    position.slice *= position.shape[d];
  return position;
}

bool compilePosition(Builder& b, Operation& op) {
  vector::PositionOp view(&op);
  bool isExtract = op.is("vector.extract");
  std::span<const int64_t> statics = view.staticPosition();
  Type part = isExtract ? op.result().type() : op.operand(0).type();
  Position position = positionIn(operandShape(op, isExtract ? 0 : 1),
                                 {statics.begin(), statics.end()}, isExtract ? 1 : 2, part);
  Builder::Registers in = b.useAll(op.operands());
  b.emit(isExtract ? doExtract : doInsert, op, in, b.defineResults(op)).data =
      b.arena().make<Position>(position);
  return true;
}

bool compileElement(Builder& b, Operation& op) {
  bool isExtract = op.is("vector.extractelement");
  unsigned before = isExtract ? 1 : 2;
  std::vector<int64_t> statics(op.numOperands() - before, kDynamic);
  Type part = isExtract ? op.result().type() : op.operand(0).type();
  Position position = positionIn(operandShape(op, isExtract ? 0 : 1), statics, before, part);
  Builder::Registers in = b.useAll(op.operands());
  b.emit(isExtract ? doExtract : doInsert, op, in, b.defineResults(op)).data =
      b.arena().make<Position>(position);
  return true;
}

// -- Masks ----------------------------------------------------------------------------------------

/// in: a size for each dimension; data: the shape.
Step doCreateMask(Run& run, const Inst& inst) {
  const auto& shape = *static_cast<const std::vector<int64_t>*>(inst.data);
  std::vector<int64_t> sizes(inst.numIn);
  if (Step s = readNumbers(run, inst, 0, inst.numIn, sizes.data(), "a size"); s != Step::Next)
    return s;
  std::vector<Lane> lanes;
  forEachIndex(shape, [&](const std::vector<int64_t>& index) {
    bool set = true;
    for (size_t d = 0; d < index.size(); ++d)
      set = set && index[d] < sizes[d];
    lanes.push_back({set, 0});
  });
  setLanes(run.out(inst), std::move(lanes), true);
  return Step::Next;
}

bool compileMask(Builder& b, Operation& op) {
  Builder::Registers in = b.useAll(op.operands());
  for (int64_t size : integers(op, "mask_dim_sizes"))
    in.push_back(b.constant(op, size));
  b.emit(doCreateMask, op, in, b.defineResults(op)).data =
      b.arena().make<std::vector<int64_t>>(resultShape(op));
  return true;
}

Step doStep(Run& run, const Inst& inst) {
  std::vector<Lane> lanes;
  for (int64_t i = 0; i < inst.imm; ++i)
    lanes.push_back({static_cast<uint64_t>(i), 0});
  setLanes(run.out(inst), std::move(lanes), true);
  return Step::Next;
}

bool compileStep(Builder& b, Operation& op) {
  b.emit(doStep, op, {}, b.defineResults(op)).imm = product(resultShape(op));
  return true;
}

// -- Reductions and products ----------------------------------------------------------------------

/// acc[result] = acc[result] combined with lhs[left] (times rhs[right]), one after the other.
struct Products {
  struct Point {
    uint32_t result, left, right;
  };
  std::vector<Point> points;
  ElementOp combine, multiply, widen;
  bool hasProduct = false, isWidened = false;
  bool isVector = false;
  bool hasAccumulator = true;
  size_t count = 1;     // elements of the result
  size_t sumDepth = 0;  // products that are added at once; 0: each alone
  linalg::FloatUnit unit = linalg::FloatUnit::EightAtOnce;
};

Lane apply(const ElementOp& op, Lane a, Lane b) {
  if (a.origin || b.origin) return {0, a.origin ? a.origin : b.origin};
  uint64_t in[] = {a.bits, b.bits}, out[2];
  op.compute(op, in, out);
  return {out[0], 0};
}

Lane widened(const Products& products, Lane lane) {
  return products.isWidened ? apply(products.widen, lane, {}) : lane;
}

/// The products of each result in groups, in their order.
void addAtOnce(Run& run, const Inst& inst, const Products& products, std::vector<Lane>& sums) {
  std::vector<std::vector<Lane>> factors(sums.size());
  for (const Products::Point& point : products.points) {
    std::vector<Lane>& waiting = factors[point.result];
    waiting.push_back(laneOf(run.in(inst, 0), point.left));
    waiting.push_back(laneOf(run.in(inst, 1), point.right));
    if (waiting.size() < 2 * products.sumDepth) continue;
    sums[point.result] = addProducts(waiting, sums[point.result], products.unit);
    waiting.clear();
  }
}

/// in: left, right (with a product), accumulator (if there is one).
Step doProducts(Run& run, const Inst& inst) {
  const auto& products = *static_cast<const Products*>(inst.data);
  for (uint32_t i = 0; i < inst.numIn; ++i)
    if (!hasLanes(run.in(inst, i))) return Step::Retry;
  std::vector<Lane> lanes(products.count);
  std::vector<bool> started(products.count, products.hasAccumulator);
  for (size_t i = 0; products.hasAccumulator && i < lanes.size(); ++i)
    lanes[i] = laneOf(run.in(inst, inst.numIn - 1), i);
  if (products.sumDepth) {
    addAtOnce(run, inst, products, lanes);
    setLanes(run.out(inst), std::move(lanes), products.isVector);
    return Step::Next;
  }
  for (const Products::Point& point : products.points) {
    Lane value = widened(products, laneOf(run.in(inst, 0), point.left));
    if (products.hasProduct)
      value =
          apply(products.multiply, value, widened(products, laneOf(run.in(inst, 1), point.right)));
    Lane& into = lanes[point.result];
    into = started[point.result] ? apply(products.combine, into, value) : value;
    started[point.result] = true;
  }
  setLanes(run.out(inst), std::move(lanes), products.isVector);
  return Step::Next;
}

bool emitProducts(Builder& b, Operation& op, Products products, std::string_view kind) {
  Type element = elementTypeOrSelf(op.result().type());
  Type from = elementTypeOrSelf(op.operand(0).type());
  bool isFloat = element.isFloat();
  auto combine = namedElementOp(vector::combiningOp(kind, isFloat), element, element);
  auto multiply = namedElementOp(isFloat ? "arith.mulf" : "arith.muli", element, element);
  auto widen = namedElementOp(isFloat ? "arith.extf" : "arith.extsi", from, element);
  if (!combine || !multiply || !widen || from.isFloat() != isFloat) return false;
  products.combine = *combine;
  products.multiply = *multiply;
  products.widen = *widen;
  products.isWidened = from != element;
  products.isVector = op.result().type().isa<VectorType>();
  products.count = static_cast<size_t>(product(resultShape(op)));
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doProducts, op, in, b.defineResults(op)).data = b.arena().make<Products>(products);
  return true;
}

bool compileReduction(Builder& b, Operation& op) {
  Products products;
  products.hasAccumulator = op.numOperands() > 1;
  for (uint32_t i = 0, end = static_cast<uint32_t>(product(operandShape(op, 0))); i < end; ++i)
    products.points.push_back({0, i, 0});
  return emitProducts(b, op, std::move(products), vector::ReductionOp(&op).kind());
}

bool compileMultiReduction(Builder& b, Operation& op) {
  vector::MultiReductionOp reduction(&op);
  Products products;
  std::vector<int64_t> from = operandShape(op, 0), to = resultShape(op);
  uint32_t next = 0;
  forEachIndex(from, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> kept;
    for (size_t d = 0; d < index.size(); ++d)
      if (!reduction.isReducedDim(static_cast<unsigned>(d))) kept.push_back(index[d]);
    products.points.push_back({linear(kept, to), next++, 0});
  });
  return emitProducts(b, op, std::move(products), reduction.kind());
}

uint32_t mapped(AffineMap map, const std::vector<int64_t>& index,
                const std::vector<int64_t>& shape) {
  return linear(map.evaluate(index, {}).value_or(std::vector<int64_t>(shape.size(), 0)), shape);
}

bool compileContract(Builder& b, Operation& op) {
  vector::ContractOp contract(&op);
  std::vector<AffineMap> maps = contract.indexingMaps();
  if (op.numOperands() != 3 || maps.size() != 3) return false;
  std::vector<int64_t> left = operandShape(op, 0), right = operandShape(op, 1),
                       to = resultShape(op);
  std::vector<int64_t> domain(maps[0].numDims(), 1);
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned d = 0; d < maps[i].numResults(); ++d)
      if (maps[i].result(d).kind() == AffineKind::Dim)
        domain[maps[i].result(d).position()] = (i ? right : left)[d];
  Products products;
  products.hasProduct = true;
  products.sumDepth = static_cast<size_t>(linalg::sumDepth(op));
  products.unit = linalg::floatUnitOf(op);
  forEachIndex(domain, [&](const std::vector<int64_t>& index) {
    products.points.push_back(
        {mapped(maps[2], index, to), mapped(maps[0], index, left), mapped(maps[1], index, right)});
  });
  return emitProducts(b, op, std::move(products), contract.kind());
}

bool compileOuterProduct(Builder& b, Operation& op) {
  Products products;
  products.hasProduct = true;
  products.hasAccumulator = op.numOperands() > 2;
  bool isMatrix = op.operand(1).type().isa<VectorType>();
  std::vector<int64_t> to = resultShape(op);
  auto columns = static_cast<uint32_t>(isMatrix ? to[1] : 1);
  for (uint32_t i = 0, end = static_cast<uint32_t>(product(to)); i < end; ++i)
    products.points.push_back({i, isMatrix ? i / columns : i, isMatrix ? i % columns : 0});
  auto kind = op.attrOf<DialectAttr>("kind");
  return emitProducts(b, op, std::move(products), kind ? kind.keyword() : "add");
}

}  // namespace

void addVector(CompileTable& table) {
  table["vector.broadcast"] = compileBroadcast;
  table["vector.splat"] = compileBroadcast;
  table["vector.shape_cast"] = compileSame;
  table["vector.transpose"] = compileTranspose;
  table["vector.shuffle"] = compileShuffle;
  table["aievec.shift"] = compileByteShift;
  table["vector.interleave"] = compileInterleave;
  table["vector.deinterleave"] = compileDeinterleave;
  table["vector.from_elements"] = compileFromElements;
  table["vector.extract_strided_slice"] = compileExtractSlice;
  table["vector.insert_strided_slice"] = compileInsertSlice;
  table["vector.extract"] = compilePosition;
  table["vector.insert"] = compilePosition;
  table["vector.extractelement"] = compileElement;
  table["vector.insertelement"] = compileElement;
  table["vector.constant_mask"] = compileMask;
  table["vector.create_mask"] = compileMask;
  table["vector.step"] = compileStep;
  table["vector.reduction"] = compileReduction;
  table["vector.multi_reduction"] = compileMultiReduction;
  table["vector.contract"] = compileContract;
  table["vector.outerproduct"] = compileOuterProduct;
  addVectorMemory(table);
  addVectorGather(table);
}

}  // namespace airlite::interp
