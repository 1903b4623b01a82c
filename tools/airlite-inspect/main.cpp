// airlite-inspect: bytes of the NPU to text, and back. Each subject is a file of its own.
#include "../common/CommandLine.hpp"
#include "../common/Session.hpp"
#include "Images.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace airlite::tools {
namespace {

constexpr const char* kDescription =
    "Shows what the files of the NPU say, and makes them from text.\n"
    "\n"
    "Examples:\n"
    "  airlite-inspect design.xclbin                      show any image as text\n"
    "  airlite-inspect --assemble design.txt -o d.xclbin  the same bytes from that text\n"
    "  airlite-inspect --diff a.cdo b.cdo                 what the two do differently\n"
    "\n"
    "Exit codes: 0 fine, 1 the input is wrong or --diff found a difference, 2 wrong usage,\n"
    "3 internal error.";

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, "airlite-inspect"};
  images::Job job;
  bool isAssembly = false, isDiff = false;
  app.add_option("input", job.input, "input file, - for standard input")->type_name("FILE");
  app.add_option("second", job.second, "the other file of --diff")->type_name("FILE");
  app.add_option("-o", job.output, "output file, - for standard output")->type_name("FILE");
  app.add_option("--device", job.device, "whose register names to use (npu1)")->type_name("NAME");
  app.add_flag("--assemble", isAssembly, "make an image from its text");
  app.add_flag("--diff", isDiff, "compare two images by what they do");
  if (const auto code = parseArguments(app, argc, argv, {"-h", "-o"})) return *code;
  if (isAssembly && isDiff) return usageError(app, "--assemble and --diff are two jobs");
  if (isDiff == job.second.empty())
    return usageError(app, isDiff ? "--diff needs two files" : "one file at a time");
  if (isDiff) return images::diff(job);
  return isAssembly ? images::assemble(job) : images::print(job);
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
