// `dense<...>` and `array<...>` literals, and numbers of a given type.
#pragma once

#include "ParserState.hpp"

#include <optional>
#include <string_view>

namespace airlite::text {

LogicalResult readDenseElements(AttrParser& parser, ParserState& state, Type type,
                                Attribute& attribute);
LogicalResult readDenseArray(AttrParser& parser, ParserState& state, Attribute& attribute);

/// The value of an integer literal in `type`; empty when it does not fit. Signless types take
/// both the signed and the unsigned range, hexadecimal literals any bit pattern.
std::optional<int64_t> integerFor(Type type, std::string_view literal, bool negative);
/// The value of a literal in a float format; hexadecimal literals are bit patterns.
std::optional<double> floatFor(FloatType type, std::string_view literal, bool negative);

}  // namespace airlite::text
