#include "runner/ObjectReader.hpp"

#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/SourceManager.hpp"
#include "airlite/support/Text.hpp"

#include <charconv>
#include <utility>
#include <vector>

namespace airlite::runner {

using text::JsonKind;
using text::JsonNode;

ObjectReader::ObjectReader(Context& context, std::string fileName, std::string text)
    : context_(context), source_(context.sources().add(std::move(fileName), std::move(text))) {}

bool ObjectReader::readFile(std::span<const Member> members) {
  constexpr size_t kMaxDepth = 16;
  if (failed(text::readJsonTree(context_, source_, kMaxDepth, tree_))) return false;
  readObject(0, members);
  return !isBad_;
}

void ObjectReader::fail(JsonNode node, const std::string& message) {
  failAt(tree_.offset(node), message);
}

void ObjectReader::failAt(uint32_t offset, const std::string& message) {
  emitError(context_, Location::inSource(source_, offset)) << message;
  isBad_ = true;
}

void ObjectReader::readObject(JsonNode node, std::span<const Member> members) {
  if (tree_.kind(node) != JsonKind::Object) return fail(node, "expected an object");
  for (JsonNode at = tree_.firstChild(node); at != text::kNoNode; at = tree_.next(at)) {
    const std::string_view key = tree_.key(at);
    if (key.starts_with("//")) continue;
    const Member* known = nullptr;
    std::vector<std::string_view> names;
    for (const Member& member : members) {
      names.push_back(member.name);
      if (member.name == key) known = &member;
    }
    if (known)
      known->read(at);
    else
      failAt(tree_.keyOffset(at),
             "unknown member \"" + std::string(key) + "\"" + didYouMean(key, names));
  }
}

void ObjectReader::readString(JsonNode node, std::string& value) {
  if (tree_.kind(node) != JsonKind::String) return fail(node, "expected a string");
  value = tree_.string(node);
}

void ObjectReader::readCount(JsonNode node, uint64_t& value) {
  if (tree_.kind(node) != JsonKind::Natural)
    return fail(node, "expected a whole number that is not negative");
  value = tree_.number(node);
}

void ObjectReader::readRate(JsonNode node, double& value) {
  const std::string_view text = context_.sources().text(source_).substr(tree_.offset(node));
  const bool isNumber =
      tree_.kind(node) == JsonKind::Natural || tree_.kind(node) == JsonKind::OtherNumber;
  double number = 0;
  if (isNumber) std::from_chars(text.data(), text.data() + text.size(), number);
  if (number > 0)
    value = number;
  else
    fail(node, "expected a number above 0");
}

}  // namespace airlite::runner
