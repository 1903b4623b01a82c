// The wait-for graph of a stuck run. An edge leads from a process to one that could end its wait:
// to what its token stands for, to code with the put or get that it needs, to the members of its
// herd that have not reached the barrier.
#include "Deadlock.hpp"

#include "Async.hpp"
#include "Channels.hpp"
#include "Machine.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::interp {

namespace {

struct Edge {
  Process* to = nullptr;
  Operation* via = nullptr;  // what would end the wait
};

std::string instanceOf(const Process& process) {
  for (const Place* place = process.place.get(); place; place = place->outer.get())
    if (!place->index.empty()) return " in instance " + indexText(place->index);
  return "";
}

std::string named(Operation& op) { return "'" + std::string(op.name()) + "'"; }

}  // namespace

class DeadlockReport {
 public:
  explicit DeadlockReport(Machine& machine) : machine_(machine) {
    for (uint32_t t = 1; t < machine.tokens.size(); ++t)
      for (uint32_t dependent : machine.tokens[t].dependents)
        inputs_[dependent].push_back(t);
    for (const auto& process : machine.processes_)
      processes_.push_back(process.get());
    // The same text whatever the order of the schedule.
    std::sort(processes_.begin(), processes_.end(), [](Process* a, Process* b) {
      return a->waitOp->location().offset() < b->waitOp->location().offset();
    });
  }

  void report() {
    std::vector<Edge> path;
    for (Process* process : processes_)
      if (state_[process] == 0 && search(process, path)) return show(path, true);
    // No cycle: some wait has nobody to end it.
    for (Process* process : processes_)
      if (edges(*process).empty()) return show({{process, nullptr}}, false);
    show({{processes_.front(), nullptr}}, false);
  }

 private:
  // -- Edges

  bool isInside(const Process& process, uint32_t token) const {
    for (const Scope* scope = process.asyncScope; scope; scope = scope->parent)
      if (scope->token == token) return true;
    for (const Scope* scope = process.doneScope; scope; scope = scope->parent)
      if (scope->token == token) return true;
    return false;
  }

  void tokenEdges(Process& process, uint32_t token, std::vector<Edge>& out,
                  std::set<uint32_t>& seen) {
    if (machine_.tokens.isFired(token) || !seen.insert(token).second) return;
    for (uint32_t input : inputs_[token])
      tokenEdges(process, input, out, seen);
    for (Process* other : processes_)
      if (other != &process && isInside(*other, token))
        out.push_back({other, machine_.tokens[token].op});
  }

  /// A put or get of the channel that `process` may still come to.
  Operation* partner(const Process& process, const ChannelLane& lane, bool wantsPut) {
    Operation* found = nullptr;
    for (const Frame& frame : process.frames)
      for (size_t i = firstAhead(frame); i < frame.code->insts.size() && !found; ++i)
        if (i != frame.pc && !isEnd(frame.code->insts[i]))
          search(frame.code->insts[i].op, lane, wantsPut, process.waitOp, found);
    return found;
  }

  /// The end of an op, or of the wait for it: what is inside has been started already.
  static bool isEnd(const Inst& inst) { return inst.handler == doEnd || inst.handler == doAwait; }

  /// The first instruction that the frame may come to again: a loop leads back.
  static size_t firstAhead(const Frame& frame) {
    size_t first = frame.pc;
    const std::vector<Inst>& insts = frame.code->insts;
    for (size_t i = frame.pc; i < insts.size(); ++i)
      if (insts[i].jump && insts[i].jump < first) first = insts[i].jump;
    return first;
  }

  static void search(Operation* op, const ChannelLane& lane, bool wantsPut, Operation* not_,
                     Operation*& found) {
    if (!op) return;
    op->walk([&](Operation& inner) {
      bool isPut = isa<air::ChannelPutOp>(&inner);
      if (found || &inner == not_ || (!isPut && !isa<air::ChannelGetOp>(&inner))) return;
      if (isPut == wantsPut && air::ChannelAccessOp(&inner).channel() == lane.channel)
        found = &inner;
    });
  }

  void channelEdges(Process& process, std::vector<Edge>& out) {
    bool wantsPut = process.wait == Wait::ChannelData;
    for (Process* other : processes_) {
      // Whoever waits at a partner is one of its kind already.
      Operation* op = partner(*other, *process.waitLane, wantsPut);
      if (op) out.push_back({other, op});
    }
  }

