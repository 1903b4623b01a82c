// What reading a text gave: its names and places, and what is wrong with it.
//
//   Reading reading(document, {});
//   if (const Reading::Piece* piece = reading.pieceAt(offset)) ... piece->index ...
#pragma once

#include "../common/Session.hpp"
#include "TextDocument.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/text/SourceIndex.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct ReadingOptions {
  bool allowUnregistered = false;
  size_t maxBytes = size_t(64) << 20;  // more is not read
};

/// A text is as many programs as `// -----` lines make of it, as airlite-opt --split-input-file
/// has it. Places in an index count from the begin of its piece.
class Reading {
 public:
  using Json = nlohmann::ordered_json;

  struct Piece {
    uint32_t begin = 0;
    uint32_t end = 0;
    SourceIndex index;
    bool isWellFormed = false;  // it could be read: the index misses nothing
  };

  Reading(const TextDocument& document, const ReadingOptions& options);

  Context& context() const { return *context_; }
  /// The one around the place, or the last before it; null: the file was not read.
  const Piece* pieceAt(uint32_t offset) const;
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// Each as diagnosticToJson writes it: lines and columns from 1, in bytes.
  const std::vector<Json>& diagnostics() const { return diagnostics_; }
  bool hasErrors() const { return hasErrors_; }

 private:
  void read(InputPiece& input);

  std::unique_ptr<Context> context_;
  std::vector<Piece> pieces_;
  std::vector<Json> diagnostics_;
  bool hasErrors_ = false;
};

}  // namespace airlite::tools
