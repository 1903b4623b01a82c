// Loops whose bodies are too long to overlap become several, one after the other.
#include "SplitBody.hpp"

#include "CoreMemory.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace airlite::npu {
namespace {

/// Instructions of a part: rounds of so many overlap well.
constexpr int64_t kWanted = 32;
/// Bodies up to this length stay whole.
constexpr int64_t kLongest = 60;
/// Elements that a part goes through at a time, where so many divide the rounds of the loop.
constexpr int64_t kMostElements = 512, kLeastElements = 128;

bool isIndexOp(const Operation& op) { return op.numResults() == 1 && op.result().type().isIndex(); }

/// What one round of the loop does.
struct Body {
  std::vector<Operation*> indices, loads, work, stores;
  std::vector<int64_t> weights;  // of `work`
};

/// Whether what is loaded is what a store writes, at another place.
bool readsElsewhere(const Body& body) {
  return std::ranges::any_of(body.stores, [&](const Operation* store) {
    return std::ranges::any_of(body.loads, [&](const Operation* load) {
      return memoryOf(*load) == memoryOf(*store) && indexOf(*load) != indexOf(*store);
    });
  });
}

/// None: it stores and then loads, or has ops that are not of elements.
std::optional<Body> readBody(scf::ForOp loop) {
  Body body;
  if (loop->numResults() != 0) return std::nullopt;
  for (Operation& op : loop.body().ops()) {
    if (op.is("scf.yield")) continue;
    if (op.numRegions() != 0) return std::nullopt;
    if (op.is("memref.store")) {
      body.stores.push_back(&op);
    } else if (op.is("memref.load")) {
      if (!body.stores.empty()) return std::nullopt;
      body.loads.push_back(&op);
    } else if (isIndexOp(op)) {
      body.indices.push_back(&op);
    } else if (op.numResults() == 1) {
      body.work.push_back(&op);
      body.weights.push_back(instructionsOf(op));
    } else {
      return std::nullopt;
    }
  }
  if (readsElsewhere(body)) return std::nullopt;
  return body;
}

/// Ops of `work` up to which each part goes.
using Cuts = std::vector<size_t>;

class CutFinder {
 public:
  explicit CutFinder(const Body& body) : body_(body) {
    for (size_t i = 0; i < body.work.size(); ++i)
      placeOf_[body.work[i]->result()] = i;
    total_.push_back(0);
    for (int64_t weight : body.weights)
      total_.push_back(total_.back() + weight);
    findCrossing();
  }

  int64_t length() const { return total_.back(); }

  /// The parts for which all that is loaded, stored and too long costs least.
  Cuts run() const {
    const size_t count = body_.work.size();
    std::vector<int64_t> least(count + 1, kNone);
    std::vector<size_t> from(count + 1, 0);
    least[0] = 0;
    for (size_t end = 1; end <= count; ++end) {
      const int64_t ofCut = costAt(end);
      if (ofCut >= kNone) continue;
      for (size_t begin = 0; begin < end; ++begin) {
        if (least[begin] >= kNone) continue;
        const int64_t cost = least[begin] + costOf(begin, end) + ofCut;
        if (cost >= least[end]) continue;
        least[end] = cost;
        from[end] = begin;
      }
    }
    Cuts cuts;
    for (size_t end = count; end > 0; end = from[end])
      cuts.insert(cuts.begin(), end);
    return cuts;
  }

  /// Which op of `work` makes a value.
  size_t placeOf(Value value) const { return placeOf_.at(value); }

  /// Values of `work` that are made before `cut` and needed after it; none at its end.
  const std::vector<Value>& crossing(size_t cut) const { return crossing_[cut]; }

 private:
  void findCrossing() {
    crossing_.resize(body_.work.size() + 1);
    for (size_t i = 0; i < body_.work.size(); ++i) {
      size_t last = i;
      for (OpOperand& use : body_.work[i]->result().uses()) {
        const Operation* user = use.owner();
        const auto found = user->numResults() == 1 ? placeOf_.find(user->result()) : placeOf_.end();
        last = std::max(last, found == placeOf_.end() ? body_.work.size() - 1 : found->second);
      }
      for (size_t cut = i + 1; cut <= last; ++cut)
        crossing_[cut].push_back(body_.work[i]->result());
    }
  }

