// The order in which the host issues the transfers of a launch.
#include "HostLoops.hpp"
#include "airlite/dialect/Airrt.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::npu {

namespace {

constexpr std::string_view kLaunchEnd = "air.launch_end", kIterationEnd = "air.iteration_end";

/// What an op of the body moves, itself or in its loops.
struct Movement {
  std::vector<airrt::DmaMemcpyNdOp> received, sent;
  bool isEmpty() const { return received.empty() && sent.empty(); }
};

class TransferOrder {
 public:
  TransferOrder(Block& body, const HostChannels& channels) : body_(body), channels_(channels) {}

  void run(bool isLaunch) {
    hoistLoad();
    if (!isLaunch) return;
    if (endWait()) receiveFirst();
    waitAtEnd();
  }

 private:
  bool isReceived(airrt::DmaMemcpyNdOp transfer) const {
    auto name = transfer->attrOf<SymbolRefAttr>("metadata");
    return name && channels_.takesFromDevice(name.root());
  }

  Movement movementOf(Operation& op) const {
    Movement movement;
    op.walk([&](Operation& inner) {
      if (!isa<airrt::DmaMemcpyNdOp>(&inner)) return;
      airrt::DmaMemcpyNdOp transfer(&inner);
      (isReceived(transfer) ? movement.received : movement.sent).push_back(transfer);
    });
    return movement;
  }

  static bool hasLoad(Operation& op) {
    bool found = false;
    op.walk([&](Operation& inner) { found |= isa<airrt::SegmentLoadOp>(&inner); });
    return found;
  }

  Operation* firstLoad() const {
    for (Operation& op : body_.ops())
      if (isa<airrt::SegmentLoadOp>(&op)) return &op;
    return nullptr;
  }

  /// The load of the first segment goes before its first transfer.
  void hoistLoad() {
    Operation* load = firstLoad();
    for (Operation& op : body_.ops()) {
      if (&op == load || hasLoad(op)) return;
      if (movementOf(op).isEmpty()) continue;
      if (load) load->moveBefore(&op);
      return;
    }
  }

  // -- Receivers first ----------------------------------------------------------------------------

  void receiveFirst() {
    Operation* anchor = nullptr;
    std::vector<Operation*> receivers;
    std::vector<airrt::DmaMemcpyNdOp> passed;
    for (Operation& op : body_.ops()) {
      Movement movement = movementOf(op);
      if (!movement.sent.empty() && !anchor) anchor = &op;
      if (movement.sent.empty() && !movement.received.empty()) receivers.push_back(&op);
    }
    if (!anchor) anchor = firstLoad();
    if (!anchor) return;
    for (Operation* op : receivers)
      if (anchor->isBeforeInBlock(op)) moveUp(*op, *anchor);
  }

  /// With all it is computed from. Declines where that needs what happens in between, or where a
  /// transfer in between has the same memory.
  void moveUp(Operation& op, Operation& anchor) {
    for (Operation* between = &anchor; between != &op; between = between->next())
      if (sharesMemory(movementOf(*between), movementOf(op))) return;
    std::vector<Operation*> slice;
    std::unordered_set<Operation*> seen;
    if (!collect(op, anchor, slice, seen)) return;
    for (Operation* needed : slice)
      needed->moveBefore(&anchor);
    op.moveBefore(&anchor);
  }

