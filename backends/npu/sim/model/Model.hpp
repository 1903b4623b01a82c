// The performance model: an array at the granularity of descriptors. It starts from what the simulator
// has loaded, and says how long a runtime stream takes without moving a word: streams have rates
// (Streams.hpp), cores do what their program does alone (CoreTrace.hpp), locks, queues and the commands
// of the host are those of the simulator. Every number of cycles is one of Timing.hpp.
#pragma once

#include "airlite/npu/sim/array/Array.hpp"
#include "sim/array/State.hpp"
#include "sim/model/ChannelModel.hpp"
#include "sim/model/CoreModel.hpp"
#include "sim/model/LockTable.hpp"
#include "sim/model/Streams.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu::sim::model {

/// A master of a switch that words of a source leave by.
struct Passage {
  Tile tile;
  unsigned master = 0;
  friend auto operator<=>(const Passage&, const Passage&) = default;
};

class Model final : StreamWatch {
 public:
  explicit Model(ArrayState& state);
  ~Model() override;

  bool runTo(uint64_t until);
  /// The next thing that happens; false: nothing does, or something is wrong.
  bool runNext();

  ArrayState& state;
  Events events;
  LockTable locks;
  Streams streams;
  uint64_t now = 0;
  std::map<TokenActor, unsigned> tokens;

  /// Of the memory of a core tile, by its DMAs so far.
  BankAccesses dmaAccesses(Tile tile);
  ChannelModel& channel(Tile tile, DmaDirection direction, unsigned number);
  Observer* observer() const { return state.options.observer; }
  CoreModel& core(Tile tile) { return cores_[coreOf_.at(tile)]; }
  /// The first reason counts.
  void fail(Tile tile, std::string text);
  void addTraffic(uint32_t source, int packet, uint64_t words);
  /// Cores that the host has enabled begin.
  void startCores();
  /// The trace of the program of that tile.
  std::shared_ptr<CoreTrace> traceOf(TileState& tile);
  /// Those of which the host writes the memory do not share theirs.
  void setAlone(Tile tile) { alone_.push_back(tile); }
  std::vector<Wait> waits() const;
  /// What the array says of itself after the run.
  ArrayTraffic traffic() const;

 private:
  void moved(uint32_t end, uint64_t from, uint64_t to, double words) override;
  void addEnds();
  void findWays();
  /// `capacity`, `latency`: from the source to the switch of the tile.
  void addWaysOf(uint32_t source, TileState& tile, unsigned slave, double capacity,
                 uint64_t latency);
  void addCascades();
  void handle(const Event& event);
  void handleDone();

  std::deque<ChannelModel> channels_;
  std::deque<CoreModel> cores_;
  std::map<Tile, uint32_t> firstChannel_, coreOf_;  ///< numbers, by tile
  std::vector<uint32_t> ofEnd_;                     ///< the channel or core of an end
  std::vector<bool> isOfCore_;
  std::map<std::pair<uint32_t, int>, std::vector<Passage>> passages_;
  std::map<Passage, uint64_t> words_;
  std::map<std::vector<uint8_t>, std::shared_ptr<CoreTrace>> traces_;
  std::vector<Tile> alone_;
};

}  // namespace airlite::npu::sim::model
