// Descriptors of designs, and DMA channels that run them.
#include "Execution.hpp"

#include <algorithm>
#include <limits>

namespace airlite::npu::progress {

namespace {

int64_t productOf(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

std::optional<int64_t> numberOf(const aie::MaybeStatic& number,
                                const std::function<std::optional<int64_t>(Value)>& known) {
  return number.isConstant() ? std::optional(number.constant) : known(number.value);
}

/// Elements that a descriptor moves through its stream; none where that is not known.
std::optional<int64_t> elementsOf(aie::DmaBdOp bd,
                                  const std::function<std::optional<int64_t>(Value)>& known) {
  auto memref = bd.buffer().type().cast<MemRefType>();
  auto written = bd.length();
  std::optional<int64_t> length = written                   ? numberOf(*written, known)
                                  : memref.hasStaticShape() ? std::optional(memref.numElements())
                                                            : std::nullopt;
  std::vector<aie::BdPad> padding = bd.padding();
  if (!length || padding.empty()) return length;
  std::vector<aie::BdDim> dims = bd.dims();
  int64_t plain = 1, padded = 1;
  for (size_t i = 0; i < dims.size() && i < padding.size(); ++i) {
    auto size = numberOf(dims[i].size, known);
    if (!size) return std::nullopt;
    plain = productOf(plain, *size);
    padded = productOf(padded, *size + padding[i].before + padding[i].after);
  }
  return plain > 0 ? std::optional(productOf(*length / plain, padded)) : std::nullopt;
}

}  // namespace

std::string readChain(Block* block, const std::function<std::optional<int64_t>(Value)>& number,
                      std::vector<Descriptor>& chain, Operation*& at) {
  std::vector<Block*> blocks;
  while (block) {
    auto known = std::ranges::find(blocks, block);
    if (known != blocks.end()) {
      if (!chain.empty()) chain.back().next = static_cast<int>(known - blocks.begin());
      return "";
    }
    Descriptor made;
    for (Operation& op : block->ops()) {
      if (isa<aie::DmaBdOp>(&op)) made.op = &op;
      if (!isa<aie::UseLockOp>(&op)) continue;
      bool isRelease = aie::UseLockOp(&op).action() == aie::LockAction::Release;
      (isRelease ? made.release : made.acquire) = aie::UseLockOp(&op);
    }
    if (!made.op) return "";
    at = made.op;
    aie::DmaBdOp bd(made.op);
    auto elements = elementsOf(bd, number);
    auto bytes = aie::elementBytes(bd.buffer().type().cast<MemRefType>().elementType());
    if (!elements || !bytes) return "the length of a descriptor is not known";
    int64_t all = productOf(*elements, *bytes);
    if (all % aie::kWordBytes != 0) return "a descriptor does not move whole words";
    made.words = all / aie::kWordBytes;
    if (auto packet = bd.packet()) made.packet = packet->id;
    if (!chain.empty()) chain.back().next = static_cast<int>(chain.size());
    chain.push_back(made);
    blocks.push_back(block);
    Operation& last = block->back();
    block = last.is("aie.next_bd") ? last.successor(0) : nullptr;
  }
  return "";
}

namespace {

/// What a descriptor takes from a lock or gives to it: a constant.
std::optional<int64_t> countOf(aie::UseLockOp use) {
  auto nothing = [](Value) { return std::optional<int64_t>(); };
  return numberOf(use.value(), [&](Value value) { return computeNumber(value, nothing); });
}

}  // namespace

// -- Channels -------------------------------------------------------------------------------------

Wait DmaChannel::run(Execution& execution) {
  Wait wait;
  while (!queue.empty() && !execution.isOpen()) {
    execution.count(1);
    if (!advance(execution, wait)) return wait;
  }
  wait.kind = Wait::NoTask;
  return wait;
}

/// One step of the descriptor that is under way; false when it has to wait.
bool DmaChannel::advance(Execution& execution, Wait& wait) {
  ChannelTask& task = *queue.front();
  if (task.chain.empty()) return endChain(execution), true;
  const Descriptor& bd = task.chain[at_];
  if (stage_ == Stage::Move) return move(execution, bd, wait);
  if (bd.acquire) {
    auto number = countOf(bd.acquire);
    if (!number || !bd.acquire.lock())
      return execution.giveUp(bd.acquire.op(), "the value of a lock is not known"), false;
    if (!execution.machine.acquire(bd.acquire, *number, id)) {
      wait = {Wait::Lock, bd.op, bd.acquire.lock().op(), *number};
      return false;
    }
  }
  stage_ = Stage::Move;
  left_ = bd.words;
  return true;
}

bool DmaChannel::move(Execution& execution, const Descriptor& bd, Wait& wait) {
  Machine& machine = execution.machine;
  if (left_ == 0) return endDescriptor(execution, bd), true;
  if (!port.isSource) {
    int sink = machine.findSink(port);
    if (sink < 0) return execution.giveUp(bd.op, "no flow ends at its DMA channel"), false;
    left_ -= machine.take(sink, left_, id);
    wait = {Wait::Words, bd.op, nullptr, left_, sink};
    return left_ == 0;
  }
  int stream = machine.streamFrom(port, bd.packet);
  if (stream < 0) stream = machine.streamFrom(port, std::nullopt);
  if (stream < 0) return execution.giveUp(bd.op, "it is not known where its words go"), false;
  int blocking = -1;
  left_ -= machine.send(stream, left_, left_ == bd.words, true, id, blocking);
  wait = {Wait::Room, bd.op, nullptr, left_, blocking};
  return left_ == 0;
}

void DmaChannel::endDescriptor(Execution& execution, const Descriptor& bd) {
  if (bd.release) {
    auto number = countOf(bd.release);
    if (!number || !bd.release.lock())
      return execution.giveUp(bd.release.op(), "the value of a lock is not known");
    execution.machine.release(bd.release, *number);
  }
  stage_ = Stage::Acquire;
  if (bd.next >= 0)
    at_ = static_cast<size_t>(bd.next);
  else
    endChain(execution);
}

void DmaChannel::endChain(Execution& execution) {
  ChannelTask& task = *queue.front();
  at_ = 0;
  if (++runs_ < task.runs) return;
  runs_ = 0;
  task.isDone = true;
  execution.machine.wakeAll(task.waiting);
  queue.pop_front();
  execution.machine.wakeAll(waitingForRoom);
}

}  // namespace airlite::npu::progress
