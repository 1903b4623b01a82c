// A program compiled for a device: its files, and for an NPU what the simulator and XRT run.
#pragma once

#include "Errors.hpp"
#include "airlite/host/HostValue.hpp"
#include "airlite/support/Artifact.hpp"
#include "targets/npu/NpuDesign.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::python {

struct Compiled {
  std::string target;
  std::vector<Artifact> files;
  std::string table;  ///< resources, where they were asked for
  std::vector<Report> diagnostics;
  std::optional<tools::NpuDesign> design;  ///< of an NPU, when images were made
  unsigned inputs = 0;  ///< arguments that a run has to give, before results; 0: read from files
};

/// The design of files that were compiled before: a folder or a manifest.json.
tools::NpuDesign designOf(const std::string& path);

}  // namespace airlite::python
