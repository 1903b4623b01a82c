// Writes the steps of a runtime sequence as ops of aiex.
#include "SequenceWriter.hpp"

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {

namespace {

bool isPaced(const Task& task) {
  return task.port->sends && task.has("air.preserve_shim_dma_order");
}

size_t depthOf(const Task& task) { return isPaced(task) ? 2 : kMaxUnderWay; }

IntegerAttr wordAttr(Builder& builder, int64_t value) {
  return IntegerAttr::get(IntegerType::get(builder.context(), 32, Signedness::Unsigned), value);
}

/// The number of operands that were added: 0 where the attribute says it.
int32_t addNumber(Builder& builder, OperationState& state, std::string_view name,
                  const MaybeStatic& number) {
  if (number.isConstant()) {
    state.addAttribute(builder.context(), name, builder.i32Attr(number.constant));
    return 0;
  }
  state.operands.push_back(number.value);
  return 1;
}

void createDescriptor(Builder& builder, const Task& task) {
  OperationState state(builder.context(), task.transfer->location(), "aie.dma_bd");
  state.operands.push_back(task.buffer);
  int32_t segments[] = {1, 0, 0, 0, 0};
  segments[1] = addNumber(builder, state, "static_offset", task.offset);
  segments[2] = addNumber(builder, state, "static_len", task.length);
  state.setOperandSegments(builder.context(), segments);
  if (!task.dims.empty()) {
    std::vector<int64_t> sizes, strides;
    for (auto [size, stride] : task.dims)
      sizes.push_back(size), strides.push_back(stride);
    state.addAttribute(builder.context(), "static_sizes",
                       DenseArrayAttr::getI64(builder.context(), sizes));
    state.addAttribute(builder.context(), "static_strides",
                       DenseArrayAttr::getI64(builder.context(), strides));
  }
  if (Attribute packet = task.transfer->attr("packet"))
    state.addAttribute(builder.context(), "packet", packet);
  builder.create(state);
}

}  // namespace

SequenceWriter::SequenceWriter(Block& body, const SequenceOptions& options)
    : options_(options), builder_(Builder::atEnd(body)) {}

// -- What is asked for ----------------------------------------------------------------------------

Task* SequenceWriter::start(Task task) {
  tasks_.push_back(std::make_unique<Task>(std::move(task)));
  Task* made = tasks_.back().get();
  made->hasToken = isPaced(*made);
  SequenceStep step;
  step.task = made;
  steps_.push_back(step);
  return made;
}

void SequenceWriter::wait(std::span<Task* const> tasks, Location location) {
  for (Task* task : tasks) {
    SequenceStep step;
    step.kind = SequenceStep::Kind::Wait;
    step.task = task;
    step.location = location;
    steps_.push_back(step);
  }
}

void SequenceWriter::writeParameter(Operation& buffer, int64_t index, MaybeStatic value,
                                    bool staysInPlace, Location location) {
  SequenceStep step{
      SequenceStep::Kind::WriteParameter, nullptr, &buffer, index, value, staysInPlace, location};
  steps_.push_back(step);
}

void SequenceWriter::setLock(Operation& lock, bool staysInPlace, Location location) {
  steps_.push_back({SequenceStep::Kind::SetLock, nullptr, &lock, 0, {}, staysInPlace, location});
}

void SequenceWriter::endLaunch(std::span<Task* const> tasks, Location location) {
  flush(true);
  for (Task* task : tasks)
    if (!task->port->sends) await(*task);
  for (const ShimPort* port : order_)
    drain(*port, true);
  if (options_.resetDevice.empty()) return;
  builder_.create(
      location, "aiex.npu.load_pdi", {}, {},
      {builder_.named("device_ref", SymbolRefAttr::get(builder_.context(), options_.resetDevice))});
}

/// Pure ops go before the first op that uses them.
static void sinkArithmetic(Block& block) {
  for (Operation* op = block.empty() ? nullptr : &block.back(); op;) {
    Operation* before = op->prev();
    Operation* first = nullptr;
    for (Region& region : op->regions())
      if (op->is("scf.for")) sinkArithmetic(region.front());
    for (Value result : op->resultValues())
      for (OpOperand& use : result.uses()) {
        Operation* user = use.owner();
        while (user->block() != &block)
          user = user->parentOp();
        if (!first || user->isBeforeInBlock(first)) first = user;
      }
    if (first && isPure(*op) && op->next() != first) op->moveBefore(first);
    op = before;
  }
}

void SequenceWriter::finish() {
  flush(false);
  for (const ShimPort* port : order_)
    drain(*port, options_.endsWithReload);
  for (auto& task : tasks_)
    if (!task->isDone && !task->freed && task->port->sends && task->isAwaitedFor) free(*task);
  sinkArithmetic(*builder_.insertPoint().block);
}

/// Waits for what a channel has under way, where somebody wants to know.
void SequenceWriter::drain(const ShimPort& port, bool sendersToo) {
  if (port.sends && !sendersToo) return;
  Queue queue = underWay_[&port];
  for (auto task = queue.rbegin(); task != queue.rend(); ++task)
    if ((*task)->isAwaitedFor || options_.hasIterations) return await(**task);
}

// -- Loops ----------------------------------------------------------------------------------------

Value SequenceWriter::enterLoop(Value lower, Value upper, Value step, std::span<const Task> inside,
                                Location location) {
  flush(false);
  for (const ShimPort* port : order_)
    for (Task* task : Queue(underWay_[port]))
      for (const Task& other : inside)
        if (other.port == port || conflict(*task, other)) await(*task);
  scf::ForOp loop = scf::ForOp::create(builder_, location, lower, upper, step);
  outer_.push_back({builder_.insertPoint(), std::move(underWay_)});
  underWay_.clear();
  builder_.setBefore(loop.body().back());
  return loop.inductionVar();
}

void SequenceWriter::leaveLoop() {
  flush(true);
  for (const ShimPort* port : order_)
    if (Queue queue = underWay_[port]; !queue.empty()) await(*queue.back());
  auto& [point, underWay] = outer_.back();
  builder_.setInsertPoint(point);
  underWay_ = std::move(underWay);
  outer_.pop_back();
}

// -- Steps ----------------------------------------------------------------------------------------

void SequenceWriter::endIteration() {
  if (options_.joins)
    iterationEnds_.push_back(steps_.size());
  else
    flush(true);
}

void SequenceWriter::flush(bool isLaunch) {
  if (options_.coalesces) coalesce();
  if (options_.joins && isLaunch) iterationEnds_.push_back(steps_.size());
  size_t rest = iterationEnds_.empty() ? 0 : iterationEnds_.back();
  for (StepGroup& group : joinIterations(steps_, iterationEnds_)) {
    if (!group.isJoined) order(group.steps, true);
    write(group.steps);
  }
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(rest));
  order(steps_, isLaunch);
  write(steps_);
  steps_.clear();
  iterationEnds_.clear();
}

