// See FilledCopy.hpp.
#include "FilledCopy.hpp"

#include "RowMover.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace airlite::tiling {

namespace {

std::span<const int64_t> shapeOf(Value memory) { return memory.type().cast<MemRefType>().shape(); }
std::span<const int64_t> shapeOfSource(const FilledCopy& copy) { return shapeOf(copy.from); }

int64_t elementsOf(std::span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

bool isPlainOfHost(Value buffer) {
  return isWholeOfHost(buffer) && elementTypeOrSelf(buffer.type()).bitWidth() % 8 == 0;
}

/// Writes the loops. One class: both nests share the places and the builder.
class FilledCopyWriter {
 public:
  FilledCopyWriter(const FilledCopy& copy, Value to, Value number, Builder& builder,
                   Location location)
      : copy_(copy), to_(to), number_(number), builder_(builder), location_(location) {}

  void write() {
    const std::span<const int64_t> from = shapeOfSource(copy_), to = shapeOf(to_);
    const size_t place = copy_.place();
    loop(from[copy_.outer], [&](Value round) {
      std::vector<Value> at(to.size());
      at[place] = sum(round, copy_.offsets[place]);
      nest(to, at, [&] { store(number_, at); });
      at.assign(from.size(), Value());
      at[copy_.outer] = round;
      nest(from, at, [&] {
        std::vector<Value> operands = {copy_.from};
        operands.insert(operands.end(), at.begin(), at.end());
        const Type element[] = {number_.type()};
        const Value loaded = builder_.create(location_, "memref.load", operands, element)->result();
        store(loaded, placeFor(at));
      });
    });
  }

 private:
  /// Where the element goes. What the buffer has no dimensions of its own for is in the last one.
  std::vector<Value> placeFor(const std::vector<Value>& from) {
    const size_t rank = shapeOf(to_).size();
    std::vector<Value> places;
    for (size_t dim = 0; dim < copy_.dims.size(); ++dim) {
      const Value place = sum(from[static_cast<size_t>(copy_.dims[dim])], copy_.offsets[dim]);
      if (dim < rank)
        places.push_back(place);
      else
        places.back() = plus(times(places.back(), copy_.shape[dim]), place);
    }
    return places;
  }

  Value binary(std::string_view name, Value a, Value b) {
    const Type type[] = {a.type()};
    const Value operands[] = {a, b};
    return builder_.create(location_, name, operands, type)->result();
  }
  Value plus(Value a, Value b) { return binary("arith.addi", a, b); }
  Value times(Value a, int64_t factor) {
    return binary("arith.muli", a, builder_.constantIndex(location_, factor));
  }
  Value sum(Value index, int64_t offset) {
    return offset == 0 ? index : plus(index, builder_.constantIndex(location_, offset));
  }
  void store(Value value, const std::vector<Value>& at) {
    std::vector<Value> operands = {value, to_};
    operands.insert(operands.end(), at.begin(), at.end());
    builder_.create(location_, "memref.store", operands, {});
  }
  void loop(int64_t count, FunctionRef<void(Value)> body) {
    const Value zero = builder_.constantIndex(location_, 0),
                end = builder_.constantIndex(location_, count),
                one = builder_.constantIndex(location_, 1);
    const auto made = scf::ForOp::create(builder_, location_, zero, end, one);
    const InsertPoint after = builder_.insertPoint();
    builder_.setBefore(made.body().back());
    body(made.inductionVar());
    builder_.setInsertPoint(after);
  }
  /// A loop along each dimension that has no place in `at` yet.
  void nest(std::span<const int64_t> shape, std::vector<Value>& at, FunctionRef<void()> body) {
    const auto open = std::ranges::find_if(at, [](Value place) { return !place; });
    if (open == at.end()) return body();
    loop(shape[static_cast<size_t>(open - at.begin())], [&](Value index) {
      *open = index;
      nest(shape, at, body);
      *open = Value();
    });
  }

  const FilledCopy& copy_;
  Value to_, number_;
  Builder& builder_;
  Location location_;
};

}  // namespace

std::vector<int64_t> Padding::offsets() const {
  memref::SubViewOp part = view;
  const auto offsets = part.staticOffsets();
  return {offsets.begin(), offsets.end()};
}

std::optional<Padding> paddingOf(Operation& op) {
  if (!op.is("linalg.copy") && !op.is("memref.copy")) return std::nullopt;
  Padding found{nullptr, &op, {}, op.operand(0), {}};
  Operation* made = op.operand(1).definingOp();
  if (!made || !isa<memref::SubViewOp>(made) || !op.operand(1).hasOneUse()) return std::nullopt;
  found.view = memref::SubViewOp(made);
  found.to = found.view.source();
  const Operation* alloc = found.to.definingOp();
  const bool isWhole =
      (!alloc || isa<memref::AllocOp>(alloc)) && found.to.parentBlock() == op.block();
  if (!isWhole || found.from == found.to || made->block() != op.block() ||
      !isPlainOfHost(found.from) || !isPlainOfHost(found.to) || !isPlainPart(found.view))
    return std::nullopt;
  found.fill = fillBeforeCopy(found.to, op);
  return found.fill ? std::optional(found) : std::nullopt;
}

size_t FilledCopy::place() const {
  return static_cast<size_t>(std::ranges::find(dims, int64_t{outer}) - dims.begin());
}

bool FilledCopy::canShare(int64_t l1Bytes) const {
  const std::span<const int64_t> source = shapeOfSource(*this);
  const int64_t bytes = from.type().cast<MemRefType>().elementType().bitWidth() / 8,
                rounds = source[outer];
  const auto inWords = [&](std::span<const int64_t> sizes, size_t dim, int64_t first) {
    const int64_t row = elementsOf(sizes.subspan(dim + 1)) * bytes;
    const bool isAlone = elementsOf(sizes.first(dim)) == 1;
    return first * row % aie::kWordBytes == 0 &&
           rounds * std::gcd(row, aie::kWordBytes) % aie::kWordBytes == 0 &&
           (isAlone || sizes[dim] * row % aie::kWordBytes == 0);
  };
  const int64_t ofRound = elementsOf(source) / rounds + elementsOf(shape) / shape[place()];
  return inWords(source, outer, 0) && inWords(shape, place(), offsets[place()]) &&
         std::min<int64_t>(rounds, 2) * ofRound * bytes <= l1Bytes;
}

bool FilledCopy::fillsAll() const { return shapeOfSource(*this)[outer] == shape[place()]; }

void writeFilledCopy(const FilledCopy& copy, Value to, Value number, Builder& builder,
                     Location location) {
  FilledCopyWriter(copy, to, number, builder, location).write();
}

}  // namespace airlite::tiling
