// What cores do with object FIFOs: locks, and which object is whose turn.
//
// How many objects a core holds is known everywhere: loops and branches have to leave as many as they
// found. Which object comes next is known as well where each round of a loop gives back a multiple of
// the objects that there are; elsewhere it is counted in a word of the tile's memory. Loops that count
// further than a core can are endless.
#include "Design.hpp"
#include "Dma.hpp"
#include "ObjectFifos.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace airlite::npu::fifo {

namespace {

constexpr int64_t kProduce = 0;

int64_t numberAttr(const Operation& op, std::string_view name) {
  return op.attrOf<IntegerAttr>(name).value();
}

/// What a core does with one end of a FIFO.
struct CoreEnd {
  const Fifo* fifo = nullptr;
  const Pool* pool = nullptr;
  bool produces = false;
  bool countsInMemory = false;
  Value counter = {};  // the memory
  const Part& part() const { return pool->parts.front(); }
  Value waitsFor() const { return produces ? part().empty : part().full; }
  Value gives() const { return produces ? part().full : part().empty; }
  /// What the locks count for one object.
  int64_t perObject() const { return produces ? part().repeats : 1; }
};

/// Where a core is in a FIFO.
struct Standing {
  int64_t held = 0;
  std::optional<int64_t> next = 0;  // number of the oldest object held, or of the next one
  bool operator==(const Standing&) const = default;
};

/// An acquire or release, and where the core stood before it.
struct Step {
  Operation* op;
  Standing before;
};

class EndReader {
 public:
  EndReader(const CoreEnd& end, std::vector<Step>& steps) : end_(end), steps_(steps) {}

  LogicalResult readCore(Region& body) {
    // Blocks of a core run in any order: each begins and ends with nothing held.
    const bool isOneBlock = body.hasOneBlock();
    for (Block& block : body.blocks()) {
      Standing standing;
      if (!isOneBlock) standing.next = knownIn(block);
      if (failed(read(block, standing))) return failure();
      if (standing.held != 0 && !isOneBlock) return refuseHeld(block.back(), standing.held, 0);
    }
    return success();
  }

 private:
  bool isStep(const Operation& op) const {
    const bool isAccess = op.is("aie.objectfifo.acquire") || op.is("aie.objectfifo.release");
    return isAccess && op.attrOf<SymbolRefAttr>("objFifo_name").leaf() == end_.fifo->op.name() &&
           (numberAttr(op, "port") == kProduce) == end_.produces;
  }

  /// Objects that one run of the region gives back; none where that is not known, or depends. Of
  /// several blocks nobody knows which ones run: each has to keep the turn.
  std::optional<int64_t> givenBackIn(Region& region) const {
    const int64_t depth = end_.pool->depth;
    int64_t sum = 0;
    bool isKnown = true;
    for (Block& block : region.blocks()) {
      int64_t here = 0;
      for (Operation& op : block.ops()) {
        if (isStep(op) && op.is("aie.objectfifo.release")) here += numberAttr(op, "size");
        for (Region& inner : op.regions())
          isKnown &= givenBackIn(inner).value_or(1) % depth == 0;
      }
      isKnown &= region.hasOneBlock() || here % depth == 0;
      sum += here;
    }
    return isKnown ? std::optional(sum) : std::nullopt;
  }

  /// Every block keeps the turn where it was, so that each begins with the first object.
  std::optional<int64_t> knownIn(Block& block) const {
    for (Block& other : block.parent()->blocks()) {
      int64_t sum = 0;
      for (Operation& op : other.ops()) {
        if (isStep(op) && op.is("aie.objectfifo.release")) sum += numberAttr(op, "size");
        for (Region& inner : op.regions())
          if (givenBackIn(inner).value_or(1) % end_.pool->depth != 0) return std::nullopt;
      }
      if (sum % end_.pool->depth != 0) return std::nullopt;
    }
    return 0;
  }

  LogicalResult read(Block& block, Standing& standing) {
    for (Operation& op : block.ops()) {
      if (isStep(op)) {
        if (failed(take(op, standing))) return failure();
        continue;
      }
      if (op.numRegions() > 0 && failed(readInside(op, standing))) return failure();
    }
    return success();
  }

  LogicalResult take(Operation& op, Standing& standing) {
    steps_.push_back({&op, standing});
    const int64_t size = numberAttr(op, "size"), depth = end_.pool->depth;
    if (op.is("aie.objectfifo.acquire")) {
      if (size > depth)
        return op.emitOpError() << "asks for " << size << " objects, but there are " << depth
                                << " on its tile";
      standing.held = std::max(standing.held, size);
      return success();
    }
    if (size > standing.held)
      return op.emitOpError() << "gives back " << size << " objects, but the core holds "
                              << standing.held << " here";
    standing.held -= size;
    if (standing.next) standing.next = (*standing.next + size) % depth;
    return success();
  }

