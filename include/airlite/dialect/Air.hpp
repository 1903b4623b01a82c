// The air dialect: typed views of its operations.
//
// Sources: the AIR dialect reference (operations, attributes) and the AIR compute model (tokens and
// their three lists, synchrony, hierarchy rules).
//
//   function.walk([&](Operation& op) {
//     if (auto herd = dynCast<air::HerdOp>(&op)) visit(herd.body(), herd.numDims());
//     if (auto put = dynCast<air::ChannelPutOp>(&op)) visit(put.channelName());
//   });
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <optional>
#include <vector>

namespace airlite::air {

/// The three levels of the memory hierarchy; values are the memory spaces of memrefs.
enum class MemoryLevel { L3 = 0, L2 = 1, L1 = 2 };

/// Level of a memref by its memory space (none is L3); empty for a space that is not a level
/// (`#air.symmetric_heap`, GPU spaces).
std::optional<MemoryLevel> memoryLevel(Type memref);
std::string_view levelName(MemoryLevel level);

/// `!air.async.token` or `!air.token`.
bool isTokenType(Type type);

/// Views of ops that take part in asynchronous execution: result 0, when of token type, fires when
/// the op is done; group 0 of the operands are its dependencies.
class AsyncOp : public OpView {
 public:
  using OpView::OpView;
  /// Null for the synchronous form.
  Value token() const;
  OperandRange dependencies() const { return op_->operandGroup(0); }
  void setDependencies(std::span<const Value> tokens) { op_->setOperandGroup(0, tokens); }
};
/// True for every op with Trait::AsyncOp.
bool isAsyncOp(const Operation& op);

/// launch, segment, herd or rank. Block arguments: ids, then sizes, then kernel arguments.
class HierarchyOp : public AsyncOp {
 public:
  using AsyncOp::AsyncOp;
  std::string_view symbol() const;
  OperandRange sizes() const;
  OperandRange kernelOperands() const;
  OperandRange affinity() const;
  OperandRange concurrency() const;
  unsigned numDims() const { return sizes().size(); }
  Block& body() const { return op_->region().front(); }
  Value id(unsigned i) const { return body().argument(i); }
  Value sizeArgument(unsigned i) const { return body().argument(numDims() + i); }
  Value kernelArgument(unsigned i) const { return body().argument(2 * numDims() + i); }
  unsigned numKernelOperands() const { return kernelOperands().size(); }
  /// The operand that `argument` of the body stands for; null for ids and sizes.
  Value tiedOperand(Value argument) const;
  /// The iteration space where it is constant.
  std::optional<std::vector<int64_t>> constantSizes() const;
};

/// Unit attribute of a launch, or of a parallel loop that becomes one: an element that several of its
/// instances write gets the same value from each, so they need no order. The interpreter sees that
/// it is true: whichever instance is last, the result is the same.
inline constexpr std::string_view kSameValues = "air.same_values";

/// Unit attribute of the same ops: an element of L3 memory that is both read and written is read once, by the instance that
/// writes it, on the core from which the new value comes and before that core sends it. So however early transfers start, an element
/// has been read when it is written.
inline constexpr std::string_view kReadsFirst = "air.reads_first";

/// Unit attribute of a memref.alloc in L2: the memory holds zeros where nothing has been written. On
/// a device it does from the time when the program is loaded, so what is written of it has to be the
/// same part each time.
inline constexpr std::string_view kZeroMemory = "air.zero_memory";
/// On a put or get: why no pass could make memory of its channel, for a target without channels.
inline constexpr std::string_view kStays = "air.stays";
/// On an allocation in L2: it is filled once and read in several rounds, so that it is worth a memory
/// tile for each part, whatever it takes to fill it.
inline constexpr std::string_view kKept = "air.kept";

class LaunchOp : public HierarchyOp {
 public:
  using HierarchyOp::HierarchyOp;
};
class SegmentOp : public HierarchyOp {
 public:
  using HierarchyOp::HierarchyOp;
};
class HerdOp : public HierarchyOp {
 public:
  using HierarchyOp::HierarchyOp;
};
class RankOp : public HierarchyOp {
 public:
  using HierarchyOp::HierarchyOp;
  /// Null when the pool is not constrained.
  Value universe() const;
};
/// That the cores of an NPU herd load and store L1 only and nothing coarser is allocated in it. The
/// verifier asks it of herds outside any launch; in a launch the target decides.
LogicalResult checkCoreMemory(HerdOp herd);
/// The view of any hierarchy op; null for other ops.
HierarchyOp asHierarchy(Operation* op);

/// One entry of an access list: a constant or a value.
struct IndexEntry {
  int64_t constant = 0;
  Value value;  // null: the constant counts
  std::optional<int64_t> known() const;
};

/// The memory side of a data movement: a memref and its access lists, all in elements. Empty lists
/// mean the whole memref.
struct Access {
  Value memref;
  std::vector<IndexEntry> offsets, sizes, strides;
  bool isWhole() const { return offsets.empty() && sizes.empty() && strides.empty(); }
};

class DmaMemcpyNdOp : public AsyncOp {
 public:
  using AsyncOp::AsyncOp;
  Access dst() const;
  Access src() const;
  /// Zeros before and after the data of each dimension; empty without padding.
  std::vector<int64_t> padBefore() const;
  std::vector<int64_t> padAfter() const;
};

class ChannelOp : public OpView {
 public:
  using OpView::OpView;
  std::string_view symbol() const;
  std::vector<int64_t> sizes() const;
  /// As written; "npu_dma_stream" when absent.
  std::string_view channelType() const;
  /// The npu_ / gpu_ spelling of channelType().
  std::string_view canonicalType() const;
  std::optional<std::vector<int64_t>> broadcastShape() const;
  /// Transfers in flight; 1 when absent.
  int64_t depth() const;
};

/// put or get.
class ChannelAccessOp : public AsyncOp {
 public:
  using AsyncOp::AsyncOp;
  bool isPut() const;
  std::string_view channelName() const;
  /// The declaration; null when it is missing.
  ChannelOp channel() const;
  OperandRange indices() const { return op_->operandGroup(1); }
  Access access() const;
};
/// The place of the channel is the same in all runs of the loops around: every index is a constant, an
/// id or an argument of a hierarchy op, or an argument of the function. Such a transfer waits for
/// its own run before in its process (docs/interpreter.md).
bool hasFixedPlace(ChannelAccessOp op);
class ChannelPutOp : public ChannelAccessOp {
 public:
  using ChannelAccessOp::ChannelAccessOp;
};
class ChannelGetOp : public ChannelAccessOp {
 public:
  using ChannelAccessOp::ChannelAccessOp;
};
/// A put or a get.
inline bool isChannelAccess(const Operation& op) {
  return isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op);
}

/// How often a put sends the same elements, one time after the other, as if it stood in a loop: its
/// `air.refeed_count` (a put of L1) or `air.send_count` (of L2, where the allocation holds the
/// count of all its puts). 1 for other ops.
int64_t sendsOf(const Operation& put);

/// One step back: what `value` is a view of, or what an execute passes on as `value`; else null.
Value bufferBefore(Value value);
/// All steps back.
Value bufferSource(Value value);

/// What the verifier leaves open, since programs are read in pieces: that the channel is declared,
/// and has as many dimensions as there are indices (or one place only). A pass that needs the
/// declaration asks first; a failure has been reported at `op`.
LogicalResult checkChannelUse(ChannelAccessOp op);

class ExecuteOp : public AsyncOp {
 public:
  using AsyncOp::AsyncOp;
  Block& body() const { return op_->region().front(); }
};
class WaitAllOp : public AsyncOp {
 public:
  using AsyncOp::AsyncOp;
};

}  // namespace airlite::air
