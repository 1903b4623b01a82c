// Which bundles may issue how many cycles after which.
#pragma once

#include "airlite/npu/isa/Program.hpp"

#include <optional>
#include <vector>

namespace airlite::npu::isa {

inline constexpr size_t kNowhere = ~size_t{0};

/// A jump and where it goes: a bundle, or kNowhere when that is not known.
struct Jump {
  const Instruction* instruction = nullptr;
  std::optional<uint32_t> address;  ///< of a direct jump
  size_t target = kNowhere;
};

/// A hardware loop whose bounds movxm has set.
struct HardwareLoop {
  size_t startSetup = 0, endSetup = 0;  ///< the bundles that set ls and le
  uint32_t start = 0, end = 0;          ///< addresses of the first and the last bundle
};

/// A bundle that may issue, and a jump that is under way then.
struct Place {
  size_t bundle = kNowhere;  ///< kNowhere: code that is not known
  size_t target = kNowhere;
  unsigned slotsLeft = 0;  ///< delay slots that are still to issue, this one included
  auto operator<=>(const Place&) const = default;
};

class Flow {
 public:
  explicit Flow(const Program& program);

  const Program& program() const { return program_; }
  const std::vector<HardwareLoop>& loops() const { return loops_; }
  /// The jump in a bundle; without an instruction when there is none.
  Jump jumpOf(size_t bundle) const;
  /// The bundle that follows this one, if any does.
  size_t after(size_t bundle) const;
  /// What may issue in the cycle after `place`.
  void appendNext(const Place& place, std::vector<Place>& next) const;

 private:
  void findLoops();

  const Program& program_;
  std::vector<HardwareLoop> loops_;
};

}  // namespace airlite::npu::isa
