// Resources in the JSON form.
#include "JsonInput.hpp"
#include "PrinterState.hpp"
#include "airlite/ir/Resources.hpp"

namespace airlite::text {

namespace {

LogicalResult readHex(JsonInput& in, JsonNode node, ResourceBlob& blob) {
  std::string_view hex;
  if (failed(in.readString(node, "a string of hexadecimal digits", hex))) return failure();
  Result<ResourceBlob> read = ResourceBlob::fromHex(in.tree.key(node), hex);
  if (!read) return in.error(node, read.error().message);
  blob = std::move(*read);
  return success();
}

LogicalResult readExternalEntry(JsonInput& in, JsonNode node,
                                std::vector<ExternalResources::Entry>& entries) {
  ExternalResources::Entry& entry = entries.emplace_back();
  entry.key = in.tree.key(node);
  if (in.tree.kind(node) == JsonKind::Boolean) {
    entry.value = in.tree.number(node) != 0;
    return success();
  }
  std::string_view text;
  if (failed(in.readString(node, "a boolean or a string", text))) return failure();
  ResourceBlob blob;
  bool isBlob = text.starts_with("0x");
  if (isBlob && failed(readHex(in, node, blob))) return failure();
  entry.value = isBlob ? blob.hex() : std::string(text);
  return success();
}

}  // namespace

LogicalResult readJsonResources(JsonInput& in, JsonNode node) {
  if (node == kNoNode) return success();
  return in.readWords(node, "an object of resources", [&](JsonNode at) -> LogicalResult {
    ResourceBlob blob;
    if (failed(readHex(in, at, blob))) return failure();
    if (Resources::of(in.context).define(in.tree.key(at), std::move(blob))) return success();
    return in.error(at, "resource '" + shortened(in.tree.key(at)) +
                            "' has other bytes already, from another file in this context");
  });
}

LogicalResult readJsonExternal(JsonInput& in, JsonNode node) {
  if (node == kNoNode) return success();
  std::vector<ExternalResources> sections;
  LogicalResult result = in.readWords(node, "an object of sections", [&](JsonNode section) {
    std::vector<ExternalResources::Entry>& entries =
        sections.emplace_back(ExternalResources{std::string(in.tree.key(section)), {}}).entries;
    return in.readWords(section, "an object of resources",
                        [&](JsonNode at) { return readExternalEntry(in, at, entries); });
  });
  Resources::of(in.context).setExternal(std::move(sections));
  return result;
}

}  // namespace airlite::text
