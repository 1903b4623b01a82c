// The reference interpreter: what an AIR program means. It runs a function at any stage of
// lowering, with the asynchronous semantics of the compute model: ops run when their tokens allow,
// instances of a hierarchy op run side by side, and everything that may run is taken in an order
// that a seed decides. docs/interpreter.md says which rules it follows.
//
//   interp::Program program(*module);
//   interp::MemRef data = interp::allocate(type, {});  // a MemRefType of static shape
//   interp::Outcome outcome = program.run(*program.find("main"), {data}, {.seed = 7});
//   if (outcome.status != interp::RunStatus::Done) std::cerr << outcome.message << "\n";
#pragma once

#include "airlite/ir/Operation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace airlite::interp {

/// An integer (zero-extended from its width), the bits of a float in its format, or a value that
/// nothing has been stored to.
struct Scalar {
  uint64_t bits = 0;
  bool poison = false;
  bool operator==(const Scalar&) const = default;
};

/// Bytes that it owns, or a part of memory that several processes share. A copy owns its bytes.
template <class T> class ByteStore {
 public:
  ByteStore() = default;
  ByteStore(std::vector<T> own) : own_(std::move(own)) { showOwn(); }
  ByteStore(const ByteStore& other) : own_(other.begin(), other.end()) { showOwn(); }
  ByteStore(ByteStore&& other) noexcept { swap(other); }
  ByteStore& operator=(ByteStore other) noexcept {
    swap(other);
    return *this;
  }
  ~ByteStore() = default;

  T* data() { return there_.data(); }
  const T* data() const { return there_.data(); }
  size_t size() const { return there_.size(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }

  /// The same bytes, wherever they are.
  friend bool operator==(const ByteStore& a, const ByteStore& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  void resize(size_t size, T value = {}) {
    takeOver();
    own_.resize(size, value);
    showOwn();
  }
  void assign(size_t size, T value) { *this = std::vector<T>(size, value); }
  template <std::input_iterator It> void assign(It first, It last) {
    *this = std::vector<T>(first, last);
  }
  /// From here on the bytes are those at `there`, which live longer than this.
  void placeIn(std::span<T> there) {
    own_ = {};
    there_ = there;
  }
  /// The bytes become its own again.
  void takeOver() {
    if (there_.data() == own_.data()) return;
    own_.assign(there_.begin(), there_.end());
    showOwn();
  }

 private:
  void showOwn() { there_ = own_; }
  void swap(ByteStore& other) noexcept {
    own_.swap(other.own_);
    std::swap(there_, other.there_);
  }
  std::vector<T> own_;
  std::span<T> there_;
};

/// What a memref points into. Each byte knows whether something was stored to it.
struct Memory {
  ByteStore<std::byte> data;
  ByteStore<uint8_t> known;  // 1: initialised
  bool freed = false;
  /// Where ranks in several processes see the memory: whether one of them has freed it.
  uint8_t* freedByAny = nullptr;
  bool constant = false;
  bool perCore = false;              // each core of a herd has its own copy
  uint8_t level = 0;                 // 0: L3, 1: L2, 2: L1
  Operation* allocatedBy = nullptr;  // null: given by the caller
  Operation* freedBy = nullptr;
  /// The copies, by the number of the core.
  std::vector<std::pair<uint64_t, std::shared_ptr<Memory>>> copies;
  /// Turns that the cores of a herd have had with it.
  std::shared_ptr<struct TurnCounts> turns = nullptr;
  /// Where packets with a destination have arrived (the byte of their first element), and which.
  std::vector<std::pair<size_t, int64_t>> routes;
  /// In the symmetric heap: the same allocation on every rank, while the run lasts.
  const std::vector<std::shared_ptr<Memory>>* peers = nullptr;
};

/// A strided window on memory; offset, sizes and strides in elements.
struct MemRef {
  std::shared_ptr<Memory> memory;
  int64_t offset = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

/// A scalar, a memref (also the contents of a tensor), or a vector in row-major order.
using Datum = std::variant<Scalar, MemRef, std::vector<Scalar>>;

/// Bytes of an element in memory: the next power of two; a vector has one element after the other.
/// 0 for types that have no bytes here.
unsigned elementBytes(Type element);
/// Fresh row-major memory for `type`, whose open sizes are given by `sizes`. Nothing is
/// initialised.
MemRef allocate(MemRefType type, std::span<const int64_t> sizes);
/// Element number `i` of the window in row-major order.
Scalar readElement(const MemRef& memref, Type element, size_t i);
void writeElement(const MemRef& memref, Type element, size_t i, Scalar value);
size_t numElements(const MemRef& memref);

/// Which direct accesses (load, store, linalg, copy) to memory of another level are errors.
enum class LevelRule : uint8_t {
  Free,    // none
  Outer,   // code of a launch or segment may not touch memory that is nearer to the cores
  Strict,  // each level touches its own memory only, as on an NPU
};

class RankTransport;

struct RunOptions {
  uint64_t seed = 0;
  /// Starts the ranks of an air.rank as processes (RankTransport.hpp); null: all run in this one.
  RankTransport* ranks = nullptr;
  /// Ops that come as late as they can: a process that is about to run one waits until nothing else
  /// can continue. Of an asynchronous op that is its work, not the start of it.
  std::vector<Operation*> late;
  /// Ends the run after so many steps; 0: never.
  uint64_t maxSteps = 0;
  LevelRule levels = LevelRule::Outer;
  /// Work-items of a core that runs code with gpu.lane_id.
  unsigned lanes = 64;
  /// Sums and products of affine maps wrap instead of being an error.
  bool affineWraps = false;
  /// Calls of functions without a body are recorded (see Outcome::calls) instead of being an error.
  bool recordCalls = false;
  /// Asked every few turns of processes, with how many the run has taken; true ends the run as Stopped.
  std::function<bool(uint64_t steps)> wantsStop = {};
};

enum class RunStatus : uint8_t {
  Done,
  Failed,       // an error of the program: a wrong access, an undefined operation
  Deadlock,     // nothing can continue
  Unsupported,  // an op that the interpreter does not know
  TooLong,      // maxSteps
  Stopped,      // RunOptions::wantsStop
};

struct Outcome {
  RunStatus status = RunStatus::Done;
  /// Unless Done: the message of the error, which has been reported at its op as well.
  std::string message;
  std::vector<Datum> results;
  std::vector<Scalar> calls;
  uint64_t steps = 0;
  uint64_t processes = 0;
};

/// Functions of a module in a compact form. The module must stay as it is while this lives.
class Program {
 public:
  explicit Program(Operation& module);
  ~Program();
  Program(Program&&) noexcept;

  /// The function with a body called `name`; null when there is none.
  Operation* find(std::string_view name) const;
  /// Runs a func.func with a body. Memory among the arguments is changed in place. Arguments must
  /// fit the parameters: one datum each, a MemRef for a memref or tensor, a vector for a vector.
  Outcome run(Operation& function, std::vector<Datum> arguments, const RunOptions& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace airlite::interp
