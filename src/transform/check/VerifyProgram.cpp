// air-verify-program: what only a whole program can be asked. The verifier accepts pieces of
// programs, so it says nothing of a channel that is declared elsewhere, and does not know the
// device that a launch is for. Here
//   - every put and get must have a declared channel and as many indices as it has dimensions;
//   - as much must be put as is got at each place of a channel (P1), nothing may wait for itself
//     (P2), and accesses that change what another one sees must be ordered (analysis/ProgramCheck);
//   - affinity and concurrency lists must not contradict each other or the order of dependencies,
//     and with `device` what is held at once must be there (P3, P4, docs/resources.md);
//   - accesses must stay inside of their memory;
//   - with `target=npu`, or a device that is one, cores may load and store L1 only, and transfers that data or arguments
//     decide about need a proof that they do not hang.
// It changes nothing; it fails when it has reported an error. What it cannot decide is a remark.
// `counterexample=FILE` writes the runs that show the first error, for `airlite-run --schedule`; none where only a proof is missing.
#include "airlite/analysis/ProgramCheck.hpp"
#include "airlite/analysis/Resources.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <fstream>

namespace airlite {

namespace {

class AirVerifyProgram : public Pass {
 public:
  AirVerifyProgram()
      : Pass("air-verify-program", "Refuses programs that would not end, or not with one result") {
    anchor("builtin.module");
    option("target", target_,
           "kind of device that the program is for; of an npu, cores load and store L1 only. auto: "
           "what `device` is",
           {"auto", "any", "npu"});
    option("device", device_, "what there is of each resource: npu1, mi300x, ..., or a JSON file");
    option(
        "resources", resources_,
        "with `device`: all, or memory only, where tiles and DMA channels are still to be shared",
        {"all", "memory"});
    option("races", races_, "look for accesses that nothing orders");
    option("bounds", bounds_, "look for accesses that leave their memory");
    option("definedness", definedness_, "look for what nobody has written and is handed out");
    option("unproved-bounds", unprovedBounds_,
           "a remark for each access of which it cannot be shown that it stays inside");
    option("max-points", maxPoints_, "largest unfolding of a function; 0: do not unfold");
    option("counterexample", counterexample_,
           "file for the runs that show the first error (airlite-run --on=interp --schedule=FILE)");
    option("valuations", valuations_,
           "how many sets of numbers are tried for arguments that decide about control");
    example("airlite-opt --air-verify-program=target=npu in.mlir");
  }

  PassResult run(Operation& root, PassContext& context) override {
    bool sound = true;
    root.walk([&](Operation& op) { sound &= succeeded(check(op)); });
    std::optional<analysis::DeviceLimits> device;
    if (!device_.empty()) device = analysis::findDeviceLimits(root.context(), device_);
    if (!device_.empty() && !device) return PassResult::Failed;
    const bool isForCores = target_ == "npu" || (target_ == "auto" && device && device->isArray);
    if (isForCores) sound &= analysis::checkCoreMemory(root);
    const auto resources =
        resources_ == "all" ? analysis::CheckedResources::All : analysis::CheckedResources::Memory;
    sound &= succeeded(analysis::verifyResources(root, device ? &*device : nullptr, resources));
    if (!sound || maxPoints_ <= 0) return sound ? PassResult::Unchanged : PassResult::Failed;
    analysis::ProgramCheckOptions options;
    options.maxPoints = static_cast<size_t>(maxPoints_);
    options.valuations = static_cast<unsigned>(std::clamp<int64_t>(valuations_, 1, 1000));
    options.provesOpenControl = isForCores;
    options.races = races_;
    options.bounds = bounds_;
    options.definedness = definedness_;
    options.unprovedBounds = unprovedBounds_;
    analysis::ProgramVerdict verdict = analysis::checkProgram(root, options);
    for (const analysis::Undecided& undecided : verdict.undecided)
      if (undecided.isWhole)
        undecided.op->emitWarning() << "this function is not verified: " << undecided.reason;
      else
        context.remark(*undecided.op, "not all verified: " + undecided.reason);
    for (const analysis::ProvenChannel& proven : verdict.proven)
      context.remark(*proven.channel, proven.text);
    if (verdict.findings.empty()) return PassResult::Unchanged;
    if (!counterexample_.empty() && !verdict.counterexample.runs.empty())
      writeCounterexample(verdict.counterexample, root);
    return PassResult::Failed;
  }

 private:
  void writeCounterexample(const analysis::Schedule& schedule, Operation& root) const {
    std::ofstream file(counterexample_, std::ios::binary);
    file << analysis::scheduleToJson(schedule, root);
    file.close();
    if (!file) root.emitError() << "cannot write '" << counterexample_ << "'";
  }

  LogicalResult check(Operation& op) const {
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
      return air::checkChannelUse(air::ChannelAccessOp(&op));
    return success();
  }

  std::string target_ = "auto";
  std::string resources_ = "all";
  std::string device_;
  std::string counterexample_;
  bool races_ = true, bounds_ = true, definedness_ = true, unprovedBounds_ = false;
  int64_t maxPoints_ = 1'000'000;
  int64_t valuations_ = 8;
};

}  // namespace

void registerAirVerifyProgram(PassRegistry& registry) { registry.add<AirVerifyProgram>(); }

}  // namespace airlite
