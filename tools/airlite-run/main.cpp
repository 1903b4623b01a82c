// airlite-run: compiles a program, runs it here or on a GPU, and checks what it computed.
#include "../common/CommandLine.hpp"
#include "../common/Frontend.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iostream>
#if AIRLITE_HAVE_GPU
#include "../common/KernelPipeline.hpp"
#include "Arguments.hpp"
#include "Compare.hpp"
#include "Hip.hpp"
#include "Progress.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Symbols.hpp"
#endif

namespace airlite {
namespace {

using namespace tools;

constexpr const char* kTool = "airlite-run";

struct Options {
  FrontendOptions frontend;
  std::string function = "main";
  std::string init, order = "forward", on = "host";
  std::vector<std::string> inputs, shapes, outputs, expects;
  double relative = 0, absolute = 0;
  unsigned threads = 0;
  bool progress = false;
};

constexpr const char* kDescription =
    "Compiles an AIR program (text or JSON), runs a function of it, and checks the result.\n"
    "\n"
    "Examples:\n"
    "  airlite-run examples/matmul/matmul.mlir --init=random:1 --output 2=c.npy\n"
    "  airlite-run in.mlir --input 0=a.npy --input 1=b.npy --expect 2=ref.npy --order=reverse\n"
    "  airlite-run in.mlir --init=zero --function=step --input 0=42 --on=hip -v\n"
    "\n"
    "N counts the arguments of the function from 0, its results follow. Arguments without an "
    "input\n"
    "are filled by --init, or start as zeros when they are an output or expected.\n"
    "On the host the very module that would go to the GPU is run, one fiber per work-item. "
    "--order\n"
    "changes which work-item goes first: a program without races computes the same in each order.\n"
    "Files are .npy: f16 f32 f64, i8 to i64, u8 to u64, bool for i1, i64 for index, <V2 for bf16.\n"
    "Exit codes: 0 fine, 1 the program failed or differs, 2 wrong usage, 3 internal error.";

void addOptions(CLI::App& app, Options& o) {
  app.add_option("input-file", o.frontend.input, "input file, - for standard input")
      ->type_name("FILE");
  app.add_option("--function", o.function, "the function to run")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--on", o.on, "host: this machine's processor; hip: the first AMD GPU")
      ->check(CLI::IsMember({"host", "hip"}))
      ->capture_default_str();

  auto* values = app.add_option_group("Values");
  addRepeated(*values, "--input", o.inputs, "a value for argument N; a number for a scalar")
      ->type_name("N=FILE.npy");
  values
      ->add_option("--init", o.init,
                   "fill the other arguments: zero, or random:SEED (floats in "
                   "[-1, 1), integers from -8 to 7)")
      ->type_name("HOW");
  addRepeated(*values, "--shape", o.shapes, "the shape of argument N where its type leaves it open")
      ->type_name("N=4x8");
  addRepeated(*values, "--output", o.outputs, "write argument or result N after the run")
      ->type_name("N=FILE.npy");
  addRepeated(*values, "--expect", o.expects,
              "compare argument or result N with a file, and show the first element that differs")
      ->type_name("N=FILE.npy");
  values
      ->add_option("--expect-rtol", o.relative,
                   "difference allowed, relative to what is expected "
                   "(default: the same bits)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("X");
  values->add_option("--expect-atol", o.absolute, "difference allowed, absolute")
      ->check(CLI::NonNegativeNumber)
      ->type_name("X");

  auto* host = app.add_option_group("On the host");
  host->add_option("--order", o.order,
                   "of work-items and workgroups: forward, reverse, random:SEED")
      ->type_name("ORDER")
      ->capture_default_str();
  host->add_option("--threads", o.threads, "threads that take workgroups, 0 for one per core")
      ->type_name("N");
  host->add_flag("--progress", o.progress,
                 "show progress even where standard error is no terminal");
  addFrontendOptions(app, o.frontend);
}

#if AIRLITE_HAVE_GPU

/// What the texts of the command line mean.
struct Request {
  ArgumentRequest arguments;
  Tolerance tolerance;
  gpu::RunOptions run;
};

bool readSeed(std::string_view text, std::string_view prefix, uint64_t& seed) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seed);
  return code == std::errc() && end == text.data() + text.size();
}

bool readInit(const Options& o, ArgumentRequest& request, std::string& error) {
  if (o.init.empty()) return true;
  request.init = o.init == "zero" ? InitKind::Zero : InitKind::Random;
  if (o.init == "zero" || readSeed(o.init, "random:", request.seed)) return true;
  error = "expected --init=zero or --init=random:SEED, got '" + o.init + "'";
  return false;
}

bool readOrder(const Options& o, gpu::RunOptions& run, std::string& error) {
  if (o.order == "forward") return true;
  run.order = o.order == "reverse" ? gpu::RunOrder::Reverse : gpu::RunOrder::Random;
  if (o.order == "reverse" || readSeed(o.order, "random:", run.seed)) return true;
  error = "expected --order=forward, reverse or random:SEED, got '" + o.order + "'";
  return false;
}

bool readPositions(const std::string& option, const std::vector<std::string>& texts,
                   Positions& positions, std::string& error) {
  for (const std::string& text : texts)
    if (!addPosition(option, text, positions, error)) return false;
  return true;
}

bool readRequest(const Options& o, Request& request, std::string& error) {
  request.tolerance = {o.relative, o.absolute};
  request.run.threads = o.threads;
  ArgumentRequest& arguments = request.arguments;
  return readInit(o, arguments, error) && readOrder(o, request.run, error) &&
         readPositions("--input", o.inputs, arguments.inputs, error) &&
         readPositions("--shape", o.shapes, arguments.shapes, error) &&
         readPositions("--output", o.outputs, arguments.outputs, error) &&
         readPositions("--expect", o.expects, arguments.expects, error);
}

/// The signature of a function; empty when there is none of this name.
std::optional<gpu::HostFunction> signatureOf(Operation& module, const std::string& name,
                                             std::string& error) {
  std::vector<std::string_view> names;
  for (Operation& op : module.region().front().ops()) {
    func::FuncOp function = dynCast<func::FuncOp>(&op);
    if (!function || function.isDeclaration()) continue;
    names.push_back(function.symName());
    if (function.symName() != name) continue;
    gpu::HostFunction signature{name, {}, {}};
    for (Type type : function.functionType().inputs())
      signature.params.push_back(gpu::layoutOfArgument(type));
    for (Type type : function.functionType().results())
      signature.results.push_back(gpu::layoutOfArgument(type));
    return signature;
  }
  error = "there is no function '" + name + "' with a body" + didYouMean(name, names);
  return std::nullopt;
}

class Run {
 public:
  Run(const Options& o, Request request) : o_(o), request_(std::move(request)) {}

