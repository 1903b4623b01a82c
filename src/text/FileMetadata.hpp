// `{-# ... #-}`: the resources of a file, after its operations.
#pragma once

#include "airlite/ir/Context.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::text {

class ParserState;

/// Reads the dictionary at the next token into the resources of the context.
LogicalResult parseFileMetadata(ParserState& state);

/// The dictionary with these blobs and what is external, a blank line in front; "" when there is
/// nothing to say.
std::string fileMetadata(Context& context, const std::vector<std::string_view>& keys);

}  // namespace airlite::text
