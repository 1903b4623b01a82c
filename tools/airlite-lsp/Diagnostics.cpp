// Diagnostics as the protocol wants them.
#include "Query.hpp"

#include <algorithm>

namespace airlite::tools {

namespace {

/// Finds lines as the parser counts them: they end with \n only, columns are bytes.
class LineFinder {
 public:
  explicit LineFinder(const TextDocument& document) : document_(document), starts_{0} {
    const std::string& text = document.text();
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      starts_.push_back(static_cast<uint32_t>(at + 1));
  }

  TextRange range(const Json& shown) const {
    const auto number = [&](const char* name) {
      return shown.contains(name) && shown[name].is_number() ? shown[name].get<int64_t>() : 1;
    };
    const auto last = static_cast<int64_t>(starts_.size());
    const int64_t line = std::clamp<int64_t>(number("line"), 1, last);
    const int64_t size = document_.size();
    const int64_t begin = std::clamp<int64_t>(
        starts_[static_cast<size_t>(line - 1)] + std::max<int64_t>(number("column"), 1) - 1, 0,
        size);
    const int64_t end =
        std::clamp<int64_t>(begin + std::max<int64_t>(number("length"), 1), 0, size);
    return document_.rangeOf(static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
  }

 private:
  const TextDocument& document_;
  std::vector<uint32_t> starts_;
};

int severityNumber(const std::string& name) {
  if (name == "error") return 1;
  return name == "warning" ? 2 : 3;
}

}  // namespace

Json protocolDiagnostics(const TextDocument& document, std::string_view uri,
                         const std::vector<Json>& diagnostics, std::string_view source) {
  Json found = Json::array();
  if (diagnostics.empty()) return found;
  const LineFinder lines(document);
  for (const Json& shown : diagnostics) {
    Json one{{"range", toJson(lines.range(shown))},
             {"severity", severityNumber(shown.value("severity", "error"))},
             {"source", source},
             {"message", shown.value("message", "")}};
    for (const Json& note : shown.value("notes", Json::array()))
      one["relatedInformation"].push_back(
          {{"location", {{"uri", uri}, {"range", toJson(lines.range(note))}}},
           {"message", note.value("message", "")}});
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace airlite::tools
