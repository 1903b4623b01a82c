// air-aie-split-words: numbers of 64 bits as pairs of words.
//
// Matches, in the programs of cores, values of type i64 and f64: the low word and the high word
// take their places in ops, blocks, loops and functions. Arithmetic on i64 becomes that of words,
// products and quotients and shifts by what is not known are calls of routines (SoftWide.hpp).
// Memory stays what it is for its other users: the core sees its elements as words through a cast.
//
// Declines, with an error at the op: loops that count in i64, and ops that it does not know. Floats
// of 64 bits are only moved: air-aie-soft-float has refused the rest.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "Routines.hpp"
#include "SoftWide.hpp"
#include "SoftWord.hpp"
#include "ViewPlace.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

using soft::IrMachine;
using Word = IrMachine::Word;
using Bit = IrMachine::Bit;
using Wide = soft::Wide<IrMachine>;
using Pair = Wide::Pair;

bool isWide(Type type) { return type.isSignlessInteger(64) || type.isF64(); }

std::vector<Type> splitTypes(std::span<const Type> types) {
  std::vector<Type> split;
  for (Type type : types) {
    if (!isWide(type)) {
      split.push_back(type);
      continue;
    }
    split.insert(split.end(), 2, IntegerType::get(type.context(), 32));
  }
  return split;
}

bool hasWide(Operation& op) {
  for (const std::vector<Type>& types : {op.operandTypes(), op.resultTypes()})
    if (std::ranges::any_of(types, isWide)) return true;
  return false;
}

/// Ops that hand values on: each of them becomes two.
bool handsOn(Operation& op) {
  for (std::string_view name : {"scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.yield",
                                "scf.condition", "cf.br", "cf.cond_br", "func.call", "func.return"})
    if (op.is(name)) return true;
  return false;
}

/// One class: a function of a line or two per op, all of which look up and set the pairs of words
/// of values.
class WordSplitter {
 public:
  explicit WordSplitter(const CoreRoot& program)
      : root_(*program.root), table_(*program.table), rewriter_(root_.context()) {}

  LogicalResult run() {
    for (Region& region : root_.regions())
      splitArguments(region);
    if (root_.is("func.func")) splitFunction(root_);
    for (Operation* op : opsInside(root_)) {
      for (Region& region : op->regions())
        splitArguments(region);
      if (hasWide(*op)) split(*op);
      if (failed_) return failure();
    }
    for (size_t i = dead_.size(); i-- > 0;)
      dead_[i]->erase();
    for (Block* block : blocks_)
      eraseWideArguments(*block);
    return success();
  }
  bool changed() const { return changed_; }

 private:
  // -- Values -------------------------------------------------------------------------------------

  Pair pairOf(Value value) {
    auto found = pairs_.find(value);
    if (found != pairs_.end())
      return {machine().wordOf(found->second.first), machine().wordOf(found->second.second)};
    Operation* op = value.definingOp();
    if (op && op->is("arith.constant")) return constantPair(op->attr("value"));
    refuse(op ? *op : root_, value.type());
    return {machine().word(0), machine().word(0)};
  }
  Pair constantPair(Attribute value) {
    uint64_t bits = 0;
    if (auto number = value.dynCast<IntegerAttr>()) bits = static_cast<uint64_t>(number.value());
    if (auto number = value.dynCast<FloatAttr>())
      bits = floatToBits(FloatKind::F64, number.value());
    return {machine().word(static_cast<uint32_t>(bits)),
            machine().word(static_cast<uint32_t>(bits >> 32))};
  }
  void setPair(Value value, Pair pair) { pairs_[value] = {pair.low.value, pair.high.value}; }
  void setPair(Value value, Value low, Value high) { pairs_[value] = {low, high}; }
  IrMachine& machine() { return *machine_; }
  Wide wide() { return Wide(machine()); }

  void refuse(Operation& op, Type type) {
    if (!failed_) op.emitOpError() << "not supported in a core: " << type;
    failed_ = true;
  }

  void startAt(Operation& op) {
    rewriter_.setBefore(op);
    machine_.emplace(rewriter_, op.location(), table_);
  }

  // -- Blocks, functions and what hands on --------------------------------------------------------

  /// The words come after all other arguments until those are erased.
  void splitArguments(Region& region) {
    for (Block& block : region.blocks()) {
      for (unsigned i = 0; i < block.numArguments(); ++i) {
        Value argument = block.argument(i);
        if (!isWide(argument.type())) continue;
        Type word = rewriter_.intType(32);
        Value low = block.insertArgument(i + 1, word, argument.location());
        setPair(argument, low, block.insertArgument(i + 2, word, argument.location()));
        i += 2;
        if (blocks_.empty() || blocks_.back() != &block) blocks_.push_back(&block);
      }
    }
  }
  static void eraseWideArguments(Block& block) {
    for (unsigned i = block.numArguments(); i-- > 0;)
      if (isWide(block.argument(i).type())) block.eraseArgument(i);
  }

