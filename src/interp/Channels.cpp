// Data movement: air.dma_memcpy_nd and channels. A transfer reads its source at one moment and
// writes its destination at a later one, so what happens in between can be seen.
//
// A put needs a free slot of `depth` to read its source. It is done when at most depth - 1
// transfers of its lane are still waiting, itself included: with depth 1 when it has been taken. A
// get takes the bytes that come next; when it is larger or smaller than the transfers, they are a
// stream. One that sends its source several times is one transfer.
#include "Channels.hpp"

#include "Async.hpp"
#include "RankSide.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::interp {

namespace {

// -- Access lists ---------------------------------------------------------------------------------

/// Operands: the memref at `first`, then offsets, sizes, strides.
struct AccessCode {
  uint32_t first = 0;
  uint32_t offsets = 0, sizes = 0, strides = 0;
  ElementLayout layout;
  std::vector<int64_t> before, after;  // zeros around each dimension; empty: none
  int64_t rank = -1;                   // on which rank the memref is; -1: on this one
};

std::vector<int64_t> integersOf(Operation& op, std::string_view name) {
  auto attr = op.attrOf<DenseArrayAttr>(name);
  if (!attr) return {};
  return {attr.values().begin(), attr.values().end()};
}

void append(Builder& b, Operation& op, const std::vector<air::IndexEntry>& list,
            Builder::Registers& in) {
  for (const air::IndexEntry& entry : list)
    in.push_back(entry.value ? b.use(entry.value) : b.constant(op, entry.constant));
}

/// Adds the registers of an access to `in`.
AccessCode accessCode(Builder& b, Operation& op, const air::Access& access,
                      Builder::Registers& in) {
  AccessCode code;
  code.first = static_cast<uint32_t>(in.size());
  code.offsets = static_cast<uint32_t>(access.offsets.size());
  code.sizes = static_cast<uint32_t>(access.sizes.size());
  code.strides = static_cast<uint32_t>(access.strides.size());
  code.layout = layoutOf(elementTypeOrSelf(access.memref.type()));
  in.push_back(b.use(access.memref));
  append(b, op, access.offsets, in);
  append(b, op, access.sizes, in);
  append(b, op, access.strides, in);
  return code;
}

bool isKnown(const AccessCode& code) {
  return code.layout.bytes && code.offsets <= kMaxRank && code.sizes <= kMaxRank &&
         code.strides <= kMaxRank;
}

Step badLists(Run& run, const Inst& inst, const AccessCode& code, size_t rank) {
  run.machine.error(run, *inst.op)
      << "cannot tell what " << code.offsets << " offsets, " << code.sizes << " sizes and "
      << code.strides << " strides mean for a memref of rank " << rank;
  return Step::Fail;
}

/// The last element that a view reaches, counted from its offset.
int64_t lastElement(const View& view) {
  int64_t last = 0;
  for (size_t i = 0; i < view.sizes.size(); ++i) {
    if (view.sizes[i] == 0) return -1;
    last += (view.sizes[i] - 1) * std::max<int64_t>(view.strides[i], 0);
  }
  return last;
}

Step checkInside(Run& run, const Inst& inst, const View& view, const Window& window) {
  int64_t low = window.start, high = window.start, last = lastElement(view);
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    if (window.sizes[i] <= 0) return Step::Next;
    int64_t reach = (window.sizes[i] - 1) * window.strides[i];
    (reach < 0 ? low : high) += reach;
  }
  if (low >= 0 && high <= last) return Step::Next;
  run.machine.error(run, *inst.op)
      << "'" << inst.op->name() << "' reaches elements " << low << " to " << high
      << " of a memref whose last element is " << last;
  return Step::Fail;
}

