#include "Options.hpp"

#include "../common/CommandLine.hpp"

namespace airlite::tools {

const char* const kRunDescription =
    "Runs a function of an AIR program (text or JSON), and checks the result.\n"
    "\n"
    "Examples:\n"
    "  airlite-run examples/matmul/matmul.mlir --init=random:1 --output 2=c.npy\n"
    "  airlite-run in.mlir --input 0=a.npy --input 1=b.npy --expect 2=ref.npy --order=reverse\n"
    "  airlite-run in.mlir --init=zero --function=step --input 0=42 --on=hip -v\n"
    "  airlite-run in.mlir --on=interp --init=random:1 --schedules=100\n"
    "  airlite-run --on=sim in.mlir --init=random:1 --compare=interp --stats\n"
    "  airlite-run --on=sim in.mlir --init=random:1 --view out.html\n"
    "  airlite-run --on=model in.mlir --stats\n"
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
    "instruction stream, or what airlite-compile would make of a program for --target. N may be "
    "the\n"
    "name of an argument there.\n"
    "Files are .npy: f16 f32 f64, i8 to i64, u8 to u64, bool for i1, i64 for index, <V2 for bf16, "
    "|V1 for f8.\n"
    "Exit codes: 0 fine, 1 the program failed or differs, 2 wrong usage, 3 internal error.";

namespace {

void addProgramOptions(CLI::App& app, RunRequest& o) {
  app.add_option("input-file", o.frontend.input, "input file, - for standard input")
      ->type_name("FILE");
  app.add_option("--function", o.function,
                 "the function to run (default: that of --schedule; main)")
      ->type_name("NAME");
  app.add_option(
         "--on", o.on,
         "host: compiled for this machine's processor; hip: the first AMD GPU; interp: the "
         "reference interpreter; sim: the simulated NPU; model: how long that would take, without "
         "values and in milliseconds (docs/npu_model.md); xrt: the NPU of this machine (default: "
         "host; interp in a build without the GPU backend)")
      ->check(CLI::IsMember({"host", "hip", "interp", "sim", "model", "xrt"}));
  app.add_option("instructions", o.instructions,
                 "with --on=sim, model or xrt and an image: the instruction stream")
      ->type_name("INSTS.bin");
}

void addValueOptions(CLI::App& app, RunRequest& o) {
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
  values
      ->add_option(
          "--compare", o.compare,
          "of a program: interp runs the interpreter with the same arguments, and compares: "
          "bit by bit with --on=sim, with --exact and of integers; floats on the host or a GPU "
          "within --expect-rtol and --expect-atol, or the usual for their type (docs/gpu.md)")
      ->check(CLI::IsMember({"interp"}));
}

void addHostOptions(CLI::App& app, RunRequest& o) {
  auto* host = app.add_option_group("On the host");
  host->add_option("--order", o.order,
                   "of work-items and workgroups: forward, reverse, random:SEED")
      ->type_name("ORDER")
      ->capture_default_str();
  host->add_option("--target", o.target,
                   "run the kernels that airlite-compile makes for this GPU: of a program without "
                   "launches by the recipe air-gpu, and not the host functions as they are; with "
                   "--on=sim, model or xrt: the NPU to compile for (default: npu1)")
      ->type_name("DEVICE");
  host->add_option("--threads", o.threads, "threads that take workgroups, 0 for one per core")
      ->type_name("N");
  host->add_flag("--progress", o.progress,
                 "show progress even where standard error is not a terminal");
}

void addInterpreterOptions(CLI::App& app, RunRequest& o) {
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
  interp
      ->add_option("--ranks", o.ranks,
                   "the ranks of a program run in one-process, in processes of their own that "
                   "share memory, or in those that mpirun has started (docs/ranks.md)")
      ->check(CLI::IsMember({"one-process", "processes", "mpi"}))
      ->type_name("HOW")
      ->capture_default_str();
  interp->add_option("--max-steps", o.maxSteps, "ends a run after so many steps, 0: never")
      ->type_name("N");
  interp
      ->add_option("--levels", o.levels,
                   "direct accesses to memory of another level that are errors: outer (from a "
                   "launch or segment to memory nearer to the cores), strict (all), free (none)")
      ->check(CLI::IsMember({"outer", "strict", "free"}))
      ->type_name("RULE")
      ->capture_default_str();
}

void addMachineOptions(CLI::App& app, RunOptions& options) {
  RunRequest& o = options.request;
  app.add_flag("--doctor", options.doctor,
               "say which devices, drivers and libraries are here, and what airlite can do");
  app.add_option("--doctor-root", options.machine.root,
                 "where --doctor looks for /sys, /dev (for tests)")
      ->group("");
  app.add_option("--xrt", o.xrtLibrary,
                 "the library libxrt_coreutil, where it is not found by itself")
      ->type_name("FILE.so");
}

void addSimulatorOptions(CLI::App& app, RunRequest& o) {
  auto* sim = app.add_option_group("On the simulated NPU, or its model");
  sim->add_flag("--reverse-tiles", o.reverseTiles,
                "step the tiles in the other order: a design without races computes the same");
  sim->add_flag(
      "--sanitize", o.sanitize,
      "warn of words that the array sends and nobody has written, and of words that are left "
      "in its streams");
  sim->add_option("--cycles", o.cycles, "end the run after so many cycles (default: 10^9)")
      ->type_name("N");
  sim->add_flag("--stats", o.stats,
                "print utilisation and stalls of cores and channels, and the load of streams");
  sim->add_flag("--profile", o.profile,
                "of --on=sim: print where cores spent their cycles, by lines of the program");
  addRepeated(*sim, "--sim-timing", o.timing,
              "change a time, rate or depth of the model (docs/npu_sim.md lists them)")
      ->type_name("NAME=N");
  sim->add_option("--trace", o.trace, "write what cores, channels and locks do, for Perfetto")
      ->type_name("FILE.json");
  sim->add_option("--view", o.view,
                  "write a page that shows the run in a browser: the array and its streams, a "
                  "timeline, stalls, what bounds it, memory (docs/view.md); arguments without a "
                  "value are zeros then, with --record too")
      ->type_name("FILE.html");
  sim->add_option("--record", o.record,
                  "write what the page shows as data; airlite compare takes both")
      ->type_name("FILE.json");
  app.add_flag(
      "--exact", o.exact,
      "of --on=host, hip and sim: compile a program as airlite-compile --exact does, floats "
      "have its own bits");
  sim->add_option(
         "--machine", o.machine,
         "of --on=model: how long an AIR program takes on the machine that this file describes, as "
         "the runner of mlir-air has it (docs/runner.md)")
      ->type_name("FILE.json");
  app.add_option("--tuned", o.tuned,
                 "of a program on an NPU: the way that airlite tune has found for it")
      ->type_name("CHOICE.json");
  app.add_flag("--float-blocks", o.floatBlocks,
               "of --on=sim and npu2: compile a program as airlite-compile --float-blocks does");
}

}  // namespace

void addRunOptions(CLI::App& app, RunOptions& options) {
  RunRequest& o = options.request;
  addProgramOptions(app, o);
  addValueOptions(app, o);
  addHostOptions(app, o);
  addInterpreterOptions(app, o);
  addMachineOptions(app, options);
  addSimulatorOptions(app, o);
  addFrontendOptions(app, o.frontend);
}

}  // namespace airlite::tools