  /// Loops and branches: they leave as many objects as they find.
  LogicalResult readInside(Operation& op, Standing& standing) {
    const Standing before = standing;
    bool keepsTurn = true;
    for (Region& region : op.regions())
      keepsTurn &= givenBackIn(region).value_or(1) % end_.pool->depth == 0;
    for (Region& region : op.regions())
      for (Block& block : region.blocks()) {
        Standing inside = before;
        if (!keepsTurn) inside.next.reset();
        if (failed(read(block, inside))) return failure();
        if (inside.held != before.held) return refuseHeld(op, inside.held, before.held);
      }
    if (!keepsTurn) standing.next.reset();
    return success();
  }

  LogicalResult refuseHeld(Operation& op, int64_t after, int64_t before) const {
    return op.emitOpError() << "not supported: it begins with " << before << " objects of @"
                            << end_.fifo->op.name() << " held and ends with " << after
                            << "; release as many as are acquired in it";
  }

  const CoreEnd& end_;
  std::vector<Step>& steps_;
};

/// A loop that counts further than a core can and whose variable nobody uses: it never ends. Programs
/// with FIFOs are written so.
bool isEndless(scf::ForOp loop) {
  const std::optional<int64_t> trips = loop.tripCount();
  return trips && *trips > std::numeric_limits<int32_t>::max() && loop.numIterArgs() == 0 &&
         !loop.inductionVar().hasUses();
}

/// `while (true)` with the body of the loop.
void makeEndless(scf::ForOp loop) {
  Builder builder = Builder::before(*loop);
  OperationState state(builder.context(), loop->location(), "scf.while");
  Block& before = state.addRegion().addBlock(builder.context());
  Block& after = state.addRegion().addBlock(builder.context());
  Builder test = Builder::atEnd(before);
  const Value always =
      test.constant(loop->location(), IntegerAttr::getBool(builder.context(), true));
  test.create(loop->location(), "scf.condition", {always}, {});
  builder.create(state);
  after.splice(nullptr, loop.body(), &loop.body().front());
  const std::vector<Value> bounds = loop->operands().vec();
  loop->erase();
  // No number of a core is that large.
  for (Value bound : bounds)
    if (Operation* made = bound.definingOp();
        made && made->is("arith.constant") && !bound.hasUses())
      made->erase();
}

class CoreRewriter {
 public:
  CoreRewriter(const Plan& plan, aie::CoreOp core) : plan_(plan), core_(core) {}

  LogicalResult run() {
    std::vector<Operation*> ops, endless;
    core_->walk([&](Operation& op) {
      if (auto loop = dynCast<scf::ForOp>(&op); loop && isEndless(loop)) endless.push_back(&op);
    });
    for (Operation* loop : endless)
      makeEndless(scf::ForOp(loop));
    core_->walk([&](Operation& op) {
      if (op.is("aie.objectfifo.acquire") || op.is("aie.objectfifo.release")) ops.push_back(&op);
    });
    for (Operation* op : ops)
      if (failed(addEnd(*op))) return failure();
    for (auto& [key, end] : ends_) {
      std::vector<Step> steps;
      if (failed(EndReader(end, steps).readCore(core_.body()))) return failure();
      if (failed(rewrite(end, steps))) return failure();
    }
    return success();
  }

 private:
  LogicalResult addEnd(Operation& op) {
    const std::string name(op.attrOf<SymbolRefAttr>("objFifo_name").leaf());
    const bool produces = numberAttr(op, "port") == kProduce;
    CoreEnd& end = ends_[{name, produces}];
    if (end.fifo) return success();
    end.fifo = &*std::ranges::find_if(plan_.fifos,
                                      [&](const Fifo& fifo) { return fifo.op.name() == name; });
    end.produces = produces;
    for (size_t i = produces ? 0 : 1; i < (produces ? 1 : end.fifo->ends.size()); ++i)
      if (isSameTile(end.fifo->ends[i].tile, core_.tile()) && end.fifo->ends[i].pool)
        end.pool = &plan_.pools[*end.fifo->ends[i].pool];
    if (end.pool->parts.size() > 1 || isLinked(end))
      return op.emitOpError()
             << "not supported: a core that uses a FIFO which is linked on its tile";
    return success();
  }

  /// The pool of an end that a link joins with another FIFO.
  bool isLinked(const CoreEnd& end) const {
    size_t users = 0;
    for (const Fifo& fifo : plan_.fifos)
      for (const End& other : fifo.ends)
        users += other.pool && &plan_.pools[*other.pool] == end.pool;
    return users > (end.fifo->isShared ? 2u : 1u);
  }

  LogicalResult rewrite(CoreEnd& end, const std::vector<Step>& steps) {
    end.countsInMemory = std::ranges::any_of(
        steps, [&](const Step& step) { return !step.before.next && end.pool->depth > 1; });
    if (end.countsInMemory) end.counter = counterOf(end);
    for (const Step& step : steps)
      if (failed(step.op->is("aie.objectfifo.acquire") ? acquireObjects(end, step)
                                                       : releaseObjects(end, step)))
        return failure();
    return success();
  }

