// Data that several cores have got from one put: what they compute from it is the same.
//
//   if (const std::optional<Received> data = findReceived(load)) use(data->get.channelName(), data->loops);
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite::analysis {

/// What a load reads: an element of what `get` has taken in this round of `loops`. No other op writes the memory, and no other one
/// takes from that destination of the channel, so the round is the number of the message.
struct Received {
  air::ChannelAccessOp get;
  std::vector<scf::ForOp>
      loops;  // of its core around the get, outermost first; their bounds are constant

  /// The same for messages of one channel that have one form.
  std::string form() const;
};

/// One of the loads that read the same element of messages of one form, the same for all of them; `value` itself for anything else.
class SameData {
 public:
  Value representative(Value value);

 private:
  std::map<std::string, Value> first_;
};

/// None where it cannot be told, or where the core may run more than once.
std::optional<Received> findReceived(Operation& load);

}  // namespace airlite::analysis
