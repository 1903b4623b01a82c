// The JSON form of the IR: lossless, versioned; docs/airlite-ir.schema.json describes it.
//
//   std::string text = printJson(*module);
//   OwningOp again = parseJson(context, text, "given");  // null after reported errors
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/text/Parser.hpp"

#include <string>
#include <string_view>

namespace airlite {

/// Version of the JSON form (`"version"` at the top).
inline constexpr int kJsonVersion = 1;

/// Indented by two blanks, keys in a fixed order, ends with a newline.
std::string printJson(Operation& op);

/// Reads what printJson wrote. Errors carry the place in the JSON text.
OwningOp parseJson(Context& context, std::string text, std::string name,
                   const ParseOptions& options = {});

}  // namespace airlite
