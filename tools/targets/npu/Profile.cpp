#include "Profile.hpp"

#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace airlite::tools {
namespace {

using npu::LocationMap;
using npu::SourcePlace;
using npu::Tile;
using npu::sim::Array;
using npu::sim::BundleCycles;

/// Lines that took less of all cycles are not worth a row.
constexpr double kLeastShare = 0.0005;

/// A line of the source; one without a file stands for all that no line is known of.
struct Line {
  std::string file;
  uint32_t number = 0;
  auto operator<=>(const Line&) const = default;
};

struct Spent {
  uint64_t cycles = 0;   ///< of all cores
  uint64_t stalled = 0;  ///< of these
  uint64_t bytes = 0;    ///< of program memory, of the core that has most
};

class Profile {
 public:
  explicit Profile(const SourceText& program) : program_(program) {}

  void add(Tile tile, std::span<const BundleCycles> cyclesAt, const LocationMap& locations) {
    std::map<Line, uint64_t> bytes;
    uint64_t ofCore = 0;
    for (uint32_t address = 0; address < cyclesAt.size(); ++address) {
      const SourcePlace* place = locations.ofProgram(tile, address);
      const auto& [issued, stalled] = cyclesAt[address];
      if (!place && issued + stalled == 0) continue;
      const Line line = place ? Line{place->file, place->line} : Line{};
      lines_[line].cycles += issued + stalled;
      lines_[line].stalled += stalled;
      ++bytes[line];
      ofCore += issued + stalled;
    }
    if (!ofCore) return;
    ++cores_;
    all_ += ofCore;
    for (const auto& [line, count] : bytes)
      lines_[line].bytes = std::max(lines_[line].bytes, count);
  }

  std::string text() {
    std::string text =
        fmt::format("cycles of {} core{} by line:\n", cores_, cores_ == 1 ? "" : "s");
    std::vector<std::pair<Line, Spent>> rows(lines_.begin(), lines_.end());
    std::ranges::stable_sort(rows, std::greater(),
                             [](const auto& row) { return row.second.cycles; });
    for (const auto& [line, spent] : rows) {
      const double share = all_ ? double(spent.cycles) / double(all_) : 0;
      if (share < kLeastShare) break;
      const double waits = spent.cycles ? double(spent.stalled) / double(spent.cycles) : 0;
      text +=
          fmt::format("{:6.1f}% {:10} cycles of each, {:3.0f}% of them waits {:6} bytes  {}\n",
                      100 * share, spent.cycles / cores_, 100 * waits, spent.bytes, nameOf(line));
    }
    return text;
  }

 private:
  std::string nameOf(const Line& line) {
    if (line.file.empty()) return "(no line is known)";
    const std::vector<std::string>& texts = linesOf(line.file);
    const bool isKnown = line.number > 0 && line.number <= texts.size();
    const std::string_view text = isKnown ? trim(texts[line.number - 1]) : std::string_view();
    constexpr size_t kMost = 72;
    return fmt::format("{}:{}: {}{}", line.file, line.number, text.substr(0, kMost),
                       text.size() > kMost ? "..." : "");
  }

  /// None where the text is not known.
  const std::vector<std::string>& linesOf(const std::string& file) {
    const auto [known, isNew] = texts_.try_emplace(file);
    if (!isNew) return known->second;
    const std::string text = program_.of(file).value_or("");
    for (const std::string_view line : split(text, '\n'))
      known->second.emplace_back(line);
    return known->second;
  }

  const SourceText& program_;
  std::map<Line, Spent> lines_;
  std::map<std::string, std::vector<std::string>> texts_;
  uint64_t cores_ = 0, all_ = 0;
};

}  // namespace

std::string profileText(const npu::Device& device, const Array& array, const LocationMap& locations,
                        const SourceText& program) {
  Profile profile(program);
  for (unsigned column = 0; column < device.columns; ++column)
    for (unsigned row = npu::Device::firstCoreRow; row < npu::Device::rows; ++row) {
      const Tile tile{static_cast<uint8_t>(column), static_cast<uint8_t>(row)};
      profile.add(tile, array.cyclesAt(tile), locations);
    }
  return profile.text();
}

}  // namespace airlite::tools
