// airlite-run: runs a program in the interpreter, compiled on this machine or on a GPU, and checks
// what it computed.
#include "../common/CommandLine.hpp"
#include "../common/Frontend.hpp"
#include "../targets/Passes.hpp"
#include "../targets/gpu/Kernels.hpp"
#include "Arguments.hpp"
#include "Deliver.hpp"
#include "Doctor.hpp"
#include "Interp.hpp"
#include "SimProgram.hpp"
#include "airlite/analysis/Schedule.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iostream>
#if AIRLITE_HAVE_GPU
#include "Hip.hpp"
#include "Progress.hpp"
#include "airlite/gpu/emit/HostProgram.hpp"
#endif

namespace airlite {
namespace {

using namespace tools;

constexpr const char* kTool = "airlite-run";

struct Options {
  FrontendOptions frontend;
  std::string function;
  std::string init, order = "forward", on;
  uint64_t seed = 0, maxSteps = 0;
  unsigned schedules = 1;
  std::string levels = "outer";
  std::string schedule;
  std::vector<std::string> inputs, shapes, outputs, expects;
  double relative = 0, absolute = 0;
  unsigned threads = 0;
  bool progress = false;
  std::string instructions;
  bool reverseTiles = false, stats = false;
  uint64_t cycles = 0;
  std::string trace, compare;
  bool exact = false;
  std::string xrtLibrary, doctorRoot = "/";
  bool doctor = false;
};

constexpr const char* kDescription =
    "Runs a function of an AIR program (text or JSON), and checks the result.\n"
    "\n"
    "Examples:\n"
    "  airlite-run examples/matmul/matmul.mlir --init=random:1 --output 2=c.npy\n"
    "  airlite-run in.mlir --input 0=a.npy --input 1=b.npy --expect 2=ref.npy --order=reverse\n"
    "  airlite-run in.mlir --init=zero --function=step --input 0=42 --on=hip -v\n"
    "  airlite-run in.mlir --on=interp --init=random:1 --schedules=100\n"
    "  airlite-run --on=sim in.mlir --init=random:1 --compare=interp --stats\n"
    "  airlite-run --on=sim build/design --input a=a.npy --expect c=ref.npy\n"
    "  airlite-run --on=sim design.xclbin insts.bin --input 0=a.npy --shape 1=64xi32 --output "
    "1=c.npy\n"
    "\n"
    "N counts the arguments of the function from 0, its results follow. Arguments without an "
    "input\n"
    "are filled by --init, or start as zeros when they are an output or expected.\n"
    "On the host the very module that would go to the GPU is run, one fiber per work-item. "
    "--order\n"
    "changes which work-item goes first: a program without races computes the same in each order.\n"
    "The interpreter runs the program as it is, at any stage of lowering. What may run at the "
    "same\n"
    "time is taken in an order that --seed decides; wrong accesses and deadlocks are errors.\n"
    "The simulated NPU loads what a driver would: a folder with manifest.json, an image and its\n"
    "instruction stream, or what airlite-compile --target=npu1 would make of a program. N may be "
    "the\n"
    "name of an argument there.\n"
    "Files are .npy: f16 f32 f64, i8 to i64, u8 to u64, bool for i1, i64 for index, <V2 for bf16.\n"
    "Exit codes: 0 fine, 1 the program failed or differs, 2 wrong usage, 3 internal error.";

void addOptions(CLI::App& app, Options& o) {
  app.add_option("input-file", o.frontend.input, "input file, - for standard input")
      ->type_name("FILE");
  app.add_option("--function", o.function,
                 "the function to run (default: that of --schedule; main)")
      ->type_name("NAME");
  app.add_option(
         "--on", o.on,
         "host: compiled for this machine's processor; hip: the first AMD GPU; interp: the "
         "reference interpreter; sim: the simulated NPU; xrt: the NPU of this machine (default: "
         "host; interp in a build without the GPU backend)")
      ->check(CLI::IsMember({"host", "hip", "interp", "sim", "xrt"}));
  app.add_option("instructions", o.instructions,
                 "with --on=sim or xrt and an image: the instruction stream")
      ->type_name("INSTS.bin");

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
  auto* interp = app.add_option_group("In the interpreter");
  interp->add_option("--seed", o.seed, "decides the order of what may run")
      ->type_name("N")
      ->capture_default_str();
  interp
      ->add_option("--schedules", o.schedules,
                   "runs with so many seeds, from --seed on; the first pair that differs is shown")
      ->check(CLI::Range(1u, 1u << 30))
      ->type_name("N")
      ->capture_default_str();
  interp
      ->add_option("--schedule", o.schedule,
                   "replays the runs of a counterexample of air-verify-program; arguments that are "
                   "in it need no --input")
      ->excludes("--schedules")
      ->excludes("--seed")
      ->type_name("FILE.json");
  interp->add_option("--max-steps", o.maxSteps, "ends a run after so many steps, 0: never")
      ->type_name("N");
  interp
      ->add_option("--levels", o.levels,
                   "direct accesses to memory of another level that are errors: outer (from a "
                   "launch or segment to memory nearer to the cores), strict (all), free (none)")
      ->check(CLI::IsMember({"outer", "strict", "free"}))
      ->type_name("RULE")
      ->capture_default_str();
  app.add_flag("--doctor", o.doctor,
               "say which devices, drivers and libraries are here, and what airlite can do");
  app.add_option("--doctor-root", o.doctorRoot, "where --doctor looks for /sys, /dev (for tests)")
      ->group("");
  app.add_option("--xrt", o.xrtLibrary,
                 "the library libxrt_coreutil, where it is not found by itself")
      ->type_name("FILE.so");
  auto* sim = app.add_option_group("On the simulated NPU");
  sim->add_flag("--reverse-tiles", o.reverseTiles,
                "step the tiles in the other order: a design without races computes the same");
  sim->add_option("--cycles", o.cycles, "end the run after so many cycles (default: 10^9)")
      ->type_name("N");
  sim->add_flag("--stats", o.stats,
                "print utilisation and stalls of cores and channels, and the load of streams");
  sim->add_option("--trace", o.trace, "write what cores, channels and locks do, for Perfetto")
      ->type_name("FILE.json");
  sim->add_option("--compare", o.compare,
                  "of a program: interp runs the interpreter with the same arguments, and compares "
                  "bit by bit")
      ->check(CLI::IsMember({"interp"}));
  sim->add_flag("--exact", o.exact,
                "compile a program as airlite-compile --exact does: floats have its own bits");
  addFrontendOptions(app, o.frontend);
}

/// What the texts of the command line mean.
struct Request {
  ArgumentRequest arguments;
  Tolerance tolerance;
  InterpRequest interp;
#if AIRLITE_HAVE_GPU
  gpu::RunOptions run;
#endif
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

#if AIRLITE_HAVE_GPU
bool readOrder(const Options& o, gpu::RunOptions& run, std::string& error) {
  if (o.order == "forward") return true;
  run.order = o.order == "reverse" ? gpu::RunOrder::Reverse : gpu::RunOrder::Random;
  if (o.order == "reverse" || readSeed(o.order, "random:", run.seed)) return true;
  error = "expected --order=forward, reverse or random:SEED, got '" + o.order + "'";
  return false;
}
#endif

void readInterp(const Options& o, InterpRequest& request) {
  interp::RunOptions run;
  run.seed = o.seed;
  run.maxSteps = o.maxSteps;
  run.levels = o.levels == "free"     ? interp::LevelRule::Free
               : o.levels == "strict" ? interp::LevelRule::Strict
                                      : interp::LevelRule::Outer;
  request.schedules = schedulesOfSeeds(run, o.schedules);
}

bool readPositions(const std::string& option, const std::vector<std::string>& texts,
                   Positions& positions, std::string& error) {
  for (const std::string& text : texts)
    if (!addPosition(option, text, positions, error)) return false;
  return true;
}

bool readRequest(const Options& o, Request& request, std::string& error) {
  request.tolerance = {o.relative, o.absolute};
  readInterp(o, request.interp);
#if AIRLITE_HAVE_GPU
  request.run.threads = o.threads;
  if (!readOrder(o, request.run, error)) return false;
#endif
  ArgumentRequest& arguments = request.arguments;
  return readInit(o, arguments, error) &&
         readPositions("--input", o.inputs, arguments.inputs, error) &&
         readPositions("--shape", o.shapes, arguments.shapes, error) &&
         readPositions("--output", o.outputs, arguments.outputs, error) &&
         readPositions("--expect", o.expects, arguments.expects, error);
}

/// The function with a body of this name; null when there is none.
Operation* findFunction(Operation& module, const std::string& name, std::string& error) {
  std::vector<std::string_view> names;
  for (Operation& op : module.region().front().ops()) {
    func::FuncOp function = dynCast<func::FuncOp>(&op);
    if (!function || function.isDeclaration()) continue;
    names.push_back(function.symName());
    if (function.symName() == name) return &op;
  }
  error = "there is no function '" + name + "' with a body" + didYouMean(name, names);
  return nullptr;
}

HostFunction signatureOf(func::FuncOp function, bool isInterp) {
  auto layoutOf = isInterp ? interpLayout : layoutOfArgument;
  HostFunction signature{std::string(function.symName()), {}, {}};
  for (Type type : function.functionType().inputs())
    signature.params.push_back(layoutOf(type));
  for (Type type : function.functionType().results())
    signature.results.push_back(layoutOf(type));
  return signature;
}

class Run {
 public:
  Run(const Options& o, Request request)
      : o_(o), request_(std::move(request)), function_(o.function.empty() ? "main" : o.function) {}

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
    OwningOp module = readProgramToRun(context, o_.frontend, kTool, text);
    if (!module) return kFailure;
    if (!o_.schedule.empty() && !readSchedule(*module, error))
      return fail("'" + o_.schedule + "': " + error);
    Operation* function = findFunction(*module, function_, error);
    if (!function) return fail(error);
    HostFunction signature = signatureOf(func::FuncOp(function), o_.on == "interp");
    std::optional<std::vector<Argument>> made = makeArguments(signature, request_.arguments, error);
    if (!made) return fail(error);
    arguments_ = std::move(*made);
    int code =
        o_.on == "interp" ? runInterp(*module, *function) : runCompiled(*module, signature, text);
    if (code != kSuccess) return code;
    watch_.next("check and write");
    return deliver({signature, arguments_, results_}, request_.arguments, request_.tolerance);
  }

