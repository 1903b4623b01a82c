// What is defined, while a program is played: elements that nobody wrote, and what is computed from
// them, until they reach what the program hands out.
//
// Where it cannot be told what an op does, everything that it may write counts as defined: nothing
// is reported that does not happen.
#pragma once

#include "PathValues.hpp"
#include "Playback.hpp"
#include "UndefinedRuns.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <map>
#include <unordered_map>

namespace airlite::analysis {

/// The first op that read something that nobody wrote.
struct UndefinedRead {
  Operation* op = nullptr;
  InstanceId instance = 0;
  Value buffer;
  int64_t element = 0;
};

/// Elements on their way, in order.
struct UndefinedStream {
  struct Part {
    int64_t count = 0;
    UndefinedOrigin origin = kIsDefined;
  };
  std::vector<Part> parts;

  void append(int64_t count, UndefinedOrigin origin) {
    if (count <= 0) return;
    if (!parts.empty() && parts.back().origin == origin)
      parts.back().count += count;
    else
      parts.push_back({count, origin});
  }
};

/// The memory of one run of a program. Elements are numbered in the order of a buffer.
class DefinedMemory {
 public:
  explicit DefinedMemory(const Unfolding& unfolding);

  UndefinedRuns& of(uint32_t buffer) { return memories_[buffer]; }
  bool hasUndefined(uint32_t buffer) { return !of(buffer).isEmpty(); }
  /// All of it, and of its copies.
  void define(uint32_t buffer);
  void defineAll();
  void define(uint32_t buffer, const ElementPiece& piece);
  /// The piece that a touch is of; null for a buffer whose elements are not numbered.
  std::optional<ElementPiece> pieceOf(const Touch& touch) const;
  std::optional<ElementPiece> wholeOf(uint32_t buffer) const;
  bool seesUndefined(uint32_t buffer, const ElementPiece& piece);

  /// What a reader makes of `origin`: itself when nobody wrote the element.
  UndefinedOrigin readBy(Operation& op, InstanceId instance, Value buffer, int64_t element,
                         UndefinedOrigin origin);
  const UndefinedRead& read(UndefinedOrigin origin) const { return reads_[origin - 2]; }

  /// Reads `piece` of `from` as `op` does. False when that takes too many steps.
  bool append(UndefinedStream& stream, Operation& op, InstanceId instance, Value buffer,
              const UndefinedRuns& from, const ElementPiece& piece);
  /// Writes a stream that has as many elements as `piece`, else false.
  bool take(const UndefinedStream& stream, UndefinedRuns& to, const ElementPiece& piece);

  /// What is left to be spent; below 0 nothing is said.
  int64_t budget;

 private:
  void shareBetweenCores();

  const Unfolding& in_;
  std::vector<std::vector<uint32_t>> copies_;
  std::vector<UndefinedRuns> memories_;
  std::vector<UndefinedRead> reads_;
  std::map<std::pair<Operation*, const detail::ValueImpl*>, UndefinedOrigin> readers_;
};

/// Runs a computation on what is defined and what is not. One class: loops, accesses and structured
/// ops work on the same values and memories.
class DefinedNest {
 public:
  /// `point`: of a computation.
  DefinedNest(const Unfolding& unfolding, const Point& point, DefinedMemory& memory);
  /// False when it cannot be followed: what it may write is to be taken as defined.
  bool run();

 private:
  /// Memory that the computation makes for itself.
  struct Own {
    UndefinedRuns runs;
    int64_t size = 0;
  };
  /// Of a structured op: element start + sum of factor * loop of a buffer.
  struct Operand {
    bool isScalar = false;
    Value buffer;
    UndefinedRuns* memory = nullptr;
    ElementPiece piece;
    int64_t start = 0;
    std::vector<int64_t> factors;
  };

  bool runBlock(Block& block);
  bool runOp(Operation& op);
  bool runLoops(Operation& op);
  bool runCounter(Operation& op, const std::vector<Counter>& counters, size_t k,
                  std::vector<UndefinedOrigin>& carried);
  bool runBranch(Operation& op);
  bool runPure(Operation& op);
  bool runAccess(Operation& op, const std::vector<BufferAccess>& accesses);
  bool load(Operation& op, Value buffer, const UndefinedRuns& memory, const ElementPiece& piece);
  bool store(Operation& op, UndefinedRuns& memory, const ElementPiece& piece);
  bool runCopy(Operation& op);

  bool runStructured(Operation& op);
  std::optional<Operand> operandOf(linalg::StructuredOp op, unsigned i, const AffineMap& map);
  bool runOutput(linalg::StructuredOp op, unsigned output, const std::vector<bool>& depends,
                 std::vector<Operand>& operands);
  bool hasUndefined(const Operand& operand);
  bool fill(UndefinedRuns& memory, const ElementPiece& piece, UndefinedOrigin origin);
  bool combine(linalg::StructuredOp op, Operand& target, const std::vector<unsigned>& sources,
               std::vector<Operand>& operands);

  UndefinedRuns* memoryOf(Value buffer);
  std::optional<ElementPiece> pieceOf(const BufferAccess& access);
  UndefinedOrigin& taint(Value value) { return taints_[value.impl()]; }

  const Unfolding& in_;
  const Point& point_;
  DefinedMemory& memory_;
  PathValues values_;
  AccessReader reader_;
  std::unordered_map<const detail::ValueImpl*, UndefinedOrigin> taints_;
  std::unordered_map<const detail::ValueImpl*, uint32_t> buffers_;
  std::unordered_map<const detail::ValueImpl*, Own> own_;
};

}  // namespace airlite::analysis
