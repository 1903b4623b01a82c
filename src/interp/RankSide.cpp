// Starts ranks as processes, waits for them, and says which of them failed (see RankSide.hpp).
#include "RankSide.hpp"

#include "Compiler.hpp"
#include "Deadlock.hpp"
#include "Machine.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace airlite::interp {

namespace {

/// How long to wait before those are looked after that may have been killed.
constexpr unsigned kPatience = 20;

std::string signalText(int signal) {
  const char* name = sigdescr_np(signal);
  return fmt::format("signal {} ({})", signal, name ? name : "unknown");
}

}  // namespace

Result<std::unique_ptr<RankSide>> RankSide::ofHost(Machine& machine, RankTransport& transport) {
  auto memory = transport.newSharedMemory();
  if (!memory) return memory.error();
  std::optional<RankTransport::Alike> alike = transport.alike();
  const uint32_t count = alike ? alike->count : 1;
  if (count >= Board::kMaxParticipants)
    return Error{fmt::format("more than {} processes", Board::kMaxParticipants - 1)};
  bool isFirst = !alike || alike->own == 0;
  if (memory->size() < Board::leastBytes()) return Error{BoardFull().what()};
  Board board = isFirst ? Board::make(*memory) : Board::see(*memory);
  std::unique_ptr<RankSide> side(new RankSide(machine, SharedStore(board)));
  side->transport_ = &transport;
  if (isFirst) {
    Board::Lock lock(board);
    for (uint32_t i = 0; i < count; ++i)
      board.addParticipant();
  }
  if (alike) {
    transport.meet();
    side->self_ = alike->own;
  }
  return side;
}

// -- What all see ---------------------------------------------------------------------------------

/// Memory and globals that a rank may reach, and channels that the host has used.
Step RankSide::shareWhatIsSeen(Run& run, const Start& start) {
  for (Value operand : air::HierarchyOp(start.op).kernelOperands()) {
    if (!air::isTokenType(operand.type())) continue;
    machine_.error(run, *start.op, RunStatus::Unsupported)
        << "not supported by the interpreter: a token that is handed to ranks in several processes";
    return Step::Fail;
  }
  store_.numberOps(start.op);
  for (uint32_t captured : start.code->captured) {
    const Slot& slot = run.registers[captured];
    if (slot.kind() != SlotKind::View || store_.share(slot.as<View>().memory)) continue;
    machine_.error(run, *start.op, RunStatus::Unsupported)
        << "not supported by the interpreter: memory next to a core, or with packets in it, that "
           "is "
           "handed to ranks in several processes";
    return Step::Fail;
  }
  moduleAround(start.op)->walk([&](Operation& op) {
    if (auto global = dynCast<memref::GlobalOp>(&op))
      if (std::shared_ptr<Memory> memory = globalMemory(machine_, global)) store_.share(memory);
  });
  for (auto& [name, channel] : machine_.channels)
    if (name.second == 0) store_.share(*channel);
  return Step::Next;
}

// -- Processes ------------------------------------------------------------------------------------

Step RankSide::start(Run& run, const Start& start) {
  try {
    return startAll(run, start);
  } catch (const BoardFull& error) {
    machine_.error(run, *start.op) << "cannot start the ranks: " << error.what();
    return Step::Fail;
  }
}

Step RankSide::startAll(Run& run, const Start& start) {
  if (!transport_) {
    machine_.error(run, *start.op, RunStatus::Unsupported)
        << "not supported by the interpreter: ranks inside of a rank that is a process";
    return Step::Fail;
  }
  if (std::optional<RankTransport::Alike> alike = transport_->alike())
    return startAlike(run, start, *alike);
  if (Step s = shareWhatIsSeen(run, start); s != Step::Next) return s;
  ++group_;
  std::vector<uint32_t> participants(start.count);
  {
    Board::Lock lock(board());
    std::ranges::generate(participants, [&] { return board().addParticipant(); });
  }
  if (std::ranges::count(participants, Board::kMaxParticipants)) {
    machine_.error(run, *start.op, RunStatus::Unsupported)
        << "not supported by the interpreter: more than " << Board::kMaxParticipants - 1
        << " ranks in processes of their own";
    return Step::Fail;
  }
  auto first = transport_->start(
      start.count, [&](uint32_t rank) { return runRank(start, rank, participants[rank]); });
  if (!first) {
    machine_.error(run, *start.op) << "cannot start the ranks: " << first.error().message;
    return Step::Fail;
  }
  for (uint32_t rank = 0; rank < start.count; ++rank) {
    children_.push_back({*first + rank, participants[rank], rank, start.op, start.scope});
    ++start.scope->open;
  }
  return Step::Next;
}

Step RankSide::startAlike(Run& run, const Start& start, const RankTransport::Alike& alike) {
  if (start.count != alike.count) {
    machine_.error(run, *start.op) << "this air.rank has " << start.count << " ranks, and "
                                   << alike.count << " processes have been started for them";
    return Step::Fail;
  }
  store_.numberOps(start.op);
  // What a rank leaves in a channel is the host's afterwards.
  moduleAround(start.op)->walk([&](Operation& op) {
    if (auto channel = dynCast<air::ChannelOp>(&op)) channelOf(machine_, channel);
  });
  if (Step s = shareWhatIsSeen(run, start); s != Step::Next) return s;
  ++group_;
  if (runRank(start, alike.own, self_) != 0) failAlike(start);
  {
    // It waits for nothing of the others that a rank could wait for.
    Board::Lock lock(board());
    board().participant(self_).state = Taking::Free;
    board().noteChange();
  }
  transport_->meet();
  {
    Board::Lock lock(board());
    board().participant(self_).state = Taking::Runs;
    board().participant(self_).idleAt = UINT64_MAX;
  }
  transport_->meet();
  takeBack();
  return Step::Next;
}

