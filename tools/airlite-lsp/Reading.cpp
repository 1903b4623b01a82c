// Reads the pieces of a text, see the header.
#include "Reading.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/text/Parser.hpp"

#include <utility>

namespace airlite::tools {

// A context of its own for each text: what a context has read once, it keeps.
Reading::Reading(const TextDocument& document, const ReadingOptions& options)
    : context_(std::make_unique<Context>()) {
  registerAllDialects(*context_);
  context_->setAllowUnregistered(options.allowUnregistered);
  context_->diagnostics().setHandler([this](const Diagnostic& diagnostic) {
    hasErrors_ = hasErrors_ || diagnostic.severity == Severity::Error;
    diagnostics_.push_back(Json::parse(diagnosticToJson(*context_, diagnostic)));
  });
  if (document.size() > options.maxBytes) {
    diagnostics_.push_back({{"severity", "warning"},
                            {"message", "the file is not read: it has " +
                                            std::to_string(document.size()) + " bytes, more than " +
                                            std::to_string(options.maxBytes) + " (--max-bytes)"},
                            {"line", 1},
                            {"column", 1},
                            {"length", 1}});
    return;
  }
  for (InputPiece& input : splitInput(document.text()))
    read(input);
}

void Reading::read(InputPiece& input) {
  Piece& piece = pieces_.emplace_back();
  piece.begin = static_cast<uint32_t>(input.offset);
  piece.end = piece.begin + static_cast<uint32_t>(input.text.size());
  ParseOptions options;
  options.limits.maxErrors = 100;
  options.firstLine = input.firstLine;
  options.index = &piece.index;
  options.verify = false;
  const OwningOp module = parseSource(*context_, std::move(input.text), "", options);
  piece.isWellFormed = bool(module);
  if (module) (void)verify(*module);
}

const Reading::Piece* Reading::pieceAt(uint32_t offset) const {
  for (const Piece& piece : pieces_)
    if (offset <= piece.end) return &piece;
  return pieces_.empty() ? nullptr : &pieces_.back();
}

}  // namespace airlite::tools
