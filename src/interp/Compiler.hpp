// From operations to instructions. Each dialect adds its ops to a table of compile functions; what
// is in no table becomes an instruction that fails when it is reached.
#pragma once

#include "Code.hpp"
#include "Value.hpp"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite::interp {

class Builder;
struct TurnMark;

/// Adds the instructions of one op. False: the op is not supported on these types.
using CompileFn = bool (*)(Builder& b, Operation& op);
using CompileTable = std::unordered_map<std::string_view, CompileFn>;

/// Makes the code of functions when they are first called.
class Compiler {
 public:
  Compiler();
  ~Compiler();
  /// The body of a func.func that has one.
  const Code& function(Operation& function);
  Arena& arena() { return arena_; }
  CompileFn find(Operation& op) const;
  /// The number that stands for a channel, memref.global or function in the instructions.
  const CompileTable& table() const { return table_; }
  /// What cores do around ops of a herd's body (Turns.hpp).
  std::unordered_map<Operation*, std::vector<TurnMark>> turns;

 private:
  Arena arena_;
  CompileTable table_;
  std::unordered_map<Operation*, Code*> functions_;
};

/// Makes one Code. A builder of a body inside sees the values of the builder around it and notes
/// which of them it needs.
class Builder {
 public:
  using Registers = std::vector<uint32_t>;
  using Terminate = std::function<void(Operation& terminator)>;

  Builder(Compiler& compiler, Code& code, Builder* outer = nullptr)
      : compiler_(compiler), code_(code), outer_(outer) {}

  Compiler& compiler() { return compiler_; }
  Arena& arena() { return compiler_.arena(); }
  Code& code() { return code_; }

  // -- Registers
  /// Where `value` is; captures it when it belongs to the code around.
  uint32_t use(Value value);
  template <class Range> Registers useAll(const Range& values) {
    Registers registers;
    for (Value value : values)
      registers.push_back(use(value));
    return registers;
  }
  uint32_t define(Value value);
  /// Consecutive registers for all results.
  uint32_t defineResults(Operation& op);
  uint32_t temporary(uint32_t count = 1);
  /// A register of this code that starts with what `outer` register holds.
  uint32_t capture(uint32_t outer);
  void bind(Value value, uint32_t reg) { registers_[value] = reg; }

  // -- Instructions
  Inst& emit(Handler handler, Operation& op, std::span<const uint32_t> in = {}, uint32_t out = 0);
  Inst& emit(Handler handler, Operation& op, std::initializer_list<uint32_t> in, uint32_t out = 0) {
    return emit(handler, op, std::span(in.begin(), in.size()), out);
  }
  uint32_t here() const { return static_cast<uint32_t>(code_.insts.size()); }
  void patch(uint32_t inst) { code_.insts[inst].jump = here(); }
  uint32_t jump(Operation& op);  // to be patched
  void jumpTo(Operation& op, uint32_t target);
  /// All at once: a source may be a target too.
  void move(Operation& op, const Registers& from, const Registers& to);
  uint32_t constant(Operation& op, int64_t value);
  /// Fails when it is reached.
  void unsupported(Operation& op);

  // -- Regions
  /// All ops of a region; `terminate` compiles a terminator that leaves it. What follows it is the
  /// next instruction after the region (jumps to it are added).
  void region(Region& region, Terminate terminate);
  void block(Block& block, const Terminate& terminate);
  void op(Operation& op);
  /// Moves the operands of a terminator and leaves the region.
  Terminate yieldTo(Registers targets);
  /// A branch to a block of the region that is being compiled.
  void branch(Operation& op, Block& target, OperandRange values);

  // -- Loops: `body` gets the register of the counter.
  void forLoop(Operation& op, uint32_t lower, uint32_t upper, uint32_t step, unsigned width,
               uint32_t counter, const std::function<void()>& body);

 private:
  struct Label {
    uint32_t pc = 0;
    bool placed = false;
    std::vector<uint32_t> jumps;
  };
  Label& label(Block& block) { return labels_[&block]; }

  Compiler& compiler_;
  Code& code_;
  Builder* outer_;
  std::unordered_map<Value, uint32_t> registers_;
  std::unordered_map<uint32_t, uint32_t> captures_;
  std::unordered_map<Block*, Label> labels_;
};

/// arith.constant of a tensor.
bool compileTensorConstant(Builder& b, Operation& op);

void addControl(CompileTable& table);
void addElementwise(CompileTable& table);
void addAffine(CompileTable& table);
void addMemRef(CompileTable& table);
void addViews(CompileTable& table);
void addLinalg(CompileTable& table);
void addLinalgPack(CompileTable& table);
void addVector(CompileTable& table);
void addTensor(CompileTable& table);
void addTensorShapes(CompileTable& table);
void addParallel(CompileTable& table);
void addAir(CompileTable& table);
void addChannels(CompileTable& table);
void addGpu(CompileTable& table);
void addRanks(CompileTable& table);

}  // namespace airlite::interp