/// The elements that the lists name, as docs/facts/decisions.md reads them.
Step windowOf(Run& run, const Inst& inst, const AccessCode& code, const View& view,
              Window& window) {
  int64_t offsets[kMaxRank], sizes[kMaxRank], strides[kMaxRank];
  uint32_t at = code.first + 1;
  if (Step s = readNumbers(run, inst, at, code.offsets, offsets, "an offset"); s != Step::Next)
    return s;
  at += code.offsets;
  if (Step s = readNumbers(run, inst, at, code.sizes, sizes, "a size"); s != Step::Next) return s;
  at += code.sizes;
  if (Step s = readNumbers(run, inst, at, code.strides, strides, "a stride"); s != Step::Next)
    return s;
  size_t rank = view.sizes.size();
  if (code.sizes == 0 && code.strides == 0 && code.offsets == 0) {
    window = {view.sizes, view.strides, 0};
    return checkInside(run, inst, view, window);
  }
  bool ownStrides = code.strides == 0 && code.sizes == rank;
  if ((code.strides != code.sizes && !ownStrides) || code.sizes == 0)
    return badLists(run, inst, code, rank);
  window.sizes.assign(sizes, sizes + code.sizes);
  window.strides =
      ownStrides ? view.strides : std::vector<int64_t>(strides, strides + code.strides);
  bool byList = code.offsets == window.strides.size();
  if (!byList && code.offsets != rank && code.offsets != 0) return badLists(run, inst, code, rank);
  for (uint32_t i = 0; i < code.offsets; ++i)
    window.start += offsets[i] * (byList ? window.strides[i] : view.strides[i]);
  return checkInside(run, inst, view, window);
}

/// Zeros around a piece of shape `sizes`.
Piece padded(const Piece& piece, const std::vector<int64_t>& sizes, const AccessCode& code) {
  std::vector<int64_t> full = sizes;
  for (size_t i = 0; i < full.size(); ++i)
    full[i] += code.before[i] + code.after[i];
  std::vector<int64_t> strides = rowMajorStrides(full);
  int64_t start = 0;
  for (size_t i = 0; i < full.size(); ++i)
    start += code.before[i] * strides[i];
  size_t bytes = code.layout.stride(), next = 0;
  Piece result;
  result.data.resize(static_cast<size_t>(product(full)) * bytes);
  result.known.assign(result.data.size(), 1);
  forEachOffset(sizes, strides, start, [&](int64_t at) {
    size_t to = static_cast<size_t>(at) * bytes;
    std::copy_n(piece.data.begin() + static_cast<ptrdiff_t>(next), bytes,
                result.data.begin() + static_cast<ptrdiff_t>(to));
    std::copy_n(piece.known.begin() + static_cast<ptrdiff_t>(next), bytes,
                result.known.begin() + static_cast<ptrdiff_t>(to));
    next += bytes;
    return true;
  });
  return result;
}

/// The memref of an access, on the rank that it names.
Step viewOf(Run& run, const Inst& inst, const AccessCode& code, View& view) {
  const Slot& slot = run.in(inst, code.first);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  view = slot.as<View>();
  return code.rank < 0 ? Step::Next : moveToRank(run, inst, view, code.rank);
}

Step readAccess(Run& run, const Inst& inst, const AccessCode& code, Piece& piece) {
  View view;
  Window window;
  if (Step s = viewOf(run, inst, code, view); s != Step::Next) return s;
  if (Step s = checkAlive(run, inst, view, false); s != Step::Next) return s;
  if (Step s = windowOf(run, inst, code, view, window); s != Step::Next) return s;
  piece = {};
  if (Step s = readPiece(run, inst, view, window, code.layout.stride(), piece); s != Step::Next)
    return s;
  if (code.before.empty()) return Step::Next;
  if (code.before.size() != window.sizes.size() || code.after.size() != window.sizes.size()) {
    run.machine.error(run, *inst.op) << "padding of " << code.before.size() << " dimensions for "
                                     << window.sizes.size() << " sizes";
    return Step::Fail;
  }
  int64_t route = piece.route;
  piece = padded(piece, window.sizes, code);
  piece.route = route;
  return Step::Next;
}

Step writeWindow(Run& run, const Inst& inst, const AccessCode& code, Window& window, View& view) {
  if (Step s = viewOf(run, inst, code, view); s != Step::Next) return s;
  if (Step s = checkAlive(run, inst, view, true); s != Step::Next) return s;
  return windowOf(run, inst, code, view, window);
}

Piece& pieceOf(Run& run) {
  if (!run.process.packet) run.process.packet = std::make_shared<Piece>();
  return *static_cast<Piece*>(run.process.packet.get());
}

// -- DMA ------------------------------------------------------------------------------------------

Step doDmaRead(Run& run, const Inst& inst) {
  return readAccess(run, inst, *static_cast<const AccessCode*>(inst.data), pieceOf(run));
}

