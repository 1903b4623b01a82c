// Places of views, see ViewPlace.hpp.
#include "ViewPlace.hpp"

#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::npu {

using memref::MixedIndex;

namespace {

std::vector<MixedIndex> constants(std::span<const int64_t> numbers) {
  return std::vector<MixedIndex>(numbers.begin(), numbers.end());
}

/// The strides that a type says; empty when one is open.
std::optional<std::vector<MixedIndex>> knownStrides(MemRefType type) {
  auto form = type.stridedForm();
  if (!form) return std::nullopt;
  for (int64_t stride : form->strides)
    if (stride == kDynamic) return std::nullopt;
  return constants(form->strides);
}

MixedIndex simplified(MixedIndex index) {
  if (index.isConstant()) return index;
  auto number = constantIntOf(index.value);
  return number ? MixedIndex(*number) : index;
}

void addOffset(Place& place, MixedIndex factor, MixedIndex stride) {
  factor = simplified(factor), stride = simplified(stride);
  bool isZero = (factor.isConstant() && factor.constant == 0) ||
                (stride.isConstant() && stride.constant == 0);
  if (!isZero) place.offset.push_back({factor, stride});
}

Place subview(memref::SubViewOp op, Place place, std::string& why) {
  std::vector<MixedIndex> offsets = op.offsets(), steps = op.strides(), kept;
  auto dropped = op.droppedDims();
  for (size_t i = 0; i < offsets.size(); ++i) {
    addOffset(place, offsets[i], place.strides[i]);
    if (dropped && (*dropped)[i]) continue;
    MixedIndex step = simplified(steps[i]), stride = place.strides[i];
    if (step.isConstant() && stride.isConstant())
      kept.push_back(step.constant * stride.constant);
    else if (step == MixedIndex(1))
      kept.push_back(stride);
    else
      why = "a view with a step that is not constant";
  }
  place.strides = kept;
  return place;
}

Place transposed(memref::TransposeOp op, Place place) {
  AffineMap permutation = op.permutation();
  std::vector<MixedIndex> strides;
  for (unsigned i = 0; i < permutation.numResults(); ++i)
    strides.push_back(place.strides[permutation.result(i).position()]);
  place.strides = strides;
  return place;
}

unsigned depthOf(Value value) {
  unsigned depth = 0;
  for (Block* block = value.parentBlock(); block && block->parentOp();
       block = block->parentOp()->block())
    ++depth;
  return depth;
}

Value valueOf(Builder& builder, Location location, MixedIndex index) {
  return index.isConstant() ? builder.constantIndex(location, index.constant) : index.value;
}

Value binary(Builder& builder, Location location, std::string_view name, Value lhs, Value rhs) {
  return builder.create(location, name, {lhs, rhs}, {builder.indexType()})->result();
}

Value termValue(Builder& builder, Location location, const Place::Term& term) {
  if (term.stride == MixedIndex(1)) return valueOf(builder, location, term.factor);
  if (term.factor == MixedIndex(1)) return valueOf(builder, location, term.stride);
  return binary(builder, location, "arith.muli", valueOf(builder, location, term.factor),
                valueOf(builder, location, term.stride));
}

unsigned depthOf(const Place::Term& term) {
  unsigned factor = term.factor.isConstant() ? 0 : depthOf(term.factor.value);
  return std::max(factor, term.stride.isConstant() ? 0 : depthOf(term.stride.value));
}

}  // namespace

bool Place::isWhole(MemRefType type) const {
  auto form = type.cast<MemRefType>().withLayout(Attribute()).stridedForm();
  if (!offset.empty() || !form) return false;
  for (size_t i = 0; i < strides.size(); ++i)
    if (type.dim(i) != 1 && strides[i] != MixedIndex(form->strides[i])) return false;
  return true;
}

MemRefType flatType(MemRefType type) {
  if (!type || !type.hasStaticShape() || !type.hasIdentityLayout()) return MemRefType();
  int64_t size = type.numElements();
  return MemRefType::get(type.context(), {&size, 1}, type.elementType(), Attribute(),
                         type.memorySpace());
}

bool isPlaceView(const Operation& op) {
  for (std::string_view name :
       {"memref.subview", "memref.cast", "memref.memory_space_cast", "memref.assume_alignment",
        "memref.collapse_shape", "memref.expand_shape", "memref.transpose",
        "memref.reinterpret_cast"})
    if (op.is(name)) return op.numResults() == 1;
  return false;
}

const Place* Places::find(Value memref, std::string& why) {
  auto found = known_.find(memref);
  if (found != known_.end()) return &found->second;
  std::optional<Place> place = make(memref, why);
  return place ? &known_.emplace(memref, std::move(*place)).first->second : nullptr;
}

