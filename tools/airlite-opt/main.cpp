// airlite-opt: reads a program, runs passes, prints it. No policy of its own.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "../common/ExpectedDiagnostics.hpp"
#include "../common/Session.hpp"
#include "Docs.hpp"
#include "Reduce.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/graph/Export.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/testing/Generate.hpp"
#include "airlite/testing/Mutate.hpp"
#include "airlite/text/GraphDump.hpp"
#include "airlite/text/Json.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/transform/Passes.hpp"
#include "airlite_build_info.hpp"

namespace airlite {

void registerBackendPasses(PassRegistry& registry);

namespace {

using namespace tools;

struct PassFlag {
  std::string name;
  std::string options;
};

struct Options {
  std::string input = "-";
  std::string output = "-";
  std::string inputFormat = "auto";
  std::string emit = "text";
  std::optional<std::string> graphFile;
  // What the prefix and the end of the name ask for.
  std::optional<GraphFormat> graphFormat;
  std::optional<graph::AcdgFormat> acdgFormat;
  std::string pipeline;
  std::vector<PassFlag> passes;
  bool splitInput = false;
  bool verifyDiagnostics = false;
  bool allowUnregistered = false;
  bool printGeneric = false;
  bool debugInfo = false;
  bool checkEach = false;
  bool noVerifyEach = false;
  bool noEffectCount = false;
  bool dumpPipeline = false;
  bool listPasses = false;
  bool listOps = false;
  bool dumpOpDocs = false;
  bool dumpPassDocs = false;
  std::string helpPass;
  std::optional<std::string> generateText;
  uint64_t generateSeed = 0;
  testing::GenerateOptions generate;
  std::string generateKind = "program";
  unsigned checkSchedules = interp::MeaningCheckOptions().schedules;
  std::optional<std::string> mutation;  // SEED or KIND:SEED
  std::optional<testing::Mutation> mutationKind;
  uint64_t mutationSeed = 0;
  std::optional<std::string> reduceCommand;
  PipelineOptions run;
  DiagnosticOptions diagnostics;
};

constexpr const char* kDescription =
    "Reads an airlite program (text or JSON), runs passes over it and prints it.\n"
    "\n"
    "Examples:\n"
    "  airlite-opt in.mlir                                  check a program and print it\n"
    "  airlite-opt --canonicalize --cse in.mlir -o out.mlir run two passes, in this order\n"
    "  airlite-opt --pass-pipeline='module(func.func(cse))' in.mlir --emit=json\n"
    "\n"
    "Every pass is a flag as well (--list-passes), with options as --pass='a=1 b=2'.\n"
    "Exit codes: 0 fine, 1 the input or a pass failed, 2 wrong usage, 3 internal error.";

int usageError(const std::string& message) {
  std::cerr << "airlite-opt: error: " << message << "\n";
  return kUsage;
}

// -- Command line -----------------------------------------------------------------------------

std::string mutationKinds() {
  std::string names;
  for (testing::Mutation kind : testing::allMutations())
    names += (names.empty() ? "" : ", ") + std::string(testing::mutationName(kind));
  return names;
}

void addOptions(CLI::App& app, Options& o) {
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

  auto* diagnostics = app.add_option_group("Diagnostics");
  diagnostics->add_option("--color", o.diagnostics.color, "NO_COLOR is honoured")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  diagnostics
      ->add_option("--diagnostics-format", o.diagnostics.format,
                   "one JSON object per line with json")
      ->check(CLI::IsMember({"text", "json"}));
  diagnostics->add_flag("--Werror", o.diagnostics.warningsAsErrors, "warnings are errors");
  diagnostics->add_option("--max-errors", o.diagnostics.maxErrors, "errors to show, 0 for all");
}

/// Takes the flags that are passes out of the arguments, in order.
void takePassFlags(const PassRegistry& registry, std::vector<std::string>& arguments, Options& o) {
  std::vector<std::string> rest;
  for (std::string& argument : arguments) {
    size_t equals = argument.find('=');
    std::string name = argument.starts_with("--") ? argument.substr(2, equals - 2) : "";
    if (name.empty() || !registry.knows(name)) {
      rest.push_back(std::move(argument));
      continue;
    }
    o.passes.push_back({name, equals == std::string::npos ? "" : argument.substr(equals + 1)});
  }
  arguments = std::move(rest);
}

std::string unknownOption(const CLI::App& app, const PassRegistry& registry,
                          const std::string& text) {
  std::string name = text.substr(0, text.find('='));
  while (name.starts_with('-'))
    name.erase(0, 1);
  std::vector<std::string> options;
  auto collect = [&](const CLI::App& group) {
    for (const CLI::Option* option : group.get_options())
      for (const std::string& known : option->get_lnames())
        options.push_back(known);
  };
  collect(app);
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; }))
    collect(*group);
  std::vector<std::string_view> names(options.begin(), options.end());
  for (std::string_view pass : registry.allNames())
    names.push_back(pass);
  return "unknown option '" + text + "'" + didYouMean(name, names);
}

