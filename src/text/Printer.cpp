// IR to text: the entry points.
#include "airlite/text/Printer.hpp"

#include "FileMetadata.hpp"
#include "PrinterState.hpp"
#include "airlite/ir/Verifier.hpp"

namespace airlite {

namespace {

Operation& rootOf(Operation& op) {
  Operation* root = &op;
  while (Operation* parent = root->parentOp())
    root = parent;
  return *root;
}

/// A verifier may print an op in its message: that one counts as broken.
bool isWellFormed(Operation& op) {
  thread_local bool isChecking = false;
  if (isChecking) return false;
  isChecking = true;
  DiagnosticCollector silent(op.context());
  bool result = succeeded(verify(op));
  isChecking = false;
  return result;
}

/// Room for the text of a large program, which then never moves. A text is shorter than what the
/// program takes in memory; what is not used of the room costs nothing.
void reserveFor(Context& context, std::string& out) {
  constexpr size_t kLarge = 4 * 1024 * 1024;
  size_t expected = context.liveBytes();
  if (expected >= kLarge) out.reserve(expected);
}

std::string printOne(Operation& op, PrintOptions options,
                     std::vector<std::string_view>& resources) {
  if (!options.assumeVerified && !options.generic) options.generic = !isWellFormed(op);
  bool hoists = options.aliases && !options.localScope && !op.parentOp();
  text::PrinterState state(rootOf(op), options, hoists);
  if (!op.parentOp()) reserveFor(op.context(), state.out);
  OpPrinter printer(state);
  printer.printOp(op);
  state.appendTrailingLocation(op.location());
  state.aliases.finish(state);
  resources = std::move(state.usedResources);
  return std::move(state.out);
}

}  // namespace

std::string printToString(Operation& op, const PrintOptions& options) {
  std::vector<std::string_view> resources;
  std::string text = printOne(op, options, resources);
  if (op.is("builtin.module")) text += '\n';
  if (!op.parentOp()) text += text::fileMetadata(op.context(), resources);
  return text;
}

// Printing changes nothing; the printing hooks of ops just take what every other hook takes.
std::string printOperationToString(const Operation& op) {
  std::vector<std::string_view> resources;
  return printOne(const_cast<Operation&>(op), {.assumeVerified = false}, resources);
}

}  // namespace airlite
