// Chooses tile sizes (see TilePlan.hpp).
#include "TilePlan.hpp"

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace airlite {

using linalg::IteratorKind;

bool LoopIndex::isLoop(unsigned loop) const {
  for (unsigned i = 0; i < factors.size(); ++i)
    if (factors[i] != (i == loop ? 1 : 0)) return false;
  return constant == 0;
}

int64_t LoopIndex::extent(std::span<const int64_t> tile) const {
  int64_t extent = 1;
  for (size_t i = 0; i < factors.size(); ++i)
    extent += factors[i] * (tile[i] - 1);
  return extent;
}

bool TiledOperand::uses(unsigned loop) const {
  return std::any_of(index.begin(), index.end(),
                     [&](const LoopIndex& entry) { return entry.uses(loop); });
}

std::vector<int64_t> TiledOperand::extents(std::span<const int64_t> tile) const {
  std::vector<int64_t> extents;
  for (const LoopIndex& entry : index)
    extents.push_back(entry.extent(tile));
  return extents;
}

bool TilePlan::isPacked() const {
  return std::any_of(blocks.begin(), blocks.end(), [](int64_t block) { return block > 1; });
}

namespace {

std::string byText(std::span<const int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : "x") + std::to_string(value);
  return text;
}

/// Greatest divisor of `size` that is at most `limit` and a multiple of `unit`; `unit` at least.
int64_t divisorUpTo(int64_t size, int64_t limit, int64_t unit) {
  for (int64_t at = std::min(size, limit) / unit * unit; at > unit; at -= unit)
    if (size % at == 0) return at;
  return unit;
}

/// False: not a sum of constants and constant multiples of loop variables.
bool addLinear(AffineExpr expr, int64_t factor, LoopIndex& index) {
  switch (expr.kind()) {
    case AffineKind::Constant: index.constant += factor * expr.value(); return true;
    case AffineKind::Dim: index.factors[expr.position()] += factor; return true;
    case AffineKind::Add:
      return addLinear(expr.lhs(), factor, index) && addLinear(expr.rhs(), factor, index);
    case AffineKind::Mul: {
      std::optional<int64_t> by = expr.rhs().constantValue();
      return by && addLinear(expr.lhs(), factor * *by, index);
    }
    default: return false;
  }
}

struct Block {
  int64_t m, n, k;
};

/// Rows, columns and depth of one step of the matrix unit (shared/facts/isa/vector_facts.md, "Dense
/// matrix shapes"); types that it has no step for take that of bf16, as the GEMM case study does.
Block matrixBlock(Type left, Type right) {
  unsigned a = left.isInteger() ? left.bitWidth() : 0, b = right.isInteger() ? right.bitWidth() : 0;
  if (a == 8 && b == 8) return {4, 8, 8};
  if (a == 16 && b == 8) return {4, 8, 4};
  if (a == 16 && b == 16) return {4, 4, 4};
  return {4, 4, 8};
}

class TilePlanner {
 public:
  TilePlanner(linalg::StructuredOp op, const TileWishes& wishes, std::string& obstacle)
      : op_(op), wishes_(wishes), obstacle_(obstacle) {}

  std::optional<TilePlan> run() {
    if (!readLoops() || !readOperands() || !checkAliases()) return std::nullopt;
    findWords();
    if (chooseInWords()) return plan_;
    isLean_ = true;
    if (chooseInWords()) return plan_;
    isLean_ = false;
    const std::string inWords = obstacle_;
    // That is for others to judge: not every target has a DMA of words.
    if (!chooseAnyway()) return std::nullopt;
    plan_.remark = "not in whole 32-bit words: so " + inWords;
    return plan_;
  }

 private:
  bool fail(std::string why) {
    obstacle_ = std::move(why);
    return false;
  }

  /// `words`: elements of which the tile of each loop is a multiple.
  bool choose(const std::vector<int64_t>& words) {
    unit_ = words;
    obstacle_.clear();
    plan_.blocks.assign(plan_.numLoops(), 1);
    plan_.herdLoops.clear();
    chooseHerd();
    chooseBlocks();
    chooseTiles();
    shrinkToL1();
    finish();
    return obstacle_.empty();
  }

  // -- The op -----------------------------------------------------------------------------------

  bool readLoops() {
    if (!op_.onBuffers() || op_->numResults()) return fail("it is not on memrefs");
    if (op_.loopSources().size() != op_.numLoops())
      return fail("the size of a loop is not the size of an operand's dimension");
    plan_.sizes = op_.loopSizes();
    plan_.kinds = op_.iterators();
    for (int64_t size : plan_.sizes) {
      if (size == kDynamic) return fail("the size of a loop is not known");
      if (size == 0) return fail("it computes nothing: a loop runs no time");
    }
    return true;
  }

  bool readOperands() {
    std::vector<AffineMap> maps = op_.indexingMaps();
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      bool isOutput = i >= op_.numInputs();
      TiledOperand operand{op_->operand(i), op_->operand(i).type().isa<MemRefType>(), true,
                           isOutput, {}};
      if (isOutput) operand.isRead = op_.readsOutput(i - op_.numInputs());
      if (operand.isMemRef && !readIndex(maps[i], operand)) return false;
      if (isOutput && !maps[i].isProjectedPermutation())
        return fail("an output is not indexed by loops alone");
      plan_.operands.push_back(std::move(operand));
    }
    return true;
  }

  bool readIndex(AffineMap map, TiledOperand& operand) {
    if (air::memoryLevel(operand.value.type()) != air::MemoryLevel::L3)
      return fail("an operand is not in L3 memory");
    if (!operand.value.type().cast<MemRefType>().hasStaticShape())
      return fail("the shape of an operand is not known");
    for (AffineExpr expr : map.results()) {
      LoopIndex index{0, std::vector<int64_t>(plan_.numLoops(), 0)};
      bool isSum = addLinear(expr, 1, index);
      bool goesUp = std::all_of(index.factors.begin(), index.factors.end(),
                                [](int64_t factor) { return factor >= 0; });
      if (!isSum || !goesUp || index.constant < 0)
        return fail("an index of an operand is not a sum of multiples of loops");
      operand.index.push_back(std::move(index));
    }
    return true;
  }

  /// What one tile writes no other may read or write.
  bool checkAliases() {
    std::vector<AffineMap> maps = op_.indexingMaps();
    auto touchesParallel = [&](unsigned output, unsigned loop) {
      return plan_.kinds[loop] != IteratorKind::Parallel ||
             plan_.operands[output].uses(loop) || plan_.sizes[loop] == 1;
    };
    for (unsigned i = op_.numInputs(); i < op_->numOperands(); ++i) {
      for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
        if (!touchesParallel(i, loop)) return fail("iterations of a parallel loop write one element");
      for (unsigned other = 0; other < op_->numOperands(); ++other)
        if (other != i && mayShare(i, other, maps))
          return fail("an output may share its memory with another operand");
    }
    return true;
  }

  bool mayShare(unsigned output, unsigned other, const std::vector<AffineMap>& maps) {
    const TiledOperand &a = plan_.operands[output], &b = plan_.operands[other];
    if (!b.isMemRef) return false;
    analysis::BufferAccess left{reader_.bufferOf(a.value)}, right{reader_.bufferOf(b.value)};
    if (!reader_.mayOverlap(left, right)) return false;
    bool isInPlace = a.value == b.value && maps[output] == maps[other] && !b.isWritten &&
                     !hasReduction();
    return !isInPlace;
  }

  bool hasReduction() const {
    return std::any_of(plan_.kinds.begin(), plan_.kinds.end(),
                       [](IteratorKind kind) { return kind != IteratorKind::Parallel; });
  }

  // -- Words ------------------------------------------------------------------------------------

  /// A DMA moves words of 32 bits. Each step of a loop from tile to tile has to move on by whole
  /// ones in all operands: a tile is a multiple of this, or the whole loop.
  void findWords() {
    words_.assign(plan_.numLoops(), 1);
    for (const TiledOperand& operand : plan_.operands)
      for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
        words_[loop] = std::lcm(words_[loop], wordsOf(operand, loop));
  }

  /// Iterations of `loop` that move on by whole words in `operand`.
  static int64_t wordsOf(const TiledOperand& operand, unsigned loop) {
    const int64_t perWord = elementsPerWord(operand);
    int64_t words = 1;
    for (size_t dim = 0; perWord > 1 && dim < operand.index.size(); ++dim) {
      const int64_t step = operand.index[dim].factors[loop] * stridesOf(operand)[dim];
      words = std::lcm(words, perWord / std::gcd(perWord, step));
    }
    return words;
  }

  /// 1 for elements of a word or more, and for those of less than a byte, which no DMA moves.
  static int64_t elementsPerWord(const TiledOperand& operand) {
    const int64_t bits = bitWidthOf(elementTypeOrSelf(operand.value.type()));
    return bits == std::clamp<int64_t>(bits, 8, 31) ? 32 / std::gcd<int64_t>(bits, 32) : 1;
  }

  /// A stride that is not known may be any number of elements.
  static std::vector<int64_t> stridesOf(const TiledOperand& operand) {
    auto type = operand.value.type().cast<MemRefType>();
    auto form = type.stridedForm();
    std::vector<int64_t> strides = form ? form->strides : std::vector<int64_t>(type.rank(), 1);
    std::replace(strides.begin(), strides.end(), kDynamic, int64_t{1});
    return strides;
  }

  /// Plans until all that is moved is whole words: each time one more loop runs in one tile.
  bool chooseInWords() {
    std::vector<int64_t> words = words_;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (plan_.sizes[loop] % words[loop]) words[loop] = plan_.sizes[loop];
    while (choose(words)) {
      const std::optional<unsigned> loop = loopInWords();
      if (!loop) return true;
      words[*loop] = plan_.sizes[*loop];
    }
    return false;
  }

  /// Plans with the steps of words that divide their loops.
  bool chooseAnyway() {
    std::vector<int64_t> words = words_;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (plan_.sizes[loop] % words[loop]) words[loop] = 1;
    return choose(words);
  }

  /// A box of `tile` in a buffer, from loops that step by tiles.
  struct Move {
    const TiledOperand& operand;
    const std::vector<int64_t>& tile;
    std::vector<int64_t> strides;
    std::vector<int64_t> shape;  // of the buffer
  };

  /// A loop that has to run in one tile, since tiles of an operand are no whole words.
  std::optional<unsigned> loopInWords() const {
    for (const TiledOperand& operand : plan_.operands) {
      if (!operand.isMemRef || elementsPerWord(operand) == 1) continue;
      auto shape = operand.value.type().cast<MemRefType>().shape();
      const std::vector<int64_t> copied = copyOf(operand), inL2 = operand.extents(plan_.launch);
      for (const Move& move : {Move{operand, copied, stridesOf(operand), {shape.begin(), shape.end()}},
                               Move{operand, copied, rowMajor(inL2), inL2},
                               Move{operand, plan_.core, rowMajor(inL2), inL2}})
        if (!isInWords(move))
          if (auto loop = innermostLoop(move)) return loop;
    }
    return std::nullopt;
  }

  /// Into L2 an operand comes in pieces along loops that are indices of their own.
  std::vector<int64_t> copyOf(const TiledOperand& operand) const {
    std::vector<int64_t> tile = plan_.copy;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      for (const LoopIndex& index : operand.index)
        if (index.uses(loop) && !index.isLoop(loop)) tile[loop] = plan_.launch[loop];
    return tile;
  }

  static std::vector<int64_t> rowMajor(const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * shape[dim];
    return strides;
  }

  /// Steps, rows and their distances are whole words. Elements one after the other may end within a
  /// word unless other elements behind them would be overwritten.
  bool isInWords(const Move& move) const {
    const int64_t perWord = elementsPerWord(move.operand);
    const std::vector<int64_t> part = move.operand.extents(move.tile);
    int64_t run = 1;
    bool isOneRun = true;
    for (size_t dim = part.size(); dim--;) {
      if (!stepsInWords(move, dim, perWord)) return false;
      if (part[dim] == 1) continue;
      isOneRun &= move.strides[dim] == run;
      if (!isOneRun && move.strides[dim] % perWord) return false;
      if (isOneRun) run *= part[dim];
    }
    const bool mayEndWithin = isOneRun && (!move.operand.isWritten || part == move.shape);
    return mayEndWithin || run % perWord == 0;
  }

  bool stepsInWords(const Move& move, size_t dim, int64_t perWord) const {
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop) {
      const int64_t step = move.operand.index[dim].factors[loop] * move.tile[loop];
      if (move.tile[loop] < plan_.sizes[loop] && step * move.strides[dim] % perWord) return false;
    }
    return true;
  }

  /// Of those that cut the innermost dimension; the user's own tiles stay.
  std::optional<unsigned> innermostLoop(const Move& move) const {
    for (size_t dim = move.shape.size(); dim--;)
      for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
        if (move.operand.index[dim].uses(loop) && move.tile[loop] < plan_.sizes[loop] &&
            !wished(wishes_.coreTile, loop, 0))
          return loop;
    return std::nullopt;
  }

  /// What the tile of a loop is a multiple of.
  int64_t unitOf(unsigned loop) const {
    const int64_t unit = std::lcm(unit_[loop], plan_.blocks[loop]);
    return plan_.sizes[loop] / herd_[loop] % unit ? plan_.blocks[loop] : unit;
  }

  // -- The herd ---------------------------------------------------------------------------------

  /// The last two parallel loops that run more than once and can be cut; the last one alone when
  /// there is no other.
  void chooseHerd() {
    for (unsigned loop = plan_.numLoops(); loop-- && plan_.herdLoops.size() < 2;)
      if (plan_.isParallel(loop) && plan_.sizes[loop] > 1 && unit_[loop] < plan_.sizes[loop])
        plan_.herdLoops.insert(plan_.herdLoops.begin(), loop);
    herd_.assign(plan_.numLoops(), 1);
    std::vector<int64_t> shape = wishes_.herd;
    shape.resize(2, 1);
    if (plan_.herdLoops.size() == 1) shape = {std::max(shape[0], shape[1])};
    for (size_t i = 0; i < plan_.herdLoops.size(); ++i) {
      unsigned loop = plan_.herdLoops[i];
      herd_[loop] = divisorUpTo(plan_.sizes[loop] / unit_[loop], shape[i], 1);
    }
  }

  // -- Blocks -----------------------------------------------------------------------------------

  void chooseBlocks() {
    if (!wishes_.pack) return;
    std::vector<int64_t> wanted = wishes_.blocks;
    if (wanted.empty()) wanted = blocksOfProduct();
    wanted.resize(plan_.numLoops(), 1);
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop) {
      if (wanted[loop] <= 1) continue;
      // A matrix step that cannot be had whole is none.
      if (!canBlock(loop, wanted[loop])) return plan_.blocks.assign(plan_.numLoops(), 1);
      plan_.blocks[loop] = wanted[loop];
    }
  }

  bool canBlock(unsigned loop, int64_t block) const {
    if (plan_.sizes[loop] / herd_[loop] % block) return false;
    for (const TiledOperand& operand : plan_.operands)
      for (const LoopIndex& index : operand.index)
        if (index.uses(loop) && !index.isLoop(loop)) return false;
    return true;
  }

  /// C[.. m n] += A[.. m k] * B[.. k n]: the innermost loops of these roles.
  std::vector<int64_t> blocksOfProduct() const {
    if (op_.numInputs() != 2 || op_.numOutputs() != 1) return {};
    const TiledOperand &a = plan_.operands[0], &b = plan_.operands[1], &c = plan_.operands[2];
    if (!a.isMemRef || !b.isMemRef || !c.isRead) return {};
    std::optional<unsigned> m, n, k;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop) {
      bool inA = a.uses(loop), inB = b.uses(loop), inC = c.uses(loop);
      if (inA && !inB && inC) m = loop;
      if (!inA && inB && inC) n = loop;
      if (inA && inB && !inC) k = loop;
    }
    if (!m || !n || !k) return {};
    Block block = matrixBlock(elementTypeOrSelf(a.value.type()), elementTypeOrSelf(b.value.type()));
    std::vector<int64_t> blocks(plan_.numLoops(), 1);
    blocks[*m] = block.m;
    blocks[*n] = block.n;
    blocks[*k] = block.k;
    return blocks;
  }

  // -- Tiles ------------------------------------------------------------------------------------

  static constexpr int64_t kLongestTile = 64;

  int64_t wished(const std::vector<int64_t>& list, unsigned loop, int64_t otherwise) const {
    return loop < list.size() && list[loop] > 0 ? list[loop] : otherwise;
  }

  void chooseTiles() {
    plan_.core.clear();
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop) {
      bool isHerd = std::find(plan_.herdLoops.begin(), plan_.herdLoops.end(), loop) !=
                    plan_.herdLoops.end();
      bool isWhole = isHerd || !plan_.isParallel(loop);
      const int64_t wish = wished(wishes_.coreTile, loop, 0);
      const int64_t limit = wish ? wish : isWhole ? kLongestTile : 1;
      plan_.core.push_back(divisorUpTo(plan_.sizes[loop] / herd_[loop], limit,
                                       wish ? plan_.blocks[loop] : unitOf(loop)));
    }
  }

  bool hasSteps() const {
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (!plan_.isParallel(loop) && plan_.core[loop] < plan_.sizes[loop]) return true;
    return false;
  }

  /// Buffers of a core: two of each input, so that one can be filled while the other is used. In a
  /// lean plan there are two only of what comes in several steps, which ping-pong doubles.
  int64_t bytesOfCore() const {
    int64_t bytes = 0;
    const int64_t copies = isLean_ && !hasSteps() ? 1 : 2;
    for (const TiledOperand& operand : plan_.operands) {
      if (!operand.isMemRef) continue;
      int64_t size = (bitWidthOf(elementTypeOrSelf(operand.value.type())) + 7) / 8;
      for (int64_t extent : operand.extents(plan_.core))
        size *= extent;
      bytes += operand.isWritten ? size : copies * size;
    }
    return bytes;
  }

  static int64_t bitWidthOf(Type type) { return type.isIntOrIndexOrFloat() ? type.bitWidth() : 64; }

  void shrinkToL1() {
    while (bytesOfCore() > wishes_.l1Bytes) {
      unsigned longest = 0;
      int64_t length = 0;
      for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
        if (plan_.core[loop] > unitOf(loop) && plan_.core[loop] > length)
          length = plan_.core[longest = loop];
      if (length == 0) {
        obstacle_ = "the smallest tile takes " + std::to_string(bytesOfCore()) +
                    " bytes of L1 memory of " + std::to_string(wishes_.l1Bytes);
        return;
      }
      plan_.core[longest] = divisorUpTo(plan_.sizes[longest] / herd_[longest], length - 1,
                                        unitOf(longest));
    }
  }

  void finish() {
    plan_.launch.clear();
    plan_.copy.clear();
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop) {
      bool isParallel = plan_.isParallel(loop);
      plan_.launch.push_back(isParallel ? plan_.core[loop] * herd_[loop] : plan_.sizes[loop]);
      int64_t copy = plan_.launch[loop];
      // A copy brings whole tiles of the cores.
      if (!isParallel)
        copy = divisorUpTo(copy, wished(wishes_.copyTile, loop, plan_.core[loop]),
                           plan_.core[loop]);
      plan_.copy.push_back(copy);
    }
  }

  linalg::StructuredOp op_;
  const TileWishes& wishes_;
  std::string& obstacle_;
  TilePlan plan_;
  analysis::AccessReader reader_;
  std::vector<int64_t> herd_;   // cores along each loop
  std::vector<int64_t> words_;  // iterations of each loop that move on by whole words
  std::vector<int64_t> unit_;   // of which tiles are multiples, as tried now
  bool isLean_ = false;         // one buffer where two would only save time
};

}  // namespace

std::string TilePlan::str() const {
  std::vector<int64_t> launches, cores;
  for (unsigned loop = 0; loop < numLoops(); ++loop)
    if (isParallel(loop)) launches.push_back(sizes[loop] / launch[loop]);
  for (unsigned loop : herdLoops)
    cores.push_back(launch[loop] / core[loop]);
  std::string text = "launch " + (launches.empty() ? "1" : byText(launches)) + ", herd " +
                     (cores.empty() ? "1" : byText(cores)) + ", tile of a core " + byText(core);
  if (isPacked()) text += ", blocks " + byText(blocks);
  return remark.empty() ? text : text + ", " + remark;
}

std::optional<TilePlan> planTiles(linalg::StructuredOp op, const TileWishes& wishes,
                                  std::string& obstacle) {
  obstacle.clear();
  return TilePlanner(op, wishes, obstacle).run();
}

}  // namespace airlite
