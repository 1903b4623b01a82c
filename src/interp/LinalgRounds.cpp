#include "LinalgRounds.hpp"

#include "Access.hpp"
#include "MatrixSum.hpp"
#include "dialect/ConstantFolding.hpp"

#include <algorithm>
#include <cstring>

namespace airlite::interp {

namespace {

/// Rounds of one instruction: after them another process may have its turn.
constexpr uint64_t kRoundsAtOnce = 512;
/// Sizes, factors and strides are less, so that no sum of them overflows.
constexpr int64_t kLargeNumber = int64_t{1} << 26;

bool isLarge(int64_t number) { return number <= -kLargeNumber || number >= kLargeNumber; }

}  // namespace

std::optional<RoundOperand> roundOperand(AffineMap map, uint32_t reg, Type type) {
  const ElementLayout layout = layoutOf(elementTypeOrSelf(type));
  if (!layout.bytes || layout.isVector || map.numSymbols()) return std::nullopt;
  RoundOperand operand{reg, layout.bytes, false, {}};
  for (AffineExpr expr : map.results()) {
    auto index = analysis::readLoopIndex(expr, map.numDims());
    if (!index || isLarge(index->constant) || std::ranges::any_of(index->factors, isLarge))
      return std::nullopt;
    operand.indices.push_back(*std::move(index));
  }
  return operand;
}

namespace {

class BodyReader {
 public:
  BodyReader(Builder& b, linalg::StructuredOp op) : b_(b), op_(op) {}

  std::optional<RoundBody> read() {
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      Value argument = op_.bodyArgument(i);
      if (!argument || !argument.hasUses()) continue;
      const bool isShaped = op_->operand(i).type().isa<ShapedType>();
      if (isShaped)
        body_.loads.push_back({valueOf(argument), i});
      else
        body_.scalars.push_back({valueOf(argument), b_.use(op_->operand(i))});
    }
    for (Operation& inner : op_.body().ops())
      if (!readOp(inner)) return std::nullopt;
    return std::move(body_);
  }

 private:
  bool readOp(Operation& op) {
    if (op.is("linalg.yield")) return readYield(op);
    if (op.is("linalg.index")) {
      const auto loop = static_cast<uint32_t>(op.attrOf<IntegerAttr>("dim").value());
      body_.counters.push_back({valueOf(op.result()), loop});
      return true;
    }
    for (Value value : op.operands())
      if (value.type().isa<ShapedType>()) return false;
    for (Value value : op.resultValues())
      if (value.type().isa<ShapedType>()) return false;
    if (op.is("arith.constant")) return readConstant(op);
    const auto element = elementOp(op);
    if (!element || op.numResults() == 0 || op.numResults() > 2) return false;
    RoundBody::Compute step{*element};
    if (op.numOperands() > step.in.size() || op.numRegions()) return false;
    for (Value value : op.operands())
      step.in[step.numIn++] = operandOf(value);
    step.out = valueOf(op.result(0));
    step.numOut = op.numResults();
    if (op.numResults() == 2) valueOf(op.result(1));
    body_.steps.push_back(step);
    return true;
  }

  bool readConstant(Operation& op) {
    auto bits = folding::ConstantBits::get(op.attr("value"));
    if (!bits) return false;
    body_.values[valueOf(op.result())] = bits->at(0);
    return true;
  }

  bool readYield(Operation& yield) {
    for (unsigned i = 0; i < op_.numOutputs(); ++i)
      body_.stores.push_back({operandOf(yield.operand(i)), op_.numInputs() + i});
    return true;
  }

  /// The number of a value of the body: results of one op are next to each other.
  uint32_t valueOf(Value value) {
    auto [found, isNew] = numbers_.try_emplace(value, static_cast<uint32_t>(body_.values.size()));
    if (isNew) body_.values.push_back(0);
    return found->second;
  }

  /// What the body does not compute comes from around the op.
  uint32_t operandOf(Value value) {
    if (auto found = numbers_.find(value); found != numbers_.end()) return found->second;
    const uint32_t number = valueOf(value);
    body_.scalars.push_back({number, b_.use(value)});
    return number;
  }

  Builder& b_;
  linalg::StructuredOp op_;
  RoundBody body_;
  std::unordered_map<Value, uint32_t> numbers_;
};

}  // namespace

std::optional<RoundBody> roundBody(Builder& b, linalg::StructuredOp op) {
  return BodyReader(b, op).read();
}

