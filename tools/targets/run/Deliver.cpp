#include "Deliver.hpp"

#include "../../common/Session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace airlite::tools {
namespace {

bool isArgument(const Delivery& delivery, unsigned number) {
  return number < delivery.arguments.size();
}

NpyArray arrayAt(const Delivery& delivery, unsigned number) {
  if (isArgument(delivery, number)) return arrayOf(delivery.arguments[number]);
  const size_t result = number - delivery.arguments.size();
  return arrayOf(delivery.signature.results[result], delivery.results[result]);
}

int compare(const Delivery& delivery, unsigned number, const std::string& path,
            const Tolerance& tolerance) {
  const NpyArray got = arrayAt(delivery, number);
  Result<NpyArray> expected = readNpy(path);
  if (!expected) return failRun(expected.error().message);
  if (sameBits(got.type, expected->type)) expected->type = got.type;
  const Comparison comparison = compareArrays(got, *expected, tolerance);
  const std::string who = isArgument(delivery, number)
                              ? fmt::format("argument {}", number)
                              : fmt::format("result {}", number - delivery.arguments.size());
  if (!comparison.equal)
    return failRun(fmt::format("{} {}; expected is '{}'", who, comparison.text, path));
  std::cout << fmt::format("{} is as expected in '{}': {}\n", who, path, comparison.text);
  return kSuccess;
}

}  // namespace

int failRun(const std::string& error) {
  std::cout.flush();
  std::cerr << "airlite-run: error: " << error << "\n";
  return kFailure;
}

int failRun(const Error& error) {
  return error.message.empty() ? static_cast<int>(kFailure) : failRun(error.message);
}

int deliver(const Delivery& delivery, const ArgumentRequest& request, const Tolerance& tolerance) {
  for (const auto* positions : {&request.outputs, &request.expects})
    for (const auto& [number, path] : *positions) {
      const size_t result = number - delivery.arguments.size();
      if (!isArgument(delivery, number) && !npyTypeOf(delivery.signature.results[result]))
        return failRun(
            fmt::format("result {}: values of this type cannot be written to '{}'", result, path));
    }
  for (const auto& [number, path] : request.outputs)
    if (auto written = writeNpy(path, arrayAt(delivery, number)); !written)
      return failRun(written.error().message);
  int code = kSuccess;
  for (const auto& [number, path] : request.expects)
    code = std::max(code, compare(delivery, number, path, tolerance));
  return code;
}

}  // namespace airlite::tools
