// Streams as rates. A source puts words into a FIFO of each target that it leads to, and a target takes
// them out; between two changes each does so at a constant rate, so that the model looks at a stream
// when a descriptor begins or ends, a FIFO becomes full or empty, or DDR is shared by others, and not
// for each word.
//
// Sources and targets that can meet belong to a group: a circuit with its targets, and all packets
// together, whose targets belong to one sender at a time.
#pragma once

#include "airlite/npu/sim/array/Timing.hpp"
#include "sim/model/DdrShares.hpp"
#include "sim/model/Events.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace airlite::npu::sim::model {

inline constexpr uint32_t kNone = UINT32_MAX;

/// An end of streams that is at work: words that it still has to move, and how fast it can.
struct StreamEnd {
  bool isSource = false;
  bool isOpen = false;
  uint32_t group = kNone;
  double left = 0;     ///< words
  double rate = 0;     ///< words per cycle, now
  double limit = 1;    ///< words per cycle, at most
  double fastest = 1;  ///< the same where DDR is not the limit
  uint64_t run = 0;    ///< words that are contiguous in DDR; 0: other memory
  bool wantsDdr = false;
  // A target:
  double fill = 0;  ///< words that are under way
  double capacity = 0;
  uint64_t latency = 0;  ///< from the first word of a source until it can be taken
  uint64_t notBefore = 0;
  bool isDry = true;        ///< nothing is under way, and nothing comes
  uint32_t feeder = kNone;  ///< the source that it belongs to
  // A source:
  std::vector<uint32_t> targets = {};  ///< of the words that it sends now
  bool waits = false;                  ///< for targets that belong to another packet
};

/// Told what ends do, in spans that follow each other.
class StreamWatch {
 public:
  virtual ~StreamWatch() = default;
  virtual void moved(uint32_t end, uint64_t from, uint64_t to, double words) = 0;
};

/// Where the words of a source go, for packets of one id (-1: a circuit).
struct Way {
  uint32_t target = kNone;
  double capacity = 0;
  uint64_t latency = 0;
};

/// The words that are under way. One class: what moves at a step depends on all ways, rates and ports together.
class Streams {
 public:
  Streams(const Timing& timing, Events& events) : events_(events), ddr_(timing) {}

  uint32_t addEnd(bool isSource);
  /// `packet`: an id, or -1 of a circuit.
  void addWays(uint32_t source, int packet, const std::vector<Way>& ways);
  /// To be called once all ways are known.
  void makeGroups();
  void setWatch(StreamWatch* watch) { watch_ = watch; }

  /// An end begins to move words. `run`: words that are contiguous in DDR; 0: of other memory.
  void open(uint32_t end, uint64_t now, double words, double fastest = 1, uint64_t run = 0,
            int packet = -1);
  /// Ends that have moved all of their words since the last call.
  std::vector<uint32_t> takeDone();
  /// Its turn has come: brings the group up to date. An event of an old version does nothing.
  void turn(const Event& event);
  /// Shares DDR out again where that has changed. To be called after each event.
  void settle(uint64_t now);
  /// What an end has done until now is told.
  void look(uint32_t end, uint64_t now) { advance(groups_[ends_[end].group], now); }
  /// The run is over: what all ends have done until now is told.
  void stop(uint64_t now);

  const StreamEnd& end(uint32_t number) const { return ends_[number]; }
  bool leadsAnywhere(uint32_t source, int packet) const { return ways_.contains({source, packet}); }

 private:
  struct Group {
    std::vector<uint32_t> sources, targets;
    std::deque<uint32_t> waiting;  ///< sources, for targets
    uint64_t at = 0, version = 0;
  };

  void join(uint32_t a, uint32_t b);
  void advance(Group& group, uint64_t now);
  void finish(Group& group, uint32_t end);
  void claim(Group& group, uint32_t source);
  void setRates(Group& group, uint64_t now);
  void setSourceRate(StreamEnd& source, uint64_t now);
  void setTargetRate(StreamEnd& target, uint64_t now);
  double takes(const StreamEnd& target, uint64_t now) const;
  uint64_t nextChange(const Group& group, uint64_t now) const;
  void refresh(uint32_t group, uint64_t now);
  bool wantsDdr(const StreamEnd& end) const;
  void shareDdr(bool ofSources, uint64_t now);

  Events& events_;
  DdrShares ddr_;
  StreamWatch* watch_ = nullptr;
  std::vector<StreamEnd> ends_;
  std::vector<Group> groups_;
  std::vector<uint32_t> leaders_;  ///< of ends, until groups are made
  std::map<std::pair<uint32_t, int>, std::vector<uint32_t>> ways_;
  std::vector<uint32_t> done_;
  std::array<std::vector<uint32_t>, 2> onDdr_;  ///< ends that have used it, by isSource
  std::array<bool, 2> ddrChanged_{};
};

}  // namespace airlite::npu::sim::model