namespace {

/// An argument of the body, or such a one made wider.
std::optional<RoundProducts::Factor> factorOf(linalg::StructuredOp op, Value value) {
  Operation* cast = value.definingOp();
  const bool isUnsigned = cast && cast->is("arith.extui");
  if (cast && !isUnsigned && !cast->is("arith.extsi")) return std::nullopt;
  const Value argument = cast ? cast->operand(0) : value;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    if (op.bodyArgument(i) == argument)
      return RoundProducts::Factor{i, argument.type().bitWidth(), !isUnsigned};
  return std::nullopt;
}

}  // namespace

std::optional<RoundProducts> roundProducts(linalg::StructuredOp op) {
  if (op.numInputs() != 2 || op.numOutputs() != 1) return std::nullopt;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    if (!op->operand(i).type().isa<ShapedType>()) return std::nullopt;
  Operation* add = op.body().terminator()->operand(0).definingOp();
  if (!add || !add->is("arith.addi") || !add->result().type().isInteger()) return std::nullopt;
  for (unsigned side = 0; side < 2; ++side) {
    Operation* product = add->operand(side).definingOp();
    if (!product || !product->is("arith.muli") || add->operand(1 - side) != op.bodyArgument(2))
      continue;
    const auto a = factorOf(op, product->operand(0)), b = factorOf(op, product->operand(1));
    // An overflow that must not be makes no number.
    if (!a || !b || product->attr("overflowFlags") || add->attr("overflowFlags")) continue;
    return RoundProducts{*a, *b, add->result().type().bitWidth()};
  }
  return std::nullopt;
}

// -- At run time ----------------------------------------------------------------------------------

