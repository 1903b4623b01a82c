// Two recorded runs side by side: numbers of both with their ratio, in sum and for each core.
#pragma once

#include "RecordFile.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace airlite::tools {

/// How a number is shown. Shares are of 1.
enum class Unit : uint8_t { Count, Share };

struct ComparedRow {
  std::string name;
  Unit unit = Unit::Count;
  std::optional<double> a, b;  ///< none: the run has no such thing
  /// b / a; none where one is missing or a is 0.
  std::optional<double> ratio() const;
};

struct ComparedTable {
  std::string title;
  std::vector<ComparedRow> rows;
};

struct Comparison {
  std::string a, b;  ///< the files
  std::vector<ComparedTable> tables;
  double cycleRatio = 1;  ///< of all runs together
  /// That not both runs finished, or were on other devices.
  std::vector<std::string> notes;
};

Comparison compareRecords(const RecordFile& a, const RecordFile& b);

std::string comparisonText(const Comparison& comparison);
/// `"format": "airlite-run-comparison"`, docs/view.md.
std::string comparisonJson(const Comparison& comparison);

}  // namespace airlite::tools
