// The function of a program that a design is made of: the one that is asked for, with its numbers.
//
//   Operation* entry = func::findEntry(module, "");
//   fixScalars(*entry, {{2, IntegerAttr::get(i32, 5)}});  // the design is for 5
#pragma once

#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Operation.hpp"

#include <map>

namespace airlite::npu {

/// Leaves of the functions of `module` those that `entry` needs. False, with nothing changed: the
/// module holds a design already.
bool keepOnly(Operation& module, Operation& entry);

/// The arguments in `values` by their position, integers, floats and index, become these constants:
/// a design is for these numbers. They are not arguments any more. Nothing in the module may call
/// `entry`.
void fixScalars(Operation& entry, const std::map<unsigned, Attribute>& values);

}  // namespace airlite::npu