  /// The ops after `anchor` that `op` needs, in an order in which they can stand.
  bool collect(Operation& op, Operation& anchor, std::vector<Operation*>& slice,
               std::unordered_set<Operation*>& seen) const {
    bool isPossible = true;
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands()) {
        Operation* source = operand.definingOp();
        if (!source || source->block() != &body_ || source->isBeforeInBlock(&anchor)) continue;
        if (!seen.insert(source).second) continue;
        bool isMovable = isPure(*source) || (isa<airrt::WaitAllOp>(source) && source->numResults());
        isPossible =
            isPossible && source != &anchor && isMovable && collect(*source, anchor, slice, seen);
        slice.push_back(source);
      }
    });
    return isPossible;
  }

  /// The memory that a value refers to, outside of the launch.
  static Value rootOf(Value memref) {
    for (;;) {
      memref = air::bufferSource(memref);
      Block* block = memref.argumentBlock();
      air::HierarchyOp owner = block ? air::asHierarchy(block->parentOp()) : air::HierarchyOp();
      Value outside = owner ? owner.tiedOperand(memref) : Value();
      if (!outside) return memref;
      memref = outside;
    }
  }

  /// What is received overwrites memory that others read or write.
  static bool sharesMemory(const Movement& earlier, const Movement& receiver) {
    for (const auto* group : {&earlier.sent, &earlier.received})
      for (airrt::DmaMemcpyNdOp other : *group)
        for (airrt::DmaMemcpyNdOp received : receiver.received)
          if (group == &earlier.sent && rootOf(other.memref()) == rootOf(received.memref()))
            return true;
    return false;
  }

  // -- Waits
  // ----------------------------------------------------------------------------------------

  void waitAtEnd() {
    std::vector<Value> received, all;
    for (Operation& op : body_.ops()) {
      if (!isa<airrt::DmaMemcpyNdOp>(&op) || !op.numResults()) continue;
      all.push_back(op.result());
      if (isReceived(airrt::DmaMemcpyNdOp(&op))) received.push_back(op.result());
    }
    Operation* end = endWait();
    if (!end && !hasTransfers()) return;
    std::vector<Value> events = end ? end->operands().vec() : all;
    for (Value event : received)
      defer(event);
    if (end)
      for (Value event : received)
        if (std::find(events.begin(), events.end(), event) == events.end()) events.push_back(event);
    if (end || armsCores()) return createEnd(end, events);
    createWait(endOfBody(), body_.parentOp()->location(), events, true)
        ->setAttr(kIterationEnd, UnitAttr::get(body_.context()));
    createWait(Builder::after(*body_.parentOp()), body_.parentOp()->location(), {}, false)
        ->setAttr(kLaunchEnd, UnitAttr::get(body_.context()));
  }

  /// Do cores wait for the host in each iteration, or get other parameters?
  bool armsCores() const {
    bool found = false;
    for (Operation& op : body_.ops())
      op.walk([&](Operation& inner) {
        if (!isa<airrt::HerdLoadOp>(&inner)) return;
        found |= inner.numOperands() != 0 || channels_.hasHerdLocks();
      });
    return found;
  }

  Builder endOfBody() const {
    Operation* terminator = body_.terminator();
    return terminator ? Builder::before(*terminator) : Builder::atEnd(body_);
  }

  bool hasTransfers() const {
    for (Operation& op : body_.ops())
      if (!movementOf(op).isEmpty()) return true;
    return false;
  }

  Operation* endWait() const {
    for (Operation& op : body_.ops())
      if (isa<airrt::WaitAllOp>(&op) && op.hasAttr(kLaunchEnd)) return &op;
    return nullptr;
  }

  /// Nothing before the end of the launch waits for what is received.
  static void defer(Value event) {
    std::vector<Operation*> waits;
    for (OpOperand& use : event.uses())
      if (isa<airrt::WaitAllOp>(use.owner()) && !use.owner()->hasAttr(kLaunchEnd))
        waits.push_back(use.owner());
    for (Operation* wait : waits) {
      std::vector<Value> others;
      for (Value operand : wait->operands())
        if (operand != event) others.push_back(operand);
      wait->setOperands(others);
    }
  }

  void createEnd(Operation* end, std::span<const Value> events) {
    Builder builder = endOfBody();
    Location location = end ? end->location() : body_.parentOp()->location();
    createWait(builder, location, events, end && end->numResults())
        ->setAttr(kLaunchEnd, builder.unitAttr());
    if (!end) return;
    if (end->hasResultUses()) return end->removeAttr(kLaunchEnd);
    end->erase();
  }

  Block& body_;
  const HostChannels& channels_;
};

}  // namespace

void orderTransfers(Block& body, const HostChannels& channels, bool isLaunch) {
  TransferOrder(body, channels).run(isLaunch);
}

}  // namespace airlite::npu
