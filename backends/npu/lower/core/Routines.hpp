// The integer routines that float ops of cores call, made as functions when one is needed.
#pragma once

#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Builder.hpp"

#include <cstdint>
#include <string_view>

namespace airlite::npu::soft {

/// The function called `name` (`__air_f32_add`) of `table`, an aie.device or builtin.module; made
/// at its end when it is not there yet. `name` must be a routine.
func::FuncOp routineIn(Operation& table, std::string_view name);

/// A call of that function.
Operation* callRoutine(Builder& builder, Location location, Operation& table, std::string_view name,
                       std::span<const Value> operands);

}  // namespace airlite::npu::soft