  /// Orders and arguments of a counterexample; what the command line says counts more.
  bool readSchedule(Operation& module, std::string& error) {
    std::string text;
    if (!readInput(o_.schedule, text, error)) return false;
    const auto schedule = analysis::scheduleFromJson(text, module);
    if (!schedule) return error = schedule.error().message, false;
    if (o_.function.empty()) function_ = schedule->function;
    for (const auto& [number, value] : schedule->arguments)
      request_.arguments.inputs.try_emplace(number, std::to_string(value));
    const interp::RunOptions plain = request_.interp.schedules.front().run;
    request_.interp.schedules.clear();
    for (size_t i = 0; i < schedule->runs.size(); ++i) {
      InterpSchedule run{plain, fmt::format("run {} of the schedule", i)};
      run.run.seed = schedule->runs[i].seed;
      run.run.late = schedule->runs[i].late;
      request_.interp.schedules.push_back(std::move(run));
    }
    return true;
  }

  int runInterp(Operation& module, Operation& function) {
    watch_.next("run");
    InterpOutcome outcome;
    std::string error;
    if (!runOnInterpreter(module, function, arguments_, request_.interp, outcome, error))
      return error.empty() ? static_cast<int>(kFailure) : fail(error);
    results_ = std::move(outcome.results);
    memory_ = std::make_shared<std::vector<interp::Datum>>(std::move(outcome.memory));
    if (o_.frontend.verbose)
      std::cerr << fmt::format("{}: {} steps, {} processes, {} schedules agree\n", kTool,
                               outcome.steps, outcome.processes, request_.interp.schedules.size());
    return kSuccess;
  }

#if AIRLITE_HAVE_GPU
  int runCompiled(Operation& module, const HostFunction& signature, const std::string& text) {
    watch_.next("lower to kernels");
    int code = lowerToKernels(module, {o_.frontend, kTool, text});
    if (code != kSuccess) return code;
    return o_.on == "hip" ? runHip(module, signature) : runHost(module);
  }