Step doDmaWrite(Run& run, const Inst& inst) {
  const auto& code = *static_cast<const AccessCode*>(inst.data);
  Window window;
  View view;
  if (Step s = writeWindow(run, inst, code, window, view); s != Step::Next) return s;
  Piece piece = std::move(pieceOf(run));
  pieceOf(run) = {};
  size_t room = static_cast<size_t>(product(window.sizes)) * code.layout.stride();
  if (room != piece.data.size()) {
    run.machine.error(run, *inst.op)
        << "the source has " << piece.data.size() / code.layout.stride()
        << " elements, the destination " << product(window.sizes);
    return Step::Fail;
  }
  return writePiece(run, inst, view, window, code.layout.stride(), piece);
}

bool isAsyncTransfer(Operation& op) { return static_cast<bool>(air::AsyncOp(&op).token()); }

int64_t rankOf(Operation& op, std::string_view name) {
  auto rank = op.attrOf<IntegerAttr>(name);
  return rank ? rank.value() : -1;
}

bool compileDma(Builder& b, Operation& op) {
  air::DmaMemcpyNdOp dma(&op);
  bool known = true;
  emitAsync(b, op, b.useAll(dma.dependencies()), isAsyncTransfer(op), [&](Builder& inner) {
    Builder::Registers from, to;
    AccessCode source = accessCode(inner, op, dma.src(), from);
    AccessCode target = accessCode(inner, op, dma.dst(), to);
    known = isKnown(source) && isKnown(target);
    source.rank = rankOf(op, "src_rank");
    target.rank = rankOf(op, "dst_rank");
    source.before = dma.padBefore();
    source.after = dma.padAfter();
    if (source.before.empty()) source.before.assign(source.after.size(), 0);
    if (source.after.empty()) source.after.assign(source.before.size(), 0);
    if (!known) return inner.unsupported(op);
    inner.emit(doDmaRead, op, from).data = inner.arena().make<AccessCode>(source);
    inner.emit(doDmaWrite, op, to).data = inner.arena().make<AccessCode>(target);
  });
  return true;
}

// -- Channels -------------------------------------------------------------------------------------

struct ChannelCode {
  AccessCode access;
  air::ChannelOp channel;
  uint32_t numIndices = 0;   // operands 0 ...
  bool isPerLaunch = false;  // each instance of the launch has the channel for itself
  int32_t dest = -1;         // the operand that says where a packet goes
  std::vector<int64_t> ids;  // of packets: the word in front of the data for each destination
};

std::shared_ptr<ChannelState> makeChannel(air::ChannelOp channel) {
  auto state = std::make_shared<ChannelState>();
  state->channel = channel;
  state->sizes = channel.sizes();
  state->shape = channel.broadcastShape().value_or(state->sizes);
  // Broadcasting aligns the last dimensions; missing ones are of size 1.
  while (state->sizes.size() < state->shape.size())
    state->sizes.insert(state->sizes.begin(), 1);
  while (state->shape.size() < state->sizes.size())
    state->shape.insert(state->shape.begin(), 1);
  int64_t copies = 1;
  for (size_t i = 0; i < state->sizes.size(); ++i)
    if (state->sizes[i] == 1) copies *= state->shape[i];
  std::vector<int64_t> index(state->sizes.size(), 0);
  for (int64_t lane = 0, count = product(state->sizes); lane < count; ++lane) {
    ChannelLane& made = state->lanes.emplace_back();
    made.channel = channel;
    made.index = index;
    made.depth = static_cast<uint64_t>(std::max<int64_t>(channel.depth(), 1));
    made.destinations.resize(static_cast<size_t>(copies));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < state->sizes[d]) break;
      index[d] = 0;
    }
  }
  return state;
}

ChannelState& stateOf(Run& run, const ChannelCode& code) {
  return channelOf(run.machine, code.channel, code.isPerLaunch ? run.process.launch : 0);
}

/// Cores of a broadcast name themselves by their ids: where it has one place, any id is that place.
bool takesAnyIndex(const ChannelState& state, size_t dim, bool isGet) {
  return isGet && state.shape[dim] == 1 && state.channel.broadcastShape();
}

