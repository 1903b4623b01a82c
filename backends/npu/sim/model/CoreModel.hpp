// A core of the performance model: walks along the trace of its program, and waits where it has to.
#pragma once

#include "airlite/npu/sim/array/Array.hpp"
#include "sim/model/ChannelModel.hpp"
#include "sim/model/CoreTrace.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace airlite::npu::sim::model {

class Model;

/// Ends of its streams.
struct CoreEnds {
  uint32_t streamIn = 0, streamOut = 0, cascadeIn = 0, cascadeOut = 0;
};

class CoreModel {
 public:
  CoreModel(Model& model, TileState& tile, uint32_t id, CoreEnds ends)
      : model_(model), tile_(tile), id_(id), ends_(ends) {}

  bool isStarted() const { return trace_ != nullptr; }
  TileState& tile() const { return tile_; }
  const CoreEnds& ends() const { return ends_; }
  void start();
  /// It comes to its event, or gets the lock that it waits for.
  void turn();
  /// The word that it waited for has moved.
  void wordMoved() { goOn(1); }

  std::optional<Wait> wait() const;
  CoreWork work() const;
  /// Cycles in which it stood for a bank.
  uint64_t bankStalls() const { return stalls_; }

 private:
  void goOn(uint64_t more);
  void count(const CoreEvent& event);
  uint64_t stallsBefore(const CoreEvent& event);
  bool act(const CoreEvent& event);
  void tell(CoreState state);

  Model& model_;
  TileState& tile_;
  uint32_t id_;
  CoreEnds ends_;
  std::shared_ptr<CoreTrace> trace_;
  size_t at_ = 0;
  bool waits_ = false;
  bool isDelayed_ = false;  ///< the way to its event already takes longer for banks
  BankAccesses before_{};   ///< of DMAs, when it set out for its event
  uint64_t bundles_ = 0, products_ = 0, stalls_ = 0;
  CoreState told_ = CoreState::Disabled;
};

}  // namespace airlite::npu::sim::model
