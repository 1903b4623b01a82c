// air-share-loops: the rounds of a loop that do not need each other are shared out to cores.
//
// Matches, in the body of a function, loops of constant bounds around whatever a core can do with single elements of buffers of the
// host: loops, conditionals, loads, stores, pure ops, small buffers of their own. Of each buffer that rounds store to they have to have
// parts of their own, along one of its dimensions; a buffer that they only load from comes in such parts, or as a whole.
// So running sums, recurrences, sorts and tables along the rows of a matrix, which no linalg op says, are the work of all cores:
//
//   scf.parallel            one iteration per launch instance
//     alloc, copies         the rows of its cores in L2, and what all rounds load
//     scf.parallel          one iteration per core of the herd
//       alloc, copies       the rows of a core in L1
//       scf.for             its rounds, as they were
//       copies              L1 to L2
//     copies                L2 to L3
//
// Where rounds need each other, or their parts have no room, and the loop is around another one alone, cores share the rounds of that: columns
// in place of rows. A core has its columns inside of the loop over rows, where vectors go along them.
//
// Where rounds store to a buffer as a whole that others load or store, or carry values on, one core has all rounds in order: such buffers stay in its
// memory, parts of the others come and go. This is for loops whose buffers have no room in L1 (else air-loops-to-cores brings all of them).
//
// How many columns, cores and rounds at a time is chosen as for rows of linalg ops (RowShares.hpp); rounds that are left
// over are a launch of their own.
//
// Declines, with a remark: other ops (calls, views), bounds that are not constant, loops whose results are used, parts that are no whole words
// or have no room in L1, rounds that need each other where L1 has room for all, and loops that are so short that one core is as fast.
#include "SharedNest.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "airlite/transform/Lowering.hpp"
#include "transform/hierarchy/CoreWork.hpp"

#include <algorithm>
#include <numeric>

