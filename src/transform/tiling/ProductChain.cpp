// Finds the elementwise ops after a product of matrices and makes one op of them (see ProductChain.hpp).
#include "ProductChain.hpp"

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "transform/tiling/RowShares.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>

namespace airlite::tiling {

using linalg::IteratorKind;
using linalg::StructuredOp;

namespace {

/// How far ops of a chain may be apart, in ops of the block, and how many functions of numbers they may compute
/// on all: program memory of a core.
constexpr size_t kLongestGap = 64;
constexpr int64_t kMostFunctions = 4;

using Index = std::vector<LoopIndex>;

/// Memory of the chain, indexed by the loops of the product.
struct Place {
  Value value;
  Index index;
  bool operator==(const Place&) const = default;
};

struct Follower {
  StructuredOp op;
  std::vector<Index> indices;  // of its operands; those of scalars are empty
};

Index indexOf(AffineMap map, unsigned numLoops, bool& isReadable) {
  Index index;
  for (AffineExpr expr : map.results()) {
    auto read = analysis::readLoopIndex(expr, numLoops);
    isReadable &= read.has_value();
    index.push_back(read.value_or(LoopIndex{0, std::vector<int64_t>(numLoops, 0)}));
  }
  return index;
}

bool isOneElement(const LoopIndex& index, int64_t size) {
  return size == 1 && index.constant == 0 &&
         std::ranges::all_of(index.factors, [](int64_t factor) { return factor == 0; });
}

/// Memory of the host as it lies there, each dimension indexed by a loop of its own or one element long.
bool isPlain(Value value, const Index& index) {
  auto type = value.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape() || air::memoryLevel(type) != air::MemoryLevel::L3)
    return false;
  const Type element = type.elementType();
  if (!element.isIntOrIndexOrFloat() || element.isIndex() || element.bitWidth() % 8) return false;
  std::set<unsigned> seen;
  for (size_t dim = 0; dim < index.size(); ++dim) {
    if (isOneElement(index[dim], type.shape()[dim])) continue;
    auto loop = index[dim].onlyLoop();
    if (!loop || !seen.insert(*loop).second) return false;
  }
  return true;
}

// -- Finding the ops ------------------------------------------------------------------------------

class Finder {
 public:
  explicit Finder(StructuredOp product) : product_(product) {
    bool isReadable = true;
    written.push_back({product.outputs()[0],
                       indexOf(product.indexingMaps().back(), product.numLoops(), isReadable)});
  }

  /// The op that gives the sums what they begin with; it does not use what was there before.
  std::optional<Follower> findStart() {
    if (!isPlain(written[0].value, written[0].index)) return std::nullopt;
    std::vector<Operation*> between;
    for (Operation* op = product_->prev(); op && between.size() < kLongestGap; op = op->prev()) {
      auto start = read(linalg::asStructured(op), true);
      if (start && !op->is("linalg.fill") && start->op.numOutputs() == 1 &&
          !start->op.readsOutput(0)) {
        note(*op);
        return std::ranges::none_of(between, [&](Operation* other) { return conflicts(*other); })
                   ? start
                   : std::nullopt;
      }
      between.push_back(op);
    }
    return std::nullopt;
  }

  /// `before`: what gives the sums their first values; null: nothing does.
  std::vector<Follower> find(Operation* before, size_t most) {
    std::vector<Follower> found;
    if (!isPlain(written[0].value, written[0].index)) return found;
    note(*product_.op());
    if (before) note(*before);
    size_t gap = 0;
    for (Operation* op = product_->next(); op && gap < kLongestGap && found.size() < most;
         op = op->next(), ++gap) {
      if (auto follower = read(linalg::asStructured(op))) {
        take(*follower);
        found.push_back(*std::move(follower));
        gap = 0;
      } else if (conflicts(*op)) {
        break;
      }
    }
    return found;
  }

  std::vector<Place> written;

 private:
  void note(Operation& op) {
    for (analysis::BufferAccess& access : reader_.all(op))
      accesses_.push_back(std::move(access));
  }

