#include "transform/lowering/RowMemory.hpp"

#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace airlite::rows {

namespace {

constexpr int64_t kWordBytes = aie::kWordBytes;
/// Of the vectors that copy rows.
constexpr int64_t kVectorBytes = 32;

/// How many dimensions of a descriptor count so many words that lie one after the other: two where `most` are not enough; none where
/// there are no two such numbers.
std::optional<size_t> dimensionsOfRun(int64_t words, int64_t most) {
  if (words <= most) return 1;
  for (int64_t inner = most; inner * most >= words; --inner)
    if (words % inner == 0) return 2;
  return std::nullopt;
}

/// Memory for the rows of `type` one after the other, and for what the last vectors take after them: a vector that begins at any
/// element is a part of two (air-aie-unaligned-vectors).
MemRefType memoryOfRows(MemRefType type) {
  const int64_t lanes = lanesOf(type.elementType()),
                length = (type.numElements() + lanes - 1) / lanes * lanes + 2 * lanes;
  return MemRefType::get(type.context(), std::span(&length, 1), type.elementType(), Attribute(),
                         type.memorySpace());
}

}  // namespace

int64_t bytesOf(Type element) { return element.bitWidth() / 8; }
int64_t bytesOf(MemRefType type) {
  return type.numElements() * std::max<int64_t>(bytesOf(type.elementType()), 1);
}

bool isRowElement(Type type) {
  return type.isF32() || type.isBF16() || type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32);
}

bool isTotal(linalg::StructuredOp op) {
  return std::ranges::all_of(op.body().ops(), [](Operation& inner) {
    return inner.is("linalg.yield") ||
           (inner.numRegions() == 0 && isPure(inner) && !arith::dividesIntegers(inner));
  });
}

bool fitsDescriptor(const analysis::AccessList& list, int64_t elementBytes) {
  const auto isOfWords = [&](const analysis::ListDim& dim) {
    return (dim.stride == 1 ? dim.size : dim.stride) * elementBytes % kWordBytes == 0;
  };
  const bool isRun = list.dims.empty() || list.dims.back().stride == 1;
  if (!(isRun || elementBytes % kWordBytes == 0) || !std::ranges::all_of(list.dims, isOfWords))
    return false;
  if (list.dims.size() <= 1) return true;
  // The outermost dimension is not counted.
  constexpr aie::BdLimits kLimits = aie::table::kCoreBd;
  constexpr int64_t kMost = kLimits.dimensions[0].maxWrap;
  static_assert(kMost == kLimits.dimensions[1].maxWrap);
  const auto run = dimensionsOfRun(list.dims.back().size * elementBytes / kWordBytes, kMost);
  const auto middle = std::span(list.dims).subspan(1, list.dims.size() - 2);
  return run && *run + list.dims.size() - 1 <= kLimits.numDimensions &&
         std::ranges::all_of(middle, [](const auto& dim) { return dim.size <= kMost; });
}

void setType(memref::AllocOp alloc, MemRefType type) {
  alloc.result().setType(type);
  std::vector<Value> open = {alloc.result()};
  while (!open.empty()) {
    const Value value = open.back();
    open.pop_back();
    for (OpOperand& use : value.uses()) {
      Operation& end = *use.owner();
      if (!end.is("air.execute_terminator")) continue;
      Operation& execute = *end.parentOp();
      Value result = execute.result(execute.numResults() - end.numOperands() + use.index());
      result.setType(type);
      open.push_back(result);
    }
  }
}

analysis::AccessList listOfRows(MemRefType old, int64_t padded) {
  analysis::AccessList list;
  int64_t stride = 1;
  for (unsigned dim = old.rank(); dim-- > 0;) {
    list.dims.insert(list.dims.begin(), {{}, old.dim(dim), stride});
    stride *= dim + 1 == old.rank() ? padded : old.dim(dim);
  }
  analysis::canonicalize(list);  // a descriptor has few dimensions
  return list;
}

int64_t lanesOf(Type element) { return kVectorBytes / bytesOf(element); }

bool areMovedByVectors(MemRefType type) {
  const Type element = type.elementType();
  return type.dim(type.rank() - 1) >= lanesOf(element) &&
         type.numElements() * bytesOf(element) % kWordBytes == 0;
}

int64_t elementsInVectors(MemRefType type) {
  const int64_t lanes = lanesOf(type.elementType()), length = type.dim(type.rank() - 1);
  if (areMovedByVectors(type)) return (length + lanes - 1) / lanes * lanes;
  return type.rank() == 1 ? 0 : std::max<int64_t>(0, length / lanes - 1) * lanes;
}

MemRefType packedType(MemRefType type) {
  if (areMovedByVectors(type)) return memoryOfRows(type);
  if (!elementsInVectors(type)) return type;
  const int64_t length = type.numElements();
  return MemRefType::get(type.context(), std::span(&length, 1), type.elementType(), Attribute(),
                         type.memorySpace());
}

bool areWords(MemRefType type) {
  return type.dim(type.rank() - 1) * bytesOf(type.elementType()) % kWordBytes == 0;
}

bool areMovable(MemRefType type, int64_t padded) {
  return areWords(type) && fitsDescriptor(listOfRows(type, padded), bytesOf(type.elementType()));
}

int64_t alignedBytes(MemRefType type, int64_t unit, bool isMoved) {
  const int64_t length = type.dim(type.rank() - 1), padded = (length + unit - 1) / unit * unit,
                elementBytes = bytesOf(type.elementType());
  const int64_t apart = type.numElements() / length * padded * elementBytes;
  if (padded == length || !isMoved || areMovable(type, padded)) return apart;
  return apart + packedType(type).numElements() * elementBytes;
}

}  // namespace airlite::rows
