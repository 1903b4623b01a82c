#include "SpreadMath.hpp"

#include "IndexMath.hpp"
#include "SpreadAccess.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

Attribute oneInteger(Builder& builder, int64_t value) {
  const Attribute one[] = {builder.i64Attr(value)};
  return ArrayAttr::get(builder.context(), one);
}

Value putSlice(Builder& builder, Value part, Value into, int64_t at) {
  return builder
      .create(part.location(), "vector.insert_strided_slice", {part, into}, {into.type()},
              {builder.named("offsets", oneInteger(builder, at)),
               builder.named("strides", oneInteger(builder, 1))})
      ->result();
}

/// Row by row: sum[i][j] = a[i] * b[j] + sum[i][j].
Value multiplyInLanes(Builder& builder, Value a, Value b, Value sum,
                      const amdgpu::MatrixInstruction& row) {
  const Location at = a.location();
  for (int64_t i = 0; i < row.a.elements; ++i) {
    const Value one = vector::ExtractOp::create(builder, at, a, std::span(&i, 1)).result();
    const Value all = builder.create(at, "vector.broadcast", {one}, {b.type()})->result();
    const Value old = sliceOf(builder, sum, i * row.b.elements, row.b.elements);
    const Value made = builder.create(at, "vector.fma", {all, b, old}, {b.type()})->result();
    sum = putSlice(builder, made, sum, i * row.b.elements);
  }
  return sum;
}

// -- Other lanes -----------------------------------------------------------------------------------

bool canShuffle(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() || type.isFloat8() ||
         (type.isSignlessInteger() && (type.bitWidth() <= 32 || type.bitWidth() == 64));
}

Value converted(Builder& builder, std::string_view name, Value value, Type type) {
  if (value.type() == type) return value;
  return builder.create(value.location(), name, {value}, {type})->result();
}

/// `value` of the lane whose number differs by the bits of `mask`. Words of 32 bits go from lane to lane.
Value fromLane(Builder& builder, Value value, int64_t mask, int64_t wave) {
  const Type type = value.type(), bits = builder.intType(static_cast<unsigned>(type.bitWidth()));
  const bool isNarrow = type.bitWidth() < 32;
  Value word = value;
  if (isNarrow && type.isFloat()) word = converted(builder, "arith.bitcast", word, bits);
  if (isNarrow) word = converted(builder, "arith.extui", word, builder.intType(32));
  const Location at = value.location();
  const Attribute mode = DialectAttr::getKeyword(builder.context(), "gpu.shuffle_mode", "xor");
  const Value offset = builder.constant(at, builder.i32Attr(mask));
  const Value width = builder.constant(at, builder.i32Attr(wave));
  const Type types[] = {word.type(), builder.intType(1)};
  const Value operands[] = {word, offset, width};
  const NamedAttribute attrs[] = {builder.named("mode", mode)};
  word = builder.create(at, "gpu.shuffle", operands, types, attrs)->result(0);
  if (isNarrow) word = converted(builder, "arith.trunci", word, bits);
  return isNarrow && type.isFloat() ? converted(builder, "arith.bitcast", word, type) : word;
}

/// Bits of the number of a lane that move it along `axis`; empty: they do not do it one by one.
std::optional<int64_t> lanesAlong(const amdgpu::Axis& axis, int64_t wave) {
  int64_t bits = 0;
  for (int64_t bit = 1; bit < wave; bit *= 2)
    if (axis.ofLane(bit)) bits |= bit;
  for (int64_t number = 0; number < wave; ++number) {
    int64_t sum = 0;
    for (int64_t bit = 1; bit < wave; bit *= 2)
      if (number & bit) sum += axis.ofLane(bit);
    if (sum != axis.ofLane(number)) return std::nullopt;
  }
  return bits;
}

/// Of the dimensions that are not `kept`; empty where a lane lies along both kinds.
std::optional<int64_t> reducedLanes(const Layout& layout, std::span<const int64_t> kept,
                                    int64_t wave) {
  int64_t keptBits = 0, bits = 0;
  for (size_t dim = 0; dim < layout.axes.size(); ++dim) {
    const auto along = lanesAlong(layout.axes[dim], wave);
    if (!along) return std::nullopt;
    (std::ranges::count(kept, static_cast<int64_t>(dim)) ? keptBits : bits) |= *along;
  }
  return keptBits & bits ? std::nullopt : std::optional(bits);
}

