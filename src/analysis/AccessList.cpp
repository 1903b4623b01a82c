// Rewrites of access lists that keep the elements and their order.
#include "airlite/analysis/AccessList.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

/// Larger numbers address no memory.
constexpr int64_t kLargest = int64_t{1} << 50;

std::optional<int64_t> product(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result > kLargest || result < -kLargest)
    return std::nullopt;
  return result;
}

// -- Reading --------------------------------------------------------------------------------------

/// Strides of the layout that `memref` states; null when one of them is not known.
std::optional<std::vector<int64_t>> layoutStrides(Type memref) {
  MemRefType type = memref.dynCast<MemRefType>();
  auto form = type ? type.stridedForm() : std::nullopt;
  if (!form) return std::nullopt;
  bool known = std::none_of(form->strides.begin(), form->strides.end(),
                            [](int64_t stride) { return stride == kDynamic || stride < 0; });
  return known ? std::optional(form->strides) : std::nullopt;
}

int64_t volumeOf(Type memref) {
  MemRefType type = memref.dynCast<MemRefType>();
  bool isPlain = type && type.hasStaticShape() && type.hasIdentityLayout();
  return isPlain ? type.numElements() : 0;
}

std::optional<std::vector<ListDim>> wholeDims(Type memref) {
  MemRefType type = memref.dynCast<MemRefType>();
  auto strides = layoutStrides(memref);
  if (!type || !strides || !type.hasStaticShape()) return std::nullopt;
  std::vector<ListDim> dims;
  for (size_t i = 0; i < strides->size(); ++i) {
    if (type.shape()[i] < 1) return std::nullopt;
    dims.push_back({{}, type.shape()[i], (*strides)[i]});
  }
  if (dims.empty()) dims.push_back({{}, 1, 1});
  return dims;
}

ListDim dimOf(const air::IndexEntry& offset, int64_t size, int64_t stride, LinearReader& reader) {
  if (!offset.value) return {{offset.constant, {}}, size, stride};
  return {reader.read(offset.value), size, stride, offset.value};
}

/// Offsets that are coordinates of the memref: dimensions of size 1 in front.
std::optional<std::vector<ListDim>> coordinateDims(const air::Access& access,
                                                   LinearReader& reader) {
  auto strides = layoutStrides(access.memref.type());
  if (!strides || strides->size() != access.offsets.size()) return std::nullopt;
  std::vector<ListDim> dims;
  for (size_t i = 0; i < strides->size(); ++i)
    dims.push_back(dimOf(access.offsets[i], 1, (*strides)[i], reader));
  return dims;
}

/// The strides of the list; those of the memref where it has none.
std::optional<std::vector<int64_t>> stridesOf(const air::Access& access) {
  if (access.strides.empty()) return layoutStrides(access.memref.type());
  std::vector<int64_t> strides;
  for (const air::IndexEntry& entry : access.strides) {
    std::optional<int64_t> stride = entry.known();
    if (!stride || *stride < 0 || *stride > kLargest) return std::nullopt;
    strides.push_back(*stride);
  }
  return strides;
}

}  // namespace

std::optional<AccessList> readAccessList(const air::Access& access, LinearReader& reader) {
  AccessList list{{}, volumeOf(access.memref.type())};
  if (access.isWhole()) {
    auto dims = wholeDims(access.memref.type());
    if (!dims) return std::nullopt;
    list.dims = std::move(*dims);
    return list;
  }
  auto strides = stridesOf(access);
  if (!strides || access.sizes.empty() || strides->size() != access.sizes.size())
    return std::nullopt;
  bool ownOffsets = access.offsets.size() == strides->size();
  if (!ownOffsets && !access.offsets.empty()) {
    auto dims = coordinateDims(access, reader);
    if (!dims) return std::nullopt;
    list.dims = std::move(*dims);
  }
  for (size_t i = 0; i < strides->size(); ++i) {
    std::optional<int64_t> size = access.sizes[i].known();
    if (!size || *size < 1 || *size > kLargest) return std::nullopt;
    air::IndexEntry offset = ownOffsets ? access.offsets[i] : air::IndexEntry();
    list.dims.push_back(dimOf(offset, *size, (*strides)[i], reader));
  }
  return list;
}

std::optional<int64_t> AccessList::count() const {
  int64_t count = 1;
  for (const ListDim& dim : dims) {
    std::optional<int64_t> more = product(count, dim.size);
    if (!more) return std::nullopt;
    count = *more;
  }
  return count;
}

bool isContiguous(const AccessList& list) {
  int64_t run = 1;
  for (size_t i = list.dims.size(); i--;) {
    const ListDim& dim = list.dims[i];
    if (dim.size == 1) continue;
    std::optional<int64_t> longer = product(run, dim.size);
    if (dim.stride != run || !longer) return false;
    run = *longer;
  }
  return true;
}

/// A run as long as the memref begins with its first element, whatever the offsets say: it would
/// leave the memory otherwise.
bool AccessList::isWhole() const {
  if (volume == 0 || count() != volume || !isContiguous(*this)) return false;
  return std::all_of(dims.begin(), dims.end(), [](const ListDim& dim) { return dim.isFixed(); });
}

// -- Loops ----------------------------------------------------------------------------------------

