#include "airlite/runner/Choice.hpp"

#include "runner/ObjectReader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace airlite::runner {
namespace {

constexpr std::string_view kFormat = "airlite-choice";
constexpr uint64_t kVersion = 1;

}  // namespace

std::string programKey(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char byte : text)
    hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001B3;
  return fmt::format("{:016x}", hash);
}

std::string choiceText(const Choice& choice) {
  const nlohmann::ordered_json json{
      {"format", kFormat},       {"version", kVersion},
      {"target", choice.target}, {"program", choice.program},
      {"recipe", choice.recipe}, {"by", choice.by},
      {"cycles", choice.cycles}, {"default_cycles", choice.defaultCycles}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::optional<Choice> parseChoice(Context& context, std::string fileName, std::string text) {
  ObjectReader reader(context, std::move(fileName), std::move(text));
  Choice choice;
  std::string format;
  uint64_t version = 0;
  const auto isOf = [&](std::string& value) {
    return [&reader, &value](text::JsonNode node) { reader.readString(node, value); };
  };
  const auto countOf = [&](uint64_t& value) {
    return [&reader, &value](text::JsonNode node) { reader.readCount(node, value); };
  };
  const Member members[] = {
      {"format", isOf(format)},           {"version", countOf(version)},
      {"target", isOf(choice.target)},    {"program", isOf(choice.program)},
      {"recipe", isOf(choice.recipe)},    {"by", isOf(choice.by)},
      {"cycles", countOf(choice.cycles)}, {"default_cycles", countOf(choice.defaultCycles)}};
  if (!reader.readFile(members)) return std::nullopt;
  if (format != kFormat) reader.fail(0, fmt::format("expected \"format\": \"{}\"", kFormat));
  if (version != kVersion) reader.fail(0, fmt::format("expected \"version\": {}", kVersion));
  if (choice.target.empty()) reader.fail(0, "expected a member \"target\"");
  return reader.isBad() ? std::nullopt : std::optional(choice);
}

}  // namespace airlite::runner