  /// Of a cut that values cross which cannot be stored.
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max() / 2;

  int64_t costAt(size_t cut) const {
    int64_t cost = 0;
    for (Value value : crossing_[cut]) {
      if (!isElement(value.type())) return kNone;
      cost += 2 * accessesOf(value.type());
    }
    return cost;
  }

  /// Of a part: beginning and ending the loop, and what is more than rounds that overlap have.
  int64_t costOf(size_t begin, size_t end) const {
    constexpr int64_t kOfPart = 6;
    const int64_t more = std::max<int64_t>(0, total_[end] - total_[begin] - kWanted);
    return kOfPart + more * more / 8;
  }

  const Body& body_;
  std::unordered_map<Value, size_t> placeOf_;
  std::vector<int64_t> total_;                // weights of the ops before
  std::vector<std::vector<Value>> crossing_;  // by cut
};

/// How many elements a part may go through at a time, many first.
std::vector<int64_t> elementsAtATime(int64_t rounds) {
  constexpr int64_t kStep = 32;
  std::vector<int64_t> all;
  if (rounds < kLeastElements) return all;
  if (rounds <= kMostElements) all.push_back(rounds);
  for (int64_t elements = kMostElements; elements >= kLeastElements; elements -= kStep)
    if (elements < rounds && rounds % elements == 0) all.push_back(elements);
  return all;
}

class BodySplitter {
 public:
  BodySplitter(scf::ForOp loop, const Body& body, const CutFinder& finder, const Cuts& cuts,
               int64_t elements)
      : loop_(loop),
        body_(body),
        finder_(finder),
        cuts_(cuts),
        elements_(elements),
        builder_(Builder::before(*loop.op())),
        location_(loop->location()) {}

  /// False: the core has no room for what lies between the parts.
  bool takeBuffers(ScratchBuffers& scratch) {
    scratch.releaseAll();
    std::vector<Type> types;
    std::vector<Value> values;
    for (size_t cut : cuts_)
      for (Value value : finder_.crossing(cut))
        if (std::ranges::find(values, value) == values.end()) {
          values.push_back(value);
          types.push_back(typeOf(value));
        }
    if (!scratch.haveRoom(types)) return false;
    for (size_t i = 0; i < values.size(); ++i)
      bufferOf_[values[i]] = scratch.take(types[i]);
    return true;
  }

  std::vector<scf::ForOp> run() {
    Value zero = builder_.constantIndex(location_, 0), one = builder_.constantIndex(location_, 1),
          count = builder_.constantIndex(location_, elements_);
    base_ = loop_.lowerBound();
    if (*loop_.tripCount() > elements_) {
      scf::ForOp outer = scf::ForOp::create(builder_, location_, base_, loop_.upperBound(), count);
      builder_.setBefore(*outer.yield());
      base_ = outer.inductionVar();
    }
    for (Operation* index : body_.indices)
      addPlace(*index);
    std::vector<scf::ForOp> parts;
    size_t begin = 0;
    for (size_t end : cuts_) {
      parts.push_back(scf::ForOp::create(builder_, location_, zero, count, one));
      emitPart(parts.back(), begin, end);
      begin = end;
    }
    loop_->erase();
    return parts;
  }

 private:
  Type typeOf(Value value) const {
    const auto memory = memoryOf(*body_.stores.front()).type().cast<MemRefType>();
    return MemRefType::get(value.context(), {&elements_, 1}, value.type(), Attribute(),
                           memory.memorySpace());
  }

  /// Where the elements of a part begin for an index of the loop: what does not change in it.
  void addPlace(Operation& index) {
    const unsigned other = index.operand(0) == loop_.inductionVar() ? 1 : 0;
    places_[index.result()] = builder_
                                  .create(index.location(), "arith.addi",
                                          {base_, index.operand(other)}, {builder_.indexType()})
                                  ->result();
  }

  Value placeIn(Builder& builder, scf::ForOp part, Value index) {
    const auto place = places_.find(index);
    Value start = place != places_.end() ? place->second : base_;
    if (constantIntOf(start) == 0) return part.inductionVar();
    return builder
        .create(location_, "arith.addi", {part.inductionVar(), start}, {builder.indexType()})
        ->result();
  }