namespace {

/// Puts `lower` for the variable; its coefficient comes back, nothing when a number gets too large.
std::optional<int64_t> replaceVariable(ListDim& dim, Value variable, int64_t lower) {
  for (size_t i = 0; i < dim.offset.terms.size(); ++i) {
    if (dim.offset.terms[i].symbol != variable) continue;
    int64_t coefficient = dim.offset.terms[i].coefficient;
    dim.offset.terms.erase(dim.offset.terms.begin() + static_cast<ptrdiff_t>(i));
    dim.source = Value();
    bool fits = dim.offset.add({lower, {}}, coefficient);
    return fits ? std::optional(coefficient) : std::nullopt;
  }
  return 0;
}

}  // namespace

bool addLoop(AccessList& list, Value variable, const SymbolRange& range) {
  AccessList result = list;
  int64_t advance = 0;
  for (ListDim& dim : result.dims) {
    std::optional<int64_t> coefficient = replaceVariable(dim, variable, range.lower);
    std::optional<int64_t> perTrip = coefficient ? product(*coefficient, range.step) : std::nullopt;
    std::optional<int64_t> elements = perTrip ? product(*perTrip, dim.stride) : std::nullopt;
    if (!elements || __builtin_add_overflow(advance, *elements, &advance)) return false;
  }
  if (advance < 0 || advance > kLargest || range.count < 1) return false;
  result.dims.insert(result.dims.begin(), {{}, range.count, advance});
  if (!result.count()) return false;
  list = std::move(result);
  return true;
}

// -- Canonical form -------------------------------------------------------------------------------

namespace {

/// Moves the offset of dimension `from` to another one whose stride divides its own: the first
/// constant one after it, so that sums of values stay rare, else (`anywhere`) any from `first` on.
bool moveOffset(AccessList& list, size_t from, size_t first, bool anywhere) {
  ListDim& dim = list.dims[from];
  if (dim.stride == 0 || dim.offset == LinearSum()) return true;
  for (bool onlyFixed : {true, false})
    for (size_t i = onlyFixed ? from + 1 : first; i < list.dims.size(); ++i) {
      if (!onlyFixed && !anywhere) return false;
      ListDim& other = list.dims[i];
      bool fits = i != from && other.stride > 0 && dim.stride % other.stride == 0 &&
                  (other.isFixed() || !onlyFixed);
      if (!fits || !other.offset.add(dim.offset, dim.stride / other.stride)) continue;
      other.source = Value();
      return true;
    }
  return false;
}

void erase(AccessList& list, size_t i) {
  list.dims.erase(list.dims.begin() + static_cast<ptrdiff_t>(i));
}

/// The last dimension stays when all are of size 1, so that the lists are not empty.
void dropUnitDims(AccessList& list, bool anywhere) {
  auto isUnit = [](const ListDim& dim) { return dim.size == 1; };
  bool keepsLast = std::all_of(list.dims.begin(), list.dims.end(), isUnit);
  for (size_t i = list.dims.size() - (keepsLast ? 1 : 0); i--;)
    if (isUnit(list.dims[i]) && moveOffset(list, i, 0, anywhere)) erase(list, i);
}

void mergeNeighbours(AccessList& list, std::optional<int64_t> largestSize, bool anywhere) {
  bool isRun = isContiguous(list);
  for (size_t i = list.dims.size(); i-- > 1;) {
    ListDim &outer = list.dims[i - 1], &inner = list.dims[i];
    std::optional<int64_t> size = product(outer.size, inner.size);
    bool isTooLarge = !size || (largestSize && *size > *largestSize && !isRun);
    bool follows = product(inner.size, inner.stride) == outer.stride;
    if (isTooLarge || !follows || !moveOffset(list, i - 1, i, anywhere)) continue;
    list.dims[i].size = *size;
    erase(list, i - 1);
  }
}

}  // namespace

void canonicalize(AccessList& list, std::optional<int64_t> largestSize, bool isOpen) {
  dropUnitDims(list, !isOpen);
  mergeNeighbours(list, largestSize, !isOpen);
}

// -- Splitting ------------------------------------------------------------------------------------

namespace {

/// The largest divisor of `number` above 1 that is at most `largest` and a multiple of `alignment`;
/// 0: none.
int64_t largestDivisor(int64_t number, int64_t largest, int64_t alignment) {
  for (int64_t divisor = largest - largest % alignment; divisor > 1; divisor -= alignment)
    if (number % divisor == 0) return divisor;
  return 0;
}

}  // namespace

void splitLargeDims(AccessList& list, int64_t largest, int64_t alignment) {
  for (size_t i = list.dims.size(); i--;) {
    ListDim& dim = list.dims[i];
    if (dim.size <= largest) continue;
    int64_t inner = largestDivisor(dim.size, largest, dim.stride == 1 ? alignment : 1);
    std::optional<int64_t> stride = product(dim.stride, inner);
    if (inner == 0 || !stride) continue;
    ListDim outer{{}, dim.size / inner, *stride};
    dim.size = inner;
    list.dims.insert(list.dims.begin() + static_cast<ptrdiff_t>(i), outer);
    if (outer.size > largest) ++i;
  }
}

}  // namespace airlite::analysis