/// What the parser of the command line cannot tell.
std::optional<int> checkGraphFile(Options& o) {
  if (!o.graphFile) return std::nullopt;
  constexpr std::string_view kPrefix = "acdg:", kSuffixes[] = {".dot", ".json", ".graphml"};
  std::string& name = *o.graphFile;
  bool isAcdg = name.starts_with(kPrefix);
  if (isAcdg) name.erase(0, kPrefix.size());
  if (isAcdg)
    o.acdgFormat = graph::acdgFormatOf(name);
  else
    o.graphFormat = graphFormatOf(name);
  if (!o.acdgFormat && !o.graphFormat) {
    size_t dot = name.rfind('.');
    std::string_view suffix = dot == std::string::npos ? "" : std::string_view(name).substr(dot);
    std::string expected = isAcdg ? "'.dot', '.json' or '.graphml'" : "'.dot' or '.json'";
    return usageError("--dump-graph: expected a file name that ends with " + expected +
                      ", found '" + name + "'" +
                      didYouMean(suffix, std::span(kSuffixes, isAcdg ? 3 : 2)));
  }
  if (o.splitInput)
    return usageError("--dump-graph shows one program, it cannot go with --split-input-file");
  return std::nullopt;
}

std::optional<int> checkSeed(const char* option, std::string_view text, uint64_t& seed) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return std::nullopt;
  return usageError(std::string(option) + ": expected a number as seed, found '" +
                    std::string(text) + "'");
}

std::optional<int> checkMutation(Options& o) {
  if (!o.mutation) return std::nullopt;
  std::string_view text = *o.mutation;
  if (size_t colon = text.find(':'); colon != text.npos) {
    std::string name(text.substr(0, colon));
    o.mutationKind = testing::mutationByName(name);
    std::vector<std::string_view> names;
    for (testing::Mutation kind : testing::allMutations())
      names.push_back(testing::mutationName(kind));
    if (!o.mutationKind)
      return usageError("--mutate: there is no mistake '" + name + "'" + didYouMean(name, names) +
                        "; one of " + mutationKinds());
    text.remove_prefix(colon + 1);
  }
  return checkSeed("--mutate", text, o.mutationSeed);
}

std::optional<int> checkOptions(Options& o) {
  if (o.generateText && o.input != "-")
    return usageError("--generate makes a program, it cannot go with the input '" + o.input + "'");
  if (o.generateText)
    if (std::optional<int> code = checkSeed("--generate", *o.generateText, o.generateSeed))
      return code;
  bool hasPasses = !o.passes.empty() || !o.pipeline.empty();
  if (o.reduceCommand && (hasPasses || o.mutation || o.splitInput))
    return usageError(
        "--reduce works on one program as it is: it cannot go with passes, --mutate or "
        "--split-input-file");
  if (o.reduceCommand && o.reduceCommand->empty())
    return usageError("--reduce: the command is empty");
  if (std::optional<int> code = checkMutation(o)) return code;
  return checkGraphFile(o);
}