namespace {

template <class Number> uint64_t numberAt(const std::byte* at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

/// Where an operand's elements are during the rounds of one instruction.
struct OperandPlace {
  Memory* memory = nullptr;
  uint32_t bytes = 0;
  int64_t at = 0;                        ///< byte of the element of the present round
  std::array<int64_t, kMaxRank> step{};  ///< bytes, of each loop

  /// False: nobody has written it.
  bool load(uint64_t& bits) const {
    const uint8_t* known = memory->known.data() + at;
    const std::byte* data = memory->data.data() + at;
    switch (bytes) {
      case 1: bits = numberAt<uint8_t>(data); return *known;
      case 2: bits = numberAt<uint16_t>(data); return numberAt<uint16_t>(bytesOf(known)) == 0x0101;
      case 4:
        bits = numberAt<uint32_t>(data);
        return numberAt<uint32_t>(bytesOf(known)) == 0x01010101;
      default: break;
    }
    const Lane lane = loadLane(*memory, static_cast<size_t>(at), bytes);
    bits = lane.bits;
    return !lane.origin;
  }
  void store(uint64_t bits) const { storeLane(*memory, static_cast<size_t>(at), bytes, {bits, 0}); }

 private:
  static const std::byte* bytesOf(const uint8_t* known) {
    return reinterpret_cast<const std::byte*>(known);
  }
};

enum class Progress : uint8_t { Done, More, Stuck };

class RoundRun {
 public:
  RoundRun(Run& run, const Rounds& rounds) : run_(run), rounds_(rounds) {}

  Progress run() {
    run_.spent = 0;
    if (rounds_.order.empty() || !readLoops()) return Progress::Stuck;
    for (const RoundOperand& operand : rounds_.operands)
      if (!findPlace(operand)) return Progress::Stuck;
    const Progress result = std::visit([&](const auto& work) { return run(work); }, rounds_.work);
    run_.spent = done_ * stepsOfRound();
    for (size_t loop = 0; loop < numLoops(); ++loop)
      run_.registers[rounds_.counters[loop]].setBits(static_cast<uint64_t>(counter_[loop]));
    return result;
  }

 private:
  /// What the instructions of the loops would take for a round: what limits a run counts these.
  uint64_t stepsOfRound() const {
    const auto* body = std::get_if<RoundBody>(&rounds_.work);
    constexpr uint64_t kOfProduct = 8;
    return body ? body->loads.size() + body->steps.size() + body->stores.size() + 1 : kOfProduct;
  }

  size_t numLoops() const { return rounds_.counters.size(); }

  bool readLoops() {
    for (size_t loop = 0; loop < numLoops(); ++loop) {
      size_[loop] = run_.registers[rounds_.sizes[loop]].number();
      counter_[loop] = run_.registers[rounds_.counters[loop]].number();
      if (isLarge(size_[loop])) return false;
    }
    for (size_t loop : rounds_.reductions)
      counter_[loop] = 0;
    return true;
  }

  /// False when the rounds would not stay inside of the operand, or may not touch it.
  bool findPlace(const RoundOperand& operand) {
    if (!operand.bytes) {
      places_.emplace_back();
      return true;
    }
    const Slot& slot = run_.registers[operand.reg];
    if (slot.kind() != SlotKind::View) return false;
    const View& view = slot.as<View>();
    if (!mayTouch(run_, *view.memory, operand.isWritten)) return false;
    if (view.sizes.size() != operand.indices.size()) return false;
    OperandPlace place{view.memory.get(), operand.bytes, 0, {}};
    int64_t least = 0, most = 0;
    for (size_t dim = 0; dim < view.sizes.size(); ++dim) {
      const analysis::LoopIndex& index = operand.indices[dim];
      const int64_t stride = view.strides[dim];
      if (isLarge(stride) || isLarge(view.sizes[dim])) return false;
      int64_t low = index.constant, high = low, here = low;
      for (size_t loop = 0; loop < numLoops(); ++loop) {
        const int64_t factor = index.factors[loop], far = factor * (size_[loop] - 1);
        (far < 0 ? low : high) += far;
        here += factor * counter_[loop];
        place.step[loop] += factor * stride * operand.bytes;
      }
      if (low < 0 || high >= view.sizes[dim]) return false;
      place.at += here * stride;
      least += stride * (stride < 0 ? high : low);
      most += stride * (stride < 0 ? low : high);
    }
    auto byteOf = [&](int64_t element) {
      return view.base + (view.offset + element) * operand.bytes;
    };
    if (isLarge(view.offset >> 16) || byteOf(least) < 0 ||
        byteOf(most) + operand.bytes > static_cast<int64_t>(view.memory->data.size()))
      return false;
    place.at = byteOf(place.at);
    places_.push_back(place);
    return true;
  }

  /// On to the next round of `loops`, the last one fastest; false after the last round.
  bool advance(const std::vector<size_t>& loops) {
    for (size_t i = loops.size(); i-- > 0;) {
      const size_t loop = loops[i];
      if (counter_[loop] + 1 < size_[loop]) {
        step(loop);
        return true;
      }
      for (OperandPlace& place : places_)
        place.at -= place.step[loop] * counter_[loop];
      counter_[loop] = 0;
    }
    return false;
  }

  // -- A body of steps --

  Progress run(const RoundBody& body) {
    std::vector<uint64_t> values = body.values;
    for (const auto& [value, reg] : body.scalars) {
      if (!run_.registers[reg].isBits()) return Progress::Stuck;
      values[value] = run_.registers[reg].bits();
    }
    for (; done_ < kRoundsAtOnce; ++done_) {
      if (!compute(body, values)) return Progress::Stuck;
      for (const auto& [value, operand] : body.stores)
        places_[operand].store(values[value]);
      if (!advance(rounds_.order)) return Progress::Done;
    }
    return Progress::More;
  }

  bool compute(const RoundBody& body, std::vector<uint64_t>& values) const {
    for (const auto& [value, operand] : body.loads)
      if (!places_[operand].load(values[value])) return false;
    for (const auto& [value, loop] : body.counters)
      values[value] = static_cast<uint64_t>(counter_[loop]);
    uint64_t in[3] = {}, out[2] = {};
    for (const RoundBody::Compute& step : body.steps) {
      for (uint32_t i = 0; i < step.numIn; ++i)
        in[i] = values[step.in[i]];
      if (step.op.compute(step.op, in, out) != Evaluation::Value) return false;
      for (uint32_t i = 0; i < step.numOut; ++i)
        values[step.out + i] = out[i];
    }
    return true;
  }

  // -- Products of integers --

  Progress run(const RoundProducts& products) {
    const size_t last = rounds_.order.back();
    while (done_ < kRoundsAtOnce) {
      const int64_t count = isSumAlone(last) ? size_[last] - counter_[last] : 1;
      if (!addProducts(products, last, count)) return Progress::Stuck;
      done_ += static_cast<uint64_t>(count);
      if (!advance(rounds_.order)) return Progress::Done;
    }
    return Progress::More;
  }

  /// Whether the rounds of a loop add to one element, which none of them reads as a factor.
  bool isSumAlone(size_t loop) const {
    const OperandPlace& sum = places_[2];
    return sum.step[loop] == 0 && sum.memory != places_[0].memory &&
           sum.memory != places_[1].memory;
  }

  /// Ends with the last of the `count` rounds.
  bool addProducts(const RoundProducts& products, size_t loop, int64_t count) {
    uint64_t sum = 0, a = 0, b = 0;
    if (!places_[2].load(sum)) return false;
    for (int64_t round = 0; round < count; ++round) {
      if (round) step(loop);
      if (!places_[products.a.operand].load(a) || !places_[products.b.operand].load(b)) {
        if (round) places_[2].store(sum & maskOf(products.width));
        return false;
      }
      sum += widened(products.a, a) * widened(products.b, b);
    }
    places_[2].store(sum & maskOf(products.width));
    return true;
  }

  static uint64_t widened(const RoundProducts::Factor& factor, uint64_t bits) {
    return factor.isSigned ? static_cast<uint64_t>(signExtend(bits, factor.width)) : bits;
  }

  void step(size_t loop) {
    ++counter_[loop];
    for (OperandPlace& place : places_)
      place.at += place.step[loop];
  }

  // -- Sums of products --

  Progress run(const RoundSums& sums) {
    uint64_t products = 1;
    for (size_t loop : rounds_.reductions)
      products *= static_cast<uint64_t>(size_[loop]);
    for (; done_ < kRoundsAtOnce; done_ += products) {
      if (!sumUp(sums)) return Progress::Stuck;
      if (!advance(rounds_.order)) return Progress::Done;
    }
    return Progress::More;
  }

  /// One element of the result.
  bool sumUp(const RoundSums& sums) {
    uint64_t sum = 0;
    if (!places_[2].load(sum)) return false;
    Lane total{sums.isNarrow ? sum << 16 : sum, 0};
    const size_t terms = std::max<size_t>(sums.terms.size(), 1);
    for (size_t term = 0; term < terms; ++term)
      if (!addRow(sums, sums.terms.empty() ? nullptr : &sums.terms[term], total)) return false;
    if (sums.isNarrow) total.bits = bf16PieceOf(total.bits, 0);
    places_[2].store(total.bits);
    return true;
  }

  bool addRow(const RoundSums& sums, const Bf16Step::Term* term, Lane& total) {
    const size_t last = rounds_.reductions.back();
    bool isFine = true, isLeft = true;
    while (isLeft) {
      const auto left = static_cast<size_t>(std::min(size_[last] - counter_[last], sums.depth));
      factors_.clear();
      for (size_t i = 0; i < left; ++i) {
        isFine &= addFactors(term);
        isLeft = advance(rounds_.reductions);
      }
      total = interp::addProducts(factors_, total, sums.unit);
    }
    return isFine;
  }

  bool addFactors(const Bf16Step::Term* term) {
    uint64_t a = 0, b = 0;
    const bool isFine = places_[0].load(a) & places_[1].load(b);
    factors_.push_back({term ? bf16PieceOf(a, term->a) : a, 0});
    factors_.push_back({term ? bf16PieceOf(b, term->b) : b, 0});
    return isFine;
  }

  Run& run_;
  const Rounds& rounds_;
  std::array<int64_t, kMaxRank> size_{}, counter_{};
  std::vector<OperandPlace> places_;
  std::vector<Lane> factors_;
  uint64_t done_ = 0;
};

/// Goes to `jump` when a loop has no round.
Step doBeginRounds(Run& run, const Inst& inst) {
  const auto& rounds = *static_cast<const Rounds*>(inst.data);
  for (size_t loop = 0; loop < rounds.counters.size(); ++loop) {
    run.registers[rounds.counters[loop]].setBits(0);
    if (run.registers[rounds.sizes[loop]].number() <= 0) run.pc = inst.jump;
  }
  return Step::Next;
}

/// Again and again until all rounds are done; then goes to `jump`.
Step doRounds(Run& run, const Inst& inst) {
  const auto& rounds = *static_cast<const Rounds*>(inst.data);
  const Progress progress = RoundRun(run, rounds).run();
  if (progress == Progress::More) return Step::Again;
  run.machine.countWork(run.spent, 0);
  run.pc = progress == Progress::Done ? inst.jump : rounds.resume;
  return Step::Next;
}

}  // namespace

uint32_t emitRounds(Builder& b, Operation& op, const Rounds* rounds) {
  const uint32_t first = b.here();
  b.emit(doBeginRounds, op).data = rounds;
  b.emit(doRounds, op).data = rounds;
  return first;
}

void patchRounds(Builder& b, uint32_t first) {
  b.patch(first);
  b.patch(first + 1);
}

}  // namespace airlite::interp
