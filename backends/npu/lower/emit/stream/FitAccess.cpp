#include "FitAccess.hpp"

#include "airlite/support/Divisors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace airlite::npu {
namespace {

using Dims = std::vector<AccessDim>;

constexpr AccessDim nothing{1, 1};
/// Far above every field, and so small that products with bytes do not overflow.
constexpr int64_t absurd = int64_t(1) << 40;

constexpr BdField wrapFields[] = {BdField::D0Wrap, BdField::D1Wrap, BdField::D2Wrap};

// -- Elements to words ----------------------------------------------------------------------------

Error partOfWord(const char* what, int64_t value, int64_t bytes) {
  return {fmt::format("{} of {} elements of {} bytes is not whole words", what, value, bytes)};
}

bool isWholeWords(int64_t elements, int64_t bytes) { return elements * bytes % bytesPerWord == 0; }

/// The innermost dimension is one of elements; words have to be one after the other in it.
Result<Dims> innermostInWords(AccessDim dim, int64_t bytes) {
  if (dim.stride == 1 || dim.size == 1) {
    if (!isWholeWords(dim.size, bytes)) return partOfWord("a run", dim.size, bytes);
    return Dims{{dim.size * bytes / bytesPerWord, 1}};
  }
  if (bytes < bytesPerWord)
    return Error{
        fmt::format("the innermost stride is {}: elements of {} bytes need 1", dim.stride, bytes)};
  const int64_t words = bytes / bytesPerWord;
  Dims dims{{dim.size, dim.stride * words}};
  if (words > 1) dims.push_back({words, 1});
  return dims;
}

Result<Dims> wordsOfEach(std::span<const AccessDim> dims, int64_t bytes) {
  if (dims.empty()) return Dims{nothing};
  Dims result;
  for (const AccessDim dim : dims.first(dims.size() - 1)) {
    if (dim.size != 1 && !isWholeWords(dim.stride, bytes))
      return partOfWord("a stride", dim.stride, bytes);
    result.push_back({dim.size, dim.stride * bytes / bytesPerWord});
  }
  auto inner = innermostInWords(dims.back(), bytes);
  if (!inner) return inner.error();
  result.insert(result.end(), inner->begin(), inner->end());
  return result;
}

// -- Simpler forms of the same walk ---------------------------------------------------------------

/// Without dimensions that never step; at least one stays.
Dims withoutOnes(const Dims& dims) {
  Dims result;
  for (const AccessDim dim : dims)
    if (dim.size != 1) result.push_back(dim);
  return result.empty() ? Dims{nothing} : result;
}

/// Neighbours that step as one become one.
Dims joined(const Dims& dims) {
  Dims result;
  for (const AccessDim dim : dims) {
    const bool isOne = !result.empty() && result.back().stride == dim.size * dim.stride;
    if (isOne)
      result.back() = {result.back().size * dim.size, dim.stride};
    else
      result.push_back(dim);
  }
  return result;
}

/// Rows that are not whole words may still follow each other as one run of whole words.
Result<Dims> inWords(std::span<const AccessDim> dims, int64_t bytes) {
  auto words = wordsOfEach(dims, bytes);
  if (words) return words;
  auto run = wordsOfEach(joined(withoutOnes({dims.begin(), dims.end()})), bytes);
  return run ? run : words;
}

/// Dimensions beyond their wrap become two; the outermost needs no wrap.
Dims split(const Dims& dims, TileKind kind) {
  Dims result;
  for (size_t i = 0; i < dims.size(); ++i) {
    const size_t fromInner = dims.size() - 1 - i;
    const BdField field = wrapFields[std::min<size_t>(fromInner, 2)];
    const auto limits = limitsOf(kind, field);
    const int64_t most = i == 0 || !limits ? dims[i].size : limits->most;
    const int64_t inner = divisorUpTo(dims[i].size, most);
    if (inner != dims[i].size && inner != 1)
      result.push_back({dims[i].size / inner, dims[i].stride * inner});
    result.push_back(inner == 1 ? dims[i] : AccessDim{inner, dims[i].stride});
  }
  return result;
}

// -- Into fields ----------------------------------------------------------------------------------

bool isLinear(const Dims& dims) { return dims.size() == 1 && dims[0].stride == 1; }

int64_t wordsOf(const Dims& dims) {
  int64_t words = 1;
  for (const AccessDim dim : dims)
    if (__builtin_mul_overflow(words, dim.size, &words)) return -1;
  return words;
}

/// Dimensions of one run.
BdBuilder builderFor(TileKind kind, const Dims& dims) {
  BdBuilder builder(kind);
  builder.length(Words(wordsOf(dims)));
  if (isLinear(dims)) return builder;
  builder.access(dims, bytesPerWord);
  // The outermost dimension ends with the length: it needs no wrap that could be too small.
  const size_t top = dims.size() - 1;
  if (top >= std::size(wrapFields)) return builder;
  const auto limits = limitsOf(kind, wrapFields[top]);
  if (limits && dims[0].size > limits->most) builder.set(wrapFields[top], 0);
  return builder;
}

/// The same with a dimension around it.
FittedTransfer withRuns(BdBuilder builder, AccessDim outer) {
  if (outer.size > 1 && outer.stride != 0) builder.iterate(Words(outer.stride), outer.size);
  return {builder, outer.size};
}

Result<FittedTransfer> checked(FittedTransfer fitted) {
  if (const auto bd = fitted.builder.make(); !bd) return bd.error();
  if (fitted.runs < 1 || fitted.runs > int64_t(maxTaskRepeat))
    return Error{
        fmt::format("it repeats {} times, a task runs 1..{} times", fitted.runs, maxTaskRepeat)};
  return fitted;
}

/// `dims` and one more around them than a descriptor has: the outermost becomes runs.
Result<FittedTransfer> fitOuter(TileKind kind, Dims dims, AccessDim outer, bool mayRunMore) {
  const bool isTooDeep = dims.size() > limitsOf(kind).dims;
  const bool standsStill = dims.size() > 1 && dims[0].stride == 0;
  if ((isTooDeep || standsStill) && outer.size == 1 && mayRunMore) {
    outer = dims[0];
    dims.erase(dims.begin());
  }
  return checked(withRuns(builderFor(kind, dims), outer));
}

Result<FittedTransfer> fitPadded(const TransferShape& shape) {
  BdBuilder builder(shape.kind);
  builder.access(shape.dims, shape.elementBytes, shape.pads);
  int64_t elements = 1;
  for (size_t i = 0; i < shape.dims.size(); ++i)
    elements *= shape.dims[i].size + shape.pads[i].before + shape.pads[i].after;
  if (!isWholeWords(elements, shape.elementBytes))
    return partOfWord("a padded transfer", elements, shape.elementBytes);
  builder.length(toWords(toBytes(Elements(elements), shape.elementBytes)));
  return checked({builder, 1});
}

}  // namespace

