// airlite-tune: searches for the fastest way to map a program to an NPU, and writes it down for
// airlite-compile and airlite-run.
#include "../common/CommandLine.hpp"
#include "../targets/npu/TuneNpu.hpp"
#include "airlite/device/AieDevices.hpp"

namespace airlite::tools {
namespace {

constexpr const char* kDescription =
    "Searches for the fastest way to map a program to an NPU: herds, tiles and rounds of products "
    "of\n"
    "matrices, and the recipes that the compiler knows. A table shows each way as it is measured. "
    "The\n"
    "choice is never slower than what the compiler does by itself, by the same measure.\n"
    "\n"
    "Examples:\n"
    "  airlite-tune in.mlir -o choice.json\n"
    "  airlite-tune in.mlir -o choice.json --by=sim --seconds=600\n"
    "  airlite-compile in.mlir --target=npu1 --tuned=choice.json -o out\n"
    "  airlite-run --on=sim in.mlir --tuned=choice.json --init=random:1 --compare=interp\n"
    "\n"
    "Ctrl-C ends the search; the file has the best way found so far. Another search that writes "
    "the\n"
    "same file begins with what it says.\n"
    "Exit codes: 0 fine, 1 the program cannot be compiled, 2 wrong usage, 3 internal error.";

void addOptions(CLI::App& app, TuneRequest& request) {
  CompileRequest& o = request.compile;
  o.target = std::string(aie::defaultNpu().name);
  app.add_option("input", o.frontend.input, "input file, - for standard input")->type_name("FILE");
  app.add_option("-o,--output", o.output, "file for the choice")->type_name("CHOICE.json");
  app.add_option("--target", o.target, "the NPU")->type_name("DEVICE")->capture_default_str();
  app.add_option("--by", request.by,
                 "who counts cycles: model (milliseconds for each way, docs/npu_model.md) or sim")
      ->check(CLI::IsMember({"model", "sim"}))
      ->capture_default_str();
  app.add_option("--most", request.most, "ways that are tried")
      ->check(CLI::Range(1u, 1'000'000u))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seconds", request.seconds, "try no other way after so long; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->type_name("S")
      ->capture_default_str();
  addRepeated(app, "--sim-timing", request.timing,
              "change a time, rate or depth of the array (docs/npu_sim.md)")
      ->type_name("NAME=N");
  app.add_option("--function", o.function, "the function, where there are several")
      ->type_name("NAME");
  addRepeated(app, "--set", o.numbers, "a value of argument N, an integer, index or float")
      ->type_name("N=VALUE");
  addRepeated(app, "-L,--object-path", o.objectFolders,
              "a folder with objects that cores name (link_with)")
      ->type_name("DIR");
  app.add_flag("--exact", o.exact, "as of airlite-compile");
  app.add_flag("--float-blocks", o.floatBlocks, "as of airlite-compile");
  addFrontendOptions(app, o.frontend);
}

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, "airlite-tune"};
  TuneRequest request;
  addOptions(app, request);
  if (const auto code = parseArguments(app, argc, argv, {"-o", "-h", "-v", "-L"})) return *code;
  if (request.compile.output.empty())
    return usageError(app, "no file for the choice given: -o FILE");
  return tuneForNpu(app, request);
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  return airlite::tools::guardedMain("airlite-tune",
                                     [&] { return airlite::tools::toolMain(argc, argv); });
}