/// What each bit exchanges: where all lanes of four have the same, and then all of eight, the mirrored
/// lane has what the one 4 or 8 away has, and DPP reads it without a cycle of its own.
std::vector<int64_t> exchanges(int64_t bits) {
  std::vector<int64_t> masks;
  for (int64_t bit = 1; bit <= bits; bit *= 2) {
    if (!(bits & bit)) continue;
    const bool isMirror = (bit == 4 || bit == 8) && (bits & (bit - 1)) == bit - 1;
    masks.push_back(isMirror ? 2 * bit - 1 : bit);
  }
  return masks;
}

/// Numbers of the elements of a lane that become each element of the result; empty where two of them are
/// the same one.
std::vector<std::vector<int64_t>> partsOf(const Layout& layout, const Layout& result,
                                          std::span<const int64_t> kept) {
  std::vector<std::vector<int64_t>> parts(static_cast<size_t>(result.elements));
  std::vector<std::vector<int64_t>> places;
  for (int64_t e = 0; e < layout.elements; ++e) {
    auto place = placeOf(layout, e);
    if (std::ranges::count(places, place)) return {};
    std::vector<int64_t> outer;
    for (int64_t dim : kept)
      outer.push_back(place[static_cast<size_t>(dim)]);
    places.push_back(std::move(place));
    for (int64_t r = 0; r < result.elements; ++r)
      if (placeOf(result, r) == outer) {
        parts[static_cast<size_t>(r)].push_back(e);
        break;
      }
  }
  return parts;
}

}  // namespace

Value multiplyFragments(Builder& builder, const ContractPlan& plan, Value lhs, Value rhs,
                        Value sum) {
  const auto& row = *plan.instruction;
  for (int64_t step = 0; step < plan.steps; ++step) {
    const Value a = sliceOf(builder, lhs, step * row.a.elements, row.a.elements);
    const Value b = sliceOf(builder, rhs, step * row.b.elements, row.b.elements);
    sum = row.form == amdgpu::MatrixForm::Lanes
              ? multiplyInLanes(builder, a, b, sum, row)
              : MatrixProductOp::create(builder, lhs.location(), row, a, b, sum);
  }
  return sum;
}

std::vector<Value> reduceFragment(Builder& builder, Location at, Value fragment,
                                  const Layout& layout, std::span<const int64_t> kept,
                                  std::string_view kind, int64_t wave) {
  const Type type = elementTypeOrSelf(fragment.type());
  const std::string_view name = vector::combiningOp(kind, type.isFloat());
  const auto lanes = reducedLanes(layout, kept, wave);
  const auto parts = partsOf(layout, partOf(layout, kept), kept);
  if (name.empty() || !canShuffle(type) || !lanes || parts.empty()) return {};
  const auto combine = [&](Value a, Value b) {
    return builder.create(at, name, {a, b}, {type})->result();
  };
  std::vector<Value> results;
  for (const auto& part : parts) {
    std::vector<Value> values;
    for (int64_t e : part)
      values.push_back(vector::ExtractOp::create(builder, at, fragment, std::span(&e, 1)).result());
    // Neighbours first: short chains of ops that wait for each other.
    for (size_t count = values.size(); count > 1; count = (count + 1) / 2)
      for (size_t i = 0; i < (count + 1) / 2; ++i)
        values[i] = 2 * i + 1 < count ? combine(values[2 * i], values[2 * i + 1]) : values[2 * i];
    Value result = values[0];
    for (int64_t mask : exchanges(*lanes))
      result = combine(result, fromLane(builder, result, mask, wave));
    results.push_back(result);
  }
  return results;
}

int64_t repeatedLanes(const Layout& layout, int64_t wave) {
  int64_t used = 0;
  for (const amdgpu::Axis& axis : layout.axes)
    used |= lanesAlong(axis, wave).value_or(wave - 1);
  return ~used & (wave - 1);
}

// -- From one layout to another ----------------------------------------------------------------------

static std::vector<int64_t> placeIn(const Layout& layout, int64_t lane, int64_t e) {
  std::vector<int64_t> place;
  for (const amdgpu::Axis& axis : layout.axes)
    place.push_back(axis.at(lane, e));
  return place;
}

/// Whether element `t` of every lane is element `e` of the lane of its pair that has the bit (or has it not).
static bool isElementOf(const Layout& from, int64_t e, const Layout& to, int64_t t, int64_t bit,
                        bool isOther, int64_t wave) {
  for (int64_t lane = 0; lane < wave; ++lane)
    if (placeIn(to, lane, t) != placeIn(from, isOther ? lane | bit : lane & ~bit, e)) return false;
  return true;
}