std::optional<int> parseCommandLine(int argc, char** argv, const PassRegistry& registry,
                                    Options& o) {
  CLI::App app{kDescription, "airlite-opt"};
  addOptions(app, o);
  app.set_version_flag("--version", "airlite-opt " AIRLITE_VERSION " (" AIRLITE_COMMIT ")");
  std::vector<std::string> arguments = normalizeArguments(argc, argv, {"-o", "-h"});
  takePassFlags(registry, arguments, o);
  std::reverse(arguments.begin(), arguments.end());
  app.allow_extras();
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
    return kSuccess;
  } catch (const CLI::CallForVersion& version) {
    app.exit(version);
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    return usageError(error.what());
  }
  std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return checkOptions(o);
  if (extras[0].starts_with('-')) return usageError(unknownOption(app, registry, extras[0]));
  return usageError("more than one input file: '" + extras[0] + "'");
}

// -- Lists ------------------------------------------------------------------------------------

void listLine(const Configurable& entry) {
  std::string_view name = entry.name();
  std::cout << "  --" << name << std::string(name.size() < 34 ? 34 - name.size() : 1, ' ')
            << entry.summary() << "\n";
}

int listPasses(const PassRegistry& registry) {
  for (std::string_view name : registry.names())
    listLine(*registry.create(name));
  std::cout << "\nRecipes, each a list of passes:\n";
  for (std::string_view name : registry.recipeNames())
    listLine(*registry.createRecipe(name));
  return kSuccess;
}

int helpPass(const PassRegistry& registry, const std::string& name) {
  std::unique_ptr<Pass> pass = registry.create(name);
  std::unique_ptr<Recipe> recipe = registry.createRecipe(name);
  if (!pass && !recipe) {
    std::vector<std::string_view> names = registry.allNames();
    return usageError("unknown pass '" + name + "'" + didYouMean(name, names));
  }
  const Configurable& entry = pass ? static_cast<Configurable&>(*pass) : *recipe;
  std::cout << entry.name() << ": " << entry.summary() << "\n";
  if (pass && !pass->anchorName().empty()) std::cout << "runs on: " << pass->anchorName() << "\n";
  if (recipe) std::cout << "stands for: " << recipe->pipeline() << "\n";
  for (const PassOption& option : entry.options())
    std::cout << "  " << option.name << "=" << option.defaultText << "\n      " << option.doc
              << "\n";
  if (!entry.exampleText().empty()) std::cout << "example: " << entry.exampleText() << "\n";
  return kSuccess;
}

// -- One program --------------------------------------------------------------------------------

/// A program and what it lives in.
struct Program {
  Context context;
  OwningOp module;
};

/// The last program goes with the process: taking a large one to pieces, op by op, is a twentieth
/// of a run. Builds that look for mistakes take it to pieces, so that leaks and uses that are left
/// are seen.
void leaveToProcess(std::unique_ptr<Program> program) {
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  [[maybe_unused]] static Program* left = nullptr;  // reachable, as leak checkers ask
  left = program.release();
#else
  program.reset();
#endif
}

class OptRun {
 public:
  OptRun(const PassRegistry& registry, Options& options) : registry_(registry), o_(options) {}
  ~OptRun() { leaveToProcess(std::move(program_)); }