  int run() {
    Context context;
    registerAllDialects(context);
    DiagnosticPrinter printer(context, o_.frontend.diagnostics);
    int code = runAll(context);
    watch_.stop();
    if (o_.frontend.timing) watch_.print(kTool);
    return code == kSuccess && printer.errors() ? kFailure : code;
  }

 private:
  int runAll(Context& context) {
    std::string text, error;
    watch_.next("read");
    OwningOp module = readProgram(context, o_.frontend, kTool, text);
    if (!module) return kFailure;
    std::optional<gpu::HostFunction> signature = signatureOf(*module, o_.function, error);
    if (!signature) return fail(error);
    std::optional<std::vector<Argument>> made =
        makeArguments(*signature, request_.arguments, error);
    if (!made) return fail(error);
    arguments_ = std::move(*made);
    watch_.next("lower to kernels");
    int code = lowerToKernels(*module, o_.frontend, kTool, text);
    if (code != kSuccess) return code;
    code = o_.on == "hip" ? runHip(*module, *signature) : runHost(*module);
    return code == kSuccess ? deliver(*signature) : code;
  }

  int runHost(Operation& module) {
    watch_.next("compile for the host");
    auto program = gpu::HostProgram::create(module);
    if (!program) return fail(program.error);
    std::vector<gpu::HostValue> values;
    for (const Argument& argument : arguments_)
      values.push_back(argument.value);
    watch_.next("run");
    Progress progress(kTool, o_.progress);
    request_.run.progress = std::ref(progress);
    auto run = program->run(o_.function, values, request_.run);
    if (!run) return fail(run.error);
    run_ = std::move(*run);
    if (o_.frontend.verbose)
      std::cerr << fmt::format(
          "{}: {} launches, {} workgroups, {} barriers, {} threads, {:.4f} s on the host\n", kTool,
          run_.launches, run_.stats.workgroups, run_.stats.barriers, run_.stats.threads,
          run_.stats.seconds);
    if (run_.leakedBuffers)
      std::cerr << fmt::format("{}: warning: {} buffers were allocated and never freed\n", kTool,
                               run_.leakedBuffers);
    return kSuccess;
  }

