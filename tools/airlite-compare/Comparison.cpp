#include "Comparison.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace airlite::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Runs = std::span<const RecordedRun>;

/// What neither works nor waits.
bool isRest(const std::string& state) {
  return state == "idle" || state == "disabled" || state == "done";
}

/// Cycles by state, of some cores or channels in a run, and the cycles that they had together.
struct Shares {
  StateCycles cycles;
  uint64_t all = 0;

  void add(const StateCycles& from, uint64_t runCycles) {
    for (const auto& [state, spent] : from)
      cycles[state] += spent;
    all += runCycles;
  }
  std::optional<double> of(const std::string& state) const {
    if (all == 0) return std::nullopt;
    const auto found = cycles.find(state);
    return found == cycles.end() ? 0 : double(found->second) / double(all);
  }
};

/// A row for each state that takes time in one of the two.
void addShares(ComparedTable& table, const std::string& prefix, const Shares& a, const Shares& b) {
  std::set<std::string> states;
  for (const StateCycles* cycles : {&a.cycles, &b.cycles})
    for (const auto& [state, spent] : *cycles)
      if (spent != 0 && !isRest(state)) states.insert(state);
  for (const std::string& state : states)
    table.rows.push_back({prefix + state, Unit::Share, a.of(state), b.of(state)});
}

template <class Get> double total(Runs runs, Get get) {
  double sum = 0;
  for (const RecordedRun& run : runs)
    sum += double(get(run));
  return sum;
}

double cyclesOf(Runs runs) {
  return total(runs, [](const RecordedRun& run) { return run.cycles; });
}

Shares coreShares(Runs runs) {
  Shares shares;
  for (const RecordedRun& run : runs)
    for (const RecordedCore& core : run.cores)
      shares.add(core.cycles, run.cycles);
  return shares;
}

Shares channelShares(Runs runs, const std::string& kind) {
  Shares shares;
  for (const RecordedRun& run : runs)
    for (const RecordedChannel& channel : run.channels)
      if (channel.kind == kind) shares.add(channel.cycles, run.cycles);
  return shares;
}

double coresUsed(Runs runs) {
  std::set<TilePlace> tiles;
  for (const RecordedRun& run : runs)
    for (const RecordedCore& core : run.cores)
      tiles.insert(core.tile);
  return double(tiles.size());
}

template <class Member> double coreTotal(Runs runs, Member member) {
  return total(runs, [&](const RecordedRun& run) {
    uint64_t sum = 0;
    for (const RecordedCore& core : run.cores)
      sum += core.*member;
    return sum;
  });
}

/// Of what the matrix units of the cores could have done; none where there were no products.
std::optional<double> matrixShare(Runs runs) {
  double products = 0, peak = 0;
  for (const RecordedRun& run : runs)
    for (const RecordedCore& core : run.cores)
      products += double(core.products), peak += double(core.mostProducts) * double(run.cycles);
  return peak == 0 ? std::nullopt : std::optional(products / peak);
}

/// Both have it, or it is shown where one has it.
class SumTable {
 public:
  SumTable(std::string title, Runs a, Runs b) : a_(a), b_(b) { table_.title = std::move(title); }

  ComparedTable make() {
    count("cycles", cyclesOf);
    count("host commands, cycles",
          [](Runs runs) { return total(runs, [](auto& run) { return run.hostCommands; }); });
    count("cores used", coresUsed);
    count("instructions", [](Runs runs) { return coreTotal(runs, &RecordedCore::bundles); });
    count("products", [](Runs runs) { return coreTotal(runs, &RecordedCore::products); });
    table_.rows.push_back(
        {"matrix units, of their peak", Unit::Share, matrixShare(a_), matrixShare(b_)});
    ddr("DDR read", &RecordedRun::read);
    ddr("DDR write", &RecordedRun::write);
    addShares(table_, "cores: ", coreShares(a_), coreShares(b_));
    for (const char* kind : {"core", "memory", "shim"})
      addShares(table_, std::string(kind) + " DMAs: ", channelShares(a_, kind),
                channelShares(b_, kind));
    std::erase_if(table_.rows, [](const ComparedRow& row) { return !row.a && !row.b; });
    return std::move(table_);
  }

 private:
  template <class Get> void count(std::string name, Get get) {
    table_.rows.push_back({std::move(name), Unit::Count, get(a_), get(b_)});
  }

  void ddr(const std::string& name, RecordedDdr RecordedRun::*side) {
    count(name + ", bytes",
          [&](Runs runs) { return total(runs, [&](auto& run) { return (run.*side).bytes; }); });
    count(name + ", requests",
          [&](Runs runs) { return total(runs, [&](auto& run) { return (run.*side).requests; }); });
    const auto busy = [&](Runs runs) -> std::optional<double> {
      if (cyclesOf(runs) == 0) return std::nullopt;
      return total(runs, [&](auto& run) { return (run.*side).busyCycles; }) / cyclesOf(runs);
    };
    table_.rows.push_back({name + ", busy", Unit::Share, busy(a_), busy(b_)});
  }

