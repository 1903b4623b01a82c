// See VectorParts.hpp.
#include "VectorParts.hpp"

#include "FloatWords.hpp"
#include "LaneShuffles.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

constexpr int64_t kRegisterBits = 512;

int64_t lanesIn512(Type element) { return kRegisterBits / element.bitWidth(); }

VectorType rowOf(int64_t lanes, Type element) {
  return VectorType::get(element.context(), {&lanes, 1}, element);
}

/// first, first + step, ...
std::vector<int64_t> laneNumbers(int64_t count, int64_t step, int64_t first = 0) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(first + i * step);
  return numbers;
}

bool changesWidth(Operation& op) {
  return op.is("arith.extsi") || op.is("arith.extui") || op.is("arith.trunci") ||
         op.is("arith.extf") || op.is("arith.truncf");
}

/// What the row is the upper half of, if it was shifted down by so many bits; null: it was not.
Value shiftedDown(Value row, unsigned bits) {
  Operation* op = row.definingOp();
  const bool isDown = op && (op->is("arith.shrsi") || op->is("arith.shrui"));
  return isDown && shiftOf(*op) == int64_t{bits} ? op->operand(0) : Value();
}

/// The type halfway between integers of 8 and of 32 bits.
Type nextWidth(Type from, Type to) {
  const unsigned a = from.bitWidth(), b = to.bitWidth();
  if (a == 2 * b || b == 2 * a) return to;
  return IntegerType::get(from.context(), a < b ? 2 * a : a / 2);
}

}  // namespace

VectorType VectorParts::partType(Type element) const {
  return rowOf(std::min(lanes_, lanesIn512(element)), element);
}

size_t VectorParts::count(Type element) const {
  return static_cast<size_t>(std::max<int64_t>(1, lanes_ / lanesIn512(element)));
}

Value VectorParts::make(Location location, std::string_view name, std::span<const Value> operands,
                        Type type, std::span<const NamedAttribute> attributes) {
  return rewriter_.create(location, name, operands, {&type, 1}, attributes)->result();
}

VectorParts::Parts VectorParts::broadcast(Location location, Value number) {
  Value row = make(location, "vector.broadcast", {&number, 1}, partType(number.type()));
  return Parts(count(number.type()), row);
}

VectorParts::Parts VectorParts::constant(Location location, Attribute number, Type element) {
  Value row = rewriter_.constant(location, DenseElementsAttr::get(partType(element), {&number, 1}));
  return Parts(count(element), row);
}

// -- Memory ---------------------------------------------------------------------------------------

Value VectorParts::placeOf(Location location, Value index, size_t part, Type element) {
  if (part == 0) return index;
  const int64_t offset = static_cast<int64_t>(part) * lanesIn512(element);
  const Value operands[] = {index, rewriter_.constantIndex(location, offset)};
  return make(location, "arith.addi", operands, index.type());
}

VectorParts::Parts VectorParts::load(Location location, Value memory, Value index) {
  Type element = elementTypeOrSelf(memory.type());
  Parts parts;
  for (size_t i = 0; i < count(element); ++i) {
    const Value operands[] = {memory, placeOf(location, index, i, element)};
    parts.push_back(make(location, "vector.load", operands, partType(element)));
  }
  return parts;
}

VectorParts::Parts VectorParts::loadEvery(Location location, Value memory, Value index,
                                          int64_t step, int64_t phase) {
  const Type element = elementTypeOrSelf(memory.type());
  const int64_t lanes = lanesIn512(element);
  Parts rows = VectorParts(rewriter_, step * lanes_).load(location, memory, index);
  for (; step > 1; step /= 2, phase /= 2) {
    const std::vector<int64_t> mask = everySecondLane(lanes, phase % 2);
    Parts kept;
    for (size_t i = 0; i < rows.size(); i += 2)
      kept.push_back(shuffle(location, rows[i], rows[std::min(i + 1, rows.size() - 1)], mask));
    rows = std::move(kept);
  }
  if (lanes_ < lanes) return {half(location, rows[0], false)};
  return rows;
}

