// aie-send-in-parts: sums leave a core part by part.
//
// A core that adds up products in a buffer waits twice: with what it sends until all sums are there, and with the next sums
// until the last ones have left. Two forms of such programs become loops over parts of the sums, along the outermost
// dimension of their buffer, so that the streams stay as they are.
//
// 1. The DMA sends the sums themselves:
//
//   use_lock(%free, AcquireGreaterEqual, 1)         DMA: use_lock(%full, AcquireGreaterEqual, 1)
//   linalg.fill outs(%sums)                              dma_bd(%sums)
//   scf.for ... { ...; product outs(%sums); ... }        use_lock(%free, Release, 1)
//   elementwise ops outs(%sums)
//   use_lock(%full, Release, 1)
//
// gets a descriptor for each of up to four parts, %free counts parts, and the core does
//
//   scf.for %part { use_lock(%free, AcquireGreaterEqual, 1); fill and product of the part }    the first product
//   scf.for ... { the others }
//   scf.for %part { product and other ops of the part; use_lock(%full, Release, 1) }           the last one
//
// 2. A loop makes results of them, which leave by buffers of their own:
//
//   linalg.fill outs(%sums)
//   scf.for ... { ...; product outs(%sums); ... }
//   scf.for ... { use_lock; results of a part; use_lock }
//
// becomes
//
//   fill and first product
//   scf.for ... { the others }
//   scf.for ... { the last product of a part; use_lock; results of the part; use_lock }
//
// A fill that stands before its product is none any more (air-aie-matrix-unit).
//
// What comes between the loop and the end without touching the sums (the arrival of a bias) moves in front of the last product.
//
// Left as they are: sums that begin with other values, buffers that something else uses, rings of several descriptors,
// packets, loops whose number of rounds is open or whose rounds use it, factors that a core prepares for the matrix unit, and what is
// so short that its loops would take longer than the wait.
#include "PartedSums.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/npu/lower/Passes.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

using linalg::StructuredOp;

/// The DMA sends a part after the other, and waits for each.
void splitDescriptor(const PartedSums& sums) {
  Region& region = *sums.descriptor->parent();
  const int64_t length = sums.buffer.type().numElements() / sums.parts;
  std::vector<Block*> ring = {sums.descriptor};
  for (int64_t part = 1; part < sums.parts; ++part) {
    Block& block = *ring.emplace_back(&region.addBlock());
    Builder builder = Builder::atEnd(block);
    IRMapping mapping;
    for (Operation& op : sums.descriptor->ops())
      builder.clone(op, mapping);
  }
  for (size_t part = 0; part < ring.size(); ++part) {
    Builder builder = Builder::atStart(*ring[part]);
    for (Operation& op : ring[part]->ops()) {
      if (!op.is("aie.dma_bd")) continue;
      op.setAttr("static_offset", builder.i32Attr(static_cast<int64_t>(part) * length));
      op.setAttr("static_len", builder.i32Attr(length));
    }
    ring[part]->back().setSuccessor(0, ring[(part + 1) % ring.size()]);
  }
}

class CoreRewriter {
 public:
  explicit CoreRewriter(const PartedSums& sums)
      : sums_(sums),
        location_(sums.fill->location()),
        builder_(Builder::before(sums.given ? *sums.given : *sums.results.op())) {}

  void run() {
    if (sums_.loop) hoistConstants();
    const std::vector<Segment>& segments = sums_.segments;
    const int64_t rounds = sums_.rounds();
    const size_t last = segments.size() - 1;
    if (rounds > 1 || last > 0) {
      addFirst(segments[0]);
      // Rounds begin with the second segment and end with the first one of the next round.
      addRounds(last == 0 ? rounds - 2 : rounds - 1);
      for (size_t i = 1; i < last; ++i)
        add(builder_, segments[i]);
    }
    addParts(segments[last], {.takes = rounds == 1 && last == 0, .gives = true});
    eraseOld();
  }

 private:
  void eraseOld() {
    for (const StructuredOp& op : sums_.epilogue)
      op->erase();
    for (const Segment& segment : sums_.segments)
      for (size_t i = segment.size(); i-- > 0;)
        segment[i]->erase();
    for (Operation* op :
         {sums_.taken, sums_.given, sums_.loop.op(), sums_.fill, sums_.results.op()})
      if (op) op->erase();
  }

  void hoistConstants() {
    std::vector<Operation*> constants;
    for (Operation& op : sums_.loop.body().ops())
      if (op.is("arith.constant")) constants.push_back(&op);
    for (Operation* op : constants)
      op->moveBefore(sums_.loop.op());
  }

  static void add(Builder& builder, const Segment& segment) {
    IRMapping mapping;
    for (Operation* op : segment)
      builder.clone(*op, mapping);
  }

  /// Part by part where they leave by themselves, since they wait for the last ones then.
  void addFirst(const Segment& segment) {
    if (sums_.descriptor) {
      addParts(segment, {.takes = true, .gives = false});
      return;
    }
    IRMapping mapping;
    for (Operation* op : segment) {
      if (isProduct(*op)) builder_.clone(*sums_.fill);
      builder_.clone(*op, mapping);
    }
  }

  void addRounds(int64_t rounds) {
    if (rounds == 0) return;
    scf::ForOp loop = loopOf(rounds);
    Builder builder = Builder::before(*loop.yield());
    for (size_t i = 1; i <= sums_.segments.size(); ++i)
      add(builder, sums_.segments[i % sums_.segments.size()]);
  }

