// Loads and stores of the elements that a lane has of a vector of its wave, up to 16 bytes at a time.
#include "SpreadAccess.hpp"

#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::gpu {

struct LaneAccessWriter::Access {
  Operation& op;
  Value memref;
  MemRefType type;
  std::vector<int64_t> strides;
  const Layout& layout;
  bool isGuarded;
  std::vector<unsigned> dims;  ///< of the memref, for each dimension of the vector
  std::vector<Value> start;    ///< indices without the constant part of an element's coordinates

  int64_t elementBytes() const {
    return std::max<int64_t>(1, static_cast<int64_t>(type.elementType().bitWidth()) / 8);
  }

  /// The dimension of the vector along which elements are next to each other in memory; -1: none.
  int inner() const {
    for (size_t i = 0; i < dims.size(); ++i)
      if (strides[dims[i]] == 1) return static_cast<int>(i);
    return -1;
  }

  /// Constant part of the coordinate of element `e` along dimension `i` of the vector.
  int64_t offsetOf(size_t i, int64_t e) const { return layout.axes[i].at(0, e); }

  Type runType(const Run& run) const {
    const auto count = static_cast<int64_t>(run.size());
    return VectorType::get(type.context(), std::span(&count, 1), type.elementType());
  }

  /// A vector of one row along the dimension of the run, so that all bounds are still asked for.
  VectorType rowType(const Run& run) const {
    std::vector<int64_t> shape(dims.size(), 1);
    if (const int along = inner(); along >= 0)
      shape[static_cast<size_t>(along)] = static_cast<int64_t>(run.size());
    return VectorType::get(type.context(), shape, type.elementType());
  }
};

namespace {

constexpr int64_t kWidestAccess = 16;  // bytes

std::vector<unsigned> dimensionsOf(Operation& op, size_t rank, size_t vectorRank) {
  std::vector<unsigned> dims;
  if (auto map = op.attrOf<AffineMapAttr>("permutation_map"))
    for (AffineExpr result : map.value().results())
      dims.push_back(result.position());
  else
    for (size_t i = 0; i < vectorRank; ++i)
      dims.push_back(static_cast<unsigned>(rank - vectorRank + i));
  return dims;
}

void copyTransferAttributes(Operation& from, OperationState& state) {
  for (std::string_view name : {"permutation_map", "in_bounds"})
    if (Attribute attr = from.attr(name)) state.addAttribute(from.context(), name, attr);
}

Attribute oneNumber(Builder& builder, int64_t value) {
  const Attribute one[] = {builder.i64Attr(value)};
  return ArrayAttr::get(builder.context(), one);
}

}  // namespace

Value sliceOf(Builder& builder, Value vector, int64_t from, int64_t count) {
  const auto type = vector.type().cast<VectorType>();
  if (count == type.numElements()) return vector;
  const Type part = VectorType::get(type.context(), std::span(&count, 1), type.elementType());
  return builder
      .create(vector.location(), "vector.extract_strided_slice", {vector}, {part},
              {builder.named("offsets", oneNumber(builder, from)),
               builder.named("sizes", oneNumber(builder, count)),
               builder.named("strides", oneNumber(builder, 1))})
      ->result();
}

LaneAccessWriter::Access LaneAccessWriter::accessOf(Operation& op, const Layout& layout,
                                                    bool isGuarded) {
  const Value memref = op.operand(op.numResults() == 1 ? 0 : 1);
  const auto type = memref.type().cast<MemRefType>();
  Access access{op, memref, type, type.stridedForm()->strides, layout, isGuarded, {}, {}};
  // Only a transfer takes elements that lie apart.
  access.isGuarded = isGuarded || access.strides.back() != 1;
  access.dims = dimensionsOf(op, type.shape().size(), layout.axes.size());
  for (Value index : op.operandGroup("indices"))
    access.start.push_back(index);
  IndexMath math(builder_, op.location());
  for (size_t i = 0; i < access.dims.size(); ++i) {
    Value& index = access.start[access.dims[i]];
    index = math.value(math.add(Index(index), lanePart(layout.axes[i])));
  }
  return access;
}

Index LaneAccessWriter::lanePart(const amdgpu::Axis& axis) {
  const Index inner = lanePart(axis.lane), outer = lanePart(axis.outerLane);
  if (outer.is(0)) return inner;
  Builder start = Builder::atStart(scope_.region().front());
  if (lastPart_) start.setAfter(*lastPart_);
  const Index sum = IndexMath(start, scope_.location()).add(inner, outer);
  if (sum.value && sum.value.definingOp()) lastPart_ = sum.value.definingOp();
  return sum;
}