  /// Whether the op cannot change places with the chain so far.
  bool conflicts(Operation& op) {
    for (const analysis::BufferAccess& other : reader_.all(op))
      for (const analysis::BufferAccess& own : accesses_)
        if (reader_.mayConflict(own, other)) return true;
    return false;
  }

  void take(const Follower& follower) {
    note(*follower.op.op());
    functions_ += functionsOf(follower.op);
    for (unsigned i = follower.op.numInputs(); i < follower.op->numOperands(); ++i) {
      Place place{follower.op->operand(i), follower.indices[i]};
      if (std::ranges::find(written, place) == written.end()) written.push_back(std::move(place));
    }
  }

  const Place* find(Value value) const {
    auto found = std::ranges::find(written, value, &Place::value);
    return found == written.end() ? nullptr : &*found;
  }

  bool isElementwise(StructuredOp op) const {
    if (op->numResults() || !op.onBuffers() || op.usesIndices() || op.numLoops() == 0) return false;
    const std::vector<IteratorKind> kinds = op.iterators();
    const std::vector<int64_t> sizes = op.loopSizes();
    return std::ranges::all_of(kinds,
                               [](IteratorKind kind) { return kind == IteratorKind::Parallel; }) &&
           std::ranges::find(sizes, kDynamic) == sizes.end() &&
           op.loopSources().size() == op.numLoops() &&
           functions_ + functionsOf(op) <= kMostFunctions;
  }

  /// Which loop of the product each loop of the op is: both index one memory with them, which the op reads (or
  /// writes).
  std::optional<std::vector<unsigned>> loopsOf(StructuredOp op, const std::vector<Index>& own,
                                               bool byOutput) const {
    std::vector<std::optional<unsigned>> loops(op.numLoops());
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const Place* place = find(op->operand(i));
      const bool isRead = i < op.numInputs() || op.readsOutput(i - op.numInputs());
      if (!place || (byOutput ? i < op.numInputs() : !isRead)) continue;
      for (size_t dim = 0; dim < own[i].size(); ++dim)
        if (auto loop = own[i][dim].onlyLoop()) loops[*loop] = place->index[dim].onlyLoop();
    }
    std::vector<unsigned> known;
    for (auto loop : loops) {
      if (!loop || std::ranges::count(known, *loop) != 0) return std::nullopt;
      known.push_back(*loop);
    }
    return known;
  }

  std::optional<Follower> read(StructuredOp op, bool byOutput = false) const {
    if (!op || !isElementwise(op)) return std::nullopt;
    const std::vector<AffineMap> maps = op.indexingMaps();
    Follower follower{op, {}};
    bool isReadable = true;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      follower.indices.push_back(op->operand(i).type().isa<MemRefType>()
                                     ? indexOf(maps[i], op.numLoops(), isReadable)
                                     : Index());
    const auto loops = isReadable ? loopsOf(op, follower.indices, byOutput) : std::nullopt;
    if (!loops) return std::nullopt;
    for (Index& index : follower.indices)
      for (LoopIndex& entry : index) {
        std::vector<int64_t> factors(product_.numLoops(), 0);
        for (size_t loop = 0; loop < loops->size(); ++loop)
          factors[(*loops)[loop]] = entry.factors[loop];
        entry.factors = std::move(factors);
      }
    return fits(follower) ? std::optional(std::move(follower)) : std::nullopt;
  }

  /// What the chain wrote before is used element by element, and each element is written once.
  bool fits(const Follower& follower) const {
    for (unsigned i = 0; i < follower.op->numOperands(); ++i) {
      const Value value = follower.op->operand(i);
      if (!value.type().isa<MemRefType>()) continue;
      const Place* place = find(value);
      if (!isPlain(value, follower.indices[i]) || (place && place->index != follower.indices[i]))
        return false;
      const bool isOutput = i >= follower.op.numInputs();
      if (isOutput && !coversLoops(follower.indices[i])) return false;
    }
    return true;
  }