void VectorParts::store(Location location, const Parts& value, Value memory, Value index) {
  for (size_t i = 0; i < value.size(); ++i) {
    Value place = placeOf(location, index, i, elementTypeOrSelf(memory.type()));
    rewriter_.create(location, "vector.store", {value[i], memory, place}, {});
  }
}

// -- Arithmetic -----------------------------------------------------------------------------------

Value VectorParts::likeIt(Operation& op, std::span<const Value> operands, Type type) {
  OperationState state(op.location(), op.def());
  state.operands.assign(operands.begin(), operands.end());
  state.resultTypes = {type};
  state.attributes = NamedAttrList(op.attributes());
  return rewriter_.create(state)->result();
}

VectorParts::Parts VectorParts::converted(Location location, std::string_view name, Parts parts,
                                          Type from, Type to) {
  while (from != to) {
    Type next = nextWidth(from, to);
    parts = next.bitWidth() > from.bitWidth() ? widened(location, name, parts, next)
                                              : narrowed(location, name, parts, next);
    from = next;
  }
  return parts;
}

VectorParts::Parts VectorParts::compute(Operation& op, std::span<const Parts> operands) {
  Type type = op.result().type();
  if (expands(op)) return type.isFloat() ? floatsOf(op, operands[0]) : integersOf(op, operands[0]);
  if (changesWidth(op))
    return converted(op.location(), op.name(), operands[0], op.operand(0).type(), type);
  Parts parts;
  for (size_t i = 0; i < operands[0].size(); ++i) {
    std::vector<Value> lanes;
    for (const Parts& operand : operands)
      lanes.push_back(operand[i]);
    parts.push_back(likeIt(op, lanes, rowOf(lanes.back().type().cast<VectorType>().dim(0), type)));
  }
  return parts;
}

VectorParts::Parts VectorParts::first(Location location, Parts numbers, int64_t lanes,
                                      Attribute neutral) {
  const Type element = elementTypeOrSelf(numbers.front().type());
  const Parts others = constant(location, neutral, element);
  int64_t lane = 0;
  for (size_t part = 0; part < numbers.size(); ++part) {
    const int64_t size = numbers[part].type().cast<VectorType>().dim(0);
    std::vector<int64_t> from;
    for (int64_t i = 0; i < size; ++i, ++lane)
      from.push_back(lane < lanes ? i : size + i);
    numbers[part] = shuffle(location, numbers[part], others[part], from);
  }
  return numbers;
}

Value VectorParts::shuffle(Location location, Value a, Value b, std::span<const int64_t> mask) {
  return shuffleLanes(rewriter_, location, a, b, mask);
}

Value VectorParts::half(Location location, Value row, bool upper) {
  const int64_t lanes = row.type().cast<VectorType>().dim(0) / 2;
  return sliceLanes(rewriter_, location, row, upper ? lanes : 0, lanes);
}

/// Each register of 512 bits becomes two, one of 256 bits one of 512.
VectorParts::Parts VectorParts::widened(Location location, std::string_view name, const Parts& from,
                                        Type to) {
  Parts parts;
  for (Value row : from) {
    const int64_t lanes = row.type().cast<VectorType>().dim(0);
    if (lanes * int64_t{to.bitWidth()} <= kRegisterBits) {
      parts.push_back(make(location, name, {&row, 1}, rowOf(lanes, to)));
      continue;
    }
    for (bool upper : {false, true}) {
      Value narrow = half(location, row, upper);
      parts.push_back(make(location, name, {&narrow, 1}, rowOf(lanes / 2, to)));
    }
  }
  return parts;
}

