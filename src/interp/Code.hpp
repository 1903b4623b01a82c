// The compact form of a program: instructions over numbered registers. Names are looked up once,
// when an op is compiled; a running instruction is a function pointer and numbers.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <any>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace airlite::interp {

struct Inst;
class Run;

/// What an instruction says to the loop that runs it.
enum class Step : uint8_t {
  Next,   // continue at run.pc
  Again,  // it has done a part of its work, Run::spent steps, and runs again when they are counted
  Retry,  // an operand is not what was expected: it may be the pending result of an execute
  Block,  // the process waits; the instruction runs again when it is woken
  End,    // the process is done
  Fail,   // an error has been reported
};

using Handler = Step (*)(Run& run, const Inst& inst);

struct Inst {
  Handler handler = nullptr;
  const uint32_t* in = nullptr;  // registers that it reads
  uint32_t numIn = 0;
  uint32_t out = 0;   // first of the registers that it writes
  uint32_t jump = 0;  // where control goes to when it does not continue
  int64_t imm = 0;
  bool isStart = false;  // starts the work of its op, in a process of its own
  const void* data = nullptr;
  Operation* op = nullptr;
};

/// One body: of a function, of an instance of a hierarchy op, of an execute, of a transfer.
struct Code {
  Operation* op = nullptr;  // what it is the body of
  std::vector<Inst> insts;
  uint32_t numRegisters = 0;
  std::vector<uint32_t> captured;  // registers of the code around it ...
  std::vector<uint32_t> params;    // ... and where their values go
};

/// Owns what instructions point to.
class Arena {
 public:
  const uint32_t* list(std::span<const uint32_t> registers) {
    lists_.emplace_back(registers.begin(), registers.end());
    return lists_.back().data();
  }
  template <class T> T* make(T value = {}) {
    return std::any_cast<T>(&data_.emplace_back(std::move(value)));
  }
  Code* makeCode(Operation* op) {
    codes_.emplace_back();
    codes_.back().op = op;
    return &codes_.back();
  }

 private:
  std::deque<std::vector<uint32_t>> lists_;
  std::deque<std::any> data_;
  std::deque<Code> codes_;
};

}  // namespace airlite::interp