  void splitFunction(Operation& op) {
    func::FuncOp function(&op);
    FunctionType type = function.functionType();
    std::vector<Type> inputs = splitTypes(type.inputs()), results = splitTypes(type.results());
    changed_ |= inputs.size() != type.inputs().size() || results.size() != type.results().size();
    function.setFunctionType(FunctionType::get(op.context(), inputs, results));
  }

  std::vector<Value> splitValues(std::span<const Value> values) {
    std::vector<Value> split;
    for (Value value : values) {
      if (!isWide(value.type())) {
        split.push_back(value);
        continue;
      }
      Pair pair = pairOf(value);
      split.push_back(pair.low.value);
      split.push_back(pair.high.value);
    }
    return split;
  }

  /// Sizes of groups of operands grow with them.
  void splitOperands(Operation& op) {
    if (!op.is("cf.cond_br")) return op.setOperands(splitValues(op.operands().vec()));
    for (unsigned group : {2u, 1u})
      op.setOperandGroup(group, splitValues(op.operandGroup(group).vec()));
  }

  void handOn(Operation& op) {
    if (op.is("scf.for") && isWide(op.operand(0).type())) return refuse(op, op.operand(0).type());
    if (op.is("func.call")) splitDeclaration(op);
    splitOperands(op);
    std::vector<Type> types = op.resultTypes();
    if (!std::ranges::any_of(types, isWide)) return;
    OperationState state(op.location(), op.def());
    state.operands = op.operands().vec();
    state.attributes = NamedAttrList(op.attributes());
    state.resultTypes = splitTypes(types);
    for (unsigned i = 0; i < op.numRegions(); ++i)
      state.addRegion();
    Operation* made = rewriter_.create(state);
    for (unsigned i = 0; i < op.numRegions(); ++i)
      made->region(i).takeBody(op.region(i));
    for (unsigned i = 0, next = 0; i < types.size(); ++i) {
      if (isWide(types[i])) {
        setPair(op.result(i), made->result(next), made->result(next + 1));
        next += 2;
      } else {
        rewriter_.replaceAllUses(op.result(i), made->result(next++));
      }
    }
    dead_.push_back(&op);
  }

  void splitDeclaration(Operation& call) {
    func::FuncOp callee = func::CallOp(&call).function();
    if (callee && callee.isDeclaration()) splitFunction(*callee);
  }

  // -- Ops ----------------------------------------------------------------------------------------

  void split(Operation& op) {
    startAt(op);
    changed_ = true;
    if (handsOn(op)) return handOn(op);
    dead_.push_back(&op);
    if (op.is("arith.constant")) return;
    if (op.is("arith.cmpi")) return compare(op);
    if (op.is("memref.load")) return load(op);
    if (op.is("memref.store")) return store(op);
    for (const auto& [name, make] : kMakers)
      if (op.is(name)) {
        Pair made = (this->*make)(op);
        if (isWide(op.result().type())) return setPair(op.result(), made);
        return rewriter_.replaceAllUses(op.result(), narrow(made, op.result().type()));
      }
    refuse(op, wideTypeOf(op));
  }

  static Type wideTypeOf(const Operation& op) {
    for (const std::vector<Type>& types : {op.operandTypes(), op.resultTypes()})
      if (auto wide = std::ranges::find_if(types, isWide); wide != types.end()) return *wide;
    return {};
  }

  Pair in(Operation& op, unsigned i) { return pairOf(op.operand(i)); }
  Pair add(Operation& op) { return wide().add(in(op, 0), in(op, 1)); }
  Pair subtract(Operation& op) { return wide().subtract(in(op, 0), in(op, 1)); }
  Pair bitAnd(Operation& op) {
    Pair a = in(op, 0), b = in(op, 1);
    return {a.low & b.low, a.high & b.high};
  }
  Pair bitOr(Operation& op) {
    Pair a = in(op, 0), b = in(op, 1);
    return {a.low | b.low, a.high | b.high};
  }
  Pair bitXor(Operation& op) {
    Pair a = in(op, 0), b = in(op, 1);
    return {a.low ^ b.low, a.high ^ b.high};
  }

