#include "RecordFile.hpp"

#include "../common/Session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace airlite::tools {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "airlite-run-record";
constexpr int kVersion = 1;
/// What is around the record in a page.
constexpr std::string_view kPageBegin = "<script type=\"application/json\" id=\"record\">";
constexpr std::string_view kPageEnd = "</script>";

/// Reads entries; keeps the first thing that is wrong, by its path in the document.
class RecordReader {
 public:
  const std::string& wrong() const { return wrong_; }

  const Json& entry(const Json& object, const char* name, const std::string& where) {
    static const Json nothing;
    if (object.is_object())
      if (const auto found = object.find(name); found != object.end()) return *found;
    refuse(fmt::format("{}: there is no \"{}\"", where, name));
    return nothing;
  }
  const Json& list(const Json& object, const char* name, const std::string& where) {
    static const Json empty = Json::array();
    const Json& found = entry(object, name, where);
    if (found.is_array()) return found;
    refuse(fmt::format("{}.{}: expected a list", where, name));
    return empty;
  }
  std::string text(const Json& object, const char* name, const std::string& where) {
    const Json& found = entry(object, name, where);
    if (found.is_string()) return found.get<std::string>();
    refuse(fmt::format("{}.{}: expected a text", where, name));
    return {};
  }
  uint64_t number(const Json& object, const char* name, const std::string& where) {
    return numberOf(entry(object, name, where), where + "." + name);
  }
  uint64_t numberOf(const Json& value, const std::string& where) {
    if (value.is_number_unsigned()) return value.get<uint64_t>();
    refuse(where + ": expected a number that is not negative");
    return 0;
  }
  StateCycles states(const Json& object, const std::string& where) {
    StateCycles cycles;
    const Json& found = entry(object, "cycles", where);
    if (!found.is_object()) refuse(where + ".cycles: expected an object");
    for (const auto& [state, value] : found.items())
      cycles[state] = numberOf(value, where + ".cycles");
    return cycles;
  }

 private:
  void refuse(std::string what) {
    if (wrong_.empty()) wrong_ = std::move(what);
  }
  std::string wrong_;
};

std::string indexed(const std::string& where, size_t index) {
  return fmt::format("{}[{}]", where, index);
}

TilePlace tileOf(RecordReader& reader, const Json& from, const std::string& where) {
  return {unsigned(reader.number(from, "column", where)),
          unsigned(reader.number(from, "row", where))};
}

RecordedDdr ddrOf(RecordReader& reader, const Json& from, const std::string& where) {
  return {reader.number(from, "bytes", where), reader.number(from, "requests", where),
          double(reader.number(from, "busy_cycles", where))};
}

void readStatistics(RecordReader& reader, const Json& from, const Json& rows,
                    const std::string& where, RecordedRun& run) {
  const Json& cores = reader.list(from, "cores", where);
  for (size_t i = 0; i < cores.size(); ++i) {
    const std::string at = indexed(where + ".cores", i);
    run.cores.push_back({tileOf(reader, cores[i], at), reader.states(cores[i], at),
                         reader.number(cores[i], "bundles", at),
                         reader.number(cores[i], "products", at),
                         reader.number(cores[i], "most_products", at)});
  }
  const Json& channels = reader.list(from, "channels", where);
  for (size_t i = 0; i < channels.size(); ++i) {
    const std::string at = indexed(where + ".channels", i);
    const TilePlace tile = tileOf(reader, channels[i], at);
    const bool isKnown = tile.row < rows.size() && rows[tile.row].is_string();
    run.channels.push_back({isKnown ? rows[tile.row].get<std::string>() : "unknown",
                            reader.states(channels[i], at),
                            reader.number(channels[i], "words", at)});
  }
  const Json& ddr = reader.entry(from, "ddr", where);
  run.read = ddrOf(reader, reader.entry(ddr, "read", where + ".ddr"), where + ".ddr.read");
  run.write = ddrOf(reader, reader.entry(ddr, "write", where + ".ddr"), where + ".ddr.write");
}

/// Cycles of the state "commands" of the host's track; 0 where nothing was recorded of it.
uint64_t hostCommandsOf(RecordReader& reader, const Json& run, const Json& names,
                        const std::string& where) {
  uint64_t cycles = 0;
  for (const Json& track : reader.list(run, "tracks", where)) {
    if (reader.text(track, "kind", where + ".tracks") != "host") continue;
    for (const Json& one : reader.list(track, "exact", where + ".tracks")) {
      const bool isTriple = one.is_array() && one.size() == 3;
      const uint64_t state = reader.numberOf(isTriple ? one[0] : Json(), where + ".tracks.exact");
      if (isTriple && state < names.size() && names[state] == "commands")
        cycles += reader.numberOf(one[2], where + ".tracks.exact");
    }
  }
  return cycles;
}

RecordedRun runOf(RecordReader& reader, const Json& record, const Json& from,
                  const std::string& where) {
  RecordedRun run{.outcome = reader.text(from, "outcome", where),
                  .cycles = reader.number(from, "cycles", where)};
  const Json& rows = reader.list(reader.entry(record, "device", "the record"), "rows", "device");
  const Json& names = reader.list(reader.entry(record, "states", "the record"), "host", "states");
  readStatistics(reader, reader.entry(from, "statistics", where), rows, where + ".statistics", run);
  run.hostCommands = hostCommandsOf(reader, from, names, where);
  return run;
}

/// The record in a page, which begins at byte `begin`; the text itself where it is none.
std::string_view recordIn(std::string_view text, size_t& begin) {
  begin = 0;
  if (!text.starts_with("<!DOCTYPE html>")) return text;
  const size_t at = text.find(kPageBegin);
  if (at == std::string_view::npos) return {};
  begin = at + kPageBegin.size();
  return text.substr(begin, text.find(kPageEnd, begin) - begin);
}

Error errorAt(const std::string& path, std::string_view text, size_t byte,
              std::string_view message) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const size_t line = size_t(std::ranges::count(before, '\n')) + 1;
  const size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return Error{fmt::format("{}:{}:{}: error: {}", inputName(path), line, column, message)};
}

}  // namespace

Result<RecordFile> readRecordFile(const std::string& path) {
  const auto text = readInput(path);
  if (!text) return Error{"error: " + text.error().message};
  size_t begin = 0;
  const std::string_view json = recordIn(*text, begin);
  Json record;
  try {
    record = Json::parse(json);
  } catch (const Json::parse_error& wrong) {
    return errorAt(path, *text, begin + (wrong.byte ? wrong.byte - 1 : 0),
                   "expected a record or a page of airlite-run: this is not JSON");
  }
  const bool isRecord = record.is_object() && record.value("format", Json()) == kFormat;
  if (!isRecord) return errorAt(path, *text, begin, "expected a record or a page of airlite-run");
  if (record.value("version", Json()) != kVersion)
    return errorAt(path, *text, begin,
                   fmt::format("the record has version {}, this tool reads {}",
                               record.value("version", Json()).dump(), kVersion));
  RecordReader reader;
  RecordFile file{.path = path};
  file.device = reader.text(reader.entry(record, "device", "the record"), "name", "device");
  const Json& runs = reader.list(record, "runs", "the record");
  for (size_t i = 0; i < runs.size(); ++i)
    file.runs.push_back(runOf(reader, record, runs[i], indexed("runs", i)));
  if (!reader.wrong().empty()) return errorAt(path, *text, begin, reader.wrong());
  if (runs.empty()) return errorAt(path, *text, begin, "the record has no runs");
  return file;
}

}  // namespace airlite::tools