/// (lane / divide % modulo) * scale, made once at the start of the herd.
Index LaneAccessWriter::lanePart(const amdgpu::Term& term) {
  if (term.scale == 0) return 0;
  const std::array<int64_t, 3> key = {term.divide, term.modulo, term.scale};
  if (const auto known = laneParts_.find(key); known != laneParts_.end()) return known->second;
  Builder start = Builder::atStart(scope_.region().front());
  if (lastPart_) start.setAfter(*lastPart_);
  IndexMath math(start, scope_.location());
  Index part = math.div(Index(kernel_.lane), term.divide);
  if (term.modulo && term.divide * term.modulo < kernel_.shape.wave)
    part = math.rem(part, term.modulo);
  part = math.mul(part, term.scale);
  if (part.value && part.value != kernel_.lane && part.value.definingOp())
    lastPart_ = part.value.definingOp();
  return laneParts_[key] = part;
}

Value LaneAccessWriter::places(Location location, const Layout& layout) {
  IndexMath math(builder_, location);
  const Index start = lanePart(layout.axes[0]);
  std::vector<Value> all;
  for (int64_t e = 0; e < layout.elements; ++e)
    all.push_back(math.value(math.add(start, layout.axes[0].at(0, e))));
  const Type types[] = {
      VectorType::get(builder_.context(), std::span(&layout.elements, 1), builder_.indexType())};
  return builder_.create(location, "vector.from_elements", all, types)->result();
}

std::vector<LaneAccessWriter::Run> LaneAccessWriter::runsOf(const Access& access) const {
  const int inner = access.inner();
  std::map<std::vector<int64_t>, int64_t> byPlace;  // outer coordinates, then the inner one
  std::vector<Run> single;
  for (int64_t e = 0; e < access.layout.elements; ++e) {
    std::vector<int64_t> place;
    for (size_t i = 0; i < access.dims.size(); ++i)
      if (static_cast<int>(i) != inner) place.push_back(access.offsetOf(i, e));
    if (inner >= 0) place.push_back(access.offsetOf(static_cast<size_t>(inner), e));
    byPlace.emplace(place, e);
    single.push_back({e});
  }
  // An element that a lane has several times is read each time.
  if (byPlace.size() != single.size()) return single;
  std::vector<Run> runs;
  const std::vector<int64_t>* before = nullptr;
  const auto limit = static_cast<size_t>(kWidestAccess / access.elementBytes());
  for (const auto& [place, e] : byPlace) {
    const bool follows = before && inner >= 0 && runs.back().size() < limit &&
                         std::equal(place.begin(), place.end() - 1, before->begin()) &&
                         place.back() == before->back() + 1;
    if (!follows) runs.emplace_back();
    runs.back().push_back(e);
    before = &place;
  }
  return runs;
}

std::vector<Value> LaneAccessWriter::indicesAt(const Access& access, int64_t element) {
  IndexMath math(builder_, access.op.location());
  std::vector<Value> indices = access.start;
  for (size_t i = 0; i < access.dims.size(); ++i) {
    Value& index = indices[access.dims[i]];
    index = math.value(math.add(Index(index), access.offsetOf(i, element)));
  }
  return indices;
}

/// A number that divides the offset of a memref.reinterpret_cast.
static int64_t offsetDivisor(Operation& cast) {
  const int64_t fixed = cast.result().type().cast<MemRefType>().stridedForm()->offset;
  return fixed != kDynamic ? fixed : knownDivisor(cast.operand(1));
}

/// Bytes that the address of a run is a multiple of, where that is all of the run: of LDS, whose
/// buffers are aligned. 0: not known.
int64_t LaneAccessWriter::alignmentOf(const Access& access, std::span<const Value> indices,
                                      int64_t bytes) const {
  Operation* buffer = access.memref.definingOp();
  if (!isLevel(access.memref, air::MemoryLevel::L2) || !buffer) return 0;
  int64_t divisor = bytes;
  if (buffer->is("memref.reinterpret_cast")) {
    divisor = std::gcd(divisor, offsetDivisor(*buffer) * access.elementBytes());
    buffer = buffer->operand(0).definingOp();
  }
  const bool isPart =
      buffer && buffer->is("memref.view") && knownDivisor(buffer->operand(1)) % bytes == 0;
  if (!isPart && !(buffer && buffer->is("memref.alloc"))) return 0;
  for (size_t d = 0; d < indices.size(); ++d)
    divisor =
        std::gcd(divisor, knownDivisor(indices[d]) * access.strides[d] * access.elementBytes());
  return divisor == bytes ? bytes : 0;
}

void LaneAccessWriter::align(Operation& op, const Access& access, std::span<const Value> indices,
                             const Run& run) {
  const auto bytes = static_cast<int64_t>(run.size()) * access.elementBytes();
  if (const int64_t known = alignmentOf(access, indices, bytes))
    op.setAttr("alignment", builder_.i64Attr(known));
}

Value LaneAccessWriter::flat(Value value, Type type) {
  if (value.type() == type) return value;
  return builder_.create(value.location(), "vector.shape_cast", {value}, {type})->result();
}

