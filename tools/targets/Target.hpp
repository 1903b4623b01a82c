// The families of devices that a build compiles and runs programs for: what the tools ask, so that
// no tool knows any of them. TargetList.cpp names them all.
//
//   return targetOfDevice("npu1").compile(app, request);
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace airlite::tools {

struct CompileRequest;
struct RunRequest;

struct DoctorRequest {
  std::string root = "/";  ///< where /sys, /dev and /opt are looked for
  std::string library;     ///< libxrt_coreutil; empty: where the system finds it
};

struct Ability {
  std::string what;
  std::string whyNot = "";  ///< empty: it can
};

/// What a target says of this machine.
struct Examination {
  std::string title;  ///< "NPU"
  std::string lines;  ///< of the devices and libraries that are here
  std::vector<Ability> abilities;
};

class Target {
 public:
  virtual ~Target() = default;
  /// The devices that it compiles for, as --target takes them.
  virtual std::vector<std::string> devices() const = 0;
  /// Writes the files that a device loads. An exit code.
  virtual int compile(const CLI::App& app, const CompileRequest& request) const = 0;

  /// Where programs for it run, as --on takes them.
  virtual std::span<const std::string_view> places() const = 0;
  /// Runs a program, or the files of one, and checks the results. An exit code.
  virtual int run(const CLI::App& app, const RunRequest& request) const = 0;

  virtual Examination examine(const DoctorRequest& request) const = 0;
};

/// Those of this build.
std::span<const Target* const> targets();
/// The target of GPUs for a name that none takes: it says what is wrong with it.
const Target& targetOfDevice(std::string_view device);
/// Null when no target has it.
const Target* targetOfPlace(std::string_view place);
/// Where airlite-run runs programs when its user does not say.
std::string_view defaultPlace();

}  // namespace airlite::tools
