// The command line of airlite-compile.
#pragma once

#include "../targets/CompileRequest.hpp"

namespace CLI {
class App;
}

namespace airlite::tools {

struct CompileOptions {
  CompileRequest request;
  bool listTargets = false;
};

/// What --help says first.
extern const char* const kCompileDescription;
void addCompileOptions(CLI::App& app, CompileOptions& options);

}  // namespace airlite::tools
