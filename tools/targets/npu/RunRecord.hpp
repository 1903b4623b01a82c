// What a run on the simulated NPU did, as one JSON object: the page of --view shows it, and
// `airlite compare` reads it. docs/view.md describes the format.
#pragma once

#include "NpuDesign.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Recorder.hpp"
#include "airlite/npu/sim/array/Statistics.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace airlite::tools {

/// A text that source places refer to, by the name that they give it.
struct SourceText {
  std::string name, text;

  /// The text of a file that locations name: this one, or what lies there; none for what cannot be read.
  std::optional<std::string> of(const std::string& file) const;
};

/// One run and all that watched it, which is over.
struct WatchedRun {
  const NpuRun& run;
  const npu::sim::Array& array;
  const npu::sim::RunResult& result;
  const npu::sim::Statistics& statistics;
  const npu::sim::Recorder& recorder;
};

class RunRecord {
 public:
  /// `place`: "sim", or "model" of runs that were estimated.
  RunRecord(const npu::Device& device, const std::string& place);
  bool isEmpty() const { return runs_.empty(); }
  void add(const WatchedRun& watched);
  /// JSON with the texts that places refer to: `program`, and files that are still there.
  std::string text(const SourceText& program) const;

 private:
  const npu::Device& device_;
  nlohmann::ordered_json head_;  ///< device, names of states
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
};

}  // namespace airlite::tools
