// Counts the effects that no pass may lose.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "airlite/pass/Pass.hpp"

namespace airlite {

/// Counts per CountedEffect.
using EffectCounts = std::array<uint64_t, 4>;

/// Effects inside each function-like op below `root` (key: its symbol; "" for what is in none).
/// Counts are weighted by nothing: an op counts once, wherever it stands.
std::map<std::string, EffectCounts> countEffects(Operation& root);

std::string_view effectName(CountedEffect effect);

}  // namespace airlite
