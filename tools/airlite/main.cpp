// airlite: one name for the tools. `airlite compile x.mlir` is `airlite-compile x.mlir`, and each
// tool stays a program of its own: airlite-opt starts in milliseconds and never loads LLVM.
#include "../common/CommandLine.hpp"
#include "../common/Session.hpp"
#include "../common/ToolPath.hpp"
#include "airlite/support/Text.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace airlite::tools {
namespace {

struct Command {
  std::string_view name;
  const char* tool;
  const char* flag;  // comes before the user's own words; null: none
  const char* summary;
};

constexpr std::array kCommands{
    Command{"opt", "airlite-opt", nullptr, "check a program, run passes, print it"},
    Command{"compile", "airlite-compile", nullptr, "make the files that a GPU or an NPU loads"},
    Command{"run", "airlite-run", nullptr,
            "run a program here, on a device or on the simulated NPU"},
    Command{"tune", "airlite-tune", nullptr,
            "search for the fastest way to map a program to an NPU"},
    Command{"sweep", "airlite-sweep", nullptr,
            "do a list of compilations and simulations, several at once, and keep their results"},
    Command{"inspect", "airlite-inspect", nullptr,
            "show the files of an NPU as text, and make them from text"},
    Command{"compare", "airlite-compare", nullptr, "show two recorded runs side by side"},
    Command{"lsp", "airlite-lsp", nullptr, "the language server that editors start"},
    Command{"doctor", "airlite-run", "--doctor",
            "say which devices, drivers and libraries are here"},
};

void printHelp(std::ostream& out) {
  out << "Usage: airlite COMMAND [ARGUMENT...]\n\n";
  for (const Command& command : kCommands) {
    std::string name(command.name);
    out << "  " << name << std::string(10 - name.size(), ' ') << command.summary << "\n";
  }
  out << "\n`airlite COMMAND --help` explains each. Exit codes: those of the command; 2 wrong "
         "usage.\n";
}

const Command* find(std::string_view name) {
  for (const Command& command : kCommands)
    if (command.name == name) return &command;
  return nullptr;
}

int wrongUsage(std::string_view message) {
  std::cerr << "airlite: error: " << message << "\n";
  return kUsage;
}

int unknown(std::string_view name) {
  std::array<std::string_view, kCommands.size()> names;
  for (size_t i = 0; i < names.size(); ++i)
    names[i] = kCommands[i].name;
  return wrongUsage("there is no command '" + std::string(name) + "'" + didYouMean(name, names));
}

/// Becomes the tool; comes back only when that fails.
int become(const Command& command, int argc, char** argv) {
  std::string path = toolPath(command.tool);
  std::vector<char*> words{path.data()};
  if (command.flag) words.push_back(const_cast<char*>(command.flag));
  words.insert(words.end(), argv + 2, argv + argc);
  words.push_back(nullptr);
  execvp(path.c_str(), words.data());
  std::cerr << "airlite: error: cannot start " << path << ": " << std::strerror(errno) << "\n";
  return kFailure;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    printHelp(std::cerr);
    return kUsage;
  }
  std::string_view word = argv[1];
  if (word == "--help" || word == "-h" || word == "help") {
    printHelp(std::cout);
    return kSuccess;
  }
  if (word == "--version") {
    std::cout << "airlite " << versionText() << "\n";
    return kSuccess;
  }
  const Command* command = find(word);
  return command ? become(*command, argc, argv) : unknown(word);
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) { return airlite::tools::main(argc, argv); }