  int runHost(Operation& module) {
    watch_.next("compile for the host");
    auto program = gpu::HostProgram::create(module);
    if (!program) return fail(program.error().message);
    std::vector<HostValue> values;
    for (const Argument& argument : arguments_)
      values.push_back(argument.value);
    watch_.next("run");
    Progress progress(kTool, o_.progress);
    request_.run.progress = std::ref(progress);
    auto run = program->run(function_, values, request_.run);
    if (!run) return fail(run.error().message);
    results_ = std::move(run->results);
    memory_ = run->memory;
    if (o_.frontend.verbose)
      std::cerr << fmt::format(
          "{}: {} launches, {} workgroups, {} barriers, {} threads, {:.4f} s on the host\n", kTool,
          run->launches, run->stats.workgroups, run->stats.barriers, run->stats.threads,
          run->stats.seconds);
    if (run->leakedBuffers)
      std::cerr << fmt::format("{}: warning: {} buffers were allocated and never freed\n", kTool,
                               run->leakedBuffers);
    return kSuccess;
  }

  int runHip(Operation& module, const HostFunction& signature) {
    if (!signature.results.empty())
      return fail("not supported with --on=hip: results of a function");
    watch_.next("compile and run on HIP");
    HipOutcome outcome;
    std::string error;
    bool fine = runOnHip(module, waveSizeOf(module), function_, arguments_, outcome, error);
    if (!fine) return error.empty() ? static_cast<int>(kFailure) : fail(error);
    if (o_.frontend.verbose)
      std::cerr << fmt::format("{}: {} launches, {:.6f} s on {}\n", kTool, outcome.launches,
                               outcome.seconds, outcome.device);
    return kSuccess;
  }
#else
  int runCompiled(Operation&, const HostFunction&, const std::string&) { return kInternal; }
#endif

