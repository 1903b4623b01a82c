#include "airlite/npu/image/LocationMap.hpp"

#include "image/RegisterText.hpp"
#include "image/TextTree.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

constexpr const char* rootName = "locations";
// Plain offsets: the map must not depend on the names of a generation.
constexpr Generation anyGeneration = Generation::Aie2;

std::string plainAddress(Address address) { return fmt::format("0x{:08X}", address.value); }

void addSource(TextNode& node, const SourcePlace& source) {
  node.add("file", source.file).add("line", source.line).add("column", source.column);
}

SourcePlace takeSource(NodeReader& in) {
  return {in.text("file"), in.word("line"), in.word("column")};
}

void takeConfig(NodeReader& in, LocationMap& map) {
  const auto address = addressOfText(in.value(0), anyGeneration);
  if (!address) in.refuse(fmt::format("'{}' is not an address", in.value(0)));
  map.config.push_back({address.value_or(Address{}), in.word("words", 1), takeSource(in)});
  in.end(1);
}

void takeProgram(NodeReader& in, LocationMap& map) {
  const Tile tile{uint8_t(in.number("tile_column", 0, 127)), uint8_t(in.number("tile_row", 0, 31))};
  const uint32_t begin = in.word("begin"), end = in.word("end");
  map.program.push_back({tile, begin, end, takeSource(in)});
  in.end();
}

void takeStream(NodeReader& in, LocationMap& map) {
  const uint32_t begin = in.word("begin"), end = in.word("end");
  map.stream.push_back({begin, end, takeSource(in)});
  in.end();
}

bool covers(uint32_t begin, uint64_t end, uint32_t at) { return at >= begin && at < end; }

/// The last entry that `fits`.
template <class T, class F> const SourcePlace* lastOf(const std::vector<T>& entries, F fits) {
  for (size_t i = entries.size(); i-- > 0;)
    if (fits(entries[i])) return &entries[i].source;
  return nullptr;
}

}  // namespace

const SourcePlace* LocationMap::ofConfig(Address address) const {
  return lastOf(config, [&](const ConfigPlace& place) {
    return covers(place.address.value, place.address.value + uint64_t(4) * place.words,
                  address.value);
  });
}

const SourcePlace* LocationMap::ofProgram(Tile tile, uint32_t programCounter) const {
  return lastOf(program, [&](const ProgramPlace& place) {
    return place.tile == tile && covers(place.begin, place.end, programCounter);
  });
}

const SourcePlace* LocationMap::ofStream(uint32_t operation) const {
  return lastOf(
      stream, [&](const StreamPlace& place) { return covers(place.begin, place.end, operation); });
}

std::string writeLocationMap(const LocationMap& map) {
  TextNode root{.name = rootName};
  for (const auto& place : map.config) {
    auto& node = root.child("config");
    node.values.push_back(plainAddress(place.address));
    addSource(node.add("words", place.words), place.source);
    node.comment = addressText(place.address, anyGeneration);
  }
  for (const auto& place : map.program) {
    auto& node = root.child("program");
    node.add("tile_column", place.tile.column).add("tile_row", place.tile.row);
    addSource(node.add("begin", place.begin).add("end", place.end), place.source);
  }
  for (const auto& place : map.stream)
    addSource(root.child("stream").add("begin", place.begin).add("end", place.end), place.source);
  return printTree(root);
}

Result<LocationMap> readLocationMap(std::string_view text) {
  const auto root = parseTree(text);
  if (!root) return root.error();
  std::optional<Error> refusal;
  if (root->name != rootName)
    return Error{fmt::format("{} is not a map of locations", root->name), root->line};
  LocationMap map;
  for (const auto& node : root->children) {
    NodeReader in(node, refusal);
    if (node.name == "config")
      takeConfig(in, map);
    else if (node.name == "program")
      takeProgram(in, map);
    else if (node.name == "stream")
      takeStream(in, map);
    else
      in.refuse(fmt::format("a map of locations has no {}", node.name));
  }
  if (refusal) return *refusal;
  return map;
}

}  // namespace airlite::npu
