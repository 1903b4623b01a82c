// Questions about a place of a text that was read, answered as the protocol wants them: JSON, null for
// "nothing to say". https://microsoft.github.io/language-server-protocol, version 3.17.
#pragma once

#include "Reading.hpp"
#include "TextDocument.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace airlite::tools {

using Json = nlohmann::ordered_json;

Json toJson(Position position);
Json toJson(const TextRange& range);

/// A text, what reading it gave, and the place that is asked about.
struct Query {
  const TextDocument& document;
  const Reading& reading;
  std::string_view uri;
  uint32_t offset = 0;  // of the text

  const Reading::Piece* piece() const { return reading.pieceAt(offset); }
  /// The place in the piece.
  uint32_t local() const { return offset - piece()->begin; }
  /// What is named there; null: nothing.
  const SourceIndex::Mention* mention() const;
  Json range(SourceIndex::Span span) const;
  Json location(SourceIndex::Span span) const { return {{"uri", uri}, {"range", range(span)}}; }
};

Json hover(const Query& query);
Json definition(const Query& query);
Json references(const Query& query, bool withDefinition);
Json highlights(const Query& query);
/// Names, keywords and ops that may stand at the place.
Json completion(const Query& query);
/// Ops with a name or a hierarchy of the whole text; flat when the client knows no other form.
Json outline(const Query& query, bool isNested);

/// Of a request that cannot be done, why.
struct Refusal {
  std::string reason;
};
/// Where the name stands that a rename would change; null: nothing to rename.
Json prepareRename(const Query& query);
std::variant<Json, Refusal> rename(const Query& query, std::string name);

/// Diagnostics of Reading::diagnostics or of airlite-opt --diagnostics=json.
Json protocolDiagnostics(const TextDocument& document, std::string_view uri,
                         const std::vector<Json>& diagnostics, std::string_view source);

}  // namespace airlite::tools