  Value counterOf(const CoreEnd& end) {
    Builder builder = Builder::after(*core_.tile());
    const std::string name = SymbolMap(*plan_.device)
                                 .unusedName(std::string(end.fifo->op.name()) +
                                             (end.produces ? "_prod_turn" : "_cons_turn"));
    return createCounter(builder, core_->location(), core_.tile().result(), name);
  }

  Value zero(Builder& builder, Location location) { return builder.constantIndex(location, 0); }

  Value number(Builder& builder, Location location, int64_t value) {
    return builder.constant(location, builder.i32Attr(value));
  }

  Value loadTurn(Builder& builder, Location location, const CoreEnd& end) {
    const Value indices[] = {zero(builder, location)};
    return memref::LoadOp::create(builder, location, end.counter, indices).result();
  }

  Value isSame(Builder& builder, Location location, Value a, int64_t b) {
    const auto predicate = static_cast<int64_t>(arith::CmpIPredicate::eq);
    return builder
        .create(location, "arith.cmpi", {a, number(builder, location, b)}, {builder.intType(1)},
                {builder.named("predicate", builder.i64Attr(predicate))})
        ->result();
  }

  Value choose(Builder& builder, Location location, Value condition, Value yes, Value no) {
    return builder.create(location, "arith.select", {condition, yes, no}, {no.type()})->result();
  }

  /// (turn + count) modulo the number of objects, for a count of at most that many.
  Value advanced(Builder& builder, Location location, const CoreEnd& end, Value turn,
                 int64_t count) {
    if (count == 0) return turn;
    const int64_t depth = end.pool->depth;
    const Type i32 = builder.intType(32);
    const Value sum =
        builder.create(location, "arith.addi", {turn, number(builder, location, count)}, {i32})
            ->result();
    const auto predicate = static_cast<int64_t>(arith::CmpIPredicate::sge);
    const Value wraps =
        builder
            .create(location, "arith.cmpi", {sum, number(builder, location, depth)},
                    {builder.intType(1)}, {builder.named("predicate", builder.i64Attr(predicate))})
            ->result();
    const Value less =
        builder.create(location, "arith.subi", {sum, number(builder, location, depth)}, {i32})
            ->result();
    return choose(builder, location, wraps, less, sum);
  }

  /// Each access of what the acquire gives becomes the buffer of that object.
  LogicalResult acquireObjects(const CoreEnd& end, const Step& step) {
    Operation& op = *step.op;
    const Location location = op.location();
    const int64_t missing = numberAttr(op, "size") - step.before.held;
    if (missing > 0)
      acquire(Builder::before(op), location, end.waitsFor(), missing * end.perObject());
    Builder builder = Builder::before(op);
    const Value turn = end.countsInMemory ? loadTurn(builder, location, end) : Value();
    std::vector<Operation*> accesses;
    for (OpOperand& use : op.result().uses())
      accesses.push_back(use.owner());
    for (Operation* access : accesses) {
      if (!access->is("aie.objectfifo.subview.access"))
        return access->emitOpError() << "not supported: objects of a FIFO that are passed on";
      const int64_t index = numberAttr(*access, "index");
      if (index < 0 || index >= numberAttr(op, "size"))
        return access->emitOpError()
               << "asks for object " << index << " of " << numberAttr(op, "size");
      access->result().replaceAllUsesWith(objectAt(end, step, turn, *access, index));
      access->erase();
    }
    op.erase();
    return success();
  }

  Value objectAt(const CoreEnd& end, const Step& step, Value turn, Operation& access,
                 int64_t index) {
    const std::vector<Value>& buffers = end.pool->buffers;
    if (!turn)
      return buffers[static_cast<size_t>((step.before.next.value_or(0) + index) % end.pool->depth)];
    Builder builder = Builder::before(access);
    const Location location = access.location();
    const Value at = advanced(builder, location, end, turn, index);
    Value object = buffers.front();
    for (size_t i = 1; i < buffers.size(); ++i)
      object = choose(builder, location, isSame(builder, location, at, static_cast<int64_t>(i)),
                      buffers[i], object);
    return object;
  }

  LogicalResult releaseObjects(const CoreEnd& end, const Step& step) {
    Operation& op = *step.op;
    const int64_t size = numberAttr(op, "size");
    release(Builder::before(op), op.location(), end.gives(), size * end.perObject());
    if (end.countsInMemory) {
      Builder builder = Builder::before(op);
      const Value turn = loadTurn(builder, op.location(), end);
      const Value next = advanced(builder, op.location(), end, turn, size);
      const Value indices[] = {zero(builder, op.location())};
      memref::StoreOp::create(builder, op.location(), next, end.counter, indices);
    }
    op.erase();
    return success();
  }

  const Plan& plan_;
  aie::CoreOp core_;
  std::map<std::pair<std::string, bool>, CoreEnd> ends_;
};

}  // namespace

LogicalResult rewriteFifoCore(const Plan& plan, aie::CoreOp core) {
  return CoreRewriter(plan, core).run();
}

}  // namespace airlite::npu::fifo
