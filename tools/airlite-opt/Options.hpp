// The command line of airlite-opt.
#pragma once

#include "../common/Session.hpp"
#include "airlite/graph/Export.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/testing/Generate.hpp"
#include "airlite/testing/Mutate.hpp"
#include "airlite/text/GraphDump.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace airlite::tools {

struct PassFlag {
  std::string name;
  std::string options;
};

struct Options {
  std::string input = "-";
  std::string output = "-";
  std::string inputFormat = "auto";
  std::string emit = "text";
  std::optional<std::string> graphFile;
  // What the prefix and the end of the name ask for.
  std::optional<GraphFormat> graphFormat;
  std::optional<graph::AcdgFormat> acdgFormat;
  std::string pipeline;
  std::vector<PassFlag> passes;
  bool splitInput = false;
  bool verifyDiagnostics = false;
  bool allowUnregistered = false;
  bool printGeneric = false;
  bool debugInfo = false;
  bool checkEach = false;
  bool noVerifyEach = false;
  bool noEffectCount = false;
  bool dumpPipeline = false;
  bool listPasses = false;
  bool listOps = false;
  bool dumpOpDocs = false;
  bool dumpPassDocs = false;
  std::string helpPass;
  std::optional<std::string> generateText;
  uint64_t generateSeed = 0;
  testing::GenerateOptions generate;
  std::string generateKind = "program";
  unsigned checkSchedules = interp::MeaningCheckOptions().schedules;
  std::optional<std::string> mutation;  // SEED or KIND:SEED
  std::optional<testing::Mutation> mutationKind;
  uint64_t mutationSeed = 0;
  std::optional<std::string> reduceCommand;
  PipelineOptions run;
  DiagnosticOptions diagnostics;
};

/// `airlite-opt: error: <message>` on stderr; the exit code for wrong usage.
int usageError(const std::string& message);

/// Names of the mistakes that --mutate can make.
std::string mutationKinds();

void addOptions(CLI::App& app, Options& options);

/// Reads the command line, on which every pass of `registry` is a flag. An exit code when the tool
/// is done.
std::optional<int> parseCommandLine(int argc, char** argv, const PassRegistry& registry,
                                    Options& options);

}  // namespace airlite::tools
