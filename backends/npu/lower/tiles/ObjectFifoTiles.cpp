// The buffers, locks, DMA programs and flows of object FIFOs.
#include "Design.hpp"
#include "Dma.hpp"
#include "ObjectFifos.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <array>

namespace airlite::npu::fifo {

namespace {

/// A FIFO's end that a DMA serves.
struct Served {
  const Fifo* fifo;
  const End* end;
};

class FifoWriter {
 public:
  explicit FifoWriter(Plan& plan)
      : plan_(plan), builder_(plan.device->context()), names_(*plan.device) {}

  void run() {
    for (Pool& pool : plan_.pools)
      createObjects(pool);
    for (const Fifo& fifo : plan_.fifos)
      if (!fifo.isShared) createFlows(fifo);
    for (const std::vector<Served>& tile : servedTiles())
      createProgram(tile);
  }

 private:
  /// Before the op that ends the device.
  void toEnd() { builder_.setBefore(plan_.device.body().back()); }

  // -- Objects --------------------------------------------------------------------------------------

  /// After the op that makes the tile, where cores and programs can use them.
  void createObjects(Pool& pool) {
    builder_.setAfter(*pool.tile);
    const Location location = pool.location;
    for (int64_t i = 0; i < pool.depth; ++i) {
      Operation* buffer = builder_.create(location, "aie.buffer", {pool.tile.result()}, {pool.type},
                                          {named(pool.name + "_buff_" + std::to_string(i))});
      if (pool.contents) buffer->setAttr("initial_value", pool.contents[static_cast<size_t>(i)]);
      names_.add(*buffer);
      pool.buffers.push_back(buffer->result());
    }
    for (size_t i = 0; i < pool.parts.size(); ++i) {
      const std::string number = std::to_string(i);
      const int64_t all = pool.depth * pool.parts[i].repeats;
      pool.parts[i].empty = lock(pool, "_prod_lock_" + number, pool.contents ? 0 : all);
      pool.parts[i].full = lock(pool, "_cons_lock_" + number, pool.contents ? all : 0);
    }
  }

  Value lock(const Pool& pool, std::string_view suffix, int64_t init) {
    Operation* made = builder_.create(
        pool.location, "aie.lock", {pool.tile.result()}, {builder_.indexType()},
        {builder_.named("init", builder_.i32Attr(init)), named(pool.name + std::string(suffix))});
    names_.add(*made);
    return made->result();
  }

  NamedAttribute named(const std::string& name) {
    const std::string free = names_.unusedName(name);
    return builder_.named("sym_name", builder_.stringAttr(free));
  }

  // -- Flows ----------------------------------------------------------------------------------------

  void createFlows(const Fifo& fifo) {
    const End& from = fifo.ends.front();
    for (size_t i = 1; i < fifo.ends.size(); ++i)
      createFlow(fifo, from, fifo.ends[i]);
    for (const End& end : fifo.ends)
      if (!end.pool) createName(fifo, end);
  }

  void createFlow(const Fifo& fifo, const End& from, const End& to) {
    toEnd();
    const OpDef& def = *OperationState(builder_.context(), {}, "aie.flow").def;
    const auto bundle = [&](std::string_view end) {
      return builder_.named(
          end, keyword(builder_.context(), def, end, aie::bundleName(aie::Bundle::DMA)));
    };
    builder_.create(
        fifo.op->location(), "aie.flow", {from.tile.result(), to.tile.result()}, {},
        {bundle("source_bundle"), builder_.named("source_channel", builder_.i32Attr(from.channel)),
         bundle("dest_bundle"), builder_.named("dest_channel", builder_.i32Attr(to.channel))});
  }

  /// The host finds the shim channel by the name of the FIFO.
  void createName(const Fifo& fifo, const End& end) {
    toEnd();
    Context& context = builder_.context();
    OperationState state(context, fifo.op->location(), "aie.shim_dma_allocation");
    const auto direction = end.fills ? aie::Direction::S2MM : aie::Direction::MM2S;
    state.operands.push_back(end.tile.result());
    state.addAttribute(context, "sym_name", builder_.stringAttr(fifo.op.name()));
    state.addAttribute(context, "channel_dir",
                       keyword(context, *state.def, "channel_dir", aie::directionName(direction)));
    state.addAttribute(context, "channel_index", builder_.i64Attr(end.channel));
    builder_.create(state);
  }

  // -- DMA programs ---------------------------------------------------------------------------------

  /// The ends that DMAs of tiles serve, tile by tile; those of the host are its own.
  std::vector<std::vector<Served>> servedTiles() const {
    std::vector<std::vector<Served>> tiles;
    for (const Fifo& fifo : plan_.fifos)
      for (const End& end : fifo.ends) {
        if (fifo.isShared || !end.pool) continue;
        const auto same = std::ranges::find_if(tiles, [&](const std::vector<Served>& served) {
          return isSameTile(served.front().end->tile, end.tile);
        });
        if (same == tiles.end())
          tiles.push_back({{&fifo, &end}});
        else
          same->push_back({&fifo, &end});
      }
    return tiles;
  }

