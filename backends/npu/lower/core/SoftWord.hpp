// Words that routines for floats compute with: 32 bits without a sign, and single bits. A routine
// is a template over a machine and is written once: on the machine of this file it emits ops of
// arith, on HostMachine (tests) it computes at once, so that the very same routine can be tried on
// all numbers.
//
// A machine has `Word` and `Bit` with the operators below, and gives constants, selections, loops.
#pragma once

#include "SoftTables.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace airlite::npu::soft {

/// The type of the constant memref.global `name` with these words, made at the end of `table` when it is not there.
MemRefType ensureGlobal(Operation& table, std::string_view name, std::span<const uint32_t> words);

/// Emits ops at the insertion point of a builder.
class IrMachine {
 public:
  struct Bit {
    IrMachine* machine = nullptr;
    Value value;  // i1
    Bit operator&(Bit other) const { return binary("arith.andi", other); }
    Bit operator|(Bit other) const { return binary("arith.ori", other); }
    Bit operator!() const;

   private:
    Bit binary(std::string_view name, Bit other) const;
  };

  struct Word {
    IrMachine* machine = nullptr;
    Value value;  // i32
    Word operator+(Word b) const { return binary("arith.addi", b); }
    Word operator-(Word b) const { return binary("arith.subi", b); }
    Word operator*(Word b) const { return binary("arith.muli", b); }
    Word operator/(Word b) const { return binary("arith.divui", b); }
    Word operator&(Word b) const { return binary("arith.andi", b); }
    Word operator|(Word b) const { return binary("arith.ori", b); }
    Word operator^(Word b) const { return binary("arith.xori", b); }
    Word operator<<(Word b) const { return binary("arith.shli", b); }
    Word operator>>(Word b) const { return binary("arith.shrui", b); }
    Word operator~() const { return *this ^ machine->word(~0u); }
    Word operator+(uint32_t b) const { return *this + machine->word(b); }
    Word operator-(uint32_t b) const { return *this - machine->word(b); }
    Word operator*(uint32_t b) const { return *this * machine->word(b); }
    Word operator&(uint32_t b) const { return *this & machine->word(b); }
    Word operator|(uint32_t b) const { return *this | machine->word(b); }
    Word operator^(uint32_t b) const { return *this ^ machine->word(b); }
    Word operator<<(uint32_t b) const { return *this << machine->word(b); }
    Word operator>>(uint32_t b) const { return *this >> machine->word(b); }

   private:
    friend class IrMachine;
    Word binary(std::string_view name, Word other) const;
  };

  /// Routines that are called are made in `table`.
  IrMachine(Builder& builder, Location location, Operation& table)
      : builder_(&builder), location_(location), table_(&table) {}

  Word word(uint32_t number);
  Word wordOf(Value value) { return {this, value}; }
  Word word(Bit bit);
  Word select(Bit condition, Word yes, Word no);
  Word arithmeticShift(Word word, Word by) { return word.binary("arith.shrsi", by); }
  Word minUnsigned(Word a, Word b) { return a.binary("arith.minui", b); }
  Word maxUnsigned(Word a, Word b) { return a.binary("arith.maxui", b); }
  Word minSigned(Word a, Word b) { return a.binary("arith.minsi", b); }
  Word maxSigned(Word a, Word b) { return a.binary("arith.maxsi", b); }
  Word leadingZeros(Word word);  // 32 for 0
  Bit compare(arith::CmpIPredicate predicate, Word a, Word b);
  Bit equal(Word a, Word b) { return compare(arith::CmpIPredicate::eq, a, b); }
  Bit less(Word a, Word b) { return compare(arith::CmpIPredicate::ult, a, b); }
  Bit lessSigned(Word a, Word b) { return compare(arith::CmpIPredicate::slt, a, b); }

  /// The upper 64 bits of a product of two numbers of 64 bits (see SoftMath.hpp).
  std::array<Word, 2> upperProduct(std::array<Word, 4> numbers) {
    return callFor("__air_mul64", numbers);
  }
  /// 2^x, high words first (Math::powerOfTwo).
  std::array<Word, 2> powerOfTwo(std::array<Word, 2> x) { return callFor("__air_exp2_64", x); }
  /// a / b, low words first (Wide::fraction).
  std::array<Word, 2> fraction(std::array<Word, 4> numbers) {
    return callFor("__air_fraction64", numbers);
  }
  template <size_t N> Word lookup(const Table<N>& table, Word index) {
    return lookup(table.name, table.words, index);
  }

  /// `state = body(state)`, `count` times.
  template <size_t N, class Body>
  std::array<Word, N> repeat(uint32_t count, std::array<Word, N> state, Body body) {
    scf::ForOp loop = beginLoop(count, state.data(), N);
    for (size_t i = 0; i < N; ++i)
      state[i].value = loop.regionIterArg(static_cast<unsigned>(i));
    state = body(state);
    endLoop(loop, state.data(), N);
    for (size_t i = 0; i < N; ++i)
      state[i].value = loop->result(static_cast<unsigned>(i));
    return state;
  }

  Builder& builder() { return *builder_; }
  Location location() const { return location_; }

 private:
  std::array<Word, 2> callFor(std::string_view routine, std::span<const Word> words);
  Word lookup(std::string_view table, std::span<const uint32_t> words, Word index);
  scf::ForOp beginLoop(uint32_t count, const Word* state, size_t size);
  void endLoop(scf::ForOp loop, const Word* state, size_t size);

  Builder* builder_;
  Location location_;
  Operation* table_;
};

}  // namespace airlite::npu::soft
