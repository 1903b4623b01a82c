// Text to IR.
//
//   OwningOp module = parseSource(context, text, "program.mlir");
//   if (!module) return 1;  // what is wrong went to the diagnostics of the context
#pragma once

#include "airlite/ir/Context.hpp"

#include <string>
#include <string_view>

namespace airlite {

/// Limits that keep hostile input bounded; beyond one the parser reports an error.
struct ParseLimits {
  size_t maxBytes = size_t(1) << 30;  // input text
  unsigned maxNesting = 256;          // regions, types, attributes and expressions, together
  unsigned maxErrors = 20;            // then the parser gives up
};

struct SourceIndex;

struct ParseOptions {
  ParseLimits limits;
  bool verify = true;
  unsigned firstLine = 1;        // of a piece of a larger file
  SourceIndex* index = nullptr;  // filled, also when the text has errors: see SourceIndex.hpp
};

/// Parses a module. A text that is not one `builtin.module` is wrapped in one. Reports every error
/// it finds and returns null when there was one. Recovery: after an error the reader continues with
/// the next operation of the enclosing region.
OwningOp parseSource(Context& context, std::string text, std::string name,
                     const ParseOptions& options = {});

/// A lone type or attribute (no aliases); null, with a diagnostic, when the text is not exactly one.
Type parseType(Context& context, std::string_view text);
Attribute parseAttribute(Context& context, std::string_view text);

}  // namespace airlite
