// DMA programs: descriptors get numbers of the bank that their channel uses, channels start.
#include "TileDescriptor.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

/// A channel with tasks in its queue.
struct Started {
  Operation* program = nullptr;  ///< whose it is: one DMA program alone starts a channel
  Location first;
  unsigned tasks = 0;
};

/// What one tile has of descriptors and channels; several open tiles may share it.
struct TileUse {
  std::vector<const Operation*> bds;  // by number; null: free
  std::map<std::pair<DmaDirection, unsigned>, Started> starts;
};

class Programs {
 public:
  explicit Programs(Layout& layout) : layout_(layout) {}

  LogicalResult run() {
    for (Operation& member : layout_.op.body().ops())
      if (aie::DmaOp dma = aie::asDmaOp(&member))
        if (failed(collect(dma))) return failure();
    for (Chain& chain : chains_)
      takeWritten(chain);
    for (Chain& chain : chains_)
      if (failed(takeFree(chain))) return failure();
    for (Chain& chain : chains_)
      if (failed(makeChain(chain))) return failure();
    sortAll();
    return success();
  }

 private:
  /// What a channel runs.
  struct Chain {
    Tile tile;
    aie::DmaStartOp start;
    DmaDirection direction{};
    unsigned channel = 0;
    bool isOpen = false;         // the tile's: numbers as written are wishes
    std::vector<Block*> blocks;  // in order, each once
  };

  LogicalResult collect(aie::DmaOp dma) {
    const Tile tile = layout_.tileOf(*dma);
    for (Operation* op : dma.starts()) {
      Chain chain{tile, aie::DmaStartOp(op)};
      const aie::Channel written = chain.start.channel();
      chain.direction = directionOf(written.direction);
      chain.channel = layout_.channelOf(dma.tile().op(), chain.direction, written.index);
      chain.isOpen = !dma.tile().id();
      chain.blocks = blocksFrom(chain.start.firstBd());
      if (failed(claim(chain))) return failure();
      if (!chain.blocks.empty()) chains_.push_back(std::move(chain));
    }
    return success();
  }

  /// The tasks of a channel wait in its queue, in the order of the program.
  LogicalResult claim(const Chain& chain) {
    Operation* program = chain.start->parentOp();
    Started& there = use(chain.tile).starts[{chain.direction, chain.channel}];
    if (there.tasks == 0) there = {program, chain.start->location(), 0};
    if (there.program != program) return startedTwice(chain, there.first);
    if (++there.tasks <= taskQueueDepth) return success();
    return chain.start->emitOpError()
           << "is task " << there.tasks << " of " << name(chain.direction) << " " << chain.channel
           << " of " << name(chain.tile) << ", a queue holds " << taskQueueDepth;
  }

  static LogicalResult startedTwice(const Chain& chain, Location first) {
    InFlightDiagnostic error = chain.start->emitOpError();
    error << "starts " << name(chain.direction) << " " << chain.channel << " of "
          << name(chain.tile) << ", which another DMA program starts";
    error.note(first) << "here";
    return error;
  }

  TileUse& use(Tile tile) {
    TileUse& there = uses_[tile];
    there.bds.resize(limitsOf(kindOfRow(tile.row)).bds);
    return there;
  }

  // -- Numbers ----------------------------------------------------------------------------------

  void takeWritten(Chain& chain) {
    TileUse& there = use(chain.tile);
    for (Block* block : chain.blocks) {
      const aie::DmaBdOp bd = readBlock(*block).bd;
      if (!bd.bdId() || numbers_.contains(bd.op())) continue;
      const auto number = unsigned(*bd.bdId());
      const Range bank = bdsOfChannel(kindOfRow(chain.tile.row), chain.channel);
      const bool fits = !there.bds[number] && bank.contains(number);
      if (chain.isOpen && !fits) continue;
      there.bds[number] = bd.op();
      numbers_[bd.op()] = number;
    }
  }

  LogicalResult takeFree(Chain& chain) {
    for (Block* block : chain.blocks) {
      const aie::DmaBdOp bd = readBlock(*block).bd;
      if (!numbers_.contains(bd.op()) && failed(takeFree(chain, bd))) return failure();
    }
    return success();
  }

