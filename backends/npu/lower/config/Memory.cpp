// Addresses of buffers. What the design says stays; the rest is spread over the banks of a core, so
// that accesses that happen together go to different banks, and when that does not fit, packed. A buffer with
// `air.across_banks` has one half in a bank and one in the next, where there is room for that.
//
// The stack of a core is at the start of its memory, as other compilers of these cores have it:
// nothing else is put there.
#include "AccessPairs.hpp"
#include "DesignLayout.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

constexpr int64_t alignmentOf(Generation generation) {
  return generation == Generation::Aie2 ? 32 : 64;  // one vector access
}

/// What `mem_bank` counts: regions that follow each other, as mlir-aie has them. In a core each is
/// two of the banks of physicalBank; in a memory tile all banks are interleaved, and a region is
/// only a region.
unsigned regionsOf(TileKind kind) { return kind == TileKind::Core ? 4 : 8; }

struct Span {
  int64_t begin, end;
  bool meets(Span other) const { return begin < other.end && other.begin < end; }
  int64_t size() const { return end - begin; }
};

/// What a place costs: accesses of loops that meet there, then those of loops and DMAs.
using Cost = std::pair<int64_t, int64_t>;

/// The memory of one tile while it fills up.
class TileMemory {
 public:
  TileMemory(TileKind kind, int64_t alignment)
      : size_(limitsOf(kind).dataMemory.value),
        regions_(regionsOf(kind)),
        spreads_(kind == TileKind::Core),
        alignment_(alignment) {}

  int64_t size() const { return size_; }
  unsigned regions() const { return regions_; }
  int64_t regionSize() const { return size_ / regions_; }
  Span region(unsigned number) const {
    return {number * regionSize(), (number + 1) * regionSize()};
  }
  Span all() const { return {0, size_}; }

  void take(Span span) {
    taken_.insert(std::ranges::upper_bound(taken_, span.begin, {}, &Span::begin), span);
  }

  /// The first free place in `within`.
  std::optional<int64_t> gap(int64_t bytes, Span within) const {
    int64_t at = within.begin;
    for (const Span& span : taken_) {
      if (span.begin >= at + bytes) break;
      if (span.end > at) at = (span.end + alignment_ - 1) / alignment_ * alignment_;
    }
    return at + bytes <= within.end ? std::optional(at) : std::nullopt;
  }

  /// In the regions with room that cost least, the emptiest of these; or anywhere. What is larger
  /// than a region begins with one, so that it shares as few as can be with others.
  std::optional<int64_t> spread(int64_t bytes, FunctionRef<Cost(Span)> cost) const {
    if (!spreads_) return gap(bytes, all());
    const int64_t least = std::max(int64_t{1}, (bytes + regionSize() - 1) / regionSize());
    std::optional<int64_t> best;
    std::pair<Cost, int64_t> lowest;
    for (unsigned number = 0; number + least <= regions_; ++number) {
      const Span within{region(number).begin, region(number + unsigned(least) - 1).end};
      const auto place = gap(bytes, within);
      const std::pair price{cost(within), used(within)};
      if (!place || (best && price >= lowest)) continue;
      best = place, lowest = price;
    }
    return best ? best : gap(bytes, all());
  }

  /// With its middle where two regions meet, in those with room that cost least.
  std::optional<int64_t> spreadAcross(int64_t bytes, FunctionRef<Cost(Span)> cost) const {
    std::optional<int64_t> best;
    Cost lowest;
    const int64_t half = bytes / 2 / alignment_ * alignment_;
    for (unsigned number = 1; spreads_ && number < regions_; ++number) {
      const int64_t begin = region(number).begin - half;
      const Span span{begin, begin + bytes};
      if (begin < 0 || gap(bytes, span) != begin) continue;
      const Cost price = cost(span);
      if (best && price >= lowest) continue;
      best = begin, lowest = price;
    }
    return best ? best : spread(bytes, cost);
  }

 private:
  int64_t used(Span within) const {
    int64_t sum = 0;
    for (const Span& span : taken_)
      if (span.meets(within))
        sum += std::min(span.end, within.end) - std::max(span.begin, within.begin);
    return sum;
  }

