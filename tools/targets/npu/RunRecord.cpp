#include "RunRecord.hpp"

#include "../../common/Session.hpp"
#include "ImageFlows.hpp"
#include "SimReport.hpp"
#include "airlite/npu/image/LocationMap.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace airlite::tools {
namespace {

using namespace npu;
using namespace npu::sim;
using RecordJson = nlohmann::ordered_json;

/// Numbers for values, in the order in which they come.
template <class Value> class Numbers {
 public:
  size_t of(const Value& value) {
    const auto [found, isNew] = numbers_.try_emplace(value, all_.size());
    if (isNew) all_.push_back(value);
    return found->second;
  }
  const std::vector<Value>& all() const { return all_; }

 private:
  std::map<Value, size_t> numbers_;
  std::vector<Value> all_;
};

RecordJson jsonOfTile(Tile tile) { return RecordJson::array({tile.column, tile.row}); }

const char* trackKindName(TrackKind kind) {
  switch (kind) {
    case TrackKind::Stream: return "host";
    case TrackKind::Core: return "core";
    case TrackKind::Channel: return "channel";
    default: return "lock";
  }
}

/// What an operation of the stream does, in words.
std::string stepText(const Txn& stream, uint32_t operation) {
  if (operation >= stream.ops.size()) return "operation of the host";
  const TxnOp& op = stream.ops[operation];
  const auto channelText = [](Tile tile, DmaDirection direction, unsigned channel) {
    return fmt::format("({},{}) {} {}", tile.column, tile.row, npu::name(direction), channel);
  };
  if (TxnCode(op.code) == TxnCode::Sync)
    if (const auto on = syncOf(op))
      return "wait for " + channelText(on->tile, on->direction, on->channel);
  const Address address{op.at(TxnField::AddressLow)};
  const auto queue = channelOfStartQueue(kindOfRow(address.tile().row), address.offset());
  if (TxnCode(op.code) == TxnCode::Write && queue)
    return "start " + channelText(address.tile(), queue->direction, queue->channel);
  const TxnLayout* layout = txnLayout(stream.major, stream.minor, op.code);
  return layout ? layout->name : fmt::format("operation {:#x}", op.code);
}

/// One run as JSON. Origins become texts and source places, which tracks share.
class RunJson {
 public:
  RunJson(const Device& device, const WatchedRun& watched) : device_(device), watched_(watched) {}

  RecordJson make() {
    RecordJson run{{"outcome", outcomeName()},
                   {"text", runText(watched_.result, watched_.run.locations)},
                   {"cycles", watched_.result.cycles}};
    run["statistics"] =
        RecordJson::parse(reportJson(watched_.statistics, watched_.array, watched_.result.cycles));
    addResources(run);
    run["tracks"] = RecordJson::array();
    for (const RecordedTrack* track : watched_.recorder.tracks())
      run["tracks"].push_back(trackOf(*track));
    run["files"] = files_.all();
    run["places"] = RecordJson::array();
    for (const auto& [file, line, column] : places_.all())
      run["places"].push_back({file, line, column});
    return run;
  }

 private:
  /// What the compiler said of the design; of bytes alone, where their streams go.
  void addResources(RecordJson& run) const {
    std::string text = watched_.run.resources;
    if (text.empty())
      if (auto flows = flowsOfImage(device_, watched_.run)) text = std::move(*flows);
    RecordJson resources = RecordJson::parse(text, nullptr, false);
    if (resources.is_object()) run["resources"] = std::move(resources);
  }

  const char* outcomeName() const {
    switch (watched_.result.outcome) {
      case Outcome::Finished: return "finished";
      case Outcome::Hung: return "hung";
      case Outcome::Faulted: return "faulted";
      case Outcome::OutOfCycles: return "out of cycles";
      default: return "stopped";
    }
  }