/// Lane and destination that the indices name; the shape is that of the side they stand on.
Step findLane(Run& run, const Inst& inst, const ChannelCode& code, bool isGet, ChannelLane*& lane,
              size_t& destination) {
  int64_t index[kMaxRank];
  ChannelState& state = stateOf(run, code);
  if (Step s = readNumbers(run, inst, 0, code.numIndices, index, "a channel index");
      s != Step::Next)
    return s;
  const std::vector<int64_t>& shape = isGet ? state.shape : state.sizes;
  size_t rank = shape.size(), missing = rank - std::min<size_t>(rank, code.numIndices);
  bool fine = code.numIndices <= rank || product(shape) == 1;
  size_t at = 0;
  destination = 0;
  for (size_t d = 0; fine && d < rank; ++d) {
    int64_t i = d < missing || takesAnyIndex(state, d, isGet) ? 0 : index[d - missing];
    fine = i >= 0 && i < shape[d];
    at =
        at * static_cast<size_t>(state.sizes[d]) + static_cast<size_t>(state.sizes[d] == 1 ? 0 : i);
    if (isGet && state.sizes[d] == 1)
      destination = destination * static_cast<size_t>(shape[d]) + static_cast<size_t>(i);
  }
  if (!fine) {
    run.machine.error(run, *inst.op)
        << "index " << indexText({index, code.numIndices}) << " is outside of channel '@"
        << code.channel.symbol() << "' of shape " << indexText(shape);
    return Step::Fail;
  }
  lane = &state.lanes[at];
  return Step::Next;
}

void wakeAll(Run& run, ChannelLane& lane) {
  std::vector<Process*> waiters = std::move(lane.waiters);
  lane.waiters.clear();
  for (Process* waiter : waiters)
    run.machine.wake(*waiter);
}

Step waitAt(Run& run, const Inst& inst, ChannelLane& lane, Wait why) {
  lane.waiters.push_back(&run.process);
  run.process.waitLane = &lane;
  run.machine.block(run.process, why, inst.op);
  return Step::Block;
}

/// By the word in front of the data; packets of a channel without ids go to all.
Step destinationByHeader(Run& run, const Inst& inst, const ChannelCode& code, Transfer& transfer) {
  if (code.ids.empty()) return Step::Next;
  const Piece& piece = transfer.piece;
  constexpr size_t kWord = 4;
  uint32_t word = 0;
  bool isThere = piece.data.size() >= kWord;
  for (size_t i = 0; isThere && i < kWord; ++i) {
    isThere = piece.known[i] != 0;
    word |= std::to_integer<uint32_t>(piece.data[i]) << (8 * i);
  }
  auto found = std::find(code.ids.begin(), code.ids.end(), static_cast<int64_t>(word));
  if (!isThere || found == code.ids.end()) {
    run.machine.error(run, *inst.op)
        << "a packet for one of several destinations of '@" << code.channel.symbol()
        << "' says nowhere for which: it has no `dest`, and does not begin with one of "
        << indexText(code.ids);
    return Step::Fail;
  }
  transfer.only = found - code.ids.begin();
  return Step::Next;
}

/// Which destination a packet is for: by its put, by the packet that its data came with, or by a
/// word in front of it.
Step findDestination(Run& run, const Inst& inst, const ChannelCode& code, const ChannelLane& lane,
                     Transfer& transfer) {
  int64_t& route = transfer.piece.route;
  if (code.dest >= 0)
    if (Step s = readNumbers(run, inst, static_cast<uint32_t>(code.dest), 1, &route, "`dest`");
        s != Step::Next)
      return s;
  auto count = static_cast<int64_t>(lane.destinations.size());
  bool isPacket = code.channel.canonicalType() == "npu_dma_packet" || code.dest >= 0;
  if (!isPacket || count == 1) return Step::Next;
  if (route < 0) return destinationByHeader(run, inst, code, transfer);
  if (route >= count) {
    run.machine.error(run, *inst.op) << "there is no destination " << route << " among the "
                                     << count << " of '@" << code.channel.symbol() << "'";
    return Step::Fail;
  }
  transfer.only = route;
  return Step::Next;
}

