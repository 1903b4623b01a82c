#include "Doctor.hpp"

#include "../common/CommandLine.hpp"

#include <fmt/format.h>

#include <ranges>
#include <thread>

namespace airlite::tools {
namespace {

std::string abilityLine(const Ability& ability) {
  return fmt::format("  {} {}{}\n", ability.whyNot.empty() ? "yes" : "no ", ability.what,
                     ability.whyNot.empty() ? "" : ": " + ability.whyNot);
}

}  // namespace

std::string doctorReport(const DoctorRequest& request) {
  std::string devices;
  std::string abilities = abilityLine({"run programs in the interpreter (--on=interp)"});
  for (const Target* target : targets() | std::views::reverse) {
    const Examination found = target->examine(request);
    devices += found.title + "\n" + found.lines;
    for (const Ability& ability : found.abilities)
      abilities += abilityLine(ability);
  }
  return fmt::format("airlite {}\nprocessor\n  {} threads\n{}what airlite can do here\n{}",
                     versionText(), std::thread::hardware_concurrency(), devices, abilities);
}

}  // namespace airlite::tools
