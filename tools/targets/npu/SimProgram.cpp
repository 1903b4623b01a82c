#include "SimProgram.hpp"

#include "../Passes.hpp"
#include "../run/Deliver.hpp"
#include "../run/InterpCompare.hpp"
#include "Program.hpp"
#include "TuneNpu.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/compile/Entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <optional>

namespace airlite::tools {
namespace {

constexpr const char* kRunTool = "airlite-run";

/// What the interpreter makes of the same arguments, compared with what the simulator has left.
class InterpCheck {
 public:
  InterpCheck(Operation& module, Operation& function) : module_(module), function_(function) {}

  /// The program after the recipe, which the simulator has to agree with bit by bit when its sums
  /// of floats are not those of the program as it was. Its function takes all arguments but
  /// `numbers`.
  void setMapped(Operation& module, std::vector<unsigned> numbers) {
    mapped_ = &module;
    numbers_ = std::move(numbers);
  }

  int operator()(const std::vector<Argument>& before, const std::vector<Argument>& after) const {
    const size_t count = func::FuncOp(&function_).functionType().inputs().size();
    if (before.size() < count)
      return failRun(fmt::format("the design takes {} buffers, the function has {} arguments",
                                 before.size(), count));
    const std::vector<Argument> given(before.begin(), before.begin() + ptrdiff_t(count));
    if (!mapped_) return compare(module_, function_, given, after, Tolerance{});
    constexpr double kAny = std::numeric_limits<double>::infinity();
    if (const int code = compare(module_, function_, given, after, {kAny, kAny}); code != kSuccess)
      return code;
    Operation* function = func::findEntry(*mapped_, symbolName(function_)).op();
    if (!function) return failRun("--compare=interp: the recipe has left no function to run");
    return compare(*mapped_, *function, withoutNumbers(given), withoutNumbers(after), Tolerance{});
  }

 private:
  std::vector<Argument> withoutNumbers(std::vector<Argument> arguments) const {
    for (size_t i = numbers_.size(); i-- > 0;)
      arguments.erase(arguments.begin() + numbers_[i]);
    return arguments;
  }

  static int compare(Operation& module, Operation& function, std::vector<Argument> arguments,
                     const std::vector<Argument>& after, const Tolerance& tolerance) {
    if (!runReference(module, function, arguments)) return kFailure;
    const bool isExact = tolerance.absolute == 0;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const Comparison comparison = compareArrays(after[i].array, arrayOf(arguments[i]), tolerance);
      // Floats that the recipe computes in another way may be no numbers where they were some.
      if (!comparison.equal && isExact)
        return failRun(fmt::format("argument {} {}: expected is what the interpreter computes", i,
                                   comparison.text));
      if (!isExact)
        std::cout << fmt::format("argument {}, compared with the program before the recipe: {}\n",
                                 i, comparison.text);
    }
    if (isExact)
      std::cout << fmt::format("{} arguments are as in the interpreter, bit by bit\n",
                               arguments.size());
    return kSuccess;
  }

  Operation& module_;
  Operation& function_;
  Operation* mapped_ = nullptr;
  std::vector<unsigned> numbers_;
};

/// The interpreter takes what the manifest describes, buffers, row-major, and numbers.
Result<void> checkTypes(Operation& function) {
  for (Type type : func::FuncOp(&function).functionType().inputs()) {
    const auto memref = type.dynCast<MemRefType>();
    if (memref && memref.hasStaticShape() && memref.hasIdentityLayout()) continue;
    if (type.isIntOrIndexOrFloat()) continue;
    return Error{"--compare=interp: an argument of type " + type.str() +
                 " is not passed to a design"};
  }
  return {};
}

class SimulatedProgram {
 public:
  SimulatedProgram(const SimProgramRequest& program, SimRequest request)
      : o_(program), request_(std::move(request)) {}

  int run() {
    Context context;
    registerAllDialects(context);
    DiagnosticPrinter printer(context, o_.frontend.diagnostics);
    const int code = runAll(context);
    watch_.stop();
    if (o_.frontend.timing) watch_.print(kRunTool);
    return code == kSuccess && printer.errors() ? kFailure : code;
  }

 private:
  int runAll(Context& context) {
    std::string text;
    watch_.next("read");
    OwningOp module = readProgramToRun(context, o_.frontend, kRunTool, text);
    if (!module) return kFailure;
    // Compiling changes the module; the interpreter runs it as it was.
    OwningOp copy;
    if (o_.compareInterp) {
      copy = OwningOp(module->clone());
      if (const int code = prepareCheck(*copy, text); code != kSuccess) return code;
    }
    if (const int code = chooseFunction(*module); code != kSuccess) return code;
    npu::CompiledDesigns result;
    FrontendOptions frontend = o_.frontend;
    if (!o_.tuned.empty())
      if (const int code = takeChoice(context, o_.tuned, o_.target, text, frontend.pipeline);
          code != kSuccess)
        return code;
    auto design = compile(*module, frontend, text, result);
    if (!design) return code_;
    // What does not compile says so first.
    if (entry_)
      if (const auto checked = checkTypes(*entry_); !checked)
        return failRun(checked.error().message);
    if (check_ && result.withUnitSums) check_->setMapped(*result.withUnitSums, numberPositions());
    if (check_) request_.check = *check_;
    addNumbers(*design);
    request_.program = {inputName(o_.frontend.input), text};
    watch_.next("run");
    return runDesign(*design, std::move(request_));
  }