  int runHip(Operation& module, const gpu::HostFunction& signature) {
    if (!signature.results.empty())
      return fail("not supported with --on=hip: results of a function");
    watch_.next("compile and run on HIP");
    HipOutcome outcome;
    std::string error;
    bool fine = runOnHip(module, waveSizeOf(module), o_.function, arguments_, outcome, error);
    if (!fine) return error.empty() ? static_cast<int>(kFailure) : fail(error);
    if (o_.frontend.verbose)
      std::cerr << fmt::format("{}: {} launches, {:.6f} s on {}\n", kTool, outcome.launches,
                               outcome.seconds, outcome.device);
    return kSuccess;
  }

  // -- Results

  NpyArray arrayAt(const gpu::HostFunction& signature, unsigned number) const {
    if (number < arguments_.size()) return arrayOf(arguments_[number]);
    size_t result = number - arguments_.size();
    return arrayOf(signature.results[result], run_.results[result]);
  }

  int deliver(const gpu::HostFunction& signature) {
    watch_.next("check and write");
    std::string error;
    for (const auto& [number, path] : request_.arguments.outputs)
      if (!writeNpy(path, arrayAt(signature, number), error)) return fail(error);
    int code = kSuccess;
    for (const auto& [number, path] : request_.arguments.expects)
      code = std::max(code, compare(arrayAt(signature, number), number, path));
    return code;
  }

  int compare(const NpyArray& got, unsigned number, const std::string& path) {
    std::string error;
    std::optional<NpyArray> expected = readNpy(path, error);
    if (!expected) return fail(error);
    if (sameBits(got.type, expected->type)) expected->type = got.type;
    Comparison comparison = compareArrays(got, *expected, request_.tolerance);
    std::string who = number < arguments_.size()
                          ? fmt::format("argument {}", number)
                          : fmt::format("result {}", number - arguments_.size());
    if (!comparison.equal)
      return fail(fmt::format("{} {}; expected is '{}'", who, comparison.text, path));
    std::cout << fmt::format("{} is as expected in '{}': {}\n", who, path, comparison.text);
    return kSuccess;
  }

  static int fail(const std::string& error) {
    std::cout.flush();
    std::cerr << kTool << ": error: " << error << "\n";
    return kFailure;
  }

  const Options& o_;
  Request request_;
  Stopwatch watch_;
  std::vector<Argument> arguments_;
  gpu::HostRun run_;
};

int runProgram(const CLI::App& app, const Options& o) {
  Request request;
  std::string error;
  if (!readRequest(o, request, error)) return usageError(app, error);
  return Run(o, std::move(request)).run();
}

#else

int runProgram(const CLI::App& app, const Options&) {
  return usageError(app, "this build has no GPU backend, and no other way to run a program");
}

#endif

int toolMain(int argc, char** argv) {
  CLI::App app{kDescription, kTool};
  Options options;
  addOptions(app, options);
  if (std::optional<int> code = parseArguments(app, argc, argv, {"-h", "-v"})) return *code;
  return runProgram(app, options);
}

}  // namespace
}  // namespace airlite

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    return airlite::toolMain(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "airlite-run: internal error: " << error.what() << "; please report it\n";
    return airlite::tools::kInternal;
  }
}