  ComparedTable table_;
  Runs a_, b_;
};

std::map<TilePlace, Shares> sharesOfCores(Runs runs) {
  std::map<TilePlace, Shares> cores;
  for (const RecordedRun& run : runs)
    for (const RecordedCore& core : run.cores)
      cores[core.tile].add(core.cycles, run.cycles);
  return cores;
}

ComparedTable coreTable(Runs a, Runs b) {
  ComparedTable table{"each core", {}};
  const auto left = sharesOfCores(a), right = sharesOfCores(b);
  std::map<TilePlace, bool> tiles;
  for (const auto* cores : {&left, &right})
    for (const auto& [tile, shares] : *cores)
      tiles[tile] = true;
  const auto at = [](const std::map<TilePlace, Shares>& cores, TilePlace tile) {
    const auto found = cores.find(tile);
    return found == cores.end() ? Shares{} : found->second;
  };
  for (const auto& [tile, isThere] : tiles)
    addShares(table, fmt::format("({},{}) ", tile.column, tile.row), at(left, tile),
              at(right, tile));
  return table;
}

void noteRuns(const RecordFile& file, std::vector<std::string>& notes) {
  for (size_t i = 0; i < file.runs.size(); ++i)
    if (file.runs[i].outcome != "finished")
      notes.push_back(
          fmt::format("{}: run {} did not finish: {}", file.path, i + 1, file.runs[i].outcome));
}

/// "519,529".
std::string grouped(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

std::string shown(const std::optional<double>& value, Unit unit) {
  if (!value) return "-";
  return unit == Unit::Share ? fmt::format("{:.1f}%", 100 * *value) : grouped(*value);
}

using Cells = std::vector<std::string>;

std::string alignedRows(const std::vector<Cells>& rows) {
  std::vector<size_t> widths(4);
  for (const Cells& row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Cells& row : rows)
    text += fmt::format("  {:<{}}  {:>{}}  {:>{}}  {:>{}}\n", row[0], widths[0], row[1], widths[1],
                        row[2], widths[2], row[3], widths[3]);
  return text;
}

OrderedJson jsonOf(const std::optional<double>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

}  // namespace

std::optional<double> ComparedRow::ratio() const {
  if (!a || !b || *a == 0) return std::nullopt;
  return *b / *a;
}

Comparison compareRecords(const RecordFile& a, const RecordFile& b) {
  Comparison comparison{a.path, b.path, {}, 1, {}};
  const Runs left(a.runs), right(b.runs);
  if (cyclesOf(left) > 0) comparison.cycleRatio = cyclesOf(right) / cyclesOf(left);
  noteRuns(a, comparison.notes);
  noteRuns(b, comparison.notes);
  if (a.device != b.device)
    comparison.notes.push_back(fmt::format("the devices are {} and {}", a.device, b.device));
  if (a.runs.size() != b.runs.size())
    comparison.notes.push_back(fmt::format(
        "the files have {} and {} runs, which are compared in sum", a.runs.size(), b.runs.size()));
  comparison.tables.push_back(SumTable("in sum", left, right).make());
  if (a.runs.size() == b.runs.size() && a.runs.size() > 1)
    for (size_t i = 0; i < a.runs.size(); ++i)
      comparison.tables.push_back(
          SumTable(fmt::format("run {}", i + 1), left.subspan(i, 1), right.subspan(i, 1)).make());
  comparison.tables.push_back(coreTable(left, right));
  return comparison;
}

std::string comparisonText(const Comparison& comparison) {
  std::string text;
  text += fmt::format("A is {}\nB is {}\n", comparison.a, comparison.b);
  for (const std::string& note : comparison.notes)
    text += "note: " + note + "\n";
  for (const ComparedTable& table : comparison.tables) {
    if (table.rows.empty()) continue;
    std::vector<Cells> rows{{table.title, "A", "B", "B/A"}};
    for (const ComparedRow& row : table.rows) {
      const auto ratio = row.ratio();
      rows.push_back({row.name, shown(row.a, row.unit), shown(row.b, row.unit),
                      ratio ? fmt::format("{:.3f}", *ratio) : ""});
    }
    text += "\n" + alignedRows(rows);
  }
  return text;
}

std::string comparisonJson(const Comparison& comparison) {
  OrderedJson json{{"format", "airlite-run-comparison"},
                   {"version", 1},
                   {"a", comparison.a},
                   {"b", comparison.b},
                   {"cycle_ratio", comparison.cycleRatio},
                   {"notes", comparison.notes},
                   {"tables", OrderedJson::array()}};
  for (const ComparedTable& table : comparison.tables) {
    OrderedJson rows = OrderedJson::array();
    for (const ComparedRow& row : table.rows)
      rows.push_back({{"name", row.name},
                      {"unit", row.unit == Unit::Share ? "share" : "count"},
                      {"a", jsonOf(row.a)},
                      {"b", jsonOf(row.b)},
                      {"ratio", jsonOf(row.ratio())}});
    json["tables"].push_back({{"title", table.title}, {"rows", std::move(rows)}});
  }
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace airlite::tools