  void barrierEdges(Process& process, std::vector<Edge>& out) {
    for (Process* other : processes_)
      if (other->team == process.team && other->wait != process.wait)
        out.push_back({other, other->waitOp});
  }

  const std::vector<Edge>& edges(Process& process) {
    auto [found, fresh] = edges_.try_emplace(&process);
    if (!fresh) return found->second;
    std::vector<Edge> out;
    std::set<uint32_t> seen;
    if (process.wait == Wait::Tokens)
      for (uint32_t token : process.waitTokens)
        tokenEdges(process, token, out, seen);
    else if (process.wait == Wait::Barrier || process.wait == Wait::Turn)
      barrierEdges(process, out);
    else
      channelEdges(process, out);
    return edges_[&process] = std::move(out);
  }

  // -- Cycles

  /// Depth first; on success `path` is the cycle.
  bool search(Process* process, std::vector<Edge>& path) {
    state_[process] = 1;
    path.push_back({process, nullptr});
    for (const Edge& edge : edges(*process)) {
      path.back().via = edge.via;
      if (state_[edge.to] == 1) {
        auto first = std::find_if(path.begin(), path.end(),
                                  [&](const Edge& step) { return step.to == edge.to; });
        path.erase(path.begin(), first);
        return true;
      }
      if (state_[edge.to] == 0 && search(edge.to, path)) return true;
    }
    path.pop_back();
    state_[process] = 2;
    return false;
  }

  // -- Words

  static std::string waitText(const Process& process) {
    std::string who = named(*process.waitOp);
    switch (process.wait) {
      case Wait::ChannelTaken:
        return who + " of " + laneText(*process.waitLane) + instanceOf(process) +
               " waits until a get takes its data";
      case Wait::ChannelSpace:
        return who + " of " + laneText(*process.waitLane) + instanceOf(process) +
               " waits for a get: the channel holds " +
               std::to_string(process.waitLane->queue.size()) + " of " +
               std::to_string(process.waitLane->depth) + " transfers";
      case Wait::ChannelData:
        return who + " of " + laneText(*process.waitLane) + instanceOf(process) +
               " waits for a put";
      case Wait::Barrier: return who + instanceOf(process) + " waits for the others of its herd";
      case Wait::Turn:
        return who + instanceOf(process) + " waits for its turn with L1 memory that cores share";
      default: return who + instanceOf(process) + " waits for a token";
    }
  }

  static std::string viaText(const Process& process, Operation& via) {
    if (process.wait == Wait::Tokens) return "that is the token of this " + named(via);
    if (process.wait == Wait::Turn) return "this one comes before the turn of its core is over";
    if (process.wait == Wait::Barrier) return "this one has not come to the barrier";
    return "the " + std::string(process.wait == Wait::ChannelData ? "put" : "get") +
           " that could come is this one, after what its process waits for";
  }

  void show(const std::vector<Edge>& path, bool isCycle) {
    Process& first = *path.front().to;
    InFlightDiagnostic error = first.waitOp->emitError();
    error << "deadlock: " << waitText(first);
    for (size_t i = 0; i < path.size(); ++i) {
      Process& process = *path[i].to;
      if (i > 0) error.note(process.waitOp->location()) << waitText(process);
      if (path[i].via) error.note(path[i].via->location()) << viaText(process, *path[i].via);
    }
    bool isShared = first.waitLane && first.waitLane->shared;  // other processes may have some
    if (!isCycle && first.waitLane && !isShared && first.wait != Wait::Tokens &&
        first.wait != Wait::Barrier && first.wait != Wait::Turn)
      error.note(first.waitLane->channel->location())
          << "no other " << (first.wait == Wait::ChannelData ? "put" : "get")
          << " of this channel is left to run";
    if (processes_.size() > path.size())
      error.note(first.waitOp->location())
          << processes_.size() - path.size() << " more wait for these or for others";
  }

  Machine& machine_;
  std::vector<Process*> processes_;
  std::map<uint32_t, std::vector<uint32_t>> inputs_;
  std::map<Process*, std::vector<Edge>> edges_;
  std::map<Process*, int> state_;  // 0: new, 1: on the path, 2: done
};

void reportDeadlock(Machine& machine) { DeadlockReport(machine).report(); }

}  // namespace airlite::interp