  void createProgram(const std::vector<Served>& served) {
    toEnd();
    const aie::TileOp tile = served.front().end->tile;
    Context& context = builder_.context();
    const bool isCore = tile.kind() == aie::TileKind::Core;
    OperationState state(context, tile->location(), isCore ? "aie.mem" : "aie.memtile_dma");
    state.operands.push_back(tile.result());
    state.resultTypes.push_back(builder_.indexType());
    state.addRegion();
    Region& region = builder_.create(state)->region();
    std::vector<Block*> starts;
    for (size_t i = 0; i <= served.size(); ++i)
      starts.push_back(&region.addBlock());
    for (size_t i = 0; i < served.size(); ++i)
      createChannel(served[i], *starts[i], *starts[i + 1]);
    Builder::atEnd(*starts.back()).create(tile->location(), "aie.end", {}, {});
  }

  /// How often an end moves an object before it moves the next one.
  static int64_t turnsOf(const End& end, const Pool& pool) {
    return end.fills ? 1 : pool.parts[end.part.value_or(0)].repeats;
  }

  /// A ring of descriptors: each part of each object in turn.
  void createChannel(const Served& served, Block& start, Block& next) {
    const End& end = *served.end;
    const Pool& pool = plan_.pools[*end.pool];
    Region& region = *start.parent();
    std::vector<Block*> blocks;
    std::vector<std::pair<Value, const Part*>> moves;
    const auto add = [&](Value buffer, const Part& part) {
      moves.push_back({buffer, &part});
      blocks.push_back(Block::create(region.context()));
      region.insert(blocks.back(), &next);
    };
    for (Value buffer : pool.buffers)
      for (int64_t turn = 0; turn < turnsOf(end, pool); ++turn)
        for (size_t i = 0; i < pool.parts.size(); ++i)
          if (!end.part || *end.part == i) add(buffer, pool.parts[i]);
    createStart(served, start, *blocks.front(), next);
    for (size_t i = 0; i < moves.size(); ++i)
      createDescriptor(served, *blocks[i], moves[i].first, *moves[i].second,
                       *blocks[(i + 1) % blocks.size()]);
  }

  static void createStart(const Served& served, Block& block, Block& first, Block& next) {
    Builder builder = Builder::atEnd(block);
    Context& context = block.context();
    OperationState state(context, served.fifo->op->location(), "aie.dma_start");
    const auto direction = served.end->fills ? aie::Direction::S2MM : aie::Direction::MM2S;
    state.resultTypes.push_back(builder.intType(1));
    state.addAttribute(context, "channel_dir",
                       keyword(context, *state.def, "channel_dir", aie::directionName(direction)));
    state.addAttribute(context, "channel_index", builder.i32Attr(served.end->channel));
    state.successors = {&first, &next};
    builder.create(state);
  }

  static void createDescriptor(const Served& served, Block& block, Value buffer, const Part& part,
                               Block& next) {
    const Location location = served.fifo->op->location();
    Context& context = block.context();
    const bool fills = served.end->fills;
    const int64_t count = fills ? part.repeats : 1;
    acquire(Builder::atEnd(block), location, fills ? part.empty : part.full, count);
    Builder builder = Builder::atEnd(block);
    OperationState state(context, location, "aie.dma_bd");
    state.operands.push_back(buffer);
    state.setOperandSegments(context, std::array<int32_t, 5>{1, 0, 0, 0, 0});
    state.addAttribute(context, "static_offset", builder.i32Attr(part.offset));
    state.addAttribute(context, "static_len", builder.i32Attr(part.length));
    addDims(state, served.end->dims);
    builder.create(state);
    release(Builder::atEnd(block), location, fills ? part.full : part.empty, count);
    builder.setToEnd(block);
    OperationState last(context, location, "aie.next_bd");
    last.successors.push_back(&next);
    builder.create(last);
  }

  /// `#aie.bd_dim_layout_array`: a size and a stride each, outermost first.
  static void addDims(OperationState& state, Attribute dims) {
    if (!dims) return;
    std::vector<int64_t> sizes, strides;
    for (Attribute dim : dims.cast<DialectAttr>().parameters()) {
      const auto pair = dim.cast<DialectAttr>().parameters();
      sizes.push_back(pair[0].cast<IntegerAttr>().value());
      strides.push_back(pair[1].cast<IntegerAttr>().value());
    }
    Context& context = dims.context();
    state.addAttribute(context, "static_sizes", DenseArrayAttr::getI64(context, sizes));
    state.addAttribute(context, "static_strides", DenseArrayAttr::getI64(context, strides));
  }

  Plan& plan_;
  Builder builder_;
  SymbolMap names_;
};

}  // namespace

void createFifoTiles(Plan& plan) {
  // The names for the host are those of the FIFOs.
  FifoWriter(plan).run();
}

}  // namespace airlite::npu::fifo