Step doPut(Run& run, const Inst& inst) {
  const auto& code = *static_cast<const ChannelCode*>(inst.data);
  ChannelLane* lane = nullptr;
  size_t unused = 0;
  if (Step s = findLane(run, inst, code, false, lane, unused); s != Step::Next) return s;
  LaneHold hold(run, *lane);
  if (lane->queue.size() >= lane->depth) return waitAt(run, inst, *lane, Wait::ChannelSpace);
  Transfer transfer;
  if (Step s = readAccess(run, inst, code.access, transfer.piece); s != Step::Next) return s;
  if (Step s = findDestination(run, inst, code, *lane, transfer); s != Step::Next) return s;
  transfer.readers = transfer.only < 0 ? static_cast<uint32_t>(lane->destinations.size()) : 1;
  transfer.times = static_cast<uint64_t>(air::sendsOf(*inst.op));
  lane->queue.push_back(std::move(transfer));
  run.process.progress = lane->sent();
  run.process.waitLane = lane;
  wakeAll(run, *lane);
  try {
    hold.store();
  } catch (const BoardFull& error) {
    run.machine.error(run, *inst.op)
        << "'" << inst.op->name() << "' cannot hand over its data: " << error.what();
    return Step::Fail;
  }
  return Step::Next;
}

/// The put with this number is done when few enough are waiting.
Step doPutEnd(Run& run, const Inst& inst) {
  ChannelLane& lane = *run.process.waitLane;
  LaneHold hold(run, lane);
  if (lane.taken + (lane.depth - 1) >= run.process.progress) return Step::Next;
  return waitAt(run, inst, lane, Wait::ChannelTaken);
}

/// A destination has taken a whole transfer.
void advance(Cursor& cursor, ChannelLane& lane) {
  Transfer& transfer = lane.queue[cursor.transfer - lane.taken];
  --transfer.readers;
  ++cursor.transfer;
  cursor.byte = 0;
  while (!lane.queue.empty() && lane.queue.front().readers == 0) {
    lane.queue.pop_front();
    ++lane.taken;
  }
}

/// Takes what is there, up to `room` bytes in all.
void take(ChannelLane& lane, size_t destination, size_t room, Piece& piece) {
  Cursor& cursor = lane.destinations[destination];
  while (cursor.transfer < lane.sent()) {
    // What others have taken away was for them.
    cursor.transfer = std::max(cursor.transfer, lane.taken);
    if (cursor.transfer == lane.sent()) return;
    const Transfer& transfer = lane.queue[cursor.transfer - lane.taken];
    if (transfer.only >= 0 && transfer.only != static_cast<int64_t>(destination)) {
      ++cursor.transfer;
      continue;
    }
    const Piece& from = transfer.piece;
    if (piece.data.empty()) piece.route = from.route;
    if (piece.data.size() >= room && !from.data.empty()) return;
    size_t at = from.data.empty() ? 0 : cursor.byte % from.data.size();
    size_t count = std::min(room - piece.data.size(), from.data.size() - at);
    auto begin = static_cast<ptrdiff_t>(at), end = static_cast<ptrdiff_t>(at + count);
    piece.data.insert(piece.data.end(), from.data.begin() + begin, from.data.begin() + end);
    piece.known.insert(piece.known.end(), from.known.begin() + begin, from.known.begin() + end);
    cursor.byte += count;
    uint64_t times = lane.queue[cursor.transfer - lane.taken].times;
    if (cursor.byte == from.data.size() * times) advance(cursor, lane);
  }
}

Step doGet(Run& run, const Inst& inst) {
  const auto& code = *static_cast<const ChannelCode*>(inst.data);
  ChannelLane* lane = nullptr;
  size_t destination = 0;
  Window window;
  View view;
  if (Step s = findLane(run, inst, code, true, lane, destination); s != Step::Next) return s;
  if (Step s = writeWindow(run, inst, code.access, window, view); s != Step::Next) return s;
  Piece& piece = pieceOf(run);
  size_t room = static_cast<size_t>(product(window.sizes)) * code.access.layout.stride();
  LaneHold hold(run, *lane);
  uint64_t taken = lane->taken;
  Cursor before = lane->destinations[destination];
  take(*lane, destination, room, piece);
  if (lane->destinations[destination] != before) hold.store();
  if (lane->taken != taken) wakeAll(run, *lane);
  return piece.data.size() < room ? waitAt(run, inst, *lane, Wait::ChannelData) : Step::Next;
}

