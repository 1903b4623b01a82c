// air-aie-narrow-integers: what only passes through 64 bits is computed with words, as the vector unit has them.
//
// Matches arith.trunci of i64 to at most 32 bits in the programs of cores, with what it is made of: sums, differences, products of words that were
// extended, shifts by constants, selections, a minimum and a maximum with constants of 32 bits around each other, constants, extended numbers. So a sum of
// a quantized network that is multiplied, rounded, shifted and clamped has the lanes of words (`tosa.rescale`). Also arith.mulsi_extended of words,
// of which lanes have no other form.
//
// Nothing branches: a carry is a bit of the sum, the upper word of a product is made of products of halves (Warren, "Hacker's Delight", 8-2).
// Declines anything else that makes the number: air-aie-split-words has it then.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "SoftWord.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>

namespace airlite::npu {

namespace {

using soft::IrMachine;
using Word = IrMachine::Word;

/// A number of 64 bits. Of one that fits into a word the upper one is the sign.
struct WidePair {
  Word low, high;
  bool isWord = false;
};

bool isLong(Value value) { return value.type().isSignlessInteger(64); }
bool isWord(Type type) { return type.isSignlessInteger(32); }

bool fitsWord(int64_t number) {
  return number >= std::numeric_limits<int32_t>::min() &&
         number <= std::numeric_limits<int32_t>::max();
}

/// A number that was extended with its sign from at most a word; null: it is something else.
Value narrowOf(Value wide) {
  Operation* op = wide.definingOp();
  if (!op || !(op->is("arith.extsi") || op->is("arith.extui"))) return {};
  const unsigned bits = op->operand(0).type().bitWidth();
  return bits < 32 || (bits == 32 && op->is("arith.extsi")) ? op->operand(0) : Value();
}

/// min(max(x, least), most), or the other way round.
struct Clamp {
  Value number;
  int64_t least = 0, most = 0;
};
std::optional<Clamp> clampOf(Operation& outer) {
  const bool isMin = outer.is("arith.minsi");
  if (!isMin && !outer.is("arith.maxsi")) return std::nullopt;
  Operation* inner = outer.operand(0).definingOp();
  if (!inner || !inner->is(isMin ? "arith.maxsi" : "arith.minsi")) return std::nullopt;
  const auto a = constantIntOf(outer.operand(1)), b = constantIntOf(inner->operand(1));
  if (!a || !b || !fitsWord(*a) || !fitsWord(*b)) return std::nullopt;
  const Clamp clamp{inner->operand(0), isMin ? *b : *a, isMin ? *a : *b};
  return clamp.least <= clamp.most ? std::optional(clamp) : std::nullopt;
}

bool isShift(const Operation& op) {
  return op.is("arith.shrsi") || op.is("arith.shrui") || op.is("arith.shli");
}

/// Whether the number is made of what WordWriter has.
bool isReadable(Value wide) {
  if (constantIntOf(wide)) return true;
  Operation* op = wide.definingOp();
  if (!op) return false;
  if (op->is("arith.extsi") || op->is("arith.extui"))
    return op->operand(0).type().isSignlessInteger() && op->operand(0).type().bitWidth() <= 32;
  if (op->is("arith.muli")) return narrowOf(op->operand(0)) && narrowOf(op->operand(1));
  if (op->is("arith.addi") || op->is("arith.subi"))
    return isReadable(op->operand(0)) && isReadable(op->operand(1));
  if (op->is("arith.select")) return isReadable(op->operand(1)) && isReadable(op->operand(2));
  if (isShift(*op)) {
    const auto bits = constantIntOf(op->operand(1));
    return bits && *bits >= 0 && *bits < 64 && isReadable(op->operand(0));
  }
  const auto clamp = clampOf(*op);
  return clamp && isReadable(clamp->number);
}

/// Writes words in front of an op. One class: a function of a line or two for each op that makes a number.
class WordWriter {
 public:
  WordWriter(Operation& at, Operation& table)
      : rewriter_(at.context()), machine_(rewriter_, at.location(), table) {
    rewriter_.setBefore(at);
  }

  void truncate(Operation& op) {
    const Word low = pairOf(op.operand(0)).low;
    const Type type = op.result().type();
    rewriter_.replaceOp(
        op, isWord(type)
                ? low.value
                : rewriter_.create(op.location(), "arith.trunci", {low.value}, {type})->result());
  }
  void multiplyExtended(Operation& op) {
    const WidePair made = product(machine_.wordOf(op.operand(0)), machine_.wordOf(op.operand(1)));
    rewriter_.replaceOp(op, std::array{made.low.value, made.high.value});
  }

 private:
  Word word(int64_t number) { return machine_.word(static_cast<uint32_t>(number)); }
  Word signOf(Word number) { return shiftedSigned(number, 31); }
  Word shiftedSigned(Word number, uint32_t bits) {
    return bits ? machine_.arithmeticShift(number, machine_.word(bits)) : number;
  }
  static Word shifted(Word number, uint32_t bits) { return bits ? number >> bits : number; }
  WidePair ofWord(Word low) { return {low, signOf(low), true}; }

  WidePair pairOf(Value value) {
    if (const auto found = pairs_.find(value); found != pairs_.end()) return found->second;
    return pairs_.emplace(value, made(value)).first->second;
  }

