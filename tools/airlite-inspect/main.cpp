// airlite-inspect: bytes of the NPU to text, and back. Each subject is a file of its own; here are
// only the command line and the table of what there is.
#include "../common/CommandLine.hpp"
#include "../common/Session.hpp"
#include "Asm.hpp"
#include "Images.hpp"
#include "Objects.hpp"
#include "Request.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <deque>
#include <iostream>

namespace airlite::tools {

int inputError(const std::string& message) {
  std::cerr << "airlite-inspect: error: " << message << "\n";
  return kFailure;
}

bool read(const std::string& path, std::string& bytes) {
  auto found = readInput(path);
  if (!found) return inputError(found.error().message) == kSuccess;
  bytes = std::move(*found);
  return true;
}

int write(const Request& request, std::string_view bytes) {
  const auto written = writeOutput(request.output, bytes);
  return written ? static_cast<int>(kSuccess) : inputError(written.error().message);
}

namespace {

constexpr const char* kDescription =
    "Shows what the files of the NPU say, and makes them from text.\n"
    "\n"
    "Examples:\n"
    "  airlite-inspect design.xclbin              show any image as text\n"
    "  airlite-inspect --assemble d.txt -o d.bin  the same bytes from that text\n"
    "  airlite-inspect --diff a.cdo b.cdo         what the two do differently\n"
    "  airlite-inspect --asm core.s -o core.bin   assemble a core program\n"
    "  airlite-inspect --disasm core.bin          show one, in a form that assembles to the same "
    "bytes\n"
    "  airlite-inspect --check-hazards core.s     find what breaks the rules of the pipeline\n"
    "  airlite-inspect --asm -c f.s -o f.o        an object, to be linked with others\n"
    "  airlite-inspect f.o                        its symbols, code and data\n"
    "  airlite-inspect --link f.o g.o -o core.elf the executable of a core\n"
    "\n"
    "Exit codes: 0 fine, 1 the input is wrong or --diff found a difference, 2 wrong usage,\n"
    "3 internal error.";

/// What is done when no flag says otherwise.
constexpr Action kShow{"", "", show};
constexpr Action kActions[] = {
    {"--print", "show an image as text, an object byte by byte (without a flag: as assembly)",
     images::print},
    {"--assemble", "make an image from its text", images::assemble},
    {"--diff", "compare two images by what they do", images::diff},
    {"--asm", "assemble the program of a core", runAssembler},
    {"--disasm", "disassemble the program of a core: bytes, an object or executable",
     runDisassembler},
    {"--link", "link objects to the executable of a core", runLinker},
    {"--check-hazards",
     "check the program of a core (.s: a source; bytes; an executable) against the rules of the "
     "machine",
     runHazardCheck},
};

std::optional<std::string> wrongFiles(const Action& action, const Request& request) {
  if (request.isObject && action.run != runAssembler) return "-c goes with --asm";
  if (action.run == runLinker) return std::nullopt;
  const bool isPair = action.run == images::diff;
  if (request.more.empty() && isPair != request.second.empty()) return std::nullopt;
  return isPair ? "--diff needs two files" : "one file at a time";
}

const Action* chosen(const CLI::App& app, const Request& request, const std::deque<bool>& given,
                     int& code) {
  const Action* action = nullptr;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) continue;
    if (action) {
      code = usageError(app, std::string(action->flag) + " and " + std::string(kActions[i].flag) +
                                 " are two jobs");
      return nullptr;
    }
    action = &kActions[i];
  }
  if (!action) action = &kShow;
  if (std::optional<std::string> wrong = wrongFiles(*action, request)) {
    code = usageError(app, *wrong);
    return nullptr;
  }
  return action;
}

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, "airlite-inspect"};
  Request request;
  std::deque<bool> given(std::size(kActions));
  app.add_option("input", request.input, "input file, - for standard input")->type_name("FILE");
  app.add_option("second", request.second, "the other file of --diff")->type_name("FILE");
  app.add_option("more", request.more, "more objects for --link")->type_name("FILE");
  app.add_option("-o", request.output, "output file, - for standard output")->type_name("FILE");
  for (size_t i = 0; i < given.size(); ++i)
    app.add_flag(std::string(kActions[i].flag), given[i], std::string(kActions[i].help));
  app.add_flag("-c", request.isObject, "--asm: make an object, symbols may be defined elsewhere");
  app.add_option("--entry", request.entry,
                 "--link: where the core starts (the first code of the first object)")
      ->type_name("SYMBOL");
  addRepeated(app, "--symbol", request.symbols,
              "--link: a name for an address or number that objects may use")
      ->type_name("NAME=VALUE");
  app.add_option("--data-begin", request.dataBegin,
                 fmt::format("--link: where data may begin ({:#x}: a stack of 1 KiB is before it)",
                             request.dataBegin))
      ->type_name("ADDRESS");
  app.add_option("--data-bytes", request.dataBytes, "--link: room for data")->type_name("NUMBER");
  app.add_flag("--keep-unused", request.keepsUnused,
               "--link: link sections that nothing refers to, too");
  app.add_option("--base", request.base, "address of the first byte of a program")
      ->type_name("ADDRESS");
  app.add_option(
         "--device", request.device,
         "whose register names (images) and instructions (programs) to use (npu1; ELF files "
         "say which)")
      ->type_name("NAME");
  app.add_flag(
      "--reads-in-flight", request.readsInFlight,
      "--check-hazards: show registers that are read while a write is under way, too, and in "
      "an executable whatever else compilers do on purpose");
  if (std::optional<int> code = parseArguments(app, argc, argv, {"-h", "-o", "-c"})) return *code;
  int code = kSuccess;
  const Action* action = chosen(app, request, given, code);
  return action ? action->run(request) : code;
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    return airlite::tools::toolMain(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "airlite-inspect: internal error: " << error.what() << "; please report it\n";
    return airlite::tools::kInternal;
  }
}
