// From bytes back to the program: which source line each configuration word, each instruction of a
// core and each operation of the runtime stream comes from. It is written next to the images. The
// simulator reads it, and so does every tool that shows a fault.
//
//   if (const SourcePlace* place = map.ofProgram({0, 2}, 0x40)) say(place->file, place->line);
#pragma once

#include "airlite/npu/device/Tile.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// A place in a text, as diagnostics show it.
struct SourcePlace {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  friend auto operator<=>(const SourcePlace&, const SourcePlace&) = default;
};

/// `words` configuration words from `address` on.
struct ConfigPlace {
  Address address;
  uint32_t words = 1;
  SourcePlace source;
  friend bool operator==(const ConfigPlace&, const ConfigPlace&) = default;
};
/// Bytes [begin, end) of the program memory of a core.
struct ProgramPlace {
  Tile tile;
  uint32_t begin = 0;
  uint32_t end = 0;
  SourcePlace source;
  friend bool operator==(const ProgramPlace&, const ProgramPlace&) = default;
};
/// Operations [begin, end) of the runtime stream, counted from 0.
struct StreamPlace {
  uint32_t begin = 0;
  uint32_t end = 0;
  SourcePlace source;
  friend bool operator==(const StreamPlace&, const StreamPlace&) = default;
};

struct LocationMap {
  std::vector<ConfigPlace> config;
  std::vector<ProgramPlace> program;
  std::vector<StreamPlace> stream;
  friend bool operator==(const LocationMap&, const LocationMap&) = default;

  /// Null where nothing is known; where entries overlap, the last one counts.
  const SourcePlace* ofConfig(Address address) const;
  const SourcePlace* ofProgram(Tile tile, uint32_t programCounter) const;
  const SourcePlace* ofStream(uint32_t operation) const;
};

/// The text form, which docs/npu_images.md describes.
std::string writeLocationMap(const LocationMap& map);
/// The error of a refusal has the line.
Result<LocationMap> readLocationMap(std::string_view text);

}  // namespace airlite::npu
