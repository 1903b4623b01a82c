// The ops of a block, with what each does to memory and channels.
#pragma once

#include "airlite/dialect/Air.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace airlite::air {

/// An op of a block, and what it does with all in it.
struct Step {
  Operation* op = nullptr;
  std::unordered_set<Operation*> puts, gets;  // channels
  std::unordered_set<Value> reads, writes;
  std::unordered_set<size_t> needs;  // steps whose values it uses
  bool doesAnything = false;
};

bool intersect(const auto& a, const auto& b) {
  return std::ranges::any_of(a, [&](const auto& element) { return b.contains(element); });
}

/// All but the terminator.
std::vector<Step> stepsOf(Block& block);

/// Through memory, or as transfers at one end of a channel, whose order counts.
bool meet(const Step& a, const Step& b);

/// Two steps that stay as they follow each other in the program.
bool keepOrder(const Step& first, const Step& second, size_t firstNumber);

}  // namespace airlite::air
