// The promises about the written forms of a program, see the header.
#include "RoundTrip.hpp"

#include "Target.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/text/Json.hpp"
#include "airlite/text/Printer.hpp"

#include <cstdio>
#include <cstdlib>

namespace airlite::fuzz {

void fail(std::string_view promise, std::string_view first, std::string_view second) {
  auto write = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
  write("\n==== broken promise: ");
  write(promise);
  write("\n---- first\n");
  write(first);
  if (!second.empty()) write("\n---- second\n");
  write(second);
  write("\n====\n");
  std::fflush(stderr);
  std::abort();
}

Context& SharedContext::next() {
  if (uses_++ % 100 == 0) {
    context_.reset();
    context_ = std::make_unique<Context>();
    registerAllDialects(*context_);
    context_->setAllowUnregistered(true);
  }
  return *context_;
}

ParseOptions fuzzLimits() {
  ParseOptions options;
  options.limits.maxBytes = size_t(1) << 20;
  return options;
}

static std::string shown(const Context& context, const DiagnosticCollector& collector) {
  std::string out;
  for (const Diagnostic& diagnostic : collector.diagnostics())
    out += formatDiagnostic(context, diagnostic) + diagnosticToJson(context, diagnostic) + "\n";
  return out;
}

static OwningOp readAny(Context& context, std::string text, bool json, std::string& errors) {
  DiagnosticCollector collector(context);
  OwningOp op = json ? parseJson(context, std::move(text), "in.json", fuzzLimits())
                     : parseSource(context, std::move(text), "in.mlir", fuzzLimits());
  errors = shown(context, collector);
  if (op && collector.hasErrors()) fail("a program with errors is refused", errors);
  if (!op && !collector.hasErrors()) fail("what is refused is refused with an error", errors);
  return op;
}

OwningOp readProgram(Context& context, std::string text, bool json) {
  std::string errors;
  size_t before = context.liveBytes();
  OwningOp op = readAny(context, std::move(text), json, errors);
  if (!op && context.liveBytes() != before) fail("a program that is refused is freed", errors);
  return op;
}

template <class Print>
static void checkForm(Operation& program, bool json, std::string_view name, Print print) {
  Context& context = program.context();
  std::string first = print(program);
  if (first.size() > fuzzLimits().limits.maxBytes) return;
  std::string errors;
  OwningOp back = readAny(context, first, json, errors);
  if (!back) fail(std::string(name) + ": what is printed reads back", first, errors);
  std::string second = print(*back);
  if (first != second) fail(std::string(name) + ": printed twice, the same bytes", first, second);
}

static auto printer(PrintOptions options) {
  return [options](Operation& op) { return printToString(op, options); };
}

void checkWrittenForms(Operation& program) {
  size_t before = program.context().liveBytes();
  checkForm(program, false, "text", printer({}));
  checkForm(program, false, "generic text", printer({.generic = true}));
  checkForm(program, false, "text without aliases", printer({.aliases = false}));
  checkForm(program, false, "text with locations", printer({.debugInfo = true}));
  checkForm(program, true, "JSON", printJson);
  // Across forms: what one form says the others must not lose.
  std::string errors, text = printToString(program, {.debugInfo = true});
  OwningOp back = readAny(program.context(), printJson(program), true, errors);
  if (back && printToString(*back, {.debugInfo = true}) != text)
    fail("text -> JSON -> text is the identity", text, printToString(*back, {.debugInfo = true}));
  std::string custom = printToString(program);
  back = readAny(program.context(), printToString(program, {.generic = true}), false, errors);
  if (back && printToString(*back) != custom)
    fail("the generic form says the same", custom, printToString(*back));
  back = OwningOp();
  if (program.context().liveBytes() != before) fail("reading and printing keep nothing", custom);
}

std::vector<std::string> splitPieces(std::string_view text) {
  constexpr std::string_view kMark = "// -----";
  std::vector<std::string> pieces;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(kMark, at), text.size());
    pieces.emplace_back(text.substr(at, end - at));
    at = std::min(text.find('\n', end), text.size()) + 1;
  }
  return pieces;
}

bool isTextProgram(std::string_view path) {
  return path.ends_with(".mlir") || path.ends_with(".air");
}

}  // namespace airlite::fuzz