/// Two registers become one: of integers the even lanes of half the width, in one step, or the odd ones of what was shifted down
/// to them.
VectorParts::Parts VectorParts::narrowed(Location location, std::string_view name,
                                         const Parts& from, Type to) {
  const int64_t lanes = from[0].type().cast<VectorType>().dim(0);
  if (from.size() == 1) return {make(location, name, from, rowOf(lanes, to))};
  Parts parts;
  for (size_t i = 0; i < from.size(); i += 2) {
    if (to.isFloat()) {
      const Value low = make(location, name, {&from[i], 1}, rowOf(lanes, to)),
                  high = make(location, name, {&from[i + 1], 1}, rowOf(lanes, to));
      parts.push_back(shuffle(location, low, high, laneNumbers(2 * lanes, 1)));
      continue;
    }
    Value low = shiftedDown(from[i], to.bitWidth()), high = shiftedDown(from[i + 1], to.bitWidth());
    const bool areUpper = low && high;
    if (!areUpper) low = from[i], high = from[i + 1];
    low = make(location, "vector.bitcast", {&low, 1}, rowOf(2 * lanes, to));
    high = make(location, "vector.bitcast", {&high, 1}, rowOf(2 * lanes, to));
    parts.push_back(shuffle(location, low, high, laneNumbers(2 * lanes, 2, areUpper ? 1 : 0)));
  }
  return parts;
}

// -- Floats of integers, integers of floats -------------------------------------------------------

bool VectorParts::expands(Operation& op) {
  if (op.numOperands() != 1 || op.numResults() != 1) return false;
  Type from = op.operand(0).type(), to = op.result().type();
  if (op.is("arith.fptosi") || op.is("arith.fptoui"))
    return (from.isF32() || from.isBF16()) &&
           (to.isInteger(8) || to.isInteger(16) || to.isInteger(32));
  if (!op.is("arith.sitofp") && !op.is("arith.uitofp")) return false;
  const bool isShort = from.isInteger(8) || from.isInteger(16);
  // Words would be rounded twice on the way to bf16.
  return (to.isF32() && (isShort || from.isInteger(32))) || (to.isBF16() && isShort);
}

VectorParts::Parts VectorParts::floatsOf(Operation& op, const Parts& numbers) {
  Location location = op.location();
  Type from = op.operand(0).type(), to = op.result().type(), word = rewriter_.intType(32);
  const bool areSigned = op.is("arith.sitofp");
  Parts parts = converted(location, areSigned ? "arith.extsi" : "arith.extui", numbers, from, word);
  FloatWords floats(rewriter_, location);
  for (Value& row : parts)
    row = from == word ? floats.floatsOfWords(row, areSigned) : floats.floatsOfShort(row);
  return converted(location, "arith.truncf", parts, rewriter_.f32(), to);
}

VectorParts::Parts VectorParts::integersOf(Operation& op, const Parts& numbers) {
  Location location = op.location();
  Parts parts = converted(location, "arith.extf", numbers, op.operand(0).type(), rewriter_.f32());
  for (Value& row : parts)
    row = FloatWords(rewriter_, location).wholePart(row, op.is("arith.fptosi"));
  return converted(location, "arith.trunci", parts, rewriter_.intType(32), op.result().type());
}

Value VectorParts::joined(Operation& combiner, Parts lanes, Attribute neutral) {
  Location location = combiner.location();
  Type element = combiner.result().type();
  auto combine = [&](Value a, Value b) {
    const Value operands[] = {a, b};
    return likeIt(combiner, operands, a.type());
  };
  Value all = lanes[0];
  for (size_t i = 1; i < lanes.size(); ++i)
    all = combine(all, lanes[i]);
  const int64_t most = lanesIn512(element);
  if (int64_t half = all.type().cast<VectorType>().dim(0); half < most) {
    Value rest =
        rewriter_.constant(location, DenseElementsAttr::get(rowOf(half, element), {&neutral, 1}));
    all = shuffle(location, all, rest, laneNumbers(most, 1));
  }
  for (int64_t by = most / 2; by > 0; by /= 2) {
    std::vector<int64_t> turned;
    for (int64_t lane = 0; lane < most; ++lane)
      turned.push_back((lane + by) % most);
    all = combine(all, shuffle(location, all, all, turned));
  }
  const int64_t first[] = {0};
  return vector::ExtractOp::create(rewriter_, location, all, first).result();
}

}  // namespace airlite::npu
