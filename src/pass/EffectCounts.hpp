// Counts the effects that no pass may lose.
#pragma once

#include "airlite/pass/Pass.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace airlite {

/// Counts per CountedEffect.
using EffectCounts = std::array<uint64_t, 4>;

/// Effects of the ops inside `root`. Counts are weighted by nothing: an op counts once, wherever it
/// stands.
EffectCounts countEffects(Operation& root);

std::string_view effectName(CountedEffect effect);

}  // namespace airlite
