// What a definition says about an op, as Markdown: for the reference page and for editors.
#pragma once

#include "airlite/ir/OpDef.hpp"

#include <string>

namespace airlite::tools {

/// Docs, syntax, operands, attributes, results, regions, traits, example.
std::string opDocs(const OpDef& def);

}  // namespace airlite::tools
