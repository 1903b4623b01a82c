// Fuzz target: the text of --pass-pipeline. What is read is written as text that reads back and is
// written the same way.
#include "airlite/pass/Pipeline.hpp"

#include "RoundTrip.hpp"
#include "Target.hpp"
#include "airlite/transform/Passes.hpp"

#include <memory>

using namespace airlite;

namespace {

/// Options of every kind, which the passes of the core do not have.
class EveryOption : public Pass {
 public:
  EveryOption() : Pass("every-option", "Has an option of each kind.") {
    option("flag", flag_, "a bool");
    option("count", count_, "an integer");
    option("name", name_, "a string");
    option("choice", choice_, "one of some strings", {"one", "two"});
    option("sizes", sizes_, "integers");
    option("names", names_, "strings");
    anchor("func.func");
  }
  PassResult run(Operation&, PassContext&) override { return PassResult::Unchanged; }

 private:
  bool flag_ = false;
  int64_t count_ = 0;
  std::string name_;
  std::string choice_ = "one";
  std::vector<int64_t> sizes_;
  std::vector<std::string> names_;
};

const PassRegistry& registry() {
  static const PassRegistry instance = [] {
    PassRegistry made;
    registerAllPasses(made);
    made.add<EveryOption>();
    return made;
  }();
  return instance;
}

/// The text of the pipeline that `text` stands for, or nothing when it is refused.
std::string written(Context& context, const std::string& text, std::string& errors) {
  DiagnosticCollector collector(context);
  Pipeline pipeline;
  bool read = parsePipeline(context, registry(), text, pipeline);
  errors.clear();
  for (const Diagnostic& diagnostic : collector.diagnostics())
    errors += formatDiagnostic(context, diagnostic);
  if (read == collector.hasErrors()) fuzz::fail("an error, or a pipeline", text, errors);
  return read ? pipeline.str() : "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static fuzz::SharedContext shared;
  Context& context = shared.next();
  std::string errors, text(reinterpret_cast<const char*>(data), size);
  std::string first = written(context, text, errors);
  if (first.empty()) return 0;
  std::string second = written(context, first, errors);
  if (second.empty()) fuzz::fail("what is written reads back", first, errors);
  if (second != first) fuzz::fail("written twice, the same text", first, second);
  return 0;
}

std::vector<std::string> fuzz::seedsIn(std::string_view path, const std::string& text) {
  if (!isTextProgram(path)) return {};
  constexpr std::string_view kFlag = "--pass-pipeline=";
  std::vector<std::string> seeds;
  for (size_t at = text.find(kFlag); at != std::string::npos; at = text.find(kFlag, at + 1)) {
    size_t start = at + kFlag.size();
    if (start >= text.size() || (text[start] != '\'' && text[start] != '"')) continue;
    size_t end = text.find(text[start], start + 1);
    if (end != std::string::npos) seeds.push_back(text.substr(start + 1, end - start - 1));
  }
  return seeds;
}