void SequenceWriter::order(std::vector<SequenceStep>& steps, bool isLaunch) const {
  auto isPacedStep = [](const SequenceStep& step) { return step.task && isPaced(*step.task); };
  if (std::ranges::none_of(steps, isPacedStep)) {
    armFirst(steps);
    IssuedSteps issued = issueEarly(steps, underWay_);
    if (issued.hasConflicts || options_.keepsOrder) {
      steps = std::move(issued.steps);
      return;
    }
  }
  orderSteps(steps, isLaunch);
}

void SequenceWriter::write(std::span<const SequenceStep> steps) {
  std::vector<Task*> group;
  for (size_t i = 0; i < steps.size(); ++i) {
    waitForPaced(steps, i, group);
    create(steps[i]);
  }
  waitForPaced(steps, steps.size(), group);
}

void SequenceWriter::create(const SequenceStep& step) {
  switch (step.kind) {
    case SequenceStep::Kind::Start: return issue(*step.task);
    case SequenceStep::Kind::Wait:
      if (step.task->isDone || step.task->freed) return;
      return step.task->port->sends ? free(*step.task) : await(*step.task);
    case SequenceStep::Kind::WriteParameter: {
      Value value = step.value.value
                        ? step.value.value
                        : builder_.constant(step.location, builder_.i32Attr(step.value.constant));
      auto buffer = SymbolRefAttr::get(builder_.context(), symbolName(*step.target));
      builder_.create(step.location, "aiex.npu.rtp_write", {value}, {},
                      {builder_.named("buffer", buffer),
                       builder_.named("index", wordAttr(builder_, step.index))});
      return;
    }
    case SequenceStep::Kind::SetLock:
      builder_.create(step.location, "aiex.set_lock", {step.target->result()}, {},
                      {builder_.named("value", builder_.i32Attr(1))});
  }
}

/// Paced tasks are waited for after the last of their channel; coalesced ones, which are that
/// large that a channel should not run ahead, as soon as each channel has had one.
void SequenceWriter::waitForPaced(std::span<const SequenceStep> steps, size_t at,
                                  std::vector<Task*>& group) {
  auto isStart = [&](size_t i) { return steps[i].kind == SequenceStep::Kind::Start; };
  Task* next = at < steps.size() && isStart(at) ? steps[at].task : nullptr;
  bool joins = next && next->isCoalesced;
  for (Task* task : group)
    joins = joins && task->port != next->port;
  if (!joins) {
    for (Task* task : group)
      await(*task);
    group.clear();
  }
  if (next && next->isCoalesced) group.push_back(next);
  if (at == 0 || !isStart(at - 1)) return;
  Task* last = steps[at - 1].task;
  if (!isPaced(*last) || last->isCoalesced) return;
  for (size_t i = at; i < steps.size(); ++i)
    if (isStart(i) && steps[i].task->port == last->port && isPaced(*steps[i].task)) return;
  await(*last);
}