  bool coversLoops(const Index& index) const {
    const std::vector<IteratorKind> kinds = product_.iterators();
    const std::vector<int64_t> sizes = product_.loopSizes();
    for (unsigned loop = 0; loop < kinds.size(); ++loop)
      if (kinds[loop] == IteratorKind::Parallel && sizes[loop] > 1 &&
          std::ranges::none_of(index, [&](const LoopIndex& entry) { return entry.uses(loop); }))
        return false;
    return true;
  }

  StructuredOp product_;
  analysis::AccessReader reader_;
  std::vector<analysis::BufferAccess> accesses_;
  int64_t functions_ = 0;
};

// -- Making one op of them ------------------------------------------------------------------------

/// In which a core keeps the sums; the type of the output where that is no other.
Type typeOfSums(StructuredOp product, bool matrixSums) {
  const Type a = elementTypeOrSelf(product->operand(0).type()),
             b = elementTypeOrSelf(product->operand(1).type()),
             c = elementTypeOrSelf(product->operand(2).type());
  Context& context = c.context();
  if (linalg::keepsNarrowSums(a, b, c)) return c;
  if (c.isInteger() && c.bitWidth() < 32 && c.bitWidth() % 8 == 0)
    return IntegerType::get(context, 32);
  if (matrixSums && c.isBF16() && a.isBF16() && b.isBF16())
    return FloatType::get(context, FloatKind::F32);
  return c;
}

/// Writes the product and the op of its followers. One class: each value of the new body needs the values, loops and buffers
/// found so far.
class Writer {
 public:
  Writer(StructuredOp product, Operation* fill, const std::optional<Follower>& start,
         const std::vector<Follower>& followers, std::vector<Place> written, Type sums,
         Rewriter& rewriter)
      : product_(product),
        fill_(fill),
        start_(start),
        followers_(followers),
        written_(std::move(written)),
        sums_(sums),
        rewriter_(rewriter),
        location_(product->location()) {
    const std::vector<IteratorKind> kinds = product.iterators();
    for (unsigned loop = 0; loop < kinds.size(); ++loop)
      if (kinds[loop] == IteratorKind::Parallel) loops_.push_back(loop);
  }

  ProductChain write() {
    chain_.home = product_->next();
    rewriter_.setBefore(followers_.empty() ? *product_.op() : *followers_.back().op.op());
    for (const Place& place : written_)
      if (!staysInside(place.value) && isChanged(place.value)) outputs_.push_back(place);
    chooseMemoryOfSums();
    makeProduct();
    makeEpilogue();
    chain_.numFollowers = followers_.size();
    replaceOps();
    return std::move(chain_);
  }

 private:
  Value output() const { return written_[0].value; }
  Type narrow() const { return elementTypeOrSelf(output().type()); }
  bool widens() const { return sums_ != narrow(); }

  bool isPart(Operation* op) const {
    return op == product_.op() || op == fill_ || (start_ && op == start_->op.op()) ||
           std::ranges::any_of(followers_, [&](const Follower& one) { return one.op.op() == op; });
  }

  bool staysInside(Value value) const {
    if (!value.definingOp() || !isa<memref::AllocOp>(value.definingOp())) return false;
    for (OpOperand& use : value.uses())
      if (!isPart(use.owner()) && !use.owner()->is("memref.dealloc")) return false;
    return true;
  }

  /// Whether it is other than the sums themselves.
  bool isChanged(Value value) const {
    if (value != output() || widens() || start_) return true;
    return std::ranges::any_of(followers_, [&](const Follower& follower) {
      return std::ranges::any_of(follower.op.outputs(),
                                 [&](Value written) { return written == value; });
    });
  }

  /// Sums become what goes out in their own place, where an output is of their type and order.
  void chooseMemoryOfSums() {
    const bool startsNew = fill_ || start_ || !product_.readsOutput(0);
    const bool isResult = !staysInside(output()) && !isChanged(output());
    for (const Place& place : outputs_)
      if (elementTypeOrSelf(place.value.type()) == sums_ && place.index == written_[0].index &&
          place.value.type() == output().type() && !isReadLate(place.value) && !isResult &&
          (startsNew || place.value == output())) {
        memory_ = place.value;
        return;
      }
    if (!widens()) {
      memory_ = output();
      chain_.epilogue.sumsStay = staysInside(output());
      return;
    }
    auto shape = output().type().cast<MemRefType>().shape();
    const MemRefType type = MemRefType::get(rewriter_.context(), shape, sums_);
    memory_ = memref::AllocOp::create(rewriter_, location_, type).result();
    made(memory_.definingOp());
    chain_.epilogue.sumsStay = true;
  }