  Pair call(std::string_view name, std::initializer_list<Word> words) {
    std::vector<Value> operands;
    for (Word word : words)
      operands.push_back(word.value);
    Operation* made = soft::callRoutine(rewriter_, machine().location(), table_, name, operands);
    return {machine().wordOf(made->result(0)), machine().wordOf(made->result(1))};
  }
  Pair product(Pair a, Pair b) { return call("__air_i64_mul", {a.low, a.high, b.low, b.high}); }
  Pair quotient(Pair a, Pair b) { return call("__air_i64_div", {a.low, a.high, b.low, b.high}); }
  Pair multiply(Operation& op) { return product(in(op, 0), in(op, 1)); }
  Pair divideUnsigned(Operation& op) { return quotient(in(op, 0), in(op, 1)); }
  Pair divideSigned(Operation& op) {
    Pair a = in(op, 0), b = in(op, 1);
    Pair result = quotient(wide().magnitude(a), wide().magnitude(b));
    Bit differ = machine().lessSigned(a.high ^ b.high, machine().word(0));
    return wide().select(differ, wide().negate(result), result);
  }
  Pair restUnsigned(Operation& op) {
    return wide().subtract(in(op, 0), product(divideUnsigned(op), in(op, 1)));
  }
  Pair restSigned(Operation& op) {
    return wide().subtract(in(op, 0), product(divideSigned(op), in(op, 1)));
  }

  template <Pair (Wide::*inPlace)(Pair, Word)> Pair shiftBy(Operation& op, std::string_view name) {
    Pair a = in(op, 0), by = in(op, 1);
    if (!constantIntOf(op.operand(1))) return call(name, {a.low, a.high, by.low});
    Wide numbers = wide();
    return (numbers.*inPlace)(a, by.low);
  }
  Pair shiftLeft(Operation& op) { return shiftBy<&Wide::shiftLeft>(op, "__air_i64_shl"); }
  Pair shiftRight(Operation& op) { return shiftBy<&Wide::shiftRight>(op, "__air_i64_shru"); }
  Pair shiftRightSigned(Operation& op) {
    return shiftBy<&Wide::shiftRightSigned>(op, "__air_i64_shrs");
  }

  template <bool isSigned, bool isLarger> Pair extreme(Operation& op) {
    Pair a = in(op, 0), b = in(op, 1);
    Bit less = isSigned ? wide().lessSigned(a, b) : wide().less(a, b);
    return isLarger ? wide().select(less, b, a) : wide().select(less, a, b);
  }
  Pair choose(Operation& op) {
    return wide().select({&machine(), op.operand(0)}, in(op, 1), in(op, 2));
  }
  Pair leadingZeros(Operation& op) {
    Pair a = in(op, 0);
    Bit isLow = machine().equal(a.high, machine().word(0));
    Word low = machine().leadingZeros(a.low) + 32;
    return {machine().select(isLow, low, machine().leadingZeros(a.high)), machine().word(0)};
  }

  /// The word with this value, which may be narrow or an index.
  Word wordOf(Value value, bool isSigned) {
    Type word = rewriter_.intType(32);
    if (value.type() == word) return machine().wordOf(value);
    std::string_view name = isSigned ? "arith.extsi" : "arith.extui";
    if (value.type().isIndex()) name = "arith.index_cast";
    return machine().wordOf(
        rewriter_.create(machine().location(), name, {value}, {word})->result());
  }
  Pair extendSigned(Operation& op) {
    if (isWide(op.operand(0).type())) return in(op, 0);
    Word low = wordOf(op.operand(0), true);
    return {low, machine().arithmeticShift(low, machine().word(31))};
  }
  Pair extendUnsigned(Operation& op) {
    if (isWide(op.operand(0).type())) return in(op, 0);
    return {wordOf(op.operand(0), false), machine().word(0)};
  }
  Pair same(Operation& op) { return in(op, 0); }

  /// The low bits as a value of a narrower type.
  Value narrow(Pair pair, Type type) {
    if (pair.low.value.type() == type) return pair.low.value;
    std::string_view name = type.isIndex() ? "arith.index_cast" : "arith.trunci";
    return rewriter_.create(machine().location(), name, {pair.low.value}, {type})->result();
  }

  void compare(Operation& op) {
    using enum arith::CmpIPredicate;
    Pair a = in(op, 0), b = in(op, 1);
    arith::CmpIPredicate predicate = arith::CmpIOp(&op).predicate();
    bool swaps = predicate == sgt || predicate == sle || predicate == ugt || predicate == ule;
    bool inverts = predicate == ne || predicate == sge || predicate == sle || predicate == uge ||
                   predicate == ule;
    if (swaps) std::swap(a, b);
    bool isEquality = predicate == eq || predicate == ne;
    Bit holds = isEquality         ? wide().equal(a, b)
                : predicate >= ult ? wide().less(a, b)
                                   : wide().lessSigned(a, b);
    rewriter_.replaceAllUses(op.result(), inverts ? (!holds).value : holds.value);
  }