  RecordJson trackOf(const RecordedTrack& track) {
    const TrackPlace& place = track.place;
    Numbers<Origin> origins;
    RecordJson json{{"kind", trackKindName(place.kind)}};
    if (place.kind != TrackKind::Stream) json["tile"] = jsonOfTile(place.tile);
    if (place.kind == TrackKind::Channel) json["direction"] = npu::name(place.direction);
    if (place.kind == TrackKind::Channel || place.kind == TrackKind::Lock)
      json["number"] = place.number;
    json["resolution"] = track.resolution;
    addSlices(json, track, origins);
    json["exact"] = RecordJson::array();
    for (const auto& [key, cycles] : track.cycles)
      json["exact"].push_back({key.first, origins.of(key.second), cycles});
    json["origins"] = RecordJson::array();
    for (const Origin& origin : origins.all())
      json["origins"].push_back({textOf(origin), placeOf(place.tile, origin)});
    return json;
  }

  static void addSlices(RecordJson& json, const RecordedTrack& track, Numbers<Origin>& origins) {
    RecordJson lengths = RecordJson::array(), states = RecordJson::array(),
               from = RecordJson::array(), mixed = RecordJson::array();
    for (size_t i = 0; i < track.slices.size(); ++i) {
      const RecordedSlice& slice = track.slices[i];
      lengths.push_back(slice.cycles());
      states.push_back(slice.state);
      from.push_back(origins.of(slice.origin));
      if (!slice.parts.empty()) mixed.push_back({i, slice.parts});
    }
    json["lengths"] = std::move(lengths), json["states"] = std::move(states);
    json["from"] = std::move(from), json["mixed"] = std::move(mixed);
  }

  std::string textOf(const Origin& origin) const {
    if (origin.programCounter) return fmt::format("pc {:#x}", *origin.programCounter);
    if (origin.bd) return fmt::format("BD {}", *origin.bd);
    return origin.operation ? stepText(watched_.run.stream, *origin.operation) : "";
  }

  /// The number of its place; -1: not known.
  int64_t placeOf(Tile tile, const Origin& origin) {
    const SourcePlace* place = sourceOf(tile, origin, watched_.run.locations);
    if (!place) return -1;
    return int64_t(places_.of({files_.of(place->file), place->line, place->column}));
  }

  const Device& device_;
  const WatchedRun& watched_;
  Numbers<std::string> files_;
  Numbers<std::tuple<size_t, uint32_t, uint32_t>> places_;
};

RecordJson memoryJson(TileKind kind) {
  const TileLimits& limits = limitsOf(kind);
  return {{"bytes", limits.dataMemory.value},
          {"banks", limits.banks},
          {"bank_bytes", limits.bankSize.value}};
}

template <class State> RecordJson stateNames(unsigned count) {
  RecordJson names = RecordJson::array();
  for (unsigned i = 0; i < count; ++i)
    names.push_back(sim::name(State(i)));
  return names;
}

}  // namespace

RunRecord::RunRecord(const npu::Device& device, const std::string& place) : device_(device) {
  RecordJson rows = RecordJson::array();
  for (unsigned row = 0; row < Device::rows; ++row)
    rows.push_back(npu::name(kindOfRow(uint8_t(row))));
  head_ = {{"format", "airlite-run-record"}, {"version", 1}, {"on", place}};
  head_["device"] = {{"name", device.name},
                     {"columns", device.columns},
                     {"rows", rows},
                     {"core", memoryJson(TileKind::Core)},
                     {"memory", memoryJson(TileKind::Mem)}};
  head_["states"] = {{"core", stateNames<CoreState>(coreStateCount)},
                     {"channel", stateNames<ChannelActivity>(channelActivityCount)},
                     {"host", stateNames<StreamActivity>(streamActivityCount)}};
}

void RunRecord::add(const WatchedRun& watched) {
  runs_.push_back(RunJson(device_, watched).make());
}

std::optional<std::string> SourceText::of(const std::string& file) const {
  if (file == name) return text;
  if (file == "-") return std::nullopt;
  auto read = readInput(file);
  return read ? std::optional(*std::move(read)) : std::nullopt;
}

std::string RunRecord::text(const SourceText& program) const {
  RecordJson json = head_;
  json["program"] = program.name;
  json["sources"] = RecordJson::object();
  for (const RecordJson& run : runs_)
    for (const RecordJson& file : run["files"]) {
      const std::string name = file.get<std::string>();
      if (json["sources"].contains(name)) continue;
      if (auto text = program.of(name)) json["sources"][name] = *std::move(text);
    }
  json["runs"] = runs_;
  return json.dump(-1, ' ', false, RecordJson::error_handler_t::replace) + "\n";
}

}  // namespace airlite::tools
