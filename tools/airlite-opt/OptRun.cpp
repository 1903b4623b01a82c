#include "OptRun.hpp"

#include "../common/ExpectedDiagnostics.hpp"
#include "Reduce.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/text/Json.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

namespace airlite::tools {
namespace {

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

int fail(const Error& error) {
  std::cerr << "airlite-opt: error: " << error.message << "\n";
  return kFailure;
}

class OptRun {
 public:
  OptRun(const PassRegistry& registry, Options& options) : registry_(registry), o_(options) {}
  ~OptRun() { leaveToProcess(std::move(program_)); }

  int run() {
    auto read = input();
    if (!read) return fail(read.error());
    std::string text = std::move(*read);
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
    if (code == kSuccess && o_.graphFile)
      if (const auto written = writeOutput(*o_.graphFile, graph_); !written)
        return fail(written.error());
    if (code != kSuccess || o_.emit == "none" || o_.verifyDiagnostics) return finish(code);
    return writeOut(code);
  }

 private:
  Result<std::string> input() const {
    if (!o_.generateText) return readInput(o_.input);
    return o_.generateKind == "nest" ? testing::generateNest(o_.generateSeed)
                                     : testing::generateProgram(o_.generateSeed, o_.generate);
  }

  int writeOut(int code) {
    const auto written = writeOutput(o_.output, output_);
    return written ? code : fail(written.error());
  }

  /// Pieces that were fine are shown even when others failed, but only on standard output.
  int finish(int code) {
    if (o_.emit != "none" && o_.output == "-" && o_.splitInput && !o_.verifyDiagnostics)
      (void)writeOutput("-", output_);
    if (o_.verifyDiagnostics && code == kSuccess && o_.emit != "none")
      (void)writeOutput(o_.output, output_);
    return code;
  }

  int reduce(std::string text) {
    ReduceRequest request{*o_.reduceCommand, o_.input, std::move(text), o_.allowUnregistered};
    int code = reduceByCommand(request, output_);
    return code == kSuccess ? writeOut(code) : code;
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
    check.log = [](std::string_view text) {
      std::cerr << "airlite-opt: warning: " << text << "\n";
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

}  // namespace

int runOpt(const PassRegistry& registry, Options& options) {
  return OptRun(registry, options).run();
}

}  // namespace airlite::tools