  // -- Memory -------------------------------------------------------------------------------------

  /// The memory as words; the cast stands where the memory is made.
  Value wordsOf(Value memory) {
    Value& words = words_[memory];
    if (words) return words;
    Operation* made = memory.definingOp();
    bool isInside = made && root_.isProperAncestor(made);
    Block& block = made ? root_.region().front() : *memory.argumentBlock();
    Builder builder = isInside ? Builder::after(*made) : Builder::atStart(block);
    return words = asWords(builder, memory.location(), memory);
  }
  std::array<Value, 2> wordIndices(Value index) {
    Location location = machine().location();
    Type type = rewriter_.indexType();
    Value low =
        rewriter_
            .create(location, "arith.muli", {index, rewriter_.constantIndex(location, 2)}, {type})
            ->result();
    Value one = rewriter_.constantIndex(location, 1);
    return {low, rewriter_.create(location, "arith.addi", {low, one}, {type})->result()};
  }
  bool isRow(Operation& op, Value memory) {
    auto type = memory.type().cast<MemRefType>();
    if (type.rank() == 1 && type.hasStaticShape() && type.hasIdentityLayout()) return true;
    refuse(op, type);
    return false;
  }
  void load(Operation& op) {
    if (!isRow(op, op.operand(0))) return;
    Value memory = wordsOf(op.operand(0)), values[2];
    std::array<Value, 2> indices = wordIndices(op.operand(1));
    for (size_t i = 0; i < 2; ++i)
      values[i] =
          rewriter_
              .create(op.location(), "memref.load", {memory, indices[i]}, {rewriter_.intType(32)})
              ->result();
    setPair(op.result(), values[0], values[1]);
  }
  void store(Operation& op) {
    if (!isRow(op, op.operand(1))) return;
    Pair value = in(op, 0);
    Value memory = wordsOf(op.operand(1));
    std::array<Value, 2> indices = wordIndices(op.operand(2));
    rewriter_.create(op.location(), "memref.store", {value.low.value, memory, indices[0]}, {});
    rewriter_.create(op.location(), "memref.store", {value.high.value, memory, indices[1]}, {});
  }

  struct Maker {
    std::string_view name;
    Pair (WordSplitter::*make)(Operation&);
  };
  static constexpr Maker kMakers[] = {
      {"arith.addi", &WordSplitter::add},
      {"arith.subi", &WordSplitter::subtract},
      {"arith.muli", &WordSplitter::multiply},
      {"arith.divui", &WordSplitter::divideUnsigned},
      {"arith.divsi", &WordSplitter::divideSigned},
      {"arith.remui", &WordSplitter::restUnsigned},
      {"arith.remsi", &WordSplitter::restSigned},
      {"arith.andi", &WordSplitter::bitAnd},
      {"arith.ori", &WordSplitter::bitOr},
      {"arith.xori", &WordSplitter::bitXor},
      {"arith.shli", &WordSplitter::shiftLeft},
      {"arith.shrui", &WordSplitter::shiftRight},
      {"arith.shrsi", &WordSplitter::shiftRightSigned},
      {"arith.minsi", &WordSplitter::extreme<true, false>},
      {"arith.maxsi", &WordSplitter::extreme<true, true>},
      {"arith.minui", &WordSplitter::extreme<false, false>},
      {"arith.maxui", &WordSplitter::extreme<false, true>},
      {"arith.select", &WordSplitter::choose},
      {"math.ctlz", &WordSplitter::leadingZeros},
      {"arith.extsi", &WordSplitter::extendSigned},
      {"arith.extui", &WordSplitter::extendUnsigned},
      {"arith.trunci", &WordSplitter::same},
      {"arith.bitcast", &WordSplitter::same},
      {"arith.index_cast", &WordSplitter::extendSigned},
      {"arith.index_castui", &WordSplitter::extendUnsigned},
  };

  Operation& root_;
  Operation& table_;
  Rewriter rewriter_;
  std::optional<IrMachine> machine_;
  std::unordered_map<Value, std::pair<Value, Value>> pairs_;
  std::unordered_map<Value, Value> words_;
  std::vector<Operation*> dead_;
  std::vector<Block*> blocks_;
  bool failed_ = false, changed_ = false;
};

class SplitWords : public CorePass {
 public:
  SplitWords() : CorePass("air-aie-split-words", "Computes numbers of 64 bits by words") {
    example("airlite-opt --air-aie-split-words design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "an element becomes two words");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      WordSplitter splitter(program);
      if (failed(splitter.run())) return PassResult::Failed;
      changed |= splitter.changed();
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerSplitWords(PassRegistry& registry) { registry.add<SplitWords>(); }

}  // namespace airlite::npu
