#include "InterpCompare.hpp"

#include <fmt/format.h>

#include <iostream>
#include <utility>

namespace airlite::tools {
namespace {

Tolerance toleranceOf(NpyType type, const Tolerance& asked, bool exact) {
  const Tolerance usual = usualTolerance(type);
  const bool isFloat = usual.relative != 0, isAsked = asked.relative != 0 || asked.absolute != 0;
  if (isFloat && isAsked) return asked;
  return exact ? Tolerance{} : usual;
}

/// "argument 2: 64 elements, all with the same bits".
int report(const std::string& who, const NpyArray& got, const NpyArray& expected,
           const Tolerance& asked, bool exact) {
  const Tolerance tolerance = toleranceOf(got.type, asked, exact);
  const Comparison comparison = compareArrays(got, expected, tolerance);
  if (!comparison.equal)
    return failRun(
        fmt::format("{} {}: expected is what the interpreter computes", who, comparison.text));
  std::cout << fmt::format("{} is as in the interpreter: {}\n", who, comparison.text);
  return kSuccess;
}

}  // namespace

Tolerance usualTolerance(NpyType type) {
  auto both = [](double bound) { return Tolerance{bound, bound}; };
  switch (type) {
    case NpyType::F64: return both(0x1p-40);
    case NpyType::F32: return both(0x1p-12);
    case NpyType::F16: return both(0x1p-7);
    case NpyType::BF16: return both(0x1p-4);
    case NpyType::F8E4M3FN:
    case NpyType::F8E5M2:
    case NpyType::F8E4M3FNUZ:
    case NpyType::F8E5M2FNUZ: return both(0.25);
    default: return {};
  }
}

std::optional<InterpOutcome> runReference(Operation& module, Operation& function,
                                          std::vector<Argument>& arguments) {
  InterpRequest request;
  request.schedules = schedulesOfSeeds({}, 1);
  auto run = runOnInterpreter(module, function, arguments, request);
  if (run) return std::move(*run);
  const std::string& why = run.error().message;
  failRun("in the interpreter: " + (why.empty() ? "the run fails" : why));
  return std::nullopt;
}

int compareWithInterpreter(InterpReference reference, const Delivery& delivery,
                           const Tolerance& asked, bool exact) {
  const auto run = runReference(reference.module, reference.function, reference.arguments);
  if (!run) return kFailure;
  for (size_t i = 0; i < reference.arguments.size(); ++i)
    if (const int code = report(fmt::format("argument {}", i), arrayOf(delivery.arguments[i]),
                                arrayOf(reference.arguments[i]), asked, exact);
        code != kSuccess)
      return code;
  for (size_t i = 0; i < run->results.size(); ++i) {
    const ArgLayout& layout = delivery.signature.results[i];
    if (!npyTypeOf(layout)) continue;
    if (const int code = report(fmt::format("result {}", i), arrayOf(layout, delivery.results[i]),
                                arrayOf(layout, run->results[i]), asked, exact);
        code != kSuccess)
      return code;
  }
  return kSuccess;
}

}  // namespace airlite::tools
