// `{-# ... #-}` read and printed.
#include "FileMetadata.hpp"

#include "ParserState.hpp"
#include "PrinterState.hpp"
#include "airlite/ir/Resources.hpp"
#include "airlite/support/Text.hpp"

#include <unordered_set>

namespace airlite::text {

// -- Reading ------------------------------------------------------------------------------------

namespace {

class MetadataReader : public AttrParser {
 public:
  using AttrParser::AttrParser;

  LogicalResult read() {
    if (failed(parse("{-#"))) return failure();
    if (parseOptional("#-}")) return success();
    LogicalResult sections =
        readEntries("file metadata dictionary", [this](const std::string& key, Location where) {
          if (key == "dialect_resources") return readBraced(key, &MetadataReader::readDialect);
          if (key == "external_resources") return readBraced(key, &MetadataReader::readExternal);
          constexpr std::string_view kKnown[] = {"dialect_resources", "external_resources"};
          return LogicalResult(emitError(where)
                               << "unknown key '" << key << "' in file metadata dictionary"
                               << didYouMean(key, kKnown));
        });
    if (failed(sections)) return failure();
    if (!nextIs("#-}"))
      return emitError() << "expected ',' or '#-}' in the file metadata dictionary";
    Resources::of(context()).setExternal(std::move(external_));
    return parse("#-}");
  }

 private:
  using ReadEntry = LogicalResult (MetadataReader::*)(const std::string&, Location);

  /// `key: ...` with commas between them; each key once.
  LogicalResult readEntries(std::string_view what,
                            FunctionRef<LogicalResult(const std::string&, Location)> each) {
    std::unordered_set<std::string> seen;
    return parseList(Delimiter::None, [&]() -> LogicalResult {
      Location where = location();
      std::string key;
      if (!parseOptionalAnyKeyword(key))
        return emitError() << "expected identifier key for '" << what << "' entry";
      if (!seen.insert(key).second)
        return emitError(where) << "duplicate key '" << key << "' in '" << what << "'";
      return failed(parse(":")) ? failure() : each(key, where);
    });
  }

  LogicalResult readBraced(std::string_view what, ReadEntry each) {
    if (failed(parse("{"))) return failure();
    if (parseOptional("}")) return success();
    auto call = [&](const std::string& key, Location where) { return (this->*each)(key, where); };
    return failed(readEntries(what, call)) ? failure() : parse("}");
  }

  LogicalResult readDialect(const std::string& dialect, Location where) {
    if (!context().hasDialect(dialect))
      return emitError(where) << "dialect '" << dialect << "' is unknown";
    if (dialect != "builtin")
      return emitError(where) << "unexpected 'resource' section for dialect '" << dialect << "'";
    return readBraced("resource", &MetadataReader::readBlob);
  }

  LogicalResult readHex(const std::string& key, ResourceBlob& blob) {
    Location where = location();
    std::string text;
    if (!parseOptionalString(text))
      return emitError() << "expected hex string blob for key '" << key << "'";
    Result<ResourceBlob> read = ResourceBlob::fromHex(key, text);
    if (!read) return emitError(where) << read.error().message;
    blob = std::move(*read);
    return success();
  }

  LogicalResult readBlob(const std::string& key, Location where) {
    ResourceBlob blob;
    if (failed(readHex(key, blob))) return failure();
    if (Resources::of(context()).define(key, std::move(blob))) return success();
    return emitError(where) << "resource '" << key << "' has other bytes already, from another "
                            << "file in this context";
  }

  LogicalResult readExternal(const std::string& name, Location) {
    external_.push_back({name, {}});
    return readBraced("resource", &MetadataReader::readExternalEntry);
  }

  LogicalResult readExternalEntry(const std::string& key, Location) {
    ExternalResources::Entry entry{key, false};
    if (nextIsKeyword("true") || nextIsKeyword("false")) {
      entry.value = parseOptionalKeyword("true");
      if (!std::get<bool>(entry.value)) (void)parseKeyword("false");
    } else if (state_.token().text.starts_with("\"0x")) {
      ResourceBlob blob;
      if (failed(readHex(key, blob))) return failure();
      entry.value = blob.hex();
    } else {
      std::string text;
      if (!parseOptionalString(text))
        return emitError() << "expected string value for key '" << key << "'";
      entry.value = std::move(text);
    }
    external_.back().entries.push_back(std::move(entry));
    return success();
  }

  std::vector<ExternalResources> external_;
};

}  // namespace

LogicalResult parseFileMetadata(ParserState& state) { return MetadataReader(state).read(); }

// -- Printing -----------------------------------------------------------------------------------

namespace {

/// Nested dictionaries, one entry per line.
class MetadataWriter {
 public:
  std::string out;

  void open(std::string_view key) {
    line(key);
    out += '{';
    isFirst_ = true;
    ++depth_;
  }
  void close() {
    --depth_;
    newline();
    out += '}';
    isFirst_ = false;
  }
  void entry(std::string_view key, std::string_view value) {
    line(key);
    out += value;
  }

 private:
  void newline() {
    out += '\n';
    out.append(2 * depth_, ' ');
  }
  void line(std::string_view key) {
    if (!isFirst_) out += ',';
    isFirst_ = false;
    newline();
    (out += key) += ": ";
  }

  size_t depth_ = 1;
  bool isFirst_ = true;
};

std::string quoted(std::string_view text) {
  std::string out;
  appendQuoted(out, text);
  return out;
}

void writeExternal(MetadataWriter& writer, const ExternalResources& resources) {
  writer.open(resources.name);
  for (const ExternalResources::Entry& entry : resources.entries) {
    const bool* flag = std::get_if<bool>(&entry.value);
    if (flag)
      writer.entry(entry.key, *flag ? "true" : "false");
    else
      writer.entry(entry.key, quoted(std::get<std::string>(entry.value)));
  }
  writer.close();
}

}  // namespace

std::string fileMetadata(Context& context, const std::vector<std::string_view>& keys) {
  const Resources& resources = Resources::of(context);
  std::vector<std::string_view> known(keys);
  std::erase_if(known, [&](std::string_view key) { return !resources.find(key); });
  MetadataWriter writer;
  if (!known.empty()) {
    writer.open("dialect_resources");
    writer.open("builtin");
    for (std::string_view key : known)
      writer.entry(key, quoted(resources.find(key)->hex()));
    writer.close();
    writer.close();
  }
  if (!resources.external().empty()) {
    writer.open("external_resources");
    for (const ExternalResources& each : resources.external())
      writeExternal(writer, each);
    writer.close();
  }
  return writer.out.empty() ? "" : "\n{-#" + writer.out + "\n#-}\n";
}

}  // namespace airlite::text
