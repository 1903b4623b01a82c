#include "Options.hpp"

#include <CLI/CLI.hpp>

namespace airlite::tools {
namespace {

void addProgramOptions(CLI::App& app, Options& o) {
  app.add_option("input", o.input, "input file, - for standard input")->type_name("FILE");
  app.add_option("-o", o.output, "output file, - for standard output")->type_name("FILE");
  app.add_option("--input-format", o.inputFormat, "auto looks at the first character")
      ->check(CLI::IsMember({"auto", "text", "json"}));
  app.add_option("--emit", o.emit, "what to print")->check(CLI::IsMember({"text", "json", "none"}));
  app.add_option(
         "--dump-graph", o.graphFile,
         "write operations and uses as a graph, .dot or .json; acdg:FILE: tokens and channels")
      ->type_name("FILE");
  app.add_flag("--split-input-file", o.splitInput,
               "treat the pieces between '// -----' lines alone");
  app.add_flag("--verify-diagnostics", o.verifyDiagnostics,
               "compare the diagnostics with the '// expected-...' comments");
  app.add_flag("--allow-unregistered", o.allowUnregistered, "keep what unknown dialects own");
  app.add_flag("--print-generic", o.printGeneric, "print every operation in the generic form");
  app.add_flag("--print-debuginfo", o.debugInfo, "print locations");
  app.add_flag("--list-ops", o.listOps, "print the names of all operations and stop");
  app.add_flag("--dump-op-docs", o.dumpOpDocs, "print docs/ir_reference.md and stop");
}

void addPassOptions(CLI::App& app, Options& o) {
  auto* passes = app.add_option_group("Passes");
  passes->add_flag("--dump-pass-docs", o.dumpPassDocs, "print docs/passes.md and stop");
  passes->add_option("--pass-pipeline", o.pipeline, "passes as text: 'a,b{opt=1},func.func(c)'");
  passes->add_option("--pipeline", o.pipeline,
                     "the same: a recipe by its name, 'air-npu{herd=4,4}'");
  passes->add_flag("--list-passes", o.listPasses, "print all passes and stop");
  passes->add_option("--help-pass", o.helpPass, "print the options of a pass and stop")
      ->type_name("NAME");
  passes->add_flag("--dump-pass-pipeline", o.dumpPipeline, "print the pipeline on standard error");
  passes->add_flag("--no-verify-each", o.noVerifyEach, "do not verify after each pass");
  passes->add_flag("!--verify-each", o.noVerifyEach, "verify after each pass (the default)");
  passes->add_flag("--check-each", o.checkEach,
                   "run the functions on random arguments before and after each pass, and stop at "
                   "the first pass that changes what they compute");
  passes->add_option("--check-schedules", o.checkSchedules, "how often --check-each runs them")
      ->check(CLI::Range(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  passes->add_flag("--no-effect-count", o.noEffectCount,
                   "do not check that passes keep puts, gets, copies and stores");
  passes->add_flag("--remarks", o.run.remarks, "show why passes did or did not act");
  passes->add_flag("--timing", o.run.timing, "print the time of each pass");
  passes->add_flag("--pass-statistics", o.run.statistics, "print the counters of the passes");
  passes
      ->add_option("--crash-reproducer", o.run.reproducer,
                   "write program and pipeline here when a pass fails")
      ->type_name("FILE");
}

void addPrintOptions(CLI::App& app, Options& o) {
  auto* print = app.add_option_group("Printing between passes");
  print->add_option("--print-ir-before", o.run.printBefore, "before these passes")
      ->delimiter(',')
      ->type_name("PASS");
  print->add_option("--print-ir-after", o.run.printAfter, "after these passes")
      ->delimiter(',')
      ->type_name("PASS");
  print->add_flag("--print-ir-before-all", o.run.printBeforeAll, "before every pass");
  print->add_flag("--print-ir-after-all", o.run.printAfterAll, "after every pass");
  print->add_flag("--print-ir-after-change", o.run.printAfterChange,
                  "after passes that change something");
  print->add_flag("--print-ir-after-failure", o.run.printAfterFailure, "after a pass that fails");
  print->add_flag("--print-ir-module-scope", o.run.printModuleScope,
                  "print the whole module each time");
  print
      ->add_option("--print-ir-tree-dir", o.run.printTreeDir,
                   "a numbered file per print in this folder")
      ->type_name("DIR");
}

void addTestingOptions(CLI::App& app, Options& o) {
  auto* testing = app.add_option_group("Random programs, see docs/checking.md");
  testing
      ->add_option("--generate", o.generateText,
                   "instead of reading one, make a random correct program")
      ->type_name("SEED");
  testing->add_option("--generate-size", o.generate.size, "how much happens in it")
      ->check(CLI::Range(1, 20))
      ->type_name("N")
      ->capture_default_str();
  testing
      ->add_option("--generate-kind", o.generateKind,
                   "an asynchronous program, or linalg ops for --pipeline=air-npu")
      ->check(CLI::IsMember({"program", "nest"}))
      ->capture_default_str();
  testing
      ->add_option("--mutate", o.mutation,
                   "put a mistake into the program, before the passes; KIND:SEED of a kind: " +
                       mutationKinds())
      ->type_name("SEED");
  testing
      ->add_option("--reduce", o.reduceCommand,
                   "make the program small as long as this command, run by sh, exits as it does "
                   "on the input (not 0); {} in it is the file, which else comes last")
      ->type_name("COMMAND");
}

void addDiagnosticOptions(CLI::App& app, Options& o) {
  auto* diagnostics = app.add_option_group("Diagnostics");
  diagnostics->add_option("--color", o.diagnostics.color, "NO_COLOR is honoured")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  diagnostics
      ->add_option("--diagnostics-format,--diagnostics", o.diagnostics.format,
                   "one JSON object per line with json; one SARIF 2.1.0 document at the end with "
                   "sarif, for editors and CI")
      ->check(CLI::IsMember({"text", "json", "sarif"}));
  diagnostics->add_flag("--Werror", o.diagnostics.warningsAsErrors, "warnings are errors");
  diagnostics->add_option("--max-errors", o.diagnostics.maxErrors, "errors to show, 0 for all");
}

}  // namespace

std::string mutationKinds() {
  std::string names;
  for (testing::Mutation kind : testing::allMutations())
    names += (names.empty() ? "" : ", ") + std::string(testing::mutationName(kind));
  return names;
}

void addOptions(CLI::App& app, Options& o) {
  addProgramOptions(app, o);
  addPassOptions(app, o);
  addPrintOptions(app, o);
  addTestingOptions(app, o);
  addDiagnosticOptions(app, o);
}

}  // namespace airlite::tools