  int run() {
    std::string text, error;
    if (o_.generateText) {
      text = o_.generateKind == "nest" ? testing::generateNest(o_.generateSeed)
                                       : testing::generateProgram(o_.generateSeed, o_.generate);
    } else if (!readInput(o_.input, text, error)) {
      std::cerr << "airlite-opt: error: " << error << "\n";
      return kFailure;
    }
    if (o_.passes.empty() && o_.pipeline.empty()) o_.pipeline = reproducerPipeline(text);
    if (o_.reduceCommand) return reduce(std::move(text));
    std::vector<InputPiece> pieces;
    if (o_.splitInput)
      pieces = splitInput(text);
    else
      pieces.push_back({std::move(text), 1});
    int code = kSuccess;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (i) output_ += "// -----\n";
      code = std::max(code, runPiece(std::move(pieces[i])));
    }
    if (code == kSuccess && o_.graphFile && !writeOutput(*o_.graphFile, graph_, error)) {
      std::cerr << "airlite-opt: error: " << error << "\n";
      return kFailure;
    }
    if (code != kSuccess || o_.emit == "none" || o_.verifyDiagnostics) return finish(code);
    if (writeOutput(o_.output, output_, error)) return code;
    std::cerr << "airlite-opt: error: " << error << "\n";
    return kFailure;
  }

 private:
  /// Pieces that were fine are shown even when others failed, but only on standard output.
  int finish(int code) {
    std::string error;
    if (o_.emit != "none" && o_.output == "-" && o_.splitInput && !o_.verifyDiagnostics)
      (void)writeOutput("-", output_, error);
    if (o_.verifyDiagnostics && code == kSuccess && o_.emit != "none")
      (void)writeOutput(o_.output, output_, error);
    return code;
  }

  int reduce(std::string text) {
    std::string error;
    ReduceRequest request{*o_.reduceCommand, o_.input, std::move(text), o_.allowUnregistered};
    int code = reduceByCommand(request, output_);
    if (code != kSuccess || writeOutput(o_.output, output_, error)) return code;
    std::cerr << "airlite-opt: error: " << error << "\n";
    return kFailure;
  }

  int runPiece(InputPiece piece) {
    program_.reset();  // of the piece before: one at a time
    program_ = std::make_unique<Program>();
    Context& context = program_->context;
    registerAllDialects(context);
    context.setAllowUnregistered(o_.allowUnregistered);
    if (!o_.verifyDiagnostics) {
      DiagnosticPrinter printer(context, o_.diagnostics);
      int code = process(context, piece);
      return code == kSuccess && printer.errors() && o_.diagnostics.warningsAsErrors ? kFailure
                                                                                     : code;
    }
    ExpectedDiagnostics expected(context, piece.text, piece.firstLine, inputName(o_.input));
    int code = process(context, piece);
    for (const std::string& line : expected.mismatches()) {
      std::cerr << line << "\n";
      code = std::max(code, static_cast<int>(kFailure) + kMismatch);
    }
    // Failing as expected is what was asked for.
    return code >= kMismatch ? kFailure : code == kInternal ? kInternal : kSuccess;
  }

  static bool looksLikeJson(std::string_view text) {
    size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
  }

  int process(Context& context, InputPiece& piece) {
    // The pipeline is checked before the program: a misspelled pass is wrong usage.
    Pipeline pipeline;
    if (!buildPipeline(context, pipeline)) return kUsage;
    if (o_.dumpPipeline) std::cerr << "Pass Manager with " << pipeline.str() << "\n";
    ParseOptions parse;
    parse.firstLine = piece.firstLine;
    bool json = o_.inputFormat == "json" || (o_.inputFormat == "auto" && looksLikeJson(piece.text));
    // From here on the context has the only copy of the text, as its next source.
    uint32_t source = context.sources().last() + 1;
    auto read = json ? parseJson : parseSource;
    OwningOp& module = program_->module;
    module = read(context, std::move(piece.text), inputName(o_.input), parse);
    if (!module) return kFailure;
    if (o_.mutation && !makeMistake(*module)) return kFailure;
    int code = runPasses(*module, pipeline, context.sources().text(source));
    if (code == kSuccess) print(*module);
    if (code == kSuccess) graph_ = graphOf(*module);
    return code;
  }

  /// Kinds that the program has no place for are passed over, unless one is asked for.
  bool makeMistake(Operation& module) {
    std::span<const testing::Mutation> kinds = testing::allMutations();
    for (size_t i = 0; i < kinds.size(); ++i) {
      testing::Mutation kind =
          o_.mutationKind.value_or(kinds[(o_.mutationSeed + i) % kinds.size()]);
      std::optional<testing::MutationResult> made = testing::mutate(module, kind, o_.mutationSeed);
      if (!made) continue;
      if (o_.run.remarks) made->at->emitRemark() << made->what;
      return true;
    }
    return module.emitError() << "there is no place for such a mistake", false;
  }

  std::string graphOf(Operation& module) const {
    if (o_.acdgFormat) return exportAcdg(graph::buildAcdg(module), module, *o_.acdgFormat);
    return o_.graphFormat ? dumpGraph(module, *o_.graphFormat) : "";
  }

  bool buildPipeline(Context& context, Pipeline& pipeline) {
    if (!o_.pipeline.empty() && !parsePipeline(context, registry_, o_.pipeline, pipeline))
      return false;
    for (const PassFlag& flag : o_.passes)
      if (!addPassByFlag(context, registry_, flag.name, flag.options, pipeline)) return false;
    return true;
  }

  int runPasses(Operation& module, const Pipeline& pipeline, std::string_view text) {
    PipelineOptions options = o_.run;
    options.verifyEach = !o_.noVerifyEach;
    options.countEffects = !o_.noEffectCount;
    options.inputText = text;
    options.log = [](std::string_view text) { std::cerr << text; };
    interp::MeaningCheckOptions check;
    check.schedules = o_.checkSchedules;
    if (o_.run.remarks)
      check.log = [](std::string_view text) {
        std::cerr << "airlite-opt: remark: " << text << "\n";
      };
    interp::MeaningCheck meaning(check);
    if (o_.checkEach) {
      meaning.begin(module);
      options.checkEach = [&](Operation& whole, const Pass& pass) {
        return meaning.check(whole, pass.name());
      };
    }
    PipelineOutcome outcome = runPipeline(module, pipeline, options);
    if (!outcome.reproducerPath.empty())
      std::cerr << "airlite-opt: note: reproducer written to '" << outcome.reproducerPath << "'\n";
    if (outcome.internalError) return kInternal;
    return outcome.result == PassResult::Failed ? kFailure : kSuccess;
  }

  void print(Operation& module) {
    std::string text;
    if (o_.emit == "json")
      text = printJson(module);
    else if (o_.emit == "text")
      text = printToString(module, {.generic = o_.printGeneric, .debugInfo = o_.debugInfo});
    if (output_.empty())
      output_ = std::move(text);
    else
      output_ += text;
  }

  static constexpr int kMismatch = 16;  // above all exit codes

  const PassRegistry& registry_;
  Options& o_;
  std::unique_ptr<Program> program_;  // of the piece that was read last
  std::string output_, graph_;
};

