// air-verify-program: what only a whole program can be asked. The verifier accepts pieces of
// programs, so it says nothing of a channel that is declared elsewhere, and does not know the
// device that a launch is for. Here every put and get must have a declared channel and as many
// indices as the channel has dimensions; with `target=npu`, cores may load and store L1 only. It
// changes nothing; it fails when it has reported an error.
#include "airlite/dialect/Air.hpp"
#include "airlite/transform/Passes.hpp"

namespace airlite {

namespace {

class AirVerifyProgram : public Pass {
 public:
  AirVerifyProgram()
      : Pass("air-verify-program", "Checks what the parts of a program need of each other") {
    option("target", target_, "device that the program is for", {"any", "npu"});
    example("airlite-opt --air-verify-program=target=npu in.mlir");
  }

  PassResult run(Operation& root, PassContext&) override {
    bool sound = true;
    root.walk([&](Operation& op) { sound &= succeeded(check(op)); });
    return sound ? PassResult::Unchanged : PassResult::Failed;
  }

 private:
  LogicalResult check(Operation& op) const {
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
      return air::checkChannelUse(air::ChannelAccessOp(&op));
    if (target_ == "npu" && isa<air::HerdOp>(&op)) return air::checkCoreMemory(air::HerdOp(&op));
    return success();
  }

  std::string target_ = "any";
};

}  // namespace

void registerAirVerifyProgram(PassRegistry& registry) { registry.add<AirVerifyProgram>(); }

}  // namespace airlite
