// Gets that a core reads itself, word by word, from the stream that ends in it.
#include "CoreStream.hpp"

#include "airlite/dialect/Scf.hpp"
#include "lower/core/ViewPlace.hpp"

#include <algorithm>
#include <vector>

namespace airlite::npu {

namespace {

constexpr int64_t kWordBits = 32;

Type elementOf(const Site& site) {
  return site.op.access().memref.type().cast<MemRefType>().elementType();
}

int64_t elementsOfWord(Type element) { return kWordBits / element.bitWidth(); }

/// The dimensions of a pattern; a line has one.
std::vector<std::pair<int64_t, int64_t>> dimsOf(const Pattern& pattern) {
  std::vector<std::pair<int64_t, int64_t>> dims(pattern.dims.begin(), pattern.dims.end());
  if (dims.empty()) dims = {{pattern.length, 1}};
  return dims;
}

/// Of each word the elements lie side by side, and make a word of memory.
bool areInWords(const Site& site) {
  const Type element = elementOf(site);
  const bool isNumber = element.isInteger(8) || element.isInteger(16) || element.isInteger(32) ||
                        element.isF32() || element.isBF16();
  if (!isNumber) return false;
  const int64_t count = elementsOfWord(element);
  if (count == 1) return true;
  auto dims = dimsOf(site.pattern);
  const auto [size, stride] = dims.back();
  dims.pop_back();
  const auto memory =
      site.memory ? site.memory->result().type().dynCast<MemRefType>() : MemRefType();
  return stride == 1 && size % count == 0 && site.pattern.offset % count == 0 && memory &&
         memory.numElements() % count == 0 &&
         std::ranges::all_of(dims, [&](const auto& dim) { return dim.second % count == 0; });
}

}  // namespace

bool canReadWords(const Site& site) {
  return !site.isPut && !site.isPacket && site.sends == 1 && areInWords(site);
}

/// Loops over the words of a pattern, of so many elements, into the innermost of which the builder goes; where in
/// memory each is.
static Value loopOver(Builder& builder, Location location, const Pattern& pattern,
                      int64_t elements) {
  auto index = [&](int64_t number) { return builder.constantIndex(location, number); };
  auto compute = [&](std::string_view op, Value a, Value b) {
    return builder.create(location, op, {a, b}, {builder.indexType()})->result();
  };
  auto dims = dimsOf(pattern);
  dims.back() = {dims.back().first / elements, dims.back().second * elements};
  Value at;
  if (pattern.offset != 0) at = index(pattern.offset / elements);
  for (auto [size, stride] : dims) {
    scf::ForOp loop = scf::ForOp::create(builder, location, index(0), index(size), index(1));
    builder.setToStart(loop.body());
    Value step = loop.inductionVar();
    if (stride != elements) step = compute("arith.muli", step, index(stride / elements));
    at = at ? compute("arith.addi", at, step) : step;
  }
  return at;
}

Operation& readWords(Site& site, std::span<Operation* const> later) {
  Operation& get = *site.op.op();
  auto keeps = [&](Operation& op) {
    return op.is("aie.get_stream") || std::find(later.begin(), later.end(), &op) != later.end();
  };
  if (!site.isOrdered) moveToFirstUse(get, keeps);
  Builder builder = Builder::before(get);
  Location location = get.location();
  const Value source = air::bufferSource(site.op.access().memref);
  const int64_t count = elementsOfWord(elementOf(site));
  Value memory = count == 1 ? asRow(builder, location, source) : asWords(builder, location, source);
  Value stream = builder.constant(location, builder.i32Attr(0));
  Value at = loopOver(builder, location, site.pattern, count);
  Type element = memory.type().cast<MemRefType>().elementType();
  Value word =
      builder.create(location, "aie.get_stream", {stream}, {builder.intType(32)})->result();
  if (element.isF32())
    word = builder.create(location, "arith.bitcast", {word}, {element})->result();
  Operation* store = builder.create(location, "memref.store", {word, memory, at}, {});
  get.erase();
  return *store;
}

}  // namespace airlite::npu
