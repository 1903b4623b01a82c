// air-pad-on-cores: copies into a filled buffer, to places that no DMA reaches, are made by a core.
//
// Matches, in a function, a copy of a buffer of the host into a subview of another one that the function has filled with a constant before anything else, as programs pad images, where the rows of the subview begin or end inside of words of 4 bytes. A core gets
// one image (the first dimension) at a time, fills a buffer in its memory, copies the rows there, and all of it goes back.
//
//   fill P, 0; copy X -> P[0, 1, 1, 0] [1, 32, 32, 3]   ->   for each image, on a core: fill p, 0; copy x -> p[..]; P = p
//
// Declines, with a remark: images that are not whole words, or that have no room in L1. Without one: rows of whole words, which
// DMAs copy.
#include "RowMover.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace airlite {

namespace {

using aie::kWordBytes;

int64_t bytesOf(std::span<const int64_t> shape, Type element) {
  int64_t bytes = element.bitWidth() / 8;
  for (int64_t size : shape)
    bytes *= size;
  return bytes;
}

bool isPlainOfHost(Value buffer) {
  return tiling::isWholeOfHost(buffer) && elementTypeOrSelf(buffer.type()).bitWidth() % 8 == 0;
}

/// A copy that pads, with the fill before it.
struct Padding {
  Operation *fill = nullptr, *copy = nullptr;
  memref::SubViewOp view;
  Value from, to;
};

std::optional<Padding> match(Operation& op) {
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
      !isPlainOfHost(found.from) || !isPlainOfHost(found.to) || !tiling::isPlainPart(found.view))
    return std::nullopt;
  found.fill = tiling::fillBeforeCopy(found.to, op);
  return found.fill ? std::optional(found) : std::nullopt;
}

class PaddingWriter {
 public:
  PaddingWriter(const Padding& padding, int64_t room)
      : padding_(padding),
        from_(padding.from.type().cast<MemRefType>()),
        to_(padding.to.type().cast<MemRefType>()),
        room_(room),
        location_(padding.copy->location()),
        builder_(Builder::before(*padding.copy)) {
    const bool isWhole = padding.view.staticOffsets()[0] == 0 && from_.dim(0) == to_.dim(0);
    if (isWhole && to_.rank() > 1) images_ = to_.dim(0);
  }

  /// Empty when it is possible.
  std::string_view obstacle() const {
    const int64_t in = bytesOf(imageOf(from_), from_.elementType()),
                  out = bytesOf(imageOf(to_), to_.elementType());
    if (in % kWordBytes != 0 || out % kWordBytes != 0)
      return "no DMA moves it: an image is not a whole number of words";
    return in + out <= room_ ? "" : "no DMA pads it, and an image has no room in L1";
  }

  void run() {
    loop({images_}, [&](std::span<const Value> image) {
      const Value from = alloc(imageOf(from_), air::MemoryLevel::L2),
                  to = alloc(imageOf(to_), air::MemoryLevel::L2);
      copy(imageAt(padding_.from, from_, image[0]), from);
      loop({1, 1}, [&](std::span<const Value>) { pad(from, to); });
      copy(to, imageAt(padding_.to, to_, image[0]));
      for (Value buffer : {from, to})
        memref::DeallocOp::create(builder_, location_, buffer);
    });
    padding_.copy->erase();
    padding_.view->erase();
    padding_.fill->erase();
  }

 private:
  using Body = FunctionRef<void(std::span<const Value>)>;

  std::vector<int64_t> imageOf(MemRefType type) const {
    std::vector<int64_t> shape(type.shape().begin(), type.shape().end());
    shape[0] /= images_;
    return shape;
  }

  void loop(std::initializer_list<int64_t> sizes, Body body) {
    std::vector<Value> lower, upper, steps;
    for (int64_t size : sizes) {
      lower.push_back(builder_.constantIndex(location_, 0));
      upper.push_back(builder_.constantIndex(location_, size));
      steps.push_back(builder_.constantIndex(location_, 1));
    }
    scf::ParallelOp made = scf::ParallelOp::create(builder_, location_, lower, upper, steps);
    const Builder outside = builder_;
    builder_ = Builder::before(made.body().back());
    body(made.inductionVars());
    builder_ = outside;
  }

  Value alloc(const std::vector<int64_t>& shape, air::MemoryLevel level) {
    const Attribute space = IntegerAttr::get(IntegerType::get(to_.context(), 32), int64_t(level));
    return memref::AllocOp::create(
               builder_, location_,
               MemRefType::get(to_.context(), shape, to_.elementType(), Attribute(), space))
        .result();
  }

  void copy(Value from, Value to) { memref::CopyOp::create(builder_, location_, from, to); }

  Value imageAt(Value buffer, MemRefType type, Value image) {
    if (images_ == 1) return buffer;
    std::vector<memref::MixedIndex> offsets(type.rank(), 0), sizes, strides(type.rank(), 1);
    offsets[0] = image;
    for (int64_t size : imageOf(type))
      sizes.push_back(size);
    return memref::SubViewOp::create(builder_, location_, buffer, offsets, sizes, strides)
        ->result();
  }

  /// On a core.
  void pad(Value from, Value to) {
    const Value source = alloc(imageOf(from_), air::MemoryLevel::L1),
                padded = alloc(imageOf(to_), air::MemoryLevel::L1);
    copy(from, source);
    Value number = builder_.clone(*padding_.fill->operand(0).definingOp())->result();
    linalg::createNamedOp(builder_, location_, "linalg.fill", {&number, 1}, {&padded, 1});
    std::vector<memref::MixedIndex> offsets, sizes, strides(to_.rank(), 1);
    for (int64_t offset : padding_.view.staticOffsets())
      offsets.push_back(offset);
    for (int64_t size : imageOf(from_))
      sizes.push_back(size);
    Value inside =
        memref::SubViewOp::create(builder_, location_, padded, offsets, sizes, strides)->result();
    linalg::createNamedOp(builder_, location_, "linalg.copy", {&source, 1}, {&inside, 1});
    copy(padded, to);
    for (Value buffer : {source, padded})
      memref::DeallocOp::create(builder_, location_, buffer);
  }

  const Padding padding_;
  MemRefType from_, to_;
  const int64_t room_;
  Location location_;
  Builder builder_;
  int64_t images_ = 1;
};

class PadOnCores : public Pass {
 public:
  PadOnCores() : Pass("air-pad-on-cores", "Cores pad what DMAs cannot") {
    anchor("func.func");
    option("l1-bytes", l1Bytes_, "memory of a core that buffers may take");
    example("airlite-opt --air-pad-on-cores in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> copies;
    if (function.region().empty()) return PassResult::Unchanged;  // only declared
    for (Operation& op : function.region().front().ops())
      if (op.is("linalg.copy") || op.is("memref.copy")) copies.push_back(&op);
    bool changed = false;
    for (Operation* op : copies) {
      const auto padding = match(*op);
      if (!padding || tiling::isInWords(padding->view.resultType())) continue;
      PaddingWriter writer(*padding, l1Bytes_);
      if (const std::string_view why = writer.obstacle(); !why.empty()) {
        context.remark(*op, std::string(why));
        continue;
      }
      context.declareEffectChange(CountedEffect::Store, "a core pads");
      writer.run();
      changed = true;
    }
    return changedIf(changed);
  }

 private:
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerPadOnCores(PassRegistry& registry) { registry.add<PadOnCores>(); }

}  // namespace airlite