int listOps() {
  Context context;
  registerAllDialects(context);
  for (std::string_view name : context.opNames())
    std::cout << name << "\n";
  return kSuccess;
}

int show(const std::string& text) {
  std::cout << text;
  return kSuccess;
}

int toolMain(int argc, char** argv) {
  PassRegistry registry;
  registerAllPasses(registry);
  registerBackendPasses(registry);
  Options options;
  if (std::optional<int> code = parseCommandLine(argc, argv, registry, options)) return *code;
  if (options.listPasses) return listPasses(registry);
  if (options.listOps) return listOps();
  if (options.dumpOpDocs) return show(operationReference());
  if (options.dumpPassDocs) return show(passReference(registry));
  if (!options.helpPass.empty()) return helpPass(registry, options.helpPass);
  return OptRun(registry, options).run();
}

}  // namespace
}  // namespace airlite

/// What a run frees, it soon needs again: memory that is given back to the system comes back page
/// fault by page fault.
static void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // what is larger still comes and goes by itself
#endif
}

int main(int argc, char** argv) {
  keepFreedMemory();
  std::ios::sync_with_stdio(false);
  try {
    return airlite::toolMain(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "airlite-opt: internal error: " << error.what() << "; please report it\n";
    return airlite::tools::kInternal;
  }
}
