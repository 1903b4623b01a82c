// Diagnostics as text for people and as JSON for tools. What comes from the input is never sent to
// a terminal as it is: control characters, invisible characters and broken UTF-8 are replaced.
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Sarif.hpp"
#include "airlite/support/Text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace airlite {
namespace {

// ---------------------------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------------------------

/// Where a location finally points: a source text, a file, or just a name.
struct Place {
  Location inSource;
  std::string_view file;
  LineColumn position;
  std::string_view name;
  bool hasFile() const { return !file.empty(); }
};

/// Finds the first file position inside a composed location. The budget bounds the work on
/// locations that share children.
class PlaceFinder {
 public:
  explicit PlaceFinder(const Context& context) : context_(context) {}

  bool find(Location location, Place& place) {
    if (location.isUnknown() || budget_-- == 0) return false;
    if (location.isInSource()) return inSource(location, place);
    const ComposedLocation& composed = context_.composed(location);
    if (composed.kind == ComposedLocation::Kind::FileLineCol) return inFile(composed, place);
    if (composed.kind == ComposedLocation::Kind::Name && place.name.empty())
      place.name = composed.name.str();
    for (Location child : composed.children)
      if (budget_ > 0 && find(child, place)) return true;
    return false;
  }

 private:
  bool inSource(Location location, Place& place) {
    place.inSource = location;
    place.file = context_.sources().name(location.source());
    place.position = context_.sources().lineColumn(location);
    return true;
  }
  static bool inFile(const ComposedLocation& composed, Place& place) {
    place.file = composed.name.str();
    place.position = {composed.line, composed.column};
    return true;
  }