static bool findElement(const Layout& from, const Layout& to, int64_t t, int64_t wave,
                        LaneExchange& exchange) {
  for (int64_t e = 0; e < from.elements; ++e)
    for (bool isOther : {false, true})
      if (isElementOf(from, e, to, t, exchange.bit, isOther, wave)) {
        exchange.element.push_back(e);
        exchange.isOther.push_back(isOther);
        return true;
      }
  return false;
}

std::optional<LaneExchange> exchangeBetween(const Layout& from, const Layout& to, Type element,
                                            int64_t wave) {
  const bool hasWords = from.elements * static_cast<int64_t>(element.bitWidth()) % 32 == 0;
  if (!hasWords || !canShuffle(element) || element.bitWidth() > 32) return std::nullopt;
  for (int64_t bit = 1; bit < wave; bit *= 2) {
    LaneExchange exchange{bit, {}, {}};
    bool isFound = true;
    for (int64_t t = 0; t < to.elements && isFound; ++t)
      isFound = findElement(from, to, t, wave, exchange);
    if (isFound) return exchange;
  }
  return std::nullopt;
}

Value exchangeFragment(Builder& builder, Value fragment, const LaneExchange& exchange, Value lane,
                       int64_t wave) {
  const Location at = fragment.location();
  const auto type = fragment.type().cast<VectorType>();
  const auto vectorOf = [&](int64_t count, Type element) {
    return VectorType::get(builder.context(), std::span(&count, 1), element);
  };
  const Type i32 = builder.intType(32);
  const int64_t words =
      type.numElements() * static_cast<int64_t>(type.elementType().bitWidth()) / 32;
  const Value own = converted(builder, "vector.bitcast", fragment, vectorOf(words, i32));
  std::vector<Value> others;
  for (int64_t i = 0; i < words; ++i)
    others.push_back(
        fromLane(builder, vector::ExtractOp::create(builder, at, own, std::span(&i, 1)).result(),
                 exchange.bit, wave));
  const Type wordsType[] = {own.type()};
  const Value other = builder.create(at, "vector.from_elements", others, wordsType)->result();
  const Value mask = builder.constantIndex(at, exchange.bit);
  const Value part = builder.create(at, "arith.andi", {lane, mask}, {mask.type()})->result();
  const Value isFirst = IndexMath(builder, at).compare(arith::CmpIPredicate::eq, part, 0);
  const auto choose = [&](Value yes, Value no) {
    const Value chosen =
        builder.create(at, "arith.select", {isFirst, yes, no}, {yes.type()})->result();
    return converted(builder, "vector.bitcast", chosen, type);
  };
  const Value first = choose(own, other), second = choose(other, own);
  std::vector<Attribute> numbers;
  for (size_t t = 0; t < exchange.element.size(); ++t)
    numbers.push_back(
        builder.i64Attr(exchange.element[t] + (exchange.isOther[t] ? type.numElements() : 0)));
  const Type result = vectorOf(static_cast<int64_t>(numbers.size()), type.elementType());
  return builder
      .create(at, "vector.shuffle", {first, second}, {result},
              {builder.named("mask", ArrayAttr::get(builder.context(), numbers))})
      ->result();
}

Value repeatFragment(Builder& builder, Value fragment, const Layout& from, const Layout& to,
                     const std::vector<bool>& isOne) {
  const size_t lead = to.axes.size() - from.axes.size();
  std::vector<Attribute> numbers;
  bool isSame = from.elements == to.elements;
  for (int64_t e = 0; e < to.elements; ++e) {
    auto wanted = placeOf(to, e);
    wanted.erase(wanted.begin(), wanted.begin() + static_cast<ptrdiff_t>(lead));
    for (size_t dim = 0; dim < wanted.size(); ++dim)
      if (isOne[dim]) wanted[dim] = 0;
    int64_t source = 0;
    while (placeOf(from, source) != wanted)
      ++source;
    isSame = isSame && source == e;
    numbers.push_back(builder.i64Attr(source));
  }
  if (isSame) return fragment;
  const Type type = VectorType::get(builder.context(), std::span(&to.elements, 1),
                                    elementTypeOrSelf(fragment.type()));
  return builder
      .create(fragment.location(), "vector.shuffle", {fragment, fragment}, {type},
              {builder.named("mask", ArrayAttr::get(builder.context(), numbers))})
      ->result();
}

}  // namespace airlite::gpu
