// One run of a function of a program, wherever it is: what comes before it and after it.
#pragma once

#include "../Passes.hpp"
#include "../RunRequest.hpp"
#include "Arguments.hpp"
#include "Compare.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/support/Result.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace airlite::tools {

/// Wrong usage: options that only an NPU has.
std::optional<int> refuseSimulatorOptions(const CLI::App& app, const RunRequest& o);
/// Wrong usage: options that only GPUs have.
std::optional<int> refuseGpuOptions(const CLI::App& app, const RunRequest& o);

/// "random:SEED" with this prefix "random:".
bool readSeed(std::string_view text, std::string_view prefix, uint64_t& seed);
/// What --init says.
Result<void> readInit(const RunRequest& o, ArgumentRequest& request);

class ProgramRun {
 public:
  explicit ProgramRun(const RunRequest& o);
  virtual ~ProgramRun() = default;
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  /// Reads the program, makes arguments, executes, compares and writes. An exit code.
  int run(const CLI::App& app);

 protected:
  /// Reads the options of one place; an error is wrong usage.
  virtual Result<void> readOptions() { return {}; }
  /// Before the function is looked for.
  virtual Result<void> prepare(Operation&) { return {}; }
  virtual ArgLayout layoutOf(Type type) const { return layoutOfArgument(type); }
  /// Runs `function` on the arguments; an exit code.
  virtual int execute(Operation& module, Operation& function) = 0;
  /// False: another process checks and writes what it computed.
  virtual bool delivers() const { return true; }

  Result<Operation*> findFunction(Operation& module) const;
  /// The program as it was read, for passes.
  Driver driver() const;

  const RunRequest& o_;
  std::string function_;
  Stopwatch watch_;
  HostFunction signature_;
  ArgumentRequest wanted_;
  std::vector<Argument> arguments_;
  std::vector<HostValue> results_;
  std::shared_ptr<void> memory_;  // what buffers among the results point into

 private:
  Result<void> readArguments();
  HostFunction signatureOf(Operation& function) const;
  int runAll(Context& context);

  std::string text_;
};

}  // namespace airlite::tools
