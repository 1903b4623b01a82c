// Runs the command of --reduce on candidates (see Reduce.hpp).
#include "Reduce.hpp"

#include "../common/Session.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/testing/Reduce.hpp"
#include "airlite/text/Parser.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sys/wait.h>

namespace airlite::tools {

namespace {

constexpr int kNotFound = 127, kNotExecutable = 126;  // of sh

/// A file in a folder of its own that goes away at the end.
class Candidate {
 public:
  Candidate() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "airlite-reduce-XXXXXX").string();
    if (mkdtemp(pattern.data())) folder_ = pattern;
  }
  ~Candidate() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  Result<void> write(std::string_view text) const {
    if (!folder_.empty()) return writeOutput(path(), text);
    return Error{"cannot make a folder for candidates"};
  }
  std::string path() const { return folder_ + "/candidate.mlir"; }

 private:
  std::string folder_;
};

/// `{}` is the file; without it, the file comes last.
std::string withFile(const std::string& command, const std::string& path) {
  std::string line;
  size_t at = 0;
  for (size_t found; (found = command.find("{}", at)) != std::string::npos; at = found + 2)
    line += command.substr(at, found - at) + "'" + path + "'";
  line += command.substr(at);
  return at ? line : line + " '" + path + "'";
}

class Runner {
 public:
  explicit Runner(const ReduceRequest& request)
      : command_("(" + withFile(request.command, file_.path()) + "\n) >/dev/null 2>&1 </dev/null") {
  }

  /// The exit code of the command, as a shell shows it; negative when there is none.
  int operator()(const std::string& text) {
    if (const auto written = file_.write(text); !written) {
      std::cerr << "airlite-opt: error: " << written.error().message << "\n";
      return -1;
    }
    int status = std::system(command_.c_str());
    if (status == -1) return -1;
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    // Somebody wants an end of all of it.
    if (WTERMSIG(status) == SIGINT) stopped_ = true;
    return 128 + WTERMSIG(status);
  }
  bool isStopped() const { return stopped_; }

 private:
  Candidate file_;
  std::string command_;
  bool stopped_ = false;
};

int fail(const std::string& message, int code = kFailure) {
  std::cerr << "airlite-opt: error: --reduce: " << message << "\n";
  return code;
}

int checkCode(int code, const std::string& command) {
  if (code < 0) return fail("cannot run '" + command + "'");
  if (code == 0)
    return fail("'" + command + "' does not fail on the input: there is nothing to look for");
  if (code == kNotFound || code == kNotExecutable)
    return fail("the shell cannot run '" + command + "' (exit code " + std::to_string(code) + ")");
  return kSuccess;
}

bool verifies(Operation& module) {
  DiagnosticCollector silence(module.context());
  return succeeded(verify(module));
}

}  // namespace

int reduceByCommand(const ReduceRequest& request, std::string& result) {
  Context context;
  registerAllDialects(context);
  context.setAllowUnregistered(request.allowUnregistered);
  ParseOptions parse;
  parse.verify = false;
  OwningOp module;
  {
    DiagnosticPrinter printer(context, {});
    module = parseSource(context, request.text, inputName(request.input), parse);
  }
  if (!module) return kFailure;
  Runner runner(request);
  int wanted = runner(request.text);
  if (int code = checkCode(wanted, request.command); code != kSuccess) return code;
  testing::ReduceOptions options;
  options.mustVerify = verifies(*module);
  options.shows = [&](const std::string& text) {
    return !runner.isStopped() && runner(text) == wanted;
  };
  if (!options.shows(testing::reducedText(*module, options)))
    return fail("'" + request.command +
                "' fails on the input, but not on what airlite prints of it");
  testing::ReduceOutcome outcome = testing::reduce(module, options);
  std::cerr << "airlite-opt: note: " << outcome.before << " operations became " << outcome.after
            << ", with " << outcome.candidates << " candidates\n";
  result = testing::reducedText(*module, options);
  return kSuccess;
}

}  // namespace airlite::tools
