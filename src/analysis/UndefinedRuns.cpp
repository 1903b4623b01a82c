#include "UndefinedRuns.hpp"

#include <algorithm>

namespace airlite::analysis {

int64_t ElementPiece::count() const {
  int64_t total = 1;
  for (const StridedDim& dim : dims)
    if (__builtin_mul_overflow(total, dim.count, &total)) return -1;
  return total;
}

ElementPiece ElementPiece::sorted() const {
  ElementPiece piece = *this;
  for (StridedDim& dim : piece.dims)
    if (dim.stride < 0 && dim.count > 0) {
      piece.start += dim.stride * (dim.count - 1);
      dim.stride = -dim.stride;
    }
  std::stable_sort(piece.dims.begin(), piece.dims.end(),
                   [](const StridedDim& a, const StridedDim& b) { return a.stride > b.stride; });
  return piece;
}

bool ElementPiece::forEachRun(FunctionRef<bool(int64_t, int64_t)> each) const {
  int64_t length = 1;
  size_t outer = dims.size();
  for (; outer > 0; --outer) {
    const StridedDim& dim = dims[outer - 1];
    if (dim.count <= 0) return true;
    if (dim.count != 1 && dim.stride != length) break;
    length *= dim.count;
  }
  std::vector<int64_t> at(outer, 0);
  for (size_t d = 0; d < outer; ++d)
    if (dims[d].count <= 0) return true;
  for (int64_t first = start;;) {
    if (!each(first, length)) return false;
    size_t d = outer;
    for (; d > 0; --d) {
      first += dims[d - 1].stride;
      if (++at[d - 1] < dims[d - 1].count) break;
      first -= dims[d - 1].stride * dims[d - 1].count;
      at[d - 1] = 0;
    }
    if (d == 0) return true;
  }
}

size_t UndefinedRuns::firstEndingAfter(int64_t element) const {
  const auto found = std::partition_point(
      runs_.begin(), runs_.end(), [&](const UndefinedRun& run) { return run.end <= element; });
  return static_cast<size_t>(found - runs_.begin());
}

void UndefinedRuns::erase(int64_t begin, int64_t end) {
  if (runs_.empty() || begin >= end) return;
  size_t first = firstEndingAfter(begin), last = first;
  while (last < runs_.size() && runs_[last].begin < end)
    ++last;
  if (first == last) return;
  const UndefinedRun front = runs_[first], back = runs_[last - 1];
  UndefinedRun kept[2];
  size_t numKept = 0;
  if (front.begin < begin) kept[numKept++] = {front.begin, begin, front.origin};
  if (back.end > end) kept[numKept++] = {end, back.end, back.origin};
  const auto at = [&](size_t i) { return runs_.begin() + static_cast<std::ptrdiff_t>(i); };
  if (numKept > last - first) {  // one run becomes two
    runs_[first] = kept[0];
    runs_.insert(at(first + 1), kept[1]);
    return;
  }
  std::copy(kept, kept + numKept, at(first));
  runs_.erase(at(first + numKept), at(last));
}

void UndefinedRuns::insert(const UndefinedRun& run) {
  const size_t next = firstEndingAfter(run.begin);
  const bool joinsLast =
      next > 0 && runs_[next - 1].end == run.begin && runs_[next - 1].origin == run.origin;
  const bool joinsNext =
      next < runs_.size() && runs_[next].begin == run.end && runs_[next].origin == run.origin;
  const auto at = [&](size_t i) { return runs_.begin() + static_cast<std::ptrdiff_t>(i); };
  if (joinsLast && joinsNext) {
    runs_[next - 1].end = runs_[next].end;
    runs_.erase(at(next));
  } else if (joinsLast) {
    runs_[next - 1].end = run.end;
  } else if (joinsNext) {
    runs_[next].begin = run.begin;
  } else {
    runs_.insert(at(next), run);
  }
}

UndefinedRun UndefinedRuns::firstIn(int64_t begin, int64_t end) const {
  const size_t first = firstEndingAfter(begin);
  if (first == runs_.size() || runs_[first].begin >= end) return {};
  return {std::max(begin, runs_[first].begin), std::min(end, runs_[first].end),
          runs_[first].origin};
}

}  // namespace airlite::analysis