namespace airlite {

namespace {

using tiling::SharedBuffer;
using tiling::SharedLoop;

/// Cycles of an op on numbers, about: scalar floats, functions and divisions are routines.
int64_t cyclesOf(Operation& op) {
  constexpr int64_t kOfFloat = 8, kOfDivision = 40, kOfFunction = 80;
  if (op.numResults() != 1) return 1;
  if (op.name().starts_with("math.") || op.is("arith.divf")) return kOfFunction;
  if (arith::dividesIntegers(op)) return kOfDivision;
  return op.name().starts_with("arith.") && elementTypeOrSelf(op.result().type()).isFloat()
             ? kOfFloat
             : 1;
}

/// Of all dimensions of a loop.
std::optional<int64_t> roundsOf(Operation& op) {
  const tiling::LoopView view = tiling::readLoop(op);
  if (!view.isKnown) return std::nullopt;
  int64_t rounds = 1;
  for (const tiling::StatementLoop& loop : view.loops)
    rounds *= loop.count;
  return rounds;
}

/// Cycles of a core for a block, about.
int64_t cyclesOf(Block& block) {
  constexpr int64_t kUnknownRounds = 16;
  int64_t cycles = 0;
  for (Operation& op : block.ops()) {
    int64_t rounds = op.is("scf.while") ? kUnknownRounds : 1;
    if (tiling::isStatementLoop(op)) rounds = roundsOf(op).value_or(kUnknownRounds);
    cycles += cyclesOf(op);
    for (unsigned i = 0; i < op.numRegions(); ++i)
      for (Block& inner : op.region(i).blocks())
        cycles += rounds * cyclesOf(inner);
  }
  return cycles;
}

/// Nothing but work on single elements, of buffers of the host or of its own.
bool isForShares(Operation& loop) {
  return !anyInside(loop, [](Operation& op) {
    if (tiling::isOwnMemory(op)) return false;
    if (op.is("memref.dealloc"))
      return !(op.operand(0).definingOp() && tiling::isOwnMemory(*op.operand(0).definingOp()));
    return !isCoreOp(op);
  });
}

class ShareLoops : public Pass {
 public:
  ShareLoops() : Pass("air-share-loops", "Shares the rounds of loops out to cores") {
    anchor("func.func");
    option("herd", herd_, "cores of a herd along its two dimensions, at most");
    option("l1-bytes", l1Bytes_, "L1 memory that buffers of the host may take");
    option("least-cycles", leastCycles_, "of one core for a loop, about; with fewer it stays");
    example("airlite-opt --air-share-loops='herd=4,4' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    context_ = &context;
    if (function.region(0).empty() || !function.region(0).hasOneBlock())
      return PassResult::Unchanged;
    std::vector<Operation*> loops;
    for (Operation& op : function.region(0).front().ops())
      if (tiling::isStatementLoop(op) && isForShares(op)) loops.push_back(&op);
    bool changed = false;
    for (Operation* loop : loops)
      changed |= share(*loop);
    if (changed)
      context.declareEffectChange(CountedEffect::Store, "buffers of the host go to cores and back");
    return changedIf(changed);
  }

 private:
  static constexpr std::string_view kNeedEachOther =
      "rounds store to the same elements, load what others store, or carry values on";

  bool share(Operation& op) {
    std::string why = shareOr(op, Form::Rounds);
    if (why.empty()) return true;
    // Columns in place of rows: they may be independent where rows are not, and of a table whose rows the program chooses each core
    // gets the columns that it needs.
    Operation* inner = tiling::interchange(op);
    if (inner && shareOr(*inner, Form::Inside).empty()) return true;
    if (inner) tiling::interchange(*inner);
    if (why == kNeedEachOther) why = shareOr(op, Form::Stream);
    if (!why.empty()) context_->remark(op, "is not shared out: " + why);
    return why.empty();
  }

  /// What becomes of a loop: rounds of all cores, as they are or inside of the loop that is all of their body, or those of one core in order.
  enum class Form { Rounds, Inside, Stream };

  /// Empty, or why the loop stays as it is.
  std::string shareOr(Operation& op, Form form) {
    std::optional<SharedLoop> loop = tiling::loopOf(op);
    if (!loop) return "its bounds are not constant, or its results are used";
    loop->isInside = form == Form::Inside;
    int64_t cycles = cyclesOf(loop->body());
    for (const tiling::StatementLoop& inner : loop->inner)
      cycles *= inner.count;
    // Of what has memory of its own air-loops-to-cores makes nothing.
    if (isForCore(op) && (loop->count < 2 || loop->count * cycles < leastCycles_))
      return "one core is as fast";
    std::vector<SharedBuffer> buffers;
    if (std::string_view why = tiling::readParts(*loop, buffers); !why.empty())
      return std::string(why);
    const auto words = wordsOf(buffers);
    if (!words || loop->count % *words) return "parts of buffers are no whole words";
    const tiling::RowWork work = workOf(*loop, buffers, cycles, *words);
    if (!loop->carried.empty() || std::ranges::any_of(buffers, &SharedBuffer::isShared))
      return form == Form::Stream ? streamOr(*loop, buffers, work) : std::string(kNeedEachOther);
    if (work.l1Bytes == 0) return "it stores nothing";
    const tiling::RowLimits limits{herd_[0], herd_.size() > 1 ? herd_[1] : 1, kTransferStartCycles,
                                   l1Bytes_};
    tiling::SplitShares shares = form == Form::Inside ? splitColumns(work, buffers, limits)
                                                      : tiling::splitRows(work, limits);
    if (!shares.shares.tile) return "its parts of buffers have no room in L1 memory";
    // What all rounds load comes again for each launch instance.
    const int64_t whole = shares.head / (shares.shares.columns * shares.shares.cores);
    if (work.broadcasts && work.l1FixedBytes + whole * work.l1Bytes <= l1Bytes_)
      shares.shares.tile = whole;
    if (failed(lowerAffine(op))) return "";
    tiling::writeShares(*loop, buffers, {0, shares.head, shares.shares});
    if (const int64_t rest = loop->count - shares.head)
      tiling::writeShares(*loop, buffers, {shares.head, rest, {1, 1, rest}});
    op.erase();
    return {};
  }

  /// Of rounds that need each other: one core has them in order.
  std::string streamOr(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                       const tiling::RowWork& work) const {
    const int64_t whole = loop.count * work.l1Bytes + work.l1FixedBytes;
    if (work.l1Bytes == 0 || (isForCore(*loop.op) && whole <= l1Bytes_))
      return std::string(kNeedEachOther);
    // Two buffers of each part: one is filled while the core has the other.
    int64_t tile = (l1Bytes_ - work.l1FixedBytes) / (2 * work.l1Bytes) / work.unit * work.unit;
    while (tile > 0 && loop.count % tile)
      tile -= work.unit;
    if (tile <= 0) return "its parts of buffers have no room in L1 memory";
    if (failed(lowerAffine(*loop.op))) return "";
    tiling::writeStream(loop, buffers, {0, loop.count, {1, 1, tile}});
    loop.op->erase();
    return {};
  }

  /// Rounds whose parts of all buffers are whole words; none: no number of rounds is.
  static std::optional<int64_t> wordsOf(const std::vector<SharedBuffer>& buffers) {
    int64_t rounds = 1;
    for (const SharedBuffer& buffer : buffers) {
      if (buffer.dim) {
        const int64_t row = buffer.elementsOfRow() * buffer.elementBytes();
        const auto shape = buffer.type().shape();
        const bool isAlone = std::all_of(shape.begin(), shape.begin() + *buffer.dim,
                                         [](int64_t size) { return size == 1; });
        if (buffer.first * row % aie::kWordBytes ||
            (!isAlone && shape[*buffer.dim] * row % aie::kWordBytes))
          return std::nullopt;
        const int64_t part = buffer.perRound * row;
        rounds = std::lcm(rounds, aie::kWordBytes / std::gcd(part, aie::kWordBytes));
      } else if (buffer.bytes() % aie::kWordBytes) {
        return std::nullopt;
      }
    }
    return rounds;
  }

  /// Rounds that are columns of the buffers: the memory of the host has them in pieces of rows, each of which costs a request, and cores compute
  /// whole vectors of them.
  static tiling::SplitShares splitColumns(const tiling::RowWork& work,
                                          const std::vector<SharedBuffer>& buffers,
                                          const tiling::RowLimits& limits) {
    constexpr double kScalar = 8;  // times as slow as vectors, about
    const aie::HostMemory memory = aie::hostMemoryOf(aie::defaultNpu().generation);
    int64_t bytes = 1, rows = 0;
    for (const SharedBuffer& buffer : buffers) {
      if (!buffer.dim) continue;
      const int64_t piece = buffer.elementBytes() * buffer.elementsOfRow();
      bytes = std::max(bytes, piece);
      rows += buffer.bytes() / piece;
    }
    const int64_t room = limits.l1Bytes - work.l1FixedBytes;
    tiling::SplitShares best{{}, work.rows};
    double least = 0;
    for (int64_t columns = 1; columns <= tiling::columnsOfShims(work, limits); ++columns) {
      const int64_t cores = tiling::coresOfColumn(work, columns, limits);
      for (int64_t tile = work.words; tile * work.l1Bytes <= room; tile += work.words) {
        if (work.rows % (columns * cores * tile)) continue;
        const int64_t launches = work.rows / (cores * tile),
                      asked =
                          (cores * tile * bytes + memory.requestBytes - 1) / memory.requestBytes;
        const double starts = double(limits.startCycles) *
                              double((work.inputs + work.outputs) * columns + work.broadcasts),
                     moved = double(launches * rows * asked * memory.requestBytes) /
                             double(memory.bytesPerCycle),
                     computed = double(launches / columns * tile) * work.cycles *
                                (tile * bytes % tiling::kVectorBytes ? kScalar : 1);
        const double cycles = starts + std::max(moved, computed);
        if (best.shares.tile && cycles >= least) continue;
        best.shares = {columns, cores, tile};
        least = cycles;
      }
    }
    return best;
  }

  static tiling::RowWork workOf(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                                int64_t cycles, int64_t words) {
    tiling::RowWork work{
        .rows = loop.count, .cycles = double(cycles), .unit = words, .words = words};
    for (const SharedBuffer& buffer : buffers) {
      const bool comesIn = buffer.comesIn();
      if (!buffer.dim) {
        ++work.broadcasts;
        work.l1FixedBytes += buffer.bytes();
        continue;
      }
      work.inputs += comesIn;
      work.outputs += buffer.isStored;
      work.l1Bytes += buffer.bytes();
      work.streamBytes = std::max(work.streamBytes, buffer.bytes());
    }
    loop.op->walk([&](Operation& op) {
      if (tiling::isOwnMemory(op)) {
        const auto type = op.result().type().cast<MemRefType>();
        work.l1FixedBytes += type.numElements() * (type.elementType().bitWidth() / 8);
      }
    });
    return work;
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu()), leastCycles_ = 4096;
  PassContext* context_ = nullptr;
};

}  // namespace

void registerShareLoops(PassRegistry& registry) { registry.add<ShareLoops>(); }

}  // namespace airlite
