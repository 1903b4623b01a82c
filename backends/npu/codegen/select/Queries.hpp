// What selection asks the program: the registers that types need, constants, uses. Nothing is made here.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "codegen/Machine.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace airlite::npu::codegen {

// -- Types --
/// Bits of an integer, float or index as registers have it.
unsigned widthOf(Type type);
/// The class of register for values of the type; none when a core has no such register.
std::optional<RegClass> classOf(Type type);
/// The same for a value that `op` makes or takes; none after an error.
std::optional<RegClass> checkedClass(Operation& op, Type type);
/// Bytes of all elements.
int64_t bytesOf(MemRefType type);

// -- Constants --
/// The bits of a scalar constant, integers sign-extended.
std::optional<int32_t> constantBits(Value value);
/// The lanes of a constant when they are all alike.
std::optional<int32_t> splatBits(Value vector);

// -- Vectors --
/// Whether a vector is among operands or results.
bool isVectorOp(Operation& op);
/// 0, 1, 2 for lanes of 8, 16, 32 bits.
size_t laneIndex(Type vector);
unsigned vectorBytes(Type vector);
/// Of a vector of one dimension; 0 for other types.
int64_t rowBits(Type type);
/// A row of 16 f32 lies in a vector register or in half of an accumulator, where sums are made; what
/// needs it in the other place copies it there (RowPlaces.hpp).
bool isFloatRow(Type type);
/// The class of register that a value is made in; rows of f32 are made where their uses need them.
RegClass homeOf(Value value);
/// A slice that takes one column of a tile, which only products read.
bool isColumnOfTile(const Operation& op);
/// Which half of 512 bits a vector.extract_strided_slice takes.
Part halfTaken(Operation& slice);
/// The one op that uses the value, in its block; null where there are others.
Operation* onlyUser(Value value);

}  // namespace airlite::npu::codegen