  /// Before the chain writes it.
  bool isReadLate(Value value) const {
    if (value == output()) return false;
    for (const Follower& follower : followers_)
      for (unsigned i = 0; i < follower.op->numOperands(); ++i) {
        if (follower.op->operand(i) != value) continue;
        if (i < follower.op.numInputs() || follower.op.readsOutput(i - follower.op.numInputs()))
          return true;
        return false;
      }
    return false;
  }

  Operation* made(Operation* op) {
    chain_.made.push_back(op);
    return op;
  }

  void makeProduct() {
    if (memory_ == output()) {
      chain_.product = product_;
      chain_.fill = fill_;
      if (!followers_.empty()) {
        // What is between it and the last of the others does not care.
        Operation& last = *followers_.back().op.op();
        if (fill_) rewriter_.moveBefore(*fill_, last);
        rewriter_.moveBefore(*product_.op(), last);
      }
      rewriter_.setBefore(*product_.op());
      if (start_) chain_.fill = fillWithZero();
      rewriter_.setAfter(*product_.op());
      return;
    }
    if (fill_ && !widens()) {
      const Value first = fill_->operand(0);
      chain_.fill = made(linalg::createNamedOp(rewriter_, fill_->location(), "linalg.fill",
                                               std::span(&first, 1), std::span(&memory_, 1)));
    } else if (fill_ || start_) {
      chain_.fill = fillWithZero();
    }
    if (widens()) {
      chain_.product = StructuredOp(made(wideProduct().op()));
      return;
    }
    IRMapping mapping;
    mapping.map(output(), memory_);
    chain_.product = StructuredOp(made(rewriter_.clone(*product_.op(), mapping)));
  }

  Operation* fillWithZero() {
    const Value zero = made(constantOfSums())->result();
    return made(linalg::createNamedOp(rewriter_, location_, "linalg.fill", std::span(&zero, 1),
                                      std::span(&memory_, 1)));
  }

  Operation* constantOfSums() {
    const Attribute zero = sums_.isInteger() ? Attribute(IntegerAttr::get(sums_, 0))
                                             : Attribute(FloatAttr::get(sums_, 0.0));
    return rewriter_.create(location_, "arith.constant", {}, {sums_},
                            {rewriter_.named("value", zero)});
  }

  Operation* convert(std::string_view name, Value value, Type to) {
    return rewriter_.create(location_, name, {value}, {to});
  }

  StructuredOp wideProduct() {
    const Value inputs[] = {product_->operand(0), product_->operand(1)};
    StructuredOp op = linalg::createGeneric(rewriter_, location_, inputs, std::span(&memory_, 1),
                                            product_.indexingMaps(), product_.iterators());
    InsertPoint saved = rewriter_.insertPoint();
    rewriter_.setToEnd(op.body());
    const bool areIntegers = sums_.isInteger();
    Value factors[2];
    for (unsigned i = 0; i < 2; ++i)
      factors[i] =
          convert(areIntegers ? "arith.extsi" : "arith.extf", op.bodyArgument(i), sums_)->result();
    auto combine = [&](std::string_view name, Value a, Value b) {
      return rewriter_.create(location_, name, {a, b}, {sums_})->result();
    };
    Value product = combine(areIntegers ? "arith.muli" : "arith.mulf", factors[0], factors[1]);
    Value sum = combine(areIntegers ? "arith.addi" : "arith.addf", op.bodyArgument(2), product);
    rewriter_.create(location_, "linalg.yield", {sum}, {});
    rewriter_.setInsertPoint(saved);
    return op;
  }

  // -- The op after the product