  LogicalResult takeFree(const Chain& chain, aie::DmaBdOp bd) {
    TileUse& there = use(chain.tile);
    const TileKind kind = kindOfRow(chain.tile.row);
    const Range bank = bdsOfChannel(kind, chain.channel);
    for (unsigned number = bank.begin; number < bank.end; ++number) {
      if (there.bds[number]) continue;
      there.bds[number] = bd.op();
      numbers_[bd.op()] = number;
      return success();
    }
    return bd->emitOpError() << "is one of " << needed(chain.tile, bank) << " descriptors for "
                             << name(chain.direction) << " " << chain.channel << " of "
                             << name(chain.tile) << " and the channels that share its bank, a "
                             << name(kind) << " tile has " << bank.end - bank.begin
                             << " there (BDs " << bank.begin << " to " << bank.end - 1 << ")";
  }

  /// Descriptors that this bank of the tile would have to hold.
  size_t needed(Tile tile, Range bank) const {
    std::vector<const Block*> blocks;
    for (const Chain& chain : chains_) {
      const Range other = bdsOfChannel(kindOfRow(tile.row), chain.channel);
      if (chain.tile != tile || other.begin != bank.begin) continue;
      for (const Block* block : chain.blocks)
        if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
    }
    return blocks.size();
  }

  // -- Descriptors ------------------------------------------------------------------------------

  LogicalResult makeChain(const Chain& chain) {
    for (Block* block : chain.blocks)
      if (failed(makeBd(chain, *block))) return failure();
    const unsigned first = numbers_.at(readBlock(*chain.blocks.front()).bd.op());
    layout_.at(chain.tile)
        .starts.push_back({chain.direction, uint8_t(chain.channel), uint8_t(first),
                           uint8_t(chain.start.repeatCount()), false, chain.start->location(),
                           chain.start.isOutOfOrder()});
    return success();
  }

  /// Out of order, what senders ask for is the number as written, and nothing is chained.
  LogicalResult checkNumber(const Chain& chain, aie::DmaBdOp bd) const {
    const auto wanted = bd.bdId();
    if (!chain.start.isOutOfOrder() || (wanted && *wanted == numbers_.at(bd.op())))
      return success();
    return bd->emitOpError() << "becomes BD " << numbers_.at(bd.op())
                             << ": another descriptor has its bd_id, which packets ask for";
  }

  LogicalResult makeBd(const Chain& chain, Block& block) {
    const BdBlockOps ops = readBlock(block);
    const unsigned number = numbers_.at(ops.bd.op());
    if (failed(checkNumber(chain, ops.bd))) return failure();
    Block* after = chain.start.isOutOfOrder() ? nullptr : nextOf(block);
    const aie::DmaBdOp follower = after ? readBlock(*after).bd : aie::DmaBdOp();
    const auto next = follower ? std::optional(numbers_.at(follower.op())) : std::nullopt;
    const auto bd = makeDescriptor(layout_, chain.tile, ops, next);
    if (!bd) return failure();
    if (auto wrong = misuse(*bd, number, chain.direction, chain.channel))
      return ops.bd->emitOpError() << wrong->message;
    auto& bds = layout_.at(chain.tile).bds;
    const bool isShared = std::ranges::count(bds, number, &BdConfig::number) != 0;
    if (!isShared) bds.push_back({uint8_t(number), *bd, ops.bd->location()});
    return success();
  }

  void sortAll() {
    for (TileConfig& tile : layout_.config.tiles) {
      std::ranges::sort(tile.bds, {}, &BdConfig::number);
      std::ranges::stable_sort(tile.starts, {}, [](const ChannelStart& start) {
        return std::pair(start.direction, start.channel);
      });
    }
  }

  Layout& layout_;
  std::vector<Chain> chains_;
  std::map<Tile, TileUse> uses_;
  std::unordered_map<const Operation*, unsigned> numbers_;  // by aie.dma_bd
};

}  // namespace

LogicalResult makeDescriptors(Layout& layout) { return Programs(layout).run(); }

}  // namespace airlite::npu
