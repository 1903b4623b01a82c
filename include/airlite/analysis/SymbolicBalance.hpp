// Balance of channels for all numbers that a program leaves open: how often each put and get runs,
// as a polynomial.
//
//   BalanceProver prover(module);
//   for (const ProvenBalance& proven : prover.prove(function).open) visit(proven.channel);
#pragma once

#include "airlite/dialect/Air.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace airlite::analysis {

/// What is proven of a channel whose counts depend on numbers that are open.
struct ProvenBalance {
  enum class Answer : uint8_t { Balanced, Unbalanced };
  Answer answer = Answer::Balanced;
  air::ChannelOp channel;
  /// Balanced: as many puts as gets at each place, whatever the numbers are. Unbalanced: never, at
  /// this place and destination of its broadcast.
  std::vector<int64_t> place;
  uint32_t destination = 0;
  bool isBroadcast = false;
  /// How much is put and got, in puts (gets) or, where their sizes differ, elements. Of a balanced
  /// channel: at one of its places; empty where the program cancels it before it can be said.
  std::string puts, gets;
  bool areElements = false;
  std::vector<Operation*> ops;  // the puts and gets at that place
};

struct BalanceProofs {
  /// Channels about which something is proven that holds for all numbers, and whose counts are not constant.
  std::vector<ProvenBalance> open;
  /// All that are balanced for all numbers.
  std::set<Operation*> balanced;
};

/// Proves for the functions of one module, which must stay as it is while this lives.
class BalanceProver {
 public:
  explicit BalanceProver(Operation& module);
  ~BalanceProver();
  /// The channels of `function` (with a body). Nothing is proven of
  /// bounds that change from iteration to iteration in a way that does not cancel, places that are
  /// not constant, control that is not understood. One walk; instances and iterations are looked at
  /// one by one only where they are different places of a channel.
  BalanceProofs prove(Operation& function);

 private:
  struct Module;
  class Function;
  std::unique_ptr<Module> module_;
};

}  // namespace airlite::analysis