Step doGetEnd(Run& run, const Inst& inst) {
  const auto& code = *static_cast<const ChannelCode*>(inst.data);
  Window window;
  View view;
  if (Step s = writeWindow(run, inst, code.access, window, view); s != Step::Next) return s;
  Piece piece = std::move(pieceOf(run));
  pieceOf(run) = {};
  return writePiece(run, inst, view, window, code.access.layout.stride(), piece);
}

/// All uses of the channel are in one launch op: instances of a launch depend on nothing of each
/// other, so each has its own.
bool isPerLaunch(air::ChannelOp channel, Operation& use) {
  auto launch = use.parentOf<air::LaunchOp>();
  Operation* table = nearestSymbolTable(channel.op()->parentOp());
  if (!launch || !table) return false;
  bool inside = true;
  table->walk([&](Operation& op) {
    if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return;
    if (air::ChannelAccessOp(&op).channelName() == channel.symbol())
      inside = inside && launch.op()->isAncestor(&op);
  });
  return inside;
}

/// One for each of several destinations; empty otherwise.
std::vector<int64_t> idsOf(air::ChannelOp channel) {
  std::vector<int64_t> ids;
  if (auto list = channel->attrOf<ArrayAttr>("packet_ids"))
    for (Attribute id : list.value())
      ids.push_back(id.cast<IntegerAttr>().value());
  return ids.size() > 1 && ids.size() == makeChannel(channel)->lanes[0].destinations.size()
             ? ids
             : std::vector<int64_t>();
}

/// A put or get of a channel that is declared nowhere.
Step doUndeclared(Run& run, const Inst& inst) {
  run.machine.error(run, *inst.op)
      << "channel '@" << air::ChannelAccessOp(inst.op).channelName() << "' is not declared";
  return Step::Fail;
}

bool compileAccess(Builder& b, Operation& op) {
  air::ChannelAccessOp access(&op);
  air::ChannelOp channel = access.channel();
  if (!channel) {
    b.emit(doUndeclared, op, {}, b.defineResults(op));
    return true;
  }
  if (access.indices().size() > kMaxRank) return false;
  bool isPut = access.isPut();
  std::vector<int64_t> before = integersOf(op, "pad_before"), after = integersOf(op, "pad_after");
  bool isPadded = !before.empty() || !after.empty();
  if (!isPut && isPadded) return false;  // AIR gives it no meaning
  bool perLaunch = isPerLaunch(channel, op);
  emitAsync(
      b, op, b.useAll(access.dependencies()), isAsyncTransfer(op),
      [&](Builder& inner) {
        Builder::Registers in = inner.useAll(access.indices());
        ChannelCode code;
        code.channel = channel;
        code.numIndices = static_cast<uint32_t>(in.size());
        code.isPerLaunch = perLaunch;
        code.ids = idsOf(channel);
        code.access = accessCode(inner, op, access.access(), in);
        if (isPut && !op.operandGroup("dest").empty()) {
          code.dest = static_cast<int32_t>(in.size());
          in.push_back(inner.use(op.operandGroup("dest")[0]));
        }
        code.access.before = before.empty() ? std::vector<int64_t>(after.size(), 0) : before;
        code.access.after = after.empty() ? std::vector<int64_t>(before.size(), 0) : after;
        if (!isKnown(code.access)) return inner.unsupported(op);
        const void* data = inner.arena().make<ChannelCode>(code);
        inner.emit(isPut ? doPut : doGet, op, in).data = data;
        inner.emit(isPut ? doPutEnd : doGetEnd, op, in).data = data;
      },
      air::hasFixedPlace(access) ? OwnRuns::InOrder : OwnRuns::Overlap);
  return true;
}

}  // namespace

ChannelState& channelOf(Machine& machine, air::ChannelOp channel, uint32_t launch) {
  std::shared_ptr<ChannelState>& state = machine.channels[{channel.op(), launch}];
  if (state) return *state;
  state = makeChannel(channel);
  if (launch == 0 && machine.side()) machine.side()->store().share(*state);
  return *state;
}

std::string laneText(const ChannelLane& lane) {
  return "'@" + std::string(lane.channel.symbol()) +
         (lane.index.empty() ? "" : indexText(lane.index)) + "'";
}

void addChannels(CompileTable& table) {
  table["air.dma_memcpy_nd"] = compileDma;
  table["air.channel.put"] = compileAccess;
  table["air.channel.get"] = compileAccess;
}

}  // namespace airlite::interp
