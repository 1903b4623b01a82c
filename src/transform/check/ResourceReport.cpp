// air-resource-report: says how much a program holds at once, level by level, and what makes up
// each number (analysis/Resources.hpp, docs/resources.md).
//
// Matches every launch, segment and herd. Produces a table or JSON, in the file `output` or as a
// remark at the module; with `device`, how much of it there is, and whether the program fits. A
// program that does not fit is reported, not refused: that is for air-verify-program=device=...
//
// Declines nothing. A file that cannot be written and an unknown device are errors.
#include "airlite/analysis/Resources.hpp"
#include "airlite/pass/Pass.hpp"

#include <fstream>

namespace airlite {

namespace {

class AirResourceReport : public Pass {
 public:
  AirResourceReport()
      : Pass("air-resource-report",
             "Says how many tiles, bytes and DMA channels are held at once") {
    anchor("builtin.module");
    option("device", device_, "what there is: npu1, mi300x, another AIE device, or a JSON file");
    option("format", format_, "how it is written", {"table", "json"});
    option("output", output_, "the file to write; empty: a remark at the module");
    example("airlite-opt --air-resource-report='device=npu1 output=report.txt' in.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    std::optional<analysis::DeviceLimits> limits;
    if (!device_.empty()) limits = analysis::findDeviceLimits(module.context(), device_);
    if (!device_.empty() && !limits) return PassResult::Failed;
    const analysis::DeviceLimits* device = limits ? &*limits : nullptr;
    analysis::ResourceAnalysis found = analysis::analyseResources(module);
    return write(module, format_ == "json" ? analysis::resourceJson(found, device)
                                           : analysis::resourceTable(found, device));
  }

 private:
  PassResult write(Operation& module, const std::string& text) {
    if (output_.empty()) {
      module.emitRemark() << "resources:\n" << text;
      return PassResult::Unchanged;
    }
    std::ofstream file(output_, std::ios::binary);
    file << text;
    file.close();
    if (file) return PassResult::Unchanged;
    module.emitError() << "cannot write '" << output_ << "'";
    return PassResult::Failed;
  }

  std::string device_;
  std::string format_ = "table";
  std::string output_;
};

}  // namespace

void registerAirResourceReport(PassRegistry& registry) { registry.add<AirResourceReport>(); }

}  // namespace airlite