  const Context& context_;
  unsigned budget_ = 256;
};

Place findPlace(const Context& context, Location location) {
  Place place;
  PlaceFinder(context).find(location, place);
  return place;
}

// ---------------------------------------------------------------------------------------------
// Tokens
// ---------------------------------------------------------------------------------------------

bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

size_t wordLength(std::string_view text) {
  auto end = std::find_if_not(text.begin(), text.end(), isWordChar);
  return static_cast<size_t>(end - text.begin());
}

size_t quotedLength(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

// `%a#1`, `@sym`, `@"a b"`, `!air.async.token`, `#map`, `^bb0`.
size_t sigilLength(std::string_view text) {
  if (text.starts_with("@\"")) return 1 + quotedLength(text.substr(1));
  auto isPart = [](char c) { return isWordChar(c) || c == '-'; };
  auto end = std::find_if_not(text.begin() + 1, text.end(), isPart);
  size_t length = static_cast<size_t>(end - text.begin());
  if (text[0] == '%' && length < text.size() && text[length] == '#')
    length += 1 + wordLength(text.substr(length + 1));
  return length;
}

/// Bytes of the token that `text` starts with; at least 1.
size_t tokenLength(std::string_view text) {
  if (text.empty()) return 1;
  if (text[0] == '"') return quotedLength(text);
  if (std::string_view("%@!#^").find(text[0]) != std::string_view::npos) return sigilLength(text);
  for (std::string_view punctuation : {"->", "::", "...", "==", ">="})
    if (text.starts_with(punctuation)) return punctuation.size();
  if (text[0] != '.' && isWordChar(text[0])) return wordLength(text);
  return std::max<size_t>(utf8Length(text), 1);
}

/// Bytes to underline, kept inside the line.
size_t underlineLength(const Diagnostic& diagnostic, std::string_view rest) {
  size_t length = diagnostic.length ? diagnostic.length : tokenLength(rest);
  return std::clamp<size_t>(length, 1, std::max<size_t>(rest.size(), 1));
}

// ---------------------------------------------------------------------------------------------
// Visible text
// ---------------------------------------------------------------------------------------------

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr size_t kTabStop = 8;

uint32_t decode(std::string_view sequence) {
  auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return lead;
  uint32_t code = lead & (0x7fu >> sequence.size());
  for (char c : sequence.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return code;
}

// Also the direction marks that can make a line read differently from what it says.
bool isInvisible(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

size_t columnsOf(uint32_t code) {
  bool combining = (code >= 0x300 && code <= 0x36f) || (code >= 0xfe00 && code <= 0xfe0f);
  if (combining) return 0;
  bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
              (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
              (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
              (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1faff) ||
              (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/// Text as a terminal can show it, and how many columns it takes.
struct VisibleText {
  std::string text;
  size_t columns = 0;

  void append(std::string_view source) {
    while (!source.empty()) {
      size_t length = utf8Length(source);
      appendOne(source.substr(0, std::max<size_t>(length, 1)), length != 0);
      source.remove_prefix(std::max<size_t>(length, 1));
    }
  }

 private:
  void appendOne(std::string_view sequence, bool valid) {
    if (sequence == "\t") return appendTab();
    uint32_t code = valid ? decode(sequence) : 0;
    text += isInvisible(code) ? kReplacement : sequence;
    columns += isInvisible(code) ? 1 : columnsOf(code);
  }
  void appendTab() {
    size_t width = kTabStop - columns % kTabStop;
    text.append(width, ' ');
    columns += width;
  }
};

std::string visible(std::string_view text) {
  VisibleText result;
  result.append(text);
  return std::move(result.text);
}

/// A message may have several lines; each is cleaned by itself.
std::string visibleMessage(std::string_view message) {
  std::string result;
  for (std::string_view line : split(message, '\n'))
    result += visible(line) + '\n';
  result.pop_back();
  return result;
}

// ---------------------------------------------------------------------------------------------
// The quoted line
// ---------------------------------------------------------------------------------------------

/// The part of a long line that is shown, in bytes.
struct Window {
  size_t begin = 0;
  size_t end = 0;
};

constexpr size_t kLongestLine = 120;
constexpr size_t kWindow = 110;
constexpr size_t kBeforeCaret = 50;

bool insideSequence(std::string_view line, size_t at) {
  return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80;
}

Window windowAround(std::string_view line, size_t caret) {
  if (line.size() <= kLongestLine) return {0, line.size()};
  Window window;
  window.begin = caret > kBeforeCaret ? caret - kBeforeCaret : 0;
  window.end = std::min(window.begin + kWindow, line.size());
  window.begin = std::min(window.begin, window.end - std::min(kWindow, window.end));
  // Characters are not cut in half. Three steps are enough for anything that is UTF-8.
  for (int i = 0; i < 3 && insideSequence(line, window.begin); ++i)
    ++window.begin;
  for (int i = 0; i < 3 && window.end > caret + 1 && insideSequence(line, window.end); ++i)
    --window.end;
  window.begin = std::min(window.begin, caret);
  return window;
}

struct Colors {
  std::string_view bold, severity, caret, reset;
};

Colors colorsFor(Severity severity, DiagnosticStyle style) {
  if (!style.color) return {};
  constexpr std::string_view kBold = "\033[1m", kGreen = "\033[1;32m", kReset = "\033[0m";
  switch (severity) {
    case Severity::Error: return {kBold, "\033[1;31m", kGreen, kReset};
    case Severity::Warning: return {kBold, "\033[1;35m", kGreen, kReset};
    case Severity::Remark: return {kBold, "\033[1;34m", kGreen, kReset};
    case Severity::Note: return {kBold, "\033[1;36m", kGreen, kReset};
  }
  return {};
}

void appendQuote(std::string& out, const Context& context, const Diagnostic& diagnostic,
                 const Place& place, const Colors& colors) {
  std::string_view line = context.sources().lineText(place.inSource);
  size_t caret = std::min<size_t>(place.position.column - 1, line.size());
  Window window = windowAround(line, caret);
  std::string_view ellipsis = "...";

  VisibleText shown;
  if (window.begin > 0) shown.append(ellipsis);
  shown.append(line.substr(window.begin, caret - window.begin));
  size_t caretColumn = shown.columns;
  size_t length = underlineLength(diagnostic, line.substr(caret));
  length = std::min(length, std::max<size_t>(window.end - std::min(caret, window.end), 1));
  shown.append(line.substr(caret, length));
  size_t run = std::max<size_t>(shown.columns - caretColumn, 1);
  size_t after = std::min(caret + length, window.end);
  shown.append(line.substr(after, window.end - after));
  if (window.end < line.size()) shown.append(ellipsis);

  out.append(shown.text).append("\n").append(caretColumn, ' ');
  out.append(colors.caret).append(run, '^').append(colors.reset).append("\n");
}

std::string placeText(const Place& place) {
  if (place.hasFile())
    return visible(place.file) + ":" + std::to_string(place.position.line) + ":" +
           std::to_string(place.position.column);
  if (!place.name.empty()) return "loc(\"" + visible(place.name) + "\")";
  return "<unknown>";
}

void appendOne(std::string& out, const Context& context, const Diagnostic& diagnostic,
               DiagnosticStyle style) {
  Place place = findPlace(context, diagnostic.location);
  Colors colors = colorsFor(diagnostic.severity, style);
  out.append(colors.bold).append(placeText(place)).append(":").append(colors.reset).append(" ");
  out.append(colors.severity).append(severityName(diagnostic.severity)).append(":");
  out.append(colors.reset).append(" ");
  out.append(colors.bold).append(visibleMessage(diagnostic.message)).append(colors.reset);
  out.append("\n");
  if (place.inSource.isInSource()) appendQuote(out, context, diagnostic, place, colors);
}

/// The callers of an inlined location, as notes.
void appendCallers(std::string& out, const Context& context, Location location,
                   DiagnosticStyle style) {
  constexpr unsigned kMostCallers = 16;
  for (unsigned i = 0; i < kMostCallers && location.isComposed(); ++i) {
    const ComposedLocation& composed = context.composed(location);
    if (composed.kind != ComposedLocation::Kind::CallSite || composed.children.size() < 2) return;
    location = composed.children[1];
    appendOne(out, context, {Severity::Note, location, "called from", {}, 0}, style);
  }
}

nlohmann::ordered_json toJson(const Context& context, const Diagnostic& diagnostic) {
  Place place = findPlace(context, diagnostic.location);
  nlohmann::ordered_json json;
  json["severity"] = severityName(diagnostic.severity);
  json["file"] = place.hasFile() ? nlohmann::ordered_json(place.file) : nullptr;
  json["line"] = place.position.line;
  json["column"] = place.position.column;
  size_t length = diagnostic.length;
  if (place.inSource.isInSource()) {
    std::string_view line = context.sources().lineText(place.inSource);
    size_t at = std::min<size_t>(place.position.column - 1, line.size());
    length = underlineLength(diagnostic, line.substr(at));
  }
  json["length"] = length;
  json["message"] = diagnostic.message;
  json["notes"] = nlohmann::ordered_json::array();
  for (const Diagnostic& note : diagnostic.notes)
    json["notes"].push_back(toJson(context, note));
  return json;
}

// -- SARIF ----------------------------------------------------------------------------------------

/// A path as a URI: relative ones stay so.
std::string uriOf(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool isPlain = (byte < 0x80 && std::isalnum(byte)) || kPlain.find(c) != kPlain.npos;
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    if (isPlain)
      uri += c;
    else
      (uri += '%') += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return uri;
}

/// `shown`: as toJson gives it. Empty where there is no file.
nlohmann::ordered_json sarifLocation(const nlohmann::ordered_json& shown) {
  nlohmann::ordered_json place = nlohmann::ordered_json::object();
  if (shown["file"].is_null()) return place;
  place["artifactLocation"]["uri"] = uriOf(shown["file"].get<std::string>());
  const auto line = shown["line"].get<int64_t>(), column = shown["column"].get<int64_t>();
  if (line < 1) return place;
  place["region"]["startLine"] = line;
  place["region"]["startColumn"] = std::max<int64_t>(column, 1);
  place["region"]["endColumn"] = std::max<int64_t>(column, 1) + shown["length"].get<int64_t>();
  return place;
}

}  // namespace

std::string diagnosticToSarif(const Context& context, const Diagnostic& diagnostic) {
  using Json = nlohmann::ordered_json;
  const Json shown = toJson(context, diagnostic);
  Json result;
  const bool isNote = diagnostic.severity > Severity::Warning;
  result["level"] = isNote ? "note" : std::string(severityName(diagnostic.severity));
  result["message"]["text"] = shown["message"];
  result["locations"] = Json::array();
  if (Json place = sarifLocation(shown); !place.empty())
    result["locations"].push_back({{"physicalLocation", std::move(place)}});
  for (const Json& note : shown["notes"]) {
    Json related;
    related["message"]["text"] = note["message"];
    if (Json place = sarifLocation(note); !place.empty())
      related["physicalLocation"] = std::move(place);
    result["relatedLocations"].push_back(std::move(related));
  }
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string sarifDocument(std::string_view tool, std::string_view version,
                          std::span<const std::string> results) {
  using Json = nlohmann::ordered_json;
  Json run;
  run["tool"]["driver"]["name"] = tool;
  run["tool"]["driver"]["version"] = version;
  run["results"] = Json::array();
  for (const std::string& result : results)
    run["results"].push_back(Json::parse(result));
  Json document;
  document["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  document["version"] = "2.1.0";
  document["runs"].push_back(std::move(run));
  return document.dump(2) + "\n";
}

std::string formatDiagnostic(const Context& context, const Diagnostic& diagnostic,
                             DiagnosticStyle style) {
  std::string out;
  appendOne(out, context, diagnostic, style);
  appendCallers(out, context, diagnostic.location, style);
  for (const Diagnostic& note : diagnostic.notes)
    out += formatDiagnostic(context, note, style);
  return out;
}

std::string diagnosticToJson(const Context& context, const Diagnostic& diagnostic) {
  using Json = nlohmann::ordered_json;
  return toJson(context, diagnostic).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string formatLocation(const Context& context, Location location) {
  return placeText(findPlace(context, location));
}

}  // namespace airlite
