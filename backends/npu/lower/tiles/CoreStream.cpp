// Gets that a core reads itself, word by word, from the stream that ends in it.
#include "CoreStream.hpp"

#include "airlite/dialect/Scf.hpp"
#include "lower/core/ViewPlace.hpp"

#include <algorithm>

namespace airlite::npu {

bool canReadWords(const Site& site) {
  auto type = site.op.access().memref.type().cast<MemRefType>();
  const bool isWord = type.elementType().isInteger(32) || type.elementType().isF32();
  return !site.isPut && !site.isPacket && site.sends == 1 && isWord;
}

/// Loops over the elements of a pattern, into the innermost of which the builder goes; where in
/// memory each is.
static Value loopOver(Builder& builder, Location location, const Pattern& pattern) {
  auto dims = pattern.dims;
  if (dims.empty()) dims = {{pattern.length, 1}};
  auto index = [&](int64_t number) { return builder.constantIndex(location, number); };
  auto compute = [&](std::string_view op, Value a, Value b) {
    return builder.create(location, op, {a, b}, {builder.indexType()})->result();
  };
  Value at;
  if (pattern.offset != 0) at = index(pattern.offset);
  for (auto [size, stride] : dims) {
    scf::ForOp loop = scf::ForOp::create(builder, location, index(0), index(size), index(1));
    builder.setToStart(loop.body());
    Value step = loop.inductionVar();
    if (stride != 1) step = compute("arith.muli", step, index(stride));
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
  Value memory = asRow(builder, location, air::bufferSource(site.op.access().memref));
  Value stream = builder.constant(location, builder.i32Attr(0));
  Value at = loopOver(builder, location, site.pattern);
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