  int64_t size_;
  unsigned regions_;
  bool spreads_;
  int64_t alignment_;
  std::vector<Span> taken_;  // by begin
};

/// The words of an initial value, the last filled up with zeros.
std::vector<uint32_t> wordsOf(aie::BufferOp buffer) {
  auto value = buffer->attrOf<DenseElementsAttr>("initial_value");
  if (!value) return {};
  const size_t bytes = size_t(sizeOf(buffer)), count = size_t(value.numElements());
  const size_t size = count ? bytes / count : 0, stored = value.isSplat() ? 1 : count;
  const size_t width = stored ? value.raw().size() / stored : 0;  // an index has 8 bytes there
  std::vector<uint32_t> words((bytes + 3) / 4);
  for (size_t i = 0; i < count; ++i)
    for (size_t b = 0; b < size; ++b) {
      const size_t from = (value.isSplat() ? 0 : i) * width + b;
      words[(i * size + b) / 4] |= uint32_t(value.raw()[from]) << (i * size + b) % 4 * 8;
    }
  return words;
}

/// The last word of small elements is the buffer's alone: a DMA fills all of it.
int64_t roomOf(aie::BufferOp buffer) { return aie::toWholeWords(sizeOf(buffer), 1); }

/// The buffers of one tile.
class TileBuffers {
 public:
  TileBuffers(Layout& layout, const AccessPairs& pairs, Tile tile,
              std::vector<aie::BufferOp> buffers, int64_t stack)
      : layout_(layout),
        pairs_(pairs),
        tile_(tile),
        buffers_(std::move(buffers)),
        stack_(stack),
        empty_(kindOfRow(tile.row), alignmentOf(layout.device.generation)) {
    if (stack_ > 0) empty_.take({0, stack_});
  }

  LogicalResult place() {
    for (aie::BufferOp buffer : buffers_)
      if (failed(placeFixed(buffer))) return failure();
    std::vector<aie::BufferOp> open = stillOpen();
    if (!placeRest(open, true) && !placeRest(open, false)) return tooMuch();
    for (aie::BufferOp buffer : buffers_)
      add(buffer);
    return success();
  }

 private:
  LogicalResult placeFixed(aie::BufferOp buffer) {
    const auto address = buffer.address();
    if (!address) return success();
    const Span span{*address, *address + sizeOf(buffer)};
    if (span.begin < stack_)
      return buffer->emitOpError()
             << "at address " << span.begin << " lies in the stack, the first " << stack_
             << " bytes of the core's memory";
    for (aie::BufferOp other : buffers_) {
      if (other == buffer) break;
      auto there = places_.find(other.op());
      if (there == places_.end()) continue;
      if (!span.meets({there->second, there->second + sizeOf(other)})) continue;
      InFlightDiagnostic error = buffer->emitOpError();
      error << "at address " << span.begin << " overlaps another buffer";
      error.note(other->location())
          << "which has " << sizeOf(other) << " bytes at address " << there->second;
      return error;
    }
    places_[buffer.op()] = span.begin;
    empty_.take(span);
    return success();
  }

  /// Those that want a bank or two first, then the larger ones.
  std::vector<aie::BufferOp> stillOpen() const {
    std::vector<aie::BufferOp> open;
    for (aie::BufferOp buffer : buffers_)
      if (!buffer.address()) open.push_back(buffer);
    std::ranges::stable_sort(open, [](aie::BufferOp a, aie::BufferOp b) {
      for (std::string_view wish : {std::string_view("mem_bank"), aie::kAcrossBanks})
        if (a->hasAttr(wish) != b->hasAttr(wish)) return a->hasAttr(wish);
      return sizeOf(a) > sizeOf(b);
    });
    return open;
  }

