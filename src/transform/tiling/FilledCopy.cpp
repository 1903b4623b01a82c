// See FilledCopy.hpp.
#include "FilledCopy.hpp"

#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace airlite::tiling {

namespace {

std::span<const int64_t> shapeOfSource(const FilledCopy& copy) {
  return copy.from.type().cast<MemRefType>().shape();
}

/// The dimension of the buffer that rounds lie along.
size_t placeOf(const FilledCopy& copy) {
  return static_cast<size_t>(std::ranges::find(copy.dims, int64_t{copy.outer}) -
                             copy.dims.begin());
}

int64_t elementsOf(std::span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

/// Writes the loops. One class: both nests share the places and the builder.
class FilledCopyWriter {
 public:
  FilledCopyWriter(const FilledCopy& copy, Value to, Value number, Builder& builder,
                   Location location)
      : copy_(copy), to_(to), number_(number), builder_(builder), location_(location) {}

  void write() {
    const std::span<const int64_t> from = shapeOfSource(copy_);
    const size_t place = placeOf(copy_);
    loop(from[copy_.outer], [&](Value round) {
      std::vector<Value> at(copy_.shape.size());
      at[place] = sum(round, copy_.offsets[place]);
      nest(copy_.shape, at, [&] { store(number_, at); });
      at.assign(from.size(), Value());
      at[copy_.outer] = round;
      nest(from, at, [&] {
        std::vector<Value> operands = {copy_.from}, places;
        operands.insert(operands.end(), at.begin(), at.end());
        for (size_t dim = 0; dim < copy_.dims.size(); ++dim)
          places.push_back(sum(at[static_cast<size_t>(copy_.dims[dim])], copy_.offsets[dim]));
        const Type element[] = {number_.type()};
        store(builder_.create(location_, "memref.load", operands, element)->result(), places);
      });
    });
  }

 private:
  Value sum(Value index, int64_t offset) {
    if (offset == 0) return index;
    const Type type[] = {index.type()};
    const Value operands[] = {index, builder_.constantIndex(location_, offset)};
    return builder_.create(location_, "arith.addi", operands, type)->result();
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
  const size_t place = placeOf(*this);
  const int64_t ofRound = elementsOf(source) / rounds + elementsOf(shape) / shape[place];
  return inWords(source, outer, 0) && inWords(shape, place, offsets[place]) &&
         2 * ofRound * bytes <= l1Bytes;
}

bool FilledCopy::fillsAll() const { return shapeOfSource(*this)[outer] == shape[placeOf(*this)]; }

void writeFilledCopy(const FilledCopy& copy, Value to, Value number, Builder& builder,
                     Location location) {
  FilledCopyWriter(copy, to, number, builder, location).write();
}

}  // namespace airlite::tiling
