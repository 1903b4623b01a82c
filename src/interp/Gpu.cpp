// Ops of gpu that may stand in a herd: the number of the work-item in its core, and the barrier of
// all work-items of the herd.
#include "Access.hpp"

namespace airlite::interp {

namespace {

Step doLane(Run& run, const Inst& inst) {
  run.out(inst).setBits(static_cast<uint64_t>(run.process.lane));
  return Step::Next;
}

bool compileLane(Builder& b, Operation& op) {
  b.emit(doLane, op, {}, b.defineResults(op));
  return true;
}

/// The last one to come wakes the others; they continue after the barrier.
Step doBarrier(Run& run, const Inst& inst) {
  if (!run.process.team) {
    run.machine.error(run, *inst.op, RunStatus::Unsupported)
        << "not supported by the interpreter: '" << inst.op->name() << "' outside of an air.herd";
    return Step::Fail;
  }
  Team& team = *run.process.team;
  if (run.process.progress == 1) {
    run.process.progress = 0;
    return Step::Next;
  }
  if (++team.arrived < team.size) {
    run.process.progress = 1;
    team.waiters.push_back(&run.process);
    run.machine.block(run.process, Wait::Barrier, inst.op);
    return Step::Block;
  }
  team.arrived = 0;
  std::vector<Process*> waiters = std::move(team.waiters);
  team.waiters.clear();
  for (Process* waiter : waiters)
    run.machine.wake(*waiter);
  return Step::Next;
}

bool compileBarrier(Builder& b, Operation& op) {
  b.emit(doBarrier, op);
  return true;
}

/// Tells only the compiler of a device something, or lets the lanes of a wave meet, which here is one.
bool compileForDevice(Builder&, Operation&) { return true; }

}  // namespace

void addGpu(CompileTable& table) {
  table["gpu.lane_id"] = compileLane;
  table["gpu.barrier"] = compileBarrier;
  table["gpu.schedule_barrier"] = compileForDevice;
  table["gpu.wave_barrier"] = compileForDevice;
}

}  // namespace airlite::interp