  /// Spread over the banks, or one after the other.
  bool placeRest(const std::vector<aie::BufferOp>& open, bool spreads) {
    TileMemory memory = empty_;
    std::unordered_map<const Operation*, int64_t> places = places_;
    failed_ = nullptr;
    for (aie::BufferOp buffer : open) {
      const auto bank = bankOf(buffer);
      const bool isBank = bank && *bank >= 0 && *bank < memory.regions();
      auto cost = [&](Span region) { return costIn(region, buffer, places); };
      std::optional<int64_t> place;
      if (isBank)
        place = memory.gap(roomOf(buffer), memory.region(unsigned(*bank)));
      else if (!bank && !spreads)
        place = memory.gap(roomOf(buffer), memory.all());
      else if (!bank)
        place = buffer->hasAttr(aie::kAcrossBanks) ? memory.spreadAcross(roomOf(buffer), cost)
                                                   : memory.spread(roomOf(buffer), cost);
      if (!place) return failed_ = buffer.op(), false;
      memory.take({*place, *place + roomOf(buffer)});
      places[buffer.op()] = *place;
    }
    places_ = std::move(places);
    return true;
  }

  /// Of accesses of the buffer that would meet others in that region.
  Cost costIn(Span region, aie::BufferOp buffer,
              const std::unordered_map<const Operation*, int64_t>& places) const {
    Cost cost;
    for (aie::BufferOp other : buffers_) {
      auto there = places.find(other.op());
      if (there == places.end()) continue;
      if (!region.meets({there->second, there->second + sizeOf(other)})) continue;
      cost.first += pairs_.together(buffer.op(), other.op());
      cost.second += pairs_.beside(buffer.op(), other.op());
    }
    return cost;
  }

  static std::optional<int64_t> bankOf(aie::BufferOp buffer) {
    auto bank = buffer->attrOf<IntegerAttr>("mem_bank");
    return bank ? std::optional(bank.value()) : std::nullopt;
  }

  LogicalResult tooMuch() const {
    aie::BufferOp buffer(failed_);
    InFlightDiagnostic error = buffer->emitOpError();
    if (const auto bank = bankOf(buffer)) {
      if (*bank < 0 || *bank >= empty_.regions())
        return error << "asks for bank " << *bank << ", a " << kind() << " tile has 0 to "
                     << empty_.regions() - 1;
      return error << "of " << sizeOf(buffer) << " bytes finds no place in bank " << *bank << " of "
                   << name(tile_) << ", which has " << empty_.regionSize();
    }
    int64_t sum = stack_;
    for (aie::BufferOp other : buffers_)
      sum += sizeOf(other);
    return error << "of " << sizeOf(buffer) << " bytes finds no place on " << name(tile_) << ": "
                 << buffers_.size() << (buffers_.size() == 1 ? " buffer" : " buffers")
                 << (stack_ ? " and a stack of " + std::to_string(stack_) + " bytes" : "")
                 << " need " << sum << " bytes, a " << kind() << " tile has " << empty_.size();
  }

  const char* kind() const { return name(kindOfRow(tile_.row)); }

  void add(aie::BufferOp buffer) {
    const Bytes offset(places_.at(buffer.op()));
    layout_.buffers[buffer.op()] = offset;
    layout_.at(tile_).buffers.push_back({nameOf(layout_, buffer), offset, Bytes(sizeOf(buffer)),
                                         wordsOf(buffer), buffer->location()});
  }

  Layout& layout_;
  const AccessPairs& pairs_;
  Tile tile_;
  std::vector<aie::BufferOp> buffers_;
  int64_t stack_;
  TileMemory empty_;  // but for the stack and what has an address
  std::unordered_map<const Operation*, int64_t> places_;
  Operation* failed_ = nullptr;
};

}  // namespace

LogicalResult placeBuffers(Layout& layout) {
  std::map<Tile, std::vector<aie::BufferOp>> buffers;
  std::map<Tile, int64_t> stacks;
  for (aie::BufferOp buffer : membersOf<aie::BufferOp>(layout.op))
    buffers[layout.tileOf(*buffer)].push_back(buffer);
  for (aie::CoreOp core : membersOf<aie::CoreOp>(layout.op))
    stacks[layout.tileOf(*core)] = core.stackBytes();
  const AccessPairs pairs(layout.op);
  for (auto& [tile, ofTile] : buffers)
    if (failed(TileBuffers(layout, pairs, tile, std::move(ofTile), stacks[tile]).place()))
      return failure();
  return success();
}

}  // namespace airlite::npu