std::optional<Place> Places::make(Value memref, std::string& why) {
  Operation* op = memref.definingOp();
  if (op && isPlaceView(*op)) return makeView(*op, why);
  auto type = memref.type().dynCast<MemRefType>();
  if (!flatType(type)) {
    why = "memory without a constant size or not row-major: " + memref.type().str();
    return std::nullopt;
  }
  return Place{memref, {}, *knownStrides(type)};
}

std::optional<Place> Places::makeView(Operation& op, std::string& why) {
  auto type = op.result().type().dynCast<MemRefType>();
  const Place* source = find(op.operand(0), why);
  if (!source) return std::nullopt;
  if (!type) return why = "memory without a rank", std::nullopt;
  Place place = *source;
  if (op.is("memref.subview")) place = subview(memref::SubViewOp(&op), std::move(place), why);
  if (op.is("memref.transpose")) place = transposed(memref::TransposeOp(&op), std::move(place));
  if (op.is("memref.reinterpret_cast")) {
    memref::ReinterpretCastOp cast(&op);
    place.offset.clear();  // counts from where the memory begins
    place.strides = cast.strides();
    addOffset(place, cast.offsets()[0], 1);
  }
  if (op.is("memref.collapse_shape") || op.is("memref.expand_shape")) {
    auto strides = knownStrides(type);
    if (!strides) return why = "another shape of memory with open strides", std::nullopt;
    place.strides = *strides;
  }
  if (!why.empty()) return std::nullopt;
  return place;
}

Value linearIndex(Builder& builder, Location location, const Place& place,
                  const std::vector<Value>& indices) {
  Place sum{place.base, place.offset, {}};
  for (size_t i = 0; i < indices.size(); ++i)
    addOffset(sum, indices[i], place.strides[i]);
  int64_t constant = 0;
  std::erase_if(sum.offset, [&](const Place::Term& term) {
    if (!term.factor.isConstant() || !term.stride.isConstant()) return false;
    constant += term.factor.constant * term.stride.constant;
    return true;
  });
  std::stable_sort(sum.offset.begin(), sum.offset.end(),
                   [](const auto& a, const auto& b) { return depthOf(a) < depthOf(b); });
  Value index =
      constant != 0 || sum.offset.empty() ? builder.constantIndex(location, constant) : Value();
  for (const Place::Term& term : sum.offset) {
    Value value = termValue(builder, location, term);
    index = index ? binary(builder, location, "arith.addi", index, value) : value;
  }
  return index;
}

/// Memory without dimensions as a row of one element.
static Value oneElement(Builder& builder, Location location, Value memory) {
  auto type = memory.type().cast<MemRefType>();
  constexpr int64_t kOne[] = {1};
  Context& context = builder.context();
  Type row = MemRefType::get(context, kOne, type.elementType(), Attribute(), type.memorySpace());
  return builder
      .create(location, "memref.expand_shape", {memory}, {row},
              {builder.named("reassociation", ArrayAttr::get(context, {})),
               builder.named("static_output_shape", DenseArrayAttr::getI64(context, kOne))})
      ->result();
}

Value asRow(Builder& builder, Location location, Value memory) {
  auto type = memory.type().cast<MemRefType>();
  if (type.rank() == 1) return memory;
  if (type.rank() == 0) return oneElement(builder, location, memory);
  memref::Reassociation all(1);
  for (int64_t i = 0; i < static_cast<int64_t>(type.rank()); ++i)
    all[0].push_back(i);
  Type i64 = IntegerType::get(builder.context(), 64);
  std::vector<Attribute> numbers;
  for (int64_t i : all[0])
    numbers.push_back(IntegerAttr::get(i64, i));
  Attribute group = ArrayAttr::get(builder.context(), numbers);
  MemRefType to = memref::CollapseShapeOp::inferType(type, all);
  return builder
      .create(
          location, "memref.collapse_shape", {memory}, {to},
          {builder.named("reassociation", ArrayAttr::get(builder.context(), std::span(&group, 1)))})
      ->result();
}

Value asWords(Builder& builder, Location location, Value memory) {
  Value row = asRow(builder, location, memory);
  auto type = row.type().cast<MemRefType>();
  int64_t words = type.numElements() * type.elementType().bitWidth() / 32;
  Type result = MemRefType::get(builder.context(), std::span(&words, 1), builder.intType(32),
                                Attribute(), type.memorySpace());
  return builder.create(location, "builtin.unrealized_conversion_cast", {row}, {result})->result();
}

}  // namespace airlite::npu