Result<FittedTransfer> fitTransfer(const TransferShape& shape) {
  for (const AccessDim dim : shape.dims)
    if (dim.size < 1 || dim.stride < 0 || dim.size > absurd || dim.stride > absurd)
      return Error{fmt::format("a dimension of size {} and stride {}", dim.size, dim.stride)};
  if (shape.length < 0 || shape.length > absurd)
    return Error{fmt::format("a length of {} elements", shape.length)};
  if (!shape.pads.empty()) return fitPadded(shape);
  const size_t most = limitsOf(shape.kind).dims;
  std::span<const AccessDim> inner = shape.dims;
  if (inner.size() > most + 1)
    return Error{fmt::format("the access has {} dimensions, a task on a {} tile has {}",
                             inner.size(), name(shape.kind), most + 1)};
  const Dims line{{shape.length, 1}};
  if (inner.empty()) inner = line;
  AccessDim outer = nothing;
  if (inner.size() > most) {
    if (!isWholeWords(inner[0].stride, shape.elementBytes) && inner[0].size > 1)
      return partOfWord("a stride", inner[0].stride, shape.elementBytes);
    outer = {inner[0].size, inner[0].stride * shape.elementBytes / bytesPerWord};
    inner = inner.subspan(1);
  }
  auto dims = inWords(inner, shape.elementBytes);
  if (!dims) return dims.error();
  *dims = withoutOnes(*dims);
  auto fitted = fitOuter(shape.kind, *dims, outer, shape.mayRunMore);
  if (fitted) return fitted;
  auto other = fitOuter(shape.kind, split(joined(*dims), shape.kind), outer, shape.mayRunMore);
  return other ? other : fitted;
}

}  // namespace airlite::npu