  /// An index by loops of the product as a map over its parallel loops.
  AffineMap mapOf(const Index& index) const {
    std::vector<AffineExpr> results;
    for (const LoopIndex& entry : index) {
      AffineExpr expr = AffineExpr::constant(rewriter_.context(), entry.constant);
      if (auto loop = entry.onlyLoop())
        expr = AffineExpr::dim(rewriter_.context(), position(*loop));
      results.push_back(expr);
    }
    return AffineMap::get(rewriter_.context(), static_cast<unsigned>(loops_.size()), 0, results);
  }

  unsigned position(unsigned loop) const {
    return static_cast<unsigned>(std::ranges::find(loops_, loop) - loops_.begin());
  }

  std::vector<Follower> all() const {
    std::vector<Follower> ops = followers_;
    if (start_) ops.insert(ops.begin(), *start_);
    return ops;
  }

  /// What comes in besides the sums: read before the chain writes it. Scalars as well.
  std::vector<Place> inputs() const {
    std::vector<Place> found;
    std::unordered_set<Value> known = {output()};
    for (const Follower& follower : all()) {
      for (unsigned i = 0; i < follower.op->numOperands(); ++i) {
        const bool isRead =
            i < follower.op.numInputs() || follower.op.readsOutput(i - follower.op.numInputs());
        const Value value = follower.op->operand(i);
        if (value.type().isa<MemRefType>() && known.contains(value)) continue;
        Place place{value, follower.indices[i]};
        if (isRead && std::ranges::find(found, place) == found.end())
          found.push_back(std::move(place));
      }
      for (Value value : follower.op.outputs())
        known.insert(value);
    }
    return found;
  }

  /// The values of one element, as far as they are known while the body is written.
  struct Element {
    std::vector<std::pair<Place, Value>> values;
    Value* find(const Place& place) {
      auto found = std::ranges::find(values, place, &std::pair<Place, Value>::first);
      return found == values.end() ? nullptr : &found->second;
    }
    void set(const Place& place, Value value) {
      if (Value* known = find(place))
        *known = value;
      else
        values.push_back({place, value});
    }
  };

  void makeEpilogue() {
    const Place sums{memory_, written_[0].index};
    std::vector<Place> in = inputs();
    const bool inPlace = std::ranges::find(outputs_, sums) != outputs_.end();
    if (!inPlace) in.insert(in.begin(), sums);
    std::erase_if(in, [&](const Place& place) {
      return std::ranges::find(outputs_, place) != outputs_.end();
    });
    std::vector<Value> inputValues, outputValues;
    std::vector<AffineMap> maps;
    for (const Place& place : in)
      inputValues.push_back(place.value), maps.push_back(mapOf(place.index));
    for (const Place& place : outputs_)
      outputValues.push_back(place.value), maps.push_back(mapOf(place.index));
    const std::vector<IteratorKind> kinds(loops_.size(), IteratorKind::Parallel);
    StructuredOp op =
        linalg::createGeneric(rewriter_, location_, inputValues, outputValues, maps, kinds);
    made(op.op());
    Element element;
    for (unsigned i = 0; i < in.size(); ++i)
      element.set(in[i], op.bodyArgument(i));
    for (unsigned i = 0; i < outputs_.size(); ++i)
      element.set(outputs_[i], op.bodyArgument(static_cast<unsigned>(in.size()) + i));
    InsertPoint saved = rewriter_.insertPoint();
    rewriter_.setToEnd(op.body());
    element.set(written_[0], sumOf(*element.find(sums), element));
    for (const Follower& follower : followers_)
      compute(follower, element);
    std::vector<Value> results;
    for (const Place& place : outputs_)
      results.push_back(*element.find(place));
    rewriter_.create(location_, "linalg.yield", results, std::span<const Type>());
    rewriter_.setInsertPoint(saved);
    chain_.epilogue.op = op;
  }

  /// With what it begins with, in the type of the output.
  Value sumOf(Value sum, Element& element) {
    const bool areIntegers = sums_.isInteger();
    if (start_) {
      compute(*start_, element);
      Value first = *element.find(written_[0]);
      if (widens())
        first = convert(areIntegers ? "arith.extsi" : "arith.extf", first, sums_)->result();
      sum = rewriter_
                .create(location_, areIntegers ? "arith.addi" : "arith.addf", {first, sum}, {sums_})
                ->result();
    }
    return widens()
               ? convert(areIntegers ? "arith.trunci" : "arith.truncf", sum, narrow())->result()
               : sum;
  }

