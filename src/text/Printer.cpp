// IR to text: the entry points.
#include "airlite/text/Printer.hpp"

#include "PrinterState.hpp"

namespace airlite {

namespace {

Operation& rootOf(Operation& op) {
  Operation* root = &op;
  while (Operation* parent = root->parentOp()) root = parent;
  return *root;
}

std::string printOne(Operation& op, const PrintOptions& options) {
  bool hoists = options.aliases && !options.localScope && !op.parentOp();
  text::PrinterState state(rootOf(op), options, hoists);
  OpPrinter printer(state);
  printer.printOp(op);
  state.appendTrailingLocation(op.location());
  state.aliases.finish(state.out);
  return std::move(state.out);
}

}  // namespace

std::string printToString(Operation& op, const PrintOptions& options) {
  std::string text = printOne(op, options);
  if (op.is("builtin.module")) text += '\n';
  return text;
}

// Printing changes nothing; the printing hooks of ops just take what every other hook takes.
std::string printOperationToString(const Operation& op) {
  return printOne(const_cast<Operation&>(op), {});
}

}  // namespace airlite
