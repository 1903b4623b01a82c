// What the values of a runtime sequence stand for while it is run at compile time: integers,
// buffers of the host or of tiles, tasks.
#pragma once

#include "DmaQueues.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/npu/device/Units.hpp"
#include "airlite/npu/lower/ArrayConfig.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>

namespace airlite::npu {

/// Memory that the sequence names: an argument of the host, or memory of a tile.
struct HostMemory {
  unsigned argument = 0;
  Bytes offset;
};
struct TileMemory {
  Tile tile;
  Bytes offset;
};
using MemoryPlace = std::variant<HostMemory, TileMemory>;

class SequenceValues {
 public:
  SequenceValues(const ArrayConfig& config, Operation& sequence)
      : config_(config), sequence_(sequence) {}

  void bind(Value value, int64_t number) { numbers_[value] = number; }
  void bindTask(Value value, TaskId task) { tasks_[value] = task; }
  /// Each of `to` becomes what its partner in `from` is, all at once.
  void copy(OperandRange from, std::span<const Value> to);

  /// Empty when it is not known at compile time.
  std::optional<int64_t> number(Value value) const;
  /// The same; reports at `user`, which needs it as `what`.
  std::optional<int64_t> numberFor(Operation& user, Value value, std::string_view what) const;
  std::optional<TaskId> task(Value value) const;
  /// Where the first element of a memref lies. Reports at `user` what cannot be followed.
  std::optional<MemoryPlace> memory(Operation& user, Value memref) const;
  /// An op that computes numbers: its results are known when its operands are.
  void evaluate(Operation& op);

 private:
  /// What a value is known to be.
  struct Known {
    std::optional<int64_t> number;
    std::optional<TaskId> task;
    Value memory;
  };
  Known known(Value value) const;
  std::optional<MemoryPlace> ofArgument(Operation& user, Value memref) const;
  std::optional<MemoryPlace> ofView(Operation& user, Operation& view) const;
  std::optional<int64_t> viewOffset(Operation& user, Operation& view) const;

  const ArrayConfig& config_;
  Operation& sequence_;
  std::unordered_map<Value, int64_t> numbers_;
  std::unordered_map<Value, TaskId> tasks_;
  std::unordered_map<Value, Value> memories_;  ///< arguments of blocks inside: what they are
};

/// Where an `aie.buffer` lies by the configuration. Reports at `user` when it has no place.
std::optional<TileMemory> placeOfBuffer(const ArrayConfig& config, Operation& user,
                                        Operation& buffer);
/// A lock by its number in its tile, as lock value registers count.
struct LockPlace {
  Tile tile;
  unsigned number = 0;
};
std::optional<LockPlace> placeOfLock(const ArrayConfig& config, Operation& user, Operation* lock);
/// The place of a tile that the program or its verifier has fixed. Reports at `user` otherwise.
std::optional<Tile> placeOfTile(const ArrayConfig& config, Operation& user, Operation* tile);

}  // namespace airlite::npu
