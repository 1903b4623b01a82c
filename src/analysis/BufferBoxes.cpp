// What transfers touch of a buffer, in coordinates of its dimensions.
#include "BufferBoxes.hpp"

#include <algorithm>
#include <cstdlib>

namespace airlite::air {

using analysis::LinearSum;
using analysis::SymbolRange;

namespace {

/// Extents beyond that are of no buffer.
constexpr int64_t kFar = int64_t{1} << 40;

int64_t reach(const BoxTerm& term, unsigned dim) {
  int64_t length = 0;
  bool isHuge = __builtin_mul_overflow(std::abs(term.step[dim]), term.count - 1, &length);
  return isHuge ? kFar : std::min(length, kFar);
}

/// The only dimension in which the term moves; -1: none or several.
int onlyDim(const BoxTerm& term) {
  int only = -1;
  for (size_t dim = 0; dim < term.step.size(); ++dim) {
    if (term.step[dim] == 0) continue;
    if (only >= 0) return -1;
    only = static_cast<int>(dim);
  }
  return only;
}

bool isMoving(const BoxTerm& term) {
  return term.count > 1 &&
         std::any_of(term.step.begin(), term.step.end(), [](int64_t step) { return step != 0; });
}

}  // namespace

int64_t BufferBox::extent(unsigned dim) const {
  int64_t length = 1;
  for (const BoxTerm& term : terms)
    length = std::min(kFar, length + reach(term, dim));
  return length;
}

int64_t BufferBox::below(unsigned dim) const {
  int64_t length = 0;
  for (const BoxTerm& term : terms)
    if (term.step[dim] < 0) length = std::min(kFar, length + reach(term, dim));
  return -length;
}

bool BufferBox::isFull() const {
  std::vector<BoxTerm> moving;
  std::copy_if(terms.begin(), terms.end(), std::back_inserter(moving), isMoving);
  auto stepOf = [](const BoxTerm& term) {
    int dim = onlyDim(term);
    return dim < 0 ? 0 : std::abs(term.step[static_cast<size_t>(dim)]);
  };
  // Runs without gaps, the finest first: each begins where those before have ended.
  std::sort(moving.begin(), moving.end(),
            [&](const BoxTerm& a, const BoxTerm& b) { return stepOf(a) < stepOf(b); });
  std::vector<int64_t> run(rank(), 1);
  for (const BoxTerm& term : moving) {
    int dim = onlyDim(term);
    if (dim < 0 || stepOf(term) != run[static_cast<size_t>(dim)]) return false;
    run[static_cast<size_t>(dim)] *= term.count;
  }
  return true;
}

bool BufferBox::bind(Value symbol, const SymbolRange& range) {
  BoxTerm term{std::vector<int64_t>(rank(), 0), range.count};
  for (unsigned dim = 0; dim < rank(); ++dim) {
    LinearSum& sum = start[dim];
    auto found = std::find_if(sum.terms.begin(), sum.terms.end(),
                              [&](const LinearSum::Term& entry) { return entry.symbol == symbol; });
    if (found == sum.terms.end()) continue;
    int64_t coefficient = found->coefficient;
    if (__builtin_mul_overflow(coefficient, range.step, &term.step[dim])) return false;
    sum.terms.erase(found);
    if (!sum.add({range.lower, {}}, coefficient)) return false;
  }
  terms.push_back(std::move(term));
  return true;
}

bool BufferBox::bindAll(FunctionRef<bool(Value)> isInner, analysis::LinearReader& reader) {
  std::vector<Value> inner;
  for (const LinearSum& sum : start)
    for (const LinearSum::Term& term : sum.terms)
      if (isInner(term.symbol) && std::find(inner.begin(), inner.end(), term.symbol) == inner.end())
        inner.push_back(term.symbol);
  return std::all_of(inner.begin(), inner.end(), [&](Value symbol) {
    std::optional<SymbolRange> range = reader.rangeOf(symbol);
    return range && range->count > 0 && bind(symbol, *range);
  });
}

std::vector<int64_t> shapeOf(MemRefType type) { return {type.shape().begin(), type.shape().end()}; }

std::vector<int64_t> stridesOf(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

std::vector<int64_t> coordinatesOf(int64_t stride, std::span<const int64_t> shape) {
  std::vector<int64_t> steps(shape.size(), 0), strides = stridesOf(shape);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    // A dimension of size 1 is no place to go to.
    if (shape[dim] == 1 && dim + 1 < shape.size()) continue;
    steps[dim] = stride / strides[dim];
    stride %= strides[dim];
  }
  return steps;
}

std::optional<BufferBox> boxOf(const analysis::AccessList& list, std::span<const int64_t> shape) {
  BufferBox box{std::vector<LinearSum>(shape.size()), {}};
  for (const analysis::ListDim& dim : list.dims) {
    BoxTerm term{coordinatesOf(dim.stride, shape), dim.size};
    for (size_t d = 0; d < shape.size(); ++d)
      if (!box.start[d].add(dim.offset, term.step[d])) return std::nullopt;
    box.terms.push_back(std::move(term));
  }
  return box;
}

}  // namespace airlite::air