  void emitPart(scf::ForOp part, size_t begin, size_t end) {
    Builder builder = Builder::before(*part.yield());
    IRMapping mapping;
    std::unordered_set<Value> known;
    for (size_t i = begin; i < end; ++i)
      emitOp(builder, part, *body_.work[i], mapping, known);
    if (end == body_.work.size())
      for (Operation* store : body_.stores)
        emitOp(builder, part, *store, mapping, known);
    else
      for (Value value : finder_.crossing(end))
        if (finder_.placeOf(value) >= begin)
          builder.create(location_, "memref.store",
                         {mapping.lookupOr(value), bufferOf_.at(value), part.inductionVar()}, {});
  }

  void emitOp(Builder& builder, scf::ForOp part, Operation& op, IRMapping& mapping,
              std::unordered_set<Value>& known) {
    for (Value operand : op.operands())
      bring(builder, part, operand, mapping, known);
    Operation* copy = builder.clone(op, mapping);
    for (unsigned i = 0; i < op.numResults(); ++i) {
      mapping.map(op.result(i), copy->result(i));
      known.insert(op.result(i));
    }
  }

  /// What the part has not yet: an element, or what an earlier part made.
  void bring(Builder& builder, scf::ForOp part, Value value, IRMapping& mapping,
             std::unordered_set<Value>& known) {
    Operation* def = value.definingOp();
    const bool isOfLoop = value == loop_.inductionVar() || (def && def->block() == &loop_.body());
    if (!isOfLoop || !known.insert(value).second) return;
    if (value.type().isIndex()) {
      mapping.map(value, placeIn(builder, part, value));
    } else if (def->is("memref.load")) {
      bring(builder, part, def->operand(1), mapping, known);
      mapping.map(value, builder.clone(*def, mapping)->result());
    } else {
      mapping.map(value, builder
                             .create(location_, "memref.load",
                                     {bufferOf_.at(value), part.inductionVar()}, {value.type()})
                             ->result());
    }
  }

  scf::ForOp loop_;
  const Body& body_;
  const CutFinder& finder_;
  const Cuts& cuts_;
  int64_t elements_;
  Builder builder_;
  Location location_;
  Value base_;
  std::unordered_map<Value, Value> bufferOf_, places_;
};

}  // namespace

int64_t accessesOf(Type element) { return element.bitWidth() == 32 ? 2 : 1; }

int64_t instructionsOf(Operation& op) {
  if (isElementAccess(op)) return accessesOf(memoryOf(op).type().cast<MemRefType>().elementType());
  if (isIndexOp(op) || op.is("arith.bitcast") || op.is("arith.select")) return 1;
  if (const auto counts = bf16PiecesOf(op)) {
    auto conversions = [&](unsigned operand, unsigned pieces) -> int64_t {
      const Operation* def = op.operand(operand).definingOp();
      return def && def->is("arith.constant") ? 0 : 3 * int64_t{pieces} - 2;
    };
    return static_cast<int64_t>(bf16Steps(*counts).size()) + conversions(0, counts->a) +
           conversions(1, counts->b);
  }
  return op.is("arith.addf") || op.is("arith.subf") || op.is("arith.truncf") || op.is("arith.extf")
             ? 1
             : 2;
}

std::vector<scf::ForOp> splitLongBody(scf::ForOp loop, ScratchBuffers& scratch, size_t& room) {
  const std::optional<int64_t> rounds = loop.tripCount();
  const std::vector<int64_t> sizes = rounds ? elementsAtATime(*rounds) : std::vector<int64_t>();
  if (sizes.empty()) return {loop};
  const std::optional<Body> body = readBody(loop);
  if (!body || body->stores.empty() || body->work.empty()) return {loop};
  const CutFinder finder(*body);
  if (finder.length() <= kLongest) return {loop};
  const Cuts cuts = finder.run();
  if (cuts.size() < 2 || cuts.size() > room) return {loop};
  for (const int64_t elements : sizes) {
    BodySplitter splitter(loop, *body, finder, cuts, elements);
    if (!splitter.takeBuffers(scratch)) continue;
    room -= cuts.size();
    return splitter.run();
  }
  return {loop};
}

}  // namespace airlite::npu