  static int fail(const std::string& error) { return failRun(error); }

  const Options& o_;
  Request request_;
  std::string function_;
  Stopwatch watch_;
  std::vector<Argument> arguments_;
  std::vector<HostValue> results_;
  std::shared_ptr<void> memory_;  // what buffers among the results point into
};

bool isSimOnly(const Options& o) {
  return o.reverseTiles || o.stats || o.cycles != 0 || !o.trace.empty();
}

/// Options that mean something for the simulator, with the names of the design still in them.
int runSim(const CLI::App& app, const Options& o) {
  std::string error;
  SimRequest request;
  request.inputs = o.inputs, request.shapes = o.shapes;
  request.outputs = o.outputs, request.expects = o.expects;
  request.tolerance = {o.relative, o.absolute};
  request.reverseTiles = o.reverseTiles, request.cycles = o.cycles;
  request.stats = o.stats, request.trace = o.trace;
  request.onDevice = o.on == "xrt", request.xrtLibrary = o.xrtLibrary;
  if (request.onDevice && isSimOnly(o))
    return usageError(app, "--reverse-tiles, --cycles, --stats and --trace need --on=sim");
  request.verbose = o.frontend.verbose;
  if (!readInit(o, request.arguments, error)) return usageError(app, error);
  if (!isDesign(o.frontend.input)) {
    if (!o.instructions.empty())
      return failRun("'" + o.frontend.input + "' is no image for an NPU");
    return runProgramOnSimulator({o.frontend, o.function, !o.compare.empty(), o.exact},
                                 std::move(request));
  }
  if (!o.compare.empty() || o.exact)
    return usageError(app, "--compare and --exact need the program: a design is bytes alone");
  const auto design = readDesign(o.frontend.input, o.instructions, error);
  return design ? runDesign(*design, std::move(request)) : failRun(error);
}

int runProgram(const CLI::App& app, Options& o) {
  Request request;
  std::string error;
  if (o.doctor) {
    std::cout << doctorReport({o.doctorRoot, o.xrtLibrary});
    return kSuccess;
  }
  if (o.on == "sim" || o.on == "xrt") return runSim(app, o);
  if (!o.instructions.empty() || isSimOnly(o) || !o.compare.empty() || o.exact)
    return usageError(app, "an instruction stream, --reverse-tiles, --cycles, --stats, --trace, "
                           "--exact and --compare need --on=sim");
#if AIRLITE_HAVE_GPU
  if (o.on.empty()) o.on = "host";
#else
  if (o.on.empty()) o.on = "interp";
  if (o.on != "interp")
    return usageError(app, "this build has no GPU backend, only --on=interp, sim and xrt");
#endif
  if (!o.schedule.empty() && o.on != "interp")
    return usageError(app, "--schedule needs --on=interp");
  if (!readRequest(o, request, error)) return usageError(app, error);
  return Run(o, std::move(request)).run();
}

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