// -- Reads --------------------------------------------------------------------------------------

Value LaneAccessWriter::read(Operation& op, const Layout& layout, bool isGuarded) {
  const Access access = accessOf(op, layout, isGuarded);
  const auto runs = runsOf(access);
  std::vector<Value> parts(static_cast<size_t>(layout.elements));
  for (const Run& run : runs) {
    const Value part = readRun(access, run);
    if (runs.size() == 1 && std::ranges::is_sorted(run)) return part;
    for (size_t i = 0; i < run.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      parts[static_cast<size_t>(run[i])] =
          vector::ExtractOp::create(builder_, op.location(), part, std::span(&at, 1)).result();
    }
  }
  const Type types[] = {
      VectorType::get(op.context(), std::span(&layout.elements, 1), access.type.elementType())};
  return builder_.create(op.location(), "vector.from_elements", parts, types)->result();
}

Value LaneAccessWriter::readRun(const Access& access, const Run& run) {
  const auto indices = indicesAt(access, run[0]);
  if (access.isGuarded) return guardedRead(access, indices, run);
  std::vector<Value> operands = {access.memref};
  operands.insert(operands.end(), indices.begin(), indices.end());
  const Type types[] = {access.runType(run)};
  Operation* load = builder_.create(access.op.location(), "vector.load", operands, types);
  align(*load, access, indices, run);
  return load->result();
}

Value LaneAccessWriter::guardedRead(const Access& access, std::span<const Value> indices,
                                    const Run& run) {
  OperationState state(builder_.context(), access.op.location(), "vector.transfer_read");
  state.operands = {access.memref};
  state.operands.insert(state.operands.end(), indices.begin(), indices.end());
  state.operands.push_back(vector::TransferReadOp(&access.op).padding());
  copyTransferAttributes(access.op, state);
  const int32_t groups[] = {1, static_cast<int32_t>(indices.size()), 1, 0};
  state.setOperandSegments(builder_.context(), groups);
  state.resultTypes.push_back(access.rowType(run));
  return flat(builder_.create(state)->result(), access.runType(run));
}

// -- Writes -------------------------------------------------------------------------------------

void LaneAccessWriter::write(Operation& op, const Layout& layout, bool isGuarded, Value fragment) {
  const Access access = accessOf(op, layout, isGuarded);
  for (const Run& run : runsOf(access)) {
    const Value part = takeRun(access, run, fragment);
    const auto indices = indicesAt(access, run[0]);
    if (access.isGuarded) {
      guardedWrite(access, indices, run, part);
      continue;
    }
    std::vector<Value> operands = {part, access.memref};
    operands.insert(operands.end(), indices.begin(), indices.end());
    align(*builder_.create(op.location(), "vector.store", operands, {}), access, indices, run);
  }
}

Value LaneAccessWriter::takeRun(const Access& access, const Run& run, Value fragment) {
  bool isSlice = true;
  for (size_t i = 0; i < run.size(); ++i)
    isSlice = isSlice && run[i] == run[0] + static_cast<int64_t>(i);
  if (isSlice) return sliceOf(builder_, fragment, run[0], static_cast<int64_t>(run.size()));
  // Halves are put together as integers: LLVM takes those of bf16 apart one by one.
  const Type result = access.runType(run), element = access.type.elementType();
  const Type half = element.isBF16() ? builder_.intType(16) : element;
  const Value source = castElements(fragment, half);
  std::vector<Value> parts;
  for (int64_t e : run)
    parts.push_back(
        vector::ExtractOp::create(builder_, access.op.location(), source, std::span(&e, 1))
            .result());
  const auto count = static_cast<int64_t>(run.size());
  const Type types[] = {VectorType::get(half.context(), std::span(&count, 1), half)};
  const Value made =
      builder_.create(access.op.location(), "vector.from_elements", parts, types)->result();
  return castElements(made, result.cast<VectorType>().elementType());
}

Value LaneAccessWriter::castElements(Value vector, Type element) {
  const auto type = vector.type().cast<VectorType>();
  if (type.elementType() == element) return vector;
  const Type types[] = {VectorType::get(element.context(), type.shape(), element)};
  return builder_.create(vector.location(), "vector.bitcast", std::span(&vector, 1), types)
      ->result();
}

void LaneAccessWriter::guardedWrite(const Access& access, std::span<const Value> indices,
                                    const Run& run, Value part) {
  OperationState state(builder_.context(), access.op.location(), "vector.transfer_write");
  state.operands = {flat(part, access.rowType(run)), access.memref};
  state.operands.insert(state.operands.end(), indices.begin(), indices.end());
  copyTransferAttributes(access.op, state);
  const int32_t groups[] = {1, 1, static_cast<int32_t>(indices.size()), 0};
  state.setOperandSegments(builder_.context(), groups);
  builder_.create(state);
}

}  // namespace airlite::gpu