  void compute(const Follower& follower, Element& element) {
    IRMapping mapping;
    for (unsigned i = 0; i < follower.op->numOperands(); ++i) {
      const Value argument = follower.op.bodyArgument(i);
      const Value* value = element.find({follower.op->operand(i), follower.indices[i]});
      if (argument && value) mapping.map(argument, *value);
    }
    Operation& last = follower.op.body().back();
    for (Operation& inner : follower.op.body().ops())
      if (&inner != &last) rewriter_.clone(inner, mapping);
    for (unsigned i = 0; i < last.numOperands(); ++i)
      element.set({follower.op.outputs()[i], follower.indices[follower.op.numInputs() + i]},
                  mapping.lookupOr(last.operand(i)));
  }

  void replaceOps() {
    if (memory_ != output()) {
      if (fill_) chain_.replaced.push_back(fill_);
      chain_.replaced.push_back(product_.op());
    }
    for (const Follower& follower : all())
      chain_.replaced.push_back(follower.op.op());
    for (const Place& place : written_)
      if (place.value != memory_ && staysInside(place.value)) chain_.inner.push_back(place.value);
    if (chain_.epilogue.sumsStay) chain_.inner.push_back(memory_);
  }

  StructuredOp product_;
  Operation* fill_;
  const std::optional<Follower>& start_;
  const std::vector<Follower>& followers_;
  std::vector<Place> written_;  // the product's output first
  Type sums_;
  Rewriter& rewriter_;
  Location location_;
  std::vector<unsigned> loops_;  // parallel ones of the product
  std::vector<Place> outputs_;
  Value memory_;  // of the sums
  ProductChain chain_;
};

}  // namespace

void finish(ProductChain& chain, Rewriter& rewriter) {
  for (Operation* op : chain.replaced)
    rewriter.eraseOp(*op);
  rewriter.eraseOp(*chain.epilogue.op);
  for (Value value : chain.inner) {
    while (value.hasUses())
      rewriter.eraseOp(*(*value.uses().begin()).owner());
    rewriter.eraseOp(*value.definingOp());
  }
}

void takeBack(ProductChain& chain, Rewriter& rewriter) {
  const bool isOwn = std::ranges::find(chain.made, chain.product.op()) == chain.made.end();
  if (isOwn)
    for (Operation* op : {chain.fill, chain.product.op()})
      if (op && op != chain.home) rewriter.moveBefore(*op, *chain.home);
  for (; !chain.made.empty(); chain.made.pop_back())
    rewriter.eraseOp(*chain.made.back());
}

Operation* startOf(StructuredOp product) {
  const std::optional<Follower> start = Finder(product).findStart();
  return start ? start->op.op() : nullptr;
}

ProductChain chainOf(StructuredOp product, Operation* fill, bool matrixSums, size_t mostFollowers,
                     Rewriter& rewriter) {
  ProductChain alone;
  alone.product = product;
  alone.fill = fill;
  Finder finder(product);
  const Type output = elementTypeOrSelf(product.outputs()[0].type());
  // Sums of floats may begin with zero only where the order of additions is the unit's affair anyway.
  const bool mayStartLate =
      mostFollowers != 0 && !fill && product.readsOutput(0) && (output.isInteger() || matrixSums);
  const std::optional<Follower> start = mayStartLate ? finder.findStart() : std::nullopt;
  const std::vector<Follower> followers = finder.find(start ? start->op.op() : fill, mostFollowers);
  const bool isZeroFirst = start || !product.readsOutput(0) || (fill && isZero(fill->operand(0)));
  const Type sums = isZeroFirst ? typeOfSums(product, matrixSums) : output;
  if (followers.empty() && !start && sums == output) return alone;
  return Writer(product, fill, start, followers, finder.written, sums, rewriter).write();
}

}  // namespace airlite::tiling
