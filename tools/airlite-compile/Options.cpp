#include "Options.hpp"

#include "../common/CommandLine.hpp"

namespace airlite::tools {

const char* const kCompileDescription =
    "Compiles an AIR program (text or JSON) to files that a device can load.\n"
    "\n"
    "Examples:\n"
    "  airlite-compile examples/matmul/matmul.mlir --target=gfx942 -o out\n"
    "  airlite-compile in.mlir --target=gfx1100 --emit=asm,manifest -o out -v\n"
    "  airlite-compile design.mlir --target=npu1 -o out --report=resources\n"
    "  airlite-compile examples/npu/matmul_i32.mlir --target=npu1 --emit=air,aie -o out --remarks\n"
    "  airlite-compile in.mlir --target=npu1 --emit=air --pipeline='air-npu{herd=2,2}' -o out\n"
    "  airlite-opt in.mlir --canonicalize | airlite-compile --target=gfx90a -o out\n"
    "\n"
    "GPUs: writes a .hsaco (--emit: also .ll, .s) for each function with launches, and "
    "manifest.json\n"
    "with the kernels: arguments, grid, block, and registers, LDS and scratch as the object says.\n"
    "npu1, npu2 (npu1_1col to npu1_3col, npu2_1col to npu2_7col: so many of its columns; npu2 in\n"
    "scalar code): writes NAME.xclbin,\n"
    "NAME.insts.bin, NAME.pdi, NAME.cdo, core_COL_ROW.elf and .s, "
    "NAME.locations.txt and manifest.json.\n--emit has also air (the program after the recipe "
    "air-npu),\naie (the design of its tiles), config (what was chosen for it), floorplan.svg. A "
    "program with an\naie.device is a design already: no recipe runs.\n"
    "Nothing is written when something fails.\n"
    "Exit codes: 0 fine, 1 the program cannot be compiled, 2 wrong usage, 3 internal error.";

void addCompileOptions(CLI::App& app, CompileOptions& options) {
  CompileRequest& o = options.request;
  app.add_option("input", o.frontend.input, "input file, - for standard input")->type_name("FILE");
  app.add_option("-o,--output", o.output, "folder for the files, made when it is not there")
      ->type_name("DIR");
  app.add_option("--target", o.target, "the device, see --list-targets")->type_name("CPU");
  app.add_option(
         "--emit", o.emit,
         "what to write: hsaco, manifest, ll, asm; air (the program after all passes); of an NPU "
         "images, aie (the design of its tiles), config, floorplan.svg; a list with commas")
      ->delimiter(',')
      ->check(CLI::IsMember(
          {"hsaco", "manifest", "ll", "asm", "air", "aie", "images", "config", "floorplan.svg"}))
      ->type_name("KINDS")
      ->allow_extra_args(false)
      ->default_str("hsaco,manifest; images");
  app.add_option(
         "--report", o.report,
         "of an NPU: plan, how each op is shared out, what bounds it and what would be next best; "
         "resources, what each tile uses and where each flow goes; a table here, "
         "NAME.resources.json among the files. Of a GPU: kernel, what the objects say of "
         "registers, "
         "occupancy and the instructions of the main loop; a table here")
      ->check(CLI::IsMember({"plan", "resources", "kernel"}))
      ->type_name("WHAT");
  addRepeated(
      app, "-L,--object-path", o.objectFolders,
      "of an NPU: a folder with objects that cores name (link_with); first that of the source")
      ->type_name("DIR");
  app.add_option("--function", o.function,
                 "of an NPU: the function to compile, where there are several")
      ->type_name("NAME");
  addRepeated(app, "--set", o.numbers,
              "of an NPU: the design is for this value of argument N, an integer, index or float, "
              "and does not take it")
      ->type_name("N=VALUE");
  app.add_option("--pipeline", o.frontend.pipeline,
                 "passes or a recipe before those of a GPU; for npu1 in place of air-npu")
      ->type_name("PASSES");
  app.add_option(
         "--tuned", o.tuned,
         "of an NPU: the way that airlite tune has found for the program, in place of air-npu")
      ->excludes("--pipeline")
      ->type_name("CHOICE.json");
  app.add_option("--code-object-version", o.codeObjectVersion,
                 "400 for ROCm 5, 500 for ROCm 6 and 7, 600 for newer loaders")
      ->check(CLI::IsMember({400, 500, 600}))
      ->type_name("N");
  app.add_flag("--check-each", o.frontend.checkEach,
               "run the functions on random arguments before and after each pass that the "
               "interpreter can follow, and stop at the first that changes what they compute");
  app.add_flag("--remarks", o.frontend.remarks, "show why passes did or did not act");
  app.add_flag("--no-verify-program", o.noVerifyProgram,
               "do not ask first whether the program hangs or races (air-verify-program)");
  app.add_flag(
      "--exact", o.exact,
      "floats with the bits of the program as it is: not as the vector and matrix units of an NPU "
      "compute them (docs/recipe.md), and without fused multiply-adds and matrix instructions of a "
      "GPU (docs/gpu.md)");
  app.add_flag(
      "--float-blocks", o.floatBlocks,
      "of an NPU with AIE2P (npu2): multiply matrices of bf16 in blocks of eight that share an "
      "exponent, several times as fast and with fewer bits (docs/npu_floats.md)");
  app.add_flag("--list-targets", options.listTargets, "print the devices and stop");
  addFrontendOptions(app, o.frontend);
}

}  // namespace airlite::tools
