#include "airlite/analysis/Schedule.hpp"

#include "airlite/ir/Context.hpp"

#include <nlohmann/json.hpp>

#include <unordered_map>

namespace airlite::analysis {

namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 1;
constexpr std::string_view kFormat = "airlite-schedule";

std::vector<Operation*> numberedOps(Operation& module) {
  std::vector<Operation*> ops;
  module.walk([&](Operation& op) { ops.push_back(&op); });
  return ops;
}

/// Reads fields up to the first thing that is wrong.
class Reader {
 public:
  explicit Reader(Operation& module) : ops_(numberedOps(module)) {}

  Result<Schedule> read(std::string_view text) {
    if (auto fine = readFields(text); !fine) return fine.error();
    return std::move(schedule_);
  }

 private:
  Result<void> readFields(std::string_view text) {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object()) return Error{"it is no JSON object"};
    if (json.value("format", Json()) != kFormat || json.value("version", Json()) != kVersion)
      return Error{"expected \"format\": \"airlite-schedule\", \"version\": 1"};
    const auto known =
        checkKnown(json, {"format", "version", "function", "shows", "arguments", "runs"});
    if (!known) return known;
    if (!json.contains("function") || !json["function"].is_string())
      return Error{"expected \"function\", a name"};
    schedule_.function = json["function"];
    if (json.contains("shows") && json["shows"].is_string()) schedule_.shows = json["shows"];
    for (const Json& argument : json.value("arguments", Json::array()))
      if (auto fine = readArgument(argument); !fine) return fine;
    if (!json.contains("runs") || !json["runs"].is_array() || json["runs"].empty())
      return Error{"expected \"runs\", at least one"};
    for (const Json& run : json["runs"])
      if (auto fine = readRun(run); !fine) return fine;
    return {};
  }

  static Result<void> checkKnown(const Json& json,
                                 std::initializer_list<std::string_view> members) {
    for (const auto& [key, value] : json.items())
      if (std::find(members.begin(), members.end(), key) == members.end())
        return Error{"unknown member \"" + key + "\""};
    return {};
  }

  Result<void> readArgument(const Json& json) {
    bool fine = json.is_object() && json.contains("number") && json.contains("value") &&
                json["number"].is_number_unsigned() && json["value"].is_number_integer();
    if (!fine) return Error{"expected arguments with \"number\" and \"value\""};
    schedule_.arguments.emplace_back(json["number"].get<unsigned>(), json["value"].get<int64_t>());
    return checkKnown(json, {"number", "value"});
  }

  Result<void> readRun(const Json& json) {
    if (!json.is_object()) return Error{"expected runs with \"seed\" and \"late\""};
    ScheduledRun run;
    if (json.contains("seed") && !json["seed"].is_number_unsigned())
      return Error{"expected \"seed\", a number"};
    run.seed = json.value("seed", uint64_t{0});
    for (const Json& op : json.value("late", Json::array()))
      if (auto fine = readOp(op, run); !fine) return fine;
    schedule_.runs.push_back(std::move(run));
    return checkKnown(json, {"seed", "late"});
  }

  Result<void> readOp(const Json& json, ScheduledRun& run) {
    bool fine = json.is_object() && json.contains("op") && json["op"].is_number_unsigned();
    if (!fine) return Error{"expected ops with \"op\", their number"};
    size_t number = json["op"];
    bool exists = number < ops_.size();
    if (!exists || json.value("name", Json(ops_[number]->name())) != ops_[number]->name())
      return Error{"it is for another program: op " + std::to_string(number) + " is " +
                   (exists ? "'" + std::string(ops_[number]->name()) + "'" : "not there")};
    run.late.push_back(ops_[number]);
    return checkKnown(json, {"op", "name", "at"});
  }

  std::vector<Operation*> ops_;
  Schedule schedule_;
};

}  // namespace

std::string scheduleToJson(const Schedule& schedule, Operation& module) {
  std::unordered_map<Operation*, size_t> numbers;
  for (Operation* op : numberedOps(module))
    numbers.emplace(op, numbers.size());
  Json json{{"format", kFormat}, {"version", kVersion}, {"function", schedule.function}};
  if (!schedule.shows.empty()) json["shows"] = schedule.shows;
  for (const auto& [number, value] : schedule.arguments)
    json["arguments"].push_back({{"number", number}, {"value", value}});
  for (const ScheduledRun& run : schedule.runs) {
    Json late = Json::array();
    for (Operation* op : run.late)
      late.push_back({{"op", numbers.at(op)},
                      {"name", op->name()},
                      {"at", formatLocation(op->context(), op->location())}});
    json["runs"].push_back({{"seed", run.seed}, {"late", std::move(late)}});
  }
  return json.dump(2) + "\n";
}

Result<Schedule> scheduleFromJson(std::string_view text, Operation& module) {
  return Reader(module).read(text);
}

}  // namespace airlite::analysis