  /// The design has an argument for each result, as the recipe's first passes make it.
  int prepareCheck(Operation& module, const std::string& text) {
    const int code =
        runPassText(module, {o_.frontend, kRunTool, text},
                    "inline,air-bufferize-linalg,buffer-results-to-out-params{numbers=true}");
    if (code != kSuccess) return code;
    Operation* function = func::findEntry(module, o_.function).op();
    if (!function) return failRun("--compare=interp: there is no function to run, give --function");
    entry_ = function;
    check_.emplace(module, *function);
    return kSuccess;
  }

  /// The design is of one function, and for the numbers that it is run with.
  int chooseFunction(Operation& module) {
    Operation* entry = func::findEntry(module, o_.function).op();
    if (!entry || !npu::keepOnly(module, *entry)) return kSuccess;
    HostFunction signature;
    const FunctionType type = func::FuncOp(entry).functionType();
    const auto isNumber = [](Type argument) { return argument.isIntOrIndexOrFloat(); };
    if (std::ranges::none_of(type.inputs(), isNumber)) return kSuccess;
    for (Type argument : type.inputs())
      signature.params.push_back(interpLayout(argument));
    for (Type result : type.results())
      signature.results.push_back(interpLayout(result));
    ArgumentRequest wanted = request_.arguments;
    if (const auto read = readAllPositions(request_, namesOf(signature.params.size()), wanted);
        !read)
      return failRun(read.error().message);
    const auto arguments = makeArguments(signature, wanted);
    if (!arguments) return failRun(arguments.error().message);
    for (unsigned i = 0; i < type.inputs().size(); ++i)
      if (isNumber(type.inputs()[i])) numbers_[i] = signature.params[i];
    npu::fixScalars(*entry, attributesOf(type, *arguments));
    return kSuccess;
  }

  std::map<unsigned, Attribute> attributesOf(FunctionType type,
                                             const std::vector<Argument>& arguments) const {
    std::map<unsigned, Attribute> values;
    for (const auto& [position, layout] : numbers_) {
      const Type wanted = type.inputs()[position];
      const HostValue& value = arguments[position].value;
      values[position] = wanted.isFloat() ? Attribute(FloatAttr::get(wanted, value.number))
                                          : Attribute(IntegerAttr::get(wanted, value.integer));
    }
    return values;
  }

  /// Positions count as in the program: the numbers are arguments that the design does not take.
  void addNumbers(NpuDesign& design) const {
    for (const auto& [position, layout] : numbers_) {
      design.signature.params.insert(design.signature.params.begin() + position, layout);
      for (NpuRun& run : design.runs)
        for (unsigned& buffer : run.buffers)
          buffer += buffer >= position;
    }
    if (numbers_.empty()) return;
    design.names = namesOf(design.signature.params.size());
  }

  /// As a manifest has them.
  static std::vector<std::string> namesOf(size_t count) {
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i)
      names.push_back("arg" + std::to_string(i));
    return names;
  }

  std::vector<unsigned> numberPositions() const {
    std::vector<unsigned> positions;
    for (const auto& [position, layout] : numbers_)
      positions.push_back(position);
    return positions;
  }

  std::optional<NpuDesign> compile(Operation& module, const FrontendOptions& frontend,
                                   const std::string& text, npu::CompiledDesigns& result) {
    npu::CompileOptions options{.target = o_.target,
                                .exact = o_.exact,
                                .floatBlocks = o_.floatBlocks,
                                .keepsUnitSums = o_.compareInterp};
    options.outputs.report = request_.wantsRecord();
    code_ = compileForNpu(module, {frontend, kRunTool, text}, options, watch_, result);
    if (code_ != kSuccess) return std::nullopt;
    auto design = designOfFiles(result.files);
    if (design) return std::move(*design);
    code_ = failRun("what was compiled cannot be loaded: " + design.error().message);
    return std::nullopt;
  }

  const SimProgramRequest& o_;
  SimRequest request_;
  std::optional<InterpCheck> check_;
  Operation* entry_ = nullptr;             ///< what the check runs
  std::map<unsigned, ArgLayout> numbers_;  ///< by position: arguments that are constants now
  Stopwatch watch_;
  int code_ = kSuccess;
};

}  // namespace

int runProgramOnSimulator(const SimProgramRequest& program, SimRequest request) {
  return SimulatedProgram(program, std::move(request)).run();
}

}  // namespace airlite::tools