void RankSide::failAlike(const Start& start) {
  std::string message;
  {
    Board::Lock lock(board());
    message = board().participant(self_).message.data();
  }
  start.op->emitError() << "rank " << self_ << " ended with an error"
                        << (message.empty() ? "" : ": ") << message << "; all ranks end";
  transport_->endAll();
  std::abort();  // endAll ends this process
}

/// The host has what it handed out for itself.
void RankSide::takeBack() {
  store_.takeBack();
  machine_.wakeAtSharedLanes();
  for (auto& [name, channel] : machine_.channels)
    store_.takeBack(*channel);
}

/// In the process of the rank; its exit code.
int RankSide::runRank(const Start& start, uint32_t rank, uint32_t participant) {
  Outcome outcome;
  try {
    RunOptions options = machine_.options();
    options.ranks = nullptr;
    options.late = {};  // of the host
    options.seed += rank * 0x9e3779b97f4a7c15;
    Machine machine(machine_.compiler(), machine_.context(), options);
    machine.origins = machine_.origins;
    machine.globals = machine_.globals;
    std::unique_ptr<RankSide> side(new RankSide(machine, store_));
    side->self_ = participant;
    side->group_ = group_;
    machine.takeSide(std::move(side));
    start.place(machine, rank);
    outcome = machine.runStarted();
  } catch (const std::exception& error) {
    outcome.status = RunStatus::Failed;
    outcome.message = error.what();
  }
  Board::Lock lock(board());
  Participant& self = board().participant(participant);
  self.status = static_cast<uint8_t>(outcome.status);
  self.steps = outcome.steps;
  self.processes = outcome.processes;
  outcome.message.copy(self.message.data(), self.message.size() - 1);
  self.state = Taking::Ended;
  board().noteChange();
  return outcome.status == RunStatus::Done ? 0 : 1;
}

bool RankSide::takeEnded() {
  for (size_t i = 0; i < children_.size(); ++i) {
    Child child = children_[i];
    bool says = false;
    {
      Board::Lock lock(board());
      says = board().participant(child.participant).state == Taking::Ended;
    }
    std::optional<RankEnd> end = transport_->ended(child.process, says);
    if (!end) continue;
    children_.erase(children_.begin() + static_cast<ptrdiff_t>(i));
    finishChild(child, *end);
    return true;
  }
  return false;
}

void RankSide::finishChild(const Child& child, const RankEnd& end) {
  Participant last;
  {
    Board::Lock lock(board());
    last = board().participant(child.participant);
    board().participant(child.participant) = {};
  }
  machine_.countWork(last.steps, last.processes);
  if (!end.signal && !end.exitCode && last.state == Taking::Ended)
    return machine_.closeOne(child.scope);
  failChild(child, end, last);
}

/// The rank says itself what is wrong with the program; this says which rank it was.
void RankSide::failChild(const Child& child, const RankEnd& end, const Participant& last) {
  auto status = static_cast<RunStatus>(last.status);
  if (last.state == Taking::Ended && status == RunStatus::Deadlock) {
    children_.insert(children_.begin(), child);
    return endStuck();
  }
  std::string message = last.message.data();
  transport_->endAll();
  children_.clear();
  bool isOver = status == RunStatus::TooLong || status == RunStatus::Stopped;
  if (last.state == Taking::Ended && isOver) {
    machine_.end(status, fmt::format("rank {}: {}", child.rank, message));
    return;
  }
  if (end.signal)
    message = fmt::format("was ended by {}", signalText(end.signal));
  else if (last.state == Taking::Ended)
    message = fmt::format("ended with an error{}{}", message.empty() ? "" : ": ", message);
  else
    message = fmt::format("ended without a result, with exit code {}", end.exitCode);
  child.op->emitError() << "rank " << child.rank << " " << message << "; all ranks end";
  machine_.end(last.state == Taking::Ended ? status : RunStatus::Failed, "");
}

/// Each rank reports what it waits for before it ends.
void RankSide::endStuck() {
  std::string ranks;
  Operation* op = nullptr;
  for (const Child& child : children_) {
    transport_->ended(child.process, true);
    ranks += (ranks.empty() ? "" : ", ") + std::to_string(child.rank);
    op = child.op;
  }
  transport_->endAll();
  children_.clear();
  if (op)
    op->emitError() << "deadlock: "
                    << (ranks.find(',') != std::string::npos ? "ranks " + ranks + " wait"
                                                             : "rank " + ranks + " waits")
                    << ", and no rank can continue";
  machine_.end(RunStatus::Deadlock, "");
}

bool RankSide::waitForOthers() {
  while (!machine_.isEmpty() || !children_.empty()) {
    if (transport_ && takeEnded()) return machine_.isFine();
    bool isNew = false, isStuck = false;
    {
      Board::Lock lock(board());
      isStuck = board().isStuck();
      isNew = seen_ != board().changes();
      seen_ = board().changes();
      if (!isNew && !isStuck) isStuck = board().noteIdle(self_, seen_);
    }
    if (isStuck && transport_ && !children_.empty()) endStuck();
    if (isStuck) return false;
    if (isNew) {
      machine_.wakeAtSharedLanes();
      return true;
    }
    if (machine_.mustStop()) return false;
    board().waitForChange(seen_, kPatience);
  }
  return false;
}

void RankSide::reportStuck() {
  Board::Lock lock(board());
  reportDeadlock(machine_);
}

void RankSide::close() {
  if (!transport_) return;
  if (!transport_->alike()) transport_->endAll();
  children_.clear();
  takeBack();
}

}  // namespace airlite::interp
