// Numbers that a herd takes from its launch, made by its cores: where they depend on nothing but the instance of the launch, a core
// counts its rounds, and the host need not wait for it to write them.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"

#include <optional>
#include <vector>

namespace airlite::npu {

/// Unit attribute of a herd outside of the device: the host writes no numbers for it.
inline constexpr std::string_view kCountsInstances = "air.counts_instances";

/// What a value is outside of the levels of the hierarchy that hand it on.
Value sourceOf(Value value);

class InstanceNumbers {
 public:
  /// None where the host has something to say: some of the numbers that the herd uses come from elsewhere than constants and ids of
  /// the launch around it, or instances may leave the herd out.
  static std::optional<InstanceNumbers> of(air::HerdOp herd);

  /// Whether a number is another one in another instance.
  bool needCount() const { return count_ > 1 && usesIds_; }
  /// In a core, the number of the instance, an i32: `buffer`, a word of the core that is 0 at first, counts them up and begins again after
  /// the last. They follow each other in the order of the launch's dimensions.
  Value count(Builder& builder, Value buffer) const;
  /// Maps the kernel arguments to numbers in a core; `number` is that of the instance, or null where none is needed.
  void write(Builder& builder, Value number, IRMapping& mapping) const;

 private:
  InstanceNumbers(air::HerdOp herd, air::LaunchOp launch, std::vector<int64_t> sizes)
      : herd_(herd), launch_(launch), sizes_(std::move(sizes)) {}

  /// False: it is not known.
  bool add(Value value);

  air::HerdOp herd_;
  air::LaunchOp launch_;
  std::vector<int64_t> sizes_;     ///< of the launch
  std::vector<unsigned> scalars_;  ///< kernel operands that are used
  std::vector<Operation*> ops_;    ///< that make them, each after those that it needs
  bool usesIds_ = false;
  int64_t count_ = 1;
};

}  // namespace airlite::npu
