// What airrt-to-npu knows of a runtime sequence while it makes it: the shim channels of a device,
// and the tasks that transfers become.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Airrt.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace airlite::npu {

using aie::MaybeStatic;

/// A DMA channel of a shim, for the host.
struct ShimPort {
  std::string name;           // of the first aie.shim_dma_allocation for it, or of the object FIFO
  Operation* tile = nullptr;  // aie.tile or aie.logical_tile
  bool sends = false;         // to the device
};

/// The shim channels of a device, by all names that stand for them.
class ShimPorts {
 public:
  explicit ShimPorts(Operation& device);
  /// Null for an unknown name.
  const ShimPort* find(std::string_view name) const;

 private:
  void addAllocations(Operation& device);
  void addFifos(Operation& device);

  std::vector<std::unique_ptr<ShimPort>> ports_;
  std::unordered_map<std::string, const ShimPort*> byName_;
};

/// An airrt.dma_memcpy_nd with its numbers known as far as they are: constants, or i64 values of
/// the sequence. Outermost first, in elements.
struct Transfer {
  Operation* op = nullptr;
  const ShimPort* port = nullptr;
  Value buffer;                                    // an argument of the sequence
  int64_t start = 0;                               // its element that offsets count from
  std::vector<std::pair<Value, int64_t>> indices;  // and as many more as these times their numbers
  std::array<MaybeStatic, 4> offsets, lengths, strides;
};

/// One descriptor in the queue of a shim channel.
struct Task {
  Operation* transfer = nullptr;
  const ShimPort* port = nullptr;
  Value buffer;
  MaybeStatic offset, length;                     // in elements; i32 values
  std::vector<std::pair<int64_t, int64_t>> dims;  // size and stride, outermost first
  MaybeStatic repeats;                            // runs besides the first; an i32 value
  bool isCoalesced = false;                       // several transfers in one
  bool isAwaitedFor = true;  // somebody waits for its event, or it has none: it is synchronous

  // While the sequence is written.
  Operation* configure = nullptr;
  Operation* freed = nullptr;  // the aiex.dma_free_task
  bool isDone = false;         // known to be through

  bool has(std::string_view mark) const { return transfer->hasAttr(mark); }
  /// Does it issue a token when it is through?
  bool issuesToken() const { return !port->sends || hasToken; }
  bool hasToken = false;
};

/// The tasks of a transfer, in the order in which they run. Splits what one descriptor cannot say,
/// keeping the order of the elements:
///  - a repetition outside of everything that moves is the repeat count of the task;
///  - the outermost of four dimensions is the iteration of the descriptor (repeat count as well),
///    at most 63, else several tasks;
///  - sizes above 1023 are split into two dimensions, whole words inside;
///  - a linear transfer may be of any length;
///  - strides above the limit, and dimensions around a repetition, are unrolled where they are
///    short and nothing moves around them.
/// Numbers that are only known when the sequence runs: an offset; the number of repetitions; one
/// size of a linear transfer. `builder` makes the arithmetic. Failures have been reported.
LogicalResult makeTasks(const Transfer& transfer, Builder& builder, std::vector<Task>& tasks);

/// Joins tasks of one channel, in their order, that are alike but for a distance which is the same
/// from one to the next: by a longer transfer, by another dimension or iterations of the
/// descriptor, or by repetition. The elements and their order stay. Nothing where a task has a
/// number that is only known when the sequence runs, or a mark that asks for something at its place.
void joinTasks(std::vector<Task>& tasks);

/// May the two have an element of memory in common, which one of them writes?
bool conflict(const Task& a, const Task& b);

}  // namespace airlite::npu
