// The host's half of transfers: puts, gets and DMAs of L3 memory as ops of airrt.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace airlite::npu {

/// Where on the host an op stands.
struct HostScope {
  std::vector<Value> ids;    // of the launch around, or of the herd whose DMAs are copied out
  std::string segment = {};  // empty outside of one
};

/// What a module says about channels: by the ops at the ends, and by the shim channels of its
/// devices. Read once, before anything is rewritten.
class HostChannels {
 public:
  explicit HostChannels(Operation& module);
  /// The number that the tiles know the other end of `op` by: `id` of the first op there, else its
  /// own, else 0.
  int64_t otherEnd(air::ChannelAccessOp op) const;
  /// Does the shim channel called `name` write to the host's memory? False for an unknown name.
  bool takesFromDevice(std::string_view name) const;
  bool hasDevice(std::string_view name) const { return devices_.count(std::string(name)) != 0; }
  /// Do cores of any device wait for the host before each run?
  bool hasHerdLocks() const { return hasHerdLocks_; }

 private:
  std::unordered_map<std::string, int64_t> ids_[2];  // of gets and puts on tiles, by channel
  std::unordered_map<std::string, bool> takes_;      // by the name of a shim channel
  std::unordered_map<std::string, Operation*> devices_;
  bool hasHerdLocks_ = false;
};

/// A loop over the outermost dimension of a transfer of L3 memory that has more dimensions than the host
/// knows, in place of it. Null, and nothing is done, for others.
Operation* loopOverTransfer(air::ChannelAccessOp op);

/// An op of airrt that moves data, before `op`. Null after an error has been reported.
Operation* createTransfer(air::ChannelAccessOp op, const HostScope& scope,
                          const HostChannels& channels);
/// The same for the side `access` of a DMA: what the other side does, its tile does.
Operation* createTransfer(air::DmaMemcpyNdOp op, const air::Access& access, Builder& builder,
                          const HostScope& scope);
/// `airrt.memcpy_nd` for a DMA between L2 and L3. Null after an error has been reported.
Operation* createCopy(air::DmaMemcpyNdOp op);

/// `airrt.wait_all`; without a result it blocks.
Operation* createWait(Builder builder, Location location, std::span<const Value> events,
                      bool hasResult);

}  // namespace airlite::npu