  scf::ForOp loopOf(int64_t rounds) {
    Value first = builder_.constantIndex(location_, 0), one = builder_.constantIndex(location_, 1);
    return scf::ForOp::create(builder_, location_, first, builder_.constantIndex(location_, rounds),
                              one);
  }

  /// What the core does to each part beside the product.
  struct Ends {
    bool takes, gives;
  };
  void addParts(const Segment& segment, Ends ends) {
    IRMapping outside;
    for (Operation* op : segment) {
      if (isProduct(*op))
        addProduct(*op, outside, ends);
      else
        builder_.clone(*op, outside);
    }
  }

  /// With the last product comes what stood after the loop.
  void addProduct(Operation& product, const IRMapping& outside, Ends ends) {
    if (ends.gives)
      for (Operation* op : sums_.before)
        moveHere(*op);
    addLoop(product, outside, ends);
    if (ends.gives)
      for (Operation* op : sums_.after)
        moveHere(*op);
  }

  void moveHere(Operation& op) { op.moveBefore(sums_.given ? sums_.given : sums_.results.op()); }

  bool isProduct(Operation& op) const {
    return std::ranges::any_of(sums_.buffer->result().uses(),
                               [&](OpOperand& use) { return use.owner() == &op; });
  }

  void addLoop(Operation& product, const IRMapping& outside, Ends ends) {
    scf::ForOp loop = loopOf(sums_.parts);
    Builder builder = Builder::before(*loop.yield());
    if (ends.takes && sums_.taken) builder.clone(*sums_.taken);
    IRMapping mapping = outside;
    addViews(builder, StructuredOp(&product), loop.inductionVar(), mapping);
    if (ends.takes) builder.clone(*sums_.fill, mapping);
    builder.clone(product, mapping);
    if (ends.gives) giveOrUse(builder, loop.inductionVar());
  }

  void giveOrUse(Builder& builder, Value part) const {
    if (sums_.given) {
      for (const StructuredOp& op : sums_.epilogue) {
        IRMapping mapping;
        addViews(builder, op, part, mapping);
        builder.clone(*op, mapping);
      }
      builder.clone(*sums_.given);
      return;
    }
    IRMapping mapping;
    Value moved = indexOp(builder, "arith.muli", part, sums_.results.step());
    mapping.map(sums_.results.inductionVar(),
                indexOp(builder, "arith.addi", moved, sums_.results.lowerBound()));
    for (Operation& op : sums_.results.body().ops())
      if (!op.is("scf.yield")) builder.clone(op, mapping);
  }

  Value indexOp(Builder& builder, std::string_view op, Value a, Value b) const {
    return builder.create(location_, op, {a, b}, {builder.indexType()})->result();
  }

  /// Maps each operand along the parts to a view of a part.
  void addViews(Builder& builder, StructuredOp op, Value part, IRMapping& mapping) const {
    const std::vector<AffineMap> maps = op.indexingMaps();
    const AffineExpr along = maps.back().result(sums_.dim);
    const int64_t size = sums_.partSize();
    const Value first =
        indexOp(builder, "arith.muli", part, builder.constantIndex(location_, size));
    for (unsigned i = 0; i < maps.size(); ++i) {
      const auto results = maps[i].results();
      if (std::ranges::find(results, along) == results.end()) continue;
      const Value operand = op->operand(i), whole = mapping.lookupOr(operand);
      mapping.map(operand, viewOf(builder, op->location(), whole, maps[i], along, first, size));
    }
  }

  static Value viewOf(Builder& builder, Location location, Value whole, const AffineMap& map,
                      AffineExpr along, Value first, int64_t size) {
    std::vector<memref::MixedIndex> offsets, sizes, ones;
    const std::span<const int64_t> shape = whole.type().cast<MemRefType>().shape();
    for (unsigned dim = 0; dim < map.numResults(); ++dim) {
      const bool isCut = map.result(dim) == along;
      offsets.push_back(isCut ? memref::MixedIndex(first) : memref::MixedIndex(0));
      sizes.push_back(isCut ? size : shape[dim]);
      ones.push_back(1);
    }
    return memref::SubViewOp::create(builder, location, whole, offsets, sizes, ones).result();
  }

  const PartedSums& sums_;
  Location location_;
  Builder builder_;
};

void sendInParts(const PartedSums& sums) {
  if (sums.descriptor) {
    splitDescriptor(sums);
    Operation* free = aie::UseLockOp(sums.taken).lock().op();
    free->setAttr("init", Builder::before(*free).i32Attr(sums.parts));
  }
  CoreRewriter(sums).run();
}

class SendInParts : public Pass {
 public:
  SendInParts() : Pass("aie-send-in-parts", "Lets sums leave a core part by part") {
    anchor("aie.device");
    example("airlite-opt --aie-send-in-parts design.mlir");
  }

  PassResult run(Operation& device, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "sums are filled part by part");
    std::vector<aie::BufferOp> buffers;
    for (Operation& op : device.region().front().ops())
      if (auto buffer = dynCast<aie::BufferOp>(&op)) buffers.push_back(buffer);
    bool changed = false;
    for (const aie::BufferOp& buffer : buffers) {
      const std::optional<PartedSums> sums = findPartedSums(buffer);
      if (sums) sendInParts(*sums);
      changed |= sums.has_value();
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerSendInParts(PassRegistry& registry) { registry.add<SendInParts>(); }

}  // namespace airlite::npu
