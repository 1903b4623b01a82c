// Gets that a core reads itself, word by word, from the stream that ends in it.
#include "CoreStream.hpp"

#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::npu {

bool canReadWords(const Site& site) {
  auto type = site.op.access().memref.type().cast<MemRefType>();
  const bool isWord = type.elementType().isInteger(32) || type.elementType().isF32();
  const bool isWhole = site.pattern.dims.empty() && site.pattern.offset == 0 &&
                       site.pattern.length == type.numElements();
  return !site.isPut && !site.isPacket && site.sends == 1 && isWord && isWhole;
}

Operation& readWords(Site& site, std::span<Operation* const> later) {
  Operation& get = *site.op.op();
  auto keeps = [&](Operation& op) {
    return op.is("aie.get_stream") || std::find(later.begin(), later.end(), &op) != later.end();
  };
  if (!site.isOrdered) moveToFirstUse(get, keeps);
  Builder builder = Builder::before(get);
  Location location = get.location();
  Value memory = asRow(builder, location, site.op.access().memref);
  Value stream = builder.constant(location, builder.i32Attr(0));
  Value zero = builder.constantIndex(location, 0), one = builder.constantIndex(location, 1),
        end = builder.constantIndex(location, site.pattern.length);
  scf::ForOp loop = scf::ForOp::create(builder, location, zero, end, one);
  builder.setToStart(loop.body());
  Type element = memory.type().cast<MemRefType>().elementType();
  Value word =
      builder.create(location, "aie.get_stream", {stream}, {builder.intType(32)})->result();
  if (element.isF32())
    word = builder.create(location, "arith.bitcast", {word}, {element})->result();
  Operation* store =
      builder.create(location, "memref.store", {word, memory, loop.inductionVar()}, {});
  get.erase();
  return *store;
}

}  // namespace airlite::npu