  WidePair made(Value value) {
    if (const auto number = constantIntOf(value))
      return {word(*number), word(*number >> 32), fitsWord(*number)};
    Operation& op = *value.definingOp();
    if (op.is("arith.extsi") || op.is("arith.extui")) return extended(op);
    if (op.is("arith.muli"))
      return product(extended(*op.operand(0).definingOp()).low,
                     extended(*op.operand(1).definingOp()).low);
    if (op.is("arith.addi")) return add(pairOf(op.operand(0)), pairOf(op.operand(1)));
    if (op.is("arith.subi")) return add(pairOf(op.operand(0)), negated(pairOf(op.operand(1))));
    if (op.is("arith.select")) return select(op);
    if (const auto clamp = clampOf(op)) return clamped(*clamp);
    return shift(op);
  }

  WidePair extended(Operation& op) {
    const Value narrow = op.operand(0);
    const bool isSigned = op.is("arith.extsi");
    const Word low = machine_.wordOf(
        isWord(narrow.type())
            ? narrow
            : rewriter_.create(op.location(), op.name(), {narrow}, {rewriter_.intType(32)})
                  ->result());
    if (isSigned || !isWord(narrow.type())) return ofWord(low);
    return {low, word(0)};
  }

  /// Of words with their signs. No product of halves with what is added to it overflows; the unit multiplies 32 halves at once.
  WidePair product(Word a, Word b) {
    constexpr uint32_t kHalf = 16, kHalfMask = 0xffff;
    const Word aLow = halfOf(a, "arith.extui"), bLow = halfOf(b, "arith.extui"),
               aHigh = halfOf(shiftedSigned(a, kHalf), "arith.extsi"),
               bHigh = halfOf(shiftedSigned(b, kHalf), "arith.extsi");
    const Word middle = aHigh * bLow + shifted(aLow * bLow, kHalf);
    const Word other = aLow * bHigh + (middle & kHalfMask);
    return {a * b, aHigh * bHigh + shiftedSigned(middle, kHalf) + shiftedSigned(other, kHalf)};
  }
  Word halfOf(Word word, std::string_view extend) {
    const auto as = [&](std::string_view name, Value value, unsigned bits) {
      return rewriter_.create(machine_.location(), name, {value}, {rewriter_.intType(bits)})
          ->result();
    };
    return machine_.wordOf(as(extend, as("arith.trunci", word.value, 16), 32));
  }

  WidePair add(const WidePair& a, const WidePair& b) {
    const Word low = a.low + b.low, either = a.low | b.low,
               carry = shifted((a.low & b.low) | (either & ~low), 31);
    const auto isEmpty = [](const WidePair& pair) { return constantIntOf(pair.low.value) == 0; };
    if (isEmpty(a) || isEmpty(b)) return {low, a.high + b.high};
    return {low, a.high + b.high + carry};
  }
  WidePair negated(const WidePair& a) { return add({~a.low, ~a.high}, {word(1), word(0)}); }

  WidePair select(Operation& op) {
    const WidePair yes = pairOf(op.operand(1)), no = pairOf(op.operand(2));
    const IrMachine::Bit condition{&machine_, op.operand(0)};
    return {machine_.select(condition, yes.low, no.low),
            machine_.select(condition, yes.high, no.high), yes.isWord && no.isWord};
  }

  /// What is no word is the nearest one first.
  WidePair clamped(const Clamp& clamp) {
    const WidePair number = pairOf(clamp.number);
    Word nearest = number.low;
    if (!number.isWord)
      nearest = machine_.select(machine_.equal(number.high, signOf(number.low)), number.low,
                                signOf(number.high) ^ 0x7fffffffu);
    return ofWord(
        machine_.minSigned(machine_.maxSigned(nearest, word(clamp.least)), word(clamp.most)));
  }

  WidePair shift(Operation& op) {
    const WidePair a = pairOf(op.operand(0));
    const auto bits = static_cast<uint32_t>(*constantIntOf(op.operand(1)));
    if (bits == 0) return a;
    if (op.is("arith.shli")) {
      if (bits >= 32) return {word(0), bits == 32 ? a.low : a.low << (bits - 32)};
      return {a.low << bits, (a.high << bits) | shifted(a.low, 32 - bits)};
    }
    const bool isSigned = op.is("arith.shrsi");
    const auto shiftedHigh = [&](uint32_t by) {
      return isSigned ? shiftedSigned(a.high, by) : shifted(a.high, by);
    };
    if (bits >= 32)
      return isSigned ? ofWord(shiftedHigh(bits - 32)) : WidePair{shiftedHigh(bits - 32), word(0)};
    if (a.isWord && isSigned) return ofWord(shiftedSigned(a.low, bits));
    return {shifted(a.low, bits) | (a.high << (32 - bits)), shiftedHigh(bits)};
  }

  Rewriter rewriter_;
  IrMachine machine_;
  std::unordered_map<Value, WidePair> pairs_;
};

class NarrowIntegers : public CorePass {
 public:
  NarrowIntegers()
      : CorePass("air-aie-narrow-integers",
                 "Computes with words what only passes through 64 bits") {
    example("airlite-opt --air-aie-narrow-integers design.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    bool changed = false;
    for (const CoreRoot& program : roots(module))
      for (Operation* op : opsInside(*program.root))
        changed |= rewrite(*op, *program.table);
    return changedIf(changed);
  }

 private:
  static bool rewrite(Operation& op, Operation& table) {
    const bool truncates = op.is("arith.trunci") && isLong(op.operand(0)) &&
                           op.result().type().bitWidth() <= 32 && isReadable(op.operand(0));
    if (truncates)
      WordWriter(op, table).truncate(op);
    else if (op.is("arith.mulsi_extended") && isWord(op.operand(0).type()))
      WordWriter(op, table).multiplyExtended(op);
    else
      return false;
    return true;
  }
};

}  // namespace

void registerNarrowIntegers(PassRegistry& registry) { registry.add<NarrowIntegers>(); }

}  // namespace airlite::npu
