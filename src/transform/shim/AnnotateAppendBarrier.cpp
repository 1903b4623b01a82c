// air-annotate-append-barrier: marks where the host's list of transfers has to wait for itself.
//
// A channel.get writes the buffer that it names and a channel.put reads it. For buffers in L3 both
// become entries of the host's list of transfers, which starts one after the other and does not
// wait: what is read back may then be older than what was appended. Between L2 and L1 locks keep
// the order. Matches a put of an L3 buffer that comes after a get into elements that it may send:
// after it, or in a later iteration of a loop around both. The get gets `air.append_barrier`. The
// put gets `air.await_appends`, unless a put before it, on every way to it, waits for the same get.
//
// Declines, with a remark: a pair for which the program itself states no order. To wait there could
// be to wait for something that needs the put. Ops of segments and herds are not entries of the
// list; branches that never both run are not a pair.
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/RunOrder.hpp"

#include <map>

namespace airlite {

namespace {

using namespace air;

constexpr std::string_view kAppends = "air.append_barrier", kAwaits = "air.await_appends";

bool isEntry(Operation& op) {
  if (!isa<ChannelPutOp>(&op) && !isa<ChannelGetOp>(&op)) return false;
  if (memoryLevel(ChannelAccessOp(&op).access().memref.type()) != MemoryLevel::L3) return false;
  return !op.parentOf<SegmentOp>() && !op.parentOf<HerdOp>();
}

/// Whenever `later` runs, `earlier`, which stands before it, has run.
bool isOnTheWay(Operation& earlier, Operation& later) {
  Operation* at = ancestorIn(*earlier.block(), later);
  return at && at != &earlier && earlier.isBeforeInBlock(at);
}

/// The gets into one buffer and the puts from it.
class Entries {
 public:
  Entries(analysis::AccessReader& reader, RunOrder& order, PassContext& context)
      : reader_(reader), order_(order), context_(context) {}

  void add(Operation& op) {
    (isa<ChannelPutOp>(&op) ? puts_ : gets_).push_back({&op, accesses(op)});
  }

  bool mark() {
    bool changed = false;
    for (Entry& put : puts_)
      for (Entry& get : gets_)
        changed |= mark(get, put);
    return changed;
  }

 private:
  struct Entry {
    Operation* op;
    std::vector<analysis::BufferAccess> accesses;
    std::vector<Operation*> awaiting = {};  // of a get: puts that wait for it
  };

  std::vector<analysis::BufferAccess> accesses(Operation& op) {
    std::vector<analysis::BufferAccess> result;
    reader_.direct(op, result);
    return result;
  }

  bool mark(Entry& get, Entry& put) {
    bool isAfter = comesAfter(get, put), isNextRun = comesInLaterRun(get, put);
    if (!isAfter && !isNextRun) return false;
    if (!isNextRun && isAwaitedBefore(get, *put.op)) return false;
    if (!order_.areApart(*get.op, *put.op))
      return context_.remark(*put.op, "is not ordered after a get into what it sends"), false;
    Attribute mark = UnitAttr::get(put.op->context());
    bool changed = !get.op->hasAttr(kAppends) || !put.op->hasAttr(kAwaits);
    get.op->setAttr(kAppends, mark);
    put.op->setAttr(kAwaits, mark);
    get.awaiting.push_back(put.op);
    return changed;
  }

  static bool isAwaitedBefore(const Entry& get, Operation& put) {
    for (Operation* other : get.awaiting)
      if (isOnTheWay(*other, put) && stands(*get.op, *other)) return true;
    return false;
  }

  /// `first` stands before `second`, and they are not branches of one op.
  static bool stands(Operation& first, Operation& second) {
    Block* block = commonBlock(first, second);
    if (!block) return false;
    Operation *a = ancestorIn(*block, first), *b = ancestorIn(*block, second);
    return a != b && a->isBeforeInBlock(b);
  }

  bool comesAfter(const Entry& get, const Entry& put) {
    if (!stands(*get.op, *put.op)) return false;
    return touch(get, put, [&](const auto& a, const auto& b) { return reader_.mayOverlap(a, b); });
  }

  bool comesInLaterRun(const Entry& get, const Entry& put) {
    Block* block = commonBlock(*get.op, *put.op);
    for (Operation* at = block ? block->parentOp() : nullptr; at && !asHierarchy(at);
         at = at->parentOp()) {
      if (!isa<scf::ForOp>(at) && !isa<affine::ForOp>(at)) continue;
      if (touch(get, put,
                [&](const auto& a, const auto& b) { return reader_.mayConflictAcross(b, a, *at); }))
        return true;
    }
    return false;
  }

  template <class Fn> static bool touch(const Entry& get, const Entry& put, Fn mayTouch) {
    for (const analysis::BufferAccess& a : get.accesses)
      for (const analysis::BufferAccess& b : put.accesses)
        if (a.kind == analysis::AccessKind::Write && b.kind == analysis::AccessKind::Read &&
            mayTouch(a, b))
          return true;
    return false;
  }

  analysis::AccessReader& reader_;
  RunOrder& order_;
  PassContext& context_;
  std::vector<Entry> puts_, gets_;
};

class AnnotateAppendBarrier : public Pass {
 public:
  AnnotateAppendBarrier()
      : Pass("air-annotate-append-barrier", "Marks puts of L3 that wait for gets into the buffer") {
    anchor("func.func");
    example("airlite-opt --air-annotate-append-barrier in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    analysis::AccessReader reader;
    TokenReach reach;
    RunOrder order(reach);
    std::vector<Entries> all;
    std::map<const void*, size_t> numbers;
    function.walk(
        [&](Operation& op) {
          if (!isEntry(op)) return;
          Value buffer = reader.bufferOf(ChannelAccessOp(&op).access().memref).value;
          auto [at, isNew] = numbers.try_emplace(buffer ? buffer.impl() : nullptr, all.size());
          if (isNew) all.emplace_back(reader, order, context);
          all[at->second].add(op);
        },
        WalkOrder::PreOrder);
    bool changed = false;
    for (Entries& entries : all)
      changed |= entries.mark();
    return changedIf(changed);
  }
};

}  // namespace

void registerAnnotateAppendBarrier(PassRegistry& registry) {
  registry.add<AnnotateAppendBarrier>();
}

}  // namespace airlite