std::vector<Task*> SequenceWriter::mustEndBefore(const Task& task) const {
  std::vector<Task*> ends;
  for (const ShimPort* port : order_) {
    auto found = underWay_.find(port);
    if (found == underWay_.end()) continue;
    const Queue& queue = found->second;
    size_t depth = depthOf(task);
    size_t tooMany = port == task.port && queue.size() >= depth ? queue.size() - depth + 1 : 0;
    for (size_t i = 0; i < queue.size(); ++i) {
      bool areAppends = task.has("air.append_barrier") && queue[i]->has("air.append_barrier");
      bool isRead = task.has("air.await_appends") && queue[i]->has("air.append_barrier");
      if (i < tooMany || isRead || (!areAppends && conflict(task, *queue[i])))
        ends.push_back(queue[i]);
    }
  }
  return ends;
}

/// Tasks whose descriptors may be in use. A freed one counts: it may still have to be waited for.
size_t SequenceWriter::underWayAt(Operation* tile) const {
  size_t count = 0;
  auto add = [&](const UnderWay& queues) {
    for (const auto& [port, queue] : queues)
      if (port->tile == tile) count += queue.size();
  };
  add(underWay_);
  for (const auto& [point, queues] : outer_)
    add(queues);
  return count;
}

void SequenceWriter::issue(Task& task) {
  if (std::find(order_.begin(), order_.end(), task.port) == order_.end())
    order_.push_back(task.port);
  std::vector<Task*> ends = mustEndBefore(task);
  size_t most = aie::deviceOf(*task.port->tile).limits(aie::TileKind::ShimNoc).bds;
  if (underWayAt(task.port->tile) >= most)
    for (Task* other : ends)
      await(*other);
  configure(task);
  for (Task* other : ends)
    await(*other);
  createTaskOp("aiex.dma_start_task", task);
  underWay_[task.port].push_back(&task);
}

void SequenceWriter::configure(Task& task) {
  Context& context = builder_.context();
  OperationState state(context, task.transfer->location(), "aiex.dma_configure_task_for");
  if (task.repeats.value) state.operands.push_back(task.repeats.value);
  state.addAttribute(context, "alloc", SymbolRefAttr::get(context, task.port->name));
  if (task.repeats.constant != 0)
    state.addAttribute(context, "repeat_count", builder_.i32Attr(task.repeats.constant));
  if (task.issuesToken())
    state.addAttribute(context, "issue_token", IntegerAttr::getBool(context, true));
  state.resultTypes.push_back(builder_.indexType());
  Block& body = state.addRegion().addBlock(context);
  Builder inside = Builder::atEnd(body);
  createDescriptor(inside, task);
  inside.create(task.transfer->location(), "aie.end", {}, {});
  task.configure = builder_.create(state);
}

Operation* SequenceWriter::createTaskOp(std::string_view name, Task& task) {
  return builder_.create(task.transfer->location(), name, {task.configure->result()}, {});
}

/// All tasks of the channel up to this one are through then.
void SequenceWriter::await(Task& task) {
  if (task.isDone) return;
  Queue& queue = underWay_[task.port];
  while (!task.isDone && !queue.empty()) {
    Task& first = *queue.front();
    queue.pop_front();
    if (&first == &task && !first.issuesToken()) {
      first.hasToken = true;
      first.configure->setAttr("issue_token", IntegerAttr::getBool(builder_.context(), true));
    }
    if (!first.issuesToken()) {
      if (!first.freed) free(first);
      first.isDone = true;
      continue;
    }
    first.isDone = true;
    createTaskOp("aiex.dma_await_task", first);
    if (first.freed) first.freed->erase();
    first.freed = nullptr;
  }
}

void SequenceWriter::free(Task& task) { task.freed = createTaskOp("aiex.dma_free_task", task); }

/// Joins the tasks of a channel that follow each other, in the program and in memory.
void SequenceWriter::coalesce() {
  std::map<const ShimPort*, Task*> last;
  std::set<Task*> joined;
  for (SequenceStep& step : steps_) {
    if (step.kind != SequenceStep::Kind::Start) {
      last.clear();
      continue;
    }
    Task& task = *step.task;
    Task*& before = last[task.port];
    auto isJoinable = [](const Task& t) {
      return isPaced(t) && !t.has("packet") && t.dims.size() <= 1 && t.offset.isConstant() &&
             t.length.isConstant() && t.repeats.isConstant() && t.repeats.constant == 0 &&
             (t.dims.empty() || t.dims[0].second == 1);
    };
    bool follows = before && isJoinable(*before) && isJoinable(task) &&
                   before->buffer == task.buffer &&
                   before->offset.constant + before->length.constant == task.offset.constant;
    if (!follows) {
      before = &task;
      continue;
    }
    before->length.constant += task.length.constant;
    before->dims = {{before->length.constant, 1}};
    before->isCoalesced = true;
    task.isDone = true;  // with `before`
    joined.insert(&task);
  }
  std::erase_if(steps_, [&](const SequenceStep& step) {
    return step.task && joined.count(step.task) != 0 && step.kind == SequenceStep::Kind::Start;
  });
}

}  // namespace airlite::npu
